package check

import "github.com/memc-lang/memc/ir"

// An Equality is a pair of sizes that must be equal when the program runs. What names them in the
// message "sizes differ: WHAT: 3 and 4".
type Equality struct {
	A, B ir.Exp
	What string
}

// An ObligationTable lists the size equalities of a function that could not be proved, by the point
// at which they can be evaluated. If one fails, the run stops before anything that depends on it is
// written.
type ObligationTable struct {
	// Before holds those over names in scope in front of a statement.
	Before map[*ir.Stmt][]Equality
	// After lists the equalities over names that the statement binds: results of loops and calls
	// that size other results.
	After map[*ir.Stmt][]Equality
	// AtResult lists the equalities over names of a body. They are evaluated after its statements
	// and before its values are used. Such bodies are branches of an if, loop bodies (in each
	// iteration), kernel bodies (in each thread), and function bodies.
	AtResult map[*ir.Body][]Equality
}

// A site is the point at which an obligation is tested: one field is set.
type site struct {
	before, after *ir.Stmt
	result        *ir.Body
}

func after(s *ir.Stmt) site { return site{after: s} }
func atEnd(b *ir.Body) site { return site{result: b} }
func (c *fn) here() site    { return site{before: c.stmt} }

// Obligations lists the unproved size equalities of a verified program, for all functions in one
// table. It changes nothing, and its answer is always the same.
func Obligations(p *ir.Program) *ObligationTable {
	c := newChecker(p, false)
	c.table = newTable()
	c.program()
	return c.table
}

func newTable() *ObligationTable {
	return &ObligationTable{
		Before:   map[*ir.Stmt][]Equality{},
		After:    map[*ir.Stmt][]Equality{},
		AtResult: map[*ir.Body][]Equality{},
	}
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
