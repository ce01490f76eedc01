package places

import (
	"fmt"
	"testing"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

func TestAtLeast(t *testing.T) {
	for _, c := range []struct {
		facts, p string
		c        int64
		want     bool
	}{
		{"", "3", 3, true},
		{"", "3", 4, false},
		{"", "n", 0, false},
		{"", "n*n", 0, true},
		{"n >= 1", "n - 1", 0, true},
		{"n >= 1", "n - 2", 0, false},
		{"n > 0 && i < n", "n - i", 1, true},
		{"n > 0 && i <= n", "n - i", 1, false},
		{"!(n < 2 || i >= n)", "2*n - i", 3, true},
		{"!(n < 2 && i >= n)", "2*n - i", 3, false},
		{"0<=i&&i<n; 0<=j&&j<m", "n*m - i*m - j", 1, true},
		{"0<=i&&i<n; 0<=j&&j<=m", "n*m - i*m - j", 1, false},
		{"n == q*b; q >= 2; b >= 3", "n", 6, true},
		{"n == q*b; q >= 2; b >= 3", "n", 7, false},
		{"n*m == k*l; n >= 1; m >= 1", "k*l", 1, true},
		{"n*m == k*l; n >= 1", "k*l", 1, false},
		{"2*n >= 1", "n", 1, true},
		{"2*n >= 0", "n", 1, false},
		{"n >= 0", "n - n/2", 0, true},
		{"", "n - n/2", 0, false},
		{"n >= 0", "4 - n%5", 0, true},
		{"n >= 0", "3 - n%5", 0, false},
		{"", "fmod(n,5)", 0, true},
		{"", "n%5", 0, false},
		{"n >= 2; m >= 3", "min(n,m)", 2, true},
		{"n >= 2; m >= 3", "min(n,m)", 3, false},
		{"a[i] >= 4", "a[i]", 4, true},
		{"a[i] >= 4", "a[j]", 4, false},
		{"i == j; a[i] >= 4", "a[j]", 4, false}, // not looked for
		{"n >= 0; k == 9000000000000000000; m >= k", "m*m*n", 0, true},
	} {
		if got := facts(t, c.facts).AtLeast(poly64(t, c.p), c.c); got != c.want {
			t.Errorf("%s |- %s >= %d: %v, want %v", c.facts, c.p, c.c, got, c.want)
		}
	}
}

func TestFactsAreImmutable(t *testing.T) {
	n := poly64(t, "n")
	f := Facts{}.NonNegative(n)
	g, h := f.LessThan(n, poly64(t, "m")), f.NotEqual(n, poly64(t, "m"))
	if !g.Less(n, poly64(t, "m")) || f.Less(n, poly64(t, "m")) || h.Less(n, poly64(t, "m")) {
		t.Error("a fact went where it was not added")
	}
	if !h.Different(n, poly64(t, "m")) || f.Different(n, poly64(t, "m")) || !g.Different(n, poly64(t, "m")) {
		t.Error("n != m")
	}
}

func TestBounds(t *testing.T) {
	f := small("c", "d", "i", "n").WithBound("i", poly64(t, "0"), poly64(t, "n")).WithBound("j", poly64(t, "0"), poly64(t, "i"))
	if !f.AtLeast(poly64(t, "n - j"), 2) {
		t.Error("n - j >= 2")
	}
	if f.AtLeast(poly64(t, "n - j"), 3) {
		t.Error("n - j >= 3")
	}
	// The factor of i has an unknown sign; both ends are at least 0.
	g := f.NonNegative(poly64(t, "c*n - c + d")).NonNegative(poly64(t, "d"))
	if !g.AtLeast(poly64(t, "c*i + d"), 0) {
		t.Error("c*i + d >= 0")
	}
	if f.NonNegative(poly64(t, "d")).AtLeast(poly64(t, "c*i + d"), 0) {
		t.Error("c*i + d >= 0 without knowing its other end")
	}
}

func TestElse(t *testing.T) {
	f := small("i", "n").FromNegation(exp(t, "i < n || i == m"))
	if !f.AtLeast(poly64(t, "i - n"), 0) || !f.Different(poly64(t, "i"), poly64(t, "m")) {
		t.Error("else of i < n || i == m")
	}
	f = small("i", "n").FromNegation(exp(t, "i < n && i == m"))
	if f.AtLeast(poly64(t, "i - n"), 0) || f.Different(poly64(t, "i"), poly64(t, "m")) {
		t.Error("else of i < n && i == m")
	}
}

// TestSmallInCircle: what names are is known from several sides, so that x may be y, and y
// be x (fuzz seed 30000057287, where a branch never ran). What is small of x is so of y.
func TestSmallInCircle(t *testing.T) {
	var r *ranges
	for x, y := range map[string]string{"x": "y", "y": "x"} {
		k := *r.of(x)
		k.is = atomPoly(y)
		r = r.with(x, k)
	}
	r = r.small(atomPoly("x"))
	for _, x := range []string{"x", "y"} {
		if hi := r.of(x).hi; hi != MaxBytes {
			t.Errorf("%s is at most %d, want %d", x, hi, int64(MaxBytes))
		}
	}
}

// Hundreds of definitions by a size do not hide what else is known of it.
func TestCommonNames(t *testing.T) {
	f := facts(t, "k <= 1000; m <= k")
	for i := range 20 * segmentSize {
		f = f.Equal(sym.Var(fmt.Sprint("x", i)), poly64(t, "k").Mul(sym.Const(int64(i+2))))
	}
	f = f.Equal(sym.Var("v"), poly64(t, "k + 1"))
	for range 3 { // tables of facts are made when they are met again
		if !f.Less(poly64(t, "m"), poly64(t, "v")) {
			t.Fatal("m <= k < k + 1 = v")
		}
		if f.Less(poly64(t, "m + 1"), poly64(t, "v")) {
			t.Fatal("m + 1 < v is not known")
		}
	}
}

// A max with a constant that is too large for the prover is not bounded by its other operand alone:
// this sum wraps.
func TestMaxWithHugeConstant(t *testing.T) {
	f := Facts{}.Exists([]ir.Dim{{Name: "l"}, {Name: "n"}})
	if f.AtLeast(poly64(t, "l * 2 + max(n, 9223372036854775807)"), 0) {
		t.Error("l * 2 + max(n, 9223372036854775807) >= 0")
	}
}
