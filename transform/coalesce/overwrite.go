package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
)

// overwrites checks that the arrays `made`, in the body of a loop, may be made over the loop's
// parameter.
func (s *state) overwrites(st *ir.Stmt, loop *ir.Loop, param string, made []string) refusal {
	if s.opt.skip["overwrites"] {
		return refusal{}
	}
	m := &move{
		candidate: &candidate{kind: buffers, stmt: st, span: st.Span, body: loop.Body, src: param},
		work:      maxWork,
	}
	span := s.lv.Body(loop.Body)
	ours := map[string]bool{}
	for _, x := range made {
		if d := s.lv.Def(x); d.At < span.From || d.At > span.To {
			continue
		}
		ours[x] = true
		for _, k := range s.of(x).accesses {
			if a := &s.ac.All[k]; a.Write {
				m.writes = append(m.writes, a)
			}
		}
	}
	for _, x := range append([]string{param}, s.arraysIn(st)...) {
		// An array may lie there without sharing elements with the parameter: for example one that
		// was made in the parameter's block after that was put there.
		if ours[x] || !s.al.MayShare(x, param) && !s.al.MayBeOne(s.block(x), s.block(param)) {
			continue
		}
		for _, w := range m.writes {
			if r := s.over(m, x, w); r.refused() {
				return r
			}
		}
	}
	return refusal{}
}

// overPresent is overwrites for a candidate of kind buffers.
func (s *state) overPresent(m *move) refusal {
	if m.kind != buffers {
		return refusal{}
	}
	return s.overwrites(m.stmt, m.stmt.Op.(*ir.Loop), m.param, s.blocks.Get(m.block).arrays)
}

// over checks that array x, which may lie where w writes, is no longer needed there.
func (s *state) over(m *move, x string, w *accesses.Access) refusal {
	// A copy of the parameter to its own place changes nothing, so arrays there may still be read.
	// But they must not be changed, since they are now the copy, too.
	if c, ok := w.Stmt.Op.(*ir.Copy); ok && !rules.Off("coalesce.unchanged") && s.place(w.Array).Equal(s.place(m.src)) && s.unaliased(c.X) == m.src {
		for _, k := range s.of(x).accesses {
			if a := &s.ac.All[k]; a.Write && s.lv.Body(m.body).From < a.Point && a.Point < s.lv.Body(m.body).To {
				return s.because("C3", a, "`%s` is changed there, where its copy would lie", x)
			}
		}
		return refusal{}
	}
	span := s.lv.Stmt(s.outermost(m.body, w.Point))
	for _, i := range s.lv.Array(x) {
		if i.From <= span.To && i.To > span.To {
			return s.because("C3", w, "`%s` is used after the statement that makes the next value over it", x)
		}
	}
	for _, k := range s.of(x).accesses {
		a := &s.ac.All[k]
		if a.Point < span.From || a.Point > span.To {
			if a.Point > span.To {
				return s.because("C3", a, "`%s` is used after the statement that makes the next value over it", x)
			}
			continue
		}
		if m.work--; m.work < 0 || !s.compatible(m, a, w, a.Region(s.place(x))) {
			return s.because("C3", a, "an element of `%s` may be read after the next value is made over it", x)
		}
	}
	return refusal{}
}

// arraysIn returns the arrays that are bound within a loop, its parameters among them.
func (s *state) arraysIn(loop *ir.Stmt) []string {
	if out, known := s.inLoop[loop]; known {
		return out
	}
	var out []string
	bind := func(e *ir.Elem) {
		if e.Type.Kind == ir.ArrayKind {
			out = append(out, e.Name)
		}
	}
	ir.Elems(loop.Op, bind)
	ir.ElemsIn(ir.Bodies(loop.Op)[0], bind)
	s.inLoop[loop] = out
	return out
}

// hasRoom checks that an array, if it is made anew, would fit in a block.
func (s *state) hasRoom(x, block string, f lmad.Fun) refusal {
	d := s.lv.Def(x)
	if !d.Fresh() {
		return refusal{}
	}
	t := d.Elem.Type
	t.Place = placeIn(block, f)
	if !s.rooms.Fits(d.Stmt, t) {
		return refuse("room", "`%s` is not known to fit in `%s`", x, block)
	}
	return refusal{}
}

// room checks that an array that is made earlier than before fits in its block. A loop's initial
// value goes to the block of the next values; if the loop may have no iteration, nothing ensures
// that it fits there. Other sources lie within the destination. If the destination is not known to
// fit, the program tests it where it is made. The source would be made before that test, and what
// stands between the two may stop the program.
func (s *state) room(m *move) refusal {
	if m.kind != buffers && !s.fitsBy(m.dst, m).refused() {
		return refusal{}
	}
	for _, x := range m.members {
		if s.block(x.name) == m.block && x.fun.Equal(s.place(x.name)) {
			continue
		}
		if r := s.hasRoom(x.name, m.block, x.fun); r.refused() {
			return r
		}
	}
	return refusal{}
}

// fitsBy checks that an array is known to fit in its block at the move's first access: because it
// lies within the destination of an earlier move, which fits; because what it was made from in place
// stands there already; or by the facts.
func (s *state) fitsBy(x string, m *move) refusal {
	x = s.madeFrom(s.past(x))
	for range s.around {
		k := slices.IndexFunc(s.around[s.of(x).root()], func(c *candidate) bool { return c.kind != buffers && s.block(x) == s.block(c.dst) })
		if k < 0 {
			break
		}
		x = s.madeFrom(s.past(s.around[s.of(x).root()][k].dst))
	}
	d := s.lv.Def(x)
	if d.Stmt == nil || d.At < m.first || d.Fresh() && s.rooms.Fits(s.outermost(m.body, m.first), d.Elem.Type) {
		return refusal{}
	}
	return refuse("room", "`%s` is not known to fit in `%s` before it is made", x, s.block(x))
}
