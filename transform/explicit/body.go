package explicit

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
)

func (t *function) stmts(b *ir.Body) {
	sizes := len(t.sizes)
	defer func() { t.sizes = t.sizes[:sizes] }()
	for _, s := range b.Stmts {
		start := len(t.out)
		t.stmt(s)
		if first := t.out[start]; first != s {
			moveComments(first, s)
		}
	}
}

// moveComments moves the comments above a statement to the first of the statements inserted before
// it. A comment that names the statement's position in the source language stays.
func moveComments(first, s *ir.Stmt) {
	switch {
	case s.Blank && len(first.Lead) > 0:
		first.Lead[0].Blank = true
	case s.Blank:
		first.Blank = true
	}
	first.Lead = append(s.Lead, first.Lead...)
	s.Lead, s.Blank = ir.Places(s.Lead), false
}

// stmt places the arrays that a statement makes and emits it, after the statements that it needs.
func (t *function) stmt(s *ir.Stmt) {
	switch op := s.Op.(type) {
	case *ir.Compute:
		t.elem(s.Pat[0])
		t.defs[s.Pat[0].Name] = op.E
		if t.kernel != nil {
			t.kernel.scalars[s.Pat[0].Name] = s
		}
	case *ir.Assert, *ir.Alloc, *ir.Put:
		for _, e := range s.Pat {
			t.elem(e)
		}
	case *ir.Copy, *ir.Concat, *ir.Scratch, *ir.Range, *ir.Replicate, *ir.ArrayLit:
		t.fresh(s.Pat[0], s.Span)
	case *ir.Alias:
		if s.Pat[0].Type.Kind == ir.ArrayKind {
			t.put(s.Pat[0], t.of(op.X).place)
		} else {
			t.elem(s.Pat[0])
		}
	case *ir.Update:
		t.put(s.Pat[0], t.of(op.X).place)
	case *ir.Reshape:
		t.reshape(s.Pat[0], op)
	case *ir.Rearrange:
		x := t.of(op.X).place
		step := &ir.Permute{Perm: append([]int(nil), op.Perm...)}
		t.put(s.Pat[0], x.derive(x.fun.Permute(op.Perm), step, t.of(op.X).typ().Shape, s.Pat[0].Type.Shape))
	case *ir.Slice:
		t.slice(s, op)
	case *ir.If:
		t.branch(s, op)
		return
	case *ir.Loop:
		t.loop(s, op)
		return
	case *ir.Call:
		t.call(s, op)
		return
	case *ir.Map, *ir.Reduce, *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Into:
		t.kernelStmt(s)
		return
	}
	t.emit(s)
}

func (t *function) reshape(e *ir.Elem, op *ir.Reshape) {
	x, from := t.of(op.X).place, t.of(op.X).typ().Shape
	dims := lmad.Sizes(e.Type.Shape)
	if sameSizes(dims, lmad.Sizes(from)) {
		t.put(e, x)
		return
	}
	step := &ir.IxReshape{Sizes: dimExps(e.Type.Shape)}
	t.put(e, x.derive(x.fun.Reshape(dims), step, from, e.Type.Shape))
}

// once computes an expression of a place before the statement under construction, if it may fail or
// read memory: an index function is evaluated repeatedly, and an array that it reads from may be
// gone by then.
func (t *function) once(e *ir.Exp, base string, span diag.Span) {
	if *e == nil || ir.Total(*e) {
		return
	}
	elem := &ir.Elem{Name: t.unused.Fresh(base), Type: ir.Scalar(ir.I64)}
	t.elem(elem)
	t.emit(&ir.Stmt{Pat: []*ir.Elem{elem}, Op: &ir.Compute{E: *e}, Span: span})
	*e = ir.Var(elem.Name)
}

func (t *function) slice(s *ir.Stmt, op *ir.Slice) {
	for k := range op.Items {
		it := &op.Items[k]
		t.once(&it.Index, op.X+"_index", s.Span)
		t.once(&it.Start, op.X+"_start", s.Span)
		t.once(&it.Len, op.X+"_length", s.Span)
		t.once(&it.Stride, op.X+"_stride", s.Span)
	}
	x, shape := t.of(op.X).place, s.Pat[0].Type.Shape
	if fun := x.fun.Slice(op.Items); fun.IsRowMajor() {
		t.put(s.Pat[0], place{mem: x.mem, fun: fun})
		return
	}
	// The lengths are the array's dims, which have shorter names.
	its := items(op.Items)
	dim := 0
	for k := range its {
		if !its[k].Fixed {
			its[k].Len = shape[dim].Exp()
			dim++
		}
	}
	t.put(s.Pat[0], x.derive(x.fun.Slice(its), &ir.IxSlice{Items: its}, t.of(op.X).typ().Shape, shape))
}
