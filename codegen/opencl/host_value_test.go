package opencl_test

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

// echo builds the value reader and writer of the runtime around
// testdata/host/echo.c.
func echo(t *testing.T) string {
	t.Helper()
	text := opencl.HostHead + "#include <stdbool.h>\n" + opencl.HostPrelude()
	for _, n := range []string{"base", "values", "number", "reader", "writer"} {
		text += opencl.RuntimePart(n)
	}
	return buildC(t, "echo", text+readFile(t, "testdata/host/echo.c"))
}

// randomValue returns a value of type p, with the hard cases of floats.
func randomValue(r *rand.Rand, p ir.Prim) value.Value {
	var shape []int64
	for range r.Intn(4) {
		shape = append(shape, int64(r.Intn(4)))
	}
	v := value.New(p, shape)
	for i := range v.Elems() {
		bits := r.Uint64() >> r.Intn(64)
		switch {
		case p == ir.Bool:
			bits &= 1
		case p == ir.F16:
			bits = ir.HalfBits(randomFloat(r))
		case p == ir.F32:
			bits = uint64(math.Float32bits(float32(randomFloat(r))))
		case p == ir.F64:
			bits = math.Float64bits(randomFloat(r))
		}
		v.SetBits(i, bits)
	}
	return v
}

func randomFloat(r *rand.Rand) float64 {
	switch r.Intn(8) {
	case 0:
		return [...]float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e6, 123456, 1e-5, math.MaxFloat32, math.SmallestNonzeroFloat32}[r.Intn(10)]
	case 1:
		return float64(r.Intn(2000)-1000) / 8
	case 2:
		return float64(r.Intn(1 << 30))
	}
	return (r.Float64() - 0.5) * math.Pow(10, float64(r.Intn(60)-30))
}

// What the C runtime writes is byte for byte what internal/base/value writes, and
// each reads what the other wrote.
func TestHostValuesAgreeWithGo(t *testing.T) {
	prog := echo(t)
	r := rand.New(rand.NewSource(1))
	var values []value.Value
	var text, mixed strings.Builder
	for i := range 3000 {
		v := randomValue(r, ir.Prims[i%len(ir.Prims)])
		values = append(values, v)
		text.WriteString(v.Text() + "\n")
		if i%2 == 0 {
			mixed.WriteString(v.Text() + "\n-- a comment, [1\n")
		} else if err := value.WriteBinary(&mixed, v); err != nil {
			t.Fatal(err)
		}
	}
	out, errs, code := runC(t, mixed.String(), prog)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	got, want := strings.Split(out, "\n"), strings.Split(text.String(), "\n")
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("value %d: got %s, want %s", i, got[min(i, len(got)-1)], want[i])
		}
	}
	out, errs, code = runC(t, text.String(), prog, "binary")
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, errs)
	}
	back := must.Get(value.NewReader("binary", []byte(out)).All())(t)
	if len(back) != len(values) {
		t.Fatalf("%d values came back of %d", len(back), len(values))
	}
	for i := range back {
		if back[i].Text() != values[i].Text() {
			t.Errorf("value %d: got %s, want %s", i, back[i].Text(), values[i].Text())
		}
	}
}

func TestHostReads(t *testing.T) {
	prog := echo(t)
	for _, c := range []struct{ want, in, out string }{
		{"", "1 -2 3.5 1e3 true", "1i32 -2i32 3.5f64 1000.0f64 true"},
		{"", "0xffu8 0b101 -128i8 1_000 0x7fffffffffffffffi64", "255u8 5i32 -128i8 1000i32 9223372036854775807i64"},
		{"", "f32.nan -f32.inf f64.inf 1f32 -0.0", "f32.nan -f32.inf f64.inf 1.0f32 -0.0f64"},
		{"", "[[1,2],\n[3 , 4]]--x", "[[1i32, 2i32], [3i32, 4i32]]"},
		{"", `"a\n\"b"`, "[97u8, 10u8, 34u8, 98u8]"},
		{"", "empty([0][3]i32) empty( [2] [0]f64 )", "empty([0][3]i32) empty([2][0]f64)"},
		{"", "010 -08u8 0XFE 0x1.8p3f32", "10i32 248u8 254i32 12.0f32"},
		{"f32", "0x10 0x10f32", "16.0f32 69426.0f32"},
		{"f32", "1 [0.1, 2]", "1.0f32 [0.1f32, 2.0f32]"},
		{"u8", "255 7i32", "255u8 7i32"},
		{"u8", "-1 -128 -2u64", "255u8 128u8 18446744073709551614u64"},
		{"i64", "-9223372036854775808", "-9223372036854775808i64"},
		{"i8", "255 0b11111111 0xffffi16 18446744073709551615i64", "-1i8 -1i8 -1i16 -1i64"},
	} {
		args := strings.Fields(c.want)
		out, errs, code := runC(t, c.in, prog, args...)
		got := strings.ReplaceAll(strings.TrimSpace(out), "\n", " ")
		if code != 0 || got != c.out {
			t.Errorf("%q as %q: got %q (%d, %s), want %q", c.in, c.want, got, code, errs, c.out)
		}
	}
}

