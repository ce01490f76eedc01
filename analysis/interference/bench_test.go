package interference_test

import (
	"fmt"
	"os/exec"
	"testing"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/internal/test/load"
)

// BenchmarkScaling runs the analysis on generated programs: the tables alone
// (aliases and liveness included), with one question for every two blocks that
// are allocated one after another, and with all pairs. Figures are in
// docs/analyses.md.
//
//	go test ./analysis/interference -run '^$' -bench Scaling -benchtime 1x
func BenchmarkScaling(b *testing.B) {
	for _, shape := range []string{"straight", "nested", "loops"} {
		for _, n := range []int{10_000, 30_000, 100_000} {
			text, err := exec.Command("go", "run", "../../scripts/genstmts", "-explicit",
				"-shape", shape, "-n", fmt.Sprint(n)).Output()
			if err != nil {
				b.Fatal(err)
			}
			p := load.Explicit(b, string(text))
			blocks := allocated(p.Func("main"))
			for _, c := range []struct {
				name string
				ask  func(t *interference.Table) (pairs int)
			}{
				{"tables", func(*interference.Table) int { return 0 }},
				{"neighbouring", func(t *interference.Table) int {
					pairs := 0
					for k := 1; k < len(blocks); k++ {
						for j := max(0, k-3); j < k; j++ {
							t.Interfere(blocks[j], blocks[k])
							pairs++
						}
					}
					return pairs
				}},
				{"each", func(t *interference.Table) int {
					pairs := 0
					t.Each(func(string, string, interference.Witness) { pairs++ })
					return pairs
				}},
			} {
				b.Run(fmt.Sprintf("%s-%d-%s", shape, n, c.name), func(b *testing.B) {
					b.ReportAllocs()
					for range b.N {
						a := aliases.Analyze(p)
						t := interference.Analyze(p, a, liveness.Analyze(p, a)).Func("main")
						b.ReportMetric(float64(c.ask(t)), "pairs")
					}
				})
			}
		}
	}
}
