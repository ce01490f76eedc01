//go:build cgo

package gohost_test

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
)

// TestExample runs the example as its documentation says, and compares the picture
// with what the interpreter makes of canny.ir.
func TestExample(t *testing.T) {
	root := must.Get(filepath.Abs("../.."))(t)
	out := filepath.Join(t.TempDir(), "new", "edges.png")
	m := &module{t, root}
	said := m.run("", "go", "run", "./examples/go-host", "examples/data/shapes.png", out)
	if !regexp.MustCompile(`(?m)^the edges' edges: .* 0 of them new buffers`).MatchString(said) {
		t.Errorf("the example says\n%s", said)
	}
	picture := must.Get(value.DecodePNG([]byte(must.Read(t, "../../examples/data/shapes.png"))))(t)
	got := must.Get(value.DecodePNG([]byte(must.Read(t, out))))(t)
	p := load.Checked(t, "canny.ir", must.Read(t, "../../examples/canny.ir"))
	want := must.Get(interp.ByValue(p, "main", []value.Value{picture}, interp.Options{}))(t)
	if d := value.Diff(want[0], got, value.Exact); d != "" {
		t.Error(d)
	}
}
