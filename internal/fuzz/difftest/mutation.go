package difftest

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/fuzz/progen"
	"github.com/memc-lang/memc/transform"
)

// A Mutant is a bug that is planted to see whether anything finds it.
type Mutant struct {
	Name string
	// Passes is a pipeline with the bug in one of its passes; nil: the default one.
	// Without is that pipeline without the bug: programs in which it shows something,
	// too, are left out.
	Passes, Without []*transform.Pass
	// Plant plants the bug where no pass of its own holds it, and gives what takes it
	// away again; nil: there is nothing to plant.
	Plant func() (restore func())
}

// A Verdict tells how a mutant was found.
type Verdict struct {
	Mutant string
	// Programs is how many programs had run when the first check found it; 0: none
	// did.
	Programs int
	// Program names that program, and By are the checks that find the bug in it, each
	// on its own, the one that comes first in the order of stages first.
	Program string
	By      []string
	Failure *Failure
	// Ran counts the rewrites that the pipelines made: a mutant that never made any
	// was never tried.
	Ran int
}

// Mutate runs programs through the pipelines of mutants, each until a check finds
// the bug. The programs are those given, and then n random ones from a seed on.
func Mutate(mutants []Mutant, programs []*Subject, seed int64, n int) []Verdict {
	var out []Verdict
	for _, m := range mutants {
		out = append(out, mutate(m, programs, seed, n))
	}
	return out
}

func mutate(m Mutant, programs []*Subject, seed int64, n int) Verdict {
	restore := func() {}
	plant := func() {
		if m.Plant != nil {
			restore = m.Plant()
		}
	}
	plant()
	defer func() { restore() }()
	v := Verdict{Mutant: m.Name}
	for k := range len(programs) + n {
		var s *Subject
		if k < len(programs) {
			s = programs[k]
		} else {
			s = SubjectOf(seed+int64(k-len(programs)), progen.Options{})
		}
		out := Run(s, Options{Passes: m.Passes})
		for _, name := range out.Passes.Order {
			v.Ran += out.Passes.Rows[name].Rewrites
		}
		if f := out.found(); f != nil {
			// Only what the bug does counts.
			restore()
			restore = func() {}
			if Run(s, Options{Passes: m.Without}).found() != nil {
				plant()
				continue
			}
			plant()
			v.Programs, v.Program, v.Failure = k+1, s.Name, f
			v.By = findings(s, m, f)
			return v
		}
	}
	return v
}

// found returns the failure of an outcome. What the static checker cannot prove
// counts as found: after a pass it is reported as a bug.
func (o *Outcome) found() *Failure {
	if o.Failure == nil && len(o.Unproven) > 0 {
		return &Failure{Stage: StageStatic, Pass: o.Unproven[0].Pass, Input: -1, Msg: o.Unproven[0].Msg}
	}
	return o.Failure
}

// findings returns the checks that find a bug each on its own.
func findings(s *Subject, m Mutant, first *Failure) []string {
	by := []string{first.Stage}
	for _, only := range Checks {
		if only == first.Stage {
			continue
		}
		skip := map[string]bool{}
		for _, c := range Checks {
			skip[c] = c != only
		}
		if f := Run(s, Options{Passes: m.Passes, Skip: skip}).found(); f != nil && !slices.Contains(by, f.Stage) {
			by = append(by, f.Stage)
		}
	}
	return by
}

// WriteVerdicts prints a row per mutant: the bug, the checks that find it, how many
// programs it took, and the message.
func WriteVerdicts(w io.Writer, verdicts []Verdict) {
	fmt.Fprintf(w, "%-34s %9s  %-28s %s\n", "bug", "programs", "found by", "message")
	for _, v := range verdicts {
		if v.Programs == 0 {
			fmt.Fprintf(w, "%-34s %9s  nothing\n", v.Mutant, "-")
			continue
		}
		msg, _, _ := strings.Cut(v.Failure.Msg, "\n")
		if len(msg) > 100 {
			msg = msg[:100] + ".."
		}
		fmt.Fprintf(w, "%-34s %9d  %-28s %s\n", v.Mutant, v.Programs, strings.Join(v.By, ", "), msg)
	}
}
