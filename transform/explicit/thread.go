package explicit

import (
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// Note [Blocks in registers]
//
// If a thread makes a small array of constant size and keeps it to itself, the array gets a block
// in the thread's memory, at the beginning of the kernel's body. It lies there row-major:
//
//	let m_ys = alloc@thread 16
//	ys: [2][2]f32 @ m_ys
//
// A name stands for blocks of one space. So this requires that each array that may share memory
// with it, through views, branches and loops, is made in the same kernel, and is small, too. And in
// a kernel of groups no operator may combine it, since other threads would read it.

// inRegisters reports whether an array of the kernel's body gets a block in the thread's memory.
func (t *function) inRegisters(array string) bool {
	if rules.Off("explicit.inRegisters") {
		return false
	}
	if x, ok := t.copies[array]; ok {
		array = x
	}
	return !t.of(array).find().large && !t.carried(array)
}

// keepLarge finds the groups of arrays that cannot all lie in one thread's memory.
func (a *facts) keepLarge() {
	for _, x := range a.roots {
		g, in := x.find(), x.root.kernel
		if in == 0 || g.kernel != 0 && g.kernel != in || !small(x.typ()) {
			g.large = true
		}
		g.kernel = in
	}
	for _, x := range a.combined {
		a.of(x).find().large = true
	}
}

// small reports whether an array fits in registers.
func small(t ir.Type) bool {
	n := t.Prim.Size()
	for _, d := range t.Shape {
		if d.Name != "" || d.Const > ir.MaxThread {
			return false
		}
		n *= max(d.Const, 0)
	}
	return n <= ir.MaxThread
}
