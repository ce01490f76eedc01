package places

import "slices"

// An equation says that x may be replaced by p, which is free of x.
type equation struct {
	x string
	p poly
}

// A bound says lo <= x <= hi or, of a min or max, that x is one of the two.
type bound struct {
	x      string
	lo, hi poly
	of     choice
}

// A choice tells which of its bounds an atom is.
type choice uint8

const (
	between choice = iota // any value within
	lesser                // the lesser one: a min
	greater               // the greater one: a max
)

// maxEquations bounds the equalities of one question: substituting them into each
// other takes the square of their number.
const maxEquations = 64

// A prover knows facts in coordinates that suit it: equalities are substituted,
// and names that are at least some constant are counted from there, so that
// "is not negative for all values" is often "has no negative coefficient".
// Polynomials come into these coordinates by enter.
type prover struct {
	eqs    []equation
	shift  []equation
	nonneg map[string]bool
	ge     []poly
	bounds []bound // innermost first
	work   *int    // what all proofs of one question may still cost
	nodes  int
}

// prover builds one for questions about the polynomials given, which cv has
// converted.
func (f Facts) prover(cv *converter, about ...poly) *prover {
	work := maxWork
	return newProver(cv, f.relevant(about, cv.axioms), nil, &work)
}

// newProver builds one from facts, what cv gathered, and extra facts p >= 0.
func newProver(cv *converter, known []*fact, extra []poly, work *int) *prover {
	v := &prover{nonneg: map[string]bool{}, work: work}
	axioms := slices.Clone(cv.axioms)
	var eqs []poly
	for _, k := range known {
		axioms = append(axioms, k.axioms...)
		switch k.kind {
		case atLeastZero:
			v.ge = append(v.ge, k.p)
		case isZero:
			if len(eqs) < maxEquations { // one less is only a proof less
				eqs = append(eqs, k.p)
			}
		case inBounds:
			v.bounds = append(v.bounds, bound{x: k.x, lo: k.lo, hi: k.hi})
		}
	}
	v.ge = append(v.ge, extra...)
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
	v.assume(conditional)
	return v
}

func (k *fact) touches(atoms map[string]bool) bool {
	if k.kind == inBounds {
		return atoms[k.x]
	}
	for _, t := range k.p.t {
		for _, x := range t.m {
			if atoms[x] {
				return true
			}
		}
	}
	return false
}

// orient makes an equation of each equality that has an atom alone; others
// become two inequalities.
func (v *prover) orient(eqs []poly) {
	for _, p := range eqs {
		p = v.substitute(p)
		x, rhs, ok := p.solve()
		if ok {
			v.eqs = append(v.eqs, equation{x, rhs})
		} else if !p.isZero() {
			v.ge = append(v.ge, p, p.neg())
		}
	}
}

// solve gives x and q where p = 0 says x = q.
func (p poly) solve() (string, poly, bool) {
	for _, t := range p.t {
		if len(t.m) != 1 || t.c != 1 && t.c != -1 {
			continue
		}
		x := t.m[0]
		a, b, affine := p.collect(x)
		if c, ok := a.isConst(); affine && ok {
			return x, b.scale(-c), true
		}
	}
	return "", poly{}, false
}

func (v *prover) substitute(p poly) poly {
	for _, e := range v.eqs {
		p = p.subst(e.x, e.p)
	}
	return p
}

// enter brings a polynomial into the prover's coordinates.
func (v *prover) enter(p poly) poly {
	p = v.substitute(p)
	for _, e := range v.shift {
		p = p.subst(e.x, e.p)
	}
	return p
}

