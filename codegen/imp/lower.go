package imp

import (
	"slices"
	"strings"
	"sync"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/arena"
	"github.com/memc-lang/memc/analysis/checks"
	"github.com/memc-lang/memc/analysis/fits"
	"github.com/memc-lang/memc/internal/base/parallel"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
)

// Options of the lowering.
type Options struct {
	// Unsafe leaves out the checks of indices, slices, sizes and operands;
	// asserts and size equalities stay.
	Unsafe bool
	// Contract allows for all kernels what ir.Func.Contract allows.
	Contract bool
	// Tuning sets thresholds.
	Tuning Tuning
	// Entry restricts the program to the functions that this entry needs; "": the whole program.
	Entry string
	// Tasks lowers for processors (Note [Tasks]).
	Tasks bool
	// DeviceAllocator names the allocator for kernels that allocate, and DeviceHeap
	// is the size of their heap in bytes; "" and 0 are the defaults below.
	DeviceAllocator string
	DeviceHeap      int64
	// Sizes returns the size equalities of the program; nil: lowering finds them itself.
	Sizes func() *check.ObligationTable
}

// The default allocator and heap for kernels that allocate.
const (
	DefaultDeviceAllocator = "slab"
	DefaultDeviceHeap      = 64 << 20
)

// Lower brings a verified, explicit program into imperative form. The error is
// a diag.List: an operation that cannot be lowered is a known limitation.
func Lower(p *ir.Program, opt Options) (*Program, error) {
	entry := p.EntryNamed(opt.Entry)
	if entry != nil {
		p = restricted(p, entry) // analyses look at every function
	}
	l := &lowerer{
		p: p, opt: opt,
		out:     &Program{File: p.File, Faults: make([]Fault, 1), Tasks: opt.Tasks},
		diags:   &diag.List{File: p.File},
		faults:  map[diag.Span][]int{},
		funcs:   map[string]*Func{},
		used:    map[string]bool{},
		kernels: map[string]int{},
		arenas:  arena.New(p),
		known:   accesses.Of(p),
		facts:   map[*ir.Func]*facts{},
		classes: map[*ir.Func]*classes{},
	}
	l.out.source = sync.OnceValue(l.source)
	for _, f := range p.Funcs {
		if e := unplaced(f); e != nil {
			l.diags.Errorf(diag.NeedsPlace, e.Span, "`%s` has no place in memory: `%s` is memory-agnostic", e.Name, f.Name).
				Hinted("run the pass explicit first: --passes=explicit")
			return nil, l.diags.Err()
		}
	}
	sizes := opt.Sizes
	if sizes == nil {
		sizes = func() *check.ObligationTable { return check.Obligations(p) }
	}
	parallel.Do(
		func() { l.sizes = sizes() },
		func() {
			l.unproven = fits.Unproven(p, l.known)
			l.never = checks.Of(p, l.known)
		},
		func() {
			for _, f := range p.Funcs {
				l.facts[f], l.classes[f] = collect(f), classify(f)
			}
		},
	)
	funcs := p.Funcs
	if entry != nil {
		funcs = []*ir.Func{entry}
	}
	for _, f := range funcs {
		l.function(f)
	}
	if err := l.diags.Err(); err != nil {
		return nil, err
	}
	return l.out, nil
}

// restricted returns the part of a program that an entry needs, in the same order.
func restricted(p *ir.Program, entry *ir.Func) *ir.Program {
	seen := map[*ir.Func]bool{}
	var visit func(f *ir.Func)
	visit = func(f *ir.Func) {
		if f == nil || seen[f] {
			return
		}
		seen[f] = true
		ir.EachOp(f.Body, func(_ *ir.Stmt, call *ir.Call) {
			visit(p.Func(call.Fn))
		})
	}
	visit(entry)
	part := *p
	part.Funcs = slices.DeleteFunc(slices.Clone(p.Funcs), func(f *ir.Func) bool { return !seen[f] })
	part.Number()
	return &part
}

// A lowerer holds the state that all functions of a program share.
type lowerer struct {
	p       *ir.Program
	opt     Options
	out     *Program
	diags   *diag.List
	faults  map[diag.Span][]int // their numbers, by place
	funcs   map[string]*Func    // by IR name; nil while it is being lowered
	used    map[string]bool     // names of functions
	kernels map[string]int      // how many kernels have that base name
	named   []map[string]string // the variables of names, by function
	sizes   *check.ObligationTable
	facts   map[*ir.Func]*facts
	classes map[*ir.Func]*classes

	arenas   *arena.Program
	known    *accesses.OnDemand
	never    *checks.Table     // checks that never fail
	unproven map[*ir.Elem]bool // fresh arrays that may not fit in their blocks
}

