//go:build cgo

package opencl_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
)

// TestHostInterop gives two libraries memory of the caller's, on every target.
func TestHostInterop(t *testing.T) {
	texts := map[string]string{"interop": `-- what memory of the caller's may be used for
entry same [n] (xs: [n]f32) : [n]f32 = {
  in xs
}

entry put [n] (xs: *[n]f32, ys: [n]f32) : [n]f32 = {
  let zs = xs with [0] = ys[n - 1]
  in zs
}

entry flip [n] (bs: [n]bool) : [n]bool = {
  let r = map (i < n) { in !bs[i] }
  in r
}

-- two blocks at a time
entry fill (n: i64) : [n]f32 = {
  let none = scratch i8 (n)
  let xs = none with [0] = 0
  let ys = map (i < n) { in f32(i) + f32(xs[0]) }
  in ys
}

-- an element decides what is allocated
entry upto [n] (xs: [n]f32) : (k: i64, [k]f32) = {
  let k = i64(xs[0])
  let ys = map (i < k) { in xs[0] }
  in (k, ys)
}
`, "other": `entry twice [n] (xs: [n]f32) : [n]f32 = {
  let ys = map (i < n) { in xs[i] * 2 }
  in ys
}
`}
	for _, tasks := range []bool{false, true} {
		dir := t.TempDir()
		write := func(name, text string) string {
			path := filepath.Join(dir, name)
			must.Do(t, os.WriteFile(path, []byte(text), 0o644))
			return path
		}
		flags := []string{"-std=c99", "-DMEMC_NO_MAIN", "-I" + dir, "-fsanitize=address,undefined", "-fno-sanitize-recover"}
		if tasks {
			flags = append(flags, "-DTASKS")
		}
		for name, text := range texts {
			p, _ := lowerBoth(t, name+".ir", text)
			low := must.Get(imp.Lower(p, imp.Options{Tasks: tasks}))(t)
			c, h, err := opencl.Host(low, opencl.Kernels(low), opencl.HostOptions{})
			must.Do(t, err)
			write(name+".h", h)
			flags = append(flags, write(name+".c", c))
		}
		write("check.h", readFile(t, "testdata/host/check.h"))
		t.Setenv("ASAN_OPTIONS", "detect_leaks=0") // of OpenCL drivers
		if out, errs, code := runC(t, "", buildC(t, "interop-user", readFile(t, "testdata/host/interop.c"), flags...)); code != 0 || out != "ok\n" {
			t.Errorf("tasks %v: exit code %d: %s%s", tasks, code, out, errs)
		}
	}
}

// TestHostSupply gives a library buffers of the caller's again while kernels still read them.
func TestHostSupply(t *testing.T) {
	const text = `entry main [n][m] (xs: [n]i32, ys: [m]i32, k: i64) : ([n]i32, [m]i32) = {
  let a = map (i < n) { in xs[i] + 1 }
  let b = map (i < n) {
    let q = loop (q = i) for t < k { in q * 3 + t % 7 }
    let at = if q == 123456789 then 0 else i / 64 * 64
    in a[at]
  }
  let c = map (j < m) { in ys[j] * 2 }
  let d = map (j < m) { in c[m - 1 - j] + c[j] }
  in (b, d)
}
`
	p := load.Checked(t, "supply.ir", text)
	must.Get(pipeline.Run(p, must.Get(pipeline.Parse("explicit"))(t), pipeline.Options{}))(t)
	low := must.Get(imp.Lower(p, imp.Options{}))(t)
	c, _, err := opencl.Host(low, opencl.Kernels(low), opencl.HostOptions{})
	must.Do(t, err)
	t.Setenv("POCL_MAX_PTHREAD_COUNT", "8") // more than there are groups, so that a second queue has one
	if out, errs, code := runC(t, "", buildC(t, "supply", library(t, c, "testdata/host/supply.c"))); code != 0 || out != "ok\n" {
		t.Errorf("exit code %d: %s%s", code, out, errs)
	}
}
