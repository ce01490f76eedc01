package places

import (
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// The oracle of wrapping: names have values near every edge, expressions are evaluated
// as programs do it, facts are what holds then, and what is claimed must hold, too.

type wrapping struct {
	maker
	env   map[string]int64
	names []string
	f     Facts
	said  []string
}

var edges = []int64{0, 1, 2, 3, 4, 5, 7, 1 << 31, 1 << 32, 1<<32 - 1, 1 << 47, 1 << 61, 1 << 62, math.MaxInt64, math.MinInt64,
	-1, -2, -1 << 31, -1 << 62, 2654435761, 4503599627370495, 3037000500, 65536, 6148914691236517206}

func (w *wrapping) number() int64 {
	v := edges[w.IntN(len(edges))]
	if w.IntN(4) == 0 {
		v += int64(w.IntN(5)) - 2
	}
	return v
}

// scalar returns a random expression.
func (w *wrapping) scalar(depth int) ir.Exp {
	if depth == 0 || w.IntN(4) == 0 {
		if w.IntN(4) == 0 {
			return sym.Const(w.number()).Exp()
		}
		return ir.Var(w.names[w.IntN(len(w.names))])
	}
	x, y := w.scalar(depth-1), w.scalar(depth-1)
	switch w.IntN(13) {
	case 0, 1, 2:
		return &ir.Binary{Op: "+", X: x, Y: y, T: ir.I64}
	case 3, 4:
		return &ir.Binary{Op: "-", X: x, Y: y, T: ir.I64}
	case 5, 6, 7:
		return &ir.Binary{Op: "*", X: x, Y: y, T: ir.I64}
	case 8:
		return &ir.Builtin{Fn: []string{"min", "max"}[w.IntN(2)], Args: []ir.Exp{x, y}, T: ir.I64}
	case 9:
		op := []string{"/", "%"}[w.IntN(2)]
		if v, ok := w.value(y); ok && v != 0 {
			return &ir.Binary{Op: op, X: x, Y: y, T: ir.I64}
		}
	case 10:
		fn := []string{"fdiv", "fmod"}[w.IntN(2)]
		if v, ok := w.value(y); ok && v != 0 {
			return &ir.Builtin{Fn: fn, Args: []ir.Exp{x, y}, T: ir.I64}
		}
	case 11:
		return &ir.Unary{Op: "-", X: x, T: ir.I64}
	case 12:
		return &ir.Cond{C: w.comparison(w.scalar(depth-1), w.scalar(depth-1)), X: x, Y: y, T: ir.I64}
	}
	return x
}

func (w *wrapping) comparison(x, y ir.Exp) *ir.Binary {
	return &ir.Binary{Op: []string{"<", "<=", "==", "!=", ">", ">="}[w.IntN(6)], X: x, Y: y, T: ir.Bool}
}

func compare(op string, u, v int64) bool {
	return map[string]bool{"<": u < v, "<=": u <= v, "==": u == v, "!=": u != v, ">": u > v, ">=": u >= v}[op]
}

func (w *wrapping) value(e ir.Exp) (int64, bool) {
	switch e := e.(type) {
	case *ir.Cond:
		c := e.C.(*ir.Binary)
		x, ok1 := w.value(c.X)
		y, ok2 := w.value(c.Y)
		v, ok3 := w.value(e.Y)
		if compare(c.Op, x, y) {
			v, ok3 = w.value(e.X)
		}
		return v, ok1 && ok2 && ok3
	case *ir.Lit:
		return int64(e.Bits), true
	case *ir.Ref:
		return w.env[e.Name], true
	case *ir.Unary:
		v, ok := w.value(e.X)
		return -v, ok
	case *ir.Binary:
		x, ok1 := w.value(e.X)
		y, ok2 := w.value(e.Y)
		switch {
		case e.Op == "+":
			return x + y, ok1 && ok2
		case e.Op == "-":
			return x - y, ok1 && ok2
		case e.Op == "*":
			return x * y, ok1 && ok2
		case y == 0:
			return 0, false
		case e.Op == "/":
			return x / y, ok1 && ok2
		}
		return x % y, ok1 && ok2
	case *ir.Builtin:
		x, ok1 := w.value(e.Args[0])
		y, ok2 := w.value(e.Args[1])
		switch {
		case e.Fn == "min":
			return min(x, y), ok1 && ok2
		case e.Fn == "max":
			return max(x, y), ok1 && ok2
		case y == 0:
			return 0, false
		case e.Fn == "fdiv":
			return x/y - b2i(x%y != 0 && (x < 0) != (y < 0)), ok1 && ok2
		}
		m := x % y
		if m != 0 && (m < 0) != (y < 0) {
			m += y
		}
		return m, ok1 && ok2
	}
	return 0, false
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (w *wrapping) say(s string, f Facts) { w.said, w.f = append(w.said, s), f }

// bind gives a name a value.
func (w *wrapping) bind(x string, v int64) {
	w.env[x] = v
	w.names = append(w.names, x)
}

// learn adds something that holds.
func (w *wrapping) learn(fresh string) {
	e := w.scalar(1 + w.IntN(2))
	v, ok := w.value(e)
	if !ok {
		return
	}
	p := sym.Of(e)
	x := w.names[w.IntN(len(w.names))]
	switch w.IntN(9) {
	case 0, 1, 2: // a condition
		g := w.scalar(1 + w.IntN(2))
		u, ok := w.value(g)
		if !ok {
			return
		}
		c := w.comparison(e, g)
		if compare(c.Op, v, u) {
			w.say(ir.ExpString(c), w.f.FromCondition(c))
		} else {
			w.say("not "+ir.ExpString(c), w.f.FromNegation(c))
		}
	case 3, 4: // a definition
		w.bind(fresh, v)
		w.say(fresh+" = "+ir.ExpString(e), w.f.Equal(sym.Var(fresh), p))
	case 5:
		if u := w.env[x]; u >= 0 && u <= MaxBytes {
			w.say("size "+x, w.f.Size(x))
		}
	case 6: // an index
		if v > 0 && v <= 1<<56 {
			w.bind(fresh, w.Int64N(min(v, 1<<40)))
			w.say(fresh+" < "+ir.ExpString(e), w.f.WithBound(fresh, sym.Const(0), p).Turn(fresh))
		}
	case 7:
		d := w.scalar(1)
		u, ok := w.value(d)
		if !ok || u == 0 {
			return
		}
		floor, q := w.IntN(2) == 0, w.IntN(2) == 0
		op, fn := "%", "fmod"
		if q {
			op, fn = "/", "fdiv"
		}
		var by ir.Exp = &ir.Binary{Op: op, X: e, Y: d, T: ir.I64}
		if floor {
			by = &ir.Builtin{Fn: fn, Args: []ir.Exp{e, d}, T: ir.I64}
			op = fn
		}
		r, _ := w.value(by)
		w.bind(fresh, r)
		w.say(fresh+" = "+ir.ExpString(by), w.f.Division(fresh, op, p, sym.Of(d)))
	case 8: // a definition of which only the range is kept
		w.bind(fresh, v)
		w.say(fresh+" in the range of "+ir.ExpString(e), w.f.Value(fresh, e))
	}
}

// products says of sizes that an array has them, where it can.
func (w *wrapping) products() {
	x, y := w.names[w.IntN(len(w.names))], w.names[w.IntN(len(w.names))]
	if u, v := w.env[x], w.env[y]; u >= 0 && v >= 0 && u <= MaxBytes && v <= MaxBytes && mulSat(uint64(u), uint64(v)) <= MaxBytes {
		w.say("array "+x+", "+y, w.f.Exists([]ir.Dim{{Name: x}, {Name: y}}))
	}
}

// region returns an LMAD that lies within a block, with its positions.
func (w *wrapping) region() (lmad.Fun, []int64, bool) {
	off := w.scalar(2)
	o, ok := w.value(off)
	if w.IntN(2) == 0 { // what the offset lacks to be small
		off, o = &ir.Binary{Op: "-", X: off, Y: sym.Const(o - int64(w.IntN(6))).Exp(), T: ir.I64}, 0
		o, ok = w.value(off)
	}
	l := lmad.LMAD{Offset: sym.Of(off)}
	at := []int64{o}
	for range w.IntN(3) {
		n, s := w.scalar(w.IntN(2)), w.scalar(w.IntN(2))
		len, ok1 := w.value(n)
		by, ok2 := w.value(s)
		if !ok1 || !ok2 || len < 1 || len > 6 {
			n, len = ir.IntLit(2), 2
		}
		var next []int64
		for _, p := range at {
			for k := range len {
				next = append(next, p+k*by)
			}
		}
		at = next
		l.Dims = append(l.Dims, lmad.Dim{Len: sym.Of(n), Stride: sym.Of(s)})
	}
	for _, p := range at {
		ok = ok && 0 <= p && p < MaxBytes/8
	}
	return lmad.Of(l), at, ok
}

// size returns the size of a block.
func (w *wrapping) size(e ir.Exp) *big.Int {
	fn, args := scalar.Size(e)
	x := new(big.Int)
	var y *big.Int
	switch len(args) {
	case 0:
		v, _ := w.value(e)
		return x.SetInt64(v)
	case 2:
		y = w.size(args[1])
	}
	switch z := w.size(args[0]); fn {
	case "neg":
		return x.Neg(z)
	case "mul":
		return x.Mul(z, y)
	case "add":
		return x.Add(z, y)
	case "min", "max":
		if (z.Cmp(y) < 0) == (fn == "min") {
			return z
		}
	}
	return y
}

// sizes examines claims about sizes of blocks.
func (w *wrapping) sizes(claim func(what string, claimed, holds bool, about ...any), e, g ir.Exp) {
	p, q, a, b := sym.Of(e), sym.Of(g), w.size(e), w.size(g)
	v, _ := w.value(e)
	claim("covers", w.f.Covers(p, q), a.Cmp(b) >= 0, p, q)
	claim("unwrapped", w.f.Unwrapped(p), a.Cmp(big.NewInt(v)) == 0, p)
	rest := new(big.Int).Sub(a, big.NewInt(v))
	claim("exact", w.f.Exact(p), rest.Mod(rest, new(big.Int).Lsh(big.NewInt(1), 64)).Sign() == 0, p)
}

// slice examines the claim that a slice is in bounds.
func (w *wrapping) slice(claim func(what string, claimed, holds bool, about ...any)) {
	size := w.names[w.IntN(len(w.names))]
	var ps [3]sym.Poly
	var vs [3]*big.Int
	for k := range ps {
		e := w.scalar(w.IntN(3))
		v, ok := w.value(e)
		if !ok {
			return
		}
		ps[k], vs[k] = sym.Of(e), big.NewInt(v)
	}
	n, last := big.NewInt(w.env[size]), new(big.Int).Sub(vs[1], big.NewInt(1))
	last.Add(vs[0], last.Mul(last, vs[2]))
	in := func(x *big.Int) bool { return x.Sign() >= 0 && x.Cmp(n) < 0 }
	claim("in bounds", w.f.Size(size).InBounds(ps[0], ps[1], ps[2], sym.Var(size)),
		n.Sign() < 0 || n.Int64() > MaxBytes || vs[1].Sign() == 0 || vs[1].Sign() > 0 && in(vs[0]) && in(last), ps, size)
	room := vs[2].Mul(vs[2], vs[1])
	claim("room", w.f.Room(sym.Var(size), ps[:1], ps[1:]), room.Add(room, vs[0]).Cmp(n) <= 0, ps, size)
}

// TestWrapping: whatever is claimed holds of numbers that wrap.
func TestWrapping(t *testing.T) {
	r := maker{rand.New(rand.NewPCG(9, *seed))}
	claims := map[string]int{}
	rounds := max(400, *instances/1000)
	for range rounds {
		w := &wrapping{maker: r, env: map[string]int64{}}
		for _, x := range []string{"n", "m", "k", "l"} {
			w.bind(x, w.number())
		}
		for j := range 2 + w.IntN(6) {
			w.learn("x" + string(rune('0'+j)))
			if w.IntN(3) == 0 {
				w.products()
			}
		}
		claim := func(what string, claimed, holds bool, about ...any) {
			if claimed {
				claims[what]++
			}
			if claimed && !holds {
				t.Fatalf("claimed %s of %v\nfacts %q\nvalues %v", what, about, w.said, w.env)
			}
		}
		claim("a contradiction", w.f.Contradictory(), false)
		for range 6 {
			e, g := w.scalar(2), w.scalar(2)
			u, ok1 := w.value(e)
			v, ok2 := w.value(g)
			if !ok1 || !ok2 {
				continue
			}
			p, q := sym.Of(e), sym.Of(g)
			claim(">= 0", w.f.AtLeast(p, 0), u >= 0, p)
			claim(">= 1", w.f.AtLeast(p, 1), u >= 1, p)
			claim("less", w.f.Less(p, q), u < v, p, q)
			claim("same value", w.f.SameValue(p, q), u == v, p, q)
			claim("different", w.f.Different(p, q), u != v, p, q)
			w.sizes(claim, e, g)
			w.slice(claim)
		}
		a, at, ok1 := w.region()
		b, bt, ok2 := w.region()
		if w.IntN(2) == 0 { // the same, as far as that wraps
			x := w.names[w.IntN(len(w.names))]
			c := int64(1) << ((64 - bits.TrailingZeros64(uint64(w.env[x]))) & 63)
			l := lmad.LMAD{Offset: a.Parts[0].Offset.Add(sym.Var(x).Mul(sym.Const(c))), Dims: a.Parts[0].Dims}
			if w.env[x] > 0 && c*w.env[x] == 0 {
				b, bt, ok2 = lmad.Of(l), at, ok1
				w.say(x+" > 0", w.f.Positive(sym.Var(x)))
			}
		}
		if !ok1 || !ok2 {
			continue
		}
		set, met := map[int64]bool{}, false
		for _, p := range at {
			set[p] = true
		}
		for _, p := range bt {
			met = met || set[p]
		}
		claim("disjoint", Disjoint(w.f, a, b, 4, 4), !met, a, b)
		same := len(at) == len(bt) && len(a.Parts[0].Dims) == len(b.Parts[0].Dims)
		for k := range at {
			same = same && at[k] == bt[k]
		}
		claim("same function", Same(w.f, a, b), same, a, b)
		claim("disjoint from the other size", Disjoint(w.f, a, b, 8, 4), !overlap(at, bt, 8, 4), a, b)
	}
	t.Logf("%d rounds, claims %v", rounds, claims)
	for _, what := range []string{">= 0", "less", "same value", "different", "disjoint", "same function"} {
		if rounds >= 20_000 && claims[what] == 0 {
			t.Errorf("%q is hardly ever claimed", what)
		}
	}
}

func overlap(a, b []int64, elemA, elemB int64) bool {
	for _, p := range a {
		for _, q := range b {
			if p*elemA < (q+1)*elemB && q*elemB < (p+1)*elemA {
				return true
			}
		}
	}
	return false
}

// What one run knows of a product, the other one does not know of its own, although its factor
// i / 2 has the same text there.
func TestProductOfAnotherRun(t *testing.T) {
	half := sym.Of(&ir.Binary{Op: "/", X: ir.Var("i"), Y: ir.IntLit(2), T: ir.I64})
	outer := Start(0).WithBound("i", sym.Const(0), sym.Var("k")).AtMost(sym.Const(1), sym.Var("N"))
	rows := outer.Small(half, sym.Var("N")).LessThan(sym.Const(3), sym.Var("N"))
	product := half.Mul(sym.Var("N"))
	bound := func(f Facts) mag {
		c := f.converter()
		p := c.ring(product)
		return c.ranges.bound(p)
	}
	if got := bound(rows); !got.fits() {
		t.Fatalf("the run that has the rows does not know them: %v", got)
	}
	if got := bound(outer.Beside(rows, outer, []string{"i"}).Facts); got.fits() {
		t.Errorf("the other run has %v, which only this one knows", got)
	}
}
