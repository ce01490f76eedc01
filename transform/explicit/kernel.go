package explicit

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Expanded blocks]
//
// A fresh array ys of shape d1 x .. x dk in the body of a kernel over b1, .., bj exists once per
// thread. One block holds all of them; it is allocated before the kernel. Neighbouring threads
// should touch neighbouring elements, so the thread index is innermost:
//
//	let m_ys = alloc d1 * .. * dk * b1 * .. * bj * size
//	ys: [d1]..[dk]t @ m_ys -> Direct(d1, .., dk, b1, .., bj)
//	                       -> Permute(k, .., k+j-1, 0, .., k-1)
//	                       -> Slice(i1, .., ij, (0, d1), .., (0, dk))
//
// The sizes must be the same for all threads and known before the kernel. If perhaps no thread
// makes the array, see Note [Arrays of no thread]. Scalars in the sizes move out of the kernel if
// they can neither fail nor read memory (hoist.go). A loop in the body uses the same blocks again
// in each iteration; an array that a parameter carries on is made in, or copied to, a block of its
// own (Note [Two blocks that rotate]).

// Note [Blocks of a thread]
//
// An array whose size differs from thread to thread, or is not known before the kernel, gets a
// block of its own in the kernel's body, right before it. It lies there row-major. The device heap
// serves the block, and it is freed at its last use.
//
//	let m_ys = alloc k * size
//	ys: [k]t @ m_ys
//
// The same holds for an array that a loop of the body may carry on in an existential block
// (rules.go), whatever its size: the next iteration would overwrite an expanded block while the
// loop's parameter still lies in it. The groups of arrays that may share memory determine which
// arrays these are.

// A kernel is the context of a kernel's body.
type kernel struct {
	span     diag.Span
	space    ir.Space
	start    int        // the clock when the kernel began: what is older is known to the host
	before   []*ir.Stmt // to be emitted before the kernel
	scalars  map[string]*ir.Stmt
	hoisted  map[*ir.Stmt]bool
	operator bool // in the body of the operator, which belongs to no thread
	outer    *kernel
	group    bool       // it is a kernel of groups
	allocs   []*ir.Stmt // of the group's blocks, or the thread's
	// conds are the conditions of the branches and loops around; nil stands for an unknown one.
	conds []ir.Exp
}

// kernelStmt places a kernel's results and the arrays of its bodies.
func (t *function) kernelStmt(s *ir.Stmt) {
	space, _ := ir.KernelSpace(s.Op)
	body, dests := ir.KernelBody(s.Op), ir.Dests(s.Op)
	k := &kernel{
		span: s.Span, space: space, start: t.clock,
		scalars: map[string]*ir.Stmt{}, hoisted: map[*ir.Stmt]bool{},
		outer: t.kernel, group: ir.IsGroups(s.Op),
	}
	t.kernel = k
	outer := t.open()
	for _, b := range space {
		t.define(b.Var)
		t.limits[b.Var] = b.Size
	}
	t.stmts(body)
	t.close(body, append(k.allocs, t.out...))
	for _, o := range ir.Operators(s.Op) {
		k.operator = true
		t.open()
		for _, e := range o.Params {
			t.elem(e)
		}
		t.stmts(o.Body)
		t.close(o.Body, t.out)
	}
	t.kernel = k.outer
	t.out = append(outer, k.before...)
	for i, e := range s.Pat {
		if dests != nil {
			t.put(e, t.of(dests[i]).place)
		} else {
			t.fresh(e, s.Span)
		}
	}
	t.emit(s)
}

