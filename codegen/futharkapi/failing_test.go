//go:build cgo

package futharkapi_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// TestErrorPaths makes every call of OpenCL and of malloc fail once while the API is
// in use. The test stands in one file with the library, whose calls it replaces by
// macros, those of the tests of memc's own API.
func TestErrorPaths(t *testing.T) {
	read := func(name string) string {
		return must.Read(t, name)
	}
	head := read("../opencl/testdata/host/failing_head.h")
	// Here a context is made first, and calls fail from then on.
	head = strings.Replace(head, "static int failing(void) { return ++calls == fail_at; }",
		"static long fail_from;\nstatic int failing(void) { return fail_from && ++calls == fail_from; }", 1)
	head = strings.Replace(head, "#define malloc test_malloc", `static cl_int count_kept(cl_mem m)
{
  cl_int e = failing() ? CL_OUT_OF_RESOURCES : clRetainMemObject(m);
  live += e == CL_SUCCESS;
  return e;
}
#define clRetainMemObject(m) count_kept(m)
#define malloc test_malloc`, 1)
	dir := generate(t, "opaque_entries.fut_gpu_mem", true)
	file := filepath.Join(dir, "failing.c")
	text := head + read(filepath.Join(dir, "opaque_entries.c")) + read("testdata/failing.c")
	must.Do(t, os.WriteFile(file, []byte(text), 0o644))
	prog := build(t, dir, "failing", "-g", file)
	if out, errs, code := run(t, dir, "", prog); code != 0 || out != "ok\n" {
		t.Fatalf("exit code %d: %s%s", code, out, errs)
	}
}
