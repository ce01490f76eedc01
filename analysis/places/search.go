package places

import (
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// Bounds of one search.
const (
	maxDepth     = 8     // facts used in one proof
	maxNodes     = 160   // polynomials visited by one proof; more gain nothing in the random tests
	maxWork      = 30000 // and by all proofs of one question
	maxHard      = 1e7   // by all questions about a function; those after that get maxTired
	maxTired     = 3000
	maxPlain     = 48   // polynomials visited in search of an obvious proof
	maxAssume    = 2000 // and for all conditions of axioms
	maxEliminate = 4    // bounded names replaced by their extremes
)

// depths of the searches for one proof, each with more facts.
var depths = []int{2, 3, 4, 6, maxDepth}

// zero reports whether p = 0 is provable.
func (v *prover) zero(p poly) bool {
	return p.Is(0) || v.atLeastZero(p) && v.atLeastZero(p.Neg())
}

// atLeastZero reports whether p >= 0 is provable, by Note [Cancelling] and, if that does not
// suffice, Note [Extremes].
func (v *prover) atLeastZero(p poly) bool { return v.eliminate(p, maxEliminate) }

func (v *prover) eliminate(p poly, depth int) bool {
	if p.Bad || *v.work <= 0 {
		return false
	}
	if v.refuted(p) {
		*v.work--
		return false
	}
	v.nodes = min(maxNodes, *v.work)
	start := v.nodes
	// Short proofs first: a wrong turn at the start costs little then.
	ok, failed := false, map[string]int{}
	for k, depth := range depths {
		if k == 1 && v.disprove(p) {
			break
		}
		if ok = v.cancel(p, depth, failed); ok {
			break
		}
	}
	*v.work -= start - v.nodes + 1
	if ok || depth == 0 || *v.work <= 0 || v.refuted(p) {
		return ok
	}
	for _, b := range v.bounds {
		if rules.Off("places.extremes") && b.of == between || rules.Off("places.either") && b.of != between {
			continue
		}
		if !p.Has(b.x) {
			continue
		}
		if b.of != between {
			return v.either(b, p, depth-1)
		}
		if _, _, affine := p.Collect(b.x); !affine {
			continue
		}
		// One name is enough: the others are tried in turn.
		return v.eliminate(p.Subst(b.x, b.lo), depth-1) && v.eliminate(p.Subst(b.x, b.hi), depth-1)
	}
	return false
}

// plain reports whether p >= 0 is provable in a few steps.
func (v *prover) plain(p poly) bool {
	if v.refuted(p) {
		return false
	}
	v.nodes = min(maxPlain, *v.work)
	start, failed := v.nodes, map[string]int{}
	defer func() { *v.work -= start - v.nodes + 1 }()
	return v.cancel(p, depths[0], failed) || v.cancel(p, depths[1], failed)
}

// either proves p >= 0 for both values that a min or max may have. Each value tells which of the
// two is the lesser.
func (v *prover) either(b bound, p poly, depth int) bool {
	x := atomPoly(b.x)
	for _, y := range []poly{b.lo, b.hi} {
		order := b.lo.Add(b.hi).Sub(y).Sub(y) // the other one less this one
		if b.of == greater {
			order = order.Neg()
		}
		if !v.with(order, x.Sub(y), y.Sub(x)).eliminate(p.Subst(b.x, y), depth) {
			return false
		}
	}
	return true
}

// cancel proves p >= 0: it subtracts multiples of polynomials known to be at least 0, until no term
// can be negative.
func (v *prover) cancel(p poly, depth int, failed map[string]int) bool {
	p = p.Tighten()
	if p.Bad || v.nodes <= 0 {
		return false
	}
	v.nodes--
	var doubtful term
	found, hope := false, false
	for _, t := range p.Terms {
		ok := v.monoNonNegative(t.Atoms)
		if ok && t.Coef > 0 {
			hope = true
			continue
		}
		hope = hope || !ok
		if !found {
			doubtful, found = t, true
		}
	}
	if !found {
		return true
	}
	if k := len(p.Terms) - 1; !hope && len(p.Terms[k].Atoms) == 0 || depth == 0 {
		return false // less than 0 wherever the facts do not contradict
	}
	key := key(p)
	if d, ok := failed[key]; ok && d >= depth {
		return false
	}
	for _, g := range v.ge {
		for _, t := range g.Terms {
			if (t.Coef < 0) != (doubtful.Coef < 0) {
				continue
			}
			m, ok := integer.Quotient(doubtful.Atoms, t.Atoms)
			if !ok || !v.monoNonNegative(m) {
				continue
			}
			// p >= 0 follows from a*p - b*m*g >= 0, with a > 0 and b > 0.
			a, b := integer.Abs(t.Coef), integer.Abs(doubtful.Coef)
			h := integer.GCD(a, b)
			next := p.Scale(a / h).Sub(g.MulTerm(term{Coef: b / h, Atoms: m}))
			if v.cancel(next, depth-1, failed) {
				return true
			}
		}
	}
	failed[key] = depth
	return false
}

func (v *prover) monoNonNegative(m []string) bool {
	for k := 0; k < len(m); k++ {
		if v.nonneg[m[k]] {
			continue
		}
		if k+1 == len(m) || m[k+1] != m[k] { // a square is not negative
			return false
		}
		k++
	}
	return true
}
