package reuse

import (
	"slices"

	"github.com/memc-lang/memc/analysis/liveness"
	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/ir"
)

// Note [The initial value's block takes turns]
//
// A loop whose parameter xs alternates between two blocks writes to `next`, and then next and other
// swap roles:
//
//	loop (xs @ ?m = xs0, next: mem = m_a, other: mem = m_b) ...
//	  let ys @ next = ...
//	  in (ys, other, next)
//
// In the first iteration xs lies in the block m0 of xs0, and the loop writes to m_a. It first
// writes to m_b in the second iteration, when xs lies in m_a. If m0 holds only xs0, and only xs
// needs that, then m0 is dead by then and can be m_b: the loop has two blocks that swap, not three.
// Interference cannot see this, since it does not tell iterations apart. The conditions are:
//
//	(1) other and next just swap, next is where the next value is made, nothing else lies
//	    in other by that name, and after the loop neither of their names is used;
//	(2) m_b is mentioned nowhere else;
//	(3) every array bound outside of the loop that may lie in m0 is used last
//	    where the loop begins, except the loop's result for xs;
//	(4) within the loop an array lies in m0 only through xs: no other result of
//	    the body may lie in m0, no other parameter may have m0 as initial or next
//	    block, and the body mentions no outer block that m0 may be;
//	(6) after the loop no other array in m0 is needed while the loop's result,
//	    which may be in m_b then, is: in an outer loop one name may stand for m0
//	    and for other blocks.
//
// In a kernel every thread has its part of these blocks, and threads are not in step. So there is
// one more condition:
//
//	(5) the parts of m0 and m_b that two different threads touch, by whatever
//	    names, are disjoint.
//
// (4) also ensures that m0 is not m_a. If xs0 comes from an earlier iteration of a loop around, in
// which m_a and m_b are allocated, it may lie in the earlier instance of m_a, and one name stands
// for both.
//
// The planner receives the information that m0 and m_b do not conflict; it checks sizes and the
// peak.

// maxReals bounds the real blocks per name that are looked at.
const maxReals = 64

// doubleBuffers calls f for every two blocks that can share by this note: the initial value's
// block, and the one that takes turns with it.
func (s *state) doubleBuffers(f func(init, other int)) {
	var visit func(b *ir.Body, threads bool)
	visit = func(b *ir.Body, threads bool) {
		for _, at := range b.Stmts {
			if op, ok := at.Op.(*ir.Loop); ok {
				for k := range op.Params {
					s.doubleBuffer(at, op, k, threads, f)
				}
			}
			_, kernel := ir.KernelSpace(at.Op)
			for _, in := range ir.Bodies(at.Op) {
				visit(in, threads || kernel)
			}
		}
	}
	visit(s.f.Body, false)
}

func (s *state) doubleBuffer(at *ir.Stmt, op *ir.Loop, k int, threads bool, f func(init, other int)) {
	a := s.table.Aliases
	init, last, ok := peak.Waiting(at, op, k, a.BlockOf, s.used) // (1), (2)
	if !ok {
		return
	}
	other, ok := s.table.Block(last)
	if !ok || s.table.Blocks[other].Kind != peak.Allocated {
		return
	}
	reals, more := a.BlocksUpTo(a.BlockOf(init), maxReals)
	if more {
		return
	}
	for _, m := range reals {
		b, ok := s.table.Block(m)
		if ok && s.table.Blocks[b].Kind != peak.Called && !s.table.Blocks[b].Kept && s.diesInto(at, op, k, m) &&
			s.apartBehind(at, m, last) && !(threads && s.meets.Racing(m, last)) { // (5)
			f(b, other)
		}
	}
}

