package explicit

import (
	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Blocks of a group]
//
// A map whose body holds kernels is run by groups of threads (docs/groups.md). A fresh
// array of such a body gets a block in the group's memory, allocated at the beginning of
// the body, in which it lies row-major, as on the host; so does an array that threads of
// an inner kernel keep, expanded over them.
//
//	let m_t = alloc@group k * 4
//	let t: [k]i32 @ m_t = map (j < k) { .. }
//
// Its size must be known before the kernel, as for expanded blocks, or at least a bound of
// it: of min(d, b - 1) - max(0, d + 1 - b) + 1, where d differs from group to group or from
// turn to turn, b is one. A name that may stand
// for two blocks, by an if or a loop, stands for blocks of one kind: what lies in the
// device's memory is copied where the other is a group's.

// groupBlock allocates a block for an array, with sizes that mention the names further
// bounds too.
func (t *function) groupBlock(k *kernel, mem, array string, typ ir.Type, span diag.Span, bounds ...ir.Exp) {
	inner := t.kernel
	t.kernel = k
	defer func() { t.kernel = inner }()
	sizes := make([]ir.Exp, 0, len(typ.Shape)+len(bounds))
	for _, d := range typ.Shape {
		sizes = append(sizes, d.Exp())
	}
	sizes = append(sizes, bounds...)
	var names []string
	for i, e := range sizes {
		most := t.bounded(e, true, 0)
		if most == nil {
			t.failed.Limitf(span, "`%s` is made by a group, but its size `%s` is not known before the kernel, and no bound of it", array, ir.ExpString(e)).
				Hinted("compute the size before the kernel, or write it as min(.., m) with such an m")
			t.define(mem)
			return
		}
		sizes[i] = most
		ir.ExpNames(most, func(n string) { names = append(names, n) })
	}
	if t.carried(array) {
		t.failed.Limitf(span, "`%s` is made by a group, and a loop carries it on with other sizes", array).
			Hinted("give the loop's arrays sizes that do not change")
		t.define(mem)
		return
	}
	for _, n := range names {
		t.hoist(n)
	}
	a := allocation(mem, bytes(typ.Prim, sizes), span)
	a.Op.(*ir.Alloc).Space = ir.GroupSpace
	k.allocs = append(k.allocs, a)
	t.seq[mem] = k.start
	t.near[mem] = true
}

// group gives the kernel of groups whose body is under construction, outside of the
// kernels in it.
func (t *function) group() *kernel {
	if t.kernel != nil && t.kernel.group {
		return t.kernel
	}
	return nil
}

// nearBy gives an array that lies in the group's memory with the same elements: a copy
// where x lies elsewhere.
func (t *function) nearBy(x string, span diag.Span) string {
	if t.near[t.places[x].mem] {
		return x
	}
	return t.copyOf(x, span, "it is joined with an array in the group's memory")
}

// maxBoundDepth bounds how many definitions a bound is made of.
const maxBoundDepth = 40

// bounded gives what an expression is at most, or at least, in names that are known before
// the kernel; nil where that is not found.
func (t *function) bounded(e ir.Exp, most bool, depth int) ir.Exp {
	if depth++; depth > maxBoundDepth {
		return nil
	}
	if t.known(e) {
		return e
	}
	binary := func(op string, x, y ir.Exp) ir.Exp {
		if x == nil || y == nil {
			return nil
		}
		return sym.Of(&ir.Binary{Op: op, X: x, Y: y, T: ir.I64}).Exp()
	}
	switch e := e.(type) {
	case *ir.Ref:
		if s, ok := t.kernel.scalars[e.Name]; ok {
			return t.bounded(s.Op.(*ir.Compute).E, most, depth)
		}
	case *ir.Binary:
		switch e.Op {
		case "+":
			return binary("+", t.bounded(e.X, most, depth), t.bounded(e.Y, most, depth))
		case "-":
			return binary("-", t.bounded(e.X, most, depth), t.bounded(e.Y, !most, depth))
		}
	case *ir.Builtin:
		if e.Fn != "min" && e.Fn != "max" {
			return nil
		}
		x, y := t.bounded(e.Args[0], most, depth), t.bounded(e.Args[1], most, depth)
		switch {
		case (e.Fn == "min") == most && x == nil:
			return y
		case (e.Fn == "min") == most && y == nil:
			return x
		case x != nil && y != nil:
			return &ir.Builtin{Fn: e.Fn, Args: []ir.Exp{x, y}, T: ir.I64}
		}
	}
	return nil
}
