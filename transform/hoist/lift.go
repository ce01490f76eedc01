package hoist

import (
	"sync"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/internal/base/parallel"
	"github.com/memc-lang/memc/internal/base/rules"
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
			parallel.Over(len(f.Body.Stmts), func() { l.needed = needed(f) }, func() { l.used = used(f) })
			l.ac = sync.OnceValue(func() *accesses.Table { return accesses.AnalyzeFunc(p, f, index.Of(f)) })
			l.body(f.Body)
			for _, n := range l.lifted {
				n.body.Stmts = n.stmts
			}
		}
		return nil
	},
}

type lifter struct {
	c *transform.Context
	// ac says which statements can fail. It is made when this first decides where one goes.
	ac     func() *accesses.Table
	needed map[string]bool
	used   map[string]bool
	lifted []lifted // in the end: ac is of the function as it was
}

// lifted is the new statements of a body.
type lifted struct {
	body  *ir.Body
	stmts []*ir.Stmt
}

// risks are statements of a body that may fail, each with the number of those that stay up to it.
// barrier is the last that is known to fail.
type risks struct {
	*lifter
	open    []risk
	barrier int
}

type risk struct {
	stmt *ir.Stmt
	at   int
}

// behind returns a number that is at least at, and that no statement behind which can fail exceeds.
func (r *risks) behind(at int) int {
	for n := len(r.open); n > 0 && r.open[n-1].at > max(at, r.barrier); n = len(r.open) {
		if k := r.open[n-1]; r.canFail(k.stmt) {
			r.barrier = k.at
		}
		r.open = r.open[:n-1]
	}
	return max(at, r.barrier)
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
	risks := &risks{lifter: l}
	moved := false
	asserted := map[string]int{} // the last assert about a name
	for _, s := range b.Stmts {
		if !l.moves(s) {
			stay = append(stay, s)
			behind = append(behind, nil)
			binds(s, func(n string) { slot[n] = len(stay) })
			risks.open = append(risks.open, risk{s, len(stay)})
			if a, ok := s.Op.(*ir.Assert); ok {
				ir.ExpNames(a.Cond, func(n string) { asserted[n] = len(stay) })
			}
			continue
		}
		at := 0
		ir.StmtUses(s, func(n string) {
			// The size of a block, and the existence of a quotient, may depend on an assert.
			at = max(at, slot[n], asserted[n])
		})
		risky := mayFail(s)
		if risky && at < len(stay) && l.canFail(s) {
			at = risks.behind(at)
			// What comes later and could fail stays behind it, too.
			risks.barrier, risky = at, false
		}
		if at < len(stay) && !l.c.Rewrite(s.Span, "%s is moved up", called(s)) {
			at, risky = len(stay), mayFail(s)
		}
		if risky && at == len(stay) {
			risks.open = append(risks.open, risk{s, at})
		}
		behind[at] = append(behind[at], s)
		moved = true
		binds(s, func(n string) { slot[n] = at })
		if a, ok := s.Op.(*ir.Assert); ok {
			ir.ExpNames(a.Cond, func(n string) { asserted[n] = max(asserted[n], at) })
		}
	}
	stmts := b.Stmts
	if moved {
		stmts = append([]*ir.Stmt(nil), behind[0]...)
		for k, s := range stay {
			stmts = append(append(stmts, s), behind[k+1]...)
		}
		l.lifted = append(l.lifted, lifted{b, stmts})
	}
	for _, s := range stmts {
		for _, in := range ir.Bodies(s.Op) {
			l.body(in)
		}
	}
}

// canFail reports whether a statement could fail, as far as the facts at its place tell.
func (l *lifter) canFail(s *ir.Stmt) bool { return rules.Off("hoist.canFail") || l.ac().CanFail(s) }

// mayFail reports whether a statement that moves could fail, as far as its text tells.
func mayFail(s *ir.Stmt) bool {
	_, may := s.Op.(*ir.Assert)
	ir.Exps(s.Op, func(e ir.Exp) { may = may || !ir.Total(e) })
	return may
}

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
	case *ir.Rearrange:
		return !rules.Off("hoist.rearrange")
	case *ir.Assert:
		return !rules.Off("hoist.assert")
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
		ir.StmtElems(s, elem)
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
