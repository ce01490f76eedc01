package liveness

import (
	"slices"
	"sync"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
)

// Program holds the tables of a program's functions.
type Program struct {
	tables map[string]*Table
}

// Func returns the table of a function, or nil.
func (p *Program) Func(name string) *Table { return p.tables[name] }

// A Table holds the facts about one function.
type Table struct {
	*index.Function
	Aliases *aliases.Table

	// Each of these is computed at the first request.
	vars           func() *variables
	blocks, arrays func() *facts
	ends           func() *ends
}

// Analyze makes the tables of all functions of an elaborated program.
func Analyze(p *ir.Program, a *aliases.Program) *Program {
	out := &Program{tables: map[string]*Table{}}
	for _, f := range p.Funcs {
		out.tables[f.Name] = AnalyzeFunc(f, a.Func(f.Name))
	}
	return out
}

// AnalyzeFunc makes the table of one function. At once it finds only the points: a pass that
// changes where arrays are used must ask beforehand.
func AnalyzeFunc(f *ir.Func, a *aliases.Table) *Table { return Of(index.Of(f), a) }

// Of makes the table of the function whose index is x.
func Of(x *index.Function, a *aliases.Table) *Table {
	t := &Table{Function: x, Aliases: a}
	t.vars = sync.OnceValue(t.variables)
	t.blocks = sync.OnceValue(func() *facts { return t.facts(a.BlockGraph(), a.BlockOf, true) })
	t.arrays = sync.OnceValue(func() *facts { return t.facts(a.ArrayGraph(), func(name string) string { return name }, false) })
	t.ends = sync.OnceValue(t.lastUses)
	return t
}

// Prepare finds where arrays are live, before anybody asks.
func (t *Table) Prepare() { t.vars() }

// Array returns where an array is live: the points from its binding to the last use of its own
// name, on every path.
func (t *Table) Array(name string) []Interval {
	if v := t.vars().of(name); v != nil {
		return v.live
	}
	return nil
}

// Elements returns where elements that an array may share are live, through any name.
func (t *Table) Elements(name string) []Interval {
	if c, ok := t.Aliases.ArrayGraph().Component(name); ok {
		return t.arrays().all[c]
	}
	return nil
}

// Block returns where the contents of a block are needed. For an existential block, these are the
// points at which any block is needed that it may stand for.
func (t *Table) Block(mem string) []Interval {
	if c, ok := t.Aliases.BlockGraph().Component(mem); ok {
		return t.blocks().all[c]
	}
	return nil
}

// LiveInto reports whether a block's contents from before a point are needed at that point or
// later. If not, the block may be overwritten just before the point.
func (t *Table) LiveInto(mem string, point int) bool { return liveInto(t.Block(mem), point) }

// LastUses returns the arrays that are used last at a point, in the order in which they are bound.
// At the exit of a loop or kernel, these are arrays made outside and used inside; at the end of a
// body, arrays in its results; at the beginning of a branch, arrays that are dead on entry while
// the other branch uses them.
func (t *Table) LastUses(point int) []string { return t.ends().lastUses[point] }

// Dying returns the real blocks whose contents are dead behind a point, sorted. Points are as for
// LastUses. A block may be written again later.
func (t *Table) Dying(point int) []string { return t.ends().dying[point] }

// LastUsesOf returns the points at which an array is used last, ascending.
func (t *Table) LastUsesOf(name string) []int {
	v := t.vars().of(name)
	if v == nil {
		return nil
	}
	var out []int
	for _, p := range v.deaths {
		if slices.Contains(t.LastUses(p), name) {
			out = append(out, p)
		}
	}
	return out
}
