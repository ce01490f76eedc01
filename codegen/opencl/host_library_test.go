//go:build cgo

package opencl_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/test/must"
)

// TestHostLibrary uses the C API as a stranger would: header and library are
// apart.
func TestHostLibrary(t *testing.T) {
	if out, errs, code := runC(t, "", libraryUser(t)); code != 0 || out != "ok\n" {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
}

// TestHostCallers calls one context from several threads, on every target; on processors also with
// sanitizers, which OpenCL drivers do not stand.
func TestHostCallers(t *testing.T) {
	const text = `
entry twice [n] (xs: [n]f32) : [n]f32 = {
  let ys = map (i < n) { in xs[i] * 2 }
  in ys
}
entry pick [n] (xs: [n]f32, i: i64) : f32 = { in xs[i] }
`
	for _, tasks := range []bool{false, true} {
		p, low := lowerBoth(t, "callers.ir", text)
		turns := "-DTURNS=500"
		if tasks { // without turns on the context 10 of 10 runs failed
			low, turns = must.Get(imp.Lower(p, imp.Options{Tasks: true}))(t), "-DTURNS=100000"
		}
		c, _, err := opencl.Host(low, opencl.Kernels(low), opencl.HostOptions{})
		must.Do(t, err)
		builds := [][]string{{turns}}
		if tasks {
			builds = append(builds, []string{"-DTURNS=5000", "-fsanitize=thread"}, []string{"-DTURNS=5000", "-fsanitize=address,undefined", "-fno-sanitize-recover"})
		}
		for _, flags := range builds {
			out, errs, code := runC(t, "", buildC(t, "callers", library(t, c, "testdata/host/callers.c"), append(flags, "-O2")...))
			if code != 0 || out != "ok\n" {
				t.Errorf("tasks %v, %v: exit code %d: %s%s", tasks, flags, code, out, errs)
			}
		}
	}
}

// TestHostLate launches kernels while the threads of the context get no turn.
func TestHostLate(t *testing.T) {
	const text = "entry sum (n: i64) : i64 = {\n  let s = reduce (i < n) op (a, b) { in a + b } neutral (0) { in i }\n  in s\n}\n"
	p, _ := lowerBoth(t, "late.ir", text)
	c, _, err := opencl.Host(must.Get(imp.Lower(p, imp.Options{Tasks: true}))(t), "", opencl.HostOptions{})
	must.Do(t, err)
	for _, threads := range []string{"-fopenmp", "-DMEMC_PTHREADS"} {
		if out, errs, code := runC(t, "", buildC(t, "late", library(t, c, "testdata/host/late.c"), threads)); code != 0 || out != "ok\n" {
			t.Errorf("%s: exit code %d: %s%s", threads, code, out, errs)
		}
	}
}

// TestHostArguments calls every function of the API with what it must refuse, on every target.
func TestHostArguments(t *testing.T) {
	const text = `
entry first [n] (x: *[n]i32, y: [n]i32) : [n]i32 = {
  let r = loop (r: *[n]i32 = x) for i < n { let s = r with [i] = y[i] in s }
  in r
}
entry second [n] (y: [n]i32, x: *[n]i32) : [n]i32 = {
  let r = loop (r: *[n]i32 = x) for i < n { let s = r with [i] = y[i] in s }
  in r
}
entry both [n] (x: *[n]i32, y: *[n]i32) : [n]i32 = {
  let r = map (i < n) { in x[i] + y[i] }
  in r
}
`
	const nothing = `CHECK(arguments_start_first(NULL, &r, a, a) == NULL && arguments_future_wait(NULL) == 1); \
  CHECK(arguments_raw_i32_1d(NULL, a) == NULL && arguments_raw_i32_1d(ctx, NULL) == NULL); \
  CHECK(arguments_context_cl(NULL) == NULL && arguments_context_queue(NULL) == NULL); \
  CHECK(arguments_context_devices(NULL) == 0 && arguments_context_device(NULL, 0) == NULL); \
  arguments_config_set_evict(NULL, true); \
  arguments_config_set_build_all(NULL, true);`
	for _, tasks := range []bool{false, true} {
		p, low := lowerBoth(t, "arguments.ir", text)
		target := "#define TARGET_NOTHING " + nothing + "\n"
		if tasks {
			low = must.Get(imp.Lower(p, imp.Options{Tasks: true}))(t)
			target = "#define TARGET_NOTHING arguments_config_set_threads(NULL, 1);\n"
		}
		c, _, err := opencl.Host(low, opencl.Kernels(low), opencl.HostOptions{})
		must.Do(t, err)
		prog := buildC(t, "arguments", target+library(t, c, "testdata/host/arguments.c"), "-fsanitize=address,undefined", "-fno-sanitize-recover")
		t.Setenv("ASAN_OPTIONS", "detect_leaks=0") // of OpenCL drivers
		if out, errs, code := runC(t, "", prog); code != 0 || out != "ok\n" {
			t.Errorf("tasks %v: exit code %d: %s%s", tasks, code, out, errs)
		}
	}
}

func libraryUser(t *testing.T) string {
	t.Helper()
	c, h := hostC(t, "library.ir", readFile(t, "testdata/host/library.ir"))
	dir := t.TempDir()
	lib := filepath.Join(dir, "library.c")
	for name, text := range map[string]string{"library.c": c, "library.h": h, "check.h": readFile(t, "testdata/host/check.h")} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return buildC(t, "user", readFile(t, "testdata/host/library.c"), "-g", "-O2", "-DMEMC_NO_MAIN", "-I"+dir, lib)
}

// TestHostValgrind runs the user of the C API under valgrind. OpenCL drivers and
// the dynamic loader have findings of their own, so only those count that are
// made by generated code itself, or in memory that it asked for itself; objects
// of OpenCL are counted by TestHostErrorPaths.
//
// PoCL takes two minutes to compile the kernels under valgrind, which hides some instructions of the
// processor. So kernels are for any processor, and a run without valgrind compiles them before.
func TestHostValgrind(t *testing.T) {
	t.Setenv("POCL_LLVM_CPU_NAME", "x86-64")
	t.Setenv("POCL_KERNELLIB_NAME", "sse2")
	prog, log := libraryUser(t), filepath.Join(t.TempDir(), "log")
	valgrind := []string{"valgrind", "-q", "--leak-check=full", "--show-leak-kinds=all", "--log-file=" + log, prog}
	for _, cmd := range [][]string{{prog}, valgrind} {
		if out, errs, code := runC(t, "", cmd[0], cmd[1:]...); code != 0 || out != "ok\n" {
			t.Fatalf("%v: exit code %d: %s%s", cmd, code, out, errs)
		}
	}
	for _, f := range valgrindFindings(readFile(t, log)) {
		t.Errorf("valgrind:\n%s", f)
	}
}

// frame matches a stack frame: the function, and where it is.
var frame = regexp.MustCompile(`(?:at|by) 0x[0-9A-F]+: (\S+) \((.*)\)`)

// valgrindFindings returns the findings of a log whose innermost frame, not
// counting the C library's memory and string functions, is in generated code.
func valgrindFindings(log string) (ours []string) {
	helpers := regexp.MustCompile(`^(malloc|calloc|realloc|free|mem(cpy|move|set|cmp)\S*|str\S*|v?sn?printf|\S*printf\S*)$`)
	for _, f := range regexp.MustCompile(`(?m)^==\d+== *$`).Split(log, -1) {
		for _, m := range frame.FindAllStringSubmatch(f, -1) {
			if helpers.MatchString(m[1]) {
				continue
			}
			if strings.HasPrefix(m[2], "library.c:") || strings.HasPrefix(m[2], "user.c:") {
				ours = append(ours, strings.TrimSpace(f))
			}
			break
		}
	}
	return ours
}

// A leak and a wild read in generated code are found.
func TestValgrindFindings(t *testing.T) {
	log := `==1== 
==1== Invalid read of size 8
==1==    at 0x1: strncmp (strcmp-sse2.S:162)
==1==    by 0x2: is_dst (dl-load.c:216)
==1==    by 0x3: memc_up (library.c:9)
==1== 
==1== 24 bytes in 1 blocks are definitely lost
==1==    at 0x1: malloc (in /usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so)
==1==    by 0x2: memc_alloc (library.c:700)
==1==    by 0x3: main (user.c:3)
==1== 
==1== Conditional jump or move depends on uninitialised value(s)
==1==    at 0x2: memc_copy (library.c:800)
==1== 
`
	if got := valgrindFindings(log); len(got) != 2 {
		t.Errorf("got %q", got)
	}
}

// TestHostErrorPaths makes every call of OpenCL and of malloc fail once, under one of three allocators. The
// test stands in one file with the library, whose calls it replaces by macros.
func TestHostErrorPaths(t *testing.T) {
	c, _ := hostC(t, "library.ir", readFile(t, "testdata/host/library.ir"))
	part := func(name string) string { return readFile(t, "testdata/host/"+name) }
	prog := buildC(t, "failing", "#define MEMC_NO_MAIN\n"+part("failing_head.h")+c+part("check.h")+part("failing.c"))
	if out, errs, code := runC(t, "", prog); code != 0 || out != "ok\n" {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
}

// TestHostLostDevice takes the device away, one of two, and f64 from another.
func TestHostLostDevice(t *testing.T) {
	twoDevices(t)
	part := func(name string) string { return readFile(t, "testdata/host/"+name) }
	const f64 = "entry main [n] (xs: [n]f64) : [n]f64 = {\n  let ys = map (i < n) { in xs[i] * 2.0 }\n  in ys\n}\n"
	for _, x := range []struct{ name, program, user, want string }{
		{"library.ir", part("library.ir"), "lost.c", "ok\n"},
		{"several.ir", part("several.ir"), "lost_several.c", "ok\n"},
		{"library.ir", part("library.ir"), "no_f64.c", "taken\n"}, // f64 on the host, and in copies
		{"library.ir", f64, "no_f64.c", "refused\n"},
	} {
		c, _ := hostC(t, x.name, x.program)
		prog := buildC(t, "lost", "#define MEMC_NO_MAIN\n#define _POSIX_C_SOURCE 200112L\n"+part("lost_head.h")+c+part("check.h")+part(x.user))
		if out, errs, code := runC(t, "", prog); code != 0 || out != x.want {
			t.Errorf("%s: exit code %d: %s%s", x.user, code, out, errs)
		}
	}
}

// A program's own odd conditions are no warnings of C (buildC makes them errors).
func TestHostOddConditions(t *testing.T) {
	c, _ := hostC(t, "odd.ir", readFile(t, "testdata/host/odd.ir"))
	out, errs, code := runC(t, "0 3 1.5 7 true", buildC(t, "odd", c))
	if want := "true false true true false false true inf false false true"; code != 0 ||
		strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(out), "\n", " "), "f64.", "") != want {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
}
