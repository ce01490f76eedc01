package places

import "slices"

// maxSplits is how many facts a != b one question tries both ways.
const maxSplits = 3

// cases asks a question about some polynomials: with all that is known and,
// where that is not enough, for either way of each a != b, a < b and a > b.
func (f Facts) cases(cv *converter, about, extra []poly, goal func(v *prover, ps []poly) bool) bool {
	var unequal []poly // newest first
	known := f.relevant(slices.Concat(about, extra), cv.axioms)
	for _, k := range known {
		if k.kind == notZero && len(unequal) < maxSplits {
			unequal = append(unequal, k.p)
		}
	}
	work := maxWork
	var try func(extra, unequal []poly) bool
	try = func(extra, unequal []poly) bool {
		v := newProver(cv, known, extra, &work)
		ps := make([]poly, len(about))
		for k, p := range about {
			ps[k] = v.enter(p)
		}
		if goal(v, ps) {
			return true
		}
		if len(unequal) == 0 || work <= 0 {
			return false
		}
		p := unequal[0]
		extra = extra[:len(extra):len(extra)]
		return try(append(extra, p.addc(-1)), unequal[1:]) &&
			try(append(extra, p.neg().addc(-1)), unequal[1:])
	}
	return try(extra, unequal)
}
