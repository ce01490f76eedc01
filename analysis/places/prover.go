package places

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
)

// An equation says that x may be replaced by p, which is free of x.
type equation struct {
	x string
	p poly
}

// A bound says lo <= x <= hi or, of a min or max, that x is one of the two.
type bound struct {
	x      string
	lo, hi poly
	of     boundKind
}

// A boundKind tells which of its bounds an atom is.
type boundKind uint8

const (
	between boundKind = iota // any value within
	lesser                   // the lesser one: a min
	greater                  // the greater one: a max
)

// maxEquations bounds the equalities of one question: to substitute them into each other takes time
// in the square of their number.
const maxEquations = 64

// A prover knows facts in coordinates of its own: equalities are substituted, and a name that is at
// least some constant is counted from there. So "is not negative for all values" often becomes "has
// no negative coefficient". enter brings polynomials into these coordinates.
type prover struct {
	eqs    []equation
	shift  []equation
	nonneg map[string]bool
	ge     []poly
	bounds []bound // innermost first
	work   *int    // what all proofs of one question may still cost
	nodes  int
	models []model // see Note [Models]
	absurd bool    // some fact is that a negative number is at least 0
}

// prover builds a prover for questions about the given polynomials, which cv has converted.
func (f Facts) prover(cv *converter, about ...poly) *prover {
	work := maxWork
	return newProver(cv, f.relevant(cv, about), given{}, &work, maxAssume)
}

// congruent returns the substitution of all that is known to be equal modulo 2^64.
func (f Facts) congruent(cv *converter, about ...poly) func(poly) poly {
	v := &prover{}
	eqs := slices.Clone(cv.wrapped)
	for _, k := range f.relevant(cv, about) {
		if k.kind == isZero && len(eqs) < maxEquations {
			eqs = append(eqs, k)
		}
	}
	v.orient(eqs)
	return v.substitute
}

// newProver builds one from facts, what cv gathered, and what is given. The conditions of axioms may take so many
// steps.
func newProver(cv *converter, known []*fact, g given, work *int, assume int) *prover {
	v := &prover{nonneg: map[string]bool{}, work: work}
	axioms := slices.Clone(cv.axioms)
	eqs := slices.Clip(g.eq)
	for _, k := range cv.wrapped {
		if k.exact || cv.ranges.exact(k.p, k.x) {
			eqs = append(eqs, k)
		}
	}
	tries := maxEquations // one equation less is only a proof less
	for _, k := range known {
		axioms = append(axioms, k.axioms...)
		switch k.kind {
		case atLeastZero:
			v.ge = append(v.ge, k.p)
		case isZero:
			if tries--; tries >= 0 && (k.exact || cv.ranges.exact(k.p, k.x)) {
				eqs = append(eqs, k)
			}
		case inBounds:
			v.bounds = append(v.bounds, bound{x: k.x, lo: k.lo, hi: k.hi})
		}
	}
	v.ge = append(v.ge, g.ge...)
	var conditional []axiom
	for _, a := range axioms {
		if a.either != nil {
			v.bounds = append(v.bounds, *a.either)
		}
		if len(a.given) == 0 {
			v.ge = append(v.ge, a.then...)
		} else {
			conditional = append(conditional, a)
		}
	}
	v.orient(eqs)
	v.recast(func(p poly) poly { return v.substitute(p) })
	v.lows()
	v.exemplify(cv.facts)
	if v.assume(conditional, assume) {
		v.derive()
	}
	return v
}

// exemplify makes models of the examples.
func (v *prover) exemplify(f Facts) {
	if f.holds == 0 || rules.Off("places.models") {
		return
	}
	atoms := v.atoms()
	for k := range nExamples {
		if m, ok := f.model(atoms, k); ok && f.holds>>k&1 == 1 {
			for _, e := range v.shift { // x = x' + c
				if x, known := m[e.x]; known {
					c, _ := e.p.Sub(atomPoly(e.x)).IsConst()
					m[e.x] = x - c
				}
			}
			if v.holds(m) {
				v.models = append(v.models, m)
			}
		}
	}
}

