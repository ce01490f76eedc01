package liveness

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
)

// The points of the index.
type (
	Point     = index.Point
	PointKind = index.PointKind
	Span      = index.Span
)

// The kinds of points.
const (
	Begin = index.Begin
	At    = index.At
	End   = index.End
	Exit  = index.Exit
)

// meet records variables and uses, point by point.
func (w *walker) meet() {
	for p, pt := range w.Points {
		sc := w.Scope(p)
		switch pt.Kind {
		case Begin:
			if pt.Stmt == nil {
				for _, e := range w.Func.Params {
					w.define(e, p, sc, false)
				}
			} else if loop, ok := pt.Stmt.Op.(*ir.Loop); ok {
				for _, q := range loop.Params {
					w.define(q.Elem, p, sc, false)
				}
			}
		case At:
			ir.Uses(pt.Stmt.Op, func(n string) { w.use(n, sc, p) })
			if pt.Span().To == p {
				w.results(pt.Stmt, p, sc)
			}
		case End:
			for _, e := range pt.Body.Result {
				ir.ExpNames(e, func(n string) { w.use(n, sc, p) })
			}
		case Exit:
			at := p
			if ir.IsKernel(pt.Stmt.Op) { // it writes them while it runs
				at = pt.Span().From
			}
			w.results(pt.Stmt, at, sc)
		}
	}
}

// results records the variables that a statement binds at a point.
func (w *walker) results(s *ir.Stmt, at int, sc *index.Scope) {
	for _, e := range s.Pat {
		w.define(e, at, sc, ir.Fresh(s.Op))
	}
}

// successors calls f for the points that control may reach next.
func (t *Table) successors(p int, f func(int)) {
	pt := t.Points[p]
	switch pt.Kind {
	case Begin, Exit:
		f(p + 1)
	case At:
		span := t.Stmt(pt.Stmt)
		f(p + 1)
		if branch, ok := pt.Stmt.Op.(*ir.If); ok {
			f(t.Body(branch.Else).From)
		} else if span.To > p {
			f(span.To)
		}
	case End:
		if pt.Stmt == nil {
			return
		}
		f(t.Stmt(pt.Stmt).To)
		if _, ok := pt.Stmt.Op.(*ir.If); !ok {
			f(t.Body(pt.Body).From)
			if p+1 != t.Stmt(pt.Stmt).To {
				f(p + 1) // from a kernel's operator to its body
			}
		}
	}
}

// follows reports whether control goes from p to p+1 at all.
func (t *Table) follows(p int) bool {
	pt := t.Points[p]
	if pt.Kind != End || pt.Stmt == nil {
		return true
	}
	branch, ok := pt.Stmt.Op.(*ir.If)
	return !ok || pt.Body == branch.Else
}
