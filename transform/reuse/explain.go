package reuse

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/interference"
	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/transform/reuse/plan"
)

// maxPairs is how many members of a group a remark looks at for a witness.
const maxPairs = 16

// explain says, for every block that is still allocated, why it did not take an earlier one.
func (s *state) explain(p *plan.Problem, r *plan.Result) {
	if s.context.Remarks == nil {
		return
	}
	for k, g := range r.Groups {
		if s.table.Blocks[g.Leader].Kind != peak.Allocated {
			continue
		}
		s.explainGroup(p, r, k)
		s.explainLoop(g)
	}
}

// explainLoop says why a block is allocated in every iteration of a loop.
func (s *state) explainLoop(g plan.Group) {
	blk := s.table.Blocks[g.Leader]
	loop := s.innermostLoop(blk.Region)
	if loop == 0 || s.table.RegionAt(g.At) != blk.Region {
		return
	}
	for _, m := range g.Members {
		if w, again := s.meets.Repeats(s.table.Blocks[m].Name); again {
			s.context.Remark(blk.Stmt.Span, "[interferes] %s stays in its loop: %s", block{s, g.Leader}, s.witness(w))
			return
		}
	}
	before := s.table.Regions[loop].Stmt.From
	for _, m := range g.Sizes {
		if s.table.Blocks[m].Known > before {
			s.context.Remark(blk.Stmt.Span, "[size] %s stays in its loop, where its size is computed (%s)",
				block{s, g.Leader}, bytes{s.table.Blocks[m].Size})
			return
		}
	}
	s.context.Remark(blk.Stmt.Span, "[peak] %s stays in its loop: outside, it would be held even if the loop has no iteration, or while more is held",
		block{s, g.Leader})
}

func (s *state) explainGroup(p *plan.Problem, r *plan.Result, k int) {
	g := r.Groups[k]
	blk := s.table.Blocks[g.Leader]
	for j := k - 1; j >= 0; j-- { // groups are in the order of their points
		h := r.Groups[j]
		if p.Blocks[h.Leader].Pinned || !p.Blocks[h.Leader].Fixed && h.At >= g.At {
			continue
		}
		for _, a := range h.Members[:min(len(h.Members), maxPairs)] {
			for _, b := range g.Members[:min(len(g.Members), maxPairs)] {
				if w, ok := s.conflict(a, b); ok {
					s.context.Remark(blk.Stmt.Span, "[interferes] %s and %s: %s", block{s, b}, block{s, a}, s.witness(w))
					return
				}
			}
		}
		switch {
		case p.Blocks[h.Leader].Fixed && p.Blocks[g.Leader].Rigid && s.fits(g.Leader, h.Leader):
			s.context.Remark(blk.Stmt.Span, "[size] %s (%s) is handed to the callers, which count no more bytes for it: %s may be a larger block in some call",
				block{s, g.Leader}, bytes{blk.Size}, block{s, h.Leader})
		case p.Blocks[h.Leader].Fixed && !s.fits(g.Leader, h.Leader):
			s.context.Remark(blk.Stmt.Span, "[size] %s (%s) does not provably fit in %s (%s)",
				block{s, g.Leader}, bytes{blk.Size}, block{s, h.Leader}, bytes{s.table.Blocks[h.Leader].Size})
		case p.Lives != nil:
			s.context.Remark(blk.Stmt.Span, "[bound] %s (%s) and %s (%s) are not compared: the function has too many blocks",
				block{s, g.Leader}, bytes{blk.Size}, block{s, h.Leader}, bytes{s.table.Blocks[h.Leader].Size})
		default:
			s.context.Remark(blk.Stmt.Span, "[peak] %s (%s) and %s (%s) could share, but that may raise the peak",
				block{s, g.Leader}, bytes{blk.Size}, block{s, h.Leader}, bytes{s.table.Blocks[h.Leader].Size})
		}
		return
	}
}

