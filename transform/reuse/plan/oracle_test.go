package plan

import (
	"math/rand"
	"slices"
	"testing"
)

// The oracle tries every partition of the blocks, and judges each by the definitions: point by
// point, without segments, bounds and orders.

// naive judges partitions of a problem.
type naive struct {
	p      *Problem
	points int
	region []int // innermost, per point
	judged map[int]verdict
}

type verdict struct {
	judged
	ok bool
}

func newNaive(p *Problem) *naive {
	o := &naive{p: p, points: p.Regions[0].Body.To + 1, judged: map[int]verdict{}}
	o.region = make([]int, o.points)
	for at := range o.region {
		for r, reg := range p.Regions { // parents come first
			if reg.Body.From <= at && at <= reg.Body.To {
				o.region[at] = r
			}
		}
	}
	return o
}

// chain returns the regions around a point, the innermost first.
func (o *naive) chain(at int) []int {
	var out []int
	for r := o.region[at]; r >= 0; r = o.p.Regions[r].Parent {
		out = append(out, r)
	}
	return out
}

// outward returns the span of points that a point stands for in a region.
func (o *naive) outward(at, region int) Span {
	s := Span{From: at, To: at}
	for r := o.region[at]; r != region; r = o.p.Regions[r].Parent {
		s = o.p.Regions[r].Stmt
	}
	return s
}

func (o *naive) atMost(a, b Vec) bool {
	diff := map[int]int64{}
	for _, t := range a {
		diff[t.Mono] += t.Coef
	}
	for _, t := range b {
		diff[t.Mono] -= t.Coef
	}
	for _, d := range diff {
		if d > 0 {
			return o.p.AtMost != nil && o.p.AtMost(a, b)
		}
	}
	return true
}

// A judged group: where it is held, and the members that may be the greatest.
type judged struct {
	span Span
	tops []int
	free bool // costs nothing
}

// judge looks up what examine said of the same members before.
func (o *naive) judge(members []int) (judged, bool) {
	key := 0
	for _, m := range members {
		key |= 1 << m
	}
	v, seen := o.judged[key]
	if !seen {
		v.judged, v.ok = o.examine(members)
		o.judged[key] = v
	}
	return v.judged, v.ok
}

func (o *naive) examine(members []int) (judged, bool) {
	fixed := -1
	for _, m := range members {
		b := o.p.Blocks[m]
		if b.Pinned && len(members) > 1 || b.Fixed && fixed >= 0 {
			return judged{}, false
		}
		if b.Fixed {
			fixed = m
		}
		for _, c := range o.p.Conflicts[m] {
			if slices.Contains(members, c) {
				return judged{}, false
			}
		}
	}
	for _, r := range members {
		for _, m := range members {
			if o.p.Blocks[r].Rigid && len(members) > 1 && (o.p.Blocks[m].Fixed && !o.p.Blocks[m].Lent || !o.atMost(o.p.Blocks[m].Size, o.p.Blocks[r].Size)) {
				return judged{}, false
			}
		}
	}
	if fixed >= 0 {
		for _, m := range members {
			if o.p.Blocks[m].Within != 0 && m != fixed || !o.atMost(o.p.Blocks[m].Size, o.p.Blocks[fixed].Size) {
				return judged{}, false
			}
		}
		span := Span{From: o.p.Blocks[fixed].Alloc, To: o.p.Blocks[fixed].Last}
		for _, m := range members {
			if len(members) > 1 {
				span.To = max(span.To, o.outward(o.p.Blocks[m].Last, 0).To)
			}
		}
		return judged{span, []int{fixed}, true}, true
	}
	// The innermost region around all allocations.
	common := o.chain(o.p.Blocks[members[0]].Alloc)
	for _, m := range members[1:] {
		own := o.chain(o.p.Blocks[m].Alloc)
		common = slices.DeleteFunc(common, func(r int) bool { return !slices.Contains(own, r) })
	}
	region := common[0]
	span := Span{From: 1 << 30, To: -1}
	for _, m := range members {
		if !slices.Contains(common, o.p.Blocks[m].Within) {
			return judged{}, false
		}
		span.From = min(span.From, o.outward(o.p.Blocks[m].Alloc, region).From)
		if len(members) == 1 {
			span.To = o.p.Blocks[m].Last
			continue
		}
		span.To = max(span.To, o.outward(o.p.Blocks[m].Last, region).To)
	}
	known := func(m int) bool {
		at := o.p.Blocks[m].Known
		return at <= span.From && slices.Contains(o.chain(span.From), o.region[at])
	}
	var tops []int
	for k, m := range members {
		beaten := false
		for j, x := range members {
			up := o.atMost(o.p.Blocks[m].Size, o.p.Blocks[x].Size)
			down := o.atMost(o.p.Blocks[x].Size, o.p.Blocks[m].Size)
			// Of equal ones that counts whose size is known, then the first.
			if j != k && up && (!down || known(x) && !known(m) || known(x) == known(m) && j < k) {
				beaten = true
			}
		}
		if beaten {
			continue
		}
		tops = append(tops, m)
		if !known(m) {
			return judged{}, false
		}
	}
	return judged{span, tops, o.p.Blocks[members[0]].Pinned}, true
}

