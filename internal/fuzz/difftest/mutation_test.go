package difftest_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/fuzz/difftest"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/coalesce"
	"github.com/memc-lang/memc/transform/explicit"
	"github.com/memc-lang/memc/transform/hoist"
	"github.com/memc-lang/memc/transform/reuse"
	ofWorkers "github.com/memc-lang/memc/transform/workers"
)

// patternPrograms reads the programs of testdata that were written to show one
// sharing each.
func patternPrograms(t *testing.T) []*difftest.Subject {
	t.Helper()
	var out []*difftest.Subject
	for _, dir := range []string{"reuse", "coalesce", "workers", "memcheck", "fixedbugs"} {
		files := must.Get(filepath.Glob(filepath.Join("..", "..", "..", "testdata", dir, "*.ir")))(t)
		more := must.Get(filepath.Glob(filepath.Join("..", "..", "..", "testdata", dir, "*", "*.ir")))(t)
		for _, path := range append(files, more...) {
			if strings.HasPrefix(filepath.Base(path), "neg-") && dir == "memcheck" {
				continue // wrong as it stands
			}
			data := must.Read(t, path)
			s, err := difftest.Read(diag.NewFile(filepath.Base(path), data))
			if err == nil && difftest.Check(s, difftest.Options{}) == nil {
				out = append(out, s)
			}
		}
	}
	if len(out) < 40 {
		t.Fatalf("only %d programs", len(out))
	}
	return out
}

// mutants are the bugs that passes can be given: each in a pipeline that leaves the
// pass most to do.
func mutants() []difftest.Mutant {
	var all []difftest.Mutant
	for _, name := range reuse.Mutants {
		all = append(all, difftest.Mutant{
			Name:    "reuse: " + name,
			Passes:  []*transform.Pass{explicit.Pass, reuse.Mutant(name)},
			Without: []*transform.Pass{explicit.Pass, reuse.Pass},
		})
	}
	for _, name := range ofWorkers.Mutants {
		all = append(all, difftest.Mutant{
			Name:    "workers: " + name,
			Passes:  []*transform.Pass{explicit.Pass, reuse.Pass, ofWorkers.Mutant(name)},
			Without: []*transform.Pass{explicit.Pass, reuse.Pass, ofWorkers.Pass},
		})
	}
	for _, name := range coalesce.Conditions() {
		what := "coalesce: without " + name
		if name == "offset" {
			what = "coalesce: a place one element off"
		}
		all = append(all, difftest.Mutant{
			Name:    what,
			Passes:  []*transform.Pass{explicit.Pass, hoist.Lift, coalesce.Mutant(name)},
			Without: []*transform.Pass{explicit.Pass, hoist.Lift, coalesce.Pass},
		})
	}
	plant := func(pkg, bug string, plant func(string) func(), passes ...*transform.Pass) {
		all = append(all, difftest.Mutant{Name: pkg + ": " + bug, Passes: passes, Without: passes, Plant: func() func() { return plant(bug) }})
	}
	plant("places", places.WrappedAreIntegers, places.Plant, explicit.Pass, hoist.Lift, coalesce.Pass)
	plant("places", places.PositionsAreIntegers, places.Plant, explicit.Pass, hoist.Lift, coalesce.Pass)
	plant("accesses", accesses.ScalarsAreSizes, accesses.Plant, explicit.Pass, hoist.Lift, coalesce.Pass)
	plant("accesses", accesses.ThreadsWriteTheirs, accesses.Plant, explicit.Pass, hoist.Lift, coalesce.Pass, reuse.Pass)
	plant("liveness", liveness.LoopsRunOnce, liveness.Plant, explicit.Pass, reuse.Pass)
	return all
}

// Every bug that is planted in a pass is found, by programs written for it or by
// random ones; mutants.md has the table of all of them.
func TestMutants(t *testing.T) {
	all := mutants()
	verdicts := difftest.Mutate(all, patternPrograms(t), 2_000_500, 100)
	var table bytes.Buffer
	difftest.WriteVerdicts(&table, verdicts)
	t.Logf("\n%s", table.String())
	for _, v := range verdicts {
		switch {
		case v.Programs == 0 && v.Ran == 0:
			t.Errorf("%s: no pass made a rewrite", v.Mutant)
		case v.Programs == 0:
			t.Errorf("%s: found by nothing", v.Mutant)
		}
	}
	documented(t, verdicts)
}

