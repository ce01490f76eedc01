package plan

import (
	"fmt"
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
)

// widest is the number of coefficients and samples up to which sums are kept.
const widest = 40

// A frame holds the common parts of all plans of a problem: regions, segments (ranges of points
// that no plan distinguishes), sizes as dense vectors, and the sums before any sharing.
type frame struct {
	*Problem
	depth     []int
	counted   int  // the blocks that count in sums or may share
	few       bool // the sums that matter are computed anew
	narrow    bool // there are too many different sizes to keep their sums
	monos     int
	names     []int // of the monomials
	samples   int
	size      []vector // per block
	class     []int    // per block a number that blocks of one size share
	segments  []segment
	segmentOf []int           // per point
	order     map[[2]int]bool // results of AtMost for two blocks
	covers    [][]vector      // per region: the greatest sums before any sharing
	named     []vector        // per segment: the sum of blocks held under their own names, before any sharing
	holders   []*holder
	keepers   []*Holder
	mayKeep   []bool   // per block: some holder may keep it
	extra     []vector // per segment: bytes that holders add to sums that must not rise; nil: none
	asked     int      // how often AtMost was asked about sums
}

// A vector is a dense sum of terms, followed by its values under the samples.
type vector []int64

// A segment is a range of points in one region at which the same blocks are held in every plan.
type segment struct{ from, region int }

func newFrame(p *Problem) *frame {
	f := &frame{Problem: p, depth: make([]int, len(p.Regions)), order: map[[2]int]bool{}}
	for r := 1; r < len(p.Regions); r++ {
		f.depth[r] = f.depth[p.Regions[r].Parent] + 1
	}
	f.vectors()
	f.cut()
	if !f.narrow {
		f.cover()
	}
	return f
}

// vectors numbers the monomials that occur, and makes the vectors of sizes: the coefficients, then
// the samples. With many blocks of many sizes one coefficient stands for any size.
func (f *frame) vectors() {
	number := map[int]int{}
	for _, b := range f.Blocks {
		for _, t := range b.Size {
			if _, ok := number[t.Mono]; !ok {
				number[t.Mono] = len(number)
				f.names = append(f.names, t.Mono)
			}
		}
		f.samples = max(f.samples, len(b.Sample))
		if !b.Pinned || len(b.Size) > 0 {
			f.counted++
		}
	}
	f.classes()
	f.addHolders(len(number))
	f.monos = len(number) + f.unequal()
	wide := f.monos+f.samples > widest
	f.few = !f.Alike && f.counted <= smallBlocks && !rules.Off("reuse.few")
	if f.narrow = f.Alike || wide && !f.few; f.narrow {
		f.monos, f.names = 1, nil
	}
	width := f.monos + f.samples
	f.size = make([]vector, len(f.Blocks))
	all := make(vector, width*len(f.Blocks))
	for k, b := range f.Blocks {
		f.size[k], all = all[:width:width], all[width:]
		if f.narrow {
			f.size[k][0] = 1 // only blocks of one size are compared
		} else {
			for _, t := range b.Size {
				f.size[k][number[t.Mono]] += t.Coef
			}
		}
		copy(f.size[k][f.monos:], b.Sample)
	}
	f.weigh()
}

// classes numbers the sizes.
func (f *frame) classes() {
	f.class = make([]int, len(f.Blocks))
	known := map[string]int{}
	for b := range f.Blocks {
		key := fmt.Sprint(slices.SortedFunc(slices.Values(f.Blocks[b].Size), func(a, b Term) int { return a.Mono - b.Mono }))
		if _, ok := known[key]; !ok {
			known[key] = len(known)
		}
		f.class[b] = known[key]
	}
}

// cut makes the segments. A span begins at an allocation or at a statement around one, and ends
// after a last use or a statement around one.
func (f *frame) cut() {
	cuts := make([]int, 0, 2*len(f.Blocks)+4*len(f.Regions))
	end := f.Regions[0].Body.To
	for _, b := range f.Blocks {
		cuts = append(cuts, b.Alloc, b.Last+1)
	}
	for _, h := range f.Holders {
		cuts = append(cuts, h.Span.From, h.Span.To+1)
	}
	for _, r := range f.Regions {
		cuts = append(cuts, r.Body.From, r.Body.To+1, r.Stmt.From, r.Stmt.To+1)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	for _, p := range cuts {
		if p >= 0 && p <= end {
			f.segments = append(f.segments, segment{from: p})
		}
	}
	f.segmentOf = make([]int, end+1)
	k := 0
	for p := range f.segmentOf {
		if k+1 < len(f.segments) && f.segments[k+1].from == p {
			k++
		}
		f.segmentOf[p] = k
	}
	for r := range f.Regions { // parents first
		from, to := f.range_(f.Regions[r].Body)
		for k := from; k <= to; k++ {
			f.segments[k].region = r
		}
	}
}

// segmentAt returns the segment of a point.
func (f *frame) segmentAt(p int) int { return f.segmentOf[min(p, len(f.segmentOf)-1)] }

// regionAt returns the innermost region of a point.
func (f *frame) regionAt(p int) int { return f.segments[f.segmentAt(p)].region }

// common returns the innermost region that contains both.
func (f *frame) common(r, s int) int {
	for r != s {
		if f.depth[r] < f.depth[s] {
			r, s = s, r
		}
		r = f.Regions[r].Parent
	}
	return r
}

// around reports whether region outer contains inner, or is it.
func (f *frame) around(outer, inner int) bool { return f.common(outer, inner) == outer }

// lift returns the points of the statement of region r that contains a point of the inner region s.
// If r is s, it returns the point itself.
func (f *frame) lift(p, s, r int) Span {
	span := Span{From: p, To: p}
	for s != r {
		span = f.Regions[s].Stmt
		s = f.Regions[s].Parent
	}
	return span
}

// atMost reports whether block a has room in block b.
func (f *frame) atMost(a, b int) bool {
	if a == b || f.class[a] == f.class[b] {
		return true
	}
	if f.narrow {
		return false // only blocks of one size share then
	}
	if f.Fits == nil && f.covered(f.size[a], f.size[b]) {
		return true
	}
	if f.Fits == nil && (f.AtMost == nil || f.refuted(f.size[a], f.size[b])) {
		return false
	}
	key := [2]int{a, b}
	known, ok := f.order[key]
	if !ok {
		if f.Fits != nil {
			known = f.Fits(a, b)
		} else {
			known = f.AtMost(f.Blocks[a].Size, f.Blocks[b].Size)
		}
		f.order[key] = known
	}
	return known
}

// covered reports whether v <= w in every coefficient.
func (f *frame) covered(v, w vector) bool {
	for k := range f.monos {
		if v[k] > w[k] {
			return false
		}
	}
	return true
}

// refuted reports whether v > w for some sample.
func (f *frame) refuted(v, w vector) bool {
	for k := f.monos; k < len(v); k++ {
		if v[k] > w[k] {
			return true
		}
	}
	return false
}

// terms returns a vector's sum.
func (f *frame) terms(v vector) Vec {
	var out Vec
	for k, c := range v[:len(f.names)] {
		if c != 0 {
			out = append(out, Term{Mono: f.names[k], Coef: c})
		}
	}
	return out
}

func (f *frame) zero() vector { return make(vector, f.monos+f.samples) }

func (v vector) add(w vector, sign int64) {
	for k, c := range w {
		v[k] += sign * c
	}
}
