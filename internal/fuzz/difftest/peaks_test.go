package difftest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/memc-lang/memc/internal/fuzz/difftest"
	"github.com/memc-lang/memc/internal/test/part"
	"github.com/memc-lang/memc/ir/diag"
)

// No run of the programs that were written for the passes that share memory holds more
// behind the default pipeline than before anything was optimised, and no peak is below the
// plan bound.
func TestPeaks(t *testing.T) {
	skip := map[string]bool{difftest.StageValue: true, difftest.StageErase: true, difftest.StageStatic: true}
	files, runs := 0, 0
	for _, dir := range []string{"coalesce", "reuse", "mix", "expert", "fixedbugs"} {
		root := filepath.Join("..", "..", "..", "testdata", dir)
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".ir" {
				return err
			}
			if files++; !part.Of(files, 2) {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			s, err := difftest.Read(diag.NewFile(path, string(text)))
			if err != nil {
				return nil // it has no input that it runs with
			}
			out := difftest.Run(s, difftest.Options{Skip: skip, Bound: true})
			if f := out.Failure; f != nil && f.Stage == difftest.StagePeak {
				t.Errorf("%s: %v", path, f)
			}
			runs += out.ByMemory.Runs
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if runs < 500 {
		t.Errorf("only %d runs were compared", runs)
	}
}
