package opencl_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memc-lang/memc/internal/test/must"
)

// warnings is how generated C must compile.
var warnings = []string{"-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"}

// buildC compiles a C file, with its warnings as errors, and gives the program.
func buildC(t *testing.T, name, text string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	file, prog := filepath.Join(dir, name+".c"), filepath.Join(dir, name)
	must.Do(t, os.WriteFile(file, []byte(text), 0o644))
	args := append(append([]string{}, warnings...), flags...)
	args = append(args, "-o", prog, file, "-lOpenCL", "-lm")
	if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
		t.Fatalf("cc %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return prog
}

// runC runs a program; it gives what it wrote to stdout and stderr, and its
// exit code.
func runC(t *testing.T, stdin, prog string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // a hang is a failure
	defer cancel()
	cmd := exec.CommandContext(ctx, prog, args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	if err := cmd.Run(); err != nil {
		if _, ok := err.(*exec.ExitError); !ok {
			t.Fatal(err)
		}
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	data := must.Get(os.ReadFile(name))(t)
	return string(data)
}
