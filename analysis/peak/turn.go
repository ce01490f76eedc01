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
}

// Turn returns the blocks that take turns for parameter k of a loop, if there are two.
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

// Waiting returns, for parameter k of a loop, its initial value and the block that is first written
// in the second iteration. The next value is made in a block that swaps with that one. The block
// has no other use. Neither has its name within the body, and after the loop the names of the two
// blocks have none. uses returns how often a name is used.
func Waiting(at *ir.Stmt, op *ir.Loop, k int, blockOf func(array string) string, uses func(name string) int) (init, block string, ok bool) {
	x := op.Params[k].Elem.Type
	first, isRef := op.Params[k].Init.(*ir.Ref)
	value, isName := op.Body.Result[k].(*ir.Ref)
	if x.Kind != ir.ArrayKind || x.Place == nil || !x.Place.Exist || !isRef || !isName {
		return "", "", false
	}
	n, o, ok := Swapping(op, blockOf(value.Name))
	if !ok {
		return "", "", false
	}
	last, ok := op.Params[o].Init.(*ir.Ref)
	if !ok || uses(op.Params[o].Elem.Name) != 1 || uses(at.Pat[n].Name)+uses(at.Pat[o].Name) > 0 || uses(last.Name) != 1 {
		return "", "", false
	}
	return first.Name, last.Name, true
}

// Uses counts the uses of names in a function: as operands, results, and in types.
func Uses(f *ir.Func) map[string]int {
	uses := map[string]int{}
	use := func(n string) { uses[n]++ }
	elem := func(e *ir.Elem) { ir.TypeNames(e.Type, use) }
	results := func(b *ir.Body) {
		for _, e := range b.Result {
			ir.ExpNames(e, use)
		}
	}
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
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
	results(f.Body)
	return uses
}

// Swapping returns the block parameter with that name, and the one that it swaps with in every
// iteration.
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
