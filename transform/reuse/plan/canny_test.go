package plan

import (
	"slices"
	"testing"
)

// TestCanny plans the blocks of the thesis's canny (figures 10.6 and 10.7). m0 is the input,
// consumed; m8 has another size, known from the start; the size of m9 is known last. Linear scan
// ends with four allocations beside m0 (figure 10.8). The thesis's figure 10.9 has three, but it
// puts m4 and m6, which interfere, in one block. The test shows that three suffice nevertheless if
// m8 is known to be the larger one. If that is not known, a block as large as the larger of m2 and
// m8 would raise the peak for a small m8 and a large m9, so there are four.
func TestCanny(t *testing.T) {
	for _, c := range []struct {
		name string
		m8   Vec
		want int
	}{
		{"m8 is larger", Vec{{Mono: 0, Coef: 8}}, 3},
		{"sizes do not compare", Vec{{Mono: 1, Coef: 4}}, 4},
	} {
		t.Run(c.name, func(t *testing.T) { planCanny(t, c.m8, c.want) })
	}
}

func planCanny(t *testing.T, m8 Vec, want int) {
	t.Helper()
	all := Span{From: 0, To: 17}
	p := &Problem{Regions: []Region{{Parent: -1, Body: all, Stmt: all}}, Conflicts: make([][]int, 10)}
	values := [][]int64{{1000, 1000, 1000}, {100, 500, 250}}
	made := []int{0, 1, 2, 3, 4, 4, 5, 6, 6, 7} // the statement that makes each block
	last := []int{1, 2, 3, 4, 5, 5, 6, 7, 7, 8} // and the one that reads it last
	for b := range 10 {
		blk := Block{Alloc: 2 * made[b], Last: 2*last[b] + 1, Size: Vec{{Mono: 0, Coef: 4}}, Fixed: b == 0}
		switch b {
		case 8:
			blk.Size = m8
		case 9:
			blk.Size, blk.Known = Vec{{Mono: 2, Coef: 4}}, blk.Alloc
		}
		for _, v := range values {
			blk.Sample = append(blk.Sample, blk.Size[0].Coef*v[blk.Size[0].Mono])
		}
		p.Blocks = append(p.Blocks, blk)
	}
	for _, pair := range [][2]int{
		{0, 1}, {1, 2}, {2, 3}, {3, 4}, {3, 5}, {4, 5}, {4, 6}, {5, 6}, {6, 7}, {6, 8}, {7, 8}, {7, 9}, {8, 9},
	} {
		a, b := pair[0], pair[1]
		p.Conflicts[a], p.Conflicts[b] = append(p.Conflicts[a], b), append(p.Conflicts[b], a)
	}
	r := Solve(p)
	if r.After.Blocks != want || !r.Exact {
		t.Errorf("%d allocations, proven to be the best: %v; want %d", r.After.Blocks, r.Exact, want)
	}
	if r.After.Peak > r.Before.Peak {
		t.Errorf("the peak rises from %d to %d", r.Before.Peak, r.After.Peak)
	}
	for _, g := range r.Groups {
		for _, a := range g.Members {
			for _, b := range g.Members {
				if slices.Contains(p.Conflicts[a], b) {
					t.Errorf("m%d and m%d interfere and share a block", a, b)
				}
			}
		}
	}
}
