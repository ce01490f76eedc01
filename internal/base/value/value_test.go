package value

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math/rand"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

func readAll(t *testing.T, s string) []Value {
	t.Helper()
	vs, err := NewReader("in", []byte(s)).All()
	if err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return vs
}

func TestTextForms(t *testing.T) {
	for in, want := range map[string]string{
		"1":                                  "1i32",
		"0xffu8 -1i64":                       "255u8 -1i64",
		"[1, 2] -- a comment\n3":             "[1i32, 2i32] 3i32",
		"[[1.5f32, 2f32], [3f32, 4f32]]":     "[[1.5f32, 2.0f32], [3.0f32, 4.0f32]]",
		"empty([0][3]i32)":                   "empty([0][3]i32)",
		"f32.nan -f64.inf f64.inf":           "f32.nan -f64.inf f64.inf",
		"[true, false]":                      "[true, false]",
		"-1u8 [-128u8, 255u8] -2u64":         "255u8 [128u8, 255u8] 18446744073709551614u64",
		"1e400f64 1e-3":                      "f64.inf 0.001f64",
		"255i8 0b11111111i8 0xffffi16":       "-1i8 -1i8 -1i16",
		"4294967295 18446744073709551615i64": "-1i32 -1i64",
		`"ab"`:                               "[97u8, 98u8]",
		"1_000i64":                           "1000i64",
		"010 -08u8 +00 0XFE":                 "10i32 248u8 0i32 254i32",
		"010.5 1E3":                          "10.5f64 1000.0f64",
		"0x1.8p3f32 f64.inf":                 "12.0f32 f64.inf",
		"b\x02\x01bool\x03\x00\x00\x00\x00\x00\x00\x00\x00\x01\x02": "[false, true, true]",
	} {
		var got []string
		for _, v := range readAll(t, in) {
			got = append(got, v.Text())
		}
		if g := strings.Join(got, " "); g != want {
			t.Errorf("%q gives %q, expected %q", in, g, want)
		}
	}
}

func TestTextErrors(t *testing.T) {
	for in, want := range map[string]string{
		"[1, [2]]":       "in:1:5: irregular array: a row where a scalar stood before",
		"[[], 1]":        "in:1:8: irregular array: a row where a scalar stood before",
		"[[1], [2, 3]]":  "irregular array: a row has 2 elements, an earlier one 1",
		"[1, 2":          "unexpected end of input, expected ','",
		"300u8":          "300u8 is not a value of type u8",
		"256i8":          "256i8 is not a value of type i8",
		"4294967296i32":  "4294967296i32 is not a value of type i32",
		"-129u8":         "-129u8 is not a value of type u8",
		"[]":             "an empty array needs its type",
		"?":              `unexpected "?", expected a value`,
		"[1i32, 2i64]":   "array elements of types i32 and i64",
		"empty([2]i32)":  "has no dimension of size 0",
		"b\x02\x01 i32":  "truncated binary value",
		"\n  x":          `in:2:3: x is not a value of type`,
		"\"abc":          "string without an end",
		"empty([0]nix)":  `unexpected "nix", expected an element type`,
		"b\x02\x01 nix1": "unknown element type",
	} {
		_, err := NewReader("in", []byte(in)).All()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, expected %q", in, err, want)
		}
	}
}

// A literal without a type takes the type that is wanted.
func TestWantedType(t *testing.T) {
	for _, c := range []struct {
		in   string
		p    ir.Prim
		want string
	}{
		{"0x10", ir.F32, "16.0f32"}, {"-0x1.8p3", ir.F64, "-12.0f64"}, {"0x10f32", ir.F64, "69426.0f64"},
		{"007", ir.U64, "7u64"}, {"010", ir.F16, "10.0f16"}, {"0b11", ir.I8, "3i8"}, {"0o17", ir.I16, "15i16"},
		{"-inf", ir.F16, "-f16.inf"}, {"nan", ir.F32, "f32.nan"}, {"-0", ir.F64, "-0.0f64"}, {"-010", ir.I64, "-10i64"},
	} {
		v, err := NewReader("in", []byte(c.in)).Next(c.p)
		if err != nil || v.Text() != c.want {
			t.Errorf("%q as %s gives %s, %v; expected %s", c.in, c.p, v.Text(), err, c.want)
		}
	}
}

