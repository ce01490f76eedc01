package memcheck

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/sym"
)

// Check checks the explicit functions of an elaborated, verified program; those
// in memory-agnostic form have no places to check.
func Check(p *ir.Program) *Report {
	r := &Report{File: p.File}
	callees := map[string]*summary{}
	found := map[string][]Finding{}
	state := map[string]int{}
	var visit func(fn *ir.Func)
	visit = func(fn *ir.Func) {
		if state[fn.Name] != 0 || !ir.IsExplicit(fn) {
			return
		}
		state[fn.Name] = 1
		ir.WalkStmts(fn.Body, func(s *ir.Stmt) bool {
			if call, ok := s.Op.(*ir.Call); ok {
				if g := p.Func(call.Fn); g != nil {
					visit(g)
				}
			}
			return true
		})
		f := newFunction(p.File, fn, callees)
		f.check()
		callees[fn.Name], found[fn.Name] = f.summarise(), f.findings
	}
	for _, fn := range p.Funcs {
		visit(fn)
	}
	for _, fn := range p.Funcs {
		r.Findings = append(r.Findings, found[fn.Name]...)
	}
	return r
}

// A function is the checking of one function.
type function struct {
	fn      *ir.Func
	file    *diag.File
	callees map[string]*summary
	knowledge
	storage
	timeline
	progress
	verdicts
}

// knowledge is what the first walk finds about scalars; every name is bound once.
type knowledge struct {
	order   int // of the last binding or statement
	loops   int // around the present statement
	names   *names
	facts   *facts
	given   *facts   // where the function begins
	stmt    *ir.Stmt // that is scanned; nil: the parameters
	tells   map[*ir.Stmt]telling
	scalars map[string]ir.Exp // definitions of names of types other than i64
	defs    map[string]sym.Poly
	factors map[string]bool     // Note [Differences]
	sums    map[string]sym.Poly // what such a number stands for
	bySum   map[string]string   // the number of a sum without its constant
	asks    int                 // how often learned asked
}

// storage is what the first walk finds about arrays and blocks.
type storage struct {
	mentioned map[string]bool  // by an operation or a result
	binders   map[int32]*array // of the names of existential index functions
	blocks    map[string]*block
	arrays    map[string]*array
	params    []*array
	writable  map[*block]bool // given blocks that this function may write
	pairs     map[pair]bool   // memo of distinct
}

// A timeline is where statements begin and end, and what they write.
type timeline struct {
	at      map[*ir.Stmt]int
	starts  map[*ir.Stmt]int  // where the names of a loop or kernel begin
	ends    map[*ir.Stmt]int  // and where they end
	opening map[*ir.Stmt]bool // assertions where the function opens
	nest    []*ir.Loop        // around the present statement
	writes  map[*ir.Stmt][]*write
	effects map[*ir.Stmt][]*write
}

// progress is the state of the second walk.
type progress struct {
	now     int
	stamp   int
	live    map[*block]*contents
	journal []event
	kernel  *kernel
	maybe   int          // conditions and loops around, since the function or kernel began
	doubt   int          // why a run that comes here need not go wrong (Note [Witnesses])
	outside map[int]bool // parameters that are written outside of their array
	written map[int]bool // parameters whose block is written at all
}

// verdicts are what was found.
type verdicts struct {
	findings []Finding
	searched int // how much more witnesses may be searched for
	reported map[reported]bool
}

func newFunction(file *diag.File, fn *ir.Func, callees map[string]*summary) *function {
	f := &function{
		fn: fn, file: file, callees: callees,
		knowledge: knowledge{
			tells: map[*ir.Stmt]telling{}, scalars: map[string]ir.Exp{}, defs: map[string]sym.Poly{},
			factors: factorsOf(fn), sums: map[string]sym.Poly{}, bySum: map[string]string{},
		},
		storage: storage{
			mentioned: map[string]bool{}, binders: map[int32]*array{}, blocks: map[string]*block{}, arrays: map[string]*array{},
			params: make([]*array, len(fn.Params)), writable: map[*block]bool{}, pairs: map[pair]bool{},
		},
		timeline: timeline{
			at: map[*ir.Stmt]int{}, starts: map[*ir.Stmt]int{}, ends: map[*ir.Stmt]int{},
			writes: map[*ir.Stmt][]*write{}, effects: map[*ir.Stmt][]*write{},
		},
		progress: progress{live: map[*block]*contents{}, outside: map[int]bool{}, written: map[int]bool{}},
		verdicts: verdicts{searched: allFuel, reported: map[reported]bool{}},
	}
	f.names = &names{ids: map[string]int32{}, wraps: map[int32][]int32{}, over: map[int32][]int32{}, next: f.next, of: f}
	f.facts = &facts{names: f.names}
	return f
}

func (f *function) check() {
	f.given = f.facts
	f.equalSizes()
	f.scanParams()
	f.scanBody(nil, 0, f.fn.Body)
	f.plan(f.fn.Body)
	for _, a := range f.params {
		if a != nil {
			f.register(a)
		}
	}
	if !f.fn.Entry { // its calls may never be such
		f.doubt++
	}
	f.walkBody(f.fn.Body)
	f.useAll(f.fn.Body, "returned")
}

// A summary holds the facts about a function that a caller needs.
type summary struct {
	results []returnedPlace
	// within tells of each parameter that it is written only where its array lies.
	within []bool
	// consumed tells of each parameter that the function may write its block.
	consumed []bool
	// ends: a call may end the run, or never end.
	ends bool
}

// A returnedPlace tells in which blocks a result may lie: those of parameters, and those that the
// function allocated, by numbers. Two results with one number may share a block; if both have only
// this number, they do.
type returnedPlace struct {
	params, made []int
	alone        bool // one of made is of no other result
}

func (f *function) summarise() *summary {
	s := &summary{within: make([]bool, len(f.fn.Params)), consumed: make([]bool, len(f.fn.Params)), ends: f.bodyMayEnd(f.fn.Body)}
	for k, a := range f.params {
		s.consumed[k] = f.written[k]
		if a != nil && a.block.kind == given && f.params[a.block.param] == nil { // a block that is given by itself
			s.consumed[k] = s.consumed[k] || f.written[a.block.param]
		} else if a != nil {
			s.consumed[k] = s.consumed[k] || a.block.kind != given || f.writable[a.block]
		}
		s.within[k] = a != nil && a.r.exact && !f.outside[k]
	}
	results := map[*block][]int{} // that may lie in a block allocated here
	var found []*block
	for k, e := range f.fn.Body.Result {
		var r returnedPlace
		if b := f.blockOf(e); b != nil {
			for _, root := range roots(b, 0) {
				if root.kind == given {
					r.params = append(r.params, root.param)
					continue
				}
				if results[root] == nil {
					found = append(found, root)
				}
				results[root] = append(results[root], k)
			}
		}
		s.results = append(s.results, r)
	}
	for n, root := range found {
		first := &s.results[results[root][0]]
		if len(results[root]) == 1 && first.alone {
			continue // one number stands for all blocks in which only this result may lie
		}
		first.alone = first.alone || len(results[root]) == 1
		for _, k := range results[root] {
			s.results[k].made = append(s.results[k].made, n)
		}
	}
	return s
}
