package check

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Reductions over several bounds]
//
// A reduction or scan over several bounds at once becomes one over a single bound, their product.
// The body begins by computing the original indices. An array that has all bounds as dims (a scan's
// result, or a mapped result of a reduction) is made with that single dim and then reshaped:
//
//	let ys = scan (i < n) over (j < m, k < l) op (a, b) { .. } neutral (0) { in xs[i, j, k] }
//
//	let n_1 = m * l
//	let ys_1 = scan (i < n, t < n_1) op (a, b) { .. } neutral (0) {
//	  let j = t / l
//	  let k = t % l
//	  in xs[i, j, k]
//	}
//	let ys = reshape (n, m, l) ys_1

// flatten replaces the bounds that a fold goes over at once by one bound. then must be called after
// the statement; ok is false if an error was reported.
func (c *fn) flatten(s *ir.Stmt, space *ir.Space, over *int, whole func(i int) bool, b *ir.Body) (then func(), ok bool) {
	then = func() {}
	inner := (*space)[len(*space)-*over:]
	if *over <= 1 {
		if *over == 1 { // an elaborated program stays as it is: others may be reading it
			*over = 0
		}
		return then, true
	}
	dims := make([]ir.Dim, len(inner))
	for k, x := range inner {
		if c.dims([]ir.Exp{x.Size}); x.Size.Prim() != ir.I64 {
			c.pattern(make([]val, len(s.Pat)), false)
			return nil, false
		}
		dims[k] = c.dim(x.Size)
	}
	c.countable(inner, dims)
	flat := ir.Bound{Var: c.fresh("t"), Span: inner[0].Span}
	flatDim := c.dim(product(ir.DimExps(dims)))
	flat.Size = flatDim.Exp()
	outer := (*space)[: len(*space)-*over : len(*space)-*over]
	*space, *over = append(outer, flat), 0

	indices := make([]*ir.Stmt, len(inner), len(inner)+len(b.Stmts))
	behind := ir.Exp(nil) // the product of the dims behind
	for k := len(inner) - 1; k >= 0; k-- {
		e := ir.Exp(ir.Var(flat.Var))
		if behind != nil {
			e = binary("/", e, ir.CloneExp(behind))
			behind = binary("*", dims[k].Exp(), behind)
		} else {
			behind = dims[k].Exp()
		}
		if k > 0 {
			e = binary("%", e, dims[k].Exp())
		}
		indices[k] = &ir.Stmt{Pat: []*ir.Elem{{Name: inner[k].Var, Span: inner[k].Span}}, Op: &ir.Compute{E: e}, Span: inner[k].Span}
	}
	b.Stmts = append(indices, b.Stmts...)

	type made struct{ whole, flat *ir.Elem }
	var parts []made
	for i, e := range s.Pat {
		if whole(i) && e.Type.Kind != ir.ScalarKind {
			s.Pat[i] = c.flatElem(e, len(outer), dims, flatDim)
			parts = append(parts, made{e, s.Pat[i]})
		}
	}
	return func() {
		for _, p := range parts {
			shape := p.flat.Type.Shape
			if len(shape) <= len(outer) { // an error
				p.whole.Type = ir.Type{}
				c.bindElem(p.whole)
				continue
			}
			op := &ir.Reshape{X: p.flat.Name, Dims: ir.DimExps(slices.Concat(shape[:len(outer)], dims, shape[len(outer)+1:]))}
			c.post = append(c.post, &ir.Stmt{Pat: []*ir.Elem{p.whole}, Op: op, Span: s.Span})
		}
	}, true
}

// flatElem returns the name of an array before it is reshaped, with its written type and place.
func (c *fn) flatElem(e *ir.Elem, outer int, dims []ir.Dim, size ir.Dim) *ir.Elem {
	flat := &ir.Elem{Name: c.fresh(e.Name), Span: e.Span}
	if e.Type.Rank() < outer+len(dims) {
		flat.Type.Prim = e.Type.Prim
		return flat
	}
	flat.Type, flat.Written = ir.CloneType(e.Type), e.Written
	flat.Type.Shape = slices.Concat(e.Type.Shape[:outer], []ir.Dim{size}, e.Type.Shape[outer+len(dims):])
	if p := flat.Type.Place; p != nil && len(p.Ix) > 0 {
		p.Ix = append(p.Ix, &ir.IxReshape{Sizes: ir.DimExps(flat.Type.Shape)})
	}
	return flat
}

// countable makes sure that a product of bounds is a product of sizes and does not wrap, unless the
// bounds are dims of one array.
func (c *fn) countable(bounds []ir.Bound, dims []ir.Dim) {
	constant, names := int64(1), []string{}
	for _, d := range dims {
		if d.Name != "" {
			names = append(names, d.Name)
		} else {
			constant *= min(d.Const, constantDims) // which is far from wrapping around, or refused
		}
	}
	if constant <= constantDims && (len(names) == 0 || slices.ContainsFunc(c.open, func(b *binding) bool { return b.t != nil && among(names, b.t.Shape) })) {
		return
	}
	factors := ir.DimExps(dims)
	for k, n := range factors {
		if r, ok := n.(*ir.Ref); ok {
			r.At = bounds[k].Size.Span()
		}
	}
	c.pre = append(c.pre, &ir.Stmt{Op: &ir.Assert{Cond: natural(product(factors)), Threads: true}, Span: bounds[0].Span.Join(bounds[len(bounds)-1].Span)})
}

// constantDims is how large a product of constants may be beside the dims of an array.
const constantDims = 1 << 15

// among reports whether names are dims of a shape, each of another one.
func among(names []string, shape []ir.Dim) bool {
	left := slices.Clone(names)
	for _, d := range shape {
		if k := slices.Index(left, d.Name); k >= 0 && d.Name != "" {
			left = slices.Delete(left, k, k+1)
		}
	}
	return len(left) == 0
}

func natural(e ir.Exp) ir.Exp {
	return &ir.Binary{Op: ">=", X: e, Y: ir.IntLit(0), T: ir.Bool, At: e.Span()}
}

func binary(op string, x, y ir.Exp) ir.Exp { return &ir.Binary{Op: op, X: x, Y: y, T: ir.I64} }
