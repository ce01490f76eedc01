package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Leaving together]
//
// If a check fails at the level of a group, or one has failed in a step, all work-items of the
// group are finished. They must not return, however, nor skip a barrier: PoCL 3.1 miscompiles
// kernels that do so between barriers, especially in loops (testdata/groups/branches.ir,
// benchmarks/nw-groups before coalesce). So a variable, Kernel.Alive, says whether the group goes
// on. After a point where the group may end, work-items only meet at barriers unless the variable
// is set, and loops end: also those in which nothing fails, since a group that has ended does not
// compute what their conditions depend on.
//
//	region { check 0 <= n; m = n / 2 }         -- alive = 0 where the check fails
//	if alive { region { for i .. { .. } } }
//	barrier, or the group ends                 -- alive = nobody left the step
//	if alive { for i .. { .. } }
//	barrier
//
// It has the same value in all work-items: a check at the level of the group fails for all or for
// none, and all read the result of a step's checks after its barrier (codegen/opencl, Note [Flags
// of steps]).

// An escaper rewrites the body of a kernel of groups.
type escaper struct {
	b     *block
	alive *ir.Ref
}

// escape returns the body of a kernel of groups in that form. Where an earlier kernel
// reported a fault, the group ends before it begins.
func (b *block) escape(list []Stmt) []Stmt {
	e := &escaper{b, &ir.Ref{Name: b.f.temp("alive"), T: ir.Bool}}
	b.k.out.Alive = e.alive.Name
	return e.list(list)
}

func (e *escaper) list(list []Stmt) []Stmt {
	var out, plain []Stmt
	guarded := func(stmts []Stmt) {
		if !pure(stmts) {
			stmts = []Stmt{&If{Cond: e.alive, Then: stmts}}
		}
		out = append(out, stmts...)
	}
	flush := func() { // statements between barriers that may fail are one region
		if holdsCheck(plain) {
			plain = []Stmt{&KRegion{Body: plain, Together: true}}
		}
		guarded(plain)
		plain = nil
	}
	for _, s := range list {
		_, step := s.(*KRegion)
		if !step && !holdsBarrier([]Stmt{s}) {
			plain = append(plain, s)
			continue
		}
		flush()
		ends := mayEnd([]Stmt{s})
		switch s := s.(type) {
		case *KRegion:
			guarded([]Stmt{s})
			continue
		case *If:
			s.Then, s.Else = e.list(s.Then), e.list(s.Else)
		case *For:
			s.Body = e.list(s.Body)
			if ends {
				n, v := e.b.temp("turns", ir.I64), ir.Var(s.Var)
				out = append(out, &Set{Dst: n.Name, E: s.Bound}, &Set{Dst: s.Var, E: i64(0)})
				out = append(out, e.loop(less(v, n), append(s.Body, &Set{Dst: s.Var, E: add(v, i64(1))}))...)
				continue
			}
			if n := known(s.Bound); n < 0 || n > idleTurns {
				n := e.b.temp("turns", ir.I64)
				out = append(out, &Set{Dst: n.Name, E: choose(e.alive, s.Bound, i64(0))})
				s.Bound = n
			}
		case *While:
			s.Body = e.list(s.Body)
			if ends || !counts(s) {
				out = append(out, e.loop(s.Cond, s.Body)...)
				continue
			}
		}
		out = append(out, s)
	}
	flush()
	return out
}

// idleTurns is how often a group that has ended may go round a loop.
const idleTurns = 1 << 10

// counts reports whether a loop's condition depends only on variables that also a group that has
// ended computes, each from itself.
func counts(w *While) bool {
	changed := map[string]bool{}
	assignments(w.Body, func(name string) { changed[name] = true })
	ok := true
	ir.ExpNames(w.Cond, func(name string) {
		for _, s := range w.Body {
			set, is := s.(*Set)
			switch {
			case is && set.Dst == name:
				ir.ExpNames(set.E, func(n string) { ok = ok && (n == name || !changed[n]) })
			case assigns([]Stmt{s}, name):
				ok = false
			}
		}
	})
	return ok
}

// pure reports whether statements touch no memory.
func pure(list []Stmt) bool {
	for _, s := range list {
		switch s.(type) {
		case *Set, *SetMem, *PtrAt, *Free:
		default:
			return false
		}
	}
	return true
}

// loop runs body while the condition holds and the group goes on. The two are one variable:
// PoCL 3.1 miscompiles loops with barriers that two conditions leave.
func (e *escaper) loop(cond ir.Exp, body []Stmt) []Stmt {
	on := e.b.temp("on", ir.Bool)
	next := &Set{Dst: on.Name, E: and(e.alive, cond)}
	again := *next
	return []Stmt{next, &While{Cond: on, Body: append(body, &again)}}
}

// mayEnd reports whether a group may end in statements of its level.
func mayEnd(list []Stmt) bool {
	return slices.ContainsFunc(list, func(s Stmt) bool {
		switch s := s.(type) {
		case *Check:
			return true
		case *Barrier:
			return s.Leave
		case *KRegion, *Atomic: // a failing check leaves only these
			return false
		}
		return slices.ContainsFunc(inside(s), mayEnd)
	})
}

// leaves makes the group end at the first barrier after a step that a failing check may leave.
// left: such a step stands before the list; the result says so for the end of the list.
func (b *block) leaves(list []Stmt, left bool) bool {
	for _, s := range list {
		switch s := s.(type) {
		case *Barrier:
			s.Leave = left
			b.k.out.Leaves = b.k.out.Leaves || left
			left = false
		case *If:
			then, els := b.leaves(s.Then, left), b.leaves(s.Else, left)
			left = then || els
		case *For, *While:
			body := inside(s)[0]
			left = b.leaves(body, left || endsLeft(body)) || left
		case *KRegion:
			left = left || holdsCheck(s.Body)
		}
	}
	return left
}

// endsLeft reports whether a step that a failing check may leave stands in a list after its
// last barrier.
func endsLeft(list []Stmt) bool {
	for _, s := range slices.Backward(list) {
		switch s := s.(type) {
		case *Barrier:
			return false
		case *KRegion:
			if holdsCheck(s.Body) {
				return true
			}
		default:
			if slices.ContainsFunc(inside(s), endsLeft) {
				return true
			}
		}
	}
	return false
}
