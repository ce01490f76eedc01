//go:build cgo

package opencl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/internal/test/part"
)

// hostC returns a source text as a C program and its header.
func hostC(t *testing.T, name, text string) (c, h string) {
	t.Helper()
	low := lower(t, name, text)
	c, h, err := opencl.Host(low, opencl.Kernels(low), opencl.HostOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return c, h
}

// TestHostPrograms compiles programs of the language's tests to C and runs them;
// the interpreter by value is the oracle, also for the message of a failing run.
// Kernels are the business of `memc test`: here it is host code, so a sample is
// enough, half of it here (MEMC_ALL=1: all of testdata). Each runs on one device, and with every launch on one of two at random, which
// exchange blocks within one OpenCL context or (every second time) through the host. On one device each call is
// rehearsed, which must tell the peak of the run.
func TestHostPrograms(t *testing.T) {
	paths, err := filetest.HostSample(filepath.Join("..", "..", "testdata"), part.All())
	if err != nil || len(paths) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for k, path := range paths {
		if !part.Of(k, 2) {
			continue
		}
		name, _ := filepath.Rel(filepath.Join("..", "..", "testdata"), path)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hostProgram(t, path)
		})
	}
}

// hostProgram runs the inputs of one file; inputs go in as text and come out as
// binary values, or the other way round.
func hostProgram(t *testing.T, path string) {
	text := readFile(t, path)
	blocks := must.Get(filetest.Blocks(text, filepath.Dir(path)))(t)
	prog := ""
	binary := false
	for _, b := range blocks {
		for _, c := range b.Cases {
			if !c.HasInput || c.ByMemory { // by value it succeeds
				continue
			}
			if prog == "" {
				source, _ := hostC(t, path, text)
				prog = buildC(t, "program", source, "-DMEMC_SCATTER", "-DMEMC_CHECK_PEAK")
			}
			hostCase(t, prog, path, text, c, binary)
			several := []string{"POCL_DEVICES=pthread pthread", prog, "-d", "0,1", fmt.Sprintf("--scatter=%d", c.Line)}
			if binary {
				several = append(several, "--apart")
			}
			hostCase(t, "env", path, text, c, binary, several...)
			binary = !binary
		}
	}
}

func hostCase(t *testing.T, prog, path, text string, c filetest.Case, binary bool, flags ...string) {
	t.Helper()
	p := load.Checked(t, path, text)
	args := load.Inputs(t, p.Func(c.Entry), c.Input)
	want, wantErr := interp.ByValue(p, c.Entry, args, interp.Options{})
	flags, input := append(flags, "-e", c.Entry), c.Input
	if binary {
		var b strings.Builder
		for _, v := range args {
			must.Do(t, value.WriteBinary(&b, v))
		}
		input = b.String()
	} else {
		flags = append(flags, "--binary")
	}
	out, errs, code := runC(t, input, prog, flags...)
	if wantErr != nil {
		// A sample of the programs fails as the interpreter does. Of all, some fail at another of
		// several errors, as the file itself allows.
		line, _, _ := strings.Cut(errs, "\n")
		same := line == wantErr.Error() || os.Getenv("MEMC_ALL") != "" && c.Fails != nil && c.Fails.MatchString(line)
		if code != 1 || out != "" || !same {
			t.Errorf("line %d: exit code %d, error\n%s\nby value\n%s", c.Line, code, errs, wantErr)
		}
		return
	}
	for i := len(want) - 1; i >= 0; i-- {
		if p.Func(c.Entry).SizeResult(i) { // shown by an array's shape
			want = append(want[:i:i], want[i+1:]...)
		}
	}
	got, err := value.NewReader("output", []byte(out)).All()
	if err != nil || code != 0 || len(got) != len(want) {
		t.Fatalf("line %d: exit code %d, %d results of %d: %v %s", c.Line, code, len(got), len(want), err, errs)
	}
	for i := range want {
		if d := value.Diff(want[i], got[i], value.DefaultTolerance); d != "" {
			t.Errorf("line %d: result %d: %s", c.Line, i, d)
		}
	}
}