// recast rewrites all that is known; what becomes trivial or bad is dropped.
func (v *prover) recast(by func(poly) poly) {
	ge := v.ge[:0:0]
	for _, p := range v.ge {
		p = by(p).tighten()
		if _, ok := p.isConst(); ok || p.bad || slices.ContainsFunc(ge, p.equal) {
			continue
		}
		ge = append(ge, p)
	}
	v.ge = ge
	bounds := v.bounds[:0:0]
	for _, b := range v.bounds {
		if x := by(atomPoly(b.x)); len(x.t) > 0 && len(x.t[0].m) == 1 && x.t[0].m[0] == b.x && x.t[0].c == 1 {
			// x = x' + c, or x itself.
			lo, hi := by(b.lo), by(b.hi)
			if c, ok := x.sub(atomPoly(b.x)).isConst(); ok && !lo.bad && !hi.bad && !lo.has(b.x) && !hi.has(b.x) {
				b.lo, b.hi = lo.addc(-c), hi.addc(-c)
				bounds = append(bounds, b)
			}
		}
	}
	v.bounds = bounds
}

// lows finds atoms with constant lower bounds, and counts them from there.
func (v *prover) lows() {
	low := map[string]int64{}
	var order []string
	for range 5 {
		changed := false
		raise := func(x string, c int64) {
			old, known := low[x]
			if !known {
				order = append(order, x)
			}
			if !known || c > old {
				low[x], changed = c, true
			}
		}
		for _, p := range v.ge {
			m, c, least, ok := raised(p, low)
			switch {
			case !ok:
			case len(m) == 1:
				raise(m[0], -floorDiv(-least, c))
			case least > 0:
				for _, x := range factors(m, low) {
					raise(x, 1)
				}
			}
		}
		if !changed {
			break
		}
	}
	for _, x := range order {
		v.nonneg[x] = true
		if c := low[x]; c != 0 {
			v.shift = append(v.shift, equation{x, atomPoly(x).addc(c)})
		}
	}
	v.recast(func(p poly) poly {
		for _, e := range v.shift {
			p = p.subst(e.x, e.p)
		}
		return p
	})
}

// raised reads c*m - rest >= 0, m a product of atoms and all of rest bounded from
// below, as c*m >= least.
func raised(p poly, low map[string]int64) (m []string, c, least int64, ok bool) {
	for _, t := range p.t {
		if t.c > 0 && len(t.m) > 0 {
			if m != nil {
				return nil, 0, 0, false
			}
			m, c = t.m, t.c
			continue
		}
		u := -t.c // the constant, or what the product must exceed
		for _, y := range t.m {
			l, known := low[y]
			if !known || l < 0 {
				return nil, 0, 0, false
			}
			if u, known = mulCoef(u, l); !known {
				return nil, 0, 0, false
			}
		}
		if least += u; least > maxCoef || least < -maxCoef {
			return nil, 0, 0, false
		}
	}
	return m, c, least, m != nil
}

// factors reads x*y*.. > 0: where at most one factor may be negative, none is,
// and none is zero.
func factors(m []string, low map[string]int64) []string {
	unknown := 0
	for _, x := range m {
		if l, ok := low[x]; !ok || l < 0 {
			unknown++
		}
	}
	if unknown > 1 {
		return nil
	}
	return m
}

// assume adds what axioms give whose conditions are provable.
func (v *prover) assume(axioms []axiom) {
	for range 2 {
		rest := axioms[:0:0]
		for _, a := range axioms {
			ok := true
			for _, p := range a.given {
				if ok = v.atLeastZero(v.enter(p)); !ok {
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
			return
		}
		axioms = rest
	}
}

// know adds p >= 0, in the prover's coordinates.
func (v *prover) know(p poly) {
	p = p.tighten()
	if _, ok := p.isConst(); ok || p.bad || slices.ContainsFunc(v.ge, p.equal) {
		return
	}
	v.ge = append(slices.Clip(v.ge), p)
	if len(p.t) == 1 && len(p.t[0].m) == 1 && p.t[0].c > 0 && !v.nonneg[p.t[0].m[0]] {
		nn := map[string]bool{p.t[0].m[0]: true}
		for x := range v.nonneg {
			nn[x] = true
		}
		v.nonneg = nn
	}
}

// with gives a prover that knows more; v stays as it is.
func (v *prover) with(ps ...poly) *prover {
	w := *v
	for _, p := range ps {
		w.know(p)
	}
	return &w
}
