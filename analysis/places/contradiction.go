package places

import "github.com/memc-lang/memc/internal/base/rules"

// maxContradiction bounds the facts that are held against the others, the newest.
const maxContradiction = 16

// Contradictory reports whether the facts visibly contradict one another. Then no run reaches a
// point where they hold, and anything may be proved there.
func (f Facts) Contradictory() bool {
	if f.holds != 0 || rules.Off("places.contradiction") {
		return false
	}
	n := 0
	for k := f.last; k != nil && n < maxContradiction; k = k.before {
		if k.kind != atLeastZero || k.p.Bad {
			continue
		}
		n++
		// What p says of opaque atoms came with it.
		v := f.prover(&converter{ranges: f.ranges, axioms: k.axioms, hidden: k.hidden}, k.p)
		if v.atLeastZero(v.enter(k.p.Scale(-1).AddConst(-1))) {
			return true
		}
	}
	return false
}
