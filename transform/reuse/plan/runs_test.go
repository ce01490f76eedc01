package plan

import (
	"math/rand"
	"testing"
)

// A run of a problem: the regions it enters, the block that every holder keeps,
// and the value of every monomial.
type scenario struct {
	entered []bool
	kept    []int
	value   map[int]int64
}

// peakIn returns the greatest sum that a run holds if groups share blocks. group maps each block to
// its group.
func (o *naive) peakIn(s *scenario, groups []judged, group []int) int64 {
	size := func(g judged) int64 {
		var most int64
		for _, t := range g.tops {
			var v int64
			for _, x := range o.p.Blocks[t].Size {
				v += x.Coef * s.value[x.Mono]
			}
			most = max(most, v)
		}
		return most
	}
	var peak int64
	for at := range o.points {
		if !s.entered[o.region[at]] {
			continue
		}
		held := map[int]bool{}
		for k, g := range groups {
			if g.span.From <= at && at <= g.span.To && s.entered[o.region[g.span.From]] {
				held[k] = true
			}
		}
		for k, h := range o.p.Holders {
			if h.Span.From <= at && at <= h.Span.To && s.entered[o.region[h.Span.From]] {
				held[group[s.kept[k]]] = true
			}
		}
		var sum int64
		for k := range held {
			sum += size(groups[k])
		}
		peak = max(peak, sum)
	}
	return peak
}

// scenarios calls f for the runs of a problem, with one choice of values.
func (o *naive) scenarios(value map[int]int64, f func(*scenario)) {
	n := len(o.p.Regions)
	for mask := range 1 << (n - 1) {
		s := &scenario{entered: make([]bool, n), kept: make([]int, len(o.p.Holders)), value: value}
		s.entered[0] = true
		ok := true
		for r := 1; r < n; r++ {
			s.entered[r] = mask>>(r-1)&1 == 1
			around := s.entered[o.p.Regions[r].Parent]
			ok = ok && (!s.entered[r] || around) && (s.entered[r] || !around || !o.p.Regions[r].Sure)
		}
		if ok {
			o.keep(s, 0, f)
		}
	}
}

// keep chooses a block for every holder, of those that the run has allocated.
func (o *naive) keep(s *scenario, k int, f func(*scenario)) {
	if k == len(o.p.Holders) {
		f(s)
		return
	}
	for _, b := range o.p.Holders[k].Blocks {
		if s.entered[o.region[o.p.Blocks[b].Alloc]] {
			s.kept[k] = b
			o.keep(s, k+1, f)
		}
	}
}

// TestRuns follows every run of random problems with holders: the branches taken, the loops
// entered, the block that each holder keeps. In none of them the peak with sharing exceeds that
// without.
func TestRuns(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	runs, shared, lower := 0, 0, 0
	for range 1500 {
		p := random(rng, 2+rng.Intn(7))
		o := newNaive(p)
		for range rng.Intn(3) {
			from := rng.Intn(o.points - 1)
			end := p.Regions[o.region[from]].Body.To
			h := Holder{Span: Span{From: from, To: from + rng.Intn(end-from+1)}}
			for b, blk := range p.Blocks {
				if blk.Alloc <= from && !blk.Pinned && rng.Intn(3) == 0 && len(h.Blocks) < 3 {
					h.Blocks = append(h.Blocks, b)
				}
			}
			if len(h.Blocks) > 0 {
				p.Holders = append(p.Holders, h)
			}
		}
		for _, r := range []*Result{Solve(p), solve(p, 0), solveLarge(p)} {
			if len(r.Groups) < len(p.Blocks) {
				shared++
			}
			alone, _ := o.before()
			var groups []judged
			group := make([]int, len(p.Blocks))
			own := make([]int, len(p.Blocks))
			for k, g := range r.Groups {
				j, ok := o.judge(g.Members)
				if !ok {
					t.Fatalf("group %v is not allowed in %+v", g.Members, p)
				}
				if g.At < j.span.From {
					j = o.outside(t, g, j)
				}
				groups = append(groups, j)
				for _, m := range g.Members {
					group[m] = k
				}
			}
			for b := range own {
				own[b] = b
			}
			for range 3 {
				a := rng.Int63n(20)
				b := a + rng.Int63n(100)
				o.scenarios(map[int]int64{10: a, 11: b, 12: b + rng.Int63n(100)}, func(s *scenario) {
					runs++
					was, is := o.peakIn(s, alone, own), o.peakIn(s, groups, group)
					if is > was {
						t.Fatalf("the peak rises from %d to %d where %v are entered, holders keep %v and monomials are %v: %+v of %+v",
							was, is, s.entered, s.kept, s.value, r.Groups, p)
					}
					if is < was {
						lower++
					}
				})
			}
		}
	}
	t.Logf("%d runs of %d plans that share; the peak of %d is lower", runs, shared, lower)
	if shared < 1000 || lower == 0 {
		t.Errorf("%d plans share, %d runs have a lower peak", shared, lower)
	}
}

// solveLarge plans as for a large problem.
func solveLarge(p *Problem) *Result {
	f := newFrame(p)
	f.few = false
	l := newAccount(f, f.singles())
	f.greedy(l, orders[0])
	r := &Result{After: l.cost()}
	for _, g := range l.groups() {
		r.Groups = append(r.Groups, f.finish(g))
	}
	return r
}
