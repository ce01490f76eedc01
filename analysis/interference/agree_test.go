package interference_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/internal/fuzz/progen"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/ir"
)

// All ways to ask give one answer, and a witness is one.
func TestAnswersAgree(t *testing.T) {
	witnesses := 0
	for seed := range int64(12) {
		p := load.Explicit(t, progen.Generate(seed, progen.Options{}).Text)
		for _, f := range p.Funcs {
			a := aliases.Analyze(p)
			l := liveness.Analyze(p, a)
			x := interference.Analyze(p, a, l).Func(f.Name)
			// Asked in another order, of another table.
			y := interference.Analyze(p, a, l).Func(f.Name)
			var reals []string
			for _, m := range a.Func(f.Name).BlockNames() {
				if !a.Func(f.Name).Existential(m) && !ownOfThreads(f, m) {
					reals = append(reals, m)
				}
			}
			each := map[string]bool{}
			y.Each(func(m1, m2 string, _ interference.Witness) { each[m1+" "+m2], each[m2+" "+m1] = true, true })
			for i, m := range reals {
				near := y.Neighbours(m)
				if !slices.IsSorted(near) {
					t.Errorf("neighbours %v", near)
				}
				for j, n := range reals {
					w, bad := x.Interfere(m, n)
					back, same := x.Interfere(n, m)
					if bad != same || bad && i != j && (w.A != back.B || w.B != back.A || w.Why != back.Why) {
						t.Errorf("%s and %s: %v, the other way %v", m, n, w, back)
					}
					if bad != slices.Contains(near, n) {
						t.Errorf("seed %d %s: %s and %s interfere: %v, neighbours %v", seed, f.Name, m, n, bad, near)
					}
					if bad && i != j && w.Why != interference.Iterations != each[m+" "+n] {
						t.Errorf("seed %d %s: %s and %s interfere (%v), among each %v", seed, f.Name, m, n, w.Why, each[m+" "+n])
					}
					if bad && w.Why == interference.Live {
						witnesses++
						if err := live(l.Func(f.Name), w); err != nil {
							t.Errorf("seed %d %s: %v: %v", seed, f.Name, w, err)
						}
					}
				}
			}
		}
	}
	if witnesses < 200 {
		t.Errorf("only %d witnesses", witnesses)
	}
}

// live tells whether the arrays of a witness are live at its point. A result of a kernel
// that nobody uses is written as long as the kernel runs.
func live(l *liveness.Table, w interference.Witness) error {
	for _, x := range []string{w.A, w.B} {
		is := l.Array(x)
		if is == nil {
			continue // a block that the caller keeps
		}
		if !slices.ContainsFunc(is, func(i liveness.Interval) bool {
			to := i.To
			if s := l.Points[i.From].Stmt; i.Born && s != nil && kernel(s.Op) {
				to = max(to, l.Stmt(s).To)
			}
			return i.From <= w.Point && w.Point <= to
		}) {
			return fmt.Errorf("%s is live in %v only", x, is)
		}
	}
	return nil
}

func kernel(op ir.Op) bool {
	_, ok := ir.KernelSpace(op)
	return ok
}
