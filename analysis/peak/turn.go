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
func (t *Table) Turn(l *Turns, k int) (turn Turn, ok bool) {
	r, ok := l.rotating(k)
	if !ok {
		return Turn{}, false
	}
	op := l.op
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

// Turns finds the blocks that take turns in a loop.
type Turns struct {
	at      *ir.Stmt
	op      *ir.Loop
	blockOf func(array string) string
	ifs     map[string]choice // of the body, by the names that they bind, once they were asked for
	params  map[string]int    // the loop's blocks, by their names
}

// A choice is a result of an if.
type choice struct {
	at *ir.Stmt
	k  int
}

// TurnsOf returns the Turns of a loop; blockOf returns the block of an array.
func TurnsOf(loop *ir.Stmt, blockOf func(array string) string) *Turns {
	return &Turns{at: loop, op: loop.Op.(*ir.Loop), blockOf: blockOf}
}

// Waiting returns, for parameter k of a loop, its initial value and the block that is first written
// in the second iteration, or later if a branch keeps the value. The next value is made in a block that
// swaps with that one. The block has no other use. Neither has its name within the body. After the loop
// nothing uses the names of the two blocks; with left, the name of the block that waits then may be used.
// uses returns how often a name is used.
func (l *Turns) Waiting(k int, uses func(name string) int, left bool) (init, block string, ok bool) {
	r, ok := l.rotating(k)
	if !ok {
		return "", "", false
	}
	last, ok := l.op.Params[r.other].Init.(*ir.Ref)
	if !ok || uses(r.o) != r.mentions || uses(l.at.Pat[r.other].Name) > 0 || !left && uses(l.at.Pat[r.next].Name) > 0 || uses(last.Name) != 1 ||
		slices.ContainsFunc(r.roles, func(name string) bool { return uses(name) != 1 }) {
		return "", "", false
	}
	return r.init, last.Name, true
}

// Following returns, as Waiting does, the initial value of parameter k and a block that is first written when that is
// needed no longer, if what lies in the block parameter other does not interfere with the present value. From the
// second iteration on, the present value lies in other.
func (l *Turns) Following(k int, uses func(name string) int) (init, block string, other int, ok bool) {
	r, value, ok := l.turning(k)
	if !ok {
		return "", "", 0, false
	}
	n := l.blockOf(value)
	l.index()
	if _, ok = l.params[n]; !ok {
		return "", "", 0, false
	}
	other = slices.IndexFunc(l.op.Body.Result, func(e ir.Exp) bool { return ir.IsRef(e, n) })
	if other < 0 || l.op.Params[other].Elem.Name == n || uses(l.at.Pat[other].Name) > 0 {
		return "", "", 0, false
	}
	last, ok := l.op.Params[other].Init.(*ir.Ref)
	return r.init, last.Name, other, ok && uses(last.Name) == 1
}

// A turning is a parameter of a loop, the block parameter next in which its next value is made, and the block
// parameter other that next swaps with.
type turning struct {
	*Turns
	init        string // the initial value
	value       string // the block of the present value
	next, other int
	n, o        string   // names of next and other
	stays       bool     // a branch may keep the value, and the blocks' roles
	mentions    int      // of other in the body, as one of the two blocks
	roles       []string // names of the two blocks that branches choose
}

// turning returns parameter k without its two blocks, and the name of its next value.
func (l *Turns) turning(k int) (r *turning, value string, ok bool) {
	p := l.op.Params[k]
	first, isRef := p.Init.(*ir.Ref)
	next, isName := l.op.Body.Result[k].(*ir.Ref)
	if x := p.Elem.Type; x.Kind != ir.ArrayKind || x.Place == nil || !x.Place.Exist || !isRef || !isName {
		return nil, "", false
	}
	return &turning{Turns: l, init: first.Name, value: p.Elem.Type.Place.Mem, mentions: 1}, next.Name, true
}

// rotating finds the two blocks of parameter k.
func (l *Turns) rotating(k int) (r *turning, ok bool) {
	r, value, ok := l.turning(k)
	if !ok {
		return nil, false
	}
	if r.next, r.other, ok = Swapping(l.op, l.blockOf(value)); ok {
		r.o = l.op.Params[r.other].Elem.Name
		return r, true
	}
	body := l.op.Body
	l.index()
	if l.ifs[value].at == nil {
		return nil, false
	}
	r.n, _ = r.leaf(value, "")
	if r.next, ok = l.params[r.n]; !ok {
		return nil, false
	}
	then, ok := body.Result[r.next].(*ir.Ref)
	if !ok {
		return nil, false
	}
	_, r.o = r.leaf(value, then.Name)
	if r.other, ok = l.params[r.o]; !ok {
		return nil, false
	}
	r.mentions = 0
	return r, r.take(value, body, r.next, r.other)
}

// index finds the loop's blocks, and the choices in its body.
func (l *Turns) index() {
	if l.params != nil {
		return
	}
	l.params, l.ifs = map[string]int{}, map[string]choice{}
	for j, p := range l.op.Params {
		if p.Elem.Type.Kind == ir.MemKind {
			l.params[p.Elem.Name] = j
		}
	}
	if len(l.params) < 2 {
		return
	}
	ir.EachOp(l.op.Body, func(s *ir.Stmt, _ *ir.If) {
		for k, e := range s.Pat {
			l.ifs[e.Name] = choice{s, k}
		}
	})
}

// leaf follows a value into a branch that does not keep the present one, and returns the block in which the branch
// makes it. With it, leaf follows a name of a block that the same ifs choose.
func (r *turning) leaf(value, block string) (made, chosen string) {
	c := r.ifs[value]
	if c.at == nil {
		return r.blockOf(value), block
	}
	for _, b := range ir.Bodies(c.at.Op) {
		v, ok := b.Result[c.k].(*ir.Ref)
		if !ok {
			continue
		}
		in := block
		if m := r.ifs[block]; m.at == c.at {
			in = ""
			if ref, ok := b.Result[m.k].(*ir.Ref); ok {
				in = ref.Name
			}
		}
		if made, chosen = r.leaf(v.Name, in); made != r.value {
			return made, chosen
		}
	}
	return r.value, ""
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
	c := r.ifs[value]
	if c.at == nil {
		switch r.blockOf(value) {
		case r.value:
			r.stays = true
			return x.Name == r.n && y.Name == r.o
		case r.n:
			return x.Name == r.o && y.Name == r.n
		}
		return false
	}
	cx, cy := r.ifs[x.Name], r.ifs[y.Name]
	if cx.at != c.at || cy.at != c.at {
		return false
	}
	r.roles = append(r.roles, x.Name, y.Name)
	for _, in := range ir.Bodies(c.at.Op) {
		v, ok := in.Result[c.k].(*ir.Ref)
		if !ok || !r.take(v.Name, in, cx.k, cy.k) {
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
		ir.StmtElems(s, elem)
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
