package accesses

import (
	"slices"

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
			w.element(e, s, point, f)
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

// element records the read of an element: one for each case of its indices (cases), of what they are then.
func (w *walker) element(e *ir.Index, s *ir.Stmt, point int, f places.Facts) {
	reads := []Access{{Stmt: s, Point: point, Array: e.Array, known: f}}
	for _, index := range e.Indices {
		whole := len(reads)
		var next []Access
		for _, r := range reads {
			of := []part{{index, r.known}}
			if !rules.Off("accesses.cases") {
				if cases := w.cases(index, r.known, true); len(cases)*whole <= maxCases {
					of = cases
				}
			}
			for _, c := range of {
				r.known = c.when
				r.Items = append(slices.Clip(r.Items), ir.Item{Fixed: true, Index: c.index})
				next = append(next, r)
				r.Items = r.Items[:len(r.Items)-1]
			}
		}
		reads = next
	}
	for _, r := range reads {
		w.access(r)
	}
}

// maxCases bounds the cases of an element; without them its index is what it is.
const maxCases = 9

// A part is what an index is in one case.
type part struct {
	index ir.Exp
	when  places.Facts
}

// cases divides an index: min(a, b) is a where a is at most b, and b where b is at most a; likewise max, and
// `if c then a else b`. So a neighbour at the border, as xs[max(i - 1, 0)], is a neighbour or the border. With
// named, a name stands for its definition, but no name within that does: so there are no more cases than words.
func (w *walker) cases(e ir.Exp, f places.Facts, named bool) []part {
	either := func(x, y ir.Exp, ifX, ifY places.Facts) []part {
		return append(w.cases(x, ifX, named), w.cases(y, ifY, named)...)
	}
	switch e := e.(type) {
	case *ir.Ref:
		if d := w.Def(e.Name); named && d != nil && d.Total() {
			if cases := w.cases(d.Exp, f, false); len(cases) > 1 {
				return cases
			}
		}
	case *ir.Builtin:
		if e.Fn != "min" && e.Fn != "max" {
			break
		}
		x, y := e.Args[0], e.Args[1]
		atMost := func(x, y ir.Exp) places.Facts {
			return f.FromCondition(w.Expand(&ir.Binary{Op: "<=", X: x, Y: y, T: ir.Bool}))
		}
		if e.Fn == "min" {
			return either(x, y, atMost(x, y), atMost(y, x))
		}
		return either(x, y, atMost(y, x), atMost(x, y))
	case *ir.Cond:
		c := w.Expand(e.C)
		return either(e.X, e.Y, f.FromCondition(c), f.FromNegation(c))
	}
	return []part{{e, f}}
}
