package liveness

import (
	"slices"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/internal/base/rules"
)

// facts are intervals per component of a graph of names.
type facts struct {
	// live: where a component's own names are needed, and where choices of it are needed.
	live [][]Interval
	// all: where any real name is needed that the component may stand for.
	all    [][]Interval
	deaths [][]int // candidates for last uses of the component's contents
}

// ends lists, at each point, the arrays used last there, and the real blocks that die.
type ends struct{ lastUses, dying map[int][]string }

// lastUses computes last uses from the lives of variables, spread over blocks and origins.
func (t *Table) lastUses() *ends {
	e := &ends{map[int][]string{}, map[int][]string{}}
	g := t.Aliases.ArrayGraph()
	for _, v := range t.vars().all {
		c, ok := g.Component(v.name)
		if !ok {
			continue
		}
		for _, p := range v.deaths {
			if t.diesAt(t.arrays().all[c], p) {
				e.lastUses[p] = append(e.lastUses[p], v.name)
			}
		}
	}
	g = t.Aliases.BlockGraph()
	for c := range g.Len() {
		if g.Real(c) == "" {
			continue
		}
		for _, p := range t.blocks().deaths[c] {
			e.dying[p] = append(e.dying[p], g.Real(c))
		}
	}
	for _, names := range e.dying {
		slices.Sort(names)
	}
	return e
}

// facts makes the facts of a graph. A variable belongs to the component of its owner.
func (t *Table) facts(g *aliases.Graph, owner func(string) string, pins bool) *facts {
	f := &facts{make([][]Interval, g.Len()), make([][]Interval, g.Len()), make([][]int, g.Len())}
	for _, v := range t.vars().all {
		if c, ok := g.Component(owner(v.name)); ok {
			f.live[c] = append(f.live[c], v.live...)
			f.deaths[c] = append(f.deaths[c], v.deaths...)
		}
	}
	// Choosers first: an interval of a name is kept by all that the name may stand for.
	for c := g.Len() - 1; c >= 0; c-- {
		if r := g.Real(c); pins && r != "" && t.Aliases.Pinned(r) {
			f.live[c], f.deaths[c] = []Interval{{From: 0, To: len(t.Points) - 1}}, nil
			continue
		}
		f.live[c] = t.normal(f.live[c])
		if rules.Off("liveness.gaps") && len(f.live[c]) > 1 {
			f.live[c] = bounded(f.live[c], 1)
		}
		slices.Sort(f.deaths[c])
		f.deaths[c] = slices.DeleteFunc(slices.Compact(f.deaths[c]), func(p int) bool { return !t.diesAt(f.live[c], p) })
		choices := g.Choices(c)
		if len(choices) == 0 {
			continue
		}
		handed := bounded(f.live[c], maxInherited)
		deaths := f.deaths[c][:min(len(f.deaths[c]), maxInherited)]
		for _, x := range choices {
			f.live[x] = append(f.live[x], handed...)
			f.deaths[x] = append(f.deaths[x], deaths...)
		}
	}
	for c := range g.Len() {
		f.all[c] = f.live[c]
		if choices := g.Choices(c); len(choices) > 0 {
			var is []Interval
			for _, x := range choices {
				is = append(is, bounded(f.all[x], maxInherited)...)
			}
			f.all[c] = t.normal(is)
		}
	}
	return f
}
