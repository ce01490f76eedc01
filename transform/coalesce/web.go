package coalesce

import (
	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A member is an array of a web with the place that it is to get.
type member struct {
	*array
	fun lmad.Fun
	// group identifies arrays that were put in one part of the web: such arrays keep their places
	// relative to the rest.
	group int
}

// A weaving is a web as far as it has been found.
type weaving struct {
	members []member
	at      map[string]int // of members, by name
	relied  []sameness
	groups  int
	made    map[int]int // arrays made anew, by group
}

// web collects the arrays that move if src moves to f, each with its new index function, and the
// sizes that these treat as equal. The arrays are in the order of a search from src.
func (s *state) web(src string, f lmad.Fun) ([]member, []sameness, refusal) {
	if s.opt.skip["offset"] {
		f = beside(f)
	}
	w := &weaving{members: []member{{s.of(src), canonical(f), 0}}, at: map[string]int{src: 0}, groups: 1, made: map[int]int{}}
	for k := 0; k < len(w.members); k++ {
		m := w.members[k]
		if r := m.root().fixed; r.refused() {
			return nil, nil, r
		}
		for _, e := range m.edges {
			if r := s.weave(w, m, e); r.refused() {
				return nil, nil, r
			}
		}
	}
	return w.members, w.relied, refusal{}
}

// weave adds the array to which an edge of a member leads.
func (s *state) weave(w *weaving, m member, e edge) refusal {
	j, met := w.at[e.to]
	switch {
	case met && e.part:
		return refusal{}
	case e.part && rules.Off("coalesce.parts"):
		return refuse("C4", "the rule is switched off")
	}
	g, taken, ok := s.along(m, e)
	switch {
	case met: // what does not follow one way follows the other way
		if ok && !w.members[j].fun.Equal(g) && !s.opt.skip["C4"] {
			return refuse("C4", "`%s` would need two different places", e.to)
		}
		return refusal{}
	case !ok && s.opt.skip["C4"]:
		return refusal{}
	case !ok:
		return refuse("C4", "no place of `%s` there would give `%s` its new place", e.to, m.name)
	}
	group := m.group
	if e.part {
		group = w.groups
		w.groups++
	}
	to, src := s.of(e.to), w.members[0].name
	w.relied, w.at[e.to] = append(w.relied, taken...), len(w.members)
	w.members = append(w.members, member{to, g, group})
	if to.def.Fresh() {
		if w.made[group]++; w.made[group] > maxOrigins {
			return refuse("bound", "`%s` may be any of more than %d arrays", src, maxOrigins)
		}
	}
	if s.spent++; len(w.members) > maxWeb || s.spent > maxSpent+s.allowance() {
		return refuse("bound", "too many arrays would have to move with `%s`", src)
	}
	return refusal{}
}

// along returns the place of the array to which an edge of a member leads, if there is one, and the sizes that this
// treats as equal.
func (s *state) along(m member, e edge) (g lmad.Fun, taken []sameness, ok bool) {
	g, ok = e.follow(m.fun)
	if ok && !e.part {
		lengths := lmad.Sizes(s.lv.Def(e.to).Elem.Type.Shape)
		if !e.checks {
			taken = relies(g.Shape(), lengths, e.to)
		}
		g, ok = withLengths(g, lengths)
	}
	return canonical(g), taken, ok
}

// beside returns a place that is one element off: a bug that tests plant.
func beside(f lmad.Fun) lmad.Fun {
	l, ok := f.Single()
	if !ok {
		return f
	}
	l.Offset = l.Offset.Add(sym.Const(1))
	return lmad.Of(l)
}

// canonical returns row-major functions their usual strides. Strides of dimensions of length 1 are
// free, but places derived from them are compared.
func canonical(f lmad.Fun) lmad.Fun {
	if f.IsRowMajor() {
		return lmad.RowMajor(f.Shape())
	}
	return f
}

// A move is a candidate with its effects.
type move struct {
	*candidate
	region  lmad.Fun
	block   string   // of dst
	copied  lmad.Fun // the part of dst, with its own lengths
	members []member
	relied  []sameness     // sizes that the places of the members take for equal
	numbers map[string]int // of members, where they are many
	// first is the point of the statement of body that makes src first.
	first int
	// last is the last point at which an array of the web is used. If it is after the copy, the
	// part must not be written in between.
	last   int
	writes []*accesses.Access
	needs  []*candidate // in place, whose checks now have to precede its first write
	memory *peak.Transaction
	work   int // tests still allowed
}

// fewMembers is how many are looked at one by one.
const fewMembers = 8

// moves returns the member that an array is, or nil.
func (m *move) moves(array string) *member {
	if len(m.members) > fewMembers {
		if m.numbers == nil {
			m.numbers = make(map[string]int, len(m.members))
			for k, x := range m.members {
				m.numbers[x.name] = k
			}
		}
		if k, ok := m.numbers[array]; ok {
			return &m.members[k]
		}
		return nil
	}
	for k := range m.members {
		if m.members[k].name == array {
			return &m.members[k]
		}
	}
	return nil
}

// funOf returns the index function of an array after the move.
func (s *state) funOf(m *move, array string) lmad.Fun {
	if x := m.moves(array); x != nil {
		return x.fun
	}
	return s.place(array)
}
