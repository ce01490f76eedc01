package opencl_test

import (
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
)

// library puts a test's C behind the source of a library, in one file, so that
// the test sees the runtime's own functions.
func library(t *testing.T, c, test string) string {
	return "#define MEMC_NO_MAIN\n" + c + readFile(t, "testdata/host/check.h") + readFile(t, test)
}

// The runtime's strided copies give what the obvious loop gives.
func TestHostCopies(t *testing.T) {
	for _, tasks := range []bool{false, true} {
		c, _, err := opencl.Host(&imp.Program{Tasks: tasks}, opencl.Kernels(&imp.Program{}), opencl.HostOptions{Prefix: "copies"})
		if err != nil {
			t.Fatal(err)
		}
		out, errs, code := runC(t, "", buildC(t, "copies", library(t, c, "testdata/host/copy.c")))
		if code != 0 || out != "ok\n" {
			t.Errorf("tasks %v: exit code %d: %s%s", tasks, code, out, errs)
		}
	}
}
