package aliases

import (
	"slices"
	"strconv"
	"sync"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
)

// A Graph records which names a name may stand for. A name is real (an allocation, a fresh array, a
// parameter) or a choice among others. The graph is condensed: names that may stand for one another
// in a cycle, such as loop parameters that change places, are one component. A choice of a single
// component is that component.
//
// Components are numbered so that a choice has a greater number than the components it chooses
// among.
type Graph struct {
	ids   index.Names[int] // of each name its node, or 0
	nodes []node           // the first one is nobody's
	comp  []int            // node to component
	comps []component
	asked sync.Mutex // several analyses may ask at once; it guards the fields up to work
	last  realNames
	kin   *kin
	seen  []int           // per component, the last walk that reached it
	walks int             // so far
	work  []int           // of the last walk, or the choices of the last component; reused
	made  map[string]bool // labels of blocks and arrays that calls may have made, without a name in the program
	// outside are the components of real names from outside that may be one, ascending: a caller may
	// pass the same array twice.
	outside []int
}

type node struct {
	label   string
	choices []int // empty: real
}

type component struct {
	real    string // "" for a choice
	choices []int  // components, ascending
	above   []int  // components that choose among this one and others
}

func newGraph(x *index.Function) *Graph {
	return &Graph{ids: index.MakeNames[int](x), nodes: make([]node, 1, ir.Size(x.Func)+1), made: map[string]bool{}}
}

// node returns the node of a name. An unknown name is real until choices are added.
func (g *Graph) node(name string) int {
	id := g.ids.At(name)
	if *id == 0 {
		*id = g.anonymous(name)
	}
	return *id
}

func (g *Graph) anonymous(label string) int {
	g.nodes = append(g.nodes, node{label: label})
	return len(g.nodes) - 1
}

// unnamed returns a new node without a name in the program. It stands for a block or array that a
// call may have made for a result, if that result may be another one instead.
func (g *Graph) unnamed(result string) int {
	label := result + "(new)"
	for k := 2; g.made[label]; k++ {
		label = result + "(new, " + strconv.Itoa(k) + ")"
	}
	g.made[label] = true
	return g.anonymous(label)
}

// Unnamed reports whether a real name stands for a block or array of a call, without a name in the
// program.
func (g *Graph) Unnamed(real string) bool { return g.made[real] }

// same makes name another name for what node id stands for.
func (g *Graph) same(name string, id int) { *g.ids.At(name) = id }

func (g *Graph) choose(id int, among ...int) {
	g.nodes[id].choices = append(g.nodes[id].choices, among...)
}

// condense finds the components by Tarjan's algorithm, without recursion. It finds a component
// after all components that this one chooses among, which gives the numbering.
func (g *Graph) condense() {
	n := len(g.nodes)
	g.comp, g.comps = slices.Repeat([]int{open}, n), make([]component, 0, n)
	number, low := make([]int, n), make([]int, n)
	onStack := make([]bool, n)
	var stack []int
	type frame struct{ node, next int }
	var frames []frame
	clock := 0
	for start := 1; start < n; start++ {
		if number[start] != 0 {
			continue
		}
		frames = append(frames, frame{start, 0})
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			v := f.node
			if f.next == 0 && number[v] == 0 {
				clock++
				number[v], low[v] = clock, clock
				stack = append(stack, v)
				onStack[v] = true
			}
			if f.next < len(g.nodes[v].choices) {
				w := g.nodes[v].choices[f.next]
				f.next++
				if number[w] == 0 {
					frames = append(frames, frame{w, 0})
				} else if onStack[w] {
					low[v] = min(low[v], number[w])
				}
				continue
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				u := frames[len(frames)-1].node
				low[u] = min(low[u], low[v])
			}
			if low[v] == number[v] {
				k := len(stack) - 1
				for stack[k] != v {
					k--
				}
				g.close(stack[k:], onStack)
				stack = stack[:k]
			}
		}
	}
}

// open is the component of a node that has none yet.
const open = -1

// close makes a component of nodes. Each of their choices is one of these nodes, or already in a
// component.
func (g *Graph) close(members []int, onStack []bool) {
	choices := g.work[:0]
	for _, v := range members {
		onStack[v] = false
		for _, w := range g.nodes[v].choices {
			if g.comp[w] != open {
				choices = append(choices, g.comp[w])
			}
		}
	}
	g.work = choices
	slices.Sort(choices)
	choices = slices.Compact(choices)
	c := len(g.comps)
	switch len(choices) {
	case 1:
		c = choices[0]
	case 0:
		g.comps = append(g.comps, component{real: g.nodes[members[0]].label})
	default:
		for _, y := range choices {
			g.comps[y].above = append(g.comps[y].above, c)
		}
		g.comps = append(g.comps, component{choices: slices.Clone(choices)})
	}
	for _, v := range members {
		g.comp[v] = c
	}
}

