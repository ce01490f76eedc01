package explicit

import (
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/sym"
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
// The size, or at least a bound of it, must be known before the kernel, as for expanded blocks. For
// example, b bounds min(d, b - 1) - max(0, d + 1 - b) + 1, where d differs from group to group or
// from turn to turn; and b - 1 bounds b - 1 - p, where p is a loop's index. If there is no bound,
// or a loop may carry the array on in an existential block, the array gets a block of the device
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
	for i, e := range sizes {
		most := t.atMost(e)
		if most == nil {
			t.context.Remark(span, "`%s` is not in the group's memory: before the kernel, neither its size `%s` nor a bound of it is known", array, ir.ExpString(e))
			t.own(mem, typ, span)
			return
		}
		sizes[i] = most
		ir.ExpNames(most, func(n string) { names = append(names, n) })
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

// atMost returns an upper bound of a size, in names that are known before the kernel, or nil if it
// finds none.
func (t *function) atMost(e ir.Exp) ir.Exp {
	if rules.Off("explicit.atMost") {
		if t.known(e) {
			return e
		}
		return nil
	}
	return sym.Bound(e, true, t.known, func(name string, most bool) ir.Exp {
		if n, ok := t.limits[name]; ok {
			if most {
				return sym.Of(n).Sub(sym.Const(1)).Exp()
			}
			return ir.IntLit(0)
		}
		if s, ok := t.kernel.scalars[name]; ok {
			return s.Op.(*ir.Compute).E
		}
		return nil
	})
}
