package difftest_test

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/fuzz/difftest"
	"github.com/memc-lang/memc/internal/fuzz/progen"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
)

// A fixed set of programs, a few of them on OpenCL as well and some in random
// pipelines, gives the same in every way, and covers every construct; the static
// checker proves nearly all of them right after every pass.
func TestFixedSet(t *testing.T) {
	n, every := 160, 40
	if testing.Short() {
		n = 80
	}
	sum := must.Get(difftest.Fuzz(difftest.FuzzOptions{Seed: 1_000_000, N: n, Every: every, Pipelines: 3, Shared: 4, ByHand: 5, Twice: 7}))(t)
	for _, f := range sum.Failures {
		t.Errorf("seed %d: %v\n%s", f.Seed, f.Failure, f.Subject.Text)
	}
	if sum.Programs != n || sum.OnOpenCL != n/every && len(sum.Failures) == 0 {
		t.Errorf("%d programs ran, %d on OpenCL; expected %d and %d", sum.Programs, sum.OnOpenCL, n, n/every)
	}
	if sum.RandomPipelines == 0 || sum.Shared == 0 {
		t.Errorf("%d programs ran in random pipelines, %d with shared blocks", sum.RandomPipelines, sum.Shared)
	}
	if len(sum.Unproven) > 1+n/100 {
		t.Errorf("%d programs of %d cannot be proven right, such as seed %d:\n%s", len(sum.Unproven), n, sum.Unproven[0].Seed, sum.Unproven[0].Msg)
	}
	for _, name := range []string{"arithmetic that wraps", "input of 1000 elements", "places by hand that overlap or do not fit"} {
		if sum.Coverage.Counts[name].Programs == 0 && !testing.Short() {
			t.Errorf("never: %s", name)
		}
	}
	if missing := sum.Coverage.Missing(); len(missing) > 0 && !testing.Short() {
		t.Errorf("never generated: %s\n%s", strings.Join(missing, ", "), sum.Coverage)
	}
}

// A seed is always the same program with the same inputs.
func TestDeterministic(t *testing.T) {
	for seed := range int64(50) {
		a, b := progen.Generate(seed, progen.Options{}), progen.Generate(seed, progen.Options{})
		if a.Text != b.Text {
			t.Fatalf("seed %d gives two programs:\n%s\n%s", seed, a.Text, b.Text)
		}
		for i, args := range a.Inputs {
			for k, v := range args {
				if w := b.Inputs[i][k]; v.Text() != w.Text() {
					t.Fatalf("seed %d gives two inputs: %s and %s", seed, v.Text(), w.Text())
				}
			}
		}
	}
}

// FuzzPipeline runs the programs of arbitrary seeds through arbitrary pipelines, 0
// being the default one; shared ones have blocks shared already.
func FuzzPipeline(f *testing.F) {
	for seed := range int64(8) {
		f.Add(seed, uint8(10*seed), seed/2, seed%4 == 3)
	}
	f.Fuzz(func(t *testing.T, seed int64, size uint8, passes int64, shared bool) {
		s := difftest.SubjectOf(seed, progen.Options{Statements: int(size)})
		if shared {
			if x := difftest.Share(s, seed); x != nil {
				s = x
			}
		}
		var opt difftest.Options
		if passes != 0 {
			opt.Passes = difftest.RandomPipeline(passes)
		}
		if failure := difftest.Check(s, opt); failure != nil {
			t.Fatalf("seed %d, size %d, passes %q, shared %v: %v\n%s", seed, size, pipeline.String(opt.Passes), shared, failure, s.Text)
		}
	})
}

// wrong makes b in the block of a, which is read afterwards; the rest is noise.
const wrong = `-- Prose that goes.
-- ==
-- input { [1i32, 2i32, 3i32] 2i64 }
-- output auto
-- input { [4i32, 5i32] 1i64 }
-- output auto
fun twice (t0: i64) : i64 = {
  in t0 * 2
}

entry main [n] (xs: [n]i32 @ ?m_xs, k: i64) : (i64, [n]i32, [n]i32, [n]i32) = {
  let k2 = twice(k)
  let m_noise = alloc n * 4
  let noise: [n]i32 @ m_noise = map (i0 < n) { in xs[i0] + i32(k2) }
  let m = alloc n * 4
  let a: [n]i32 @ m = map (i < n) {
    let s = loop (v = 0i32) for j < k2 { in v + xs[i] }
    in s + 1
  }
  let total = reduce (l < n) op (p, q) { in p + q } neutral (0) { in noise[l] }
  let b: [n]i32 @ m = if total > 100 {
    let b0: [n]i32 @ m = map (i1 < n) { in noise[i1] * 3 }
    in b0
  } else {
    let b1: [n]i32 @ m = map (i2 < n) { in noise[i2] * 5 - 2 }
    in b1
  }
  let m_c = alloc n * 4
  let c: [n]i32 @ m_c = map (i3 < n) { in a[i3] + b[i3] }
  in (k2, noise, c, b)
}
`

// A program that fails becomes small, still fails in the same way, and is a test
// file that can be read again.
func TestReduce(t *testing.T) {
	s := must.Get(difftest.Read(diag.NewFile("wrong.ir", wrong)))(t)
	failure := difftest.Check(s, difftest.Options{})
	if failure == nil || failure.Stage != difftest.StageMemory {
		t.Fatalf("expected a failure by memory, got %v", failure)
	}
	same := difftest.Same(failure, difftest.Options{})
	small := difftest.Reduce(s, same, difftest.ReduceOptions{})
	if !same(small) {
		t.Errorf("the reduced program does not fail in the same way:\n%s", small.Text)
	}
	if n := strings.Count(small.Text, "let "); n > 5 {
		t.Errorf("%d statements are left, 5 are enough:\n%s", n, small.Text)
	}
	if len(small.Inputs) != 1 {
		t.Errorf("%d inputs are left", len(small.Inputs))
	}
	file := difftest.File(small, failure.Error())
	again, err := difftest.Read(diag.NewFile("small.ir", file))
	if err != nil {
		t.Fatalf("%v\n%s", err, file)
	}
	if got := difftest.Check(again, difftest.Options{}); got == nil || got.Kind() != failure.Kind() {
		t.Errorf("the file fails with %v, expected %v:\n%s", got, failure, file)
	}
}

// Reduction of generated programs keeps what was asked for: here, that a
// construct stands in the program.
func TestReduceGenerated(t *testing.T) {
	tried := 0
	for seed := range int64(12) {
		s := difftest.SubjectOf(seed, progen.Options{})
		if !strings.Contains(s.Text, "scatter ") {
			continue
		}
		tried++
		asks := func(s *difftest.Subject) bool {
			if !strings.Contains(s.Text, "scatter ") {
				return false
			}
			return difftest.Check(s, difftest.Options{Until: -1}) == nil
		}
		small := difftest.Reduce(s, asks, difftest.ReduceOptions{Tries: 1500})
		if _, list := driver.Check(diag.NewFile("small.ir", small.Text)); list.Failed() {
			t.Errorf("seed %d: the reduced program is refused: %v\n%s", seed, list, small.Text)
		}
		if n := strings.Count(small.Text, "let "); n > 8 {
			t.Errorf("seed %d: %d statements are left:\n%s", seed, n, small.Text)
		}
	}
	if tried == 0 {
		t.Error("no program has a scatter")
	}
}
