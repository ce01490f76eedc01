package memcheck

import (
	"slices"

	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// Note [Witnesses]. An error says that the program goes wrong in some run, so there must be one: a run
// that the interpreter by memory stops, or that gives something else than by value. Whatever else is found is a limitation. An error needs all of:
//
//   - The overlap is certain, of elements that are surely written and then surely read. Nothing can
//     have made them anew: damage that went through a branch, a loop, a call or an update of the
//     same elements is no longer sure. To hand an array on is not to read it.
//   - There are values of the entry's parameters with which the regions hold elements and everything
//     that the checker knows there is true. A proof that regions overlap if they hold elements says
//     less: an array of fmod(0, n) elements never holds any. The search chooses values for the names
//     that a run may give any value: sizes, scalar parameters, and counters within their bounds.
//     It computes the values that follow. Where a fact mentions anything else (an element, the
//     result of a branch, a loop or a call), no error is certain.
//   - The run comes there: no loop, kernel or call before may end the run, or never end (function.doubt).

const (
	// witnessFuel bounds the conditions looked at for one finding, allFuel those for all
	// of a function; what takes more is a limitation.
	witnessFuel = 100_000
	allFuel     = 10_000_000
)

// A witness is a search for values.
type witness struct {
	f      *function
	facts  *facts
	env    map[int32]int64
	order  []int32 // the names that get values
	seen   map[int32]bool
	failed bool
	must   []func() (holds, known bool) // known when all names have values
	left   int
}

// may reports whether there are values with which all of given are at least 0, the
// regions hold elements, and all holds that g knows.
func (f *function) may(g *facts, given []poly, rs ...region) bool {
	if g.impossible {
		return false
	}
	w := &witness{f: f, facts: g, env: map[int32]int64{}, seen: map[int32]bool{}, left: min(witnessFuel, f.searched)}
	had := w.left
	defer func() { f.searched -= had - max(w.left, 0) }()
	for _, r := range rs {
		for _, n := range r.names() {
			w.need(n)
		}
		for _, d := range r.dims {
			given = append(given[:len(given):len(given)], d.len.AddConst(-1))
		}
	}
	for _, p := range given {
		w.needAll(p)
		w.must = append(w.must, w.atLeast(p))
	}
	for _, p := range g.assumed {
		w.needAll(p)
		w.must = append(w.must, w.atLeast(p))
	}
	for _, p := range g.differ {
		w.needAll(p)
		w.must = append(w.must, func() (bool, bool) { v, ok := w.value(p); return v != 0, ok })
	}
	for _, c := range g.conds {
		w.needTruth(c.exp)
		w.must = append(w.must, func() (bool, bool) { v, ok := w.truth(c.exp); return v == c.holds, ok })
	}
	slices.SortStableFunc(w.order, func(x, y int32) int { return g.lookup(x).compare(g.lookup(y)) })
	return !w.failed && w.search(0)
}

func (w *witness) atLeast(p poly) func() (bool, bool) {
	return func() (bool, bool) { v, ok := w.value(p); return v >= 0, ok }
}

func (w *witness) needAll(p poly) {
	w.failed = w.failed || p.Bad
	for _, n := range p.Atoms() {
		w.need(n)
	}
}

// need enters a name that must have a value, or the names in its definition.
func (w *witness) need(n int32) {
	if w.seen[n] {
		return
	}
	w.seen[n] = true
	if p, ok := w.f.computed(n); ok {
		w.needAll(p)
		return
	}
	v := w.facts.lookup(n)
	if computes(v.exp) {
		w.needOperands(v.exp)
		return
	}
	if v.ring != nil {
		v.ring.of.Terms(func(_ int64, factors []sym.Factor) {
			for _, x := range factors {
				w.need(w.f.names.atom(x))
			}
		})
	} else {
		w.failed = w.failed || !v.free
		w.order = append(w.order, n)
	}
	for _, b := range v.los {
		w.needAll(b.p)
		w.must = append(w.must, w.atLeast(asPoly(n).Scale(b.den).Sub(b.p)))
	}
	for _, b := range v.his {
		w.needAll(b.p)
		w.must = append(w.must, w.atLeast(b.p.Sub(asPoly(n).Scale(b.den))))
	}
}

// search returns values to the names from the k-th on.
func (w *witness) search(k int) bool {
	for _, c := range w.must {
		if holds, known := c(); known && !holds || !known && k == len(w.order) {
			return false
		}
	}
	if k == len(w.order) {
		return true
	}
	n := w.order[k]
	for _, v := range w.candidates(n) {
		if w.left -= len(w.must); w.left < 0 {
			break
		}
		w.env[n] = v
		if w.search(k + 1) {
			return true
		}
	}
	delete(w.env, n)
	return false
}

// candidates returns values to try, small ones and those at the bounds.
func (w *witness) candidates(n int32) []int64 {
	v := w.facts.lookup(n)
	var out []int64
	try := func(cs ...int64) {
		for _, c := range cs {
			if !slices.Contains(out, c) {
				out = append(out, c)
			}
		}
	}
	try(1, 2, 3, 0, -1)
	for _, b := range v.los {
		if c, ok := w.value(b.p); ok {
			c = -integer.FloorDiv(-c, b.den)
			try(c, c+1, c+2)
		}
	}
	for _, b := range v.his {
		if c, ok := w.value(b.p); ok {
			c = integer.FloorDiv(c, b.den)
			try(c, c-1)
		}
	}
	return out
}
