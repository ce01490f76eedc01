package imp

import (
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// Remarks reports every check that stays in the program, with its subject and position: an assert,
// or min and max, may make it unnecessary. A check that several kernels make is reported once.
// Names are those of the source. It also reports groups whose work one work-item does.
func (p *Program) Remarks() *diag.List {
	out := &diag.List{File: p.File}
	for _, l := range p.Lone {
		out.Remarkf(l.Span, "groups: %s", l.Why())
	}
	told := map[int]bool{}
	tell := func(c *Check, where string, s *spoken) {
		if c.Code <= 0 || c.Code >= len(p.Faults) || told[c.Code] {
			return
		}
		told[c.Code] = true
		f := p.Faults[c.Code]
		what := f.Format
		for _, a := range c.Args {
			what = strings.Replace(what, "%d", "`"+s.text(a)+"`", 1)
		}
		out.Remarkf(f.Span, "checks: %s tests `%s`, which is not proven; where it fails: %s", where, s.condition(c.Cond), strings.ReplaceAll(what, "%%", "%"))
	}
	for _, f := range p.Funcs {
		s := p.spoken(f.Body)
		for _, c := range checksOf(f.Body) {
			tell(c, "the host", s)
		}
	}
	for _, k := range p.Kernels {
		s := p.spoken(k.Body)
		for _, c := range k.Checks() {
			tell(c, "each work-item of "+k.Name, s)
		}
	}
	out.Sort()
	return out
}

// spoken tells of expressions in the source's words: by the names there, and with what a
// temporary variable is in place of its name.
type spoken struct {
	source  map[string]string // Program.source
	defined map[string]ir.Exp // temporaries that are assigned once
}

func (p *Program) spoken(body []Stmt) *spoken {
	s := &spoken{p.source(), map[string]ir.Exp{}}
	times := map[string]int{}
	assignments(body, func(name string) { times[name]++ })
	Each(body, func(t *Set) {
		if times[t.Dst] == 1 && s.source[t.Dst] == "" {
			s.defined[t.Dst] = t.E
		}
	})
	return s
}

// mostSpoken bounds how deep temporaries stand in one another, and so the text.
const mostSpoken = 4

func (s *spoken) exp(e ir.Exp, depth int) ir.Exp {
	return ir.MapExp(e, func(e ir.Exp) ir.Exp {
		switch e := e.(type) {
		case *ir.Ref:
			if name := s.source[e.Name]; name != "" {
				return &ir.Ref{Name: name, T: e.T}
			}
			if d := s.defined[e.Name]; d != nil && depth < mostSpoken {
				return s.exp(d, depth+1)
			}
		case *ir.Builtin:
			switch e.Fn {
			case IndexFn, WrapFn:
				return e.Args[0]
			case QuotientFn:
				return &ir.Binary{Op: "/", X: e.Args[0], Y: e.Args[1], T: ir.I64}
			}
		}
		return e
	})
}

func (s *spoken) text(e ir.Exp) string { return ir.ExpString(s.exp(e, 0)) }

// condition tells of 0 <= i < n as such, which is compared as u64 (below).
func (s *spoken) condition(e ir.Exp) string {
	if b, ok := e.(*ir.Binary); ok && b.Op == "<" {
		i, one := b.X.(*ir.Convert)
		n, two := b.Y.(*ir.Convert)
		if one && two && i.T == ir.U64 && n.T == ir.U64 {
			return "0 <= " + s.text(i.X) + " < " + s.text(n.X)
		}
	}
	return s.text(e)
}
