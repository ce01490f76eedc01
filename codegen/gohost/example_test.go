//go:build cgo

package gohost_test

import (
	"path/filepath"
	"regexp"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/oracle/interp"
)

// TestExample runs the example as its documentation says, and compares the picture
// with what the interpreter makes of canny.ir.
func TestExample(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "new", "edges.png")
	m := &module{t, root}
	said := m.run("", "go", "run", "./examples/go-host", "examples/data/shapes.png", out)
	if !regexp.MustCompile(`(?m)^the edges' edges: .* 0 of them new buffers`).MatchString(said) {
		t.Errorf("the example says\n%s", said)
	}
	picture, err := value.DecodePNG([]byte(readFile(t, "../../examples/data/shapes.png")))
	if err != nil {
		t.Fatal(err)
	}
	got, err := value.DecodePNG([]byte(readFile(t, out)))
	if err != nil {
		t.Fatal(err)
	}
	p := parse(t, "canny.ir", readFile(t, "../../examples/canny.ir"))
	want, err := interp.ByValue(p, "main", []value.Value{picture}, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := value.Diff(want[0], got, value.Exact); d != "" {
		t.Error(d)
	}
}
