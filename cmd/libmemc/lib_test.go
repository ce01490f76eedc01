//go:build cgo

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestLibrary builds the library once, and uses it from C and from Python. The first build takes
// minutes, since Go's own packages are compiled for shared libraries.
func TestLibrary(t *testing.T) {
	dir := t.TempDir()
	run(t, "make", "-s", "-C", "../..", "libmemc", "LIBMEMC="+dir)
	t.Run("C", func(t *testing.T) { testC(t, dir) })
	t.Run("Python", func(t *testing.T) { testPython(t, dir) })
	t.Run("Dask", func(t *testing.T) { testDask(t, dir) })
	t.Run("lazy", func(t *testing.T) { testLazy(t, dir) })
}

// testC compiles and runs a C program that uses all of the header.
func testC(t *testing.T, dir string) {
	user := filepath.Join(dir, "user")
	run(t, "cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-g", "-I", dir, "-o", user, "testdata/user.c", "-L", dir, "-lmemc", "-Wl,-rpath,"+dir)
	run(t, "cc", "-x", "c++", "-fsyntax-only", "-Wall", "-Werror", filepath.Join(dir, "memc.h"))
	for _, d := range []string{`{}`, `{"device": "interp-memory"}`, `{"device": "c", "threads": 1}`} {
		t.Run(d, func(t *testing.T) {
			if out := run(t, user, d); out != "ok\n" {
				t.Error(out)
			}
		})
	}
}

// The tests use the system's Python, with NumPy and Dask: scripts/bootstrap --test installs them.
const python = "/usr/bin/python3"

// testPython runs a Python program that uses all of the package memc.
func testPython(t *testing.T, dir string) {
	t.Setenv("PYTHONPATH", filepath.Join(dir, "python"))
	for _, d := range []string{"", "interp-memory", "c"} {
		t.Run("device="+d, func(t *testing.T) {
			if out := run(t, python, "-W", "error", "testdata/user.py", d); out != "ok\n" {
				t.Error(out)
			}
		})
	}
}

// testDask runs the example, with two workers on this machine.
func testDask(t *testing.T, dir string) {
	t.Setenv("PYTHONPATH", filepath.Join(dir, "python"))
	out := run(t, python, "../../examples/dask/chunks.py")
	if !strings.HasPrefix(out, "8 images\n600000 numbers in 10 bins: 48000 to 78000 in one\nchunks on ") {
		t.Error(out)
	}
}

// testLazy compares the lazy array language with NumPy.
func testLazy(t *testing.T, dir string) {
	t.Setenv("PYTHONPATH", filepath.Join(dir, "python"))
	if out := run(t, python, "-W", "error", "../../examples/lazy/test_lazy.py", "interp-memory"); out != "ok\n" {
		t.Error(out)
	}
}

// run runs a command, which must be successful and write nothing to its standard error.
func run(t *testing.T, command ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	var errs strings.Builder
	cmd.Stderr = &errs
	cmd.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1")
	out, err := cmd.Output()
	if err != nil || errs.Len() > 0 {
		t.Fatalf("%s: %v\n%s", strings.Join(command, " "), err, errs.String())
	}
	return string(out)
}

// A number of another kind of value, or of none, is found out.
func TestTable(t *testing.T) {
	table := table{values: map[uint64]any{}}
	n := table.put("text")
	if v, ok := get[string](&table, n); !ok || v != "text" {
		t.Error(v)
	}
	if _, ok := get[int](&table, n); ok {
		t.Error("a text is taken for an int")
	}
	if _, ok := take[int](&table, n); ok {
		t.Error("a text is taken for an int")
	}
	if _, ok := take[string](&table, n); !ok {
		t.Error("the text is not there")
	}
	if _, ok := take[string](&table, n); ok || table.put(1) == n {
		t.Error("a number is used again")
	}
}
