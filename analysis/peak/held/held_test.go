package held_test

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/memc-lang/memc/analysis/peak/held"
)

// An instance of the group that a block belongs to. Number 0 is the one that the block's name
// stands for now; others are of earlier iterations.
type instance struct{ in, number int }

// A point is some holders with their blocks.
type point struct {
	holders []*held.Holder
	state   []held.State[int]
	size    []int64 // of what blocks have become parts of
	less    []int64 // the negative term of size
	made    []int   // the points at which blocks are made
}

// extremes tries all combinations of instances that the holders may keep. It returns the least and
// the greatest sum of those instances that no block's own name holds.
func (p *point) extremes() (least, most int64) {
	kept := make([]instance, len(p.holders))
	keptOf := make([]int, len(p.holders)) // which block
	least = 1 << 62
	var try func(h int)
	try = func(h int) {
		if h == len(p.holders) {
			var sum int64
			for k, x := range kept {
				if !slices.Contains(kept[:k], x) && !p.isHeld(x) {
					sum += p.size[x.in]
				}
			}
			least, most = min(least, sum), max(most, sum)
			return
		}
		e := p.holders[h]
		for _, b := range e.Blocks {
			s := p.state[b]
			for number := range 1 + len(p.holders) {
				x := instance{s.In, number}
				if number > 0 && (s.One || !e.MayBeOlder(b)) || number == 0 && p.another(h, b) {
					continue
				}
				if slices.Contains(e.Inherited, b) && !p.isHeld(x) && !(keptOf[e.Via] == b && kept[e.Via] == x) {
					continue
				}
				kept[h], keptOf[h] = x, b
				try(h + 1)
			}
		}
	}
	try(0)
	return least, most
}

// another reports whether a holder surely keeps an older instance of a block.
func (p *point) another(h, b int) bool {
	e := p.holders[h]
	return !p.state[b].One && slices.Contains(e.Older, b) && e.Span.From < p.made[b]
}

func (p *point) isHeld(x instance) bool {
	return x.number == 0 && slices.ContainsFunc(p.state, func(s held.State[int]) bool { return s.In == x.in && s.Held })
}

func random(rng *rand.Rand) *point {
	p := &point{}
	parts := 1 + rng.Intn(3)
	of := make([]held.State[int], parts)
	for k := range of {
		of[k] = held.State[int]{In: k, Held: rng.Intn(3) == 0, One: rng.Intn(2) == 0}
		p.size, p.less = append(p.size, int64(1+rng.Intn(9))), append(p.less, int64(rng.Intn(9)))
	}
	for range 1 + rng.Intn(4) {
		p.state, p.made = append(p.state, of[rng.Intn(parts)]), append(p.made, rng.Intn(3))
	}
	for h := range 1 + rng.Intn(3) {
		e := &held.Holder{Via: h, Span: held.Span{From: rng.Intn(3)}}
		for b := range p.state {
			if rng.Intn(2) == 0 || b == len(p.state)-1 && e.Blocks == nil {
				e.Blocks = append(e.Blocks, b)
				if rng.Intn(3) == 0 {
					e.Older = append(e.Older, b)
				}
			}
		}
		if h > 0 && rng.Intn(2) == 0 {
			e.Via = rng.Intn(h)
			for _, b := range e.Blocks {
				if slices.Contains(p.holders[e.Via].Blocks, b) {
					e.Inherited = append(e.Inherited, b)
				}
			}
		}
		p.holders = append(p.holders, e)
	}
	return p
}

// Holders never keep more than Keep says, and often exactly that; it says the same of their parts. They never keep less than the
// holders that Surely accepts.
func TestHolders(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	exact := 0
	const count = 3000
	for range count {
		p := random(rng)
		active := make([]int, len(p.holders))
		for h := range active {
			active[h] = h
		}
		var bound, terms int64 // terms: of sizes that are written as differences
		for _, k := range held.Keep(p.holders, active, func(b int) held.State[int] { return p.state[b] }) {
			bound += k.Most(func(in int) int64 { return p.size[in] })
			terms += k.Most(func(in int) int64 { return p.size[in] + p.less[in] }) + k.Most(func(in int) int64 { return -p.less[in] })
		}
		var byParts int64
		for _, part := range held.Parts(p.holders, func(b int) int { return p.state[b].In }) {
			for _, k := range held.Keep(p.holders, part, func(b int) held.State[int] { return p.state[b] }) {
				byParts += k.Most(func(in int) int64 { return p.size[in] })
			}
		}
		var sure int64
		taken := map[int]bool{}
		for _, e := range p.holders {
			var in []int
			small := int64(1 << 62)
			for _, b := range e.Blocks {
				in, small = append(in, p.state[b].In), min(small, p.size[p.state[b].In])
			}
			if held.Surely(in, func(in int) bool {
				return slices.ContainsFunc(e.Blocks, func(b int) bool {
					s := p.state[b]
					return s.In == in && s.Held && (s.One || !held.Another(e.MayBeOlder(b), e.Span.From, p.made[b]))
				})
			}, taken) {
				sure += small
			}
		}
		switch least, is := p.extremes(); {
		case byParts != bound:
			t.Fatalf("the parts keep %d bytes, not %d: %+v", byParts, bound, p)
		case is > bound || bound > terms:
			t.Fatalf("%d bytes may be kept, not %d or %d: %+v", is, bound, terms, p)
		case least < sure:
			t.Fatalf("%d bytes may be kept, not %d at least: %+v", least, sure, p)
		case is == bound:
			exact++
		}
	}
	if exact < count/2 {
		t.Errorf("only %d bounds are exact", exact)
	}
	t.Logf("%d of %d bounds are exact", exact, count)
}
