package main

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/compiler"
)

func TestCalculator(t *testing.T) {
	ctx, err := compiler.Open(compiler.Device{Device: "interp-memory"})
	if err != nil {
		t.Fatal(err)
	}
	defer ctx.Close()
	c := &calculator{ctx: ctx, arrays: map[string]*compiler.Array{}}
	var out strings.Builder
	in := "x = iota(4)\ny = x * x + 1\nsum(y)\ny[9]\nx +\nz\nx = sqrt(x + y)\ny - x\nz = iota(3)\nz + x\n"
	if err := c.run(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"x = [0 1 2 3]", "y = [1 2 5 10]", "18", "line 4: index 9 is out of bounds for dimension 0 of `y`, whose size is 4",
		"line 5: ", "line 6: ", "x = [1 1.7320508 2.6457512 3.6055512]", "[0 0.26794922 2.3542488 6.3944488]", "z = [0 1 2]", "line 10: argument `x` has size 4",
	} {
		if got := strings.Split(out.String(), "\n")[i]; !strings.HasPrefix(got, want) {
			t.Errorf("line %d: %s, want %s", i+1, got, want)
		}
	}
}
