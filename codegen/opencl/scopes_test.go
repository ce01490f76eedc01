//go:build cgo

package opencl_test

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/opencl"
)

// kernelText returns the text of the kernels, without the shared parts.
func kernelText(t *testing.T, text string) string {
	t.Helper()
	src := opencl.Kernels(lower(t, t.Name(), text))
	i := strings.Index(src, "/* computes")
	if i < 0 {
		t.Fatalf("no kernel in\n%s", src)
	}
	return src[i:]
}

func TestVariablesAreDeclaredWhereTheyAreFirstSet(t *testing.T) {
	text := kernelText(t, `
entry main [n] (xs: [n]i32) : [n]i32 = {
  let ys = map (i < n) {
    let x = xs[i]
    let s = loop (acc: i32 = x) for k < 4 { let y = acc * 2 in y + 1 }
    let t = if s > x then s else xs[0]
    in t + s
  }
  in ys
}
`)
	for _, want := range []string{
		"int64_t i_ = group_id * local_size + local_id;",
		"int32_t x_ = MEMC_AT(int32_t, m_xs_, i_);",
		"int32_t acc_ = x_;",
		"for (int64_t k_ = 0; k_ < 4; k_++) {",
		"int32_t y_ = memc_mul_i32(acc_, 2);",
		"  int32_t t_ = 0;", // set in the branches, so declared above
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestDoubleOnlyWhereUsed(t *testing.T) {
	single := opencl.Kernels(lower(t, t.Name(), "entry main (x: f32) : [3]f32 = { let ys = replicate (3) x in ys }\n"))
	double := opencl.Kernels(lower(t, t.Name(), "entry main (x: f64) : [3]f64 = { let ys = replicate (3) x in ys }\n"))
	if strings.HasPrefix(single, "#define MEMC_F64") || !strings.HasPrefix(double, "#define MEMC_F64") {
		t.Error("MEMC_F64 must be defined just where a kernel uses double")
	}
}
