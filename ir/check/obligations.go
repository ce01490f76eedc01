package check

import "github.com/memc-lang/memc/ir"

// An Equality is a pair of sizes that must be equal when the program runs;
// What names them for the message "sizes differ: WHAT: 3 and 4".
type Equality struct {
	A, B ir.Exp
	What string
}

// An ObligationTable lists the size equalities of a function that could not be
// proved, by the moment at which they can be evaluated. A failing one stops
// the run before anything that depends on it is written.
type ObligationTable struct {
	// Before holds those over names in scope in front of a statement.
	Before map[*ir.Stmt][]Equality
	// After holds those that mention names the statement binds: loop results
	// and call results that size others.
	After map[*ir.Stmt][]Equality
	// AtResult holds those over names of a body, to be evaluated behind its
	// statements and before its values are used: branches of an if, loop
	// bodies (in each iteration), kernel bodies (in each thread), function
	// bodies.
	AtResult map[*ir.Body][]Equality
}

// A site is where an obligation belongs: one field is set.
type site struct {
	before, after *ir.Stmt
	result        *ir.Body
}

func after(s *ir.Stmt) site { return site{after: s} }
func atEnd(b *ir.Body) site { return site{result: b} }
func (c *fn) here() site    { return site{before: c.stmt} }

// Obligations lists the unproved size equalities of a verified program, for
// all functions in one table. It changes nothing and has the same answer each
// time.
func Obligations(p *ir.Program) *ObligationTable {
	t := &ObligationTable{
		Before:   map[*ir.Stmt][]Equality{},
		After:    map[*ir.Stmt][]Equality{},
		AtResult: map[*ir.Body][]Equality{},
	}
	c := newChecker(p, false)
	c.table = t
	c.program()
	return t
}

func (c *fn) oblige(at site, q Equality) {
	if c.table == nil {
		return
	}
	switch {
	case at.before != nil:
		c.table.Before[at.before] = append(c.table.Before[at.before], q)
	case at.after != nil:
		c.table.After[at.after] = append(c.table.After[at.after], q)
	case at.result != nil:
		c.table.AtResult[at.result] = append(c.table.AtResult[at.result], q)
	}
}
