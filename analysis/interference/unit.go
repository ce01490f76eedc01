package interference

import (
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// Note [Meetings]
// ~~~~~~~~~~~~~~~
// Two holders u and v meet at a range of points. A unit lies around it: one statement, or some
// neighbouring statements of a body. The meeting is harmless if one of the two, the first, is not
// needed behind the unit, the other, the second, brings no contents into it, and within the unit
// every byte is written for the second only after its last access for the first (Note [Order]).
// Then each byte belongs to the first for some time, and to the second from then on.
//
// The smallest unit is tried first, then the loops, branches and kernels around it. Example: the
// operand of a kernel is needed until the kernel ends, so it meets an array that a thread keeps to
// itself in the middle of the body; the unit is then the kernel.

// excused returns why a meeting at a range of points is harmless, and the points of the unit. If it
// may not be harmless, it returns a witness.
func (t *Table) excused(u, v *holder, meet liveness.Span) (Excuse, liveness.Span, *Witness) {
	w := &Witness{Point: meet.From, A: t.arrayAt(u, meet.From), B: t.arrayAt(v, meet.From), Why: Live}
	if t.aliases.Pinned(u.name) || t.aliases.Pinned(v.name) {
		w.Why = Caller
		return Excuse{}, meet, w
	}
	smallest := true
	if rules.Off("interference.excuses") {
		return Excuse{}, meet, w
	}
	for unit, ok := t.around(meet); ok && t.small(unit); unit, ok = t.wider(unit) {
		for _, p := range [][2]*holder{{u, v}, {v, u}} {
			first, second := p[0], p[1]
			if liveInto(first.own, unit.span.To+1) || liveInto(second.own, unit.span.From) {
				continue
			}
			if reason, ok := t.inOrder(first, second, unit); ok {
				return Excuse{t.arrayAt(first, meet.From), t.arrayAt(second, meet.From), reason}, unit.span, nil
			}
			if s := t.live.Points[unit.span.From].Stmt; smallest && t.live.Stmt(s) == unit.span {
				w.Why = Statement
			}
		}
		smallest = false
		if rules.Off("interference.units") {
			break
		}
	}
	return Excuse{}, meet, w
}

// A unit is a statement of a body, or some neighbouring statements, with their points.
type unit struct {
	body *ir.Body
	span liveness.Span
}

// around returns the smallest unit that contains a range of points.
func (t *Table) around(s liveness.Span) (unit, bool) {
	x, ok := t.enclosing(s.From)
	y, ok2 := t.enclosing(s.To)
	for ok && ok2 && x.body != y.body {
		if t.depth(x.body) >= t.depth(y.body) {
			x, ok = t.wider(x)
		} else {
			y, ok2 = t.wider(y)
		}
	}
	return unit{x.body, liveness.Span{From: x.span.From, To: y.span.To}}, ok && ok2
}

// enclosing returns the statement that a point belongs to. The beginning and the end of a body
// belong to the statement of that body.
func (t *Table) enclosing(p int) (unit, bool) {
	pt := t.live.Points[p]
	if pt.Stmt == nil {
		return unit{}, false
	}
	span := t.live.Stmt(pt.Stmt)
	return unit{t.live.Points[span.From].Body, span}, true
}

// wider returns the statement of the body that contains a unit.
func (t *Table) wider(u unit) (unit, bool) { return t.enclosing(t.live.Body(u.body).From) }

func (t *Table) depth(b *ir.Body) int {
	n := 0
	for s := t.accesses.Scope(t.live.Body(b).From); s != nil; s = s.Outer {
		n++
	}
	return n
}
