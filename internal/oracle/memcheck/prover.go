package memcheck

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// facts are inequalities to prove others by: the bounds of all names, and some
// more. A fact of over replaces what is known of a name.
type facts struct {
	*names
	over    []overlay
	general []poly // each is at least 0
	// checked are slices that were found to lie within their arrays, newest last.
	checked []checked
	// assumed are the facts that conditions, assertions and bounds told.
	assumed []poly
	// sizes holds the facts about sizes (Note [Wrapping]).
	sizes []sizing
	// differ are known not to be 0.
	differ []poly
	// conds are conditions that are not compared as numbers.
	conds []condition
	// impossible: the facts contradict each other, so no run comes here, and all that
	// is asked holds.
	impossible bool
	left       *int // fuel that several proofs share
}

// A condition holds, or does not.
type condition struct {
	exp   ir.Exp
	holds bool
}

type overlay struct {
	id int32
	v  variable
}

// maxGeneral bounds the general facts that one proof uses.
const maxGeneral = 2

// proofFuel bounds the steps of one proof, searchFuel those of all proofs for one
// question; an answer for simple places takes a few steps.
const (
	proofFuel  = 80
	searchFuel = 2000
)

func (f *facts) lookup(id int32) *variable {
	for k := len(f.over) - 1; k >= 0; k-- {
		if f.over[k].id == id {
			return &f.over[k].v
		}
	}
	return &f.vars[id]
}

// with returns the facts, for more to be added.
func (f *facts) with() *facts {
	return &facts{names: f.names, over: slices.Clone(f.over), general: slices.Clone(f.general), checked: slices.Clip(f.checked), assumed: slices.Clip(f.assumed), sizes: slices.Clip(f.sizes), differ: slices.Clip(f.differ), conds: slices.Clip(f.conds), impossible: f.impossible, left: f.left}
}

func (f *facts) set(id int32, v variable) { f.over = append(f.over, overlay{id, v}) }

// atLeast adds the facts ps >= 0: as bounds, where they are bounds of names.
func (f *facts) atLeast(ps ...poly) {
	for _, p := range ps {
		f.add(p)
	}
}

func (f *facts) add(p poly) {
	if p = p.Tighten(); p.Bad {
		return
	}
	if c, ok := number(p); ok {
		f.impossible = f.impossible || c < 0
		return
	}
	if c := p.Constant(); integer.Abs(c) <= integer.MaxCoef && len(p.Terms) <= 2 && len(p.Terms[0].Atoms) == 1 && p.Terms[0].Coef == 1 && (len(p.Terms) == 1 || c != 0) {
		v := *f.lookup(p.Terms[0].Atoms[0])
		if low, ok := v.lowest(); !ok || low < -c {
			v.los = append([]bound{{constant(-c), 1}}, v.los...)
			f.set(p.Terms[0].Atoms[0], v)
			for _, b := range v.his { // so its upper bound is as large
				f.atLeast(b.p.Add(constant(c).Scale(b.den)))
			}
			// Of the cases of max(x, 0) one may be left, which then is as large.
			if rest := slices.DeleteFunc(slices.Clone(v.cases), func(p poly) bool { return f.nonneg(p.Neg().AddConst(-c - 1)) }); len(rest) == 1 && !rules.Off("memcheck.oneCase") {
				f.atLeast(rest[0].AddConst(c))
			}
		}
		return
	}
	if slices.ContainsFunc(f.general, p.Equal) {
		return
	}
	f.general = append(f.general, p)
	// It bounds the name in it that was bound last.
	last := int32(-1)
	for _, x := range p.Atoms() {
		if last < 0 || f.lookup(last).before(f.lookup(x)) {
			last = x
		}
	}
	c, rest, ok := p.Collect(last)
	k, isConst := number(c)
	if !ok || !isConst {
		return
	}
	v := *f.lookup(last)
	if k > 0 {
		v.los = append(v.los[:len(v.los):len(v.los)], bound{rest.Neg(), k})
	} else {
		v.his = append(v.his[:len(v.his):len(v.his)], bound{rest, -k})
	}
	f.set(last, v)
}

// maxAssumed bounds the facts that statements told, the newest: a proof looks at all.
const maxAssumed = 64