func (o *naive) sum(held []judged, pick []int) Vec {
	var v Vec
	for k, g := range held {
		v = append(v, o.p.Blocks[g.tops[pick[k]]].Size...)
	}
	return v
}

// safe reports whether every sum at every point is at most an old sum at a point that the run
// reaches, too.
func (o *naive) safe(groups []judged, before []Vec) bool {
	for at := range o.points {
		var held []judged
		for _, g := range groups {
			if g.span.From <= at && at <= g.span.To {
				held = append(held, g)
			}
		}
		pick := make([]int, len(held))
		for {
			v := o.sum(held, pick)
			ok := false
			for q := 0; q < o.points && !ok; q++ {
				r := o.region[q]
				for o.p.Regions[r].Sure {
					r = o.p.Regions[r].Parent
				}
				ok = slices.Contains(o.chain(at), r) && o.atMost(v, before[q])
			}
			if !ok {
				return false
			}
			k := 0
			for ; k < len(pick); k++ {
				if pick[k]++; pick[k] < len(held[k].tops) {
					break
				}
				pick[k] = 0
			}
			if k == len(pick) {
				break
			}
		}
	}
	return true
}

func (o *naive) cost(groups []judged) Cost {
	c := Cost{}
	for s := range o.p.Blocks[0].Sample {
		size := func(g judged) int64 {
			var most int64
			for _, t := range g.tops {
				most = max(most, o.p.Blocks[t].Sample[s])
			}
			return most
		}
		var peak int64
		for at := range o.points {
			var sum int64
			for _, g := range groups {
				if g.span.From <= at && at <= g.span.To {
					sum += size(g)
				}
			}
			peak = max(peak, sum)
		}
		c.Peak += peak
		for _, g := range groups {
			if !g.free {
				c.Bytes += size(g)
			}
		}
	}
	for _, g := range groups {
		if !g.free {
			c.Blocks++
		}
	}
	return c
}

// before returns the sums without sharing, per point.
func (o *naive) before() ([]judged, []Vec) {
	var alone []judged
	sums := make([]Vec, o.points)
	for b := range o.p.Blocks {
		g, ok := o.judge([]int{b})
		if !ok {
			panic("a block alone is no plan")
		}
		alone = append(alone, g)
		for at := g.span.From; at <= g.span.To; at++ {
			sums[at] = append(sums[at], o.p.Blocks[b].Size...)
		}
	}
	return alone, sums
}

// optimum returns the least cost of all safe partitions.
func (o *naive) optimum() Cost {
	alone, before := o.before()
	best := o.cost(alone)
	n := len(o.p.Blocks)
	var parts [][]int
	var rec func(k int)
	rec = func(k int) {
		if k == n {
			var groups []judged
			for _, m := range parts {
				g, ok := o.judge(m)
				if !ok {
					return
				}
				groups = append(groups, g)
			}
			if c := o.cost(groups); c.Less(best) && o.safe(groups, before) {
				best = c
			}
			return
		}
		for j := range parts {
			if !slices.ContainsFunc(o.p.Conflicts[k], func(c int) bool { return slices.Contains(parts[j], c) }) {
				parts[j] = append(parts[j], k)
				rec(k + 1)
				parts[j] = parts[j][:len(parts[j])-1]
			}
		}
		parts = append(parts, []int{k})
		rec(k + 1)
		parts = parts[:len(parts)-1]
	}
	rec(0)
	return best
}

// check judges a result: a partition into legal groups that is safe and has the stated cost.
func (o *naive) check(t *testing.T, r *Result) {
	t.Helper()
	_, before := o.before()
	seen := make([]bool, len(o.p.Blocks))
	var groups []judged
	for _, g := range r.Groups {
		for _, m := range g.Members {
			if seen[m] {
				t.Fatalf("block %d is in two groups", m)
			}
			seen[m] = true
		}
		j, ok := o.judge(g.Members)
		if !ok {
			t.Fatalf("group %v is not allowed in %+v", g.Members, o.p)
		}
		if g.At < j.span.From {
			j = o.outside(t, g, j)
		}
		if j.span.From != g.At {
			t.Fatalf("group %v is allocated at %d, want %d", g.Members, g.At, j.span.From)
		}
		if !slices.Contains(g.Members, g.Leader) {
			t.Fatalf("group %v is led by %d", g.Members, g.Leader)
		}
		groups = append(groups, j)
	}
	if slices.Contains(seen, false) {
		t.Fatalf("a block is in no group: %v", r.Groups)
	}
	if !o.safe(groups, before) {
		t.Fatalf("the plan may raise the peak: %v of %+v", r.Groups, o.p)
	}
	if c := o.cost(groups); c != r.After {
		t.Fatalf("cost %+v, counted %+v", r.After, c)
	}
}