// documented demands that the table in mutants.md has a row for every bug, and
// for nothing else. How many programs it takes changes whenever one is added, so that
// is not compared; MEMC_GOLDEN=1 writes the table anew.
func documented(t *testing.T, verdicts []difftest.Verdict) {
	t.Helper()
	const begin, end = "<!-- mutants -->\n", "<!-- end of mutants -->\n"
	path := "mutants.md"
	data := must.Read(t, path)
	before, rest, ok1 := strings.Cut(data, begin)
	table, after, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("mutants.md has no table between %q and %q", begin, end)
	}
	var now strings.Builder
	now.WriteString("| bug | programs | found by |\n|---|--:|---|\n")
	for _, v := range verdicts {
		fmt.Fprintf(&now, "| %s | %d | %s |\n", v.Mutant, v.Programs, strings.Join(v.By, ", "))
		if os.Getenv("MEMC_GOLDEN") == "" && !strings.Contains(table, "| "+v.Mutant+" |") {
			t.Errorf("mutants.md has no row for %q; MEMC_GOLDEN=1 writes it", v.Mutant)
		}
	}
	if os.Getenv("MEMC_GOLDEN") != "" {
		must.Do(t, os.WriteFile(path, []byte(before+begin+now.String()+end+after), 0o666))
		return
	}
	if strings.Contains(table, "| 0 |") {
		t.Error("mutants.md has a bug that nothing found; MEMC_GOLDEN=1 writes what does")
	}
	if got := strings.Count(table, "\n") - 2; got != len(verdicts) {
		t.Errorf("mutants.md has %d rows for %d bugs", got, len(verdicts))
	}
}

// global is a switch as a pass may have it for tests.
var global bool

// The machinery itself: bugs of known kinds are found by the checks that must find
// them, and a pass without a bug by none.
func TestMutate(t *testing.T) {
	one := func(name string, change func(f *ir.Func, s *ir.Stmt) bool) difftest.Mutant {
		pass := &transform.Pass{Name: "plant", Doc: "plants", Run: func(p *ir.Program, c *transform.Context) error {
			for _, f := range p.Funcs {
				done := false
				ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
					if !done && global && change(f, s) {
						done = c.Rewrite(s.Span, "planted")
					}
					return true
				})
			}
			return nil
		}}
		return difftest.Mutant{Name: name, Passes: []*transform.Pass{explicit.Pass, pass}, Without: []*transform.Pass{explicit.Pass}, Plant: func() func() {
			global = true
			return func() { global = false }
		}}
	}
	small := one("a block too small", func(_ *ir.Func, s *ir.Stmt) bool {
		op, ok := s.Op.(*ir.Alloc)
		if ok {
			op.Size = ir.IntLit(0)
		}
		return ok
	})
	moved := one("an array in another's block", func(f *ir.Func, s *ir.Stmt) bool {
		if _, ok := s.Op.(*ir.Map); !ok || len(s.Pat) != 1 || s.Pat[0].Type.Place == nil || s.Pat[0].Name != "a2" {
			return false
		}
		s.Pat[0].Type.Place.Mem = "m_a1"
		return true
	})
	other := one("another operation", func(_ *ir.Func, s *ir.Stmt) bool {
		op, ok := s.Op.(*ir.Map)
		if ok {
			op.Body.Result[0] = &ir.Lit{Text: "7", T: ir.I32, Bits: 7}
		}
		return ok
	})
	none := one("no bug", func(*ir.Func, *ir.Stmt) bool { return false })
	s := chain(1)
	s.Text = strings.Replace(`-- ==
entry main [n] (a0: [n]i32) : [n]i32 = {
  let a1 = map (t < n) { in a0[t] + 1 }
  let a2 = map (u < n) { in a1[n - 1 - u] * 2 }
  in a2
}
`, "-- ==\n", "", 1)
	programs := []*difftest.Subject{chain(0), s}
	verdicts := difftest.Mutate([]difftest.Mutant{small, moved, other, none}, programs, 0, 0)
	want := []string{"[memory static]", "[memory static]", "[value erase memory]", "[]"}
	for k, v := range verdicts {
		if got := fmt.Sprint(v.By); got != want[k] {
			t.Errorf("%s: found by %s, expected %s (%v)", v.Mutant, got, want[k], v.Failure)
		}
	}
	if v := verdicts[0]; v.Programs != 2 || v.Ran == 0 {
		t.Errorf("%+v: the first program has no block", v)
	}
	if global {
		t.Error("a planted bug was left behind")
	}
	var table bytes.Buffer
	difftest.WriteVerdicts(&table, verdicts)
	if !strings.Contains(table.String(), "no bug") || !strings.Contains(table.String(), "nothing") {
		t.Errorf("the table lacks a row:\n%s", table.String())
	}
}
