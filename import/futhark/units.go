package futhark

import (
	"maps"
	"slices"
	"strings"
)

// parted puts the constants that are not computed from scalars alone into units;
// it gives up where a unit would need what another computes halfway.
func (c *constantsOf) parted() bool {
	block := map[string]*unit{}  // of a block that is allocated
	results := map[string]bool{} // blocks that constants lie in; what others mention is a view
	for _, s := range c.f.consts {
		for _, q := range s.pat {
			if q.typ.place != nil {
				results[q.typ.place.mem] = true
			}
		}
	}
	for _, s := range c.f.consts {
		s.heavy = !onlyScalars(s)
		for w := range s.words {
			s.heavy = s.heavy || c.of[w] != nil
		}
		if !s.heavy {
			continue
		}
		var u *unit
		for _, mem := range slices.Sorted(maps.Keys(s.words)) {
			v := block[mem]
			if v == nil || results[mem] && !lies(s, mem) {
				continue
			}
			if u == nil || u == v {
				u = v
				continue
			}
			u.stms = append(u.stms, v.stms...) // two blocks of one statement
			for _, t := range v.stms {
				for _, r := range t.pat {
					c.of[r.name] = u
					if block[r.name] == v {
						block[r.name] = u
					}
				}
			}
			v.stms = nil
		}
		if u == nil {
			u = &unit{users: map[*fun]bool{}}
			c.units = append(c.units, u)
		}
		u.stms = append(u.stms, s)
		for _, q := range s.pat {
			c.of[q.name] = u
			if _, ok := s.exp.(*eAlloc); ok {
				block[q.name] = u
			}
		}
	}
	c.units = slices.DeleteFunc(c.units, func(u *unit) bool { return len(u.stms) == 0 })
	for _, u := range c.units {
		slices.SortStableFunc(u.stms, func(a, b *stm) int { return a.span.Start - b.span.Start })
	}
	// In the order of their last statements, each must find what it is made from.
	last := func(u *unit) int { return u.stms[len(u.stms)-1].span.Start }
	slices.SortStableFunc(c.units, func(a, b *unit) int { return last(a) - last(b) })
	for _, u := range c.units {
		ok := true
		for _, s := range u.stms {
			for w := range s.words {
				v := c.of[w]
				ok = ok && (v == nil || v == u || last(v) < last(u))
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// lies reports whether a statement binds an array that lies in a block.
func lies(s *stm, mem string) bool {
	return slices.ContainsFunc(s.pat, func(q *param) bool { return q.typ.place != nil && q.typ.place.mem == mem })
}

// onlyScalars reports whether a statement computes scalars from scalars.
func onlyScalars(s *stm) bool {
	for _, p := range s.pat {
		if k := kindOf(p.typ); k != scalarKind && k != unitKind {
			return false
		}
	}
	simple := func(b *body) bool {
		return !slices.ContainsFunc(b.stms, func(s *stm) bool { return !onlyScalars(s) })
	}
	switch e := s.exp.(type) {
	case *eOperand, *ePrim, *eSize, *eAssert:
		return true
	case *eIf:
		return simple(e.yes) && simple(e.no)
	case *eMatch:
		return simple(e.dflt) && !slices.ContainsFunc(e.cases, func(c matchCase) bool { return !simple(c.body) })
	}
	return false
}

// wordsOf returns the names among some tokens, also those marked as consumed.
func wordsOf(toks []token) map[string]bool {
	set := map[string]bool{}
	for _, t := range toks {
		if t.kind == tokWord {
			set[t.text] = true
			set[strings.TrimPrefix(t.text, "*")] = true
		}
	}
	return set
}
