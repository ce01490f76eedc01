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
	f.leave(s, begin, end)
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
