package aliases

import (
	"slices"
	"sync"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
)

// Program holds the tables of a program's functions.
type Program struct {
	prog   *ir.Program
	tables map[string]*Table
}

// Func returns the table of a function, or nil. Functions do not recurse, so the tables of callees
// do not need this one.
func (p *Program) Func(name string) *Table {
	t := p.tables[name]
	if f := p.prog.Func(name); t == nil && f != nil {
		t = p.Indexed(index.Of(f))
	}
	return t
}

// Indexed is Func for the function that has the index x.
func (p *Program) Indexed(x *index.Function) *Table {
	t := p.tables[x.Func.Name]
	if t == nil {
		t = p.Of(x)
		p.tables[x.Func.Name] = t
	}
	return t
}

// Changed records that a function has been replaced.
func (p *Program) Changed(f *ir.Func) { delete(p.tables, f.Name) }

// A Table holds the facts about one function.
type Table struct {
	Func *ir.Func

	blocks, arrays *Graph
	mem            index.Names[string] // of each array the block of its place
	order          []string            // arrays as they are bound
	mems           []string            // blocks as they are bound
	pinned         map[string]bool     // blocks and arrays that come from outside and are not unique
	given          map[string]int      // block of a parameter to the parameter's number
	results        []result            // for callers
	lies           sync.Once           // guards inComp
	inComp         [][]string          // arrays by the component of their block
	program        *Program
}

// Callee returns the table of a function that this one calls, or nil.
func (t *Table) Callee(name string) *Table { return t.program.Func(name) }

// Names returns the arrays of the function in the order in which they are bound.
func (t *Table) Names() []string { return t.order }

// BlockNames returns the names of blocks, existential ones included, in the order
// in which they are bound.
func (t *Table) BlockNames() []string { return t.mems }

// Blocks returns the real blocks that a name of a block may stand for, sorted.
func (t *Table) Blocks(mem string) []string {
	names, _ := t.BlocksUpTo(mem, 0)
	return names
}

// BlocksUpTo is Blocks for at most limit names.
func (t *Table) BlocksUpTo(mem string, limit int) (names []string, more bool) {
	if c, ok := t.blocks.Component(mem); ok {
		return t.blocks.Reals(c, limit)
	}
	return nil, false
}

// BlockOf returns the name of the block in an array's place, or "".
func (t *Table) BlockOf(array string) string { return t.mem.Get(array) }

// Existential reports whether a block's name is a choice, not a real block.
func (t *Table) Existential(mem string) bool {
	c, ok := t.blocks.Component(mem)
	return ok && t.blocks.Real(c) != mem
}

// Given returns the number of the parameter that a real block comes with.
func (t *Table) Given(mem string) (param int, ok bool) {
	param, ok = t.given[mem]
	return param, ok
}

// Pinned reports whether a real block belongs to the caller, so that its contents must be kept.
func (t *Table) Pinned(mem string) bool { return t.pinned[mem] }

// Origins returns the origins of an array's elements, sorted.
func (t *Table) Origins(array string) []string {
	names, _ := t.OriginsUpTo(array, 0)
	return names
}

// OriginsUpTo is Origins for at most limit names.
func (t *Table) OriginsUpTo(array string, limit int) (names []string, more bool) {
	if c, ok := t.arrays.Component(array); ok {
		return t.arrays.Reals(c, limit)
	}
	return nil, false
}

// Arrays returns the arrays that may share elements with an array, itself
// included, in the order in which they are bound.
func (t *Table) Arrays(name string) []string {
	var out []string
	for _, n := range t.order {
		if t.MayShare(n, name) {
			out = append(out, n)
		}
	}
	return out
}

// MayShare reports whether two arrays may share elements.
func (t *Table) MayShare(x, y string) bool { return meet(t.arrays, x, y) }

// MayBeOne reports whether two names of blocks may stand for one block.
func (t *Table) MayBeOne(m1, m2 string) bool { return meet(t.blocks, m1, m2) }

func meet(g *Graph, x, y string) bool {
	cx, ok := g.Component(x)
	cy, ok2 := g.Component(y)
	return ok && ok2 && g.meet(cx, cy)
}

// MayLieIn returns the arrays that may lie in a real block, in no order.
func (t *Table) MayLieIn(real string) []string {
	arrays, _ := t.MayLieInUpTo(real, 0)
	return arrays
}

// MayLieInUpTo is MayLieIn for at most limit names of blocks.
func (t *Table) MayLieInUpTo(real string, limit int) (arrays []string, more bool) {
	t.lies.Do(func() {
		t.inComp = make([][]string, t.blocks.Len())
		for _, x := range t.order {
			if c, ok := t.blocks.Component(t.BlockOf(x)); ok {
				t.inComp[c] = append(t.inComp[c], x)
			}
		}
	})
	c, ok := t.blocks.Component(real)
	if !ok {
		return nil, false
	}
	names, more := t.blocks.ReachingUpTo(limit, c)
	for _, above := range names {
		arrays = append(arrays, t.inComp[above]...)
	}
	return arrays, more
}

// outside returns the components of real names from outside that may be one.
func (t *Table) outside(g *Graph) []int {
	var out []int
	for name, pinned := range t.pinned {
		if c, ok := g.Component(name); ok && pinned && (!t.Func.Entry || rules.Off("aliases.entry")) && g.Real(c) == name {
			out = append(out, c)
		}
	}
	slices.Sort(out)
	return out
}

// BlockGraph returns the graph of blocks, for analyses that spread facts over it.
func (t *Table) BlockGraph() *Graph { return t.blocks }

// ArrayGraph returns the graph of arrays and their origins.
func (t *Table) ArrayGraph() *Graph { return t.arrays }

// Direct returns the names that a name of a block or an array chooses among directly, sorted: real
// names and names of components. Pictures use it.
func (g *Graph) Direct(name string) []string {
	id := g.ids.Get(name)
	if id == 0 {
		return nil
	}
	var out []string
	if l := g.nodes[id].label; l != name {
		out = append(out, l)
	} else {
		for _, c := range g.nodes[id].choices {
			out = append(out, g.nodes[c].label)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