func TestHostRefusesValues(t *testing.T) {
	prog := echo(t)
	for _, c := range []struct{ want, in, msg string }{
		{"u8", "256", "<stdin>:1:1: error[E907]: 256 is not a value of type u8"},
		{"u8", "-129", "-129 is not a value of type u8"},
		{"i8", "\n  -129", "<stdin>:2:3: error[E907]: -129 is not"},
		{"i8", "256", "256 is not a value of type i8"},
		{"i32", "1.5", "1.5 is not a value of type i32"},
		{"bool", "1", "1 is not a value of type bool"},
		{"i32", "true", "true is not a value of type i32"},
		{"", "[1, 2", "unexpected end of input, expected ','"},
		{"", "[1 2]", `unexpected "2", expected ','`},
		{"", "[1, 2i64]", "array elements of types i32 and i64"},
		{"", "[[1], [2, 3]]", "a row has 2 elements, an earlier one 1"},
		{"", "[1, [2]]", "a row where a scalar stood before"},
		{"", "[[1], 2]", "a scalar where a row stood before"},
		{"", "[]", "write empty([0]t)"},
		{"", "[[], 1]", "irregular array"},
		{"", "empty([1]i32)", "needs a dimension of size 0"},
		{"", "empty([x]i32)", `unexpected "x", expected a size`},
		{"", "empty([0]string)", `unexpected "string", expected an element type`},
		{"", "hello", "hello is not a value of type"},
		{"", "?", `unexpected "?", expected a value`},
		{"", `"abc`, "string without an end"},
		{"", "b\x02\x01 i32\x04\x00\x00\x00\x00\x00\x00\x00abc", "truncated binary value"},
		{"", "b\x02\x01 i32\xff\xff\xff\xff\xff\xff\xff\xff", "negative or too large"},
		{"", "b\x02\x01 i99\x00\x00\x00\x00\x00\x00\x00\x00", "unknown element type"},
		{"", "b\x02", "truncated binary value"},
		{"", strings.Repeat("[", 100000), "array nests deeper than 64"},
	} {
		out, errs, code := runC(t, c.in, prog, strings.Fields(c.want)...)
		if code != 1 || out != "" || !strings.Contains(errs, c.msg) {
			t.Errorf("%.40q: got exit code %d, %q, want %q", c.in, code, errs, c.msg)
		}
	}
}

func TestHostPrefix(t *testing.T) {
	for in, want := range map[string]string{
		"dir/file.ir": "file", "2d-blur.ir": "m2d_blur", "a.b.ir": "a_b", "": "m", "<stdin>": "_stdin_", `c\d.ir`: "d",
	} {
		if got := opencl.Prefix(in); got != want {
			t.Errorf("Prefix(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestHostRefusesPrefixes(t *testing.T) {
	for prefix, msg := range map[string]string{"2d": "is not a C identifier", "a-b": "is not a C identifier", "memc": "belong to the runtime", "memc_x": "belong to the runtime"} {
		if _, _, err := opencl.Host(&imp.Program{}, "", opencl.HostOptions{Prefix: prefix}); err == nil || !strings.Contains(err.Error(), msg) {
			t.Errorf("prefix %q: got %v, want %q", prefix, err, msg)
		}
	}
}

func TestHostStrings(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	text := string(all[1:]) + "??=??/\\\"%d" + "\x01" + "9"
	out, _, code := runC(t, "", buildC(t, "strings", fmt.Sprintf("#include <stdio.h>\nint main(void) { return fputs(%s, stdout) < 0; }\n", opencl.CString(text))))
	if code != 0 || out != text {
		t.Errorf("got %q, want %q", out, text)
	}
}
