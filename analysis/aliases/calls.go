package aliases

import (
	"reflect"

	"github.com/memc-lang/memc/ir"
)

// A result describes to callers what a result of a function may be.
type result struct {
	array, block source
}

// A source is a set of parameters, and perhaps a new array or block. Results with the same number
// in group may be the same new one.
type source struct {
	params []int
	fresh  bool
	group  int
}

// SameResults reports whether two tables of a function describe its results equally to callers.
func (t *Table) SameResults(o *Table) bool { return reflect.DeepEqual(t.results, o.results) }

// summarise finds out what the function's results may be.
func (b *builder) summarise() {
	f := b.Func
	arrayParam := map[string]int{}
	for k, e := range f.Params {
		if e.Type.Kind == ir.ArrayKind {
			arrayParam[e.Name] = k
		}
	}
	blocks, arrays := newGroups(len(f.Results)), newGroups(len(f.Results))
	for k := range f.Results {
		var r result
		name := operand(f.Body.Result[k])
		switch f.Results[k].Type.Kind {
		case ir.MemKind:
			r.block = blocks.source(b.blocks, name, b.given, k)
		case ir.ArrayKind:
			r.array = arrays.source(b.arrays, name, arrayParam, k)
			if m := b.mem[name]; m != "" {
				r.block = blocks.source(b.blocks, m, b.given, k)
				break
			}
			// A function without blocks may return any of its arguments.
			r.block = source{fresh: true, group: k}
			for i, e := range f.Params {
				if e.Type.Kind == ir.ArrayKind {
					r.block.params = append(r.block.params, i)
				}
			}
		}
		b.results = append(b.results, r)
	}
	for k := range b.results {
		b.results[k].block.group = blocks.find(b.results[k].block.group)
		b.results[k].array.group = arrays.find(b.results[k].array.group)
	}
}

// groups unites results that may share a new array or block.
type groups struct {
	first  map[string]int // real name to the first result that may be it
	parent []int
}

func newGroups(n int) *groups {
	g := &groups{first: map[string]int{}, parent: make([]int, n)}
	for k := range g.parent {
		g.parent[k] = k
	}
	return g
}

func (g *groups) find(k int) int {
	for g.parent[k] != k {
		k = g.parent[k]
	}
	return k
}

func (g *groups) source(graph *Graph, name string, params map[string]int, k int) source {
	out := source{group: k}
	c, ok := graph.Component(name)
	if !ok {
		out.fresh = true
		return out
	}
	reals, _ := graph.Reals(c, 0)
	for _, r := range reals {
		if i, ok := params[r]; ok {
			out.params = append(out.params, i)
			continue
		}
		out.fresh = true
		if j, ok := g.first[r]; ok {
			g.parent[g.find(k)] = g.find(j)
		} else {
			g.first[r] = k
		}
	}
	return out
}

// call binds the results of a call, given the callee's results.
func (b *builder) call(s *ir.Stmt, op *ir.Call) {
	for _, e := range s.Pat {
		b.bind(e)
	}
	callee := b.callees.Func(op.Fn)
	if callee == nil {
		return
	}
	newBlocks, newArrays := map[int]int{}, map[int]int{}
	for k, e := range s.Pat {
		if k >= len(callee.results) {
			break
		}
		r := callee.results[k]
		switch e.Type.Kind {
		case ir.MemKind:
			b.stands(b.blocks, e.Name, r.block, newBlocks, func(i int) string { return b.memOf(op.Args[i]) })
		case ir.ArrayKind:
			b.stands(b.arrays, e.Name, r.array, newArrays, func(i int) string { return operand(op.Args[i]) })
			if p := e.Type.Place; p != nil && p.Exist {
				b.stands(b.blocks, p.Mem, r.block, newBlocks, func(i int) string { return b.memOf(op.Args[i]) })
			}
		}
	}
}

// memOf returns the block that an operand is or lies in.
func (b *builder) memOf(e ir.Exp) string {
	name := operand(e)
	if m, ok := b.mem[name]; ok {
		return m
	}
	return name
}

// stands makes name what a source says: one of the arguments, or a new array or block.
func (b *builder) stands(g *Graph, name string, src source, made map[int]int, arg func(int) string) {
	if src.fresh {
		id, ok := made[src.group]
		switch {
		case !ok && len(src.params) == 0:
			made[src.group] = g.node(name) // real, under its own name
			return
		case !ok:
			id = g.unnamed(name + "(new)")
			made[src.group] = id
		}
		g.choose(g.node(name), id)
	}
	for _, i := range src.params {
		if x := arg(i); x != "" {
			g.choose(g.node(name), g.node(x))
		}
	}
}
