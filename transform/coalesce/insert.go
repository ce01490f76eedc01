package coalesce

import (
	"fmt"
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// insert writes the guards of the copies that the pass made in place (Note [Guards]).
func (s *state) insert() {
	if s.opt.skip["guard"] {
		return
	}
	s.firsts = nil // moves were made since
	concat := map[*ir.Stmt]bool{}
	checks := slices.DeleteFunc(slices.Clone(s.candidates()), func(c *candidate) bool {
		return !c.checked() || !s.checks[c.key()] || !s.inPlace(c)
	})
	slices.SortStableFunc(checks, func(a, b *candidate) int { return s.firstOf(a) - s.firstOf(b) })
	made := s.checksMade()
	before := map[*ir.Stmt][]*ir.Stmt{}
	bodies := map[*ir.Body]bool{}
	for _, c := range checks {
		if concat[c.stmt] {
			continue // its first part has checked all sizes
		}
		concat[c.stmt] = c.kind == concats
		at := s.firstOf(c)
		guards, missing := s.guards(c, at)
		if missing != "" {
			panic("coalesce: the check of `" + c.dst + "` needs `" + missing + "` before its parts are made")
		}
		for _, g := range guards {
			key := s.checkedBy(g.op, g.sizes)
			if slices.ContainsFunc(made[key], func(behind liveSpan) bool { return behind.From <= at && at <= behind.To }) && !rules.Off("coalesce.checksMade") {
				continue
			}
			made[key] = append(made[key], liveSpan{From: at, To: s.lv.Body(c.body).To})
			next := s.outermost(c.body, at)
			before[next] = append(before[next], s.stmts(c, g)...)
			bodies[c.body] = true
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

// stmts returns the statements that make a guard.
func (s *state) stmts(c *candidate, g guard) (out []*ir.Stmt) {
	op, ok := g.op.(*ir.Slice)
	if !ok {
		return []*ir.Stmt{{Op: g.op, Span: g.span}}
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
	part, _ := withLengths(lmad.UpdateSlice(s.place(op.X), op.Items), lmad.Sizes(dims))
	t := ir.Array(s.lv.Def(op.X).Elem.Type.Prim, dims, &ir.Place{Mem: s.block(op.X), Ix: part.Chain()})
	return append(out, &ir.Stmt{Pat: []*ir.Elem{{Name: name, Type: t, Written: true}}, Op: op, Span: g.span})
}

// checksMade returns the points behind statements that check something, in their bodies, by what they check.
func (s *state) checksMade() map[string][]liveSpan {
	out := map[string][]liveSpan{}
	ir.WalkStmts(s.f.Body, func(st *ir.Stmt) bool {
		var sizes []sym.Poly
		switch op := st.Op.(type) {
		case *ir.Slice:
			sizes = s.place(st.Pat[0].Name).Shape()
		case *ir.Update:
			if r, ok := op.Value.(*ir.Ref); ok && s.array(r.Name) {
				sizes = s.place(r.Name).Shape()
			}
		}
		if key, at := s.checkedBy(st.Op, sizes), s.lv.Stmt(st).From; key != "" {
			out[key] = append(out[key], liveSpan{From: at + 1, To: s.ac.Scope(at).Span.To})
		}
		return true
	})
	return out
}

// checkedBy names what a statement checks: the bounds of a slice or an update, with an array of
// these sizes, or that a size is not negative. It returns "" for other statements.
func (s *state) checkedBy(op ir.Op, sizes []sym.Poly) string {
	bounds := func(x string, items []ir.Item) string {
		all := slices.Concat(s.place(x).Shape(), sizes)
		for k := range all {
			all[k] = s.closed.Of(all[k])
		}
		return fmt.Sprint(all, &ir.Stmt{Op: &ir.Slice{Items: mapItems(items, s.closed.Of)}})
	}
	switch op := op.(type) {
	case *ir.Slice:
		return bounds(op.X, op.Items)
	case *ir.Update:
		return bounds(op.X, op.Items)
	case *ir.Assert:
		if sized, ok := op.Sized(); ok && op.Size {
			return fmt.Sprint(s.closed.Of(sym.Of(sized[0])))
		}
	}
	return ""
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
