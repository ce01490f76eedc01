package imp

import (
	"maps"
	"slices"
	"strings"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Maps side by side]
//
// A launch takes some microseconds of the host, and a short one does not fill a GPU. The parts of
// an array often need launches one after the other, each with little to do: for example the inside
// and the borders of a picture, which are made where a concat would put them. A map joins the
// launch before it if neither reads or writes data that the other one writes:
//
//	launch north groups n (..)              check h >= 0
//	check h >= 0                            n' = max(n, 0)
//	launch west groups m (..)               launch north groups n' + max(m, 0) (n', ..)
//
//	if group_id < n' { north } else { group = group_id - n'; west }
//
// Host statements in between go before both. They may compute, check and allocate, but neither wait
// nor free: so the peak stays the same. One of the two must use all blocks that the other one uses.
// Then the launch needs no more room than before on a device that is too small for the whole
// program (docs/devices.md). Neither kernel may contain checks, or a run could report another
// error. They contain no loops, so neither makes the other's work-items wait for registers.

// A side is a map that has a launch to itself, or several that share one.
type side struct {
	dsts  []*array // all that it writes
	reads []string // blocks
	parts []part
}

// A part is the work of one map of a launch.
type part struct {
	body []Stmt
	from *ir.Ref // the number of its first group; nil: 0
}

// Limits of shared launches; any choice is right.
const (
	maxSides  = 8
	maxSide   = 64  // statements of a map
	maxParams = 48  // of the kernel: devices may refuse more than 1024 bytes of arguments
	maxKnown  = 256 // sizes of a body whose facts are used
)

// beside records that the launch which was just added writes these arrays, each point an
// element of each. It joins the launch before it, if possible.
func (b *block) beside(dsts []*array) {
	if !b.host() || b.tasks() || len(b.stmts) == 0 {
		return
	}
	launch, ok := b.stmts[len(b.stmts)-1].(*Launch)
	if !ok {
		return
	}
	s := newSide(launch.Kernel, dsts)
	if s == nil {
		return
	}
	b.f.sides[launch] = s
	before := len(b.stmts) - 2
	for before >= 0 && movable(b.stmts[before]) {
		before--
	}
	if before < 0 {
		return
	}
	first, ok := b.stmts[before].(*Launch)
	if t := b.f.sides[first]; !ok || t == nil || !b.independent(s, t) || !joinable(first, launch, b.stmts[before+1:len(b.stmts)-1]) {
		return
	}
	b.stmts = slices.Delete(b.stmts, before, before+1)
	b.stmts = b.stmts[:len(b.stmts)-1]
	b.join(first, launch)
}

// newSide returns the side of a kernel that writes an element of each array per point, and
// does nothing else; nil if it does more.
func newSide(k *Kernel, dsts []*array) *side {
	if len(k.Body) == 0 || k.Sized || k.Barriers || k.Alive != "" || len(k.Ptrs)+len(k.Locals)+len(k.Rooms)+len(k.Held) > 0 {
		return nil
	}
	s := &side{dsts: dsts, parts: []part{{body: k.Body}}}
	stores, elsewhere := 0, false
	size, ok := onlyMoves(k.Body, func(x Stmt) {
		switch x := x.(type) {
		case *Load:
			s.reads = append(s.reads, x.Mem)
		case *Store:
			stores++
			elsewhere = elsewhere || !slices.ContainsFunc(dsts, func(d *array) bool { return d != nil && d.mem == x.Mem })
		}
	})
	if !ok || elsewhere || size > maxSide || stores != len(dsts) {
		return nil
	}
	slices.Sort(s.reads)
	s.reads = slices.Compact(s.reads)
	return s
}

// movable reports whether a host statement may come before a launch that neither
// fails nor uses the assigned variables.
func movable(s Stmt) bool {
	switch s.(type) {
	case *Set, *Check, *Inverse, *Query, *Alloc:
		return true
	}
	return false
}

// joinable reports whether the statements between two launches may go before the first one, and
// their kernels may be one.
func joinable(first, second *Launch, between []Stmt) bool {
	used, clash := map[string]bool{}, false
	uses([]Stmt{first}, func(r *ir.Ref) { used[r.Name] = true }, func(m string) { used[m] = true })
	everywhere(between, visitor{
		mem: func(m string, _ bool) { clash = clash || used[m] },
		set: func(name string, _ Stmt) { clash = clash || used[name] },
	})
	if clash {
		return false
	}
	for _, ks := range [][2]*Kernel{{first.Kernel, second.Kernel}, {second.Kernel, first.Kernel}} {
		for _, v := range ks[0].Vars {
			if slices.ContainsFunc(ks[1].Params, func(p Slot) bool { return p.Name == v.Name }) ||
				slices.ContainsFunc(ks[1].Vars, func(w Var) bool { return w.Name == v.Name && w.Prim != v.Prim }) {
				return false
			}
		}
	}
	return first.Copied == nil && second.Copied == nil && len(first.Args)+len(second.Args) < maxParams
}

// blocks returns those that must be on the device for the launch.
func (s *side) blocks() []string {
	all := slices.Clone(s.reads)
	for _, d := range s.dsts {
		all = append(all, d.mem)
	}
	return all
}

