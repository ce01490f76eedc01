package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A guard makes one check.
type guard struct {
	stmts []*ir.Stmt
	key   string // guards with one key, and statements, check the same
}

// partGuards returns guards that check that no part of a concat has a negative size, or none if
// that is known. A failing statement between these checks and the concat is no problem: of several
// errors any one may be reported (docs/ir.md, Meaning).
func (s *state) partGuards(c *candidate, first int) ([]guard, refusal) {
	op := c.stmt.Op.(*ir.Concat)
	facts := s.ac.Facts(first)
	next := s.outermost(c.body, first)
	var out []guard
	var makers map[ir.Dim]*ir.Stmt
	for _, d := range c.parts {
		n, bad := s.lv.Earlier(lmad.Size(d), first)
		if bad == "" && facts.AtLeast(n, 0) {
			continue
		}
		if makers == nil {
			makers = s.makersOf(op, next)
		}
		if makers[d] == next && ir.Fresh(next.Op) && !rules.Off("coalesce.makersOf") { // it checks the size itself
			continue
		}
		if rules.Off("coalesce.partGuards") {
			return nil, refuse("C5", "the rule is switched off")
		}
		if bad != "" {
			return nil, refuse("C5", "the size `%s` of a part needs `%s`, which is not known where `%s` is made", d, bad, c.src)
		}
		cond := &ir.Binary{Op: ">=", X: n.Exp(), Y: ir.IntLit(0), T: ir.Bool}
		out = append(out, guard{[]*ir.Stmt{{Op: &ir.Assert{Cond: cond, Size: true}, Span: sizeSpan(makers[d], op.Dim)}}, s.sizeKey(n)})
	}
	return out, refusal{}
}

// makersOf returns statements that make the parts of a concat, one for each size: `next` if it does,
// or else the first.
func (s *state) makersOf(op *ir.Concat, next *ir.Stmt) map[ir.Dim]*ir.Stmt {
	out := map[ir.Dim]*ir.Stmt{}
	for _, x := range op.Args {
		def := s.lv.Def(x)
		if d := def.Elem.Type.Shape[op.Dim]; out[d] == nil || def.Stmt == next && def.Result {
			out[d] = def.Stmt
		}
	}
	return out
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

// guards returns guards that check, at a point, what a copy checks: an update's bounds and the
// sizes of its source. It returns none if the checks are known to succeed there.
func (s *state) guards(c *candidate, first int) ([]guard, refusal) {
	switch c.kind {
	case concats:
		return s.partGuards(c, first)
	case updates:
		return s.boundGuards(c, first)
	}
	return nil, refusal{}
}

func (s *state) boundGuards(c *candidate, first int) ([]guard, refusal) {
	facts, shape, lengths := s.ac.Facts(first), s.place(c.dst).Shape(), s.place(c.src).Shape()
	equal := s.fits(c, first)
	items, bad := s.earlierItems(c.items, first)
	proven := equal && bad == ""
	for k, it := range items {
		proven = proven && facts.Selects(it, shape[k])
	}
	if proven {
		return nil, refusal{}
	}
	if rules.Off("coalesce.boundGuards") {
		return nil, refuse("C5", "the rule is switched off")
	}
	x := s.visible(c.stmt.Op.(*ir.Update).X, first)
	if bad == "" && x == "" {
		bad = c.dst
	}
	if bad != "" {
		return nil, refuse("C5", "the bounds of the update need `%s`, which is not known where `%s` is made", bad, c.src)
	}
	name := s.fresh(c.src + "_part")
	var out []*ir.Stmt
	var dims []ir.Dim
	var sizes []sym.Poly
	named := func(e ir.Exp) ir.Dim {
		d, ok := dim(e)
		if !ok { // a dim is a name or a constant
			d = ir.Dim{Name: s.fresh(name + "_n")}
			out = append(out, &ir.Stmt{
				Pat:  []*ir.Elem{{Name: d.Name, Type: ir.Scalar(ir.I64)}},
				Op:   &ir.Compute{E: e},
				Span: c.stmt.Span,
			})
		}
		return d
	}
	for k := range items {
		it := &items[k]
		if it.Fixed {
			continue
		}
		size := sym.Of(it.Len)
		d := named(it.Len)
		it.Len = d.Exp()
		if !equal {
			if size, bad = s.lv.Earlier(lengths[0], first); bad != "" {
				return nil, refuse("C5", "the size of `%s` needs `%s`, which is not known where it is made", c.src, bad)
			}
			d = named(size.Exp())
		}
		sizes = append(sizes, size)
		lengths = lengths[1:]
		dims = append(dims, d)
	}
	key := s.sliceKey(x, items, sizes)
	part := lmad.UpdateSlice(s.place(x), items)
	if f, one := withLengths(part, lmad.Sizes(dims)); one {
		part = f
	}
	t := ir.Array(s.lv.Def(x).Elem.Type.Prim, dims, &ir.Place{Mem: s.block(x), Ix: part.Chain()})
	out = append(out, &ir.Stmt{
		Pat:  []*ir.Elem{{Name: name, Type: t, Written: true}},
		Op:   &ir.Slice{X: x, Items: items},
		Span: c.stmt.Span,
	})
	return []guard{{out, key}}, refusal{}
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

func dim(e ir.Exp) (ir.Dim, bool) {
	p := sym.Of(e)
	if n, ok := p.IsVar(); ok {
		return ir.Dim{Name: n}, true
	}
	if c, ok := p.IsConst(); ok && c >= 0 {
		return ir.Dim{Const: c}, true
	}
	return ir.Dim{}, false
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
	early := func(e ir.Exp) ir.Exp {
		if e == nil {
			return nil
		}
		p, bad := s.lv.Earlier(sym.Of(e), point)
		if bad != "" {
			missing = bad
		}
		return p.Exp()
	}
	for _, it := range items {
		it.Index, it.Start, it.Len, it.Stride = early(it.Index), early(it.Start), early(it.Len), early(it.Stride)
		out = append(out, it)
	}
	return out, missing
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
