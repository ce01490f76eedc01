//go:build cgo

package gohost_test

import (
	"path/filepath"
	"testing"

	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
)

// TestLibrary uses a generated package as a stranger would: from a module of his own.
// It runs with the race detector, since methods may be called from any goroutine.
func TestLibrary(t *testing.T) {
	m := newModule(t)
	path := filepath.Join("..", "opencl", "testdata", "host", "library.ir")
	m.add(load.Checked(t, path, must.Read(t, path)), "library")
	m.write("main.go", must.Read(t, "testdata/library/main.go"))
	if out := m.run("", "go", "run", "-race", "."); out != "ok\n" {
		t.Error(out)
	}
}
