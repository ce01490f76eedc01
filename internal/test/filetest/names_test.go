package filetest

import (
	"bytes"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/internal/test/part"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

// headers are those whose names a C program may know.
const headers = `#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <iso646.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <tgmath.h>
#include <time.h>
#include <unistd.h>
#include <CL/cl.h>
`

var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// known returns the identifiers that something beside the program may mean: of C (keywords, headers,
// macros that compilers define), of OpenCL C (PoCL's headers, and words that no header has), of Go
// and of Python, and of memc's own preludes and runtimes.
func known(t *testing.T) []string {
	var text strings.Builder
	for _, flags := range [][]string{{"-E"}, {"-E", "-dM"}} {
		c := exec.Command("cc", append(flags, "-DCL_TARGET_OPENCL_VERSION=120", "-D_GNU_SOURCE", "-x", "c", "-")...)
		c.Stdin = strings.NewReader(headers)
		text.Write(must.Get(c.Output())(t))
	}
	for _, pattern := range []string{"../../../codegen/opencl/*.cl", "../../../codegen/opencl/*.h", "../../../codegen/opencl/c/*.c", "../../../codegen/opencl/c/*/*.c", "../../../runtime/native/c/*.c", "../../../runtime/native/c/*/*.c", "../../../runtime/device/cl/*.cl", "/usr/share/pocl/include/*.h"} {
		files := must.Get(filepath.Glob(pattern))(t)
		if len(files) == 0 && !strings.HasPrefix(pattern, "/") {
			t.Errorf("no file matches %s", pattern)
		}
		for _, f := range files {
			text.Write(must.Get(os.ReadFile(f))(t))
		}
	}
	text.WriteString(` alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t class compl concept
		const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double
		dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept
		not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires restrict return short signed
		sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename typeof
		union unsigned using virtual void volatile wchar_t while xor xor_eq unix linux near far vec_step kernel global local constant generic
		read_only write_only read_write pipe half uniform image2d_t sampler_t event_t get_global_id get_local_id get_group_id local_id
		local_size group_id num_groups gtid fault alive count turn reach shared NAN INFINITY M_PI I CLK_LOCAL_MEM_FENCE
		False None True as assert async await def del elif except finally from global import in is lambda nonlocal pass raise
		with yield __debug__ __name__ __class__ self keep print len int range np `)
	for k := token.Token(0); k < 1<<8; k++ {
		text.WriteString(k.String() + " ")
	}
	text.WriteString(strings.Join(types.Universe.Names(), " "))
	pasted := regexp.MustCompile(`\w+\s*##\s*\w*`).ReplaceAllString(text.String(), " ") // beginnings of names
	words := word.FindAllString(pasted, -1)
	slices.Sort(words)
	return slices.Compact(words)
}

// ends reports a name that a variable of the text could have: imp, Note [Names apart].
func ends(name string) bool { return name[0] != '_' && strings.HasSuffix(name, "_") }

// TestNamesApart: whatever a name means to a compiler, in a program it means what the program says.
func TestNamesApart(t *testing.T) {
	var names []string
	for _, n := range known(t) {
		if ends(n) {
			t.Errorf("%q ends in an underscore, as variables of the text do", n)
		}
		if strings.HasPrefix(n, "q0") { // the programs' own
			continue
		}
		f := diag.NewFile("name.ir", fmt.Sprintf("entry %s (%s: i64) : i64 = { in %s }", n, n, n))
		if p, list := parser.Parse(f); !list.Failed() {
			if more := check.Program(p); !more.Failed() {
				names = append(names, n)
			}
		}
	}
	if len(names) < 3000 {
		t.Fatalf("only %d names", len(names))
	}
	// Of the headers' names every 24th is tried, of short ones every fourth, of the device's own and the other languages' most.
	opencl := must.Get(os.ReadFile("../../../codegen/opencl/prelude.cl"))(t)
	special := func(n string) bool {
		return bytes.Contains(opencl, []byte(n)) || strings.HasPrefix(n, "memc_") || strings.HasPrefix(n, "get_") || slices.Contains([]string{"local_size", "local_id", "vec_step", "half", "kernel"}, n)
	}
	var some, few []string
	for i, n := range names {
		if special(n) || len(n) < 7 && part.Of(i, 4) || part.Of(i, 24) {
			some = append(some, n)
		}
		if special(n) && !strings.HasPrefix(n, "memc_") || part.Of(i, 120) {
			few = append(few, n)
		}
	}
	t.Logf("%d of %d names as C, %d on OpenCL", len(some), len(names), len(few))
	dir := t.TempDir()
	for k, some := range slices.Collect(slices.Chunk(some, 250)) {
		must.Do(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("c%d.ir", k)), []byte(allRoles(some)), 0o644))
	}
	passes(t, dir, Options{Device: driver.Processors})

	dir = t.TempDir()
	for k, some := range slices.Collect(slices.Chunk(few, 200)) {
		must.Do(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("d%d.ir", k)), []byte(allRoles(some)), 0o644))
	}
	passes(t, dir, Options{Jobs: 1})
}

func passes(t *testing.T, dir string, opt Options) {
	t.Helper()
	results := must.Get(Run([]string{dir}, opt))(t)
	if len(results) == 0 {
		t.Error("nothing ran")
	}
	for _, r := range results {
		if r.Err != nil {
			t.Errorf("%s:%d: %.2000v", filepath.Base(r.Path), r.Line, r.Err)
		}
	}
}

// allRoles is a program that has names as locals and loop variables of a kernel, as sizes, parameters,
// arrays, indices of kernels, functions and entries.
func allRoles(names []string) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("-- ==\n-- entry: main\n-- input { [3i64, 5i64] }\n-- output auto")
	one := names[0]
	line("-- entry: %s\n-- input { [7i64, 9i64] 4i64 }\n-- output auto", one)
	for _, n := range names {
		line("fun q0f_%s (x: i64) : i64 = { in x * 3 + 1 }", n)
	}
	line("entry main [q0n] (q0v: [q0n]i64) : [q0n]i64 = {\n  let q0w = map (q0i < q0n) {\n    let q0x = q0v[q0i]")
	last := "q0x"
	for _, n := range names {
		line("    let %s = %s * 3 + q0i", n, last)
		last = n
	}
	line("    in %s\n  }\n  in q0w\n}", last)
	for k, n := range names {
		other := names[(k+1)%len(names)]
		if k%16 == 0 { // a size and a parameter, an index, an array
			line("entry %s [%s] (q0v: [%s]i64, %s: i64) : ([%s]i64, i64) = {", n, n, n, other, n)
			line("  let q0r = map (%s'0 < %s) { in q0v[%s'0] + %s }", n, n, n, other)
			line("  let q0s = loop (%s' = 0) for %s'1 < %s { in %s' * 2 + q0r[%s'1] }", n, n, n, n, n)
			line("  in (q0r, q0s)\n}")
		}
	}
	return b.String()
}
