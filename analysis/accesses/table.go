package accesses

import (
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/parallel"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/lmad"
)

// An Access is one part of an array that a statement reads or writes.
type Access struct {
	Stmt  *ir.Stmt // for a body's results, the statement of the body
	Point int      // of package liveness
	// Array is the name through which memory is reached. It is empty if a call receives a block:
	// then Block may be touched anywhere.
	Array string
	Block string
	// Items select along the array's dimensions; nil is the whole array.
	Items []ir.Item
	Write bool
	// Staged: a kernel of several stages writes it, in no order with the accesses of its body.
	Staged bool

	known places.Facts
}

// Known returns the facts at the access: those just before its point, and the conditions within the
// expression that reads it.
func (a *Access) Known() places.Facts { return a.known }

// Region returns the index function of the accessed part, given that of the array.
func (a *Access) Region(array lmad.Fun) lmad.Fun {
	if a.Items == nil {
		return array
	}
	return lmad.UpdateSlice(array, a.Items)
}

// A Scope is a body of a statement, with the indices that the statement binds.
type Scope = index.Scope

// Program holds the tables of a program's functions.
type Program struct{ tables map[string]*Table }

// Func returns the table of a function, or nil.
func (p *Program) Func(name string) *Table { return p.tables[name] }

// A Table holds the facts about one function.
type Table struct {
	*index.Function
	// All are the accesses in the order of their points.
	All []Access

	first []int // per point, of All
	facts []places.Facts
}

// Analyze makes the tables of all functions of an elaborated program.
func Analyze(p *ir.Program, l *liveness.Program) *Program {
	out := &Program{tables: map[string]*Table{}}
	for _, f := range p.Funcs {
		out.tables[f.Name] = AnalyzeFunc(p, f, l.Func(f.Name).Function)
	}
	return out
}

// WithLives makes the tables of lives and of accesses of one function, side by side, and
// those of its aliases, which it asks for.
func WithLives(p *ir.Program, f *ir.Func, a func(*index.Function) *aliases.Table) (l *liveness.Table, t *Table) {
	x := index.Of(f)
	parallel.Over(len(x.Points),
		func() { l = liveness.Of(x, a(x)); l.Prepare() },
		func() { t = AnalyzeFunc(p, f, x) },
	)
	return l, t
}

// OnDemand analyses a function at the first request for its table.
type OnDemand struct {
	program *ir.Program
	indices map[*ir.Func]*index.Function
	tables  map[*ir.Func]*Table
}

// Of returns an OnDemand for p, which must not change.
func Of(p *ir.Program) *OnDemand {
	return &OnDemand{program: p, indices: map[*ir.Func]*index.Function{}, tables: map[*ir.Func]*Table{}}
}

// Index returns the index of a function.
func (d *OnDemand) Index(f *ir.Func) *index.Function {
	x := d.indices[f]
	if x == nil {
		x = index.Of(f)
		d.indices[f] = x
	}
	return x
}

// Table returns the table of a function.
func (d *OnDemand) Table(f *ir.Func) *Table {
	t := d.tables[f]
	if t == nil {
		t = AnalyzeFunc(d.program, f, d.Index(f))
		d.tables[f] = t
	}
	return t
}

// At returns the accesses at a point. The slice must not be changed.
func (t *Table) At(point int) []Access { return t.All[t.first[point]:t.first[point+1]] }

// Between returns the accesses at the points from..to, both included.
func (t *Table) Between(from, to int) []Access {
	if to < from {
		return nil
	}
	return t.All[t.first[from]:t.first[to+1]]
}

// Facts returns the facts that hold just before a point.
func (t *Table) Facts(point int) places.Facts { return t.facts[point] }
