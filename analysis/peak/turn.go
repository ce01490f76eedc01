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
// Or a branch keeps the present value, and the roles. In no iteration are value and next the same block.
// In the first one they differ if xs0 lies neither in m_a nor in m_b, and these are two blocks. Later
// iterations only swap the roles, or keep them.
type Turn struct {
	Value, Next string
	Blocks      [2]int // m_a and m_b
	Waits       int    // the number of the parameter next
	Stays       bool   // a branch may keep the value
}

// Turn returns the blocks that take turns for parameter k of a loop, if there are two.
func (t *Table) Turn(op *ir.Loop, k int) (turn Turn, ok bool) {
	r, ok := rotating(op, k, t.Aliases.BlockOf)
	if !ok {
		return Turn{}, false
	}
	turn = Turn{Value: op.Params[k].Elem.Type.Place.Mem, Next: op.Params[r.next].Elem.Name, Waits: r.next, Stays: r.stays}
	reals, more := t.Aliases.BlocksUpTo(t.Aliases.BlockOf(r.init), maxHeld)
	for j, p := range []int{r.next, r.other} {
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
// in the second iteration, or later if a branch keeps the value. The next value is made in a block that
// swaps with that one. The block has no other use. Neither has its name within the body. After the loop
// nothing uses the names of the two blocks; with left, the name of the block that waits then may be used.
// uses returns how often a name is used.
func Waiting(at *ir.Stmt, op *ir.Loop, k int, blockOf func(array string) string, uses func(name string) int, left bool) (init, block string, ok bool) {
	r, ok := rotating(op, k, blockOf)
	if !ok {
		return "", "", false
	}
	last, ok := op.Params[r.other].Init.(*ir.Ref)
	if !ok || uses(r.o) != r.mentions || uses(at.Pat[r.other].Name) > 0 || !left && uses(at.Pat[r.next].Name) > 0 || uses(last.Name) != 1 ||
		slices.ContainsFunc(r.roles, func(name string) bool { return uses(name) != 1 }) {
		return "", "", false
	}
	return r.init, last.Name, true
}

// A turning is a parameter of a loop, the block parameter next in which its next value is made, and the block
// parameter other that next swaps with.
type turning struct {
	init        string // the initial value
	next, other int
	stays       bool     // a branch may keep the value, and the blocks' roles
	mentions    int      // of other in the body, as one of the two blocks
	roles       []string // names of the two blocks that branches choose

	n, o    string // names of next and other
	value   string // the block of the present value
	blockOf func(array string) string
	ifs     map[string]*ir.Stmt // of the body, by the names that they bind
}

// rotating finds the two blocks of parameter k of a loop.
func rotating(op *ir.Loop, k int, blockOf func(array string) string) (r *turning, ok bool) {
	x := op.Params[k].Elem.Type
	first, isRef := op.Params[k].Init.(*ir.Ref)
	value, isName := op.Body.Result[k].(*ir.Ref)
	if x.Kind != ir.ArrayKind || x.Place == nil || !x.Place.Exist || !isRef || !isName {
		return nil, false
	}
	r = &turning{init: first.Name, value: x.Place.Mem, blockOf: blockOf}
	if n, o, ok := Swapping(op, blockOf(value.Name)); ok {
		r.next, r.other, r.o, r.mentions = n, o, op.Params[o].Elem.Name, 1
		return r, true
	}
	chosen := chosenBlocks(op)
	if len(chosen) < 2 {
		return nil, false
	}
	r.ifs = map[string]*ir.Stmt{}
	ir.WalkStmts(op.Body, func(s *ir.Stmt) bool {
		if _, ok := s.Op.(*ir.If); ok {
			for _, e := range s.Pat {
				r.ifs[e.Name] = s
			}
		}
		return true
	})
	next := r.made(value.Name)
	for _, r.next = range chosen {
		if r.n = op.Params[r.next].Elem.Name; r.n != next {
			continue
		}
		for _, r.other = range chosen {
			r.o, r.mentions, r.roles = op.Params[r.other].Elem.Name, 0, nil
			if r.other != r.next && r.take(value.Name, op.Body, r.next, r.other) {
				return r, true
			}
		}
	}
	return nil, false
}

// chosenBlocks returns the block parameters of a loop whose next values are not parameters.
func chosenBlocks(op *ir.Loop) (chosen []int) {
	own := map[string]bool{}
	for _, p := range op.Params {
		own[p.Elem.Name] = true
	}
	for j, p := range op.Params {
		if ref, ok := op.Body.Result[j].(*ir.Ref); ok && p.Elem.Type.Kind == ir.MemKind && !own[ref.Name] {
			chosen = append(chosen, j)
		}
	}
	return chosen
}

// made returns the block of a value, where it is not the present one, or "".
func (r *turning) made(value string) string {
	at := r.ifs[value]
	if at == nil {
		if m := r.blockOf(value); m != r.value {
			return m
		}
		return ""
	}
	k, op := slices.IndexFunc(at.Pat, func(e *ir.Elem) bool { return e.Name == value }), at.Op.(*ir.If)
	for _, b := range []*ir.Body{op.Then, op.Else} {
		if v, ok := b.Result[k].(*ir.Ref); ok {
			if m := r.made(v.Name); m != "" {
				return m
			}
		}
	}
	return ""
}

// take reports whether results n and o of a body are the two blocks in the roles that they have after the value: they
// swap if it was made in next, and stay if it is the present one.
func (r *turning) take(value string, b *ir.Body, n, o int) bool {
	x, okX := b.Result[n].(*ir.Ref)
	y, okY := b.Result[o].(*ir.Ref)
	if !okX || !okY {
		return false
	}
	if x.Name == r.o || y.Name == r.o {
		r.mentions++
	}
	at := r.ifs[value]
	if at == nil {
		switch r.blockOf(value) {
		case r.value:
			r.stays = true
			return x.Name == r.n && y.Name == r.o
		case r.n:
			return x.Name == r.o && y.Name == r.n
		}
		return false
	}
	index := func(name string) int {
		return slices.IndexFunc(at.Pat, func(e *ir.Elem) bool { return e.Name == name })
	}
	k, n, o := index(value), index(x.Name), index(y.Name)
	if n < 0 || o < 0 {
		return false
	}
	r.roles = append(r.roles, x.Name, y.Name)
	op := at.Op.(*ir.If)
	for _, in := range []*ir.Body{op.Then, op.Else} {
		v, ok := in.Result[k].(*ir.Ref)
		if !ok || !r.take(v.Name, in, n, o) {
			return false
		}
	}
	return true
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
