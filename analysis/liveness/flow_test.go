package liveness_test

import (
	"strconv"
	"testing"

	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/internal/fuzz/progen"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/ir"
)

func itoa(n int) string { return strconv.Itoa(n) }

// TestAgainstDataFlow compares the live intervals of arrays with those of the textbook's backward
// data flow over the points, iterated until nothing changes.
func TestAgainstDataFlow(t *testing.T) {
	arrays := 0
	for seed := int64(1000); seed < 1150; seed++ {
		g := progen.Generate(seed, progen.Options{})
		p := load.Explicit(t, g.Text)
		a := aliases.Analyze(p)
		l := liveness.Analyze(p, a)
		for _, f := range p.Funcs {
			table := l.Func(f.Name)
			flow := dataFlow(table)
			for _, name := range table.Aliases.Names() {
				arrays++
				claimed := map[int]bool{}
				for _, i := range table.Array(name) {
					for q := i.From; q <= i.To; q++ {
						claimed[q] = true
					}
				}
				for q := range table.Points {
					if flow[q][name] != claimed[q] {
						t.Fatalf("seed %d, %s: array %s at point %d: claimed live %v, data flow says %v\n%s",
							seed, f.Name, name, q, claimed[q], flow[q][name], p)
					}
				}
			}
		}
	}
	t.Logf("%d arrays agree", arrays)
}

// dataFlow returns the arrays live at each point: those bound or used there, and those bound before
// and needed later.
func dataFlow(t *liveness.Table) []map[string]bool {
	n := len(t.Points)
	uses, binds, next := make([][]string, n), make([]map[string]bool, n), make([][]int, n)
	in, at := make([]map[string]bool, n), make([]map[string]bool, n)
	for q, p := range t.Points {
		binds[q], in[q], at[q] = map[string]bool{}, map[string]bool{}, map[string]bool{}
		use := func(name string) { uses[q] = append(uses[q], name) }
		bind := func(e *ir.Elem) { binds[q][e.Name] = e.Type.Kind == ir.ArrayKind }
		var branch *ir.If
		var loop bool
		if p.Stmt != nil {
			branch, _ = p.Stmt.Op.(*ir.If)
			loop = branch == nil && len(ir.Bodies(p.Stmt.Op)) > 0
		}
		_, kernel := opSpace(p.Stmt)
		switch p.Kind {
		case liveness.Begin:
			if p.Stmt == nil {
				for _, e := range t.Func.Params {
					bind(e)
				}
			} else if op, ok := p.Stmt.Op.(*ir.Loop); ok {
				for _, x := range op.Params {
					bind(x.Elem)
				}
			}
			next[q] = []int{q + 1}
		case liveness.At:
			ir.Uses(p.Stmt.Op, use)
			if branch == nil && !loop || kernel {
				for _, e := range p.Stmt.Pat {
					bind(e)
				}
			}
			switch {
			case branch != nil:
				next[q] = []int{q + 1, t.Body(branch.Else).From}
			case loop:
				next[q] = []int{q + 1, t.Stmt(p.Stmt).To}
			default:
				next[q] = []int{q + 1}
			}
		case liveness.End:
			for _, e := range p.Body.Result {
				ir.ExpNames(e, use)
			}
			if p.Stmt != nil {
				next[q] = []int{t.Stmt(p.Stmt).To}
			}
			if loop {
				for _, b := range ir.Bodies(p.Stmt.Op) { // threads and iterations in any order
					next[q] = append(next[q], t.Body(b).From)
				}
			}
		case liveness.Exit:
			if !kernel {
				for _, e := range p.Stmt.Pat {
					bind(e)
				}
			}
			// What a loop's body uses is held until the loop is left.
			if loop {
				for _, b := range ir.Bodies(p.Stmt.Op) {
					for _, name := range ir.FreeNames(b) {
						use(name)
					}
				}
				if op, ok := p.Stmt.Op.(*ir.Loop); ok {
					uses[q] = without(uses[q], op)
				}
			}
			next[q] = []int{q + 1}
		}
	}
	arrays := map[string]bool{}
	for _, name := range t.Aliases.Names() {
		arrays[name] = true
	}
	for changed := true; changed; {
		changed = false
		for q := n - 1; q >= 0; q-- {
			live := map[string]bool{}
			for _, s := range next[q] {
				for name := range in[s] {
					live[name] = true
				}
			}
			for _, name := range uses[q] {
				if arrays[name] {
					live[name] = true
				}
			}
			for name, array := range binds[q] {
				if array {
					live[name] = true
				}
			}
			at[q] = live
			before := map[string]bool{}
			for name := range live {
				if !binds[q][name] {
					before[name] = true
				}
			}
			if len(before) != len(in[q]) {
				in[q], changed = before, true
			}
		}
	}
	return at
}

func opSpace(s *ir.Stmt) (ir.Space, bool) {
	if s == nil {
		return nil, false
	}
	return ir.KernelSpace(s.Op)
}

// without leaves out the parameters of a loop, which its body does not bind.
func without(names []string, op *ir.Loop) []string {
	param := map[string]bool{}
	for _, p := range op.Params {
		param[p.Elem.Name] = true
	}
	var out []string
	for _, n := range names {
		if !param[n] {
			out = append(out, n)
		}
	}
	return out
}
