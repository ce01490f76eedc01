package liveness_test

import (
	"fmt"
	"os/exec"
	"testing"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/internal/test/load"
)

// BenchmarkScaling runs both analyses on generated programs. Figures are in
// docs/analyses.md.
//
//	go test ./analysis/liveness -run '^$' -bench Scaling -benchtime 3x
func BenchmarkScaling(b *testing.B) {
	for _, shape := range []string{"straight", "nested", "loops"} {
		for _, n := range []int{10_000, 30_000, 100_000} {
			b.Run(fmt.Sprintf("%s-%d", shape, n), func(b *testing.B) {
				text, err := exec.Command("go", "run", "../../scripts/genstmts", "-explicit",
					"-shape", shape, "-n", fmt.Sprint(n)).Output()
				if err != nil {
					b.Fatal(err)
				}
				p := load.Explicit(b, string(text))
				b.ReportAllocs()
				b.ResetTimer()
				for range b.N {
					liveness.Analyze(p, aliases.Analyze(p)).Func("main").LastUses(0)
				}
			})
		}
	}
}
