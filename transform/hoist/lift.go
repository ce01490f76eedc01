package hoist

import (
	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/internal/base/parallel"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/transform"
)

// Lift is the pass that moves allocations up.
var Lift = &transform.Pass{
	Name: "lift",
	Doc:  "Move allocations, and the scalars that they and places need, as far up in their bodies as possible.",
	After: []transform.Constraint{
		{Pass: "explicit", Reason: "it moves the allocations that `explicit` makes"},
	},
	Run: func(p *ir.Program, c *transform.Context) error {
		for _, f := range p.Funcs {
			if !ir.IsExplicit(f) {
				continue
			}
			l := &lifter{c: c}
			parallel.Do(
				func() { l.needed = needed(f) },
				func() { l.used = used(f) },
			)
			if l.risky(f.Body) {
				l.ac = accesses.AnalyzeFunc(p, f, index.Of(f))
			}
			l.body(f.Body)
		}
		return nil
	},
}

type lifter struct {
	c *transform.Context
	// ac says which statements can fail. It is nil if no statement that moves can fail: then no
	// order must be kept.
	ac     *accesses.Table
	needed map[string]bool
	used   map[string]bool
}

// body lifts within a body, and then within the bodies of its statements.
//
// slot[n] is the number of staying statements that must stand before n can be used; this includes
// the statement that binds n, if it stays. A statement that moves goes after the one with the
// greatest slot of its operands.
func (l *lifter) body(b *ir.Body) {
	slot := make(map[string]int, len(b.Stmts))
	var stay []*ir.Stmt
	behind := [][]*ir.Stmt{nil} // behind[k] follows the k-th that stays, counted from 1
	barrier := 0                // the last that could fail
	place := map[*ir.Stmt]int{}
	asserted := map[string]int{} // the last assert about a name
	for _, s := range b.Stmts {
		if !l.moves(s) {
			stay = append(stay, s)
			behind = append(behind, nil)
			binds(s, func(n string) { slot[n] = len(stay) })
			if l.canFail(s) {
				barrier = len(stay)
			}
			continue
		}
		at := 0
		ir.StmtUses(s, func(n string) {
			// The size of a block, and the existence of a quotient, may depend on an assert.
			at = max(at, slot[n], asserted[n])
		})
		if l.canFail(s) {
			at = max(at, barrier)
			// What comes later and could fail stays behind it, too.
			barrier = at
		}
		if at < len(stay) && !l.c.Rewrite(s.Span, "%s is moved up", called(s)) {
			at = len(stay)
			if l.canFail(s) {
				barrier = at
			}
		}
		behind[at] = append(behind[at], s)
		place[s] = at
		binds(s, func(n string) { slot[n] = at })
		if a, ok := s.Op.(*ir.Assert); ok {
			ir.ExpNames(a.Cond, func(n string) { asserted[n] = max(asserted[n], at) })
		}
	}
	if len(place) > 0 {
		out := append([]*ir.Stmt(nil), behind[0]...)
		for k, s := range stay {
			out = append(append(out, s), behind[k+1]...)
		}
		b.Stmts = out
	}
	for _, s := range b.Stmts {
		for _, in := range ir.Bodies(s.Op) {
			l.body(in)
		}
	}
}

// risky reports whether some statement that moves could fail, as far as its text tells.
func (l *lifter) risky(b *ir.Body) bool {
	found := false
	ir.WalkStmts(b, func(s *ir.Stmt) bool {
		if !found && l.moves(s) {
			_, found = s.Op.(*ir.Assert)
			ir.Exps(s.Op, func(e ir.Exp) { found = found || !ir.Total(e) })
		}
		return !found
	})
	return found
}

func (l *lifter) canFail(s *ir.Stmt) bool { return l.ac != nil && l.ac.CanFail(s) }

// called names a statement in a remark.
func called(s *ir.Stmt) string {
	if a, ok := s.Op.(*ir.Assert); ok {
		return "the assertion of `" + ir.ExpString(a.Cond) + "`"
	}
	return "`" + s.Pat[0].Name + "`"
}

// moves reports whether a statement should move. An unused name of a block stays: `lower` would
// find no statement to move it down to.
func (l *lifter) moves(s *ir.Stmt) bool {
	switch s.Op.(type) {
	case *ir.Alloc:
		return l.used[s.Pat[0].Name]
	case *ir.Alias:
		return l.used[s.Pat[0].Name] || !namesBlock(s)
	case *ir.Rearrange, *ir.Assert:
		return true
	case *ir.Compute:
		return l.needed[s.Pat[0].Name]
	}
	return false
}

// used tells of each name of a block whether the function mentions it.
func used(f *ir.Func) map[string]bool {
	out := map[string]bool{}
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		if namesBlock(s) {
			out[s.Pat[0].Name] = false
		}
		return true
	})
	note := func(n string) {
		if seen, block := out[n]; block && !seen {
			out[n] = true
		}
	}
	for _, s := range f.Body.Stmts {
		ir.StmtUses(s, note)
	}
	for _, e := range f.Body.Result {
		ir.ExpNames(e, note)
	}
	return out
}

// needed returns the names of scalars that an allocation, a place, a slice or an assertion depends
// on, directly or through other scalars.
func needed(f *ir.Func) map[string]bool {
	out, defs := map[string]bool{}, map[string]ir.Exp{}
	var todo []string
	note := func(n string) {
		if !out[n] {
			out[n] = true
			todo = append(todo, n)
		}
	}
	elem := func(e *ir.Elem) { ir.TypeNames(e.Type, note) }
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		for _, e := range s.Pat {
			elem(e)
		}
		ir.Elems(s.Op, elem)
		switch op := s.Op.(type) {
		case *ir.Alloc, *ir.Slice, *ir.Update, *ir.Assert:
			ir.Exps(op, func(e ir.Exp) { ir.ExpNames(e, note) })
		case *ir.Compute:
			defs[s.Pat[0].Name] = op.E
		}
		return true
	})
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if e := defs[n]; e != nil {
			ir.ExpNames(e, note)
		}
	}
	return out
}

// binds calls f for the names that a statement's pattern binds.
func binds(s *ir.Stmt, f func(string)) {
	for _, e := range s.Pat {
		f(e.Name)
		for _, n := range ir.ExistNames(e.Type.Place) {
			f(n)
		}
	}
}
