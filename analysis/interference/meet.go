package interference

import (
	"slices"

	"github.com/memc-lang/memc/analysis/liveness"
)

// verdict is the answer for two holders.
type verdict struct {
	witness Witness
	bad     bool
	excuses []Excuse
}

// Between reports whether the contents that lie in two blocks by these two names may not share storage,
// if the names stand for different blocks wherever both are bound.
func (t *Table) Between(m1, m2 string) (Witness, bool) {
	v := t.verdict(t.holder(m1), t.holder(m2))
	return v.witness, v.bad
}

// contents compares the contents of two different real blocks.
func (t *Table) contents(m1, m2 string) answer {
	return t.compare(t.entriesOf(m1), t.entriesOf(m2), func(u, v int) bool { return u != v })
}

// compare looks at all pairs of holders whose intervals meet.
func (t *Table) compare(as, bs []entry, want func(u, v int) bool) answer {
	var out answer
	var liveA, liveB []entry
	seen := map[pair]bool{}
	meet := func(a, b entry) bool {
		p := pair{a.holder, b.holder}
		if seen[p] || !want(p.a, p.b) {
			return false
		}
		seen[p] = true
		v := t.verdict(p.a, p.b)
		if v.bad {
			out = answer{witness: v.witness, bad: true}
			return true
		}
		out.excuses = append(out.excuses, v.excuses...)
		return false
	}
	for len(as) > 0 || len(bs) > 0 {
		first := len(bs) == 0 || len(as) > 0 && as[0].From <= bs[0].From
		var e entry
		if first {
			e, as = as[0], as[1:]
		} else {
			e, bs = bs[0], bs[1:]
		}
		gone := func(x entry) bool { return x.To < e.From }
		liveA, liveB = slices.DeleteFunc(liveA, gone), slices.DeleteFunc(liveB, gone)
		if first {
			for _, x := range liveB {
				if meet(e, x) {
					return out
				}
			}
			liveA = append(liveA, e)
		} else {
			for _, x := range liveA {
				if meet(x, e) {
					return out
				}
			}
			liveB = append(liveB, e)
		}
	}
	return out
}

// verdict answers for two holders.
func (t *Table) verdict(u, v int) verdict {
	if u > v {
		r := t.verdict(v, u)
		r.witness.A, r.witness.B = r.witness.B, r.witness.A
		return r
	}
	key := pair{u, v}
	known := t.verdicts[key]
	if known == nil {
		r := t.judge(t.holders[u], t.holders[v])
		known = &r
		t.verdicts[key] = known
	}
	return *known
}

func (t *Table) judge(u, v *holder) verdict {
	var out verdict
	covered := liveness.Span{From: 0, To: -1} // by a unit that is harmless
	for _, s := range liveness.Common(u.own, v.own) {
		if covered.From <= s.From && s.To <= covered.To {
			continue
		}
		e, span, bad := t.excused(u, v, s)
		if bad != nil {
			return verdict{witness: *bad, bad: true}
		}
		covered = span
		out.excuses = append(out.excuses, e)
	}
	for _, s := range liveness.Common(u.wide, v.wide) {
		if w := t.race(u, v, s); w != nil {
			return verdict{witness: *w, bad: true}
		}
	}
	return out
}
