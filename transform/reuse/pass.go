package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/parallel"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
)

// Pass lets blocks share storage. One rewrite is one block that gives way to
// another.
var Pass = newPass(mutation(""))

func newPass(mutant mutation) *transform.Pass {
	return &transform.Pass{
		Name: "reuse",
		Doc:  "Put blocks whose contents are never needed at the same time into one block, without raising the peak.",
		After: []transform.Constraint{
			{Pass: "explicit", Reason: "it shares the blocks that `explicit` makes"},
			{Pass: "lift", Reason: "blocks allocated early are held longer than needed"},
			{Pass: "coalesce", Reason: "an array that already lies in its result's block needs no block of its own"},
			{Pass: "lower", Reason: "blocks allocated early are held longer than needed"},
		},
		Run: func(p *ir.Program, c *transform.Context) error {
			run(p, c, mutant)
			return nil
		},
	}
}

// facts are the analyses of a program's functions, made when they are asked for.
type facts struct {
	prog    *ir.Program
	aliases *aliases.Program
	funcs   map[string]*funcFacts
	calls   map[string][]call // of each function
	stale   map[string]bool   // functions whose aliases are to be found anew
}

// funcFacts are the analyses of one function.
type funcFacts struct {
	table *peak.Table // the account of blocks held
	meets *interference.Table
}

type call struct {
	by   *ir.Func
	stmt *ir.Stmt
}

func analyze(p *ir.Program) *facts {
	k := &facts{p, aliases.Analyze(p), map[string]*funcFacts{}, map[string][]call{}, map[string]bool{}}
	for _, f := range p.Funcs {
		k.findCalls(f)
	}
	return k
}

// findCalls records the calls that a function makes.
func (k *facts) findCalls(f *ir.Func) {
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		if op, ok := s.Op.(*ir.Call); ok {
			k.calls[op.Fn] = append(k.calls[op.Fn], call{f, s})
		}
		return true
	})
}

// restored records that a function has the statements of an earlier copy.
func (k *facts) restored(f *ir.Func) {
	forgotten := map[string]bool{}
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		if op, ok := s.Op.(*ir.Call); ok && !forgotten[op.Fn] {
			forgotten[op.Fn] = true
			k.calls[op.Fn] = slices.DeleteFunc(k.calls[op.Fn], func(c call) bool { return c.by == f })
		}
		return true
	})
	k.findCalls(f)
	k.changed(f)
}

func (k *facts) of(f *ir.Func) *funcFacts {
	known := k.funcs[f.Name]
	if k.stale[f.Name] {
		k.changed(f)
		known = nil
	}
	if known == nil {
		l, acc := accesses.WithLives(k.prog, f, k.aliases.Indexed)
		known = &funcFacts{}
		parallel.Over(len(l.Points),
			func() { known.table = peak.Analyze(f, l.Aliases, l, acc) },
			func() { known.meets = interference.AnalyzeFunc(f, l.Aliases, l, acc) },
		)
		k.funcs[f.Name] = known
	}
	return known
}

// changed records that a function has been rewritten. Its callers use the facts about its results.
func (k *facts) changed(f *ir.Func) {
	delete(k.funcs, f.Name)
	delete(k.stale, f.Name)
	calls := k.calls[f.Name]
	if len(calls) == 0 {
		k.aliases.Changed(f)
		return
	}
	before := k.aliases.Func(f.Name)
	k.aliases.Changed(f)
	if !k.aliases.Func(f.Name).SameResults(before) {
		for _, c := range calls {
			k.stale[c.by.Name] = true
		}
	}
}

// run shares blocks function by function, callees first: callers must know which argument a callee
// returns.
func run(p *ir.Program, c *transform.Context, mutant mutation) {
	known := analyze(p)
	for _, f := range transform.CalleesFirst(p) {
		if !ir.IsExplicit(f) {
			continue
		}
		shared := shareBest(newState(p, f, c, known, mutant), c)
		if c.Limit != 0 && settle(f) || shared {
			known.changed(f)
		}
	}
}

// shareBest lets the blocks of a function share: as it is, or after its loops hand on free blocks, whichever needs less.
func shareBest(s *state, c *transform.Context) bool {
	plain, with, without := ir.SnapshotFunc(s.f), s.trial(), s.trial()
	if !s.handOn(with) {
		return s.share()
	}
	s.known.restored(s.f)
	needs := s.shared(with)
	handed := ir.SnapshotFunc(s.f)
	s.restore(plain)
	better := needs.less(s.shared(without))
	switch {
	case c.Limit != transform.Unlimited: // the choice must not depend on the limit
		s.restore(plain)
		if better && s.again(c).handOn(c) {
			s.known.restored(s.f)
		}
		s.again(c).share()
	case better:
		s.restore(handed)
		c.Take(with)
	default:
		c.Take(without)
	}
	return true
}

// shared lets the blocks of the function share, and returns what it needs then.
func (s *state) shared(c *transform.Context) footprint {
	if s.again(c).share() {
		s.known.changed(s.f)
	}
	return s.again(c).footprint()
}

// restore gives the function the statements of an earlier copy.
func (s *state) restore(f *ir.Func) {
	*s.f = *ir.SnapshotFunc(f)
	s.known.restored(s.f)
}

// again returns the state of a function that has changed.
func (s *state) again(c *transform.Context) *state {
	return newState(s.prog, s.f, c, s.known, s.mutant)
}

// trial returns a context for rewrites that are perhaps not kept.
func (s *state) trial() *transform.Context {
	c := transform.NewContext(s.context.Pass, nil, transform.Unlimited)
	if s.context.Remarks != nil {
		c.Remarks = &diag.List{File: s.prog.File}
	}
	return c
}
