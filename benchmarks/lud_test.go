package benchmarks

import "github.com/memc-lang/memc/internal/base/value"

func init() {
	for _, in := range []string{"lud-16", "lud-64"} {
		references = append(references, reference{
			benchmark: "lud", in: in + ".in", out: in + ".out", oracle: true,
			args: func(vs []value.Value) []value.Value { return []value.Value{i64(16), vs[0]} },
		})
	}
	oracles["lud"] = func(args []value.Value) []value.Value {
		n := args[1].Shape[0]
		a := make([]float64, n*n)
		for i, x := range toF32(args[1]) {
			a[i] = float64(x)
		}
		for k := range n {
			for i := k + 1; i < n; i++ {
				a[i*n+k] /= a[k*n+k]
				for j := k + 1; j < n; j++ {
					a[i*n+j] -= a[i*n+k] * a[k*n+j]
				}
			}
		}
		lu := make([]float32, n*n)
		for i, x := range a {
			lu[i] = float32(x)
		}
		return []value.Value{floats(lu, n, n)}
	}
	oracles["lud-groups"] = oracles["lud"]
}