// assume adds a fact p >= 0 that a statement told.
func (f *facts) assume(p poly) {
	if p.Bad || f.impossible || f.nonneg(p) {
		return
	}
	if f.nonneg(p.Neg().AddConst(-1)) {
		f.impossible = true
		return
	}
	f.atLeast(p)
	f.assumed = append(f.assumed, p)
	f.over = f.over[max(0, len(f.over)-maxAssumed):]
	f.general = f.general[max(0, len(f.general)-maxAssumed):]
}

// knowing does something under other facts.
func (f *function) knowing(g *facts, do func()) {
	known := f.facts
	f.facts = g
	do()
	f.facts = known
}

// different adds the fact p != 0.
func (f *facts) different(p poly) {
	switch {
	case p.Bad:
	case p.Is(0):
		f.impossible = true
	case f.nonneg(p): // so it is at least 1
		f.assume(p.AddConst(-1))
	case f.nonneg(p.Neg()):
		f.assume(p.Neg().AddConst(-1))
	default:
		f.differ = append(f.differ, p)
	}
}

// nonzero reports whether p is known not to be 0.
func (f *facts) nonzero(p poly) bool {
	differ := func(d poly) bool { return p.Equal(d) || p.Equal(d.Neg()) }
	return !rules.Off("memcheck.differ") && slices.ContainsFunc(f.differ, differ) || !rules.Off("memcheck.residue") && f.residue(p)
}

// nonneg proves p >= 0.
func (f *facts) nonneg(p poly) bool {
	if f.impossible {
		return true
	}
	if c, ok := number(p); ok {
		return c >= 0
	}
	if p.Bad {
		return false
	}
	pr := &proof{facts: f, left: proofFuel}
	if f.left != nil {
		pr.left = min(pr.left, *f.left)
		defer func(had int) { *f.left -= had - max(pr.left, 0) }(pr.left)
	}
	for depth := range maxGeneral + 1 { // proofs with few facts first
		if pr.nonneg(p, depth) {
			return true
		}
	}
	return false
}

// equal proves p == q.
func (f *facts) equal(p, q poly) bool { return f.nonneg(p.Sub(q)) && f.nonneg(q.Sub(p)) }

// less proves p < q.
func (f *facts) less(p, q poly) bool { return f.nonneg(q.Sub(p).AddConst(-1)) }

type proof struct {
	*facts
	left int
}

// nonneg replaces names by their bounds, the last bound first, since its bounds
// mention earlier ones, until no coefficient is negative. depth bounds the use of
// general facts.
func (pr *proof) nonneg(p poly, depth int) bool {
	p = p.Tighten()
	if c, ok := number(p); ok {
		return c >= 0
	}
	if pr.left--; pr.left < 0 || p.Bad {
		return false
	}
	if pr.obvious(p) {
		return true
	}
	names := p.Atoms()
	slices.SortStableFunc(names, func(x, y int32) int { return pr.lookup(y).compare(pr.lookup(x)) })
	for _, x := range names {
		done, holds := pr.eliminate(p, x, depth)
		if holds {
			return true
		}
		if done {
			break
		}
	}
	if depth == 0 {
		return false
	}
	for _, g := range slices.Backward(append(pr.factsOf(p, names), pr.general...)) { // the newest are of the case at hand
		if q, r := p.Divide(g); !q.Is(0) && !rules.Off("memcheck.divide") && pr.nonneg(r, 0) && pr.nonneg(q, 0) {
			return true
		}
		for _, m := range pr.multiples(p, g) {
			if pr.nonneg(p.Sub(m), depth-1) {
				return true
			}
		}
	}
	return false
}

// factsOf returns the bounds, as facts, of names that cannot be replaced by them,
// since p is not linear in them.
func (pr *proof) factsOf(p poly, names []int32) []poly {
	if rules.Off("memcheck.factsOf") {
		return nil
	}
	var out []poly
	for _, x := range names {
		if _, _, ok := p.Collect(x); ok {
			continue
		}
		v := pr.lookup(x)
		for _, b := range v.his {
			out = append(out, b.p.Sub(asPoly(x).Scale(b.den)))
		}
		for _, b := range v.los {
			if _, ok := number(b.p); !ok {
				out = append(out, asPoly(x).Scale(b.den).Sub(b.p))
			}
		}
	}
	return out
}

// multiples returns products of g with something that is not negative and that
// cancel a negative term of p.
func (pr *proof) multiples(p, g poly) []poly {
	var out []poly
	for _, t := range p.Terms {
		if t.Coef > 0 {
			continue
		}
		for _, u := range g.Terms {
			if u.Coef > 0 {
				continue
			}
			rest, ok := integer.Quotient(t.Atoms, u.Atoms)
			if !ok || !pr.natural(rest) {
				continue
			}
			out = append(out, g.MulTerm(term{Coef: 1, Atoms: rest}))
		}
	}
	return out
}

