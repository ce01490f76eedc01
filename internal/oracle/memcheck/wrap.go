package memcheck

import (
	"math"
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Wrapping]. A polynomial of ir/sym is an identity of i64, whose arithmetic wraps around. The
// prover's polynomials are over the integers, where products of large numbers do not turn small or
// negative. An expression e of value v and polynomial P obeys
//
//	v - P == 0 (mod 2^64)
//
// and so v = P over the integers if |v| and the magnitudes of P's terms add up to less than 2^64.
// The magnitude of a term is a bound that follows from the facts where the question is asked: a
// size is at most maxSize, a converted i32 2^31, an unknown number 2^63. The product of the dims of
// an existing array is at most maxSize, and so is the size of a successful alloc. If the sum is too
// large, the expression is a number of its own, named by P: it equals every number with the same P,
// and nothing else is known about it.
//
// A size is tested before the statement that makes its array writes anything. So the facts that
// follow from it hold from that statement on, in its body (facts.sizes). A dim that is 0 counts as
// 1 there. Once enough is known, a value named by P is P: learned says so, and repeats the facts
// that mention its name.

const (
	maxSize     = 1 << 47 // of a dim, of an array in bytes, and of the threads of a kernel
	maxTurns    = 1 << 56 // of a loop: no run lasts longer
	unknown     = 1 << 63
	wrapsFrom   = 1<<64 - 1<<20 // 2^64, less possible rounding errors
	maxLooking  = 4             // how deep bounds are followed
	maxMeasured = 2000          // numbers that bound one
	underFuel   = 12            // bounds a proof that a size is not 0, of which many are asked for
)

// blind is set by a test, which plants the bug that nothing wraps around.
var blind bool

// A sizing with most < 0 tells that no run comes here; all others tell
// that a value is at most most: the one of that key, which is not negative
// either, or else a product of sizes, or an integer.
type sizing struct {
	key     string
	of      sym.Poly // whose text is the key
	value   poly     // its value modulo 2^64
	factors []poly
	whole   poly
	most    float64
}

// sized adds what follows from the sizes of an array that exists, of an alloc that
// succeeded or of a kernel that runs: each of them is a size, and so is their product,
// times c.
func (f *function) sized(c int64, sizes ...ir.Exp) {
	whole := constant(c)
	values := make([]poly, len(sizes))
	for k, e := range sizes {
		p := f.poly(e)
		if n, ok := p.IsConst(); ok && (n < 0 || n > maxSize) {
			f.happened(sizing{most: -1})
		} else if !ok {
			f.happened(sizing{key: p.String(), of: p, value: f.names.terms(p), most: maxSize})
			if sum := f.sum(p); !sum.Equal(p) {
				f.happened(sizing{key: sum.String(), of: sum, value: f.names.terms(sum), most: maxSize})
				f.natural(f.names.poly(sum))
			}
		}
		v := f.names.poly(p)
		f.natural(v)
		values[k] = v
		whole = whole.Mul(v)
	}
	if len(values) > 1 {
		f.happened(sizing{factors: values, most: maxSize / float64(c)})
	}
	f.product(whole)
}

// product adds that an integer is at most maxSize; of the greater one of two, both are.
func (f *function) product(whole poly) {
	if n, ok := whole.IsAtom(); ok {
		for _, p := range f.names.vars[n].cases {
			f.product(p)
		}
	}
	if !whole.Bad && slices.ContainsFunc(whole.Terms, func(t term) bool { return len(t.Atoms) > 1 }) {
		f.happened(sizing{whole: whole, most: maxSize})
	}
}

