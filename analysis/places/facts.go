package places

import (
	"maps"
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// Facts are the known facts about names at some point of a program. The zero value has none. Facts
// are immutable: each method returns new ones, which share the old. Adding a fact is cheap. To
// leave a scope, drop the value.
type Facts struct {
	last   *fact
	ranges *ranges
	// holds are the examples in which all this holds, a bit each: Note [Examples].
	examples *examples
	holds    uint8
}

type factKind uint8

const (
	atLeastZero factKind = iota
	isZero
	notZero
	inBounds
	defined
)

// A fact is about p. If it is about the bounds of a name x, then lo <= x <= hi. If p is 0 because x
// is defined so, x is the name to replace. A defined name is described by its axioms alone; p then
// mentions the atoms in them. An equality p = 0 holds modulo 2^64, and over the integers if exact
// is set.
type fact struct {
	kind   factKind
	exact  bool
	p      poly
	x      string
	lo, hi poly
	axioms []axiom
	hidden []string // names inside the opaque atoms of p
	before *fact
	depth  int // the number of facts up to this one
	// segment finds the facts around this one (Note [Finding facts]). For most facts it is nil.
	segment *segment
}

func (f Facts) push(k *fact, c *converter) Facts {
	if k.p.Bad {
		return f
	}
	for _, w := range c.wrapped {
		d := *w
		d.hidden = c.hidden
		f = f.link(&d)
	}
	k.axioms, k.hidden = c.axioms, c.hidden
	r := c.ranges
	switch k.kind {
	case atLeastZero:
		r = r.atLeastZero(k.p)
	case isZero:
		if k.exact = r.exact(k.p, k.x); k.exact {
			r = r.atLeastZero(k.p).atLeastZero(k.p.Neg())
			if x, q, ok := solve(k.p, k.x); ok && x == k.x {
				r = r.under(x, q)
				if d := r.defined(q); !d.Bad && !d.Has(x) && len(d.Terms) <= maxRaised {
					known := *r.of(x)
					known.is = d
					r = r.with(x, known)
				}
			}
		}
	}
	f = f.link(k)
	f.ranges, c.ranges, c.wrapped = r, r, nil
	return f
}

// link adds a fact that is nowhere else.
func (f Facts) link(k *fact) Facts {
	k.before, k.depth, k.segment = f.last, 1, nil
	if f.last != nil {
		k.depth = f.last.depth + 1
	}
	if k.depth%segmentSize == 0 {
		k.segment = newSegment(k)
	}
	f.last = k
	return f
}

// since returns the facts of f that g does not share, newest first, at most maxFacts.
func (f Facts) since(g Facts) []*fact {
	var out []*fact
	for a, b := f.last, g.last; a != b && len(out) < maxFacts; {
		if b == nil || a != nil && a.depth >= b.depth {
			out = append(out, a)
			a = a.before
		} else {
			b = b.before
		}
	}
	return out
}

// And adds the facts of g.
func (f Facts) And(g Facts) Facts {
	out := f
	if out.holds &= g.holds; f.examples != g.examples {
		out.holds = 0
	}
	for _, k := range slices.Backward(g.since(f)) {
		c := *k
		out = out.link(&c)
		k.about(func(x string) { out.ranges = out.ranges.meet(x, g.ranges.of(x)) })
	}
	return out
}

// NonNegative adds p >= 0, such as for the size of an array.
func (f Facts) NonNegative(p sym.Poly) Facts {
	least := f.column(p)
	f = f.agree(func(k int) bool { v, ok := least.in(k); return ok && v >= 0 })
	c := f.converter()
	return f.push(&fact{kind: atLeastZero, p: c.value(p)}, c)
}

// Positive adds p >= 1.
func (f Facts) Positive(p sym.Poly) Facts {
	f = f.agree(func(k int) bool { return f.atMostIn(sym.Poly{}, p, 1, k) })
	c := f.converter()
	return f.push(&fact{kind: atLeastZero, p: c.value(p).AddConst(-1)}, c)
}

// WithBound adds lo <= name < hi, as for an index of a loop or of a kernel.
func (f Facts) WithBound(name string, lo, hi sym.Poly) Facts {
	first, behind := f.column(lo), f.column(hi)
	at := f.bind(name, func() column { // its first, its last, or one between
		return each(func(k int) (int64, bool) {
			from, ok := first.in(k)
			to, ok2 := behind.in(k)
			return [nExamples]int64{from, max(from, to-1), (from + to) / 2, from, from}[k], ok && ok2
		})
	})
	at = at.where(moderate)
	f = f.agree(func(k int) bool {
		from, ok := first.in(k)
		to, ok2 := behind.in(k)
		x, ok3 := at.in(k)
		return ok && ok2 && ok3 && from <= x && x < to
	})
	c := f.converter()
	x, l, h := atomPoly(name), c.value(lo), c.value(hi).AddConst(-1)
	f = f.push(&fact{kind: atLeastZero, p: x.Sub(l)}, c)
	f = f.push(&fact{kind: atLeastZero, p: h.Sub(x)}, c)
	if l.Bad || h.Bad || l.Has(name) || h.Has(name) {
		return f
	}
	return f.push(&fact{kind: inBounds, x: name, lo: l, hi: h}, &converter{ranges: f.ranges, hidden: c.hidden})
}

// Size adds that a name is a dim of an array that exists.
func (f Facts) Size(name string) Facts {
	f.ranges = f.ranges.within(name, 0, MaxBytes)
	return f.NonNegative(sym.Var(name))
}

// Exists adds that an array of that shape exists.
func (f Facts) Exists(shape []ir.Dim) Facts {
	for _, d := range shape {
		if d.Name != "" {
			f = f.Size(d.Name)
		}
	}
	return f.Small(lmad.Sizes(shape)...)
}

// Turn adds that a name counts the iterations of a loop.
func (f Facts) Turn(name string) Facts {
	f = f.agree(func(k int) bool { return f.atMostIn(sym.Poly{}, sym.Var(name), 0, k) })
	f.ranges = f.ranges.within(name, 0, maxTurns)
	return f
}

// Small adds that a product is within the limits of the run time. Its factors are sizes of an array
// or bounds of a kernel, and none is negative.
func (f Facts) Small(sizes ...sym.Poly) Facts {
	f = f.agree(func(k int) bool { return f.little(sizes, k) })
	c, p := f.bounding(), constant(1)
	for _, n := range sizes {
		v := c.value(n)
		f.ranges = c.ranges.small(v)
		c.ranges = f.ranges
		p = p.Mul(v)
	}
	f.ranges = f.ranges.small(p)
	return f
}

// Allocated adds that a block of that many bytes was allocated. The run time computes the sum
// without wrapping; the polynomial is that sum if nothing is subtracted.
func (f Facts) Allocated(bytes ir.Exp) Facts {
	sums := true
	ir.WalkExp(bytes, func(e ir.Exp) bool {
		switch e := e.(type) {
		case *ir.Lit, *ir.Ref:
		case *ir.Binary:
			sums = sums && (e.Op == "+" || e.Op == "*")
		case *ir.Builtin:
			sums = sums && (e.Fn == "min" || e.Fn == "max")
		default:
			sums = false
		}
		return sums
	})
	if c := f.bounding(); sums {
		size := sym.Of(bytes)
		f = f.agree(func(k int) bool { _, ok := f.number(size, k); return ok }) // far from MaxBytes
		p := c.size(size)
		f.ranges = c.ranges.small(p)
	}
	return f
}

// Value adds the range of a name that is defined as e.
func (f Facts) Value(name string, e ir.Exp) Facts {
	value := f.bind(name, func() column { return f.values(e) })
	c := f.bounding()
	c.within(atomPoly(name), c.bound(e))
	may := c.ranges.of(name)
	f = f.agree(func(k int) bool { return may.allows(value.values[k]) })
	f.ranges = f.ranges.meet(name, may)
	if k := f.ranges.of(name); chosen(e) && k.lo > -MaxBytes && k.hi < MaxBytes {
		return f.WithBound(name, sym.Const(k.lo), sym.Const(k.hi+1))
	} else if k.lo >= 0 {
		return f.NonNegative(sym.Var(name))
	}
	return f
}

// Equal adds a = b. Where a is a name, it is taken for defined as b.
func (f Facts) Equal(a, b sym.Poly) Facts {
	x, isVar := a.IsVar()
	left, right := column{}, f.column(b)
	if isVar {
		left = f.bind(x, func() column { return right }).where(moderate)
	} else {
		left = f.column(a)
	}
	f = f.agree(func(k int) bool {
		v, ok := left.in(k)
		w, ok2 := right.in(k)
		return ok && ok2 && v == w
	})
	cv := f.converter()
	return f.push(&fact{kind: isZero, x: x, p: cv.ring(a).Sub(cv.ring(b))}, cv)
}

// Division adds that a name is x op y: a quotient (/ or fdiv) or a remainder (% or fmod). The
// quotient of an index 0 <= x < y*z by y is less than z.
func (f Facts) Division(name, op string, x, y sym.Poly) Facts {
	left, right := f.column(x), f.column(y)
	value := each(func(k int) (int64, bool) {
		v, ok := left.in(k)
		w, ok2 := right.in(k)
		r, ok3 := integer.Apply(op, v, w)
		return r, ok && ok2 && ok3
	})
	has := f.bind(name, func() column { return value })
	f = f.agree(func(k int) bool { v, ok := value.in(k); return ok && v == has.values[k] })
	cv := f.converter()
	d, p, q := atomPoly(name), cv.value(x), cv.value(y)
	if cv.ranges.leastOf(q) == 0 { // there is a result, so the divisor is not 0
		cv.axiom(axiom{then: []poly{q.AddConst(-1)}})
		cv.ranges = cv.ranges.refine(q.AddConst(-1))
	}
	if floor := op[0] == 'f'; op == "/" || op == "fdiv" {
		cv.divided(d, p, q, floor)
		if i, ok := p.IsAtom(); ok {
			n, known := f.below(i)
			if z, ok := cv.ranges.defined(n).Exact(cv.ranges.defined(q)); ok && known {
				cv.axiom(axiom{given: []poly{q.AddConst(-1)}, then: []poly{z.Sub(d).AddConst(-1)}})
			}
		}
	} else {
		cv.remainder(d, p, q, floor)
	}
	mentioned := map[string]bool{}
	mention(p, mentioned)
	mention(q, mentioned)
	about := d
	for _, x := range slices.Sorted(maps.Keys(mentioned)) {
		about = about.Add(atomPoly(x))
	}
	return f.push(&fact{kind: defined, p: about}, cv)
}

// maxBounds is how many of the newest facts are searched for the bounds of an index.
const maxBounds = 256

// below returns n if a recent fact is 0 <= x < n.
func (f Facts) below(x string) (poly, bool) {
	for k, n := f.last, 0; k != nil && n < maxBounds; k, n = k.before, n+1 {
		if k.kind == inBounds && k.x == x && k.lo.Is(0) {
			return k.hi.AddConst(1), true
		}
	}
	return poly{}, false
}

// NotEqual adds a != b.
func (f Facts) NotEqual(a, b sym.Poly) Facts { return f.relate(notZero, b, a, 0) }

// LessThan adds a < b.
func (f Facts) LessThan(a, b sym.Poly) Facts { return f.relate(atLeastZero, a, b, 1) }

// AtMost adds a <= b.
func (f Facts) AtMost(a, b sym.Poly) Facts { return f.relate(atLeastZero, a, b, 0) }

// relate adds a fact on b - a - c.
func (f Facts) relate(k factKind, a, b sym.Poly, c int64) Facts {
	f = f.agree(func(n int) bool {
		if k == notZero {
			equal, ok := f.compare(a, b, n)
			return ok && !equal
		}
		return f.atMostIn(a, b, c, n)
	})
	cv := f.converter()
	return f.push(&fact{kind: k, p: cv.value(b).Sub(cv.value(a)).AddConst(-c)}, cv)
}

// NonEmpty adds that an array has elements: its lengths are positive.
func (f Facts) NonEmpty(a lmad.Fun) Facts {
	for _, n := range a.Shape() {
		f = f.Positive(n)
	}
	return f
}

// AtLeast reports whether p >= c is provable, of p as a program computes it.
func (f Facts) AtLeast(p sym.Poly, c int64) bool {
	if x, ok := p.IsVar(); ok && f.ranges.of(x).lo >= c {
		return true
	}
	return f.atMost(sym.Const(c), p, 0)
}

// atMost reports whether a + c <= b is provable.
func (f Facts) atMost(a, b sym.Poly, c int64) bool {
	if f.counter(func(k int) bool { return f.exceeds(a, b, c, k) }) {
		return false
	}
	cv := f.converter()
	return f.proves(cv, cv.value(b).Sub(cv.value(a)).AddConst(-c))
}

// Less reports whether a < b is provable.
func (f Facts) Less(a, b sym.Poly) bool { return f.atMost(a, b, 1) }

func (f Facts) proves(cv *converter, p poly) bool {
	if cv.ranges.bound(p).neg == 0 { // as of n * 3 + 1, with n at least 0
		return true
	}
	v := f.prover(cv, p)
	return v.atLeastZero(v.enter(p))
}

// SameValue reports whether a = b is provable.
func (f Facts) SameValue(a, b sym.Poly) bool {
	if a.Equal(b) {
		return true
	}
	if f.MayDiffer(a, b) {
		return false
	}
	cv := f.converter()
	d := f.difference(cv, a, b)
	if d.Is(0) {
		return true
	}
	v := f.prover(cv, d)
	return v.zero(v.enter(d))
}

// difference returns what is 0 if a = b: their difference, modulo 2^64 and also by all equalities
// modulo 2^64, if it is exact or 0, and else the difference of the values.
func (f Facts) difference(cv *converter, a, b sym.Poly) poly {
	d := cv.ring(a).Sub(cv.ring(b))
	if !cv.ranges.exact(d, "") {
		d = f.congruent(cv, d)(d)
	}
	if d.Is(0) || cv.ranges.exact(d, "") {
		return d
	}
	return cv.value(a).Sub(cv.value(b))
}

// MayDiffer reports whether two polynomials differ in an example: then nobody can prove them equal.
func (f Facts) MayDiffer(a, b sym.Poly) bool {
	return f.counter(func(k int) bool { equal, ok := f.compare(a, b, k); return ok && !equal })
}

// Different reports whether a != b is provable.
func (f Facts) Different(a, b sym.Poly) bool {
	if f.counter(func(k int) bool { equal, ok := f.compare(a, b, k); return ok && equal }) {
		return false
	}
	cv := f.converter()
	return f.cases(cv, []poly{f.difference(cv, a, b)}, nil, nil, func(v *prover, ps []poly) bool {
		return v.noSolution(ps[0], nil, maxSteps)
	})
}
