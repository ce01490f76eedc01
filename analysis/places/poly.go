package places

import (
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir/sym/integer"
)

// A poly is a polynomial over the integers, not over wrapping machine words: see Note [No
// wrapping]. Its atoms are names and opaque expressions, by their texts.
type (
	poly = integer.Poly[string]
	term = integer.Term[string]
)

func constant(c int64) poly {
	if c > integer.MaxCoef || c < -integer.MaxCoef {
		return poly{Bad: true}
	}
	return integer.Const[string](c)
}

func atomPoly(key string) poly { return integer.Atom(key) }

// single reports whether p is one atom.
func single(p poly) bool {
	_, ok := p.IsAtom()
	return ok
}

// plain reports whether p is one atom or a constant.
func plain(p poly) bool {
	_, isConst := p.IsConst()
	return isConst || single(p)
}

// mention records the atoms that occur.
func mention(p poly, into map[string]bool) {
	for _, t := range p.Terms {
		for _, x := range t.Atoms {
			into[x] = true
		}
	}
}

// rename replaces atoms that are names, all at once.
func rename(p poly, names map[string]string) poly {
	return p.SubstAll(func(x string) (poly, bool) { y, ok := names[x]; return atomPoly(y), ok })
}

// alone returns p without a term, if that is an atom with factor 1 or -1 which occurs in no other term.
func alone(p poly, term int) (rest poly, ok bool) {
	t := p.Terms[term]
	if p.Bad || len(t.Atoms) != 1 || t.Coef != 1 && t.Coef != -1 {
		return poly{}, false
	}
	for k, u := range p.Terms {
		if k != term && slices.Contains(u.Atoms, t.Atoms[0]) {
			return poly{}, false
		}
	}
	return p.Without(term), true
}

// solve returns x and q where p = 0 says x = q; x is the name preferred, if that can be.
func solve(p poly, prefer string) (x string, q poly, ok bool) {
	for k, t := range p.Terms {
		if ok && (len(t.Atoms) != 1 || t.Atoms[0] != prefer) {
			continue
		}
		if rest, found := alone(p, k); found {
			x, q, ok = t.Atoms[0], rest.Scale(-t.Coef), true
			if x == prefer {
				break
			}
		}
	}
	return x, q, ok
}

// key is a text of its own for every polynomial.
func key(p poly) string {
	var b strings.Builder
	p.Write(&b, func(x string) string { return x })
	return b.String()
}