// happened adds the facts about sizes that follow from a statement, now and when the walks come back to it.
func (f *function) happened(s sizing) {
	same := func(o sizing) bool {
		return o.key == s.key && slices.EqualFunc(o.factors, s.factors, poly.Equal) && o.whole.Equal(s.whole) && o.most <= s.most
	}
	if slices.ContainsFunc(f.facts.sizes, same) {
		return
	}
	f.facts.sizes = append(f.facts.sizes, s)
	f.facts.impossible = f.facts.impossible || s.most < 0
	if f.stmt != nil {
		t := f.tells[f.stmt]
		t.sizes = append(t.sizes, s)
		f.tells[f.stmt] = t
	}
	f.learned(f.names.implied(s)...)
}

// implied returns the values that a sizing bounds.
func (t *names) implied(s sizing) []poly {
	out := append(slices.Clip(s.factors), s.whole)
	for _, key := range []string{s.key, "<" + s.key + ">", "{" + s.key + "}"} {
		if id, ok := t.ids[key]; ok {
			out = append(out, asPoly(id))
		}
	}
	return out
}

// A wrapping is a value that may have wrapped around: modulo 2^64 it is p.
type wrapping struct {
	of sym.Poly
	p  poly
}

// maxLearned bounds how often it is asked for a function whether a value that may have
// wrapped around is known by now not to have.
const maxLearned = 20_000

// learned adds what values are, that may have wrapped around, where they cannot have by
// what has become known of the names of ps.
func (f *function) learned(ps ...poly) {
	if rules.Off("memcheck.learned") {
		return
	}
	var work []int32
	for _, p := range ps {
		work = append(work, p.Atoms()...)
	}
	for seen := map[int32]bool{}; len(work) > 0; work = work[1:] {
		for _, w := range append([]int32{work[0]}, f.names.wraps[work[0]]...) {
			v := *f.facts.lookup(w)
			if v.ring == nil || seen[w] || f.asks > maxLearned {
				continue
			}
			p := v.ring.p
			same := func(b bound) bool { return b.den == 1 && b.p.Equal(p) }
			if slices.ContainsFunc(v.his, same) {
				continue
			}
			if f.asks++; !f.facts.exact(v.ring.of, p) {
				continue
			}
			seen[w] = true
			v.los, v.his = append(slices.Clip(v.los), bound{p, 1}), append(slices.Clip(v.his), bound{p, 1})
			f.facts.set(w, v)
			f.rewrite(w, p)
			for _, x := range f.names.over[w] { // more is known of x/2 where x is known not to be negative
				v := *f.facts.lookup(x)
				v.los, v.his = slices.Clip(v.los), slices.Clip(v.his)
				f.names.describe(&v, v.exp)
				f.facts.set(x, v)
			}
			work = append(append(work, w), p.Atoms()...)
		}
	}
}

// rewrite adds the facts about a value once more, in terms of its polynomial.
func (f *function) rewrite(w int32, p poly) {
	if rules.Off("memcheck.rewrite") {
		return
	}
	value := byName(map[int32]poly{w: p})
	for _, s := range f.facts.sizes {
		if s.whole.Has(w) || slices.ContainsFunc(s.factors, func(q poly) bool { return q.Has(w) }) {
			t := sizing{whole: s.whole.SubstAll(value), most: s.most}
			for _, q := range s.factors {
				t.factors = append(t.factors, q.SubstAll(value))
			}
			f.facts.sizes = append(f.facts.sizes, t)
		}
	}
	for _, q := range f.facts.assumed[max(0, len(f.facts.assumed)-maxAssumed):] {
		if q.Has(w) {
			f.facts.assume(q.SubstAll(value))
		}
	}
}

// natural adds that a value is not negative: of a number for good where the statement binds
// it.
func (f *function) natural(p poly) {
	if id, ok := p.IsAtom(); ok && (f.stmt == nil || f.names.vars[id].order >= f.at[f.stmt]) {
		if v := &f.names.vars[id]; !f.facts.nonneg(p) {
			v.los = append(v.los, bound{poly{}, 1})
		}
		return
	}
	f.facts.assume(p)
	if f.stmt != nil {
		t := f.tells[f.stmt]
		t.natural = append(t.natural, p)
		f.tells[f.stmt] = t
	}
}

