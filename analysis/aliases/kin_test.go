package aliases

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// meet answers as the sets of real names do: on forests, where it compares numbers, and on graphs with
// few joints and with many.
func TestMeet(t *testing.T) {
	for _, c := range []struct {
		size, joint int // one of joint choices is a component that another chooses among already
	}{{12, 2}, {40, 3}, {300, 20}, {600, 2}, {200, 1 << 30}} {
		for seed := range uint64(40) {
			random := rand.New(rand.NewPCG(seed, uint64(c.size)))
			g := randomGraph(random, c.size, c.joint)
			reals := make([][]int, len(g.comps))
			for x := range g.comps {
				reals[x], _ = g.realsOf(x, 0)
			}
			for range 400 {
				x, y := random.IntN(len(g.comps)), random.IntN(len(g.comps))
				want := slices.ContainsFunc(reals[x], func(r int) bool {
					return slices.Contains(reals[y], r) || g.isOutside(r) && slices.ContainsFunc(reals[y], g.isOutside)
				})
				if got := g.meet(x, y); got != want {
					t.Fatalf("size %d, joint %d, seed %d: %d and %d meet: %v, want %v", c.size, c.joint, seed, x, y, got, want)
				}
			}
		}
	}
}

func randomGraph(random *rand.Rand, size, joint int) *Graph {
	g := &Graph{}
	var free []int // nobody chooses among them yet
	for c := range size {
		var choices []int
		for range 2 + random.IntN(2) {
			switch {
			case c > 4 && random.IntN(joint) == 0:
				choices = append(choices, random.IntN(c))
			case len(free) > 0:
				k := random.IntN(len(free))
				choices = append(choices, free[k])
				free = slices.Delete(free, k, k+1)
			}
		}
		slices.Sort(choices)
		if choices = slices.Compact(choices); len(choices) < 2 || random.IntN(3) == 0 {
			free = append(free, choices...)
			g.comps = append(g.comps, component{real: fmt.Sprint(c)})
			if random.IntN(8) == 0 {
				g.outside = append(g.outside, c)
			}
		} else {
			for _, x := range choices {
				g.comps[x].above = append(g.comps[x].above, c)
			}
			g.comps = append(g.comps, component{choices: choices})
		}
		free = append(free, c)
	}
	return g
}
