package benchmarks

import (
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

func init() {
	oracles["pathfinder"] = func(args []value.Value) []value.Value {
		rows, cols := args[0].Shape[0], args[0].Shape[1]
		wall := toInts(args[0])
		cost := wall[:cols]
		for r := int64(1); r < rows; r++ {
			next := make([]int64, cols)
			for x := range cols {
				best := cost[x]
				for _, from := range []int64{x - 1, x + 1} {
					if from >= 0 && from < cols && cost[from] < best {
						best = cost[from]
					}
				}
				next[x] = best + wall[r*cols+x]
			}
			cost = next
		}
		return []value.Value{fromInts(ir.I32, cost, cols)}
	}
	oracles["pathfinder-groups"] = withoutTiles(2, oracles["pathfinder"])
}