// A telling is the facts about sizes that follow from a statement.
type telling struct {
	sizes   []sizing
	natural []poly
}

// comes adds the facts about sizes that follow from a statement; they are tested before it does anything.
func (f *function) comes(s *ir.Stmt) {
	t := f.tells[s]
	f.facts.sizes = append(f.facts.sizes, t.sizes...)
	f.facts.impossible = f.facts.impossible || slices.ContainsFunc(t.sizes, func(s sizing) bool { return s.most < 0 })
	for _, p := range t.natural {
		f.facts.assume(p)
	}
	for _, s := range t.sizes {
		f.learned(f.names.implied(s)...)
	}
}

// poly returns the integer that an expression is, in numbers.
func (t *names) poly(p sym.Poly) poly { return t.polyBy(p, t.known()) }

func (t *names) polyBy(p sym.Poly, f *facts) poly {
	out := t.terms(p)
	if _, constant := number(out); constant || out.Bad {
		return out
	}
	if _, ok := out.IsAtom(); ok || f.exact(p, out) {
		return out
	}
	if by, ok := t.bySize(out, f); ok {
		return by
	}
	return asPoly(t.wrapped(p, out))
}

// maxBySize bounds the sizes, the newest, that a value is held against.
const maxBySize = 32

// bySize returns a value in terms of a size: after let w = x*x, of which nothing is known but
// that it is a size, 3*x*x is 3*w, and does not wrap around.
func (t *names) bySize(p poly, f *facts) (poly, bool) {
	if rules.Off("memcheck.bySize") {
		return poly{}, false
	}
	for _, s := range slices.Backward(f.sizes[max(0, len(f.sizes)-maxBySize):]) {
		if s.key == "" {
			continue
		}
		w := s.value
		if _, ok := w.IsAtom(); ok {
			continue
		}
		q, r := p.Divide(w)
		if q.Is(0) {
			continue
		}
		if !f.exact(s.of, w) {
			w = asPoly(t.wrapped(s.of, w))
		}
		by := q.Mul(w).Add(r)
		if most := min(f.magnitude(by), f.magnitude(q)*s.most+f.magnitude(r)); !by.Bad && most+unknown < wrapsFrom {
			return by, true
		}
	}
	return poly{}, false
}

// known returns the facts of the point where the question is asked. What is noted of an
// opaque expression holds everywhere, and so only the function's own are used.
func (t *names) known() *facts {
	if t.everywhere > 0 || t.of.facts == nil {
		return t.of.given
	}
	return t.of.facts
}

// wrapped returns the name of a value that may have wrapped around.
func (t *names) wrapped(p sym.Poly, out poly) int32 {
	key := "{" + p.String() + "}"
	if id, ok := t.ids[key]; ok {
		return id
	}
	v := variable{rank: 1 << 20, ring: &wrapping{p, out}}
	t.latest(&v, out)
	id := t.add(key, v)
	note := func(p poly) {
		for _, x := range p.Atoms() {
			if list := t.wraps[x]; len(list) == 0 || list[len(list)-1] != id {
				t.wraps[x] = append(list, id)
			}
		}
	}
	note(out)
	for _, x := range out.Atoms() { // a counter below n is small where n is
		for _, b := range t.vars[x].his {
			note(b.p)
		}
	}
	return id
}

// exact reports whether an expression of that polynomial is p over the integers.
func (f *facts) exact(of sym.Poly, p poly) bool {
	terms := f.magnitude(p)
	if terms+unknown < wrapsFrom || blind {
		return true
	}
	key := of.String()
	for _, s := range f.sizes {
		if s.key == key && terms+s.most < wrapsFrom {
			return true
		}
	}
	return false
}

// magnitude bounds the absolute values of the terms, together.
func (f *facts) magnitude(p poly) float64 {
	return (&measure{f, maxMeasured}).sum(p.Terms, maxLooking)
}

// A measure bounds numbers, by at most so many steps: what takes more is as large as what
// was found until then.
type measure struct {
	*facts
	left int
}