// witness says why two blocks interfere.
func (s *state) witness(w interference.Witness) string {
	a, b := s.array(w.A), s.array(w.B)
	at := s.point(w.Point)
	switch w.Why {
	case interference.Caller:
		return fmt.Sprintf("%s and %s meet%s, and the caller keeps one of them", a, b, at)
	case interference.Statement:
		return fmt.Sprintf("%s and %s meet%s, where one may be overwritten before it is read for the last time", a, b, at)
	case interference.Threads:
		return fmt.Sprintf("different threads may use the same bytes for %s and %s%s%s", a, b, at, s.race(w))
	case interference.Iterations:
		return fmt.Sprintf("%s and %s are of different iterations and both needed%s", a, b, at)
	case interference.SameBlock:
		return fmt.Sprintf("both may be %s", a)
	case interference.Live:
	}
	return fmt.Sprintf("%s and %s are both needed%s", a, b, at)
}

// race names the elements that two threads may touch, and what would keep them apart.
func (s *state) race(w interference.Witness) string {
	x, y, ok := s.meets.Race(w)
	if !ok {
		return ""
	}
	if x.Write && !y.Write {
		x, y = y, x
	}
	verb := "reads"
	if x.Write {
		verb = "writes"
	}
	text := fmt.Sprintf(": one %s %s, another writes %s", verb, element(x), element(y))
	if equal := s.differ(x, y); len(equal) > 0 {
		return text + "; with an assert that " + strings.Join(equal, " && ") + ", each thread has its own elements"
	}
	if !x.Write {
		text += "; they can share where each thread reads only the element that it writes"
	}
	return text
}

// element writes what an access touches.
func element(a *accesses.Access) string {
	if a.Items == nil {
		return "elements of " + a.Array
	}
	var items []string
	for _, it := range a.Items {
		if it.Fixed {
			items = append(items, ir.ExpString(it.Index))
			continue
		}
		items = append(items, fmt.Sprintf("(%s, %s)", ir.ExpString(it.Start), ir.ExpString(it.Len)))
	}
	return a.Array + "[" + strings.Join(items, ", ") + "]"
}

// differ returns the equations of sizes without which two arrays with the same indices have them at
// other bytes.
func (s *state) differ(x, y *accesses.Access) []string {
	acc := s.meets.Accesses()
	t, u := acc.Type(x.Array), acc.Type(y.Array)
	if t == nil || u == nil || len(t.Shape) != len(u.Shape) || x.Items == nil || y.Items == nil ||
		strings.TrimPrefix(element(x), x.Array) != strings.TrimPrefix(element(y), y.Array) {
		return nil
	}
	var out []string
	p, q := lmad.OfType(*t).Shape(), lmad.OfType(*u).Shape()
	for k := 1; k < len(p); k++ { // the length of the first dimension moves no element
		if !p[k].Equal(q[k]) {
			out = append(out, ir.ExpString(p[k].Exp())+" == "+ir.ExpString(q[k].Exp()))
		}
	}
	return out
}

// array returns an array's name with the place where it is bound.
func (s *state) array(name string) string {
	if d := s.table.Liveness.Def(name); d != nil && d.Elem != nil {
		if at := s.where(d.Elem.Span); at != "" {
			return fmt.Sprintf("`%s` (%s)", name, at)
		}
	}
	return "`" + name + "`"
}

// point returns the place of a point.
func (s *state) point(p int) string {
	if p < 0 || p >= len(s.table.Liveness.Points) {
		return ""
	}
	pt := s.table.Liveness.Points[p]
	span := diag.Span{}
	switch {
	case pt.Kind == liveness.End:
		span = pt.Body.In
	case pt.Stmt != nil:
		span = pt.Stmt.Span
	}
	if at := s.where(span); at != "" {
		return " at " + at
	}
	return ""
}

// where returns line and column of a span, "" where it is unknown.
func (s *state) where(span diag.Span) string {
	if s.prog.File == nil || !span.Known() {
		return ""
	}
	line, col := s.prog.File.Position(span.Start)
	return fmt.Sprintf("%d:%d", line, col)
}
