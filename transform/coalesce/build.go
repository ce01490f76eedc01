package coalesce

import (
	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/fits"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/transform"
)

func newState(j *job, a *attempt, al *aliases.Table, lv *liveness.Table, ac *accesses.Table) *state {
	f := a.f
	s := &state{
		attempt: a, opt: j.opt, al: al, lv: lv, ac: ac,
		defs: map[string]*def{}, edges: map[string][]edge{}, values: map[string]bool{}, valueUses: map[string]int{}, inBlock: map[string][]string{}, seen: map[string]bool{},
		fixed: map[string]refusal{}, called: map[string]bool{},
		byBlock: map[string][]int{}, ofArray: map[string][]int{}, names: transform.NewNames(f),
		mentions: map[string][]string{}, guarded: map[string][]*guard{}, failing: map[*ir.Stmt]bool{}, alike: map[string][]string{}, differ: map[[2]string]bool{}, class: map[string]string{}, samples: map[sampled]int64{}, file: j.prog.File,
	}
	s.standing()
	for k := range ac.All {
		a := &ac.All[k]
		if a.Array != "" {
			s.ofArray[a.Array] = append(s.ofArray[a.Array], k)
		}
	}
	span := lv.Body(f.Body)
	for _, n := range f.Sizes {
		s.defs[n] = &def{point: span.From, at: span.From, body: span, scope: ac.Scope(span.From)}
	}
	for _, e := range f.Params {
		s.bind(e, nil, span.From, span.From, f.Body)
		if e.Type.Kind == ir.ArrayKind {
			s.fixed[e.Name] = refuse("C2", "`%s` is a parameter, made by the caller", e.Name)
		}
	}
	s.body(f.Body)
	s.results(f.Body)
	s.spread()
	for _, n := range al.Names() {
		if s.array(n) {
			s.mention(n)
			s.inBlock[s.block(n)] = append(s.inBlock[s.block(n)], n)
		}
	}
	s.rooms = fits.Of(f, func(st *ir.Stmt) places.Facts { return ac.Facts(lv.Stmt(st).From) })
	s.differentBlocks(f.Body)
	s.placedFor, s.compared = map[string]*candidate{}, map[*ir.Stmt]bool{}
	s.account = peak.Open(peak.Spans(f, al, lv, ac))
	return s
}

func (s *state) bind(e *ir.Elem, stmt *ir.Stmt, point, at int, body *ir.Body) {
	span := s.lv.Body(body)
	scope := s.ac.Scope(span.From)
	s.defs[e.Name] = &def{elem: e, stmt: stmt, point: point, at: at, body: span, scope: scope}
	for _, n := range ir.ExistNames(e.Type.Place) {
		s.defs[n] = &def{stmt: stmt, point: point, at: at, body: span, scope: scope}
	}
}

func (s *state) body(b *ir.Body) {
	for _, st := range b.Stmts {
		s.stmt(st, b)
	}
}

// results notes the blocks that a body hands out.
func (s *state) results(b *ir.Body) {
	for _, e := range b.Result {
		if r, ok := e.(*ir.Ref); ok {
			if d := s.defs[r.Name]; d != nil && (d.elem == nil || d.elem.Type.Kind == ir.MemKind) {
				s.values[r.Name] = true
				s.valueUses[r.Name]++
			}
		}
	}
}

func (s *state) stmt(st *ir.Stmt, b *ir.Body) {
	span := s.lv.Stmt(st)
	s.uses(st)
	bodies := ir.Bodies(st.Op)
	for _, in := range bodies {
		begin := s.lv.Body(in).From
		if loop, ok := st.Op.(*ir.Loop); ok {
			for _, p := range loop.Params {
				s.bind(p.Elem, st, begin, span.From, in)
			}
			if loop.Var != "" {
				s.index(loop.Var, st, begin, in)
			}
		}
		if in == bodies[len(bodies)-1] {
			space, _ := ir.KernelSpace(st.Op)
			for _, x := range space {
				s.index(x.Var, st, begin, in)
			}
		}
		ir.Elems(st.Op, func(e *ir.Elem) {
			if _, loop := st.Op.(*ir.Loop); !loop && in == bodies[0] {
				s.bind(e, st, begin, span.From, in)
			}
		})
		s.body(in)
		s.results(in)
	}
	at := span.To
	if _, kernel := ir.KernelSpace(st.Op); kernel {
		at = span.From
	}
	for _, e := range st.Pat {
		s.bind(e, st, at, span.From, b)
		if c, ok := st.Op.(*ir.Compute); ok {
			s.defs[e.Name].exp = c.E
		}
	}
	s.link(st)
}

func (s *state) index(name string, st *ir.Stmt, point int, b *ir.Body) {
	s.defs[name] = &def{stmt: st, point: point, at: point, body: s.lv.Body(b), scope: s.ac.Scope(point)}
}

// uses notes the blocks that a statement itself uses as values.
func (s *state) uses(st *ir.Stmt) {
	ir.Uses(st.Op, func(n string) {
		if d := s.defs[n]; d != nil && (d.elem == nil || d.elem.Type.Kind == ir.MemKind) {
			s.values[n] = true
			s.valueUses[n]++
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
