package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A workspace is a block in which every work-item of a kernel has room for one array, for copies
// whose places overlap. The host allocates it for the launch. Element e of work-item w lies at e *
// items + w, so that neighbours touch neighbouring elements. A task has room for one array, which
// its points use one after another: element e of task t lies at t * elements + e. If a size is
// impossible for an array, no work-item makes that array, and it gets no room.
type workspace struct {
	mem   string
	shape []sym.Poly // of a work-item's array
	prim  ir.Prim
}

// workspace makes room for an array like a, if its size is the same for all
// work-items.
func (b *block) workspace(a *array) (*array, bool) {
	shape := make([]sym.Poly, len(a.shape()))
	for i, n := range a.shape() {
		shape[i] = n.Subst(b.f.definition)
		for _, name := range shape[i].Names() {
			if b.k.vars[name] {
				return nil, false
			}
		}
	}
	mem := b.f.temp("work_mem")
	b.f.own[mem] = true
	b.k.work = append(b.k.work, workspace{mem, shape, a.prim})
	l := lmad.RowMajor(shape).Parts[0]
	w := lmad.LMAD{Offset: sym.Var(GroupID).Mul(sym.Const(GroupSize)).Add(sym.Var(LocalID))}
	step := sym.Var(NumGroups).Mul(sym.Const(GroupSize))
	if b.tasks() {
		w.Offset, step = sym.Var(GroupID).Mul(product(shape)), sym.Const(1)
	}
	for i, d := range l.Dims {
		w.Dims = append(w.Dims, lmad.Dim{Len: a.shape()[i], Stride: d.Stride.Mul(step)})
	}
	return &array{name: a.name, prim: a.prim, mem: mem, fun: lmad.Fun{Parts: []lmad.LMAD{w}}}, true
}

// alloc allocates the workspace on the host.
func (w workspace) alloc(b *block, groups ir.Exp) *Alloc {
	b.declareMem(w.mem)
	bytes := sym.Of(groups).Mul(sym.Const(w.prim.Size()))
	var exists []ir.Exp
	if !b.tasks() {
		bytes = bytes.Mul(sym.Const(GroupSize))
	}
	for _, n := range w.shape {
		if _, ok := n.IsConst(); ok {
			bytes = bytes.Mul(n)
			continue
		}
		dim := b.atom(n.Exp(), "dim") // it may wrap, but the size of an alloc does not
		bytes = bytes.Mul(sym.Of(dim))
		exists = append(exists, binary(">=", dim, i64(0)), binary("<=", dim, i64(ir.MaxBytes)))
	}
	size := b.bytes(bytes)
	if len(exists) > 0 {
		size = &ir.Cond{C: and(exists...), X: size, Y: i64(0), T: ir.I64}
	}
	return &Alloc{Mem: w.mem, Bytes: size, Site: b.f.l.site(), Span: b.f.at}
}

// copyWorkspace makes copies in a kernel as if all were read before any is
// written, whatever overlaps.
func (b *block) copyWorkspace(ts []transfer) {
	saved := make([]*array, len(ts))
	release := make([]func(), len(ts))
	for i, t := range ts {
		saved[i], release[i] = b.save(t.src)
	}
	for i, t := range ts {
		b.copyLoops(t.dst, saved[i])
		release[i]()
	}
}

// save copies an array of a kernel to memory of its own: a workspace or, if its size differs from
// one work-item to another, a block of the device heap. release frees that, in the same block of
// statements.
func (b *block) save(a *array) (tmp *array, release func()) {
	tmp, ok := b.workspace(a)
	release = func() {}
	if !ok {
		mem := b.declareMem(b.f.temp("copy_mem"))
		b.f.own[mem] = true
		bytes := product(a.shape()).Mul(sym.Const(a.prim.Size()))
		alloc := &Alloc{Mem: mem, Bytes: b.bytes(bytes), Name: mem, Span: b.f.at}
		b.f.l.fromHeap(alloc, "a copy of `"+quote(a.name)+"`, whose old place and new place overlap")
		b.add(alloc)
		tmp = &array{name: a.name, prim: a.prim, mem: mem, fun: lmad.RowMajor(a.shape())}
		release = func() { b.add(&Free{Mem: mem}) }
	}
	b.copyLoops(tmp, a)
	return tmp, release
}
