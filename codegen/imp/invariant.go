package imp

import (
	"maps"
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Checks that do not vary]
//
// If a check within a loop of a work-item does not depend on values that the loop changes, it moves
// before the loop, since it is the same in all turns:
//
//	for k < m { check i < h; s = s + xs[i * m + k] }
//
//	if m > 0 { check i < h }
//	for k < m { s = s + xs[i * m + k] }
//
// The remaining loop can read several elements before it waits for one, and the device's compiler
// need not notice that the check is the same. Only some checks move: those that come before all
// others of a turn, and before every statement that may fail or leave the loop. So a failing run
// reports the same error.
//
// Before that, repeated checks are dropped: for x[j], y[j], z[j] the first one suffices if the
// arrays have one size.

// beforeLoops moves the checks of a kernel's loops out of them, inner ones first.
func beforeLoops(list []Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		for _, in := range lists(s) {
			*in = beforeLoops(*in)
		}
		if f, ok := s.(*For); ok && f.Each == 0 && !f.Local && !holdsBarrier(f.Body) {
			var first []Stmt
			if first, f.Body = invariantChecks(f); len(first) > 0 {
				out = append(out, &If{Cond: binary(">", f.Bound, i64(0)), Then: first})
			}
		}
		out = append(out, s)
	}
	return out
}

// invariantChecks takes the checks that do not vary from the body of a loop.
func invariantChecks(f *For) (first, rest []Stmt) {
	varies := map[string]bool{f.Var: true}
	assignments(f.Body, func(name string) { varies[name] = true })
	for i, s := range f.Body {
		switch {
		case invariant(s, varies):
			first = append(first, s)
			continue
		case mayLeave(s):
			return first, append(rest, f.Body[i:]...)
		}
		rest = append(rest, s)
	}
	return first, rest
}

// invariant reports whether a statement contains only checks that depend on no such name.
func invariant(s Stmt, varies map[string]bool) bool {
	ok := true
	fixed := func(e ir.Exp) { refsOf(e, func(r *ir.Ref) { ok = ok && !varies[r.Name] }) }
	switch s := s.(type) {
	case *Check:
		s.visit(&visitor{exp: fixed})
		return ok
	case *If:
		fixed(s.Cond)
		for _, t := range s.Then {
			ok = ok && invariant(t, varies)
		}
		return ok && len(s.Then) > 0 && len(s.Else) == 0
	}
	return false
}

// mayLeave reports whether a statement may fail, or never end, or leave an enclosing statement.
func mayLeave(s Stmt) bool {
	switch s := s.(type) {
	case *Set, *Load, *Store, *SetMem, *PtrAt:
		return false
	case *If:
		return slices.ContainsFunc(slices.Concat(s.Then, s.Else), mayLeave)
	case *For:
		return slices.ContainsFunc(s.Body, mayLeave)
	}
	return true
}

// made is which checks were made before, and so hold: their conditions as text, and the
// variables in them.
type made map[string][]string

// once drops the checks of a kernel that were made before, with the same values. What stands
// in a region is forgotten behind it: a failing check may have left it.
func (m made) once(list []Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		if c, ok := s.(*Check); ok {
			text := ir.ExpString(c.Cond)
			if _, twice := m[text]; twice {
				continue
			}
			var names []string
			refsOf(c.Cond, func(r *ir.Ref) { names = append(names, r.Name) })
			m[text] = names
			out = append(out, s)
			continue
		}
		if isA[*For](s) || isA[*While](s) || isA[*Atomic](s) { // before the first turn, the body's variables lack their later values
			m.forget(s)
		}
		for _, in := range lists(s) {
			*in = maps.Clone(m).once(*in)
		}
		m.forget(s)
		out = append(out, s)
	}
	return out
}

// forget drops the checks that depend on variables that a statement assigns.
func (m made) forget(s Stmt) {
	changed := map[string]bool{}
	assignments([]Stmt{s}, func(name string) { changed[name] = true })
	for text, names := range m {
		if slices.ContainsFunc(names, func(n string) bool { return changed[n] }) {
			delete(m, text)
		}
	}
}
