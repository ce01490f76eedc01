package imp

import (
	"strings"

	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/ir"
)

// Remarks tells of every check that stays in the program, what it tests, and where:
// whoever wrote the program may know how to make it needless, by an assert or by min and
// max. A check that is made in several kernels is told of once.
func (p *Program) Remarks() *diag.List {
	out := &diag.List{File: p.File}
	told := map[int]bool{}
	tell := func(c *Check, where string) {
		if c.Code <= 0 || c.Code >= len(p.Faults) || told[c.Code] {
			return
		}
		told[c.Code] = true
		f := p.Faults[c.Code]
		what := f.Format
		for _, a := range c.Args {
			what = strings.Replace(what, "%d", "`"+ir.ExpString(a)+"`", 1)
		}
		out.Remarkf(f.Span, "checks: %s tests `%s`, which is not proven; where it fails: %s", where, ir.ExpString(c.Cond), strings.ReplaceAll(what, "%%", "%"))
	}
	u := user{scalar: func(*ir.Ref) {}, mem: func(string) {}, check: func(c *Check) { tell(c, "the host") }}
	for _, f := range p.Funcs {
		u.stmts(f.Body)
	}
	for _, k := range p.Kernels {
		for _, c := range k.Checks() {
			tell(c, "each work-item of "+k.Name)
		}
	}
	out.Sort()
	return out
}
