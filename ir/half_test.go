package ir

import (
	"math"
	"math/rand"
	"testing"
)

// TestHalf: every f16 survives the way there and back, and rounding never leaves
// a number between the result and what is rounded, nor passes it.
func TestHalf(t *testing.T) {
	for h := uint64(0); h < 1<<16; h++ {
		f := HalfFloat(h)
		if f != f {
			if got := HalfBits(f); got&0x7c00 != 0x7c00 || got&0x3ff == 0 {
				t.Fatalf("a NaN became %#x", got)
			}
			continue
		}
		if got := HalfBits(f); got != h {
			t.Fatalf("%#x is %v, which rounds to %#x", h, f, got)
		}
	}
	rng := rand.New(rand.NewSource(1))
	for range 20000 {
		f := float64(float32(math.Ldexp(rng.Float64()*2-1, rng.Intn(43)-28)))
		h := HalfBits(f)
		if got, next := math.Abs(HalfFloat(h)), math.Abs(HalfFloat(h+1)); math.Abs(f) < 65536 && (got > math.Abs(f) || next <= math.Abs(f)) {
			t.Fatalf("%v rounds to %v; the next is %v", f, got, next)
		}
	}
	for _, c := range []struct {
		f    float64
		want uint64
	}{{65504, 0x7bff}, {65535, 0x7bff}, {65536, 0x7c00}, {-1.2, 0xbccc}, {math.Ldexp(1, -24), 1}, {math.Ldexp(1.9, -25), 0},
		{math.Copysign(0, -1), 0x8000}, {math.Inf(-1), 0xfc00}} {
		if got := HalfBits(c.f); got != c.want {
			t.Errorf("%v rounds to %#x, want %#x", c.f, got, c.want)
		}
	}
}
