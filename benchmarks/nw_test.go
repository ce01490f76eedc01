package benchmarks

import (
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
)

func init() {
	tiles := func(args []value.Value) []value.Value {
		b, n := toInt(args[1]), args[2].Shape[0]
		score := needlemanWunsch(toInt(args[0]), n, toInts(args[2]))
		nb := n / b
		scores := build(ir.I32, []int64{nb * nb, b, b}, func(k int64) uint64 {
			tile, r, c := k/(b*b), k/b%b, k%b
			return uint64(score[tile/nb*b+r+1][tile%nb*b+c+1])
		})
		return []value.Value{scores}
	}
	oracles["nw"], oracles["nw-groups"] = tiles, tiles
	oracles["nw-diagonals"] = func(args []value.Value) []value.Value {
		n := args[1].Shape[0]
		score := needlemanWunsch(toInt(args[0]), n, toInts(args[1]))
		w := n + 1
		return []value.Value{build(ir.I32, []int64{w, w}, func(k int64) uint64 { return uint64(score[k/w][k%w]) })}
	}
}

// needlemanWunsch returns the matrix with a border row and a border column of gaps.
func needlemanWunsch(penalty, n int64, ref []int64) [][]int64 {
	score := make([][]int64, n+1)
	for y := range score {
		score[y] = make([]int64, n+1)
		for x := range score[y] {
			switch {
			case y == 0:
				score[y][x] = -penalty * int64(x)
			case x == 0:
				score[y][x] = -penalty * int64(y)
			default:
				score[y][x] = max(score[y-1][x-1]+ref[int64(y-1)*n+int64(x-1)], score[y-1][x]-penalty, score[y][x-1]-penalty)
			}
		}
	}
	return score
}
