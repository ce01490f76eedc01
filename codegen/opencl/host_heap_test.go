//go:build cgo

package opencl_test

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/test/must"
)

// TestHostHeapCodes tells a heap without room from a program's own fault, on every target.
func TestHostHeapCodes(t *testing.T) {
	const text = `
entry main [n] (sizes: [n]i64) : [n]i64 = {
  let r = map (i < n) {
    let s = sizes[i]
    let e = scratch i64 (s)
    let a = e with [s - 1] = i
    let b = a with [0] = s
    in b[0]
  }
  in r
}
`
	for _, tasks := range []bool{false, true} {
		p, low := lowerBoth(t, "heapcodes.ir", text)
		if tasks {
			low = must.Get(imp.Lower(p, imp.Options{Tasks: true}))(t)
		}
		c, _, err := opencl.Host(low, opencl.Kernels(low), opencl.HostOptions{})
		must.Do(t, err)
		prog := buildC(t, "heapcodes", library(t, c, "testdata/host/heapcodes.c"))
		if out, errs, code := runC(t, "", prog); code != 0 || out != "ok\n" {
			t.Errorf("tasks %v: exit code %d: %s%s", tasks, code, out, errs)
		}
	}
}

// TestHostHeap gives a compiled program whose kernels allocate heaps of several
// sizes, by its option.
func TestHostHeap(t *testing.T) {
	c, h := hostC(t, "growing.ir", readFile(t, "../../testdata/device-heap/growing.ir"))
	if !strings.Contains(h, "void growing_config_set_device_heap(struct growing_config *cfg, int64_t bytes);") {
		t.Error("the header has no way to set the size of the heap")
	}
	prog := buildC(t, "growing", c)
	const in = "[1i64, 2i64, 3i64, 4i64]"
	for _, x := range []struct {
		args, out, errs string // regular expressions of all that is written
		code            int
	}{
		{"", `\[1i64, 4i64, 10i64, 20i64\]\n`, "", 0},
		{"-H 100000 -r 20", `\[1i64, 4i64, 10i64, 20i64\]\n`, "", 0}, // so small that what is not freed would be missed
		{"--device-heap=2000", "", `growing\.ir:13:5: error\[E812\]: out of memory in a kernel: 8 bytes requested for block .m_first., and the device heap of 2000 bytes has no room\n` +
			`hint: a larger heap: --device-heap, or config_set_device_heap of the C API\n`, 1},
		{"-H 100000 --stats=json", `\[1i64, 4i64, 10i64, 20i64\]\n`, `\{.*,"device_heap_bytes":100000\}\n`, 0},
		{"-m 50000", "", `error\[E812\]: a device heap of 67108864 bytes is above the limit of 50000\n`, 1},
		{"-H 10000 -m 10020", "", `error\[E812\]: an argument: out of device memory: 32 bytes requested, 0 bytes are in use beside a device heap of 10000, the limit is 10020\n`, 1},
		{"-H 100", "", `error: a device heap has at least 1024 bytes, not 100\n`, 1},
		{"-H none", "", `.*: -H takes a number of bytes above 0, not "none"\n`, 2},
	} {
		out, errs, code := runC(t, in, prog, strings.Fields(x.args)...)
		if code != x.code || !fully(x.out, out) || !fully(x.errs, errs) {
			t.Errorf("%s: exit code %d, output %q, error %q", x.args, code, out, errs)
		}
	}
}