func (f *measure) sum(ts []term, depth int) float64 {
	sum := 0.0
	for _, t := range ts {
		sum += math.Abs(float64(t.Coef)) * f.factors(t.Atoms, depth)
	}
	return sum
}

// factors bounds a product: by its factors, or by sizes that come to at most maxSize
// together and are at least as large.
func (f *measure) factors(fs []int32, depth int) float64 {
	best := 1.0
	for _, x := range fs {
		best *= f.largest(x, maxLooking)
	}
	if len(fs) < 2 || depth == 0 || best < maxSize || f.left < 0 {
		return best
	}
	// more holds the product against sizes whose own product is at most most.
	more := func(sizes []poly, dims bool, most func() float64) bool {
		if rest, ok := f.under(fs, sizes, dims); ok {
			best = min(best, most()*f.factors(rest, depth-1))
		}
		return best <= maxSize
	}
	for _, s := range f.sizes {
		if s.factors != nil && !rules.Off("memcheck.factors") && more(s.factors, true, func() float64 { return s.most }) {
			return best
		}
		for k, t := range s.whole.Terms { // of a sum each part is at most that, and what is taken away
			if len(t.Atoms) < 2 || t.Coef < 0 || rules.Off("memcheck.whole") || !(&proof{facts: f.facts}).natural(t.Atoms) {
				continue
			}
			sizes := make([]poly, len(t.Atoms))
			for j, x := range t.Atoms {
				sizes[j] = asPoly(x)
			}
			if more(sizes, false, func() float64 { return (s.most + f.taken(s.whole, k, depth-1)) / float64(t.Coef) }) {
				return best
			}
		}
	}
	return best
}

// taken bounds how much the terms of a polynomial, except one, may subtract.
func (f *measure) taken(p poly, but, depth int) float64 {
	sum := 0.0
	for k, t := range p.Terms {
		if k != but && (t.Coef < 0 || !(&proof{facts: f.facts}).natural(t.Atoms)) {
			sum += f.sum([]term{t}, depth)
		}
	}
	return sum
}

// under takes factors away that are at most the sizes; of those that no factor is held
// against it must be known that they are not 0, but for dims, of which 0 counts as 1.
func (f *facts) under(fs []int32, sizes []poly, dims bool) (rest []int32, ok bool) {
	rest = slices.Clone(fs)
	take := func(fits func(x int32) bool) bool {
		k := slices.IndexFunc(rest, fits)
		if k >= 0 {
			rest = slices.Delete(rest, k, k+1)
		}
		return k >= 0
	}
	var left []poly
	for _, s := range sizes {
		if !take(func(x int32) bool { return s.Equal(asPoly(x)) }) {
			left = append(left, s)
		}
	}
	left = slices.DeleteFunc(left, func(s poly) bool { return take(func(x int32) bool { return f.atMost(x, s) }) })
	if len(rest) == len(fs) {
		return nil, false
	}
	return rest, dims || !slices.ContainsFunc(left, func(s poly) bool {
		there := s.AddConst(-1)
		return !slices.ContainsFunc(f.general, there.Tighten().Equal) && !(&proof{facts: f, left: underFuel}).nonneg(there, 1)
	})
}

// atMost reports whether 0 <= x <= y.
func (f *facts) atMost(x int32, y poly) bool {
	if rules.Off("memcheck.atMost") {
		return y.Equal(asPoly(x))
	}
	c, ok := f.lookup(x).lowest()
	return ok && c >= 0 && (&proof{facts: f, left: underFuel}).nonneg(y.Sub(asPoly(x)), 0) || y.Equal(asPoly(x))
}

