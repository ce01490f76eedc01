package parallel_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/parallel"
)

func TestEach(t *testing.T) {
	for _, processors := range []int{1, 3} {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		for _, n := range []int{0, 1, 2, 1000} {
			calls := make([]int, n)
			parallel.Each(n, func(k int) { calls[k]++ })
			for k, c := range calls {
				if c != 1 {
					t.Errorf("%d processors: part %d of %d ran %d times", processors, k, n, c)
				}
			}
		}
	}
}

// The panic of the first part is the one that is told, whichever comes first.
func TestPanic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	defer func() {
		if x, ok := recover().(string); !ok || !strings.HasPrefix(x, "left\n") {
			t.Errorf("the panic is %q; expected that of the first part", x)
		}
	}()
	parallel.Do(func() { panic("left") }, func() { panic("right") })
	t.Error("no panic")
}

// Over calls all parts, of few statements and of many.
func TestOver(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	for _, statements := range []int{1, 1000} {
		var a, b int
		parallel.Over(statements, func() { a = 1 }, func() { b = 2 })
		if a != 1 || b != 2 {
			t.Errorf("%d statements: the parts gave %d and %d", statements, a, b)
		}
	}
}
