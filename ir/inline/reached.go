package inline

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Reached returns functions and all that they call.
func Reached(p *ir.Program, roots ...*ir.Func) []*ir.Func {
	out := slices.Clone(roots)
	seen := map[*ir.Func]bool{}
	for _, f := range roots {
		seen[f] = true
	}
	for i := 0; i < len(out); i++ {
		ir.WalkStmts(out[i].Body, func(s *ir.Stmt) bool {
			if op, ok := s.Op.(*ir.Call); ok {
				if f := p.Func(op.Fn); f != nil && !seen[f] {
					seen[f] = true
					out = append(out, f)
				}
			}
			return true
		})
	}
	return out
}

// FromEntries returns the functions that entries reach.
func FromEntries(p *ir.Program) map[*ir.Func]bool {
	return reachedFrom(p, func(f *ir.Func) bool { return f.Entry })
}

// Prune removes the functions that no entry reaches any more. A function that none reached before
// stays, with those that it calls.
func Prune(p *ir.Program, before map[*ir.Func]bool) {
	after := reachedFrom(p, func(f *ir.Func) bool { return f.Entry || !before[f] })
	p.Funcs = slices.DeleteFunc(p.Funcs, func(f *ir.Func) bool { return !after[f] })
	p.Number()
}

func reachedFrom(p *ir.Program, root func(f *ir.Func) bool) map[*ir.Func]bool {
	var roots []*ir.Func
	for _, f := range p.Funcs {
		if root(f) {
			roots = append(roots, f)
		}
	}
	out := map[*ir.Func]bool{}
	for _, f := range Reached(p, roots...) {
		out[f] = true
	}
	return out
}