// largest bounds the absolute value of a number.
func (f *measure) largest(x int32, depth int) float64 {
	v := f.lookup(x)
	most := float64(unknown)
	if v.turns {
		most = maxTurns
	}
	most = min(most, f.bySizes(x, v))
	if f.left--; depth == 0 || f.left < 0 {
		return most
	}
	of := func(bs []bound) float64 {
		best := float64(unknown)
		for _, b := range bs {
			sum := 0.0
			for _, t := range b.p.Terms {
				part := math.Abs(float64(t.Coef))
				for _, y := range t.Atoms {
					part *= f.largest(y, depth-1)
				}
				sum += part
			}
			if !b.p.Bad {
				best = min(best, sum/float64(b.den))
			}
		}
		return best
	}
	above := of(v.his)
	if above >= unknown {
		above = of(f.told(x))
	}
	below := of(v.los)
	if below > above && (&proof{facts: f.facts, left: underFuel}).nonneg(asPoly(x), 0) {
		below = 0
	}
	most = min(most, max(below, above))
	if len(v.cases) > 0 {
		cases := make([]float64, len(v.cases))
		for k, p := range v.cases {
			cases[k] = of([]bound{{p, 1}})
		}
		most = min(most, slices.Max(cases))
	}
	return most
}

// bySizes bounds a number by the sizes that it is, but for a constant.
func (f *facts) bySizes(x int32, v *variable) float64 {
	most := float64(unknown)
	key := strings.Trim(v.name, "<>{}")
	for _, s := range f.sizes {
		if s.key == key {
			most = min(most, s.most)
		} else if ts := s.value.Terms; len(ts) == 2 && len(ts[0].Atoms) == 1 && ts[0].Atoms[0] == x && ts[0].Coef == 1 && len(ts[1].Atoms) == 0 {
			most = min(most, s.most+math.Abs(float64(ts[1].Coef))) // n, where n+1 is a size
		}
	}
	return most
}

// told returns the upper bounds of a name that conditions told: each bounds all of its names, but is kept
// as a bound of the one that was bound last.
func (f *facts) told(x int32) (out []bound) {
	for _, p := range f.assumed {
		c, rest, ok := p.Collect(x)
		if k, isConst := number(c); ok && isConst && k < 0 && !rules.Off("memcheck.told") {
			out = append(out, bound{rest, -k})
		}
	}
	return out
}

// asked returns what an alloc is asked for: the run time finds that out without wrapping
// around, or the run ends.
func (f *function) asked(e ir.Exp) poly {
	if rules.Off("memcheck.asked") {
		return f.value(e)
	}
	out := poly{}
	sym.Of(e).Terms(func(c int64, factors []sym.Factor) {
		u := constant(c)
		for _, x := range factors {
			v := poly{}
			if x.Opaque == nil {
				v = f.value(ir.Var(x.Key))
			} else if b, ok := x.Opaque.(*ir.Builtin); ok && b.Fn == "max" {
				v = f.names.greater(f.asked(b.Args[0]), f.asked(b.Args[1]))
			} else {
				v = f.value(x.Opaque)
			}
			for range x.Pow {
				u = u.Mul(v)
			}
		}
		out = out.Add(u)
	})
	return out
}

// greater returns the greater one of two integers.
func (t *names) greater(p, q poly) poly {
	key := "max(" + textOf([]poly{p, q}) + ")"
	id, ok := t.ids[key]
	if !ok && !p.Bad && !q.Bad {
		v := variable{rank: 1 << 20, los: []bound{{p, 1}, {q, 1}}, cases: []poly{p, q}}
		t.latest(&v, p, q)
		v.shown = "max(" + t.text(p) + ", " + t.text(q) + ")"
		id = t.add(key, v)
	}
	return poly{Terms: asPoly(id).Terms, Bad: p.Bad || q.Bad}
}

// latest records the facts about an opaque expression from the bindings of its names.
func (t *names) latest(v *variable, ps ...poly) {
	for _, p := range ps {
		for _, n := range p.Atoms() {
			w := &t.vars[n]
			v.order, v.inLoop, v.chosen = max(v.order, w.order), v.inLoop || w.inLoop, v.chosen || w.chosen
		}
	}
}