// diesInto reports whether a block is dead once the second iteration of a loop begins, except for
// arrays that parameter k passes on: conditions (3) and (4).
func (s *state) diesInto(at *ir.Stmt, op *ir.Loop, k int, m string) bool {
	a := s.table.Aliases
	span := s.table.Liveness.Stmt(at)
	may := func(name string) bool {
		mem := a.BlockOf(name)
		return mem != "" && a.MayBeOne(mem, m)
	}
	for j, e := range op.Body.Result {
		if ref, ok := e.(*ir.Ref); ok && j != k && may(ref.Name) {
			return false
		}
	}
	for j, p := range op.Params {
		switch p.Elem.Type.Kind {
		case ir.ArrayKind:
			if j != k && may(p.Elem.Name) {
				return false
			}
		case ir.MemKind:
			if a.MayBeOne(p.Elem.Name, m) {
				return false // next or other may begin as m0
			}
		case ir.ScalarKind:
		}
	}
	if slices.ContainsFunc(s.blocksOutside(op), func(x string) bool { return a.MayBeOne(x, m) }) {
		return false
	}
	for _, name := range s.arraysIn(m) {
		inside := s.boundIn(name, span)
		switch {
		case inside && a.BlockOf(name) == m:
			return false // not by way of xs
		case inside || name == s.patternOf(op, k):
			continue
		}
		if slices.ContainsFunc(s.table.Liveness.Array(name), func(i liveness.Interval) bool { return i.From < span.To && i.To > span.From }) {
			return false
		}
	}
	return true
}

// maxBehind bounds the pairs of arrays that are looked at behind a loop.
const maxBehind = 4096

// apartBehind is (6).
func (s *state) apartBehind(at *ir.Stmt, m0, mb string) bool {
	span := s.table.Liveness.Stmt(at)
	behind := func(m string) []string {
		return slices.DeleteFunc(slices.Clone(s.arraysIn(m)), func(name string) bool {
			return s.boundIn(name, span)
		})
	}
	given, others := behind(mb), behind(m0)
	if len(given)*len(others) > maxBehind {
		return false
	}
	for _, x := range others {
		if slices.Contains(given, x) {
			continue
		}
		for _, y := range given {
			for _, i := range s.table.Liveness.Array(x) {
				if slices.ContainsFunc(s.table.Liveness.Array(y), func(j liveness.Interval) bool { return i.From <= j.To && j.From <= i.To }) {
					return false
				}
			}
		}
	}
	return true
}

// blocksOutside returns the names of outer blocks that the body of a loop mentions.
func (s *state) blocksOutside(op *ir.Loop) []string {
	if names, ok := s.outside[op]; ok {
		return names
	}
	own := map[string]bool{}
	var used []string
	use := func(n string) {
		if _, ok := s.table.Aliases.BlockGraph().Component(n); ok && !own[n] {
			used = append(used, n)
		}
	}
	for _, p := range op.Params {
		if own[p.Elem.Name] = true; p.Elem.Type.Kind == ir.ArrayKind && p.Elem.Type.Place.Exist {
			own[p.Elem.Type.Place.Mem] = true
		}
	}
	for _, p := range op.Params {
		ir.TypeNames(p.Elem.Type, use)
	}
	for _, n := range ir.FreeNames(op.Body) {
		use(n)
	}
	slices.Sort(used)
	names := slices.Compact(used)
	if s.outside == nil {
		s.outside = map[*ir.Loop][]string{}
	}
	s.outside[op] = names
	return names
}

// patternOf returns the name of the loop's result for parameter k.
func (s *state) patternOf(op *ir.Loop, k int) string {
	at := s.table.Liveness.Points[s.table.Liveness.Body(op.Body).From].Stmt
	return at.Pat[k].Name
}

// arraysIn returns the arrays that may lie in a real block.
func (s *state) arraysIn(m string) []string {
	if s.inBlock == nil {
		s.inBlock = map[string][]string{}
		for _, name := range s.table.Aliases.Names() {
			reals, _ := s.table.Aliases.BlocksUpTo(s.table.Aliases.BlockOf(name), maxReals+1)
			for _, r := range reals {
				s.inBlock[r] = append(s.inBlock[r], name)
			}
		}
	}
	return s.inBlock[m]
}

// used tells how often a name is used.
func (s *state) used(name string) int {
	if s.uses == nil {
		s.uses = peak.Uses(s.f.Body)
	}
	return s.uses[name]
}

// boundIn reports whether a name is bound within a statement.
func (s *state) boundIn(name string, at liveness.Span) bool {
	d := s.table.Liveness.Def(name)
	return d != nil && at.From < d.Point && d.Point < at.To
}
