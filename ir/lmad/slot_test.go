package lmad_test

import (
	"math/rand/v2"
	"testing"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Functions with one key and different numbers share no element, whatever n is.
func TestSlot(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := sym.Var("n")
	size := func() sym.Poly {
		return []sym.Poly{sym.Const(int64(r.IntN(4))), n, n.Add(sym.Const(1)), n.Mul(sym.Const(2))}[r.IntN(4)]
	}
	random := func() lmad.Fun {
		var l lmad.LMAD
		l.Offset = size().Mul(sym.Const(int64(r.IntN(4)))).Add(sym.Const(int64(r.IntN(3)) - 1))
		stride := sym.Const(1)
		for range 1 + r.IntN(2) {
			d := lmad.Dim{Len: size(), Stride: stride}
			if r.IntN(3) == 0 {
				d.Stride, l.Offset = sym.Const(int64(r.IntN(7))-2), sym.Const(int64(r.IntN(9)))
			}
			l.Dims = append([]lmad.Dim{d}, l.Dims...)
			stride = d.Stride.Mul(d.Len)
		}
		return lmad.Of(l)
	}
	compared := 0
	byKey := map[string][]lmad.Fun{}
	for range 3000 {
		f := random()
		key, number, ok := f.Slot()
		if !ok {
			continue
		}
		for _, g := range byKey[key] {
			if _, other, _ := g.Slot(); other != number {
				compared++
				for v := range int64(4) {
					if met := meets(f, g, v); met >= 0 {
						t.Fatalf("%v and %v share %d for n = %d, slots %d and %d of %s", f.Key(), g.Key(), met, v, number, other, key)
					}
				}
			}
		}
		if len(byKey[key]) < 8 {
			byKey[key] = append(byKey[key], f)
		}
	}
	if compared < 1000 {
		t.Errorf("only %d pairs were compared", compared)
	}
}

// meets returns a position that two functions share, or -1.
func meets(f, g lmad.Fun, n int64) int64 {
	at := func(f lmad.Fun) map[int64]bool {
		c := f.Concrete(func(p sym.Poly) int64 {
			v, _ := p.Value(func(string, ir.Exp) (int64, bool) { return n, true })
			return v
		})
		out := map[int64]bool{}
		for k := range c.Elems() {
			shape := c.Shape()
			ix := make([]int64, len(shape))
			for d := len(shape) - 1; d >= 0; d-- {
				ix[d], k = k%shape[d], k/shape[d]
			}
			out[c.Flat(ix)] = true
		}
		return out
	}
	in := at(f)
	for p := range at(g) {
		if in[p] {
			return p
		}
	}
	return -1
}
