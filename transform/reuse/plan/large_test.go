package plan

import (
	"math/rand"
	"testing"
)

// TestLives plans with lives in place of a list of conflicts.
func TestLives(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	fewer := 0
	for range 2000 {
		p := random(rng, 2+rng.Intn(12))
		q := *p
		q.Conflicts = nil
		for _, b := range p.Blocks {
			q.Lives = append(q.Lives, Span{From: b.Alloc, To: b.Last})
		}
		overlap := func(a, b int) bool { return q.Lives[a].From <= q.Lives[b].To && q.Lives[b].From <= q.Lives[a].To }
		for a := range p.Blocks {
			var both []int
			for b := range p.Blocks {
				if a != b && overlap(a, b) {
					both = append(both, b)
				}
			}
			p.Conflicts[a] = both
		}
		r := Solve(&q)
		newNaive(p).check(t, r)
		if len(r.Groups) < len(p.Blocks) {
			fewer++
		}
	}
	if fewer < 600 {
		t.Errorf("only %d of 2000 plans share anything", fewer)
	}
}

// TestManySizes plans blocks of many sizes. One problem has so many blocks that no sums are kept,
// the other one few enough to examine them one by one. Blocks follow one another, in pairs of one
// size; in the second problem all can share one.
func TestManySizes(t *testing.T) {
	for _, c := range []struct{ blocks, want int }{{2 * smallBlocks, smallBlocks}, {80, 1}} {
		all := Span{From: 0, To: 2*c.blocks + 1}
		p := &Problem{Regions: []Region{{Parent: -1, Body: all, Stmt: all}}, Conflicts: make([][]int, c.blocks)}
		for b := range c.blocks {
			p.Blocks = append(p.Blocks, Block{
				Alloc: 2 * b, Last: 2*b + 1, Size: Vec{{Mono: b / 2, Coef: 4}}, Sample: []int64{4000, int64(40 + b/2)},
			})
		}
		r := Solve(p)
		if r.After.Peak > r.Before.Peak {
			t.Errorf("%d blocks: the peak rises from %d to %d", c.blocks, r.Before.Peak, r.After.Peak)
		}
		if r.After.Blocks != c.want {
			t.Errorf("%d of %d blocks are left, want %d", r.After.Blocks, c.blocks, c.want)
		}
	}
}

// TestFallingSizes plans many blocks whose sizes fall in steps of two, again and again, each held
// together with the next one. Two blocks suffice: each block takes the place of the one before its
// neighbour. Plans that join large blocks first find no room between them.
func TestFallingSizes(t *testing.T) {
	for _, blocks := range []int{1200, 4000} {
		all := Span{From: 0, To: blocks + 1}
		p := &Problem{
			Regions:   []Region{{Parent: -1, Body: all, Stmt: all}},
			Conflicts: make([][]int, blocks),
			AtMost:    func(a, b Vec) bool { return false },
		}
		for b := range blocks {
			size := int64(8 >> (b % 4))
			p.Blocks = append(p.Blocks, Block{Alloc: b, Last: b + 1, Size: Vec{{Coef: size}}, Sample: []int64{1000 * size}})
			for _, c := range []int{b - 1, b + 1} {
				if 0 <= c && c < blocks {
					p.Conflicts[b] = append(p.Conflicts[b], c)
				}
			}
		}
		if r := Solve(p); r.After.Blocks != 2 || r.After.Peak > r.Before.Peak {
			t.Errorf("%d blocks: %v is left of %v, want 2 blocks", blocks, r.After, r.Before)
		}
	}
}
