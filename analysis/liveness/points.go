package liveness

import "github.com/memc-lang/memc/ir"

// PointKind tells what happens at a point.
type PointKind uint8

// The kinds of points.
const (
	Begin PointKind = iota // of a body
	At                     // a statement; before its bodies, where it has some
	End                    // of a body: its results are read
	Exit                   // of a statement with bodies, behind them
)

// A Point is a program point; its number is its index in Table.Points.
type Point struct {
	Kind PointKind
	Body *ir.Body // that begins or ends, or that holds the statement
	// Stmt is the statement; of a body, the one that it belongs to, nil for the
	// function's body.
	Stmt *ir.Stmt
	Part int // of a body: its number among the statement's bodies
}

// A Span holds the points of a statement: from its own to its exit, which are
// one where it has no bodies. Of a body, from its beginning to its end.
type Span struct{ From, To int }

// bodyInfo is what the walk knows of a body.
type bodyInfo struct {
	Span
	parent int // body, -1 for the function's
	owner  *ir.Stmt
	at     Span // of the owner
}

// number numbers the points of a body and everything within, and notes
// variables and uses on the way.
func (w *walker) number(body *ir.Body, parent int, owner *ir.Stmt, part int) {
	id := len(w.bodies)
	w.bodies = append(w.bodies, bodyInfo{parent: parent, owner: owner})
	w.bodyID[body] = id
	begin := w.point(Point{Begin, body, owner, part})
	w.bodies[id].From = begin
	if owner != nil {
		w.bodies[id].at.From = w.stmts[owner].From
		if loop, ok := owner.Op.(*ir.Loop); ok {
			for _, p := range loop.Params {
				w.define(p.Elem, begin, id, false)
			}
		}
	} else {
		for _, e := range w.Func.Params {
			w.define(e, begin, id, false)
		}
	}
	for _, s := range body.Stmts {
		w.stmt(s, body, id)
	}
	end := w.point(Point{End, body, owner, part})
	w.bodies[id].To = end
	for _, e := range body.Result {
		ir.ExpNames(e, func(n string) { w.use(n, id, end) })
	}
}

func (w *walker) point(p Point) int {
	w.Points = append(w.Points, p)
	return len(w.Points) - 1
}

func (w *walker) stmt(s *ir.Stmt, body *ir.Body, id int) {
	at := w.point(Point{Kind: At, Body: body, Stmt: s})
	w.stmts[s] = Span{at, at}
	ir.Uses(s.Op, func(n string) { w.use(n, id, at) })
	bodies := ir.Bodies(s.Op)
	if len(bodies) == 0 {
		for _, e := range s.Pat {
			w.define(e, at, id, ir.Fresh(s.Op))
		}
		return
	}
	first := len(w.bodies)
	for part, b := range bodies {
		w.number(b, id, s, part)
	}
	exit := w.point(Point{Kind: Exit, Body: body, Stmt: s})
	w.stmts[s] = Span{at, exit}
	for k := first; k < len(w.bodies); k++ {
		if w.bodies[k].owner == s {
			w.bodies[k].at.To = exit
		}
	}
	bound := at // a kernel writes its results while it runs
	if _, kernel := ir.KernelSpace(s.Op); !kernel {
		bound = exit
	}
	for _, e := range s.Pat {
		w.define(e, bound, id, ir.Fresh(s.Op))
	}
}

// successors calls f for the points that control may reach next.
func (t *Table) successors(p int, f func(int)) {
	pt := t.Points[p]
	switch pt.Kind {
	case Begin, Exit:
		f(p + 1)
	case At:
		span := t.stmts[pt.Stmt]
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
		f(t.stmts[pt.Stmt].To)
		if _, ok := pt.Stmt.Op.(*ir.If); !ok {
			f(t.Body(pt.Body).From)
			if p+1 != t.stmts[pt.Stmt].To {
				f(p + 1) // from a kernel's operator to its body
			}
		}
	}
}

// follows tells whether control goes from p to p+1 at all.
func (t *Table) follows(p int) bool {
	pt := t.Points[p]
	if pt.Kind != End || pt.Stmt == nil {
		return true
	}
	branch, ok := pt.Stmt.Op.(*ir.If)
	return !ok || pt.Body == branch.Else
}
