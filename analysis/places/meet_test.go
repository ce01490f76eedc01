package places

import (
	"math/rand/v2"
	"testing"

	"github.com/memc-lang/memc/ir/sym"
)

// TestMeet: an example of two threads is found where there is one, and none where the threads'
// parts are disjoint.
func TestMeet(t *testing.T) {
	outer := Start(0).Size("n").Small(poly64(t, "n"))
	kernel := outer.WithBound("i", sym.Const(0), poly64(t, "n")).WithBound("j", sym.Const(0), poly64(t, "n"))
	for _, c := range []struct {
		a, b string
		meet bool
	}{
		{"i;", "i;", true}, // of two j
		{"n*i+j;", "n*i+j+n*n;", false},
		{"2*i;", "i;", true},
		{"min(2*i, n-1);", "i;", true},
		{"i;", "n-1-i;", true},
		{"2*i;", "2*i+1;", false},
		{"n*i+j;", "n*i+j;", false},
		{"n*i+j;", "n*j+i;", true},
		{"n*i; n : 1", "n*i+j;", true}, // of two j
		{"n*i; n : 1", "n*j;", true},
	} {
		if got := kernel.Meet(kernel, outer, fun(t, c.a), fun(t, c.b), 4, 4, []string{"i", "j"}, []string{"i", "j"}); got != c.meet {
			t.Errorf("threads at %s and %s meet: %t", c.a, c.b, got)
		}
	}
	// What the body binds has no number for two threads.
	if kernel.Meet(kernel, outer, fun(t, "x;"), fun(t, "i;"), 4, 4, []string{"i", "j"}, []string{"i", "j", "x"}) {
		t.Error("x may differ from thread to thread")
	}
	// What is known of a thread holds in the example.
	odd := kernel.FromCondition(exp(t, "i > n"))
	if odd.Meet(kernel, outer, fun(t, "2*i;"), fun(t, "i;"), 4, 4, []string{"i", "j"}, []string{"i", "j"}) {
		t.Error("no thread has i > n")
	}
}

// TestRandomMeet: nothing is proved of threads that meet in an example.
func TestRandomMeet(t *testing.T) {
	r := maker{rand.New(rand.NewPCG(9, *seed))}
	met, apart := 0, 0
	part := func() string {
		return r.of("", "2*", "3*", "n*", "m*") + r.of("i", "i", "j") + r.of("", "+j", "+1", "-1", "+m*j", "+n*j") + ";" + r.of("", "", " m : 1", " 2 : n", " n : m")
	}
	for range *instances / 100 {
		outer := Start(0).Size("n").Size("m")
		f := outer.WithBound("i", sym.Const(0), poly64(t, r.of("n", "m", "n+1"))).WithBound("j", sym.Const(0), poly64(t, r.of("n", "m")))
		if r.IntN(3) == 0 {
			f = f.FromCondition(exp(t, r.of("i < j", "i != 0", "j >= 2", "i + j < n", "n < m")))
		}
		a, b, names := fun(t, part()), fun(t, part()), []string{"i", "j"}
		proved := f.Beside(f, outer, names).Disjoint(a, b, 4, 4, names)
		if !f.Meet(f, outer, a, b, 4, 4, names, names) {
			apart++
		} else if met++; proved {
			t.Fatalf("proved disjoint, and meet in an example: %v and %v", a, b)
		}
	}
	if t.Logf("%d met, %d did not", met, apart); met < 20 || apart < 20 {
		t.Error("the random threads are not worth asking about")
	}
}
