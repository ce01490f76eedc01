package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Carried elements]
//
// If a loop of a work-item reads an element that its last turn wrote, it waits for memory in every
// turn:
//
//	for i < n { if i > 0 { p = y[i - 1] }; y[i] = xs[i] - m * p }
//
// The element stays in a variable instead:
//
//	for i < n { if i > 0 { p = carried }; carried = xs[i] - m * p; y[i] = carried }
//
// This requires that every turn writes the element once, after the read, and that no other
// statement in the loop may write there. The first turn reads the element from memory, unless a
// branch on i excludes that turn.

// keepElements keeps elements in variables over the turns of a loop. It returns the statements before the loop.
func (b *block) keepElements(loop *For) (before []Stmt) {
	if b.k == nil || b.team || b.tasks() || !plainTurns(loop.Body) {
		return nil
	}
	c := &carrier{b: b, loop: loop, assigned: map[string]bool{}}
	assignments(loop.Body, func(n string) { c.assigned[n] = true })
	for at := 0; at < len(loop.Body); at++ {
		s, ok := loop.Body[at].(*Store)
		if !ok || s.Val.Prim() != s.Prim || s.Prim == ir.F16 || s.Prim == ir.Bool || !c.only(s) {
			continue
		}
		here, ok := c.offset(s.Off)
		if !ok {
			continue
		}
		last := here.Subst(func(n string) (sym.Poly, bool) { return sym.Var(n).Sub(sym.Const(1)), n == loop.Var })
		c.value = nil
		head := c.list(loop.Body[:at], s, last, false)
		if c.value == nil {
			continue
		}
		v := c.value.Name
		before = append(before, &Set{Dst: v, E: &ir.Lit{Text: "0", T: s.Prim}})
		store := *s
		store.Val = c.value
		loop.Body = slices.Concat(head, []Stmt{&Set{Dst: v, E: s.Val}, &store}, loop.Body[at+1:])
		at++
	}
	return before
}

type carrier struct {
	b        *block
	loop     *For
	assigned map[string]bool // in the loop
	value    *ir.Ref         // of the element that is carried, once something reads it
}

// plainTurns reports whether statements only compute, check, read and write.
func plainTurns(list []Stmt) bool {
	return !slices.ContainsFunc(list, func(s Stmt) bool {
		switch s := s.(type) {
		case *Set, *Load, *Store, *Check:
			return false
		case *If:
			return !plainTurns(s.Then) || !plainTurns(s.Else)
		case *For:
			return !plainTurns(s.Body)
		}
		return true
	})
}

// only reports whether no other statement in the loop may write in the same place as this one.
func (c *carrier) only(s *Store) bool {
	ok := true
	Each(c.loop.Body, func(t *Store) {
		if t != s {
			ok = ok && c.b.distinct(s.Mem, t.Mem)
		}
	})
	return ok
}

// offset returns an offset over the loop's index and variables that no turn changes.
func (c *carrier) offset(e ir.Exp) (sym.Poly, bool) {
	if f, ok := e.(*ir.Builtin); ok && (f.Fn == IndexFn || f.Fn == WrapFn) {
		e = f.Args[0]
	}
	p := sym.Of(e).Subst(c.b.f.definition)
	for _, n := range p.Names() {
		if n != c.loop.Var && c.assigned[n] {
			return p, false
		}
	}
	return p, true
}

// list replaces the reads of the last turn's element; later tells that this is not the first
// turn.
func (c *carrier) list(list []Stmt, s *Store, last sym.Poly, later bool) []Stmt {
	var out []Stmt
	for _, t := range list {
		switch t := t.(type) {
		case *If:
			n := *t
			first, not := c.isFirst(t.Cond)
			n.Then, n.Else = c.list(t.Then, s, last, later || not), c.list(t.Else, s, last, later || first)
			out = append(out, &n)
			continue
		case *For:
			n := *t
			n.Body = c.list(t.Body, s, last, later)
			out = append(out, &n)
			continue
		case *Load:
			if p, ok := c.offset(t.Off); !ok || t.Mem != s.Mem || t.Prim != s.Prim || !p.Equal(last) {
				break
			}
			if c.value == nil {
				c.value = c.b.temp("carried", s.Prim)
			}
			from := Stmt(&Set{Dst: t.Dst, E: c.value})
			if !later {
				from = &If{Cond: equalTo(ir.Var(c.loop.Var), i64(0)), Then: []Stmt{t}, Else: []Stmt{from}}
			}
			out = append(out, from)
			continue
		}
		out = append(out, t)
	}
	return out
}

// isFirst reports whether a condition holds in the first turn only, or in all others only.
func (c *carrier) isFirst(cond ir.Exp) (first, others bool) {
	b, ok := cond.(*ir.Binary)
	if !ok {
		return false, false
	}
	x, ok := b.X.(*ir.Ref)
	if y, is := b.Y.(*ir.Lit); !ok || !is || x.Name != c.loop.Var || y.Bits != 0 {
		return false, false
	}
	return b.Op == "==", b.Op == "!=" || b.Op == ">"
}
