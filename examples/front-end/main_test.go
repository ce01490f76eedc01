package main

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/parser"
)

func TestFormula(t *testing.T) {
	p, err := compile("x*x + max(y, 0) - -1/2.0")
	if err != nil {
		t.Fatal(err)
	}
	// What it prints is a program that reads as the same one.
	text := p.String()
	again, err := parser.ParseText("formula.ir", text)
	if err != nil || again.String() != text {
		t.Errorf("read again: %v\n%s", err, text)
	}
	args, err := value.NewReader("input", []byte("[1f32, 2f32] [-1f32, 5f32]")).All()
	if err != nil {
		t.Fatal(err)
	}
	out, err := interp.ByValue(p, "main", args, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, v := range out {
		if err := value.WriteText(&b, v); err != nil {
			t.Fatal(err)
		}
		b.WriteString(" ")
	}
	if got, want := b.String(), "[1.5f32, 9.5f32] 11.0f32 "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestPlace demands that a failing run tells the place in the formula.
func TestPlace(t *testing.T) {
	p, err := compile("y * (x[i+1] -\n x[i+0])")
	if err != nil {
		t.Fatal(err)
	}
	p, err = parser.ParseText("formula.ir", p.String())
	if err != nil {
		t.Fatal(err)
	}
	if list := check.Program(p); list.Failed() {
		t.Fatal(list.Err())
	}
	args, err := value.NewReader("input", []byte("[1f32, 2f32] [1f32, 2f32]")).All()
	if err != nil {
		t.Fatal(err)
	}
	_, err = interp.ByValue(p, "main", args, interp.Options{})
	if err == nil || !strings.Contains(err.Error(), "(formula:1:6): error[E801]: index 2 is out of bounds") {
		t.Error(err)
	}
}

func TestMistakes(t *testing.T) {
	for formula, want := range map[string]string{
		"x +":     "expected operand",
		"x % y":   "the operator % is not known",
		"x[0.5]":  "not an integer",
		"x[y]":    "an index is a sum",
		"(x)[0]":  "only a name has elements",
		"f.g(x)":  "only a built-in function can be called",
		"f(x)":    "there is no built-in function",
		"min(x)":  "takes 2 operands",
		"n + 1.5": "`n` is",
	} {
		if _, err := compile(formula); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, expected %q", formula, err, want)
		}
	}
}
