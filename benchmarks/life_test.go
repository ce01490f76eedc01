package benchmarks

import (
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

func init() {
	oracles["life"] = func(args []value.Value) []value.Value {
		steps, h, w := toInt(args[0]), args[1].Shape[0], args[1].Shape[1]
		alive := map[[2]int64]bool{}
		for i, x := range toInts(args[1]) {
			if x == 1 {
				alive[[2]int64{int64(i) / w, int64(i) % w}] = true
			}
		}
		counts := make([]int64, steps)
		for s := range counts {
			near := map[[2]int64]int{}
			for c := range alive {
				for k := range int64(9) {
					if k != 4 {
						near[[2]int64{(c[0] + k/3 - 1 + h) % h, (c[1] + k%3 - 1 + w) % w}]++
					}
				}
			}
			next := map[[2]int64]bool{}
			for c, n := range near {
				if n == 3 || n == 2 && alive[c] {
					next[c] = true
				}
			}
			alive = next
			counts[s] = int64(len(alive))
		}
		last := make([]int64, h*w)
		for c := range alive {
			last[c[0]*w+c[1]] = 1
		}
		return []value.Value{fromInts(ir.I8, last, h, w), fromInts(ir.I64, counts, steps)}
	}
}
