package places

import (
	"github.com/memc-lang/memc/internal/base/rules"
	"slices"

	"github.com/memc-lang/memc/ir/lmad"
)

// Note [Examples of two threads]
// ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
// The claim that two threads have no byte in common usually has a short proof or none. To see early
// that it has none, memc takes an example of two threads: all names keep their numbers, except the
// indices, which get a few small ones. Thread 1 that reads xs[2 * i] and thread 2 that writes ys[i]
// meet at 2. All facts within the kernel must hold for both threads. If such a fact mentions a name
// that the kernel's body binds, there is no example. Like all examples, these only end searches
// early.

const maxThreads = 4 // of one kernel, in one example

// twoThreads are the examples that are tried: a large one with enough threads, and a small one,
// whose arrays can be compared element by element.
var twoThreads = [...]int{2, 0}

// Meet reports whether in some example two different threads of a kernel have a byte in common: one
// thread in a, with the facts f, the other in b, with the facts g. names differ between threads,
// among them the kernel's indices; outer are the facts around the kernel.
func (f Facts) Meet(g, outer Facts, a, b lmad.Fun, elemA, elemB int64, indices, names []string) bool {
	if rules.Off("places.meet") {
		return false
	}
	perA, perB, ok := units(elemA, elemB)
	holds := f.holds & g.holds & outer.holds
	if !ok || holds == 0 || len(indices) == 0 || f.examples != g.examples {
		return false
	}
	own := func(x string) bool { return slices.Contains(names, x) && !slices.Contains(indices, x) }
	if slices.ContainsFunc(a.Names(), own) || slices.ContainsFunc(b.Names(), own) {
		return false
	}
	mine, others := f.since(outer), g.since(outer)
	if max(len(mine), len(others)) == maxFacts { // there may be more
		return false
	}
	for _, k := range twoThreads {
		if holds>>k&1 == 0 {
			continue
		}
		var as, bs [maxThreads][]int64
		for n := range maxThreads {
			thread := f.thread(indices, n)
			if thread.allows(mine, names, indices, k) {
				as[n], _ = thread.units(a, perA, k)
			}
			if thread.allows(others, names, indices, k) {
				bs[n], _ = thread.units(b, perB, k)
			}
		}
		for i, xs := range as {
			for j, ys := range bs {
				if i != j && common(xs, ys) {
					return true
				}
			}
		}
	}
	return false
}

// thread returns the examples of one thread: its number along one index, or along two by turns.
func (f Facts) thread(indices []string, n int) Facts {
	own := map[string]int64{}
	for _, x := range indices {
		own[x] = 0
	}
	if len(indices) == 1 {
		own[indices[0]] = int64(n)
	} else {
		own[indices[0]], own[indices[1]] = int64(n>>1), int64(n&1)
	}
	f.examples = &examples{thread: own, outer: f.examples}
	return f
}

// allows reports whether facts on names that differ hold of a thread. Others hold in the example.
func (f Facts) allows(facts []*fact, names, indices []string, k int) bool {
	for _, c := range facts {
		if slices.ContainsFunc(c.hidden, func(x string) bool { return slices.Contains(names, x) }) {
			return false
		}
		known := true
		value := func(x string) (int64, bool) {
			known = known && isName(x) && (slices.Contains(indices, x) || !slices.Contains(names, x))
			return f.examples.of(x, k), known
		}
		p, ok := c.p.Value(value)
		switch c.kind {
		case atLeastZero:
			ok = ok && p >= 0
		case isZero:
			ok = ok && p == 0
		case notZero:
			ok = ok && p != 0
		case inBounds: // the two facts before say the same
			ok = true
		case defined:
			ok = false
		}
		if !ok || !known {
			return false
		}
	}
	return true
}

// common reports whether two ascending lists share a number.
func common(xs, ys []int64) bool {
	return slices.ContainsFunc(xs, func(x int64) bool { _, in := slices.BinarySearch(ys, x); return in })
}
