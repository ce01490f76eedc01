package futharktest

import (
	"path/filepath"
	"testing"

	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/must"
)

// TestConstructs: of every construct that Futhark's printer makes there is a
// dump of its own in testdata/futhark/constructs, which runs right in every way
// or is refused by name and position.
func TestConstructs(t *testing.T) {
	opt := filetest.Options{Jobs: 1}
	if openContext(t) == nil {
		opt.Device = filetest.NoDevice
	}
	results := must.Get(filetest.Run([]string{filepath.Join("..", "..", "..", "testdata", "futhark", "constructs")}, opt))(t)
	if len(results) < 50 {
		t.Errorf("%d cases", len(results))
	}
	for _, r := range results {
		if r.Err != nil {
			t.Errorf("%s:%d: %v", r.Path, r.Line, r.Err)
		}
	}
}
