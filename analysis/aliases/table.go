package aliases

import (
	"slices"

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
	c, ok := t.arrays.Component(name)
	if !ok {
		return nil
	}
	reals, _ := t.arrays.Reals(c, 0)
	mark := t.arrays.sharing(reals, t.onePair)
	var out []string
	for _, n := range t.order {
		if c, ok := t.arrays.Component(n); ok && mark[c] {
			out = append(out, n)
		}
	}
	return out
}

// MayShare reports whether two arrays may share elements.
func (t *Table) MayShare(x, y string) bool { return t.meet(t.arrays, x, y) }

// MayBeOne reports whether two names of blocks may stand for one block.
func (t *Table) MayBeOne(m1, m2 string) bool { return t.meet(t.blocks, m1, m2) }

// MayStandFor returns a function that answers MayBeOne for a real block and other names. It is for
// many questions about one block.
func (t *Table) MayStandFor(real string) func(m string) bool {
	g := t.blocks
	c, known := g.Component(real)
	if !known || g.Real(c) != real || t.onePair(real, real) {
		return func(m string) bool { return t.MayBeOne(m, real) }
	}
	reaching := map[int]bool{}
	for _, x := range g.Reaching(c) {
		reaching[x] = true
	}
	return func(m string) bool {
		x, known := g.Component(m)
		return known && reaching[x]
	}
}

func (t *Table) meet(g *Graph, x, y string) bool {
	cx, ok := g.Component(x)
	cy, ok2 := g.Component(y)
	return ok && ok2 && g.meet(cx, cy, t.onePair)
}

// onePair reports whether two real names from outside may be one: a caller may pass the same array
// twice.
func (t *Table) onePair(a, b string) bool {
	return !t.Func.Entry && t.pinned[a] && t.pinned[b]
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
