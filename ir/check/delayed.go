package check

import (
	"fmt"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

func (c *fn) reshape(s *ir.Stmt, op *ir.Reshape) val {
	for i := range op.Dims {
		c.nameRead(&op.Dims[i])
	}
	c.dims(op.Dims)
	b := c.array(op.X, s.Span)
	if b == nil {
		return val{where: nowhere}
	}
	c.agree(product(ir.DimExps(b.t.Shape)), product(op.Dims), s.Span, c.here(), "the number of elements in `reshape` of `%s`", op.X)
	v := c.of(b)
	v.shape = op.Dims
	if v.where == derived {
		v.fun, v.place = v.fun.Reshape(sym.OfAll(op.Dims)), nil
	}
	return v
}

func product(es []ir.Exp) ir.Exp {
	if len(es) == 0 {
		return ir.IntLit(1)
	}
	p := es[0]
	for _, e := range es[1:] {
		p = binary("*", p, e)
	}
	return p
}

func (c *fn) rearrange(s *ir.Stmt, op *ir.Rearrange) val {
	b := c.array(op.X, s.Span)
	if b == nil {
		return val{where: nowhere}
	}
	if err := lmad.CheckPerm(op.Perm, b.t.Rank()); err != nil {
		c.errorf(diag.BadPerm, s.Span, "`rearrange` of `%s`: %s", op.X, err)
		return val{where: nowhere}
	}
	v := c.of(b)
	old := v.shape
	v.shape = make([]ir.Exp, len(old))
	for k, p := range op.Perm {
		v.shape[k] = old[p]
	}
	if v.where == derived {
		v.fun, v.place = v.fun.Permute(op.Perm), nil
	}
	return v
}

func (c *fn) slice(s *ir.Stmt, op *ir.Slice) val {
	b := c.array(op.X, s.Span)
	shape, ok := c.items(b, op.X, op.Items, s.Span)
	if !ok {
		return val{where: nowhere}
	}
	if len(shape) == 0 {
		c.bugf(s.Span, "a slice without a slice item reads one element: it must be a scalar expression")
		return val{where: nowhere}
	}
	v := c.of(b)
	v.shape = shape
	if v.where == derived {
		v.fun, v.place = v.fun.Slice(op.Items), nil
	}
	return v
}

// items checks the items of a slice of b and gives the shape that is left.
func (c *fn) items(b *binding, x string, items []ir.Item, at diag.Span) ([]ir.Exp, bool) {
	for i := range items {
		it := &items[i]
		if it.Fixed {
			c.nameRead(&it.Index)
			c.exp(it.Index, ir.I64, "an index")
			continue
		}
		c.nameRead(&it.Start)
		c.nameRead(&it.Len)
		c.exp(it.Start, ir.I64, "the start of a slice")
		c.dims([]ir.Exp{it.Len})
		if it.Stride != nil {
			c.nameRead(&it.Stride)
			c.exp(it.Stride, ir.I64, "the stride of a slice")
		}
	}
	if b == nil {
		return nil, false
	}
	if len(items) != b.t.Rank() {
		c.errorf(diag.WrongRank, at, "`%s` has %s, but %s here", x, count(b.t.Rank(), "dimension"), stand(len(items))).
			With(b.span, "its type is %s", short(*b.t))
		return nil, false
	}
	var shape []ir.Exp
	for _, it := range items {
		if !it.Fixed {
			shape = append(shape, it.Len)
		}
	}
	return shape, true
}

func stand(n int) string {
	if n == 1 {
		return "1 item stands"
	}
	return fmt.Sprintf("%d items stand", n)
}

// nameRead puts a name in the place of an expression that reads an array. An index function is used
// as long as its array lives, and the element may be overwritten before.
func (c *fn) nameRead(at *ir.Exp) {
	e := *at
	if c.elab && ir.Reads(e) && c.exp(e, ir.I64, "an index") != ir.Unknown {
		*at = &ir.Ref{Name: c.insert("i", e, ir.I64), T: ir.I64, At: e.Span()}
	}
}

// nameParts puts names in the places of the parts of a block's size that may fail or read an array:
// passes move an alloc, and the element may be overwritten before. The size itself is computed
// without wrapping, so it stays a sum, a product, or the like.
func (c *fn) nameParts(at *ir.Exp) {
	switch e := (*at).(type) {
	case *ir.Binary:
		if e.Op == "+" || e.Op == "-" || e.Op == "*" {
			c.nameParts(&e.X)
			c.nameParts(&e.Y)
			return
		}
	case *ir.Builtin:
		if e.Fn == "min" || e.Fn == "max" {
			c.nameParts(&e.Args[0])
			c.nameParts(&e.Args[1])
			return
		}
	}
	if e := *at; !ir.Total(e) {
		*at = &ir.Ref{Name: c.insert("n", e, ir.I64), T: ir.I64, At: e.Span()}
	}
}

func (c *fn) update(s *ir.Stmt, op *ir.Update) val {
	b := c.array(op.X, s.Span)
	shape, ok := c.items(b, op.X, op.Items, s.Span)
	z := c.operand(op.Value)
	if !ok {
		return val{where: nowhere}
	}
	v := c.of(b)
	c.settleVal(&z, op.Value, b.t.Prim)
	if z.kind == ir.NoKind {
		return v
	}
	at := op.Value.Span().Or(s.Span)
	if z.kind == ir.MemKind || len(z.shape) != len(shape) || z.prim != b.t.Prim {
		slot := c.shortVal(val{kind: ir.ArrayKind, prim: b.t.Prim, shape: shape})
		d := c.errorf(diag.WrongType, at, "the value of the update has type %s, but the slice of `%s` has type %s", c.shortVal(z), op.X, slot).
			With(b.span, "`%s` is bound here", op.X)
		if z.kind == ir.ScalarKind && len(shape) > 0 && z.prim == b.t.Prim {
			d.Hinted("fill an array first: let zs = replicate (..) %s", c.text(op.Value))
		}
		return v
	}
	for k, x := range shape {
		c.agree(x, z.shape[k], at, c.here(), "dimension %d of the update's slice of `%s` and its value", k, op.X)
	}
	return v
}
