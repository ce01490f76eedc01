package benchmarks

import (
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

func init() {
	search := func(args []value.Value) []value.Value {
		start, degree, edges := toInts(args[0]), toInts(args[1]), toInts(args[2])
		cost := make([]int64, len(start))
		for i := range cost {
			cost[i] = -1
		}
		queue := []int64{0}
		cost[0] = 0
		for ; len(queue) > 0; queue = queue[1:] {
			v := queue[0]
			for _, to := range edges[start[v] : start[v]+degree[v]] {
				if cost[to] < 0 {
					cost[to] = cost[v] + 1
					queue = append(queue, to)
				}
			}
		}
		return []value.Value{fromInts(ir.I32, cost, int64(len(cost)))}
	}
	for _, name := range []string{"bfs", "bfs-frontier"} {
		oracles[name] = search
		references = append(references, reference{benchmark: name, in: "bfs-4096nodes.in", out: "bfs-4096nodes.out", oracle: true})
	}
}
