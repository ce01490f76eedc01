package accesses

import (
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// reads records the elements that a scalar expression reads, each with the conditions under which
// it is read. A conditional evaluates only the chosen side. && and || evaluate the right side only
// if the left one does not decide.
func (w *walker) reads(e ir.Exp, s *ir.Stmt, point int, f places.Facts) {
	ir.WalkExp(e, func(e ir.Exp) bool {
		switch e := e.(type) {
		case *ir.Cond:
			w.reads(e.C, s, point, f)
			w.readsIf(e.C, true, e.X, s, point, f)
			w.readsIf(e.C, false, e.Y, s, point, f)
			return false
		case *ir.Binary:
			if e.Op == "&&" || e.Op == "||" {
				w.reads(e.X, s, point, f)
				w.readsIf(e.X, e.Op == "&&", e.Y, s, point, f)
				return false
			}
		case *ir.Index:
			items := make([]ir.Item, len(e.Indices))
			for k, i := range e.Indices {
				items[k] = ir.Item{Fixed: true, Index: i}
			}
			w.access(Access{Stmt: s, Point: point, Array: e.Array, Items: items, known: f})
		}
		return true
	})
}

// readsIf does the same for an expression that is evaluated if a condition has the value holds.
func (w *walker) readsIf(cond ir.Exp, holds bool, e ir.Exp, s *ir.Stmt, point int, f places.Facts) {
	if !ir.Reads(e) {
		return
	}
	if rules.Off("accesses.readsIf") {
		w.reads(e, s, point, f)
		return
	}
	if cond = w.Expand(cond); holds {
		f = f.FromCondition(cond)
	} else {
		f = f.FromNegation(cond)
	}
	w.reads(e, s, point, f)
}
