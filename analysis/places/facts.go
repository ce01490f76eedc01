package places

import (
	"maps"
	"slices"

	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Facts is what is known of the names at some point of a program. The zero
// value knows nothing. Facts are immutable: each method gives new ones, which
// share the old; adding one is cheap, and leaving a scope is forgetting the
// value.
type Facts struct{ last *fact }

type factKind uint8

const (
	atLeastZero factKind = iota
	isZero
	notZero
	inBounds
	defined
)

// A fact says something of p; of a bound name x, that lo <= x <= hi. Where p is 0
// since x is defined so, x is the name to replace. What a defined name is, only its
// axioms say; p mentions what they are about.
type fact struct {
	kind   factKind
	p      poly
	x      string
	lo, hi poly
	axioms []axiom
	hidden []string // names inside the opaque atoms of p
	before *fact
	depth  int // how many there are up to this one
	// segment finds the facts around this one, see Note [Finding facts]; of most
	// facts it is nil.
	segment *segment
}

func (f Facts) push(k *fact, c *converter) Facts {
	if k.p.bad {
		return f
	}
	k.axioms, k.hidden = c.axioms, c.hidden
	return f.link(k)
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
	return Facts{k}
}

// since gives the facts of f that g does not share, newest first, at most maxFacts.
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

// And adds what g knows.
func (f Facts) And(g Facts) Facts {
	out := f
	for _, k := range slices.Backward(g.since(f)) {
		c := *k
		out = out.link(&c)
	}
	return out
}

// NonNegative adds p >= 0, such as for the size of an array.
func (f Facts) NonNegative(p sym.Poly) Facts {
	c := &converter{}
	return f.push(&fact{kind: atLeastZero, p: c.poly(p)}, c)
}

// Positive adds p >= 1.
func (f Facts) Positive(p sym.Poly) Facts {
	c := &converter{}
	return f.push(&fact{kind: atLeastZero, p: c.poly(p).addc(-1)}, c)
}

// WithBound adds lo <= name < hi, as for an index of a loop or of a kernel.
func (f Facts) WithBound(name string, lo, hi sym.Poly) Facts {
	c := &converter{}
	x, l, h := atomPoly(name), c.poly(lo), c.poly(hi).addc(-1)
	f = f.push(&fact{kind: atLeastZero, p: x.sub(l)}, c)
	f = f.push(&fact{kind: atLeastZero, p: h.sub(x)}, c)
	if l.bad || h.bad || l.has(name) || h.has(name) {
		return f
	}
	return f.push(&fact{kind: inBounds, x: name, lo: l, hi: h}, &converter{hidden: c.hidden})
}

// Equal adds a = b. Where a is a name, it is taken for defined as b.
func (f Facts) Equal(a, b sym.Poly) Facts {
	cv := &converter{}
	x, _ := a.IsVar()
	return f.push(&fact{kind: isZero, x: x, p: cv.poly(a).sub(cv.poly(b))}, cv)
}

// Quotient adds that a name is x / y, rounded toward zero or, with floor, down. Of
// an index 0 <= x < y*z it is less than z.
func (f Facts) Quotient(name string, x, y sym.Poly, floor bool) Facts {
	return f.define(name, x, y, floor, func(c *converter, d, x, y poly, floor bool) {
		c.divided(d, x, y, floor)
		if len(x.t) != 1 || len(x.t[0].m) != 1 || x.t[0].c != 1 {
			return
		}
		if n, ok := f.below(x.t[0].m[0]); ok {
			if z, ok := n.exact(y); ok {
				c.axiom(axiom{given: []poly{y.addc(-1)}, then: []poly{z.sub(d).addc(-1)}})
			}
		}
	})
}

// Remainder adds that a name is what the division of x by y leaves.
func (f Facts) Remainder(name string, x, y sym.Poly, floor bool) Facts {
	return f.define(name, x, y, floor, (*converter).remainder)
}

func (f Facts) define(name string, x, y sym.Poly, floor bool, as func(c *converter, d, x, y poly, floor bool)) Facts {
	cv := &converter{}
	d, p, q := atomPoly(name), cv.poly(x), cv.poly(y)
	as(cv, d, p, q, floor)
	mentioned := map[string]bool{}
	p.atoms(mentioned)
	q.atoms(mentioned)
	about := d
	for _, x := range slices.Sorted(maps.Keys(mentioned)) {
		about = about.add(atomPoly(x))
	}
	return f.push(&fact{kind: defined, p: about}, cv)
}

// NotEqual adds a != b.
func (f Facts) NotEqual(a, b sym.Poly) Facts { return f.relate(notZero, b, a, 0) }

// LessThan adds a < b.
func (f Facts) LessThan(a, b sym.Poly) Facts { return f.relate(atLeastZero, a, b, 1) }

// AtMost adds a <= b.
func (f Facts) AtMost(a, b sym.Poly) Facts { return f.relate(atLeastZero, a, b, 0) }

// relate adds a fact on b - a - c.
func (f Facts) relate(k factKind, a, b sym.Poly, c int64) Facts {
	cv := &converter{}
	return f.push(&fact{kind: k, p: cv.poly(b).sub(cv.poly(a)).addc(-c)}, cv)
}

// NonEmpty adds that an array has elements: its lengths are positive.
func (f Facts) NonEmpty(a lmad.Fun) Facts {
	for _, n := range a.Shape() {
		f = f.Positive(n)
	}
	return f
}

// AtLeast tells whether p >= c is provable.
func (f Facts) AtLeast(p sym.Poly, c int64) bool {
	cv := &converter{}
	q := cv.poly(p).addc(-c)
	v := f.prover(cv, q)
	return v.atLeastZero(v.enter(q))
}

// Less tells whether a < b is provable.
func (f Facts) Less(a, b sym.Poly) bool { return f.AtLeast(b.Sub(a), 1) }

// SameValue tells whether a = b is provable.
func (f Facts) SameValue(a, b sym.Poly) bool {
	if a.Equal(b) {
		return true
	}
	cv := &converter{}
	q := cv.poly(a).sub(cv.poly(b))
	v := f.prover(cv, q)
	return v.zero(v.enter(q))
}

// Different tells whether a != b is provable.
func (f Facts) Different(a, b sym.Poly) bool {
	cv := &converter{}
	return f.cases(cv, []poly{cv.poly(a).sub(cv.poly(b))}, nil, nil, func(v *prover, ps []poly) bool {
		return v.nonZero(ps[0])
	})
}

// A Sign is what is provable of a value's sign.
type Sign uint8

// The signs.
const (
	AnySign Sign = iota
	Negative
	NonPositive
	Zero
	NonNegative
	Positive
)

func (s Sign) String() string {
	return [...]string{"any", "negative", "non-positive", "zero", "non-negative", "positive"}[s]
}

// Sign gives the strongest provable statement on the sign of p.
func (f Facts) Sign(p sym.Poly) Sign {
	cv := &converter{}
	q := cv.poly(p)
	v := f.prover(cv, q)
	q = v.enter(q)
	up, down := v.atLeastZero(q), v.atLeastZero(q.neg())
	switch {
	case up && down:
		return Zero
	case up && v.atLeastZero(q.addc(-1)):
		return Positive
	case up:
		return NonNegative
	case down && v.atLeastZero(q.neg().addc(-1)):
		return Negative
	case down:
		return NonPositive
	}
	return AnySign
}
