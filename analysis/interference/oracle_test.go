package interference_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/fuzz/progen"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
)

// The oracle makes one block of blocks that the analysis says do not interfere. The interpreter by
// memory, which watches every byte and every thread, must not notice. Conversely, it should notice
// blocks that are said to interfere.

var (
	seeds    = flag.Int("seeds", 10, "number of random programs")
	first    = flag.Int("first", 0, "seed of the first of them")
	programs = flag.Int("programs", 300, "number of programs of patterns")
)

// A trial is a program with its inputs and what they give.
type trial struct {
	p      *ir.Program
	inputs [][]value.Value
	want   [][]value.Value
}

var bounded = interp.Options{MaxSteps: 200_000}

// prepare keeps the inputs that run through, by value and by memory.
func prepare(p *ir.Program, inputs [][]value.Value) trial {
	t := trial{p: p}
	for _, args := range inputs {
		want, err := interp.ByValue(p, "main", args, bounded)
		if err != nil {
			continue
		}
		if _, err := interp.ByMemory(p, "main", args, bounded); err == nil {
			t.inputs, t.want = append(t.inputs, args), append(t.want, want)
		}
	}
	return t
}

// notices runs a program that has been laid over itself.
func (o trial) notices(t *testing.T, q *ir.Program) string {
	t.Helper()
	if list := check.Program(q); list.Failed() {
		t.Fatalf("%v\n%s", list.Err(), q)
	}
	for k, args := range o.inputs {
		got, err := interp.ByMemory(q, "main", args, bounded)
		if err != nil {
			if strings.Contains(err.Error(), "does not fit in its block") {
				continue // too large for the test
			}
			return err.Error()
		}
		for i := range got {
			if d := value.Diff(o.want[k][i], got[i], value.Exact); d != "" {
				return d
			}
		}
	}
	return ""
}

// allocated returns the blocks that a function allocates, in its order.
func allocated(f *ir.Func) []string {
	var out []string
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		if _, kernel := ir.KernelSpace(s.Op); kernel {
			return false // what threads allocate for themselves is no subject
		}
		if _, ok := s.Op.(*ir.Alloc); ok {
			out = append(out, s.Pat[0].Name)
		}
		return true
	})
	return out
}

// ownOfThreads reports whether threads of a kernel allocate a block.
func ownOfThreads(f *ir.Func, m string) bool {
	own := false
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		if _, ok := s.Op.(*ir.Alloc); ok && s.Pat[0].Name == m {
			own = !slices.Contains(allocated(f), m)
		}
		return true
	})
	return own
}

// tally counts what the oracle looked at.
type tally struct{ pairs, excused, groups, claimed, noticed int }

func (n tally) String() string {
	return fmt.Sprintf("%d pairs said not to interfere, %d of them excused, and %d groups of three and more; %d of %d claims of interference noticed",
		n.pairs, n.excused, n.groups, n.noticed, n.claimed)
}

// sound merges any two blocks that do not interfere,
// and then as many as go together.
func (n *tally) sound(t *testing.T, o trial, table *interference.Table) {
	t.Helper()
	blocks := allocated(o.p.Func("main"))
	var groups [][]string
	for i, m := range blocks {
		if i == 40 {
			break // large programs are sampled
		}
		for _, x := range blocks[:i] {
			if _, bad := table.Interfere(m, x); bad {
				continue
			}
			n.pairs++
			if len(table.Excuses(m, x)) > 0 {
				n.excused++
			}
			q := overlay(o.p, "main", x, m)
			if err := o.notices(t, q); err != "" {
				t.Errorf("%s and %s are said not to interfere (%v): %s\n%s", x, m, table.Excuses(x, m), err, q)
				return
			}
		}
		joined := false
		for k, g := range groups {
			if !slices.ContainsFunc(g, func(x string) bool { _, bad := table.Interfere(m, x); return bad }) {
				groups[k], joined = append(g, m), true
				break
			}
		}
		if !joined {
			groups = append(groups, []string{m})
		}
	}
	for _, g := range groups {
		if len(g) < 3 {
			continue
		}
		n.groups++
		q := overlay(o.p, "main", g...)
		if err := o.notices(t, q); err != "" {
			t.Errorf("%v are said not to interfere: %s\n%s", g, err, q)
			return
		}
	}
}

// precise merges blocks that interfere, at most limit
// pairs, and logs what no input noticed: there the claim may be too careful.
func (n *tally) precise(t *testing.T, o trial, table *interference.Table, limit int) {
	t.Helper()
	blocks := allocated(o.p.Func("main"))
	claimed, noticed := 0, 0
	for i, m := range blocks {
		for _, x := range blocks[:i] {
			w, bad := table.Interfere(x, m)
			if !bad || len(o.inputs) == 0 || claimed == limit {
				continue
			}
			claimed++
			if o.notices(t, overlay(o.p, "main", x, m)) != "" {
				noticed++
			} else {
				t.Logf("not noticed: %s and %s [%v]: %v", x, m, w.Why, w)
			}
		}
	}
	n.claimed, n.noticed = n.claimed+claimed, n.noticed+noticed
	if claimed > 0 {
		t.Logf("%d of %d claims of interference noticed", noticed, claimed)
	}
}

func TestOracleOfTestdata(t *testing.T) {
	var n tally
	load.EachInput(t, "../../testdata", func(t *testing.T, p *ir.Program, inputs [][]value.Value) {
		o := prepare(p, inputs)
		table := analyze(o.p).Func("main")
		n.sound(t, o, table)
		n.precise(t, o, table, 60)
	})
	t.Log(n)
	if n.pairs < 200 || n.excused < 80 || n.noticed*100 < n.claimed*75 {
		t.Errorf("%v: the oracle has lost its subjects", n)
	}
}

func TestOracleOfRandomPrograms(t *testing.T) {
	var n tally
	for seed := *first; seed < *first+*seeds; seed++ {
		g := progen.Generate(int64(seed), progen.Options{Without: []string{"large", "wild", "calling", "reused", "sugared"}})
		o := prepare(load.Explicit(t, g.Text), g.Inputs)
		table := analyze(o.p).Func("main")
		n.sound(t, o, table)
		t.Logf("seed %d", seed)
		n.precise(t, o, table, 12)
	}
	t.Log(n)
	if n.pairs < 5**seeds || 2*n.excused < *seeds {
		t.Errorf("%v: the oracle has lost its subjects", n)
	}
}