// Len returns the number of components.
func (g *Graph) Len() int { return len(g.comps) }

// Component returns the component of a name.
func (g *Graph) Component(name string) (c int, ok bool) {
	id := g.ids.Get(name)
	return g.comp[id], id != 0
}

// Label returns one name for all names that always stand for the same. For the existential block of
// a delayed array, this is the block of its source.
func (g *Graph) Label(name string) string {
	if id := g.ids.Get(name); id != 0 {
		return g.nodes[id].label
	}
	return name
}

// Real returns the name of a real component, or "" for a choice.
func (g *Graph) Real(c int) string { return g.comps[c].real }

// Choices returns the components that a component chooses among. All have smaller numbers. A real
// component has none.
func (g *Graph) Choices(c int) []int { return g.comps[c].choices }

// Below calls f once for a component and for each one that it may stand for.
func (g *Graph) Below(c int, f func(c int)) {
	seen, work := map[int]bool{c: true}, []int{c}
	for len(work) > 0 {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		f(x)
		for _, y := range g.comps[x].choices {
			if !seen[y] {
				seen[y] = true
				work = append(work, y)
			}
		}
	}
}

// Reaching returns some components and those that may stand for them, the nearest first.
func (g *Graph) Reaching(from ...int) []int {
	all, _ := g.ReachingUpTo(0, from...)
	return all
}

// ReachingUpTo is Reaching for at most limit components, and reports whether there are more; 0 is no
// limit.
func (g *Graph) ReachingUpTo(limit int, from ...int) (all []int, more bool) {
	if len(from) == 1 && len(g.comps[from[0]].above) == 0 {
		return from, false
	}
	g.asked.Lock()
	defer g.asked.Unlock()
	return g.reaching(limit, from)
}

func (g *Graph) reaching(limit int, from []int) (all []int, more bool) {
	g.walk()
	add := func(cs []int) {
		for _, c := range cs {
			if g.seen[c] != g.walks {
				g.seen[c] = g.walks
				all = append(all, c)
			}
		}
	}
	add(from)
	for k := 0; k < len(all); k++ {
		if limit > 0 && len(all) > limit {
			return all[:limit], true
		}
		add(g.comps[all[k]].above)
	}
	return all, false
}

// Reals returns the real names that a component may stand for, sorted. If limit is positive, it
// returns at most that many, and whether there are more. The caller must not change the list.
func (g *Graph) Reals(c, limit int) (names []string, more bool) {
	g.asked.Lock()
	defer g.asked.Unlock()
	// Loop parameters that change places are one component, and each of them asks.
	if l := &g.last; l.names == nil || l.comp != c || l.limit != limit {
		reals, more := g.realsOf(c, limit)
		*l = realNames{c, limit, make([]string, len(reals)), more}
		for k, r := range reals {
			l.names[k] = g.comps[r].real
		}
		slices.Sort(l.names)
	}
	return g.last.names, g.last.more
}

// realNames is a kept result of Reals, for a component and a limit.
type realNames struct {
	comp, limit int
	names       []string
	more        bool
}

// realsOf does the same for components, in no order.
func (g *Graph) realsOf(c, limit int) (reals []int, more bool) {
	if g.comps[c].real != "" {
		return []int{c}, false
	}
	g.walk()
	g.seen[c] = g.walks
	work := append(g.work[:0], c)
	for len(work) > 0 && !more {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		// Add real components at once: then a limit is reached before a long chain is followed.
		for _, y := range g.comps[x].choices {
			switch {
			case g.seen[y] == g.walks:
				continue
			case g.comps[y].real == "":
				work = append(work, y)
			case limit > 0 && len(reals) == limit:
				more = true
			default:
				reals = append(reals, y)
			}
			g.seen[y] = g.walks
		}
	}
	g.work = work
	return reals, more
}

// walk begins a walk that has seen no component yet.
func (g *Graph) walk() {
	if g.walks++; g.seen == nil {
		g.seen = make([]int, len(g.comps))
	}
}
