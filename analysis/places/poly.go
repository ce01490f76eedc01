package places

import (
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

// solve returns x and q where p = 0 says x = q; x is the name preferred, if that can be.
func solve(p poly, prefer string) (x string, q poly, ok bool) {
	for _, t := range p.Terms {
		if len(t.Atoms) != 1 || t.Coef != 1 && t.Coef != -1 || ok && t.Atoms[0] != prefer {
			continue
		}
		if a, b, affine := p.Collect(t.Atoms[0]); affine && len(a.Terms) == 1 {
			x, q, ok = t.Atoms[0], b.Scale(-t.Coef), true
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
