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

// web collects the arrays that move if src moves to f, each with its new index function, and the
// sizes that these treat as equal. The arrays are in the order of a search from src.
func (s *state) web(src string, f lmad.Fun) ([]member, []sameness, refusal) {
	from := s.of(src)
	if r := from.root().fixed; r.refused() {
		return nil, nil, r
	}
	if s.opt.skip["offset"] {
		f = beside(f)
	}
	out := []member{{from, canonical(f), 0}}
	var relied []sameness
	groups := 1
	made := map[int]int{} // arrays made anew, by group
	at := map[string]int{src: 0}
	for k := 0; k < len(out); k++ {
		m := out[k]
		if r := m.root().fixed; r.refused() {
			return nil, nil, r
		}
		for _, e := range m.edges {
			if _, met := at[e.to]; met && e.part {
				continue
			}
			if e.part && rules.Off("coalesce.parts") {
				return nil, nil, refuse("C4", "the rule is switched off")
			}
			g, ok := e.follow(m.fun)
			var taken []sameness
			if ok && !e.part {
				lengths := lmad.Sizes(s.lv.Def(e.to).Elem.Type.Shape)
				if !e.checks {
					taken = relies(g.Shape(), lengths, e.to)
				}
				g, ok = withLengths(g, lengths)
			}
			g = canonical(g)
			if j, met := at[e.to]; met {
				// What does not follow one way follows the other way.
				if ok && !out[j].fun.Equal(g) && !s.opt.skip["C4"] {
					return nil, nil, refuse("C4", "`%s` would need two different places", e.to)
				}
				continue
			}
			if !ok && s.opt.skip["C4"] {
				continue
			}
			if !ok {
				return nil, nil, refuse("C4", "no place of `%s` there would give `%s` its new place", e.to, m.name)
			}
			relied = append(relied, taken...)
			at[e.to] = len(out)
			group := m.group
			if e.part {
				group = groups
				groups++
			}
			to := s.of(e.to)
			out = append(out, member{to, g, group})
			if to.def.Fresh() {
				if made[group]++; made[group] > maxOrigins {
					return nil, nil, refuse("bound", "`%s` may be any of more than %d arrays", src, maxOrigins)
				}
			}
			if s.spent++; len(out) > maxWeb || s.spent > maxSpent+s.allowance() {
				return nil, nil, refuse("bound", "too many arrays would have to move with `%s`", src)
			}
		}
	}
	return out, relied, refusal{}
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
