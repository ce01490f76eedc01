//go:build cgo

package futharkapi_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

// warnings is how generated C, and programs that use it, must compile.
var warnings = []string{"-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-D_POSIX_C_SOURCE=200112L"}

// generate compiles a program of testdata as memc compile --api=futhark does; the
// files lie in a fresh directory.
func generate(t *testing.T, file string, library bool) (dir string) {
	t.Helper()
	return generateFor(t, driver.Lower, file, driver.COptions{Library: library})
}

// generateFor does it for the target that lower lowers for.
func generateFor(t *testing.T, lower func(*ir.Program, imp.Options) (*driver.Lowered, error), file string, opt driver.COptions) (dir string) {
	t.Helper()
	f := must.Get(driver.ReadSource(filepath.Join("testdata", file)))(t)
	passes := must.Get(pipeline.Parse(pipeline.Default()))(t)
	p, _, err := driver.Explicit(f, passes, pipeline.Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	low := must.Get(lower(p, imp.Options{}))(t)
	base := strings.TrimSuffix(file, filepath.Ext(file))
	opt.Header = base + ".h"
	c, h, m, err := driver.FutharkC(low, f, opt)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for name, text := range map[string]string{".c": c, ".h": h, ".json": m} {
		must.Do(t, os.WriteFile(filepath.Join(dir, base+name), []byte(text), 0o644))
	}
	return dir
}

// build compiles C files with their warnings as errors.
func build(t *testing.T, dir, name string, flags ...string) string {
	t.Helper()
	prog := filepath.Join(dir, name)
	args := append(append(append([]string{}, warnings...), "-I"+dir, "-o", prog), flags...)
	args = append(args, "-lOpenCL", "-lm", "-lpthread")
	if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
		t.Fatalf("cc %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return prog
}

// run runs a program.
func run(t *testing.T, dir, stdin, prog string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // a hang is a failure
	defer cancel()
	cmd := exec.CommandContext(ctx, prog, args...)
	var out, errs bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = dir, strings.NewReader(stdin), &out, &errs
	if err := cmd.Run(); err != nil {
		if _, ok := err.(*exec.ExitError); !ok {
			t.Fatal(err)
		}
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// TestUsers links programs written against Futhark's API with what memc makes, as
// they are: one per kind of use.
func TestUsers(t *testing.T) {
	for _, x := range []struct{ file, user string }{
		{"values.ir", "scalars"},
		{"values.ir", "arrays"},
		{"values.ir", "errors"},
		{"values.ir", "memory"},
		{"values.ir", "config"},
		{"opaque_entries.fut_gpu_mem", "opaque"},
		{"opaque_entries.fut_gpu_mem", "entries"},
		{"sums.fut_gpu_mem", "sums"},
	} {
		t.Run(x.user, func(t *testing.T) {
			t.Parallel()
			base := strings.TrimSuffix(x.file, filepath.Ext(x.file))
			// A library has no main; that of a program steps back where the user has one.
			dir := generate(t, x.file, x.user != "scalars")
			prog := build(t, dir, "user", "-O2", filepath.Join("testdata", x.user+".c"), filepath.Join(dir, base+".c"))
			var args []string
			if x.user == "config" {
				args = []string{filepath.Join(dir, "cache"), filepath.Join(dir, "binary")}
			}
			if out, errs, code := run(t, dir, "", prog, args...); code != 0 || out != "ok\n" {
				t.Fatalf("exit code %d: %s%s", code, out, errs)
			}
		})
	}
}

// TestUsersOfProcessors links the same programs with what needs no OpenCL, with and
// without threads.
func TestUsersOfProcessors(t *testing.T) {
	for _, x := range []struct{ file, user string }{
		{"values.ir", "scalars"}, {"values.ir", "arrays"}, {"values.ir", "errors"}, {"values.ir", "memory"},
		{"opaque_entries.fut_gpu_mem", "opaque"}, {"opaque_entries.fut_gpu_mem", "entries"}, {"sums.fut_gpu_mem", "sums"},
	} {
		t.Run(x.user, func(t *testing.T) {
			t.Parallel()
			base := strings.TrimSuffix(x.file, filepath.Ext(x.file))
			dir := generateFor(t, driver.LowerTasks, x.file, driver.COptions{Library: x.user != "scalars"})
			prog := filepath.Join(dir, "user")
			args := append(append([]string{}, warnings...), "-I"+dir, "-o", prog, "-fopenmp",
				filepath.Join("testdata", x.user+".c"), filepath.Join(dir, base+".c"), "-lm", "-lpthread")
			if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
				t.Fatalf("cc: %v\n%s", err, out)
			}
			if out, errs, code := run(t, dir, "", prog); code != 0 || out != "ok\n" {
				t.Fatalf("exit code %d: %s%s", code, out, errs)
			}
		})
	}
}

// A user may be written in C++, include the header twice, and have strict warnings
// of his own.
func TestHeader(t *testing.T) {
	dir := generate(t, "opaque_entries.fut_gpu_mem", true)
	user := filepath.Join(dir, "user.c")
	text := "#include \"opaque_entries.h\"\n#include \"opaque_entries.h\"\nint main(void) { return FUTHARK_SUCCESS; }\n"
	must.Do(t, os.WriteFile(user, []byte(text), 0o644))
	build(t, dir, "user", "-Wstrict-prototypes", "-Wmissing-prototypes", "-Wconversion", user)
	if cxx, err := exec.LookPath("c++"); err == nil {
		if out, err := exec.Command(cxx, "-Wall", "-Wextra", "-Werror", "-I"+dir, "-x", "c++", "-fsyntax-only", user).CombinedOutput(); err != nil {
			t.Errorf("c++: %v\n%s", err, out)
		}
	}
}

// Programs that use little of the API compile without warnings too, optimised or
// not, with main or without.
func TestLittle(t *testing.T) {
	for _, file := range []string{"scalar.ir", "nothing.ir", "no_entry.ir"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			for _, library := range []bool{true, false} {
				dir := generate(t, file, library)
				c := filepath.Join(dir, strings.TrimSuffix(file, ".ir")+".c")
				for _, o := range []string{"-O0", "-O2"} {
					build(t, dir, "little.o", o, "-c", c)
				}
			}
		})
	}
}
