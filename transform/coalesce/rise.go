package coalesce

import (
	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/aliases"
	"github.com/memc-lang/memc/analysis/liveness"
	peaks "github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform"
)

// Note [Runs that would hold more]
//
// Each move is asked what it costs where it is made (Note [Never more memory]), by what
// is known there: a loop that has no iteration, a motion that another move made use of,
// or moves that are right each for itself can still make some run hold more. So at the
// end all is looked at once more: kinds of runs, of a few sizes, with no, one and some
// iterations and one branch or the other, must hold no more than they did before the pass
// (peak.Table.Held). In a function where one does, nothing is moved up and no loop begins
// with a copy; where that does not help, it keeps its memory as it was.

// calm tells, of functions that would hold more, what is not done in them: 1: motions and
// copies of initial values, 2: anything.
type calm map[string]int

// remark tells of the functions in which less is done.
func (k calm) remark(p *ir.Program, c *transform.Context) {
	for _, f := range p.Funcs {
		switch k[f.Name] {
		case 1:
			c.Remark(f.Span, "[peak] in `%s` nothing is moved up, and no loop begins with a copy: some run would hold more", f.Name)
		case 2:
			c.Remark(f.Span, "[peak] `%s` keeps its memory as it is: some run would hold more", f.Name)
		}
	}
}

// settle makes of p what users get, by the options that are best for each of its
// functions, and gives those. try makes an attempt.
func settle(p *ir.Program, try func(p *ir.Program, opt options) map[string]*outcome, opt options) options {
	before := ir.CloneProgram(p)
	made := try(p, opt)
	again := func() {
		*p = *ir.CloneProgram(before)
		made = try(p, opt)
	}
	if opt = decide(before, made, opt); len(opt.avoid)+len(opt.starts)+len(opt.still) > 0 {
		again()
	}
	if opt.off[peak] || len(opt.skip) > 0 { // a planted bug is not to be taken back
		return opt
	}
	opt.calm = calm{}
	for level := 1; level <= 2; level++ {
		bad := rises(before, p, made)
		if len(bad) == 0 {
			break
		}
		for _, f := range bad {
			opt.calm[f] = level
		}
		again()
	}
	return opt
}

// rises gives the functions that an attempt changed and in which some kind of run holds
// more than before.
func rises(before, after *ir.Program, made map[string]*outcome) []string {
	was, is := tables(before, made), tables(after, made)
	var out []string
	for _, f := range before.Funcs {
		if was[f.Name] != nil && is[f.Name] != nil && moreHeld(was[f.Name], is[f.Name]) {
			out = append(out, f.Name)
		}
	}
	return out
}

// moreHeld tells whether some kind of run holds more.
func moreHeld(was, is *peaks.Table) bool {
	one := func(p sym.Poly) int64 { return peaks.Value(p, func(string) (int64, bool) { return 1, true }) }
	sizes := append(was.Samples(was.End()), one)
	iterations, elses := []int64{0}, []bool{false}
	for _, r := range was.Regions[1:] {
		if r.Loop {
			iterations = []int64{0, 1, 3}
		} else {
			elses = []bool{false, true}
		}
	}
	for _, n := range iterations {
		for _, second := range elses {
			sc := peaks.Scenario{Sizes: sizes, Iterations: n, Else: second}
			old, told := was.Held(sc, maxRun)
			if !told {
				continue
			}
			now, told := is.Held(sc, maxRun)
			for k := range now {
				if told && now[k] > old[k] {
					return true
				}
			}
		}
	}
	return false
}

// maxRun bounds the statements of a run that is looked at.
const maxRun = 1 << 19

// maxStraight bounds the statements of straight code that is looked at: there is one kind
// of run, and what it holds was asked for move by move.
const maxStraight = 10_000

// branches tells whether a body has loops, ifs or calls.
func branches(b *ir.Body) bool {
	found := false
	ir.WalkStmts(b, func(s *ir.Stmt) bool {
		switch s.Op.(type) {
		case *ir.Loop, *ir.If, *ir.Call:
			found = true
		}
		return !found
	})
	return found
}

// tables analyses the functions that an attempt changed.
func tables(p *ir.Program, made map[string]*outcome) map[string]*peaks.Table {
	out := map[string]*peaks.Table{}
	var al *aliases.Program
	var lv *liveness.Program
	var ac *accesses.Program
	for _, f := range p.Funcs {
		if o := made[f.Name]; o != nil && o.changed && (len(f.Body.Stmts) <= maxStraight || branches(f.Body)) {
			if al == nil {
				al = aliases.Analyze(p)
				lv = liveness.Analyze(p, al)
				ac = accesses.Analyze(p, lv)
			}
			out[f.Name] = peaks.Analyze(f, al.Func(f.Name), lv.Func(f.Name), ac.Func(f.Name))
		}
	}
	return out
}