// TestRoundTrip writes random values in every format and reads them back.
func TestRoundTrip(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	for range 300 {
		p := ir.Prims[rnd.Intn(len(ir.Prims))]
		var shape []int64
		for range rnd.Intn(4) {
			shape = append(shape, int64(rnd.Intn(4)))
		}
		v := New(p, shape)
		rnd.Read(v.Data)
		if p == ir.Bool {
			for i := range v.Data {
				v.Data[i] &= 1
			}
		}
		var text, bin, npy bytes.Buffer
		must.Do(t, WriteText(&text, v))
		must.Do(t, WriteBinary(&bin, v))
		must.Do(t, EncodeNPY(&npy, v))
		fromNPY := must.Get(DecodeNPY(npy.Bytes()))(t)
		r := NewReader("in", append(append(text.Bytes(), ' '), bin.Bytes()...))
		for _, what := range []string{"text", "binary"} {
			got, err := r.Next(ir.Unknown)
			if err != nil {
				t.Fatalf("%s of %s: %v", what, v.Text(), err)
			}
			if d := Diff(v, got, Exact); d != "" {
				t.Errorf("%s: %s", what, d)
			}
		}
		if _, err := r.Next(ir.Unknown); err != io.EOF {
			t.Errorf("after the last value: %v", err)
		}
		if d := Diff(v, fromNPY, Exact); d != "" {
			t.Errorf("npy: %s", d)
		}
	}
}

func TestPNG(t *testing.T) {
	v := New(ir.U8, []int64{3, 5})
	for i := range v.Data {
		v.Data[i] = byte(i * 17)
	}
	var b bytes.Buffer
	must.Do(t, EncodePNG(&b, v))
	got := must.Get(DecodePNG(b.Bytes()))(t)
	if d := cmp.Diff(v, got); d != "" {
		t.Error(d)
	}
	if err := EncodePNG(&b, New(ir.F32, []int64{3})); err == nil {
		t.Error("a [3]f32 was written as a picture")
	}
}

// Pictures that are stored in another way are read where they are grey, and refused where
// something would be lost.
func TestPNGOfOtherKinds(t *testing.T) {
	for _, x := range []struct {
		what  string
		pixel color.Color
		err   string
	}{
		{"grey among colours", color.NRGBA{7, 7, 7, 255}, ""},
		{"a colour", color.NRGBA{7, 8, 7, 255}, "the pixel at (1, 0) has a colour; convert the picture to grey first"},
		{"transparent", color.NRGBA{7, 7, 7, 9}, "the pixel at (1, 0) is transparent"},
		{"8 bits in 16", color.Gray16{0x0707}, ""},
		{"16 bits", color.Gray16{0x0708}, "the pixel at (1, 0) has more than 8 bits"},
	} {
		var img draw.Image = image.NewNRGBA(image.Rect(0, 0, 2, 1))
		if _, wide := x.pixel.(color.Gray16); wide {
			img = image.NewGray16(image.Rect(0, 0, 2, 1))
		}
		img.Set(0, 0, color.Gray{200})
		img.Set(1, 0, x.pixel)
		var b bytes.Buffer
		must.Do(t, png.Encode(&b, img))
		got, err := DecodePNG(b.Bytes())
		switch {
		case x.err != "":
			if err == nil || !strings.Contains(err.Error(), x.err) {
				t.Errorf("%s: %v", x.what, err)
			}
		case err != nil || !bytes.Equal(got.Data, []byte{200, 7}):
			t.Errorf("%s: %v, %v", x.what, got, err)
		}
	}
}

func TestDiff(t *testing.T) {
	a, b := readAll(t, "[[1.0, 2.0]]")[0], readAll(t, "[[1.0, 2.1]]")[0]
	if d := Diff(a, b, DefaultTolerance); d != "element [0, 1] is 2.1f64, expected 2.0f64" {
		t.Error(d)
	}
	if d := Diff(a, readAll(t, "[[1.0, 2.000001]]")[0], DefaultTolerance); d != "" {
		t.Error(d)
	}
	if d := Diff(a, readAll(t, "1")[0], Exact); d != "type i32, expected [1][2]f64" {
		t.Error(d)
	}
}
