package check

import (
	"fmt"
	"slices"

	"github.com/memc-lang/memc/ir"
)

// A cloner copies bodies with everything that elaboration may write to. It
// reports each loop with its copy.
type cloner struct{ loop func(old, copied *ir.Loop) }

func (k *cloner) body(b *ir.Body) *ir.Body {
	if b == nil {
		return nil
	}
	n := *b
	n.Stmts = make([]*ir.Stmt, len(b.Stmts))
	for i, s := range b.Stmts {
		t := *s
		t.Pat = cloneElems(s.Pat)
		t.Op = k.op(s.Op)
		n.Stmts[i] = &t
	}
	n.Result = cloneExps(b.Result)
	return &n
}

func cloneElems(es []*ir.Elem) []*ir.Elem {
	out := make([]*ir.Elem, len(es))
	for i, e := range es {
		out[i] = cloneElem(e)
	}
	return out
}

func cloneElem(e *ir.Elem) *ir.Elem {
	n := *e
	n.Type.Shape = slices.Clone(e.Type.Shape)
	for k := range n.Type.Shape {
		n.Type.Shape[k].Written = cloneExp(n.Type.Shape[k].Written)
	}
	// Places occur in explicit functions only, and no body of those is cloned.
	return &n
}

func cloneExps(es []ir.Exp) []ir.Exp {
	if es == nil {
		return nil
	}
	out := make([]ir.Exp, len(es))
	for i, e := range es {
		out[i] = cloneExp(e)
	}
	return out
}

func cloneExp(e ir.Exp) ir.Exp {
	switch e := e.(type) {
	case nil:
		return nil
	case *ir.Lit:
		n := *e
		return &n
	case *ir.Ref:
		n := *e
		return &n
	case *ir.Exist:
		n := *e
		return &n
	case *ir.Index:
		n := *e
		n.Indices = cloneExps(e.Indices)
		return &n
	case *ir.Unary:
		n := *e
		n.X = cloneExp(e.X)
		return &n
	case *ir.Binary:
		n := *e
		n.X, n.Y = cloneExp(e.X), cloneExp(e.Y)
		return &n
	case *ir.Cond:
		n := *e
		n.C, n.X, n.Y = cloneExp(e.C), cloneExp(e.X), cloneExp(e.Y)
		return &n
	case *ir.Convert:
		n := *e
		n.X = cloneExp(e.X)
		return &n
	case *ir.Builtin:
		n := *e
		n.Args = cloneExps(e.Args)
		return &n
	}
	panic(fmt.Sprintf("check: unknown expression %T", e))
}

func cloneItems(its []ir.Item) []ir.Item {
	out := slices.Clone(its)
	for i := range out {
		it := &out[i]
		it.Index, it.Start, it.Len, it.Stride = cloneExp(it.Index), cloneExp(it.Start), cloneExp(it.Len), cloneExp(it.Stride)
	}
	return out
}

func cloneSpace(s ir.Space) ir.Space {
	out := slices.Clone(s)
	for i := range out {
		out[i].Size = cloneExp(out[i].Size)
	}
	return out
}

func (k *cloner) operator(o ir.Operator) ir.Operator {
	o.Params, o.Body, o.Neutral = cloneElems(o.Params), k.body(o.Body), cloneExps(o.Neutral)
	return o
}

func (k *cloner) op(op ir.Op) ir.Op {
	switch op := op.(type) {
	case *ir.Compute:
		return &ir.Compute{E: cloneExp(op.E)}
	case *ir.Assert:
		return &ir.Assert{Cond: cloneExp(op.Cond), Msg: op.Msg, Size: op.Size}
	case *ir.Copy:
		n := *op
		return &n
	case *ir.Concat:
		n := *op
		return &n
	case *ir.Scratch:
		return &ir.Scratch{Prim: op.Prim, Dims: cloneExps(op.Dims)}
	case *ir.Range:
		return &ir.Range{Lo: cloneExp(op.Lo), Hi: cloneExp(op.Hi), Iota: op.Iota}
	case *ir.Replicate:
		return &ir.Replicate{Dims: cloneExps(op.Dims), X: cloneExp(op.X)}
	case *ir.ArrayLit:
		return &ir.ArrayLit{Elems: cloneExps(op.Elems)}
	case *ir.Alias:
		n := *op
		return &n
	case *ir.Reshape:
		return &ir.Reshape{X: op.X, Dims: cloneExps(op.Dims)}
	case *ir.Rearrange:
		n := *op
		return &n
	case *ir.Slice:
		return &ir.Slice{X: op.X, Items: cloneItems(op.Items)}
	case *ir.Update:
		return &ir.Update{X: op.X, Items: cloneItems(op.Items), Value: cloneExp(op.Value)}
	case *ir.Alloc:
		return &ir.Alloc{Size: cloneExp(op.Size), Space: op.Space}
	case *ir.If:
		return &ir.If{Cond: cloneExp(op.Cond), Then: k.body(op.Then), Else: k.body(op.Else)}
	case *ir.Loop:
		n := *op
		n.Params = slices.Clone(op.Params)
		for i := range n.Params {
			n.Params[i] = ir.Param{Elem: cloneElem(op.Params[i].Elem), Init: cloneExp(op.Params[i].Init)}
		}
		n.Bound, n.Body = cloneExp(op.Bound), k.body(op.Body)
		k.loop(op, &n)
		return &n
	case *ir.Call:
		return &ir.Call{Fn: op.Fn, Args: cloneExps(op.Args)}
	case *ir.Map:
		return &ir.Map{Space: cloneSpace(op.Space), Body: k.body(op.Body)}
	case *ir.Reduce:
		return &ir.Reduce{Space: cloneSpace(op.Space), Over: op.Over, Op: k.operator(op.Op), Body: k.body(op.Body)}
	case *ir.Scan:
		return &ir.Scan{Space: cloneSpace(op.Space), Over: op.Over, Op: k.operator(op.Op), Body: k.body(op.Body)}
	case *ir.Scatter:
		return &ir.Scatter{Dests: op.Dests, Space: cloneSpace(op.Space), Any: op.Any, Body: k.body(op.Body)}
	case *ir.Hist:
		return &ir.Hist{Dests: op.Dests, Space: cloneSpace(op.Space), Op: k.operator(op.Op), Body: k.body(op.Body)}
	}
	panic(fmt.Sprintf("check: unknown operation %T", op))
}
