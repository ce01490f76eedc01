package aliases

import (
	"fmt"
	"reflect"

	"github.com/memc-lang/memc/ir"
)

// A result describes to callers what a result of a function may be.
type result struct {
	array, block source
}

// A source is a set of parameters and of new arrays or blocks: what a result may be. New ones have
// numbers: if two results are certainly the same new one, each has just this number.
type source struct{ params, made []int }

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
	blocks, arrays := newOrigins(), newOrigins()
	for k := range f.Results {
		var r result
		name := operand(f.Body.Result[k])
		switch f.Results[k].Type.Kind {
		case ir.MemKind:
			r.block.params = blocks.add(b.blocks, name, b.given, k)
		case ir.ArrayKind:
			r.array.params = arrays.add(b.arrays, name, arrayParam, k)
			if m := b.BlockOf(name); m != "" {
				r.block.params = blocks.add(b.blocks, m, b.given, k)
				break
			}
			// A function without blocks may return any of its arguments.
			blocks.new(name, k)
			for i, e := range f.Params {
				if e.Type.Kind == ir.ArrayKind {
					r.block.params = append(r.block.params, i)
				}
			}
		}
		b.results = append(b.results, r)
	}
	for k, made := range blocks.numbers(len(b.results)) {
		b.results[k].block.made = made
	}
	for k, made := range arrays.numbers(len(b.results)) {
		b.results[k].array.made = made
	}
}

// origins collects the new arrays or blocks that results may be.
type origins struct {
	names []string         // in the order in which they are found
	of    map[string][]int // the results that may be each
}

func newOrigins() *origins { return &origins{of: map[string][]int{}} }

func (o *origins) new(name string, k int) {
	if o.of[name] == nil {
		o.names = append(o.names, name)
	}
	o.of[name] = append(o.of[name], k)
}

// add records what result k may be, and returns those that are parameters.
func (o *origins) add(graph *Graph, name string, params map[string]int, k int) (given []int) {
	c, ok := graph.Component(name)
	if !ok {
		o.new(name, k)
		return nil
	}
	reals, _ := graph.Reals(c, 0)
	for _, r := range reals {
		if i, ok := params[r]; ok {
			given = append(given, i)
		} else {
			o.new(r, k)
		}
	}
	return given
}

// numbers returns the numbers of the new ones that each result may be. Callers cannot tell apart
// those that the same results may be. So one number is enough for them if only one result may be
// one of them, and otherwise two: two results that may both be either need not be the same.
func (o *origins) numbers(results int) [][]int {
	out, next := make([][]int, results), 0
	seen := map[string]int{}
	for _, name := range o.names {
		of := o.of[name]
		key := fmt.Sprint(of)
		if seen[key]++; seen[key] > min(len(of), 2) {
			continue
		}
		for _, k := range of {
			out[k] = append(out[k], next)
		}
		next++
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
	results := callee.results[:min(len(callee.results), len(s.Pat))]
	newBlocks, newArrays := map[int]int{}, map[int]int{}
	each := func(f func(g *Graph, name string, src source, made map[int]int, arg func(int) string)) {
		for k, r := range results {
			e := s.Pat[k]
			block := func(name string) {
				f(b.blocks, name, r.block, newBlocks, func(i int) string { return b.memOf(op.Args[i]) })
			}
			switch e.Type.Kind {
			case ir.MemKind:
				block(e.Name)
			case ir.ArrayKind:
				f(b.arrays, e.Name, r.array, newArrays, func(i int) string { return operand(op.Args[i]) })
				if p := e.Type.Place; p != nil && p.Exist {
					block(p.Mem)
				}
			}
		}
	}
	// A new one bears the name of the first result that is certainly it.
	each(func(g *Graph, name string, src source, made map[int]int, _ func(int) string) {
		if len(src.params) == 0 && len(src.made) == 1 {
			if _, ok := made[src.made[0]]; !ok {
				made[src.made[0]] = g.node(name)
			}
		}
	})
	each(b.stands)
}

// memOf returns the block that an operand is or lies in.
func (b *builder) memOf(e ir.Exp) string {
	name := operand(e)
	if m := b.BlockOf(name); m != "" {
		return m
	}
	return name
}

// stands makes name what a source says: one of the arguments, or a new array or block.
func (b *builder) stands(g *Graph, name string, src source, made map[int]int, arg func(int) string) {
	for _, n := range src.made {
		id, ok := made[n]
		if !ok {
			id = g.unnamed(name)
			made[n] = id
		}
		if id != g.node(name) {
			g.choose(g.node(name), id)
		}
	}
	for _, i := range src.params {
		if x := arg(i); x != "" {
			g.choose(g.node(name), g.node(x))
		}
	}
}
