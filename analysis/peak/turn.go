package peak

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// A Turn is two blocks that take turns in a loop: the present value of a parameter
// lies in Value, the next one is made in Next, and then these change places.
//
//	loop (xs @ ?value = xs0, next: mem = m_a, other: mem = m_b) ...
//	  let ys @ next = ...
//	  in (ys, other, next)
//
// In no iteration do value and next stand for one block: not in the first one, if
// xs0 lies neither in m_a nor in m_b, which are two; and as the two change roles, not in
// any other.
type Turn struct {
	Value, Next string
	Blocks      [2]int // m_a and m_b
}

// Turn gives the blocks that take turns for parameter k of a loop, if there are two.
func (t *Table) Turn(op *ir.Loop, k int) (turn Turn, ok bool) {
	x := op.Params[k].Elem
	init, isRef := op.Params[k].Init.(*ir.Ref)
	value, isName := op.Body.Result[k].(*ir.Ref)
	if x.Type.Kind != ir.ArrayKind || x.Type.Place == nil || !x.Type.Place.Exist || !isRef || !isName {
		return Turn{}, false
	}
	turn = Turn{Value: x.Type.Place.Mem, Next: t.Aliases.BlockOf(value.Name)}
	n, o, ok := Swapping(op, turn.Next)
	if !ok {
		return Turn{}, false
	}
	reals, more := t.Aliases.BlocksUpTo(t.Aliases.BlockOf(init.Name), maxHeld)
	for j, p := range []int{n, o} {
		ref, ok := op.Params[p].Init.(*ir.Ref)
		if !ok {
			return Turn{}, false
		}
		b, ok := t.Block(ref.Name)
		if !ok || t.Blocks[b].Kind != Allocated || slices.Contains(reals, ref.Name) {
			return Turn{}, false
		}
		turn.Blocks[j] = b
	}
	return turn, !more && turn.Blocks[0] != turn.Blocks[1]
}

// Swapping gives the parameter of that name, a block, and the one with which it
// changes places in every iteration.
func Swapping(op *ir.Loop, next string) (n, o int, ok bool) {
	n = slices.IndexFunc(op.Params, func(p ir.Param) bool { return p.Elem.Name == next })
	if n < 0 || op.Params[n].Elem.Type.Kind != ir.MemKind {
		return 0, 0, false
	}
	o = slices.IndexFunc(op.Params, func(p ir.Param) bool { return isName(op.Body.Result[n], p.Elem.Name) })
	if o < 0 || o == n || !isName(op.Body.Result[o], op.Params[n].Elem.Name) {
		return 0, 0, false
	}
	return n, o, true
}

func isName(e ir.Exp, name string) bool {
	r, ok := e.(*ir.Ref)
	return ok && r.Name == name
}
