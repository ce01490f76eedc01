//go:build cgo

package gohost_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/interp"
	"github.com/memc-lang/memc/internal/value"
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

// TestDocs builds and runs the program of docs/go-host.md.
func TestDocs(t *testing.T) {
	blocks := strings.Split(readFile(t, "../../docs/go-host.md"), "\n```")
	if len(blocks) != 5 { // text between two fenced blocks
		t.Fatalf("docs/go-host.md has %d parts", len(blocks))
	}
	source, user := strings.TrimPrefix(blocks[1], "\n"), strings.TrimPrefix(blocks[3], "go\n")
	m := newModule(t)
	m.add(parse(t, "sim.ir", source), "sim")
	m.write("main.go", user)
	if out := m.run("", "go", "run", "."); out != "[4] [0.125 0.25 0.375 0.5] 1.25 20\n" {
		t.Error(out)
	}
}
