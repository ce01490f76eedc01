package memcheck

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
)

// Note [Handing over]. A branch or an iteration that returns an array does not read it. Damage in
// the array becomes damage in the result, or in the next iteration's parameter, and only a read of
// the damaged part is wrong. A loop's parameters begin with the damage of their initial values. If
// an iteration adds damage, the body is walked once more with that, until none is added.

// handed uses the results of a body: the damage of arrays continues.
func (f *function) handed(b *ir.Body) [][]damage {
	out := make([][]damage, len(b.Result))
	for k, e := range b.Result {
		if a := f.arrayOf(e); a != nil {
			out[k] = slices.Clone(a.damage)
			continue
		}
		f.exp(e, b.In)
	}
	return out
}

// inherit gives an array the damage of its source, as far as the damage may touch it.
func (f *function) inherit(a *array, from []damage) {
	for _, d := range from {
		if !f.misses(d.part, d.by.size, f.regions(a), a.size) {
			f.harm(a, d)
		}
	}
}

// walkIf leaves the state with the damage of both branches.
func (f *function) walkIf(s *ir.Stmt, op *ir.If) {
	f.exp(op.Cond, s.Span)
	now := f.now
	var done [2][]event
	var given [2][][]damage
	for k, b := range ir.Bodies(op) {
		mark, known := len(f.journal), f.facts
		f.facts = known.with()
		f.maybe++
		// No run comes to a branch whose condition cannot hold.
		if f.entered(s, k); !f.facts.impossible {
			f.walkBody(b)
			given[k] = f.handed(b)
		}
		f.maybe--
		if given[k] == nil {
			given[k] = make([][]damage, len(b.Result))
		}
		done[k] = f.undo(mark)
		f.now, f.facts = now, known
	}
	for k, events := range done {
		for j := range events {
			events[j].d.sure = false
		}
		f.redo(events, -1)
		for _, d := range given[k] {
			for j := range d {
				d[j].sure = false
			}
		}
	}
	for k, el := range s.Pat {
		if a := f.arrays[el.Name]; a != nil {
			f.bound(a, el, f.arrayOf(op.Then.Result[k]), s)
			f.bound(a, el, f.arrayOf(op.Else.Result[k]), s)
			f.register(a)
			f.inherit(a, given[0][k])
			f.inherit(a, given[1][k])
		}
	}
}

// walkLoop goes through a loop in a state that stands for any iteration: all that
// the body can write has been written, and its parameters have the damage that
// iterations leave in them.
func (f *function) walkLoop(s *ir.Stmt, op *ir.Loop) {
	f.exp(loopBound(op), s.Span)
	now, start, once := f.now, f.starts[s], f.once(op)
	begin := make([][]damage, len(op.Params))
	for k, p := range op.Params {
		if v := f.arrayOf(p.Init); v != nil {
			begin[k] = slices.Clone(v.damage)
			for j := range begin[k] { // iterations may make it anew
				begin[k][j].sure = false
			}
		} else {
			f.exp(p.Init, s.Span)
		}
	}
	if !f.runs(s) {
		f.leave(s, begin)
		return
	}
	end := f.iteration(s, op, begin)
	for again := !once; again; {
		again = false
		for k := range begin {
			for _, d := range end[k] {
				if !slices.ContainsFunc(begin[k], func(old damage) bool { return old.by == d.by && (old.regions == nil || sameRegions(old, d)) }) {
					d.part = part{} // so that it ends
					begin[k], again = append(begin[k], d), true
				}
			}
		}
		if again {
			end = f.iteration(s, op, begin)
		}
	}
	f.now = f.ends[s]
	for _, w := range f.effects[s] {
		f.hit(w, f.widen(w.part, start), nil, false)
	}
	f.now = now
	for k := range begin {
		anew := f.rewritten(s, k)
		before := func(d damage) bool {
			return !slices.Contains(f.effects[s], d.by) && slices.ContainsFunc(anew, func(r region) bool {
				a := f.arrays[s.Pat[k].Name]
				return f.facts.holds(r, a.size, f.regions(a), a.size) || f.facts.holds(r, a.size, d.regions, d.by.size)
			})
		}
		begin[k], end[k] = slices.DeleteFunc(begin[k], before), slices.DeleteFunc(end[k], before)
	}
	f.leave(s, begin, end)
}

