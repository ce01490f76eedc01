package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A guard checks the bounds of a slice of an array x, and that its lengths are these sizes. Without
// an array, it checks that the size is not negative.
type guard struct {
	x     string
	items []ir.Item
	sizes []sym.Poly
	span  diag.Span
}

// guards returns guards that check, at a point, what a copy checks, or none if that is known to
// succeed there. It visits the names that are missing at the point. A failing statement between the
// point and the copy is no problem: of several errors any one may be reported (docs/ir.md, Meaning).
func (s *state) guards(c *candidate, point int, miss func(string)) (out []guard) {
	if c.kind == updates {
		return s.bounds(c, point, miss)
	}
	next := s.outermost(c.body, point)
	for _, p := range c.parts {
		n, missing := s.lv.Earlier(lmad.Size(p.size), point)
		if missing == "" && s.ac.Facts(point).AtLeast(n, 0) {
			continue
		}
		makes := func(x string) bool { return ir.Fresh(next.Op) && s.lv.Def(x).Stmt == next }
		if slices.ContainsFunc(p.arrays, makes) && !rules.Off("coalesce.makes") { // it checks the size itself
			continue
		}
		if missing != "" {
			miss(p.size.Name)
		}
		span := sizeSpan(s.lv.Def(p.arrays[0]).Stmt, c.stmt.Op.(*ir.Concat).Dim)
		out = append(out, guard{sizes: []sym.Poly{n}, span: span})
	}
	return out
}

// bounds does so for the bounds of an update, and the sizes of its source.
func (s *state) bounds(c *candidate, point int, miss func(string)) []guard {
	dst, src := s.place(c.dst), s.place(c.src).Shape()
	sizes := c.part(dst).Shape()
	proven := s.equal(point, sizes, src)
	if !proven {
		sizes = src
	}
	early := func(p sym.Poly) sym.Poly {
		q, missing := s.lv.Earlier(p, point)
		for _, n := range p.Names() {
			if missing != "" && !s.lv.Visible(n, point) {
				proven = false
				miss(n)
			}
		}
		return q
	}
	items := mapItems(c.items, early)
	for k, it := range items {
		proven = proven && s.ac.Facts(point).Selects(it, dst.Len(k))
	}
	if proven {
		return nil
	}
	to := c.stmt.Op.(*ir.Update).X
	x := s.visible(to, point)
	if x == "" {
		miss(s.madeFrom(to))
	}
	sizes = slices.Clone(sizes)
	for k, n := range sizes {
		sizes[k] = early(n)
	}
	return []guard{{x, items, sizes, c.span}}
}

// mapItems applies a function to all that items are computed from.
func mapItems(items []ir.Item, f func(sym.Poly) sym.Poly) []ir.Item {
	out := &ir.Slice{Items: slices.Clone(items)}
	ir.EachExp(out, func(e *ir.Exp) { *e = f(sym.Of(*e)).Exp() })
	return out.Items
}

// sizeSpan returns the position of an array's dim in the statement that makes the array. That
// statement reports a negative size there.
func sizeSpan(st *ir.Stmt, dim int) diag.Span {
	var sizes []ir.Exp
	switch op := st.Op.(type) {
	case *ir.Replicate:
		sizes = op.Dims
	case *ir.Scratch:
		sizes = op.Dims
	default:
		space, _ := ir.KernelSpace(op)
		sizes = space.Sizes()
	}
	if dim < len(sizes) && sizes[dim].Span().Known() {
		return sizes[dim].Span()
	}
	return st.Span
}

// visible returns an array that lies in the place of x and can be named at a point, or "".
func (s *state) visible(x string, point int) string {
	for x != "" && !s.lv.Visible(x, point) {
		x = s.source(x)
	}
	return x
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
	case *ir.Scatter, *ir.Hist, *ir.Into:
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

// past returns the array that x lies in through copies without checks, as far as it lies in nothing else.
// The next search leaps over them, until a class on the way gets another copy in place.
func (s *state) past(x string) string {
	a := s.of(x)
	var passed []*array
	s.walks++
	for {
		r := a.root()
		if r.walk == s.walks { // copies of a loop's values may go around in a circle
			break
		}
		r.walk = s.walks
		if r.past == nil || r.forks != s.forks {
			list := s.around[r]
			if len(list) != 1 || list[0].checked() || list[0].kind == buffers || s.block(list[0].dst) != s.block(a.name) {
				break
			}
			to := s.of(list[0].dst)
			if s.of(s.madeFrom(to.name)).root() != to.root() {
				break
			}
			r.past, r.forks = to, s.forks
		}
		passed = append(passed, r)
		a = r.past
	}
	for _, r := range passed {
		r.past = a
	}
	return a.name
}

// madeFrom returns the array from which x was made in place, in any number of steps. Steps between arrays
// that move together stay as they are, so the next search leaps over them.
func (s *state) madeFrom(x string) string {
	a := s.of(x)
	passed := []*array{}
	for {
		b := a.origin
		if b == nil {
			y := s.source(a.name)
			if y == "" {
				break
			}
			b = s.of(y)
		}
		if b.root() != a.root() {
			passed = passed[:0]
		} else {
			passed = append(passed, a)
		}
		a = b
	}
	for _, b := range passed {
		b.origin = a
	}
	return a.name
}
