package liveness_test

import (
	"slices"
	"testing"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/fuzz/progen"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
)

// The oracle of soundness: wherever the analysis says that a block's contents are not needed, the
// test makes an array there that leaves the whole block undefined. The interpreter by memory
// watches every byte and reports any later read of the ruined contents.

// ruin adds such arrays before the statements of all bodies that run on the host, and before the
// ends of these bodies. It returns their number.
func ruin(p *ir.Program) int { return ruinOnly(p, 0) }

// ruinOnly ruins the pair of that number, if there is one.
func ruinOnly(p *ir.Program, only int) int {
	a := aliases.Analyze(p)
	l := liveness.Analyze(p, a)
	r := &ruiner{only: only}
	for _, f := range p.Funcs {
		r.l = l.Func(f.Name)
		r.body(f.Body)
	}
	return r.count
}

type ruiner struct {
	l      *liveness.Table
	allocs []*ir.Stmt // in scope
	count  int
	// only selects one pair of a block and a point at which it is live, to measure precision. 0
	// selects all pairs of a block and a point at which it is not live.
	only, seen int
}

// wanted reports whether a block is to be ruined before a point.
func (r *ruiner) wanted(mem string, point int) bool {
	live := r.l.LiveInto(mem, point)
	if r.only == 0 {
		return !live
	}
	if live {
		r.seen++
	}
	return live && r.seen == r.only
}

func (r *ruiner) body(b *ir.Body) {
	depth := len(r.allocs)
	var out []*ir.Stmt
	for _, s := range b.Stmts {
		out = append(out, r.junk(r.l.Stmt(s).From)...)
		out = append(out, s)
		switch s.Op.(type) {
		case *ir.Alloc:
			r.allocs = append(r.allocs, s)
		case *ir.If, *ir.Loop:
			for _, inner := range ir.Bodies(s.Op) {
				r.body(inner)
			}
		}
	}
	b.Stmts = append(out, r.junk(r.l.Body(b).To)...)
	r.allocs = r.allocs[:depth]
}

// junk makes what ruins the blocks in scope that are not live into a point.
func (r *ruiner) junk(point int) []*ir.Stmt {
	var out []*ir.Stmt
	for _, s := range r.allocs {
		m := s.Pat[0].Name
		if !r.wanted(m, point) {
			continue
		}
		r.count++
		size := &ir.Builtin{Fn: "max", Args: []ir.Exp{ir.CloneExp(s.Op.(*ir.Alloc).Size), ir.IntLit(0)}, T: ir.I64}
		n := "ruin_n" + itoa(r.count)
		out = append(out,
			&ir.Stmt{Pat: []*ir.Elem{{Name: n, Type: ir.Scalar(ir.I64)}}, Op: &ir.Compute{E: size}},
			&ir.Stmt{
				Pat: []*ir.Elem{{Name: "ruin" + itoa(r.count), Written: true,
					Type: ir.Array(ir.U8, []ir.Dim{{Name: n}}, &ir.Place{Mem: m})}},
				Op: &ir.Replicate{Dims: []ir.Exp{ir.Var(n)}, X: &ir.Lit{Text: "205", T: ir.U8, Bits: 205}},
			})
	}
	return out
}

// compare runs a program as it is by value, and ruined by memory.
func compare(t *testing.T, p *ir.Program, entry string, args []value.Value) (ruined int) {
	t.Helper()
	opt := interp.Options{MaxSteps: 3_000_000}
	want, err := interp.ByValue(p, entry, args, opt)
	if err != nil {
		return 0 // a fault that the program means
	}
	q := ir.CloneProgram(p)
	ruined = ruin(q)
	if list := check.Program(q); list.Failed() {
		t.Fatalf("%v\n%s", list.Err(), q)
	}
	got, err := interp.ByMemory(q, entry, args, opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, q)
	}
	for k := range want {
		if d := value.Diff(want[k], got[k], value.Exact); d != "" {
			t.Fatalf("result %d: %s\n%s", k, d, q)
		}
	}
	return ruined
}

func TestDeadContentsOfTestdata(t *testing.T) {
	count, programs := 0, 0
	load.EachInput(t, "../../testdata", func(t *testing.T, p *ir.Program, inputs [][]value.Value) {
		programs++
		for _, args := range inputs {
			count += compare(t, p, "main", args)
		}
	})
	t.Logf("%d programs, ruined %d times", programs, count)
	if count < 500 {
		t.Errorf("dead contents were ruined %d times; the oracle has lost its subjects", count)
	}
}

// TestPrecision ruins every block once at every point where it is said to be needed, and counts how
// often some input of the program reveals this.
func TestPrecision(t *testing.T) {
	claimed, observed := 0, 0
	opt := interp.Options{MaxSteps: 100_000}
	load.EachInput(t, "../../testdata", func(t *testing.T, p *ir.Program, inputs [][]value.Value) {
		inputs = slices.DeleteFunc(inputs, func(args []value.Value) bool { // faults and long runs prove nothing
			_, err := interp.ByMemory(p, "main", args, opt)
			return err != nil
		})
		for only := 1; only <= 40; only++ { // large programs are sampled
			q := ir.CloneProgram(p)
			if ruinOnly(q, only) == 0 {
				return
			}
			if list := check.Program(q); list.Failed() {
				t.Fatalf("%v\n%s", list.Err(), q)
			}
			claimed++
			for _, args := range inputs {
				if _, err := interp.ByMemory(q, "main", args, opt); err != nil {
					observed++
					break
				}
			}
		}
	})
	t.Logf("%d of %d claims of need were observed", observed, claimed)
	if claimed < 300 || observed*100 < claimed*75 {
		t.Errorf("%d of %d claims of need were observed, expected three quarters", observed, claimed)
	}
}

func TestDeadContentsOfRandomPrograms(t *testing.T) {
	count, n := 0, int64(50)
	for seed := range n {
		g := progen.Generate(seed, progen.Options{Without: []string{"large", "wild"}})
		p := load.Explicit(t, g.Text)
		for _, args := range g.Inputs {
			count += compare(t, p, "main", args)
		}
	}
	t.Logf("%d programs, ruined %d times", n, count)
	if count < 500 {
		t.Errorf("dead contents were ruined %d times; the oracle has lost its subjects", count)
	}
}
