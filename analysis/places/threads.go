package places

import (
	"slices"
	"strings"
	"unicode"

	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// TwoRuns holds facts about two runs of one piece of a program, by two threads or in two
// iterations: the facts of the first run in its names, and those of the second with new names for
// all that differs.
type TwoRuns struct {
	Facts
	other map[string]string

	first, second, outer Facts // of the points that Beside was given
}

// Beside puts a point with the facts f in one run beside a point with the facts g in another run.
// names are those whose values can differ; outer are the facts outside of the two runs, which both
// f and g extend.
func (f Facts) Beside(g, outer Facts, names []string) TwoRuns {
	t := TwoRuns{f, map[string]string{}, f, g, outer}
	t.holds = 0 // of the second run the examples know nothing
	for _, x := range names {
		t.other[x] = x + "@" // no name of a program
	}
	for _, x := range names {
		t.knows(x, g)
	}
	mine := map[*fact]bool{}
	for _, k := range f.since(outer) {
		mine[k] = true
	}
	for _, k := range slices.Backward(g.since(outer)) {
		if c, changed := t.renamed(k); c != nil && (changed || !mine[k]) {
			t.Facts = t.link(c)
			k.about(func(x string) { t.knows(x, g) })
		}
	}
	return t
}

// knows gives an atom the range that it has in the second run.
func (t *TwoRuns) knows(x string, g Facts) {
	k := *g.ranges.of(x)
	products, below := k.products, k.below
	k.products, k.below, k.is = nil, nil, poly{}
	differs := func(x string) bool { return t.other[x] != "" }
	for _, p := range products {
		if !slices.ContainsFunc(p.m, differs) && !t.hides(poly{Terms: []term{{Coef: 1, Atoms: p.m}}}) {
			k.products = append(k.products, p)
		}
	}
	for _, p := range below {
		if !t.hides(p) {
			k.below = append(k.below, rename(p, t.other))
			atoms := map[string]bool{}
			mention(p, atoms)
			for y := range atoms { // its bounds must be known, too
				if at := g.ranges.of(y); !differs(y) {
					t.ranges = t.ranges.within(y, at.lo, at.hi)
				}
			}
		}
	}
	if y, ok := t.other[x]; ok {
		x = y
	}
	t.ranges = t.ranges.meet(x, &k)
}

// hides reports whether an opaque atom of p may mention a name that differs.
func (t *TwoRuns) hides(p poly) bool {
	atoms := map[string]bool{}
	mention(p, atoms)
	for x := range atoms {
		if x[0] != '`' && x[0] != '=' {
			continue
		}
		words := strings.FieldsFunc(x, func(c rune) bool {
			return c != '_' && c != '\'' && c != '@' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
		})
		if slices.ContainsFunc(words, func(w string) bool { return t.other[w] != "" }) {
			return true
		}
	}
	return false
}

// Fun puts an index function into the second run.
func (t TwoRuns) Fun(f lmad.Fun) lmad.Fun {
	return f.Subst(func(x string) (sym.Poly, bool) {
		y, ok := t.other[x]
		return sym.Var(y), ok
	})
}

// Var returns a name's value in the second run.
func (t TwoRuns) Var(x string) sym.Poly {
	if y, ok := t.other[x]; ok {
		return sym.Var(y)
	}
	return sym.Var(x)
}

// renamed returns a copy of a fact for the second run, and whether the copy differs. It is nil if
// an opaque atom contains a name that differs.
func (t TwoRuns) renamed(k *fact) (c *fact, changed bool) {
	differs := func(x string) bool { return t.other[x] != "" }
	if slices.ContainsFunc(k.hidden, differs) {
		return nil, true
	}
	mentioned := map[string]bool{k.x: true}
	mention(k.p, mentioned)
	mention(k.lo, mentioned)
	mention(k.hi, mentioned)
	for x := range mentioned {
		changed = changed || differs(x)
	}
	d := *k
	if changed {
		d.p, d.lo, d.hi = rename(k.p, t.other), rename(k.lo, t.other), rename(k.hi, t.other)
		if y, ok := t.other[k.x]; ok {
			d.x = y
		}
		d.axioms = nil
		for _, a := range k.axioms { // of opaque atoms none that differs is in them
			a.given, a.then = t.renamedAll(a.given), t.renamedAll(a.then)
			if b := a.either; b != nil {
				a.either = &bound{b.x, rename(b.lo, t.other), rename(b.hi, t.other), b.of}
			}
			d.axioms = append(d.axioms, a)
		}
	}
	return &d, changed
}

func (t TwoRuns) renamedAll(ps []poly) []poly {
	out := make([]poly, len(ps))
	for k, p := range ps {
		out[k] = rename(p, t.other)
	}
	return out
}

// Disjoint reports whether a in the first run and b in the second provably have no byte in common,
// for all pairs of different tuples of indices. b is given in the names of the first run.
func (t TwoRuns) Disjoint(a, b lmad.Fun, elemA, elemB int64, indices []string) bool {
	if perA, perB, ok := units(elemA, elemB); !ok || t.meet(a, b, perA, perB, indices) {
		return false
	}
	b = t.Fun(b)
	g := t.Facts
	for _, x := range indices { // tuples differ in a first index
		if !Disjoint(g.NotEqual(sym.Var(x), t.Var(x)), a, b, elemA, elemB) {
			return false
		}
		g = g.Equal(t.Var(x), sym.Var(x))
	}
	return true
}
