package arena_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/analysis/arena"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/fuzz/difftest"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

// less leaves out one barrier.
type less struct {
	*arena.Barriers
	stmt, within *ir.Stmt
	body         *ir.Body
}

func (l less) Meets(s *ir.Stmt) bool       { return s != l.stmt && l.Barriers.Meets(s) }
func (l less) MeetsWithin(s *ir.Stmt) bool { return s != l.within && l.Barriers.MeetsWithin(s) }
func (l less) MeetsAtEnd(b *ir.Body) bool  { return b != l.body && l.Barriers.MeetsAtEnd(b) }

// A grouped is a program of testdata/groups behind all passes.
type grouped struct {
	name string
	*difftest.Subject
	prog *ir.Program
}

func programs(t *testing.T) (out []grouped) {
	files, err := filepath.Glob("../../testdata/groups/*.ir")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := difftest.Read(diag.NewFile(path, string(data)))
		if err != nil {
			continue // it is refused
		}
		p, list := parser.Parse(diag.NewFile(path, s.Text))
		if !list.Failed() {
			list = check.Program(p)
		}
		if list.Failed() {
			continue
		}
		if _, err := pipeline.Run(p, pipeline.DefaultPasses(), pipeline.Options{}); err == nil {
			out = append(out, grouped{filepath.Base(path), s, p})
		}
	}
	if len(out) < 10 {
		t.Fatalf("only %d programs", len(out))
	}
	return out
}

// races runs a program by memory with some barriers, and reports whether threads touch one element
// between two of them.
func (g grouped) races(barriers interp.Barriers) bool {
	for _, args := range g.Inputs {
		_, err := interp.ByMemory(g.prog, g.Entry, args, interp.Options{Barriers: barriers, MaxSteps: 2_000_000})
		if err != nil && strings.Contains(err.Error(), "two threads of a kernel touch one element") {
			return true
		}
	}
	return false
}

// TestEachBarrier: with all barriers nothing races. Then each barrier between accesses to one
// element is left out once. The interpreter by memory must find most of these races: in barriers.ir,
// and for barriers within the making of a fresh array, all of them.
func TestEachBarrier(t *testing.T) {
	left, found := 0, 0
	for _, g := range programs(t) {
		all := arena.New(g.prog).Barriers()
		if g.races(all) {
			t.Errorf("%s: threads race between the barriers", g.name)
		}
		try := func(m *arena.Meeting, out less) {
			if m == nil || m.Why != arena.Elements {
				return
			}
			left++
			if g.races(out) {
				found++
			} else if g.name == "barriers.ir" || out.within != nil {
				t.Errorf("%s: without the barrier between `%s` and `%s` nothing races", g.name, m.First, m.Second)
			}
		}
		for _, f := range g.prog.Funcs {
			ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
				try(all.Before(s), less{Barriers: all, stmt: s})
				if _, kernel := ir.KernelSpace(s.Op); !kernel && ir.Fresh(s.Op) {
					try(all.Within(s), less{Barriers: all, within: s})
				}
				for _, b := range ir.Bodies(s.Op) {
					try(all.AtEnd(b), less{Barriers: all, body: b})
				}
				return true
			})
		}
	}
	t.Logf("%d of %d barriers were missed", found, left)
	if found < 20 || found*3 < left*2 {
		t.Errorf("only %d of %d barriers were missed", found, left)
	}
}

// TestPlantedBarriers: wrong barriers are found.
func TestPlantedBarriers(t *testing.T) {
	all := programs(t)
	for _, bug := range []string{arena.NeighboursAreOne, arena.BranchesDiffer} {
		undo := arena.Plant(bug)
		if !slices.ContainsFunc(all, func(g grouped) bool { return g.races(arena.New(g.prog).Barriers()) }) {
			t.Errorf("%q: found by nothing", bug)
		}
		undo()
	}
}
