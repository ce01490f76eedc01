package places

import (
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir/lmad"
)

// Note [Two runs that meet]
//
// The examples of a function know one number for an index. Most questions about two threads have the
// answer no, and two numbers show that: thread 1 reads element 2 * i where thread 2 writes element i. So each
// example is tried with small numbers for an index, up to its own number there, which lies in the index's
// range. All other names that may differ in two runs are unknown then; and the facts within the two
// runs, which the example's own number may have been chosen for, must hold with the new one.

// tried is how many numbers of an index are tried.
const tried = 4

// other is the number that an example takes for a name instead of its own. Names that may differ have
// none.
type other struct {
	of      *examples
	name    string
	number  int64
	differs map[string]string
}

func (o *other) all(name string) (v [nExamples]int64) {
	_, differs := o.differs[name]
	switch {
	case name == o.name:
		for k := range v {
			v[k] = o.number
		}
	case differs || name[0] == '?' || !isName(name):
		for k := range v {
			v[k] = noNumber
		}
	default:
		v = o.of.all(name)
	}
	return v
}

// meet reports whether an example shows that a in one run and b in another have a unit in common.
func (t TwoRuns) meet(a, b lmad.Fun, perA, perB int64, indices []string) bool {
	if rules.Off("places.meet") {
		return false
	}
	return t.first.counter(func(k int) bool {
		if t.second.holds>>k&1 == 0 {
			return false
		}
		for _, x := range indices {
			var as, bs [tried][]int64
			for n := range min(tried, t.first.examples.of(x, k)+1) {
				as[n] = t.first.unitsWith(t, a, perA, k, x, n)
				bs[n] = t.second.unitsWith(t, b, perB, k, x, n)
			}
			for n := range as {
				for m := range bs {
					if n != m && common(as[n], bs[m]) {
						return true
					}
				}
			}
		}
		return false
	})
}

// unitsWith returns the first units of an array in an example with another number for an index, or none if the
// facts do not hold with it.
func (f Facts) unitsWith(t TwoRuns, a lmad.Fun, per int64, k int, x string, n int64) []int64 {
	within := f.since(t.outer)
	f.examples = &examples{other: &other{f.examples, x, n, t.other}}
	for _, known := range within {
		if !f.agrees(known, k) {
			return nil
		}
	}
	out, _ := f.units(a, per, k)
	return out
}

// agrees reports whether a fact holds in an example.
func (f Facts) agrees(known *fact, k int) bool {
	value := func(p poly) (int64, bool) {
		return p.Value(func(atom string) (int64, bool) {
			v := f.examples.of(atom, k)
			return v, v > -maxNumber && v < maxNumber
		})
	}
	switch known.kind {
	case inBounds:
		lo, ok := value(known.lo)
		hi, ok2 := value(known.hi)
		x, ok3 := value(atomPoly(known.x))
		return ok && ok2 && ok3 && lo <= x && x <= hi
	case defined:
		return true
	}
	v, ok := value(known.p)
	switch known.kind {
	case atLeastZero:
		ok = ok && v >= 0
	case isZero:
		ok = ok && v == 0
	case notZero:
		ok = ok && v != 0
	}
	return ok
}
