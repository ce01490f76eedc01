package imp_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/load"
)

// TestSchedules: how the work of operations and of some programs is divided is as in testdata/imp/schedules. A
// strategy that no longer applies, or that applies elsewhere, changes it. MEMC_GOLDEN=1 writes it anew.
func TestSchedules(t *testing.T) {
	root := filepath.Join("..", "..")
	programs := []string{filepath.Join(root, "testdata", "imp", "schedules", "operations.ir")}
	for _, name := range []string{"canny", "crystal", "hotspot", "kmeans", "lavaMD", "mri-q", "nbody", "sgemm", "srad", "stencil"} {
		programs = append(programs, filepath.Join(root, "benchmarks", name, name+".ir"))
	}
	for _, path := range programs {
		name := strings.TrimSuffix(filepath.Base(path), ".ir")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			p := load.Checked(t, name+".ir", string(text))
			if _, err := pipeline.Run(p, pipeline.DefaultPasses(), pipeline.Options{}); err != nil {
				t.Fatal(err)
			}
			low, err := imp.Lower(p, imp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := imp.Schedule(&got, low); err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join(root, "testdata", "imp", "schedules", name+".txt")
			if os.Getenv("MEMC_GOLDEN") != "" {
				if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got.String()); diff != "" {
				t.Errorf("the schedule has changed (-before +now); MEMC_GOLDEN=1 writes it:\n%s", diff)
			}
		})
	}
}