// natural reports whether no factor can be negative.
func (pr *proof) natural(factors []int32) bool {
	for _, x := range factors {
		if c, ok := pr.lookup(x).lowest(); !ok || c < 0 {
			return false
		}
	}
	return true
}

// eliminate proves p >= 0 by replacing a name by a bound. done tells that no
// other name need be tried.
func (pr *proof) eliminate(p poly, x int32, depth int) (done, holds bool) {
	v := pr.lookup(x)
	if len(v.his) == 0 && len(v.cases) == 0 && !slices.ContainsFunc(v.los, func(b bound) bool { return len(b.p.Atoms()) > 0 }) {
		return false, false // what its constant bound says is obvious, or does not help
	}
	c, rest, ok := p.Collect(x)
	if !ok {
		return false, false
	}
	at := func(b bound) bool { return pr.nonneg(rest.Scale(b.den).Add(c.Mul(b.p)), depth) }
	k, isConst := number(c)
	up := isConst && k >= 0 || !isConst && pr.nonneg(c, 0)
	down := isConst && k < 0 || !isConst && !up && pr.nonneg(c.Neg(), 0)
	switch {
	case up:
		if slices.ContainsFunc(v.los, at) || pr.between(c, rest, v.los) {
			return true, true
		}
	case down:
		if slices.ContainsFunc(v.his, at) {
			return true, true
		}
	}
	if len(v.cases) > 0 {
		for _, y := range v.cases {
			if !at(bound{y, 1}) {
				return true, false
			}
		}
		return true, true
	}
	return up && len(v.los) > 0 || down && len(v.his) > 0, false
}

// maxBetween bounds the bounds of one name that are weighed against one another.
const maxBetween = 4

// between proves c*x + rest >= 0, for c >= 0, by two lower bounds of x at once: where that is at least p by
// one and at least q by the other, it is at least what lies between them, and a term
// that is negative in p may be made good by q. So max(72, 24*n) >= 2*n + 2.
func (pr *proof) between(c, rest poly, los []bound) bool {
	if rules.Off("memcheck.between") {
		return false
	}
	var by []poly
	for _, b := range los[:min(len(los), maxBetween)] {
		if p := rest.Scale(b.den).Add(c.Mul(b.p)); !p.Bad {
			by = append(by, p)
		}
	}
	for _, p := range by {
		for _, q := range by {
			for _, t := range p.Terms {
				good := q.Coefficient(t.Atoms)
				if t.Coef >= 0 || good <= 0 {
					continue
				}
				if sum := p.Scale(good).Add(q.Scale(-t.Coef)); !sum.Bad && pr.obvious(sum) {
					return true
				}
			}
		}
	}
	return false
}

// obvious holds where p has no negative coefficient once every name is counted
// from its constant lower bound.
func (pr *proof) obvious(p poly) bool {
	if p.Bad || len(p.Terms) == 0 {
		return !p.Bad
	}
	lowest := func(x int32) (int64, bool) { return pr.lookup(x).lowest() }
	// Counted so, a term of the greatest degree keeps its coefficient, and the constant
	// is p's value at the bounds.
	degree := len(p.Terms[0].Atoms)
	for _, t := range p.Terms {
		if t.Coef < 0 && len(t.Atoms) == degree {
			return false
		}
	}
	if least, ok := p.Value(lowest); !ok || least < 0 {
		return false
	}
	if degree <= 1 || pr.allNatural(p) && !slices.ContainsFunc(p.Terms, negative) {
		return true
	}
	q := p.SubstAll(func(x int32) (poly, bool) {
		c, _ := lowest(x)
		return asPoly(x).AddConst(c), c != 0
	})
	return !q.Bad && !slices.ContainsFunc(q.Terms, negative)
}

func negative(t term) bool { return t.Coef < 0 }

func (pr *proof) allNatural(p poly) bool {
	for _, t := range p.Terms {
		if !pr.natural(t.Atoms) {
			return false
		}
	}
	return true
}

// byName returns a replacement of some names.
func byName(m map[int32]poly) func(int32) (poly, bool) {
	return func(x int32) (poly, bool) { p, ok := m[x]; return p, ok }
}
