package ir_test

import (
	"testing"

	"github.com/memc-lang/memc/ir"
)

// The opposite of a comparison gives the other answer for every pair of numbers.
func TestOpposite(t *testing.T) {
	holds := map[string]func(x, y int) bool{
		"==": func(x, y int) bool { return x == y },
		"!=": func(x, y int) bool { return x != y },
		"<":  func(x, y int) bool { return x < y },
		"<=": func(x, y int) bool { return x <= y },
		">":  func(x, y int) bool { return x > y },
		">=": func(x, y int) bool { return x >= y },
	}
	for op, f := range holds {
		g := holds[ir.Opposite(op)]
		for x := range 3 {
			if f(x, 1) == g(x, 1) {
				t.Errorf("%d %s 1 and its opposite %s are both %t", x, op, ir.Opposite(op), f(x, 1))
			}
		}
	}
	if ir.Compares("+") || ir.Compares("&&") {
		t.Error("+ and && compare nothing")
	}
}
