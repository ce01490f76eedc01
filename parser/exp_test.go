package parser

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/ir"
)

// TestExpressions reads expressions and prints them with the parentheses they
// need and no others.
func TestExpressions(t *testing.T) {
	for text, want := range map[string]string{
		"a + b * c":                "a + b * c",
		"(a + b) * c":              "(a + b) * c",
		"(a * b) + c":              "a * b + c",
		"a - (b - c)":              "a - (b - c)",
		"(a - b) - c":              "a - b - c",
		"a ** b ** c":              "a ** b ** c",
		"(a ** b) ** c":            "a ** b ** c",
		"a ** (b ** c)":            "a ** (b ** c)",
		"a * b ** c":               "a * b ** c",
		"-a ** b":                  "-a ** b",
		"-(a ** b)":                "-(a ** b)",
		"a ** -b":                  "a ** -b",
		"- -a":                     "-(-a)",
		"-(-1)":                    "-(-1)",
		"a - -1":                   "a - -1",
		"!(~a == b)":               "!(~a == b)",
		"a & b == c":               "a & b == c",
		"(a & b) == c":             "(a & b) == c",
		"a | b ^ c & d":            "a | b ^ c & d",
		"((a | b) ^ c) & d":        "((a | b) ^ c) & d",
		"a << b + c":               "a << b + c",
		"a < b == c < d":           "a < b == c < d",
		"a || b && c":              "a || b && c",
		"(a || b) && c":            "(a || b) && c",
		"if a then b else c + d":   "if a then b else c + d",
		"(if a then b else c) + d": "(if a then b else c) + d",
		"d + if a then b else c":   "d + (if a then b else c)",
		"if a then if b then 1 else 2 else if c then 3 else 4": "if a then if b then 1 else 2 else if c then 3 else 4",
		"x[(a + b) * c, (d)]":             "x[(a + b) * c, d]",
		"f32(a)/2.0f32":                   "f32(a) / 2.0f32",
		"min(a,b)+max (c, d)":             "min(a, b) + max(c, d)",
		"min + exp":                       "min + exp",
		"f32.nan + f64.inf":               "f32.nan + f64.inf",
		"007 + 0x0F + 00.5 + 1e05":        "7 + 0x0F + 00.5 + 1e05",
		"42i32 + 0xffu8 + 0x1fi64 + 1f32": "42i32 + 0xffu8 + 0x1fi64 + 1f32",
		"true&&!false":                    "true && !false",
		"op + neutral'":                   "",
	} {
		e, ok := readExp(t, text)
		switch {
		case want == "" && ok:
			t.Errorf("%s: read as %s, expected an error", text, e)
		case want != "" && e != want:
			t.Errorf("%s: printed as %s, want %s", text, e, want)
		}
	}
}

func readExp(t *testing.T, text string) (string, bool) {
	t.Helper()
	r := newReader(text, 0)
	var e ir.Exp
	ok := r.try(func() { e = r.exp() })
	if !ok || r.tok.kind != kEOF {
		return "", false
	}
	return ir.ExpString(e), true
}

// TestHeight holds the limit on the height of expressions to the node.
func TestHeight(t *testing.T) {
	for _, c := range []struct{ open, close string }{
		{"", " + 1"}, {"1 + ", ""}, {"- ", ""}, {"x[", "]"}, {"abs(", ")"}, {"i8(", ")"},
		{"(1 + ", ")"}, {"if c then 1 else ", ""}, {"1 ** (", ")"},
	} {
		for n, want := range map[int]bool{MaxExpDepth - 2: true, MaxExpDepth + 1: false} {
			text := strings.Repeat(c.open, n) + "x" + strings.Repeat(c.close, n)
			if _, ok := readExp(t, text); ok != want {
				t.Errorf("%d times %q: read %v", n, c.open+"x"+c.close, ok)
			}
		}
	}
}
