package pipeline

import (
	"github.com/memc-lang/memc/internal/oracle/erase"
	"github.com/memc-lang/memc/internal/oracle/memcheck"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
)

// memoryChecks are the checks of memory after every pass.
type memoryChecks struct {
	before  *ir.Program     // as it came
	known   map[string]bool // findings before any pass ran, and those that were told
	doubted map[string]bool // functions with findings before any pass ran
}

func newMemoryChecks(p *ir.Program) *memoryChecks {
	m := &memoryChecks{before: ir.Erase(p), known: map[string]bool{}, doubted: map[string]bool{}}
	for _, f := range memcheck.Check(p).Findings {
		m.known[f.Diag.Error()], m.doubted[f.Func] = true, true
	}
	return m
}

// after checks a program after a pass. What was wrong before is no pass's fault, and what can only
// not be proven is no bug: it is given apart, but for functions of which that is known already.
func (m *memoryChecks) after(p *ir.Program, pass *transform.Pass) (unproven []*diag.Diagnostic, err error) {
	found := []*diag.Diagnostic{}
	for _, f := range memcheck.Check(p).Findings {
		switch {
		case m.known[f.Diag.Error()]:
		case f.Certain() && len(m.doubted) > 0: // what the pass built on may have been wrong
			m.known[f.Diag.Error()] = true
			f.Diag.Severity = diag.Limitation
			f.Diag.Msg = "after pass " + pass.Name + ", of a program whose own places are not proven right: " + f.Diag.Msg
			unproven = append(unproven, f.Diag)
		case f.Certain():
			found = append(found, f.Diag)
		case !m.doubted[f.Func]:
			m.known[f.Diag.Error()] = true // once, not after each pass that follows
			f.Diag.Msg = "after pass " + pass.Name + ": " + f.Diag.Msg
			unproven = append(unproven, f.Diag)
		}
	}
	if pass.Computes {
		m.before = ir.Erase(p)
	}
	if err := erase.Equal(m.before, p); err != nil {
		found = append(found, &diag.Diagnostic{Severity: diag.Bug, File: p.File, Msg: "without its memory the program is another one: " + err.Error()})
	}
	if len(found) == 0 {
		return unproven, nil
	}
	return unproven, asBugs(p, pass, found)
}
