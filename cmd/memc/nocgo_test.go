package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// TestWithoutCgo builds memc without cgo, so without OpenCL. It does all but run programs on a device: it
// runs them as C, and without a C compiler on the interpreter.
func TestWithoutCgo(t *testing.T) {
	dir := t.TempDir()
	memc := filepath.Join(dir, "memc")
	build := exec.Command("go", "build", "-trimpath", "-o", memc, ".") // as releases are
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "trace.csv"), []byte("Thread,Time,Action,Pointer,Size,Stream\n"), 0o666))
	must.Do(t, os.WriteFile(filepath.Join(dir, "sum.ir"), []byte(`entry main [n] (xs: [n]i64) : i64 = {
  let s = reduce (i < n) op (a, b) { in a + b } neutral (0) { in xs[i] }
  in s
}
`), 0o666))
	for _, x := range []struct {
		env, args string
		code      int
		want      string
	}{
		{"", "check sum.ir", 0, ""},
		{"", "compile sum.ir", 0, ""},
		{"", "compile --host=go -o sum sum.ir", 0, ""},
		{"", "explain --peak sum.ir", 0, "main: "},
		{"", "run sum.ir --arg xs=[1,2]", 0, "running as C"},
		{"CC=no-such-compiler", "run sum.ir --arg xs=[1,2]", 0, "interpreter"},
		{"", "replay trace.csv", 1, "built without cgo and has no allocators"},
		{"", "run --device=0 sum.ir --arg xs=[1,2]", 1, "built without cgo and has no OpenCL"},
	} {
		c := exec.Command(memc, strings.Fields(x.args)...)
		c.Dir, c.Env = dir, append(os.Environ(), x.env)
		out, _ := c.CombinedOutput()
		if code := c.ProcessState.ExitCode(); code != x.code || !strings.Contains(string(out), x.want) || strings.Contains(x.args, "run sum") && !strings.Contains(string(out), "3i64\n") {
			t.Errorf("%s memc %s: exit code %d, %q is wanted\n%s", x.env, x.args, code, x.want, out)
		}
	}
}