// orient turns each equality that has an atom alone into an equation, and other equalities into two
// inequalities. Equalities come newest first, and a name with a definition is replaced by it. So
// everything leads back to the oldest names, which have the most facts, and to the min and max in
// definitions.
func (v *prover) orient(eqs []*fact) {
	for _, k := range eqs {
		p := v.substitute(k.p)
		x, rhs, ok := solve(p, k.x)
		if ok {
			v.eqs = append(v.eqs, equation{x, rhs})
		} else if !p.Is(0) {
			v.ge = append(v.ge, p, p.Neg())
		}
	}
}

func (v *prover) substitute(p poly) poly {
	for _, e := range v.eqs {
		p = p.Subst(e.x, e.p)
	}
	return p
}

// enter brings a polynomial into the prover's coordinates.
func (v *prover) enter(p poly) poly {
	p = v.substitute(p)
	for _, e := range v.shift {
		p = p.Subst(e.x, e.p)
	}
	return p
}

// recast rewrites all facts, and drops those that become trivial or bad.
func (v *prover) recast(by func(poly) poly) {
	ge := v.ge[:0:0]
	for _, p := range v.ge {
		p = by(p).Tighten()
		c, ok := p.IsConst()
		v.absurd = v.absurd || ok && c < 0
		if ok || p.Bad || slices.ContainsFunc(ge, p.Equal) {
			continue
		}
		ge = append(ge, p)
	}
	v.ge = ge
	bounds := v.bounds[:0:0]
	for _, b := range v.bounds {
		if x := by(atomPoly(b.x)); len(x.Terms) > 0 && len(x.Terms[0].Atoms) == 1 && x.Terms[0].Atoms[0] == b.x && x.Terms[0].Coef == 1 {
			// x = x' + c, or x itself.
			lo, hi := by(b.lo), by(b.hi)
			if c, ok := x.Sub(atomPoly(b.x)).IsConst(); ok && !lo.Bad && !hi.Bad && !lo.Has(b.x) && !hi.Has(b.x) {
				b.lo, b.hi = lo.AddConst(-c), hi.AddConst(-c)
				bounds = append(bounds, b)
			}
		}
	}
	v.bounds = bounds
}

// assume adds the conclusions of axioms whose conditions are provable. It reports whether there
// were any. Its work has a bound of its own: most questions need none of the axioms.
func (v *prover) assume(axioms []axiom, work int) bool {
	n := len(axioms)
	if rules.Off("places.axioms") {
		return false
	}
	defer func(of *int) { v.work = of }(v.work)
	v.work = &work
	for range 2 {
		rest := axioms[:0:0]
		for _, a := range axioms {
			ok := true
			for _, p := range a.given {
				p = v.enter(p)
				if ok = !v.below(p) && v.plain(p); !ok {
					break
				}
			}
			if !ok {
				rest = append(rest, a)
				continue
			}
			for _, p := range a.then {
				v.know(v.enter(p))
			}
		}
		if len(rest) == len(axioms) {
			break
		}
		axioms = rest
	}
	return len(axioms) < n
}

// below reports whether p is at most 0, and in most runs less.
func (v *prover) below(p poly) bool {
	for _, t := range p.Terms {
		if t.Coef > 0 || !v.monoNonNegative(t.Atoms) {
			return false
		}
	}
	return len(p.Terms) > 0
}

// know adds p >= 0, in the prover's coordinates.
func (v *prover) know(p poly) {
	p = p.Tighten()
	c, ok := p.IsConst()
	v.absurd = v.absurd || ok && c < 0
	if ok || p.Bad || slices.ContainsFunc(v.ge, p.Equal) {
		return
	}
	v.ge = append(slices.Clip(v.ge), p)
	v.keep(p)
	if len(p.Terms) == 1 && len(p.Terms[0].Atoms) == 1 && p.Terms[0].Coef > 0 && !v.nonneg[p.Terms[0].Atoms[0]] {
		nn := map[string]bool{p.Terms[0].Atoms[0]: true}
		for x := range v.nonneg {
			nn[x] = true
		}
		v.nonneg = nn
	}
}

// with returns a prover that knows more; v stays as it is.
func (v *prover) with(ps ...poly) *prover {
	w := *v
	for _, p := range ps {
		w.know(p)
	}
	return &w
}
