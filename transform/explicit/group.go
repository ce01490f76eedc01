package explicit

import (
	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/ir"
)

// Note [Blocks of a group]
//
// Groups of threads run a map whose body contains kernels (docs/groups.md). A fresh array of such a
// body gets a block in the group's memory, allocated at the beginning of the body. It lies there
// row-major, as on the host. An array that threads of an inner kernel keep gets such a block, too,
// expanded over the threads.
//
//	let m_t = alloc@group k * 4
//	let t: [k]i32 @ m_t = map (j < k) { .. }
//
// The size must be known before the kernel, as for expanded blocks. If it is not, or a loop may carry the array on in an existential block, the array gets a block of the device
// heap (Note [Blocks of a thread]), and one thread does all the work of a group.
//
// By an if or a loop, a name may stand for two blocks. Both must be of one kind: an array in the
// device's memory is copied if the other one is in a group's.

// groupBlock allocates a block for an array. The names in its sizes may have further bounds.
func (t *function) groupBlock(k *kernel, mem, array string, typ ir.Type, span diag.Span, bounds ...ir.Exp) {
	inner, conds := t.kernel, k.conds
	if inner != k {
		conds = append(conds[:len(conds):len(conds)], inner.conds...)
	}
	t.kernel = k
	defer func() { t.kernel = inner }()
	sizes := append(dimExps(typ.Shape), bounds...)
	var names []string
	for _, e := range sizes {
		if !t.known(e) {
			t.context.Remark(span, "`%s` is not in the group's memory: its size `%s` is not known before the kernel", array, ir.ExpString(e))
			t.own(mem, typ, span)
			return
		}
		ir.ExpNames(e, func(n string) { names = append(names, n) })
	}
	if t.carried(array) {
		t.context.Remark(span, "`%s` is not in the group's memory: a loop carries it on with other sizes", array)
		t.own(mem, typ, span)
		return
	}
	for _, n := range names {
		t.hoist(n)
	}
	a := allocation(mem, bytes(typ.Prim, t.made(sizes, conds)), span)
	a.Op.(*ir.Alloc).Space = ir.GroupSpace
	k.allocs = append(k.allocs, a)
	t.of(mem).since = k.start
	t.near[mem] = true
}

// nearBy returns an array in the group's memory with the same elements as x: a copy if x lies in a
// block from outside of the kernel.
func (t *function) nearBy(x string, span diag.Span) string {
	if mem := t.of(x).place.mem; t.near[mem] || t.threads[mem] {
		return x
	}
	return t.copyOf(x, span, "it is joined with an array in the group's memory")
}
