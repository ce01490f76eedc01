package aliases

import "slices"

// Note [Kin]
//
// Two components may stand for one real name if some component is below both. In a loop with a
// hundred parameters ten thousand pairs are asked about, and in a row of such loops hundreds of
// components are below each. But most components are chosen among by one other at most:
//
//	r3 = choice(r2, b2)    r2 = choice(r1, b1)    r1 = choice(r0, b0)
//
// These are a forest, and two of its components have one below both only if one is below the other.
// Subtrees are ranges of numbers, so a comparison of numbers tells. Else a joint is below both: a
// component that several others choose among. So each component has a list of the joints below it.
// Lists of many joints are cut off; then a search finds all that meet one of the two.

// maxJoints bounds the joints that are listed for a component.
const maxJoints = 64

// kin says which components of a graph have a component below both.
type kin struct {
	place, size []int   // of each component its number in the forest, and how many are below it there
	root        []int   // the component above it in the forest that none or several choose among
	joints      [][]int // below it; ascending; if there are more than maxJoints, some of them
	met         []bool  // the components that meet metBy
	metBy       []int   // a component, and those that meet it; empty: none asked
}

func (g *Graph) findKin() *kin {
	n := len(g.comps)
	k := &kin{place: make([]int, n), size: make([]int, n), root: make([]int, n), joints: make([][]int, n)}
	outside := []int{n} // as if those real names chose among a joint
	for c := range g.comps {
		k.size[c] = 1
		if g.isOutside(c) {
			k.joints[c] = outside
		}
		for _, x := range g.comps[c].choices {
			if below := k.joints[x]; len(below) > 0 {
				k.joints[c] = union(k.joints[c], below)
			}
			if len(g.comps[x].above) == 1 {
				k.size[c] += k.size[x]
			} else {
				k.joints[c] = union(k.joints[c], []int{x})
			}
		}
	}
	next := 0
	for c := n - 1; c >= 0; c-- {
		if len(g.comps[c].above) != 1 {
			k.place[c], k.root[c] = next, c
			next += k.size[c]
		}
		at := k.place[c] + 1
		for _, x := range g.comps[c].choices {
			if len(g.comps[x].above) == 1 {
				k.place[x], k.root[x] = at, k.root[c]
				at += k.size[x]
			}
		}
	}
	return k
}

// union returns the numbers of two ascending lists, at most maxJoints + 1.
func union(xs, ys []int) []int {
	if len(xs) == 0 {
		return ys
	}
	out := slices.Concat(xs, ys)
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), maxJoints+1)]
}

// meet reports whether two components may stand for one real name, or for two from outside that may
// be one.
func (g *Graph) meet(x, y int) bool {
	g.asked.Lock()
	defer g.asked.Unlock()
	if g.kin == nil {
		g.kin = g.findKin()
	}
	k := g.kin
	if k.below(x, y) || k.below(y, x) {
		return true
	}
	a, b := k.joints[x], k.joints[y]
	if len(a) > maxJoints || len(b) > maxJoints {
		return g.search(x, y)
	}
	if contains(a, k.root[y]) || contains(b, k.root[x]) {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	return slices.ContainsFunc(a, func(j int) bool { return contains(b, j) })
}

// below reports whether y is x, or below it in the forest.
func (k *kin) below(x, y int) bool {
	return k.place[x] <= k.place[y] && k.place[y] < k.place[x]+k.size[x]
}

func contains(all []int, x int) bool {
	_, found := slices.BinarySearch(all, x)
	return found
}

func (g *Graph) isOutside(real int) bool { return contains(g.outside, real) }

// search is meet by a search from y, or from x if that was searched from last. Further questions
// about the same component take no search.
func (g *Graph) search(x, y int) bool {
	k := g.kin
	if len(k.metBy) > 0 && k.metBy[0] == x {
		x, y = y, x
	}
	if len(k.metBy) == 0 || k.metBy[0] != y {
		if k.met == nil {
			k.met = make([]bool, len(g.comps))
		}
		for _, c := range k.metBy {
			k.met[c] = false
		}
		reals, _ := g.realsOf(y, 0)
		if slices.ContainsFunc(reals, g.isOutside) {
			reals = append(reals, g.outside...)
		}
		above, _ := g.reaching(0, reals)
		k.metBy = append(append(k.metBy[:0], y), above...)
		for _, c := range k.metBy {
			k.met[c] = true
		}
	}
	return k.met[x]
}
