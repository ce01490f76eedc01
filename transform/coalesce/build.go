package coalesce

import (
	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/fits"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform"
)

func newState(j *job, a *attempt, lv *liveness.Table, ac *accesses.Table) *state {
	f, al := a.f, lv.Aliases
	s := &state{
		attempt: a,
		facts: facts{
			opt: j.opt, file: j.prog.File, al: al, lv: lv, ac: ac, closed: lv.Closed(), defined: lv.Defined(),
			rooms:   fits.Of(lv.Function, func(st *ir.Stmt) places.Facts { return ac.Facts(lv.Stmt(st).From) }),
			called:  map[string]bool{},
			lengths: map[*ir.Concat]sym.Poly{}, crossing: map[*ir.Stmt][]string{}, inLoop: map[*ir.Stmt][]string{},
			failing: map[*ir.Stmt]bool{},
		},
		layout: layout{
			arrays: index.MakeNames[*array](lv.Function), blocks: index.MakeNames[block](lv.Function),
			mentions: map[string][]string{}, alike: map[string][]string{}, differ: map[[2]string]bool{},
			around: map[*array][]*candidate{}, placedFor: map[string]*candidate{}, checkedFrom: map[*candidate]int{},
		},
		search: search{seen: map[string]bool{}},
	}
	all := make([]array, len(al.Names()))
	for k, n := range al.Names() {
		all[k] = array{name: n, def: lv.Def(n)}
		*s.arrays.At(n) = &all[k]
	}
	s.standing()
	for k := range ac.All {
		a := &ac.All[k]
		if a.Array != "" {
			x := s.of(a.Array)
			x.accesses = append(x.accesses, k)
		}
	}
	for _, e := range f.Params {
		if e.Type.Kind == ir.ArrayKind {
			s.of(e.Name).fixed = refuse("C2", "`%s` is a parameter, made by the caller", e.Name)
		}
	}
	s.body(f.Body)
	s.results(f.Body)
	s.spread()
	for _, n := range al.Names() {
		if s.array(n) {
			s.mention(n)
			b := s.blocks.At(s.block(n))
			b.arrays = append(b.arrays, n)
		}
	}
	s.differentBlocks(f.Body)
	return s
}

// account returns the account of the function. It is opened at the first request, which comes
// before any move, and knows all moves made since. Many functions need no account.
func (s *state) account() *peak.Account {
	if s.spans == nil {
		s.spans = peak.Open(peak.Spans(s.f, s.al, s.lv, s.ac), maxRanges+s.allowance())
	}
	return s.spans
}

// fresh returns a name that the function does not use yet.
func (s *state) fresh(base string) string {
	if s.used == nil {
		s.used = transform.NewNames(s.f)
	}
	return s.used.Fresh(base)
}

func (s *state) body(b *ir.Body) {
	for _, st := range b.Stmts {
		s.stmt(st)
	}
}

// results records the blocks that a body hands out.
func (s *state) results(b *ir.Body) {
	for _, e := range b.Result {
		if r, ok := e.(*ir.Ref); ok {
			if d := s.lv.Def(r.Name); d != nil && (d.Elem == nil || d.Elem.Type.Kind == ir.MemKind) {
				s.blocks.At(r.Name).uses++
			}
		}
	}
}

func (s *state) stmt(st *ir.Stmt) {
	s.uses(st)
	for _, in := range ir.Bodies(st.Op) {
		s.body(in)
		s.results(in)
	}
	s.link(st)
}

// uses records the blocks that a statement itself uses as values.
func (s *state) uses(st *ir.Stmt) {
	ir.Uses(st.Op, func(n string) {
		if d := s.lv.Def(n); d != nil && (d.Elem == nil || d.Elem.Type.Kind == ir.MemKind) {
			s.blocks.At(n).uses++
		}
	})
	if call, ok := st.Op.(*ir.Call); ok {
		for _, e := range call.Args {
			if r, ok := e.(*ir.Ref); ok && s.array(r.Name) {
				s.called[r.Name] = true
			}
		}
	}
}
