package scalar

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

// The size of a block is exact, or it is refused, or it is below 0 and so is its value.
func TestBytesAgainstIntegers(t *testing.T) {
	edges := []int64{0, 1, -1, 2, -2, 3, 4, 8, 1 << 31, 1<<31 + 1, -1 << 32, 1 << 46, 1 << 47, 1<<47 + 1, 1 << 61, 1 << 62, -1 << 62,
		math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1}
	wide := map[string]int{}
	for seed := range uint64(200000) {
		r := rand.New(rand.NewPCG(seed, 7))
		var build func(depth int) (ir.Exp, *big.Int)
		build = func(depth int) (ir.Exp, *big.Int) {
			if depth == 0 {
				v := edges[r.IntN(len(edges))]
				return &ir.Lit{Text: "edge", T: ir.I64, Bits: uint64(v)}, big.NewInt(v)
			}
			x, p := build(depth - 1)
			y, q := build(r.IntN(depth))
			switch r.IntN(7) {
			case 0:
				return &ir.Unary{Op: "-", X: x, T: ir.I64}, new(big.Int).Neg(p)
			case 1:
				return &ir.Binary{Op: "-", X: x, Y: y, T: ir.I64}, new(big.Int).Sub(p, q)
			case 2, 3:
				return &ir.Binary{Op: "+", X: x, Y: y, T: ir.I64}, new(big.Int).Add(p, q)
			case 4:
				fn := []string{"min", "max"}[r.IntN(2)]
				if (p.Cmp(q) < 0) == (fn == "max") {
					p = q
				}
				return &ir.Builtin{Fn: fn, Args: []ir.Exp{x, y}, T: ir.I64}, p
			}
			return &ir.Binary{Op: "*", X: x, Y: y, T: ir.I64}, new(big.Int).Mul(p, q)
		}
		e, want := build(3)
		c := must.Get(CompileBytes(e, Env{}))(t)
		switch got := int64(c(nil)); {
		case want.IsInt64() && got == want.Int64():
			wide["exact"]++
		case got >= unknown: // refused
			wide["refused"]++
			if want.IsInt64() && want.Int64() >= 0 && want.Int64() <= ir.MaxBytes {
				wide["refused though small"]++
			}
		case got <= 0 && want.Sign() <= 0:
			wide["below 0"]++
		default:
			t.Fatalf("seed %d: %s is %d, and not %s", seed, ir.ExpString(e), got, want)
		}
	}
	for _, what := range []string{"exact", "refused", "below 0"} {
		if wide[what] < 1000 {
			t.Errorf("only %d sizes were %s: %v", wide[what], what, wide)
		}
	}
	t.Log(wide)
}
