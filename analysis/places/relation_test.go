package places

import (
	"testing"

	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

func TestElementSizes(t *testing.T) {
	for _, c := range []struct {
		a, b         string
		elemA, elemB int64
		want         bool
	}{
		{"0; n : 1", "2*n; m : 1", 8, 4, true},
		{"0; n : 1", "2*n-1; m : 1", 8, 4, false},
		{"0; n : 2", "1; n : 2", 4, 4, true},
		{"0; n : 2", "1; n : 1", 8, 4, false},
		{"0; n : 2", "2; n : 4", 8, 4, true},
		{"0; n : 2", "1; n : 4", 8, 4, false},
		{"0; n : 2", "1; n : 2", 0, 4, false},
	} {
		if got := Disjoint(Facts{}, fun(t, c.a), fun(t, c.b), c.elemA, c.elemB); got != c.want {
			t.Errorf("%s of %d bytes, %s of %d: %v, want %v", c.a, c.elemA, c.b, c.elemB, got, c.want)
		}
	}
}

func TestSame(t *testing.T) {
	for _, c := range []struct {
		facts, a, b string
		want        bool
	}{
		{"", "0; n : 1", "0; n : 1", true},
		{"n == m", "n; n : 1", "m; m : 1", true},
		{"n <= m", "n; n : 1", "m; m : 1", false},
		{"n <= m; m <= n", "n; n : 1", "m; m : 1", true},
		{"n == 1", "0; n : 1", "0; 1 : m", true},
		{"n == 2", "0; n : 1", "0; 2 : m", false},
		{"n == q*b", "i*n; n : 1", "i*b*q; b*q : 1", true},
		{"n == q*b + 1", "i*n; n : 1", "i*b*q; b*q : 1", false},
		{"", "0; n : 1", "0; n : 1, 1 : 1", false},
	} {
		if got := Same(facts(t, c.facts), fun(t, c.a), fun(t, c.b)); got != c.want {
			t.Errorf("%s: %s and %s: %v, want %v", c.facts, c.a, c.b, got, c.want)
		}
	}
}

func TestThreads(t *testing.T) {
	for _, c := range []struct {
		name, facts, a, b string
		indices, local    []string
		want              bool
	}{
		{"parts", "", "i*s; s : 1", "i*s; s : 1", []string{"i"}, nil, true},
		{"parts, reaching over", "", "i*s; s : 1", "i*s; s+1 : 1", []string{"i"}, nil, false},
		{"interleaved", "0<=i&&i<n", "i; s : n", "i; s : n", []string{"i"}, nil, true},
		{"interleaved, no bound", "0<=i", "i; s : n", "i; s : n", []string{"i"}, nil, false},
		{"two indices", "0<=i&&i<n; 0<=j&&j<m", "(i*m+j)*s; s : 1", "(i*m+j)*s; s : 1", []string{"i", "j"}, nil, true},
		{"two indices, one ignored", "0<=i&&i<n; 0<=j&&j<m", "i*s; s : 1", "i*s; s : 1", []string{"i", "j"}, nil, false},
		{"blocks", "n == q*b; 0<=i&&i<q; 0<=j&&j<q", "i*b*n+j*b; b : n, b : 1", "i*b*n+j*b; b : n, b : 1", []string{"i", "j"}, nil, true},
		{"a local scalar", "o == i*s", "o; s : 1", "o; s : 1", []string{"i"}, []string{"o"}, true},
		{"an unknown local scalar", "", "i*s+o; s : 1", "i*s+o; s : 1", []string{"i"}, []string{"o"}, false},
		{"an unknown shared scalar", "", "i*s+o; s : 1", "i*s+o; s : 1", []string{"i"}, nil, true},
		{"an element read", "a[i] == i", "a[i];", "a[i];", []string{"i"}, nil, false},
		{"a local one of a few", "0<=o&&o<s; s>0", "i*s+o;", "i*s+o;", []string{"i"}, []string{"o"}, true},
		{"structures differ", "0<=i&&i<n", "i; s : n", "i*s; s : 1", []string{"i"}, nil, false},
	} {
		got := disjointThreads(facts(t, c.facts), fun(t, c.a), fun(t, c.b), 4, 4, c.indices, c.local)
		if got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A reshape of what is not contiguous has several parts: the one nearest to
// memory stands for all.
func TestParts(t *testing.T) {
	reshaped := func(l string) lmad.Fun {
		f := fun(t, l).Reshape([]sym.Poly{poly64(t, "m*n")})
		if len(f.Parts) != 2 {
			t.Fatalf("%s, reshaped, has %d parts", l, len(f.Parts))
		}
		return f
	}
	a, b, c := reshaped("0; n : 3*m, m : 2"), reshaped("1; n : 6*m, m : 2"), reshaped("2; n : 6*m, m : 2")
	f := facts(t, "n>=1; m>=1")
	if !Disjoint(f, reshaped("0; n : 4*m, m : 2"), b, 4, 4) || Disjoint(f, a, c, 4, 4) {
		t.Error("even and odd, reshaped")
	}
	if !Same(f, a, a) || Same(f, a, b) {
		t.Error("the same parts")
	}
}
