package explicit

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// fresh gives a fresh array its place: in the block that a rotating loop parameter wants, else in a
// block of its own.
func (t *function) fresh(e *ir.Elem, span diag.Span) {
	if e.Type.Kind != ir.ArrayKind {
		t.elem(e)
		return
	}
	if mem, ok := t.target[e.Name]; ok {
		t.put(e, t.layout(mem, e.Type.Shape))
		return
	}
	for _, d := range e.Type.Shape {
		if d.Name == "" {
			continue
		}
		if t.of(d.Name).since == 0 {
			t.failed.Limitf(span, "the size `%s` of `%s` is known only after the statement that makes `%s`", d.Name, e.Name, e.Name).
				Hinted("make the size with a statement of its own, above")
		}
	}
	t.put(e, t.layout(t.alloc(e.Name, "", e.Type, span), e.Type.Shape))
}

// alloc makes a block for an array, before the statement under construction or, for an array of a
// kernel's body that is equally large in all threads, before the kernel. suffix distinguishes
// several blocks of one array.
func (t *function) alloc(array, suffix string, typ ir.Type, span diag.Span) string {
	mem := t.block(array + suffix)
	if t.kernel != nil {
		t.expand(mem, array, typ, span)
		return mem
	}
	t.emit(allocation(mem, bytes(typ.Prim, dimExps(typ.Shape)), span))
	t.define(mem)
	return mem
}

// layout is the place of fresh arrays in a block: row-major or, in a block that all threads of the
// kernel around share, expanded over the threads.
func (t *function) layout(mem string, shape []ir.Dim) place {
	if t.kernel != nil && !t.kernel.group && !t.threads[mem] {
		return t.kernel.layout(mem, shape)
	}
	return rowMajorIn(mem, shape)
}

func allocation(mem string, size ir.Exp, span diag.Span) *ir.Stmt {
	return &ir.Stmt{
		Pat:  []*ir.Elem{{Name: mem, Type: ir.Mem}},
		Op:   &ir.Alloc{Size: size},
		Span: span,
	}
}

// copyOf copies an array into a new block and gives the copy's name.
func (t *function) copyOf(x string, span diag.Span, why string) string {
	typ := t.of(x).typ()
	name := t.unused.Fresh(x + "_copy")
	t.copies[name] = x
	return t.copyTo(x, name, t.layout(t.alloc(name, "", typ, span), typ.Shape), typ, span, why)
}

// copyTo copies an array to a place.
func (t *function) copyTo(x, name string, to place, typ ir.Type, span diag.Span, why string) string {
	t.context.Remark(span, "`%s` is copied: %s", x, why)
	typ.Unique = false
	e := &ir.Elem{Name: name, Type: typ}
	t.put(e, to)
	t.emit(&ir.Stmt{Pat: []*ir.Elem{e}, Op: &ir.Copy{X: x}, Span: span})
	return name
}
