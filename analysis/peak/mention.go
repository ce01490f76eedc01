package peak

import (
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/ir"
)

// A mention is where a name of a block, or of an array in one, is used first and last;
// initial tells that the last use is as what a loop begins with: the loop's parameter
// takes over.
type mention struct {
	first, last int
	initial     bool
	unused      bool // nothing but the pattern that binds the name of its block as well
}

// within gives the points of a body from its first statement that holds a mention to its
// last one; loop is that last one, if it only begins with what is mentioned.
func (t *Table) within(b *ir.Body, m *mention) (span liveness.Span, loop *ir.Stmt, ok bool) {
	in := t.Liveness.Body(b)
	if m.first > in.To || m.last < in.From {
		return span, nil, false
	}
	span.From = t.Around(b, max(m.first, in.From)).From
	last := t.Around(b, min(m.last, in.To))
	if m.initial && last.From == m.last {
		return liveness.Span{From: span.From, To: last.From}, t.Liveness.Points[m.last].Stmt, true
	}
	span.To = last.To
	return span, nil, true
}

// Around gives the points of the statement of a body that a point belongs to, or the point
// itself where that is the body's own.
func (t *Table) Around(b *ir.Body, point int) liveness.Span {
	if _, span, ok := t.Liveness.Enclosing(b, point); ok {
		return span
	}
	return liveness.Span{From: point, To: point}
}
