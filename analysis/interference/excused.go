package interference

// An ExcusedPair is two real blocks that meet but may share storage nevertheless.
type ExcusedPair struct {
	M1, M2  string
	Excuses []Excuse // of each meeting
}

// Excused returns the pairs of blocks that meet only in harmless statements, in the order in which
// they are bound.
func (t *Table) Excused() []ExcusedPair {
	excuses, bad := map[pair][]Excuse{}, map[pair]bool{}
	all := func(v verdict) bool { return v.bad || len(v.excuses) > 0 }
	t.meetings(all, func(p pair, v verdict) bool {
		excuses[p] = append(excuses[p], v.excuses...)
		bad[p] = bad[p] || v.bad
		return true
	})
	var out []ExcusedPair
	for _, p := range sorted(excuses) {
		if !bad[p] {
			out = append(out, ExcusedPair{t.reals[p.a], t.reals[p.b], excuses[p]})
		}
	}
	return out
}

// Excuses returns why two real blocks may share storage although they meet: one excuse for each
// meeting. It returns none if they interfere or do not meet.
func (t *Table) Excuses(m1, m2 string) []Excuse { return t.real(m1, m2).excuses }
