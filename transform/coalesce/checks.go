package coalesce

import (
	"cmp"
	"slices"

	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A guard makes a check: an assertion, or a slice that compares its lengths with the sizes.
type guard struct {
	op    ir.Op
	sizes []sym.Poly
	span  diag.Span
}

// guards returns guards that check, at a point, what a copy checks, or none if that is known to
// succeed there. It also returns a name that is missing at that point. A failing statement between
// the point and the copy is no problem: of several errors any one may be reported (docs/ir.md,
// Meaning).
func (s *state) guards(c *candidate, point int) (out []guard, missing string) {
	switch c.kind {
	case concats:
		return s.partGuards(c, point)
	case updates:
		return s.boundGuards(c, point)
	}
	return nil, ""
}

// partGuards check that no part of a concat has a negative size.
func (s *state) partGuards(c *candidate, point int) (out []guard, missing string) {
	next := s.outermost(c.body, point)
	for _, p := range c.parts {
		n, bad := s.lv.Earlier(lmad.Size(p.size), point)
		if bad == "" && s.ac.Facts(point).AtLeast(n, 0) {
			continue
		}
		makes := func(x string) bool { return ir.Fresh(next.Op) && s.lv.Def(x).Stmt == next }
		if slices.ContainsFunc(p.arrays, makes) && !rules.Off("coalesce.makes") { // it checks the size itself
			continue
		}
		cond := &ir.Binary{Op: ">=", X: n.Exp(), Y: ir.IntLit(0), T: ir.Bool}
		span := sizeSpan(s.lv.Def(p.arrays[0]).Stmt, c.stmt.Op.(*ir.Concat).Dim)
		out = append(out, guard{&ir.Assert{Cond: cond, Size: true}, nil, span})
		missing = cmp.Or(missing, bad)
	}
	return out, missing
}

// sizeSpan returns the position of an array's dim in the statement that makes the array. That
// statement reports a negative size there.
func sizeSpan(st *ir.Stmt, dim int) diag.Span {
	var sizes []ir.Exp
	if space, ok := ir.KernelSpace(st.Op); ok {
		sizes = space.Sizes()
	}
	switch op := st.Op.(type) {
	case *ir.Replicate:
		sizes = op.Dims
	case *ir.Scratch:
		sizes = op.Dims
	case *ir.Slice:
		for _, it := range op.Items {
			if !it.Fixed {
				sizes = append(sizes, &ir.Ref{At: it.Span})
			}
		}
	}
	if dim < len(sizes) && sizes[dim].Span().Known() {
		return sizes[dim].Span()
	}
	return st.Span
}

// boundGuards check the bounds of an update and the sizes of its source.
func (s *state) boundGuards(c *candidate, point int) (out []guard, missing string) {
	facts, shape, lengths := s.ac.Facts(point), s.place(c.dst).Shape(), s.place(c.src).Shape()
	equal := s.fits(c, point)
	items, missing := s.earlierItems(c.items, point)
	proven := equal && missing == ""
	for k, it := range items {
		proven = proven && facts.Selects(it, shape[k])
	}
	if proven {
		return nil, ""
	}
	x := s.visible(c.stmt.Op.(*ir.Update).X, point)
	if x == "" {
		missing = cmp.Or(missing, c.dst)
	}
	var sizes []sym.Poly
	for _, it := range items {
		if it.Fixed {
			continue
		}
		size := sym.Of(it.Len)
		if !equal {
			var bad string
			size, bad = s.lv.Earlier(lengths[0], point)
			missing = cmp.Or(missing, bad)
		}
		sizes, lengths = append(sizes, size), lengths[1:]
	}
	return []guard{{&ir.Slice{X: x, Items: items}, sizes, c.span}}, missing
}

// fits reports whether the sizes of an update's source and of the part are known to be equal at a
// point.
func (s *state) fits(m *candidate, point int) bool {
	lengths := s.place(m.src).Shape()
	for _, it := range m.items {
		if !it.Fixed {
			if !s.equalAt(point, sym.Of(it.Len), lengths[0]) {
				return false
			}
			lengths = lengths[1:]
		}
	}
	return true
}

// sameShape reports whether two arrays are known to have the same sizes at a point.
func (s *state) sameShape(x, y string, point int) bool {
	return slices.EqualFunc(s.place(x).Shape(), s.place(y).Shape(), func(a, b sym.Poly) bool { return s.equalAt(point, a, b) })
}

// visible returns an array that lies in the place of x and can be named at a point, or "".
func (s *state) visible(x string, point int) string {
	for x != "" && !s.lv.Visible(x, point) {
		x = s.source(x)
	}
	return x
}

// earlierItems writes items with names that are known at a point. If that is impossible, it returns
// a name that is missing.
func (s *state) earlierItems(items []ir.Item, point int) (out []ir.Item, missing string) {
	out = mapItems(items, func(p sym.Poly) sym.Poly {
		p, bad := s.lv.Earlier(p, point)
		missing = cmp.Or(missing, bad)
		return p
	})
	return out, missing
}

// mapItems applies a function to all that items are computed from.
func mapItems(items []ir.Item, f func(sym.Poly) sym.Poly) []ir.Item {
	of := func(e ir.Exp) ir.Exp {
		if e == nil {
			return nil
		}
		return f(sym.Of(e)).Exp()
	}
	out := slices.Clone(items)
	for k, it := range out {
		out[k].Index, out[k].Start, out[k].Len, out[k].Stride = of(it.Index), of(it.Start), of(it.Len), of(it.Stride)
	}
	return out
}

// source returns an array that lies in the place of x and from which x was made in place, or "".
func (s *state) source(x string) string {
	d := s.lv.Def(x)
	if !d.Result || rules.Off("coalesce.source") {
		return ""
	}
	k := slices.Index(d.Stmt.Pat, d.Elem)
	y := ""
	switch op := d.Stmt.Op.(type) {
	case *ir.Update:
		y = op.X
	case *ir.Alias:
		y = op.X
	case *ir.Scatter, *ir.Hist:
		y = ir.Dests(op)[k]
	case *ir.Loop:
		if r, ok := op.Params[k].Init.(*ir.Ref); ok {
			y = r.Name
		}
	}
	if y == "" || !s.samePlace(x, y) {
		return ""
	}
	return y
}
