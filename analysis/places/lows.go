package places

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// lows finds atoms with constant lower bounds, and counts them from there.
func (v *prover) lows() {
	low := map[string]int64{}
	order := raiseAll(v.ge, low)
	if v.quotients(low) {
		order = append(order, raiseAll(v.ge, low)...)
	}
	for _, x := range order {
		if v.nonneg[x] {
			continue
		}
		v.nonneg[x] = true
		if c := low[x]; c != 0 {
			v.shift = append(v.shift, equation{x, atomPoly(x).AddConst(c)})
		}
	}
	v.recast(func(p poly) poly {
		for _, e := range v.shift {
			p = p.Subst(e.x, e.p)
		}
		return p
	})
}

// quotients adds h >= 1 if m*h >= 1 is known, for a product m of atoms that are not negative. It
// reports whether it added any.
func (v *prover) quotients(low map[string]int64) bool {
	n := len(v.ge)
	if rules.Off("places.quotients") {
		return false
	}
	for _, g := range v.ge {
		k := len(g.Terms) - 1
		if k < 2 || len(g.Terms[k].Atoms) > 0 || g.Terms[k].Coef >= 0 {
			continue // raised handles single terms
		}
		rest := poly{Terms: g.Terms[:k]}
		m := rest.Common()
		if len(m) == 0 || slices.ContainsFunc(m, func(x string) bool { l, ok := low[x]; return !ok || l < 0 }) {
			continue
		}
		v.ge = append(v.ge, rest.Over(m).AddConst(-1).Tighten())
	}
	return len(v.ge) > n
}

// raiseAll finds constant lower bounds. They follow from polynomials that are at least 0 and from
// known bounds. It returns the atoms whose bounds it raised, in the order of their first raise.
func raiseAll(ge []poly, low map[string]int64) (order []string) {
	for range 5 {
		changed := false
		raise := func(x string, c int64) {
			if old, known := low[x]; !known || c > old {
				low[x], changed = c, true
				if !slices.Contains(order, x) {
					order = append(order, x)
				}
			}
		}
		for _, p := range ge {
			m, c, least, ok := raised(p, low)
			switch {
			case !ok:
			case len(m) == 1:
				raise(m[0], -integer.FloorDiv(-least, c))
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
	return order
}

// raised reads c*m - rest >= 0 as c*m >= least. m is a product of atoms, and rest is bounded from
// below.
func raised(p poly, low map[string]int64) (m []string, c, least int64, ok bool) {
	for _, t := range p.Terms {
		if t.Coef > 0 && len(t.Atoms) > 0 {
			if m != nil {
				return nil, 0, 0, false
			}
			m, c = t.Atoms, t.Coef
			continue
		}
		u := -t.Coef // the constant, or the bound that the product must exceed
		for _, y := range t.Atoms {
			l, known := low[y]
			if !known || l < 0 {
				return nil, 0, 0, false
			}
			if u, known = integer.MulCoef(u, l); !known {
				return nil, 0, 0, false
			}
		}
		if least += u; least > integer.MaxCoef || least < -integer.MaxCoef {
			return nil, 0, 0, false
		}
	}
	return m, c, least, m != nil
}

// factors reads x*y*.. > 0: if at most one factor may be negative, then none is negative or zero.
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

// following returns a prover with more facts and the lower bounds of atoms that follow from them.
func (v *prover) following(ps ...poly) *prover {
	w := v.with(ps...)
	w.derive()
	return w
}

// derive adds the constant lower bounds of atoms that follow from known facts.
func (v *prover) derive() {
	if rules.Off("places.derive") {
		return
	}
	low := map[string]int64{}
	for x := range v.nonneg {
		low[x] = 0
	}
	for _, x := range raiseAll(v.ge, low) {
		v.know(atomPoly(x).AddConst(-low[x]))
	}
}
