package explicit

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Arrays of no thread]
//
// An expanded block is allocated whether or not a thread makes the array in it. If the array stands
// in a branch or a loop of the kernel's body, and no array is known to have its size, that size may
// be absurd in a run in which no thread gets there. To request such a block would end a correct
// run. So the size is then 0:
//
//	let m_ys = alloc (if c then k else 0) * n * 4                          c is known before the kernel
//	let m_ys = alloc (if k >= 0 && k <= ir.MaxBytes then k else 0) * n * 4      c is not
//
// Here c is the condition of the branch. A thread that makes an array with a size beyond these
// bounds fails in any case.

// sometimes runs f for a part of a kernel's body that some threads may skip: those for which cond
// is false. If cond is nil, it is unknown which.
func (t *function) sometimes(cond ir.Exp, f func()) {
	if l, ok := cond.(*ir.Lit); t.kernel == nil || ok && l.Bits != 0 {
		f()
		return
	}
	t.kernel.conds = append(t.kernel.conds, cond)
	f()
	t.kernel.conds = t.kernel.conds[:len(t.kernel.conds)-1]
}

// made returns the sizes of an array of a kernel's body under the conditions around it: if they
// exclude that a thread makes the array, one of the sizes is 0.
func (t *function) made(dims, conds []ir.Exp) []ir.Exp {
	first := -1
	for d := range dims {
		if !t.modest(dims[d], maxDefs) {
			first = d
			break
		}
	}
	if first < 0 || len(conds) == 0 {
		return dims
	}
	var taken ir.Exp
	unknown := false
	for _, c := range conds {
		if c != nil && t.known(c) {
			t.hoistAll(c)
			taken = and(taken, ir.CloneExp(c))
		} else {
			unknown = true
		}
	}
	for d := first; d < len(dims); d++ {
		cond := taken
		if unknown && !t.modest(dims[d], maxDefs) {
			cond = and(cond, &ir.Binary{Op: ">=", X: ir.CloneExp(dims[d]), Y: ir.IntLit(0), T: ir.Bool})
			cond = and(cond, &ir.Binary{Op: "<=", X: ir.CloneExp(dims[d]), Y: ir.IntLit(ir.MaxBytes), T: ir.Bool})
		}
		if cond != nil {
			dims[d] = &ir.Cond{C: cond, X: dims[d], Y: ir.IntLit(0), T: ir.I64}
		}
		taken = nil // once is enough
	}
	return dims
}

// runs returns the condition under which a loop's body runs, or nil if it is unknown.
func runs(op *ir.Loop) ir.Exp {
	if op.Var == "" {
		return nil
	}
	if l, ok := op.Bound.(*ir.Lit); ok {
		return ir.BoolLit(int64(l.Bits) > 0)
	}
	return &ir.Binary{Op: ">", X: op.Bound, Y: ir.IntLit(0), T: ir.Bool}
}

func and(x, y ir.Exp) ir.Exp {
	if x == nil {
		return y
	}
	return &ir.Binary{Op: "&&", X: x, Y: y, T: ir.Bool}
}

func not(e ir.Exp) ir.Exp { return &ir.Unary{Op: "!", X: ir.CloneExp(e), T: ir.Bool} }

// maxDefs bounds how many definitions of names are looked through.
const maxDefs = 4

// modest reports whether a size is at most a few times one that an array has.
func (t *function) modest(e ir.Exp, defs int) bool {
	const few = 1 << 20
	small := func(e ir.Exp) bool {
		l, ok := e.(*ir.Lit)
		return ok && l.Bits <= few // no negative one
	}
	switch e := e.(type) {
	case *ir.Lit:
		return small(e)
	case *ir.Ref:
		return slices.Contains(t.sizes, e.Name) || defs > 0 && t.defs[e.Name] != nil && t.modest(t.defs[e.Name], defs-1)
	case *ir.Binary:
		switch e.Op {
		case "+", "-", "/":
			return t.modest(e.X, defs) && t.modest(e.Y, defs)
		case "*":
			return t.modest(e.X, defs) && small(e.Y) || small(e.X) && t.modest(e.Y, defs)
		}
	}
	return false
}