// rewritten returns parts of the k-th result of a counting loop that its turns write, all together: where
// each turn updates one part of what the turn before left.
func (f *function) rewritten(s *ir.Stmt, k int) []region {
	if rules.Off("memcheck.rewritten") {
		return nil
	}
	op := s.Op.(*ir.Loop)
	made := map[string]*ir.Stmt{}
	for _, t := range op.Body.Stmts {
		for _, el := range t.Pat {
			made[el.Name] = t
		}
	}
	var each []region
	e := op.Body.Result[k]
	for {
		r, ok := e.(*ir.Ref)
		if !ok || op.Var == "" || f.arrays[r.Name] == nil {
			return nil
		}
		if r.Name == op.Params[k].Elem.Name {
			break
		}
		t := made[r.Name]
		if t == nil {
			return nil
		}
		switch op := t.Op.(type) {
		case *ir.Update:
			if parts := f.updated(op); len(parts) == 1 {
				each = append(each, f.names.region(parts[0]))
			}
			e = ir.Var(op.X)
		case *ir.Loop:
			j := slices.IndexFunc(t.Pat, func(el *ir.Elem) bool { return el.Name == r.Name })
			each = append(each, f.rewritten(t, j)...)
			e = op.Params[j].Init
		default:
			return nil
		}
	}
	turn := f.names.ids[op.Var]
	inner := f.names.after(f.starts[s])
	var all []region
	for _, r := range each {
		varies := slices.ContainsFunc(r.dims, func(d dim) bool { return d.len.Has(turn) || d.stride.Has(turn) })
		_, last, ok := f.facts.lookup(turn).simple()
		if !ok || varies || !r.exact || !r.off.Has(turn) && !f.facts.nonneg(last) {
			continue
		}
		wide, ok := f.facts.sweep(r, func(n int32) bool { return n == turn })
		if wide.exact = true; ok && !slices.ContainsFunc(wide.names(), inner) {
			all = append(all, wide)
		}
	}
	return all
}

// leave binds the results of a loop, with the damage of the arrays that they can be.
func (f *function) leave(s *ir.Stmt, damages ...[][]damage) {
	for k, el := range s.Pat {
		if a := f.arrays[el.Name]; a != nil {
			f.register(a)
			for _, d := range damages {
				f.inherit(a, d[k])
			}
		}
	}
}

// runs reports whether a loop may run at all.
func (f *function) runs(s *ir.Stmt) bool {
	runs := f.facts.impossible
	f.knowing(f.facts.with(), func() {
		f.entered(s, 0)
		runs = runs || !f.facts.impossible
	})
	return runs
}

func sameRegions(a, b damage) bool {
	return b.regions != nil && slices.EqualFunc(a.regions, b.regions, region.equal)
}

// loopBound returns the number of iterations; of a while loop, something that reads
// nothing.
func loopBound(op *ir.Loop) ir.Exp {
	if op.Bound == nil {
		return ir.IntLit(0)
	}
	return op.Bound
}

// iteration goes through the body once, and gives the damage of the next values.
func (f *function) iteration(s *ir.Stmt, op *ir.Loop, begin [][]damage) [][]damage {
	start, now, mark := f.starts[s], f.now, len(f.journal)
	once := f.once(op)
	if !once {
		for _, w := range f.effects[s] {
			f.hit(w, f.earlier(w, op, start), nil, false)
		}
	}
	for k, p := range op.Params {
		if a := f.arrays[p.Elem.Name]; a != nil {
			f.bound(a, p.Elem, f.arrayOf(p.Init), s)
			if !once {
				f.bound(a, p.Elem, f.arrayOf(op.Body.Result[k]), s)
			}
			f.register(a)
			f.inherit(a, begin[k])
		}
	}
	var end [][]damage
	f.maybe++
	f.knowing(f.facts.with(), func() {
		f.entered(s, 0)
		f.walkBody(op.Body)
		end = f.handed(op.Body)
	})
	f.maybe--
	f.undo(mark)
	f.now = now
	for k := range end {
		for l := range end[k] {
			end[k][l].sure = false
			end[k][l].part = f.widen(end[k][l].part, start)
		}
	}
	return end
}

// earlier returns the regions that a write of a loop has written in the iterations before one:
// of the counter it is known that it was less.
func (f *function) earlier(w *write, op *ir.Loop, start int) part {
	if op.Var == "" || rules.Off("memcheck.earlier") {
		return f.widen(w.part, start)
	}
	i := f.names.ids[op.Var]
	v := f.names.vars[i]
	v.rank, v.his = 1, []bound{{asPoly(i).AddConst(-1), 1}}
	j := f.names.named(op.Var+"'<", v)
	return f.overAll(w.part, func(r region) (region, bool) {
		wide, ok := f.facts.sweep(r, func(x int32) bool { return x != i && f.names.after(start)(x) })
		return wide.subst(byName(map[int32]poly{i: asPoly(j)})), ok
	})
}
