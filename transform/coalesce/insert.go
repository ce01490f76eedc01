package coalesce

import (
	"fmt"
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// insert writes the guards of the copies that the pass made in place (Note [Guards]), each before the
// statement that makes the first array there: others there are made from that one, or later.
func (s *state) insert() {
	if s.opt.skip["guard"] || len(s.checks) == 0 {
		return
	}
	before, bodies := map[*ir.Stmt][]*ir.Stmt{}, map[*ir.Body]bool{}
	met, done := map[*candidate]bool{}, map[*ir.Stmt]bool{}
	made := map[string][]liveSpan{} // the points behind each check in its body
	for _, x := range s.al.Names() {
		d := s.lv.Def(x)
		if d.Stmt == nil || !s.array(x) {
			continue
		}
		if op, ok := d.Stmt.Op.(*ir.Slice); ok {
			key := s.keyOf(guard{x: op.X, items: op.Items, sizes: s.place(x).Shape()})
			made[key] = append(made[key], liveSpan{From: d.At + 1, To: d.Scope.Span.To})
		}
		for _, c := range s.enclosing(x, met) {
			if done[c.stmt] || !s.checks[c.key()] || !s.inPlace(c) {
				continue
			}
			next, span, inside := s.lv.Enclosing(c.body, d.At)
			if !inside || x == s.madeFrom(c.dst) { // the program's own, or what the copy writes into
				delete(met, c)
				continue
			}
			at, missing := span.From, ""
			guards := s.guards(c, at, func(n string) { missing = n })
			if missing != "" { // the program itself makes an array there before
				if slices.ContainsFunc(s.made, func(m takenMove) bool { return m.key == c.key() }) {
					panic("coalesce: the check of `" + c.dst + "` needs `" + missing + "`")
				}
				delete(met, c)
				continue
			}
			// A concat has one check for all its parts.
			done[c.stmt], bodies[c.body] = true, true
			for _, g := range guards {
				key := s.keyOf(g)
				isMade := slices.ContainsFunc(made[key], func(behind liveSpan) bool { return behind.From <= at && at <= behind.To })
				if !isMade || rules.Off("coalesce.checksMade") {
					made[key] = append(made[key], liveSpan{From: at, To: s.lv.Body(c.body).To})
					before[next] = append(before[next], s.stmts(c, g)...)
				}
			}
		}
	}
	for b := range bodies {
		var out []*ir.Stmt
		for _, st := range b.Stmts {
			out = append(append(out, before[st]...), st)
		}
		b.Stmts = out
	}
}

// keyOf names what a guard checks.
func (s *state) keyOf(g guard) string {
	all := slices.Clone(g.sizes)
	if g.x != "" {
		all = append(all, s.place(g.x).Shape()...)
	}
	for k, n := range all {
		all[k] = s.closed.Of(n)
	}
	return fmt.Sprint(all, &ir.Stmt{Op: &ir.Slice{Items: mapItems(g.items, s.closed.Of)}})
}

// stmts returns the statements that make a guard.
func (s *state) stmts(c *candidate, g guard) (out []*ir.Stmt) {
	if g.x == "" {
		cond := &ir.Binary{Op: ">=", X: g.sizes[0].Exp(), Y: ir.IntLit(0), T: ir.Bool}
		return []*ir.Stmt{{Op: &ir.Assert{Cond: cond, Size: true}, Span: g.span}}
	}
	name := s.fresh(c.src + "_part")
	dims := make([]ir.Dim, len(g.sizes))
	for k, n := range g.sizes {
		d, ok := dim(n)
		if !ok { // a dim is a name or a constant
			d = ir.Dim{Name: s.fresh(name + "_n")}
			out = append(out, &ir.Stmt{Pat: []*ir.Elem{{Name: d.Name, Type: ir.Scalar(ir.I64)}}, Op: &ir.Compute{E: n.Exp()}, Span: g.span})
		}
		dims[k] = d
	}
	part, _ := withLengths(lmad.UpdateSlice(s.place(g.x), g.items), lmad.Sizes(dims))
	t := ir.Array(s.lv.Def(g.x).Elem.Type.Prim, dims, &ir.Place{Mem: s.block(g.x), Ix: part.Chain()})
	return append(out, &ir.Stmt{Pat: []*ir.Elem{{Name: name, Type: t, Written: true}}, Op: &ir.Slice{X: g.x, Items: g.items}, Span: g.span})
}

func dim(e sym.Poly) (ir.Dim, bool) {
	if n, ok := e.IsVar(); ok {
		return ir.Dim{Name: n}, true
	}
	if c, ok := e.IsConst(); ok && c >= 0 {
		return ir.Dim{Const: c}, true
	}
	return ir.Dim{}, false
}