// expand allocates the block mem for an array of the kernel's body: before the kernel, for all
// threads, if all have the same size; otherwise each thread allocates one.
func (t *function) expand(mem, array string, typ ir.Type, span diag.Span) {
	k := t.kernel
	if k.group {
		t.groupBlock(k, mem, array, typ, span)
		return
	}
	if k.operator {
		t.failed.Limitf(span, "`%s` is a fresh array in an operator's body, which belongs to no thread", array).
			Hinted("combine scalars, or make the array in the kernel's body")
		t.define(mem)
		return
	}
	if t.inRegisters(array) {
		a := allocation(mem, bytes(typ.Prim, dimExps(typ.Shape)), span)
		a.Op.(*ir.Alloc).Space = ir.ThreadSpace
		k.allocs = append(k.allocs, a)
		t.of(mem).since, t.threads[mem] = k.start, true
		return
	}
	for _, d := range typ.Shape {
		if d.Name != "" && !t.common(d.Name) {
			t.context.Remark(span, "`%s` is allocated by each thread: its size `%s` is not known before the kernel", array, d.Name)
			t.own(mem, typ, span)
			return
		}
	}
	if t.carried(array) {
		t.context.Remark(span, "`%s` is allocated by each thread: a loop carries it from one iteration to the next", array)
		t.own(mem, typ, span)
		return
	}
	for _, d := range typ.Shape {
		if d.Name != "" {
			t.hoist(d.Name)
		}
	}
	var bounds []ir.Exp
	for i := range k.space {
		bounds = append(bounds, t.bound(&k.space[i]))
	}
	if k.outer != nil {
		t.groupBlock(k.outer, mem, array, typ, span, bounds...)
		return
	}
	// The block is in scope from the start of the kernel on.
	t.of(mem).since = k.start
	k.before = append(k.before, allocation(mem, bytes(typ.Prim, append(t.made(dimExps(typ.Shape), k.conds), bounds...)), span))
}

// own allocates a block in the kernel's body, for one thread.
func (t *function) own(mem string, typ ir.Type, span diag.Span) {
	t.emit(allocation(mem, bytes(typ.Prim, dimExps(typ.Shape)), span))
	t.define(mem)
	t.threads[mem] = true
}

// carried reports whether an array may be handed on by a loop of the kernel.
func (t *function) carried(array string) bool {
	if x, ok := t.copies[array]; ok {
		array = x
	}
	return t.of(array).find().handed
}

// bound returns the size of a bound as a name or a literal. An expression is computed before the
// kernel.
func (t *function) bound(b *ir.Bound) ir.Exp {
	switch e := b.Size.(type) {
	case *ir.Ref:
		return ir.Var(e.Name)
	case *ir.Lit:
		return ir.IntLit(int64(e.Bits))
	}
	name := t.unused.Fresh("n_" + b.Var)
	t.of(name).since = t.kernel.start
	e := &ir.Elem{Name: name, Type: ir.Scalar(ir.I64)}
	t.of(name).elem = e
	s := &ir.Stmt{Pat: []*ir.Elem{e}, Op: &ir.Compute{E: b.Size}, Span: t.kernel.span}
	t.kernel.moveOut(name, s)
	b.Size = ir.Var(name)
	return ir.Var(name)
}

// moveOut moves the statement that computes a scalar before the kernel.
func (k *kernel) moveOut(name string, s *ir.Stmt) {
	k.before = append(k.before, s)
	if k.outer != nil {
		k.outer.scalars[name] = s
	}
}

// layout is the place of a thread's part of an expanded block.
func (k *kernel) layout(mem string, shape []ir.Dim) place {
	sizes := dimExps(shape)
	fixed := make([]ir.Item, 0, len(k.space)+len(shape))
	perm := make([]int, 0, cap(fixed))
	for i, b := range k.space {
		sizes = append(sizes, exp(b.Size))
		perm = append(perm, len(shape)+i)
		fixed = append(fixed, ir.Item{Fixed: true, Index: ir.Var(b.Var)})
	}
	for d, dim := range shape {
		perm = append(perm, d)
		fixed = append(fixed, ir.Item{Start: ir.IntLit(0), Len: dim.Exp()})
	}
	return place{
		mem:   mem,
		fun:   lmad.RowMajor(sym.OfAll(sizes)).Permute(perm).Slice(fixed),
		chain: []ir.IxOp{&ir.Direct{Sizes: sizes}, &ir.Permute{Perm: perm}, &ir.IxSlice{Items: fixed}},
	}
}