// independent reports whether a map and those of a launch can run at once, are few, and need
// no more blocks at once than one of the two.
func (b *block) independent(s, t *side) bool {
	more := func(s, t *side) bool {
		there := t.blocks()
		return slices.ContainsFunc(s.blocks(), func(m string) bool { return !slices.Contains(there, m) })
	}
	if len(t.parts)+len(s.parts) > maxSides || more(s, t) && more(t, s) {
		return false
	}
	apart := func(reads []string, dsts []*array) bool {
		return !slices.ContainsFunc(reads, func(m string) bool {
			return slices.ContainsFunc(dsts, func(d *array) bool { return !b.distinct(m, d.mem) })
		})
	}
	if !apart(s.reads, t.dsts) || !apart(t.reads, s.dsts) {
		return false
	}
	for _, x := range s.dsts {
		for _, y := range t.dsts {
			if !b.distinct(x.mem, y.mem) && !b.disjoint(x, y) {
				return false
			}
		}
	}
	return true
}

// disjoint reports whether two arrays have no byte in common, as separate does, but with more
// facts: the function's arguments exist, and sizes that are computed from others are not negative,
// such as h - 2 for an inside.
func (b *block) disjoint(x, y *array) bool {
	p, q := x.fun.Subst(b.f.definition), y.fun.Subst(b.f.definition)
	names := append(p.Names(), q.Names()...)
	concerns := func(p sym.Poly) bool {
		return !slices.ContainsFunc(p.Names(), func(n string) bool { return !slices.Contains(names, n) })
	}
	facts := b.known(names)
	for _, a := range b.f.paramsSized(names) {
		if concerns(product(a.shape())) {
			facts = facts.Small(a.shape()...)
		}
	}
	for o := b; o != nil; o = o.outer {
		if len(o.nonneg) > maxKnown {
			continue
		}
		for _, n := range slices.Sorted(maps.Keys(o.nonneg)) {
			if d, ok := b.f.definition(n); ok && concerns(d) {
				facts = facts.NonNegative(d)
			}
		}
	}
	return places.Disjoint(facts, p, q, x.prim.Size(), y.prim.Size())
}

// paramsSized returns the array parameters with a size among the names, in the order of parameters.
func (f *fn) paramsSized(names []string) (out []*array) {
	if f.sized == nil {
		f.sized = map[string][]int{}
		for i, e := range f.ir.Params {
			if a := f.arrays[e.Name]; a != nil {
				for _, n := range product(a.shape()).Names() {
					f.sized[n] = append(f.sized[n], i)
				}
			}
		}
	}
	var found []int
	for _, n := range names {
		found = append(found, f.sized[n]...)
	}
	slices.Sort(found)
	for _, i := range slices.Compact(found) {
		out = append(out, f.arrays[f.ir.Params[i].Name])
	}
	return out
}

// join adds a launch that does the work of two.
func (b *block) join(first, second *Launch) {
	s, t := b.f.sides[first], b.f.sides[second]
	k, l := first.Kernel, second.Kernel // l is of one part
	count := ir.Exp(first.Groups)
	if len(s.parts) == 1 {
		count = maximum(count, i64(0))
	}
	from := b.temp("groups", ir.I64)
	b.set(from.Name, count)
	group := &ir.Ref{Name: b.f.temp("group"), T: ir.I64}
	number := &Set{Dst: group.Name, E: index(subtract(groupID, from))}
	s.parts = append(s.parts, part{append([]Stmt{number}, ofGroup(l.Body, group)...), from})
	s.dsts = append(s.dsts, t.dsts...)
	s.reads = append(s.reads, t.reads...)

	for _, v := range l.Vars {
		if !slices.Contains(k.Vars, v) {
			k.Vars = append(k.Vars, v)
		}
	}
	for i, p := range l.Params {
		if !slices.Contains(k.Params, p) {
			k.Params, first.Args = append(k.Params, p), append(first.Args, second.Args[i])
		}
	}
	k.Params, first.Args = append(k.Params, Slot{Name: from.Name, Prim: ir.I64}), append(first.Args, Arg{E: from})
	k.Vars = append(k.Vars, Var{group.Name, ir.I64})
	k.Body = dispatch(s.parts)
	k.Doc += "," + strings.TrimPrefix(l.Doc, "computes")
	first.Groups = add(from, maximum(second.Groups, i64(0)))

	kernels := &b.f.l.out.Kernels
	at := len(*kernels) - 1
	for (*kernels)[at] != l { // it is one of the last
		at--
	}
	*kernels = slices.Delete(*kernels, at, at+1)
	b.f.qualify(k)
	delete(b.f.sides, second)
	b.add(first)
}

// dispatch has each group do its part.
func dispatch(parts []part) []Stmt {
	if len(parts) == 1 {
		return parts[0].body
	}
	return []Stmt{&If{Cond: less(groupID, parts[1].from), Then: parts[0].body, Else: dispatch(parts[1:])}}
}

// ofGroup returns the statements of a side for the group of that number.
func ofGroup(body []Stmt, group *ir.Ref) []Stmt {
	return mapStmts(body, func(e ir.Exp) ir.Exp {
		return ir.MapExp(e, func(e ir.Exp) ir.Exp {
			if r, ok := e.(*ir.Ref); ok && r.Name == GroupID {
				return group
			}
			return e
		})
	})
}
