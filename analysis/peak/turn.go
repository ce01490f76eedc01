package peak

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// A Turn is two blocks that take turns in a loop: the present value of a parameter lies in Value,
// the next value is made in Next, and then the two blocks swap roles.
//
//	loop (xs @ ?value = xs0, next: mem = m_a, other: mem = m_b) ...
//	  let ys @ next = ...
//	  in (ys, other, next)
//
// In no iteration are value and next the same block. In the first one they differ if xs0 lies
// neither in m_a nor in m_b, and these are two blocks. Later iterations only swap the roles.
type Turn struct {
	Value, Next string
	Blocks      [2]int // m_a and m_b
	Waits       int    // the number of the parameter next
}

// Turn returns the blocks that take turns for parameter k of a loop, if there are two.
func (t *Table) Turn(op *ir.Loop, k int) (turn Turn, ok bool) {
	init, n, o, ok := rotating(op, k, t.Aliases.BlockOf)
	if !ok {
		return Turn{}, false
	}
	turn = Turn{Value: op.Params[k].Elem.Type.Place.Mem, Next: op.Params[n].Elem.Name, Waits: n}
	reals, more := t.Aliases.BlocksUpTo(t.Aliases.BlockOf(init), maxHeld)
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

// Waiting returns, for parameter k of a loop, its initial value and the block that is first written
// in the second iteration. The next value is made in a block that swaps with that one. The block
// has no other use. Neither has its name within the body. After the loop nothing uses the names of the two
// blocks; with left, the name of the block that waits then may be used. uses returns how often a name is
// used.
func Waiting(at *ir.Stmt, op *ir.Loop, k int, blockOf func(array string) string, uses func(name string) int, left bool) (init, block string, ok bool) {
	init, n, o, ok := rotating(op, k, blockOf)
	if !ok {
		return "", "", false
	}
	last, ok := op.Params[o].Init.(*ir.Ref)
	if !ok || uses(op.Params[o].Elem.Name) != 1 || uses(at.Pat[o].Name) > 0 || !left && uses(at.Pat[n].Name) > 0 || uses(last.Name) != 1 {
		return "", "", false
	}
	return init, last.Name, true
}

// rotating returns, for parameter k of a loop, its initial value, the block parameter n in which
// the next value is made, and the block parameter o that n swaps with.
func rotating(op *ir.Loop, k int, blockOf func(array string) string) (init string, n, o int, ok bool) {
	x := op.Params[k].Elem.Type
	first, isRef := op.Params[k].Init.(*ir.Ref)
	value, isName := op.Body.Result[k].(*ir.Ref)
	if x.Kind != ir.ArrayKind || x.Place == nil || !x.Place.Exist || !isRef || !isName {
		return "", 0, 0, false
	}
	n, o, ok = Swapping(op, blockOf(value.Name))
	return first.Name, n, o, ok
}

// Uses counts the uses of names in a body: as operands, results, and in types.
func Uses(b *ir.Body) map[string]int {
	uses := map[string]int{}
	use := func(n string) { uses[n]++ }
	elem := func(e *ir.Elem) { ir.TypeNames(e.Type, use) }
	results := func(b *ir.Body) {
		for _, e := range b.Result {
			ir.ExpNames(e, use)
		}
	}
	ir.WalkStmts(b, func(s *ir.Stmt) bool {
		ir.Uses(s.Op, use)
		ir.Elems(s.Op, elem)
		for _, e := range s.Pat {
			elem(e)
		}
		for _, b := range ir.Bodies(s.Op) {
			results(b)
		}
		return true
	})
	results(b)
	return uses
}

// Swapping returns the block parameter with that name, and the one that it swaps with in every
// iteration.
func Swapping(op *ir.Loop, next string) (n, o int, ok bool) {
	n = slices.IndexFunc(op.Params, func(p ir.Param) bool { return p.Elem.Name == next })
	if n < 0 || op.Params[n].Elem.Type.Kind != ir.MemKind {
		return 0, 0, false
	}
	o = slices.IndexFunc(op.Params, func(p ir.Param) bool { return ir.IsRef(op.Body.Result[n], p.Elem.Name) })
	if o < 0 || o == n || !ir.IsRef(op.Body.Result[o], op.Params[n].Elem.Name) {
		return 0, 0, false
	}
	return n, o, true
}