// outside judges a group that is allocated in front of a loop.
func (o *naive) outside(t *testing.T, g Group, j judged) judged {
	t.Helper()
	region := o.region[g.At]
	loops := 0
	for _, m := range g.Members {
		chain := o.chain(o.p.Blocks[m].Alloc)
		if !slices.Contains(chain, region) || !slices.Contains(chain[slices.Index(chain, region):], o.p.Blocks[m].Within) {
			t.Fatalf("group %v is allocated at %d, outside of where member %d must be", g.Members, g.At, m)
		}
		for _, r := range chain[:slices.Index(chain, region)] {
			if o.p.Regions[r].Loop {
				loops++
			}
		}
		j.span.To = max(j.span.To, o.outward(o.p.Blocks[m].Last, region).To)
	}
	if loops == 0 {
		t.Fatalf("group %v is allocated at %d, and no loop is left by that", g.Members, g.At)
	}
	for _, m := range g.Sizes {
		known := o.p.Blocks[m].Known
		if known > g.At || !slices.Contains(o.chain(g.At), o.region[known]) {
			t.Fatalf("group %v is allocated at %d, where the size of %d is not known", g.Members, g.At, m)
		}
	}
	j.span.From = g.At
	return j
}

// random makes a problem of n blocks: a function with branches and loops, sizes
// over a few monomials, lives as intervals with some exceptions.
func random(rng *rand.Rand, n int) *Problem {
	points := 2*n + 6
	p := &Problem{Regions: []Region{{Parent: -1, Body: Span{From: 0, To: points - 1}, Stmt: Span{From: 0, To: points - 1}}}}
	at := 1
	for k := rng.Intn(3); k > 0 && at+7 < points; k-- { // a statement with one or two bodies
		at += rng.Intn(4)
		size := 3 + rng.Intn(5)
		if at+2*size+1 >= points {
			break
		}
		if rng.Intn(2) == 0 {
			stmt := Span{From: at, To: at + size + 1}
			loop := rng.Intn(3) > 0
			p.Regions = append(p.Regions, Region{Body: Span{From: at + 1, To: at + size}, Stmt: stmt, Loop: loop, Sure: loop && rng.Intn(2) == 0})
			at += size + 2
		} else {
			stmt := Span{From: at, To: at + 2*size + 1}
			p.Regions = append(p.Regions, Region{Body: Span{From: at + 1, To: at + size}, Stmt: stmt}, Region{Body: Span{From: at + size + 1, To: at + 2*size}, Stmt: stmt})
			at += 2*size + 2
		}
	}
	o := newNaive(p)
	monos := 1 + rng.Intn(3)
	samples := [][]int64{{1, 100, 300}, {1, 10, 200}}
	for range n {
		alloc := rng.Intn(points - 1)
		r := o.region[alloc]
		b := Block{Alloc: alloc, Last: alloc + rng.Intn(min(6, p.Regions[r].Body.To-alloc+1))}
		if rng.Intn(4) == 0 {
			b.Last = alloc + rng.Intn(p.Regions[r].Body.To-alloc+1)
		}
		for m := range monos {
			if c := int64(rng.Intn(4)) - 1; c > 0 && (m > 0 || rng.Intn(2) == 0) {
				b.Size = append(b.Size, Term{Mono: m + 10, Coef: c * 4})
			}
		}
		b.Known = alloc
		if rng.Intn(3) > 0 {
			b.Known = 0
		}
		if rng.Intn(6) == 0 {
			b.Within = r
		}
		switch rng.Intn(25) {
		case 0:
			b.Fixed, b.Within, b.Alloc, b.Lent = true, 0, 0, rng.Intn(2) == 0
		case 1:
			b.Pinned = true
		case 2, 3, 4:
			b.Rigid = true
		}
		for _, s := range samples {
			var v int64
			for _, t := range b.Size {
				v += t.Coef * s[t.Mono-10]
			}
			b.Sample = append(b.Sample, v)
		}
		p.Blocks = append(p.Blocks, b)
	}
	p.Conflicts = make([][]int, n)
	for a := range n {
		for b := range a {
			x, y := p.Blocks[a], p.Blocks[b]
			overlap := x.Alloc <= y.Last && y.Alloc <= x.Last
			if overlap && rng.Intn(8) > 0 || rng.Intn(12) == 0 {
				p.Conflicts[a] = append(p.Conflicts[a], b)
				p.Conflicts[b] = append(p.Conflicts[b], a)
			}
		}
	}
	if rng.Intn(2) == 0 { // it is known that 10 <= 11 <= 12
		p.AtMost = func(a, b Vec) bool {
			var d [3]int64
			for _, t := range a {
				d[t.Mono-10] -= t.Coef
			}
			for _, t := range b {
				d[t.Mono-10] += t.Coef
			}
			return d[2] >= 0 && d[1]+d[2] >= 0 && d[0]+d[1]+d[2] >= 0
		}
	}
	return p
}
