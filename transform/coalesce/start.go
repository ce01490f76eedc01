package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Initial values that are copied]
//
// A loop's initial value may be unable to move; a parameter of the function is an example. Then the
// loop's result cannot move to the place that it is copied to:
//
//	let r = loop (b = a) { in map .. b .. }        let start = copy a
//	let c = copy r                          ---->  let r = loop (b = start) { in map .. b .. }
//	                                               let c = copy r  -- moves nothing
//
// Copying the initial value to that place first moves as many bytes, and the loop's own block
// becomes unnecessary. So memc considers a loop that needs only one block for its next values (Note
// [One buffer instead of two]), but whose initial value cannot use that block. If a copy of the
// loop's result is refused, it tries the function again with a copy of the initial value, and keeps
// the cheaper attempt (Note [Alternatives]).

// begins returns the loop parameters for which one block would suffice if their initial values were
// copied, if at present a copy of the loop's result is refused.
func (s *state) begins() []string {
	if s.opt.off[begin] || rules.Off("coalesce.start") {
		return nil
	}
	refused, loops, linked := map[string]bool{}, map[*ir.Stmt]bool{}, map[string]int{}
	for _, m := range s.missed {
		if m.kind == buffers {
			loops[m.stmt] = true
			linked[s.find(m.param)]++
		} else {
			refused[s.find(m.src)] = true
		}
	}
	var out []string
	for _, m := range s.missed {
		if m.kind != buffers {
			continue
		}
		// If such a loop begins with the result of another one, the other's initial value is the
		// one that cannot move.
		class := s.find(m.param)
		if refused[class] && linked[class] <= maxOrigins && !loops[s.lv.Def(s.unaliased(m.src)).Stmt] {
			out = append(out, m.param)
		}
	}
	return out
}

// start returns a function that makes a loop begin with a copy of its initial value, in a block as
// large as that of the next values. If the copy is made in that very block, the new block is
// removed again. The function inserts statements that the analyses do not know, so it must run
// after all questions to them.
func (s *state) start(b *ir.Body, r doubleBuffer) func() {
	init, ok := r.loop.Params[r.param].Init.(*ir.Ref)
	if !ok {
		return func() {}
	}
	for sc := s.ac.Scope(s.lv.Stmt(r.stmt).From); sc != nil; sc = sc.Outer {
		if sc.Kernel { // no thread allocates
			return func() {}
		}
	}
	param := r.loop.Params[r.param].Elem.Name
	size := s.lv.Def(initial(r, false)).Stmt.Op.(*ir.Alloc).Size
	from := s.lv.Def(init.Name).Elem.Type
	return func() {
		name := s.fresh(param + "_start")
		block := s.fresh("m_" + name)
		t := ir.Array(from.Prim, slices.Clone(from.Shape), &ir.Place{Mem: block})
		b.Stmts = slices.Insert(slices.Clone(b.Stmts), slices.Index(b.Stmts, r.stmt),
			&ir.Stmt{Pat: []*ir.Elem{{Name: block, Type: ir.Mem}}, Op: &ir.Alloc{Size: ir.CloneExp(size)}, Span: r.stmt.Span},
			&ir.Stmt{Pat: []*ir.Elem{{Name: name, Type: t, Written: true}}, Op: &ir.Copy{X: init.Name}, Span: r.stmt.Span})
		begin := *init
		begin.Name = name
		k := slices.IndexFunc(r.loop.Params, func(p ir.Param) bool { return p.Elem.Name == param })
		r.loop.Params[k].Init = &begin
	}
}

// startHasRoom reports whether that copy is known to fit in its block, which is as large as the one
// of the two that stays.
func (s *state) startHasRoom(r doubleBuffer, swap bool) bool {
	init, ok := r.loop.Params[r.param].Init.(*ir.Ref)
	if !ok {
		return false
	}
	t := s.lv.Def(init.Name).Elem.Type
	t.Place = &ir.Place{Mem: initial(r, swap)}
	return s.rooms.Fits(r.stmt, t)
}

// startNoWorse reports whether a loop may begin with a copy of its initial value without the
// function holding more memory. If the loop has no iteration, its result is the initial value,
// which may cost nothing, but the copy costs memory as long as the result is used. The sum then
// must not exceed the sum at the beginning of the loop, with two blocks that take turns. If so, the
// transaction is committed, so that further copies count in addition.
func (s *state) startNoWorse(r doubleBuffer) bool {
	span := s.lv.Stmt(r.stmt)
	facts := s.ac.Facts(span.From)
	if s.unasked() || r.loop.Bound != nil && facts.AtLeast(sym.Of(r.loop.Bound), 1) {
		return true
	}
	gives := s.block(r.stmt.Pat[r.param].Name)
	result := s.account().Range(gives)
	if result == nil || result.To <= span.To {
		return true // it is not used
	}
	if s.blocks.Get(gives).uses > 0 {
		return false
	}
	next := s.account().Range(initial(r, false))
	if next == nil {
		return false
	}
	gone := []string{gives, r.stmt.Pat[r.next].Name, r.stmt.Pat[r.other].Name} // names of blocks
	t := s.account().Propose(span.From, facts)
	for _, n := range gone {
		t.Drop(n)
	}
	t.Add(next, liveSpan{From: span.To + 1, To: result.To})
	if t.NoWorse().NoWorse {
		t.Commit()
		return true
	}
	params := r.loop.Params
	gone = append(gone, params[r.param].Elem.Type.Place.Mem, params[r.next].Elem.Name, params[r.other].Elem.Name)
	return s.startInPlace(r, append(gone, initial(r, false), initial(r, true)), result.To)
}

// startInPlace reports the same for a copy that is made in the place to which the loop's result is
// copied, if that is one place. starts makes sure that the result does move there.
func (s *state) startInPlace(r doubleBuffer, gone []string, last int) bool {
	if rules.Off("coalesce.startInPlace") {
		return false
	}
	span := s.lv.Stmt(r.stmt)
	var to []*candidate // copies of the loop's result
	for _, c := range s.copiesLinked(r.loop.Params[r.param].Elem.Name) {
		if s.lv.Def(c.src).At >= span.From {
			to = append(to, c)
		}
	}
	if len(to) != 1 || to[0].body != s.lv.Def(r.stmt.Pat[r.param].Name).Scope.Body {
		return false
	}
	dst := s.account().Range(s.block(to[0].dst))
	if dst == nil {
		return true // the caller's: it is held anyway
	}
	t := s.account().Propose(to[0].point, s.ac.Facts(span.From))
	for _, n := range gone {
		t.Drop(n)
	}
	t.Hold(dst, liveSpan{From: span.From, To: max(last, to[0].point)})
	if !t.NoWorse().NoWorse {
		return false
	}
	t.Commit()
	return true
}

// copiesLinked returns the candidates that are not in place and whose sources must move together
// with an array.
func (s *state) copiesLinked(x string) []*candidate {
	if s.copiesOfClass == nil {
		s.copiesOfClass = map[string][]*candidate{}
		for _, c := range s.candidates() {
			if c.kind != steps && !s.inPlace(c) {
				s.copiesOfClass[s.find(c.src)] = append(s.copiesOfClass[s.find(c.src)], c)
			}
		}
	}
	return s.copiesOfClass[s.find(x)]
}
