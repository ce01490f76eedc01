package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Sizes that a check makes equal]
//
// Two sizes may be equal only because the program stops if they differ: an assertion compares them,
// or the copy itself does.
//
//	let a: [n]i32 = map (i < n) { in f(i) }
//	let y1 = y with [r, (0, k)] = a           -- stops here where n is not k
//
// An array that is made in its place in y is written before that. So the sizes must be known to be
// equal, or be compared, before the first write of the web. If neither algebra nor an earlier
// assertion proves it, an update's guard (Note [Guards]) compares the sizes, too; other moves are
// refused.

// A sameness is a pair of sizes that were treated as equal when places of a web were derived.
type sameness struct {
	a, b sym.Poly
	what string // the array whose size is one of them
}

// fit returns the place of a copy the lengths of the array that goes there, as they stand in the
// array's type. Both must be provably equal where the copy is made, or a guard compares them.
func (s *state) fit(c *candidate, f lmad.Fun) (lmad.Fun, bool) {
	src := s.place(c.src)
	if f.Rank() != src.Rank() {
		return f, false
	}
	same := true
	for k := range src.Rank() {
		have, n := f.Len(k), src.Len(k)
		if have.Equal(n) {
			continue
		}
		if same = false; !s.compared(c) && !s.ac.Facts(c.point).SameValue(have, n) {
			return f, false
		}
	}
	if same {
		return f, true
	}
	return withLengths(f, src.Shape())
}

// compared reports whether the check of an update that is in place compares the sizes of its source
// with those of the part.
func (s *state) compared(c *candidate) bool {
	return c.kind == updates && s.checks[c.key()]
}

// inPlace reports whether the source of a candidate lies in the target of its copy.
func (s *state) inPlace(c *candidate) bool {
	if s.block(c.src) != s.block(c.dst) {
		return false
	}
	f, ok := s.fit(c, c.part(s.place(c.dst)))
	return ok && f.Equal(s.place(c.src))
}

// equalAt reports whether two sizes are provably equal at a point, by algebra and by earlier
// checks.
func (s *state) equalAt(point int, a, b sym.Poly) bool {
	if a.Equal(b) || rules.Off("coalesce.equalAt") {
		return a.Equal(b)
	}
	a, b = s.closed.Of(a), s.closed.Of(b)
	return a.Equal(b) || s.ac.Facts(point).SameValue(a, b)
}

// equal does so for the sizes of two arrays.
func (s *state) equal(point int, a, b []sym.Poly) bool {
	return slices.EqualFunc(a, b, func(x, y sym.Poly) bool { return s.equalAt(point, x, y) })
}

// fills reports whether the parts of a concat are known to fill its result where the web is first
// written. Otherwise a part may leave the block.
func (s *state) fills(m *move, op *ir.Concat) bool {
	sum, ok := s.lengths[op]
	if !ok {
		for _, x := range op.Args {
			sum = sum.Add(s.place(x).Len(op.Dim))
		}
		sum = s.closed.Of(sum)
		s.lengths[op] = sum
	}
	return s.equalAt(m.first, sum, s.place(m.dst).Len(op.Dim))
}

// sizes checks that the sizes that a move relies on are known to be equal where the web is first
// written. The guard of an update checks its own.
func (s *state) sizes(m *move) refusal {
	if s.opt.skip["guard"] {
		return refusal{}
	}
	if op, ok := m.stmt.Op.(*ir.Concat); ok && m.kind == concats && !s.fills(m, op) {
		return refuse("sizes", "only the concat itself compares the sizes of its parts with that of `%s`", m.dst)
	}
	if m.kind != updates && !s.equal(m.first, m.copied.Shape(), s.place(m.src).Shape()) {
		return refuse("sizes", "the sizes of `%s` and of the part of `%s` are not known to be equal where `%s` is made", m.src, m.dst, m.src)
	}
	for _, q := range m.relied {
		if rules.Off("coalesce.relied") {
			return refuse("sizes", "the rule is switched off")
		}
		if !s.equalAt(m.first, q.a, q.b) {
			return refuse("sizes", "the size of `%s` is not known where `%s` is made", q.what, m.src)
		}
	}
	return refusal{}
}

// relies returns the sizes that differ, as written, between the array's type and the place from
// which its own place follows.
func relies(a, b []sym.Poly, what string) []sameness {
	var out []sameness
	for k := range min(len(a), len(b)) {
		if !a[k].Equal(b[k]) {
			out = append(out, sameness{a[k], b[k], what})
		}
	}
	return out
}

// withLengths replaces the lengths of an index function by equal ones.
func withLengths(f lmad.Fun, lengths []sym.Poly) (lmad.Fun, bool) {
	have := f.Shape()
	if len(have) != len(lengths) {
		return f, false
	}
	if slices.EqualFunc(have, lengths, sym.Poly.Equal) {
		return f, true
	}
	l, one := f.Single()
	if !one {
		return f, false
	}
	dims := slices.Clone(l.Dims)
	for k := range dims {
		dims[k].Len = lengths[k]
	}
	return lmad.Of(lmad.LMAD{Offset: l.Offset, Dims: dims}), true
}
