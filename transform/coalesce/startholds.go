package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// startHolds tells whether a loop may begin with a copy of its initial value without
// the function holding more memory at a time. Where the loop has no iteration, its
// result is the initial value and may cost nothing, but the copy does, for as long as
// the result is used. There must be no more held then than where the loop begins, with
// two blocks that take turns.
func (s *state) startHolds(r rotation) bool {
	if s.opt.off[peak] || s.opt.skip["peak"] {
		return true
	}
	span := s.lv.Stmt(r.stmt)
	facts := s.ac.Facts(span.From)
	if b := r.loop.Bound; b != nil && facts.AtLeast(sym.Of(b), 1) {
		return true
	}
	result := s.held.all[r.stmt.Pat[r.param].Type.Place.Mem]
	next, ok := r.loop.Params[r.next].Init.(*ir.Ref)
	if result == nil || result.now <= span.To {
		return true // it is not used
	}
	if !ok || s.held.all[next.Name] == nil {
		return false
	}
	if init, ok := r.loop.Params[r.param].Init.(*ir.Ref); ok {
		if l := s.held.all[s.block(init.Name)]; l != nil && !l.holder && l.now <= span.From {
			return true // the result is all that holds it
		}
	}
	made := s.held.all[next.Name]
	start := &life{block: next.Name, body: result.body, from: endless, now: -1, was: endless, low: -1, size: made.size, class: made.class}
	t := &trial{
		state: s, m: &move{candidate: &candidate{point: span.From}, work: maxWork}, dst: start,
		leaving: map[string]int{result.block: result.left}, first: span.To + 1, last: result.now,
	}
	if !t.collect() {
		return false
	}
	// The loop has no names of blocks any more that take turns.
	t.lives = slices.DeleteFunc(t.lives, func(l *life) bool {
		return l.block == r.stmt.Pat[r.next].Name || l.block == r.stmt.Pat[r.other].Name
	})
	for _, p := range t.points() {
		if t.at(facts, p).refused() {
			return s.startFits(r, result, facts)
		}
	}
	return true
}

// startFits tells the same for a copy that is made in the place that the loop's result
// is copied to, if that is one place: it is asked for what a loop without an iteration
// holds, since what is held within is asked for where the result moves. That it does
// move is seen to by starts.
func (s *state) startFits(r rotation, result *life, facts places.Facts) bool {
	if s.copiesOfClass == nil {
		s.copiesOfClass = map[string][]*candidate{}
		for _, c := range s.candidates() {
			if s.defs[c.dst] != nil && !s.inPlace(c) { // or it is a copy that was just put there
				s.copiesOfClass[s.find(c.src)] = append(s.copiesOfClass[s.find(c.src)], c)
			}
		}
	}
	span := s.lv.Stmt(r.stmt)
	var list []*candidate // copies of what the loop gives
	for _, c := range s.copiesOfClass[s.find(r.loop.Params[r.param].Elem.Name)] {
		if s.defs[c.src].at >= span.From {
			list = append(list, c)
		}
	}
	if len(list) != 1 || list[0].body != s.defs[r.stmt.Pat[r.param].Name].scope.Body {
		return false
	}
	dst := s.held.all[s.block(list[0].dst)]
	if dst == nil {
		return true // the caller's: it is held anyway
	}
	t := &trial{
		state: s, m: &move{candidate: &candidate{point: list[0].point}, work: maxWork}, dst: dst,
		leaving: map[string]int{result.block: result.left}, first: span.From, last: max(result.now, list[0].point),
	}
	if !t.collect() {
		return false
	}
	var gone []string // the names of the two blocks
	for _, k := range []int{r.next, r.other} {
		gone = append(gone, r.stmt.Pat[k].Name)
		if init, ok := r.loop.Params[k].Init.(*ir.Ref); ok {
			gone = append(gone, init.Name)
		}
	}
	t.lives = slices.DeleteFunc(t.lives, func(l *life) bool { return slices.Contains(gone, l.block) })
	for _, p := range t.points() {
		if (p <= span.From || p >= span.To) && t.at(facts, p).refused() {
			return false
		}
	}
	return true
}
