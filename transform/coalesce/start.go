package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Initial values that are copied]
//
// A loop whose initial value cannot move, as a parameter of the function cannot,
// keeps its result out of the place that it is copied to:
//
//	let r = loop (b = a) { in map .. b .. }        let start = copy a
//	let c = copy r                          ---->  let r = loop (b = start) { in map .. b .. }
//	                                               let c = copy r  -- moves nothing
//
// It is as many bytes to copy the initial value to that place first, and the loop's
// own block goes. So where a loop does with one block for its next values (Note [One
// buffer instead of two]), but not for its initial value, and a copy of its result is
// refused, the function is tried again with such copies, and what costs less stays
// (Note [Alternatives]).

// begins gives the loop parameters that could do with one block if their initial
// values were copied, where a copy of the loop's result is refused as things are.
func (s *state) begins() []string {
	if s.opt.off[begin] {
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
		// Where one of these loops begins with what another one gives, it is that one's
		// initial value that does not move.
		class := s.find(m.param)
		if m.kind == buffers && refused[class] && linked[class] <= maxOrigins && !loops[s.defs[s.unaliased(m.src)].stmt] {
			out = append(out, m.param)
		}
	}
	return out
}

// start lets a loop begin with a copy of its initial value, in a block as large as
// that of the next values. Where it is made in that one, the new one goes again.
func (s *state) start(b *ir.Body, r rotation) {
	param := &r.loop.Params[r.param]
	init, ok := param.Init.(*ir.Ref)
	if !ok {
		return
	}
	for sc := s.ac.Scope(s.lv.Stmt(r.stmt).From); sc != nil; sc = sc.Outer {
		if sc.Kernel { // no thread allocates
			return
		}
	}
	next := s.defs[r.loop.Params[r.next].Init.(*ir.Ref).Name].stmt.Op.(*ir.Alloc)
	from := s.defs[init.Name].elem.Type
	name := s.names.Fresh(param.Elem.Name + "_start")
	block := s.names.Fresh("m_" + name)
	t := ir.Array(from.Prim, slices.Clone(from.Shape), &ir.Place{Mem: block})
	at := slices.Index(b.Stmts, r.stmt)
	b.Stmts = slices.Insert(slices.Clone(b.Stmts), at,
		&ir.Stmt{Pat: []*ir.Elem{{Name: block, Type: ir.Mem}}, Op: &ir.Alloc{Size: ir.CloneExp(next.Size)}, Span: r.stmt.Span},
		&ir.Stmt{Pat: []*ir.Elem{{Name: name, Type: t, Written: true}}, Op: &ir.Copy{X: init.Name}, Span: r.stmt.Span})
	begin := *init
	begin.Name = name
	param.Init = &begin
}

// startHasRoom tells whether that copy is known to fit in its block, which is as large as
// the one of the two that stays.
func (s *state) startHasRoom(r rotation, swap bool) bool {
	init, ok := r.loop.Params[r.param].Init.(*ir.Ref)
	if !ok {
		return false
	}
	t := s.defs[init.Name].elem.Type
	t.Place = &ir.Place{Mem: initial(r, swap)}
	return s.rooms.Fits(r.stmt, t)
}
