package lmad

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Fits holds just where every element lies in the block, for small numbers.
func TestFitsAgainstElements(t *testing.T) {
	fit, not := 0, 0
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 11))
		names := []string{"a", "b", "c"}
		values := map[string]int64{}
		for _, n := range names {
			values[n] = r.Int64N(9) - 3
		}
		poly := func() sym.Poly {
			p := sym.Const(r.Int64N(5) - 1)
			if r.IntN(2) == 0 {
				p = p.Add(sym.Var(names[r.IntN(3)]).Mul(sym.Const(r.Int64N(5) - 2)))
			}
			if r.IntN(4) == 0 {
				p = p.Add(sym.Var("a").Mul(sym.Var("b")))
			}
			return p
		}
		eval := func(p sym.Poly) int64 {
			return p.Eval(func(e ir.Exp) int64 { return values[e.(*ir.Ref).Name] })
		}
		l := LMAD{Offset: poly()}
		for range r.IntN(3) {
			l.Dims = append(l.Dims, Dim{poly(), poly()})
		}
		size, bytes := []int64{1, 2, 4, 8}[r.IntN(4)], r.Int64N(60)
		want := true
		var visit func(k int, pos int64)
		visit = func(k int, pos int64) {
			if k == len(l.Dims) {
				want = want && pos >= 0 && (pos+1)*size <= bytes
				return
			}
			for i := range eval(l.Dims[k].Len) {
				visit(k+1, pos+i*eval(l.Dims[k].Stride))
			}
		}
		negative := false
		for _, d := range l.Dims {
			negative = negative || eval(d.Len) < 0
		}
		if negative {
			continue // is found before
		}
		visit(0, eval(l.Offset))
		if got := holds(t, Of(l), size, bytes, values); got != want {
			t.Fatalf("seed %d: fits is %v, want %v: %v of %d in %d with %v", seed, got, want, l, size, bytes, values)
		}
		if want {
			fit++
		} else {
			not++
		}
	}
	if fit < 1000 || not < 1000 {
		t.Errorf("%d fit, %d do not", fit, not)
	}
}

func holds(t *testing.T, f Fun, size, bytes int64, values map[string]int64) bool {
	t.Helper()
	cond, ok := f.Fits(size, ir.IntLit(bytes))
	if !ok {
		t.Fatal("too long")
	}
	slots, frame := map[string]int{}, []uint64{}
	for n, v := range values {
		slots[n] = len(frame)
		frame = append(frame, uint64(v))
	}
	code := must.Get(scalar.Compile(cond, scalar.Env{Slot: func(n string) (int, bool) { k, ok := slots[n]; return k, ok }}))(t)
	return code(frame) != 0
}

// Offsets and strides may have been computed by wrapping around; what follows from them
// may not wrap into the block.
func TestFitsOfLargeNumbers(t *testing.T) {
	a, b := sym.Var("a"), sym.Var("b")
	for _, c := range []struct {
		l    LMAD
		a, b int64
		want bool
	}{
		{LMAD{Offset: a.Mul(b)}, 1 << 32, 1 << 32, true}, // element 0
		{LMAD{Offset: a.Mul(b)}, 1<<63 - 1, 1<<63 - 1, true},
		{LMAD{Offset: a.Mul(b)}, 1 << 31, 1 << 32, false},
		{LMAD{Offset: a.Sub(b)}, 1 << 55, 1<<55 - 1, true},
		{LMAD{Dims: []Dim{{a, b}}}, 1 << 33, 1 << 31, false},
		{LMAD{Dims: []Dim{{a, b}}}, 5, 1 << 62, false},
		{LMAD{Dims: []Dim{{a, b}}}, 0, 1 << 62, true},
		{LMAD{Dims: []Dim{{a, b}}}, 1, 1 << 62, true},
		{LMAD{Offset: a, Dims: []Dim{{sym.Const(2), b}}}, 1<<63 - 1, 1<<63 - 1, false},
		{LMAD{Offset: a, Dims: []Dim{{sym.Const(2), b}}}, -1 << 63, -1 << 63, false},
		{LMAD{Offset: b, Dims: []Dim{{a, sym.Const(-1)}}}, 4, 3, true},
		{LMAD{Offset: b, Dims: []Dim{{a, sym.Const(-1)}}}, 4, 2, false},
	} {
		if got := holds(t, Of(c.l), 4, 400, map[string]int64{"a": c.a, "b": c.b}); got != c.want {
			t.Errorf("%v with a = %d, b = %d: fits is %v", c.l, c.a, c.b, got)
		}
	}
}

// An array of several parts that fits has all its elements in the block, and they stay where they
// are if sizes turn out equal, so that parts join.
func TestFitsOfSeveralParts(t *testing.T) {
	fit, joined := 0, 0
	for seed := range uint64(100000) {
		r := rand.New(rand.NewPCG(seed, 12))
		values := map[string]int64{}
		for _, n := range []string{"a", "b", "c", "d"} {
			values[n] = r.Int64N(7) - 2
		}
		poly := func() sym.Poly {
			if r.IntN(4) == 0 {
				return sym.Const(r.Int64N(4))
			}
			return sym.Var([]string{"a", "b", "c", "d"}[r.IntN(4)])
		}
		f := Of(LMAD{Offset: sym.Const(r.Int64N(9)), Dims: []Dim{{poly(), sym.Const(7)}, {poly(), sym.Const(1)}}})
		f = f.Reshape([]sym.Poly{poly(), poly()})
		for range r.IntN(3) {
			if f.Rank() > 1 && r.IntN(4) == 0 {
				f = f.Permute([]int{1, 0})
			} else if r.IntN(2) == 0 {
				items := make([]item, f.Rank())
				for k, n := range f.Shape() {
					items[k] = []item{whole(n), {start: poly(), len: poly(), stride: sym.Const(r.Int64N(4) - 1)}, {fixed: true, start: poly()}}[r.IntN(3)]
				}
				f = f.slice(items)
			} else if r.IntN(2) == 0 {
				f = f.Reshape([]sym.Poly{poly(), poly()})
			} else {
				f = f.Reshape([]sym.Poly{poly()})
			}
		}
		eval := func(p sym.Poly) int64 {
			return p.Eval(func(e ir.Exp) int64 { return values[e.(*ir.Ref).Name] })
		}
		c := f.Concrete(eval)
		shape := c.Shape()
		if len(f.Parts) == 1 || slices.ContainsFunc(shape, func(n int64) bool { return n < 0 }) {
			continue
		}
		const room = 40
		if !holds(t, f, 1, room, values) {
			continue
		}
		g := f.Map(func(p sym.Poly) sym.Poly { return sym.Const(eval(p)) })
		d := g.Concrete(eval)
		fit++
		if len(g.Parts) < len(f.Parts) {
			joined++
		}
		for k := range c.Elems() {
			ix := make([]int64, len(shape))
			for dim := len(ix) - 1; dim >= 0; dim-- {
				ix[dim], k = k%shape[dim], k/shape[dim]
			}
			if p := c.Flat(ix); p < 0 || p >= room || p != d.Flat(ix) {
				t.Fatalf("seed %d: element %v of %v lies at %d, and at %d with numbers, with %v", seed, ix, f.Key(), p, d.Flat(ix), values)
			}
		}
	}
	if fit < 1000 || joined < 1000 {
		t.Errorf("%d fit, parts of %d join", fit, joined)
	}
}