// site numbers an allocation, from 0.
func (l *lowerer) site() int {
	l.out.Sites++
	return l.out.Sites - 1
}

// fault returns the number of a fault message, which has that code; args is its number of %d.
func (l *lowerer) fault(code diag.Code, at diag.Span, args int, format string) int {
	return l.faultCode(Fault{Code: code, Span: at, Format: format, Args: args})
}

func (l *lowerer) faultCode(f Fault) int {
	f.Format = l.p.Speak(f.Format)
	for _, code := range l.faults[f.Span] {
		if l.out.Faults[code] == f {
			return code
		}
	}
	code := len(l.out.Faults)
	l.faults[f.Span] = append(l.faults[f.Span], code)
	l.out.Faults = append(l.out.Faults, f)
	return code
}

// quote makes text safe inside a fault's format.
func quote(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// function lowers f, after the functions it calls.
func (l *lowerer) function(f *ir.Func) {
	if _, ok := l.funcs[f.Name]; ok {
		return
	}
	l.funcs[f.Name] = nil
	lf := newFn(l, f)
	for _, callee := range lf.facts.calls {
		if g := l.p.Func(callee); g != nil {
			l.function(g)
		}
	}
	kernels := len(l.out.Kernels)
	out := lf.lower()
	lf.rowsTogether(l.out.Kernels[kernels:])
	l.funcs[f.Name] = out
	l.out.Funcs = append(l.out.Funcs, out)
}

// unplaced returns an array of f that has no place, if there is one.
func unplaced(f *ir.Func) *ir.Elem {
	var found *ir.Elem
	look := func(e *ir.Elem) {
		if found == nil && e.Type.Kind == ir.ArrayKind && e.Type.Place == nil {
			found = e
		}
	}
	for _, p := range f.Params {
		look(p)
	}
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		for _, e := range s.Pat {
			look(e)
		}
		if loop, ok := s.Op.(*ir.Loop); ok {
			for _, p := range loop.Params {
				look(p.Elem)
			}
		}
		return found == nil
	})
	return found
}

// A fn lowers one function.
type fn struct {
	l     *lowerer
	ir    *ir.Func
	out   *Func
	facts *facts

	names    map[string]string // IR names that are not C identifiers, or taken
	used     map[string]bool
	counts   map[string]int // of temporaries by base name
	declared map[string]bool
	mems     map[string]bool   // host memory variables of out.Mems
	memAlias map[string]string // of aliases of blocks
	arrays   map[string]*array
	accs     map[string]*accumulator // of the kernel that is being lowered, by their arrays
	bounds   map[string]bound        // ranges of index variables
	defs     map[string]def          // definitions of i64 scalars
	impure   map[ir.Exp]bool         // memo of fallible
	own      map[string]bool         // blocks that lowering made for itself
	bound    map[string]int          // when memory variables got their blocks, from 1; parameters before
	made     map[string]int          // when the program allocated a variable's block
	class    map[string]string       // of the program's memory variables (classes)
	launch   launch                  // the one being lowered
	never    map[[2]string]bool      // of those: pairs that are never one block (Note [Blocks that take turns])
	space    map[string]string       // of the classes of blocks
	workers  map[string]*worker      // of the classes of blocks of workers
	lone     map[*ir.Map]string      // of a kernel of groups the block for which each is one work-item; "": it is not so
	sides    map[*Launch]*side       // of maps that others may join (Note [Maps side by side])
	sized    map[string][]int        // array parameters by the sizes in their dims; nil: not yet made
	slots    string                  // the variable of the program's slots; "": the function uses none
	at       diag.Span               // the parallel operation that is being lowered
}

func newFn(l *lowerer, f *ir.Func) *fn {
	facts := l.facts[f]
	names := len(facts.bound) // tables of a name each; those of blocks and of a few names grow
	lf := &fn{
		l: l, ir: f, facts: facts,
		names: make(map[string]string, names), used: make(map[string]bool, 2*names), counts: map[string]int{},
		declared: make(map[string]bool, names), mems: map[string]bool{}, memAlias: map[string]string{},
		arrays: make(map[string]*array, names/2), bounds: map[string]bound{}, defs: map[string]def{},
		impure: map[ir.Exp]bool{}, own: map[string]bool{},
		bound: map[string]int{}, made: map[string]int{}, sides: map[*Launch]*side{},
	}
	lf.nameAll()
	c := l.classes[f]
	lf.class, lf.never = c.byName(lf.name), map[[2]string]bool{}
	for p, never := range c.apartInLoops(f) {
		lf.never[[2]string{lf.name(p[0]), lf.name(p[1])}] = never
	}
	lf.spaces()
	return lf
}
