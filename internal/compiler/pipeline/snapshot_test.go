package pipeline_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
	"github.com/memc-lang/memc/transform"
)

// What a pass changes is no part of a snapshot that was made before: a check may still read that.
func TestPassesLeaveSnapshotsAlone(t *testing.T) {
	programs := 0
	must.Do(t, filepath.WalkDir("../../../testdata", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".ir") {
			return err
		}
		p, list := parser.Parse(diag.NewFile(path, must.Read(t, path)))
		if list.Failed() {
			return nil
		}
		if list = check.Program(p); list.Failed() {
			return nil
		}
		programs++
		for _, pass := range pipeline.DefaultPasses() {
			before, text := ir.Snapshot(p), p.String()
			if pass.Run(p, transform.NewContext(pass.Name, nil, transform.Unlimited)) != nil {
				break
			}
			if left := before.String(); left != text {
				t.Errorf("%s: %s changes what it may share:\n%s", path, pass.Name, pipeline.Diff(text, left))
			}
		}
		return nil
	}))
	if programs < 500 {
		t.Errorf("only %d programs were found", programs)
	}
}
