package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// origins considers arrays that lay in different places and will lie in one. It checks that no two
// of them are needed at the same time.
func (s *state) origins(m *move) refusal {
	made := map[int][]string{} // by group
	for _, x := range m.members {
		if x.def.Fresh() {
			made[x.group] = append(made[x.group], x.name)
			if len(made[x.group]) > maxOrigins || len(made[x.group]) > 1 && rules.Off("coalesce.origins") {
				return refuse("bound", "`%s` may be any of more than %d arrays", m.src, maxOrigins)
			}
		}
	}
	if s.opt.skip["origins"] {
		return refusal{}
	}
	for _, x := range m.members {
		d := x.def
		if loop, ok := s.parameter(d); ok && !(m.kind == buffers && m.param == x.name) { // overPresent has checked that one
			in := s.lv.Body(loop.Body)
			for _, o := range made[x.group] {
				if od := s.lv.Def(o); in.From < od.At && od.At < in.To && !s.samePlace(o, x.name) && s.al.MayShare(x.name, o) {
					return refuse("C3", "`%s` is made in each iteration while `%s` may be needed", o, x.name)
				}
			}
		}
	}
	return s.pairs(m)
}

// pairs checks arrays that come to lie in one place from different ones. Two arrays of one block
// that are not in one group stay apart as they are, since parts move along.
func (s *state) pairs(m *move) refusal {
	if len(m.members) == 1 {
		return refusal{}
	}
	byBlock := map[string][]member{}
	var blocks []string
	for _, x := range m.members {
		if x.def.Fresh() {
			b := s.block(x.name)
			if byBlock[b] == nil {
				blocks = append(blocks, b)
			}
			byBlock[b] = append(byBlock[b], x)
		}
	}
	work := maxPairs
	check := func(o, p member) refusal {
		if work--; work < 0 {
			return refuse("bound", "too many arrays would share one place with `%s`", m.src)
		}
		return s.apart(m, o.name, p.name)
	}
	for _, b := range blocks {
		for _, c := range blocks {
			if b != c {
				for _, o := range byBlock[b] {
					for _, p := range byBlock[c] {
						if r := check(o, p); r.refused() {
							return r
						}
					}
				}
				continue
			}
			groups := map[int][]member{}
			for _, x := range byBlock[b] {
				for _, y := range groups[x.group] {
					if s.samePlace(x.name, y.name) {
						continue
					}
					for _, pair := range [][2]member{{x, y}, {y, x}} {
						if r := check(pair[0], pair[1]); r.refused() {
							return r
						}
					}
				}
				groups[x.group] = append(groups[x.group], x)
			}
		}
	}
	return refusal{}
}

// A maker is a statement that writes an array.
type maker struct {
	array string
	span  liveSpan
}

// makers returns the statements that make an array: its own, or, if that leaves the contents
// undefined, those of the same body that write there.
func (s *state) makers(m *move, p string) []maker {
	d := s.lv.Def(p)
	own := []maker{{p, s.lv.Stmt(d.Stmt)}}
	if _, scratch := d.Stmt.Op.(*ir.Scratch); !scratch || rules.Off("coalesce.scratch") {
		return own
	}
	var out []maker
	for _, y := range m.members {
		if !s.al.MayShare(y.name, p) {
			continue
		}
		for _, k := range y.accesses {
			a := &s.ac.All[k]
			if !a.Write {
				continue
			}
			if a.Point <= d.Scope.Span.From || a.Point >= d.Scope.Span.To || len(out) == maxMakers {
				return own
			}
			if w := (maker{y.name, s.lv.Stmt(s.outermost(d.Scope.Body, a.Point))}); !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// apart checks that making p does not destroy o.
func (s *state) apart(m *move, o, p string) refusal {
	for _, by := range s.makers(m, p) {
		for _, x := range m.members {
			if !s.al.MayShare(x.name, o) || s.al.MayShare(x.name, p) {
				continue
			}
			for _, i := range s.lv.Array(x.name) {
				switch {
				case i.From > by.span.To || i.To < by.span.From:
				case i.To > by.span.To:
					return refuse("C3", "`%s` is made while `%s` lives, and both would lie in one place", p, x.name)
				case !s.sameElements(m, x.name, by.array, by.span): // it is used last in the statement that makes p
					return refuse("C3", "`%s` is made from other elements of `%s`, and both would lie in one place", p, x.name)
				}
			}
		}
	}
	return refusal{}
}

// sameElements reports whether the statement at span may make p over x: each part of x is read
// before it is written, by the same thread.
func (s *state) sameElements(m *move, x, p string, span liveSpan) bool {
	if rules.Off("coalesce.sameElements") {
		return false
	}
	var writes []*accesses.Access
	for _, k := range s.of(p).accesses {
		if a := &s.ac.All[k]; a.Write && span.From <= a.Point && a.Point <= span.To {
			writes = append(writes, a)
		}
	}
	for _, k := range s.of(x).accesses {
		a := &s.ac.All[k]
		if a.Point < span.From || a.Point > span.To {
			continue
		}
		region := a.Region(s.funOf(m, x))
		for _, w := range writes {
			if !s.compatible(m, a, w, region) {
				return false
			}
		}
	}
	return true
}
