package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Histograms]
//
// Values are combined into their elements by atomic operations. Histograms usually have many points
// and few elements, so work-items would wait for one another at each element. Therefore local
// memory is used if every array that combines values has an operator of its own, few elements of 32 bits (or of
// 64 bits, if the device has atomic operations on these), and several times as many points. Each work-group then
// combines its points into copies of the arrays in local memory, which begin with the neutral values, and then
// its copies into the arrays. The sizes decide at run time.
//
// An element of a copy that is still neutral is not combined: perhaps no point named that element
// of the array, and max(nan, -inf) is -inf.

// histShare is how many points per element of a copy are worth making one.
const histShare = 4

// hist combines one value per point into the element that its index names; an index
// out of range is dropped.
func (b *block) hist(s *ir.Stmt, op *ir.Hist) { b.histogram(s, op).lower(b) }

// lower chooses how the points share the arrays.
func (h *accumulation) lower(b *block) {
	combining := h.combining()
	if len(combining) > 0 && b.tasks() {
		h.tasks(b)
		return
	}
	if len(combining) == 0 || slices.ContainsFunc(combining, func(a *accumulator) bool { return len(a.dsts) > 1 || a.dsts[0].prim.Size() < 4 }) {
		h.global(b)
		return
	}
	points := product(h.sizes)
	few := less(i64(GroupSize), points.Exp())
	for _, a := range combining {
		elements := product(a.dsts[0].shape())
		few = and(and(few, not(notAbove(elements, sym.Const(0)))), atMost(elements, h.room(b, a)))
		few = and(few, not(less(points.Exp(), elements.Mul(sym.Const(histShare)).Exp())))
		if a.dsts[0].prim.Size() == 8 {
			few = and(few, equalTo(b.query(DeviceWide), i64(1)))
		}
	}
	b.when(few, h.local, h.global)
}

// combining are the accumulators with an operator.
func (h *accumulation) combining() (out []*accumulator) {
	for _, a := range h.accs {
		if a.operator != nil {
			out = append(out, a)
		}
	}
	return out
}

// histogram binds the names of a hist.
func (b *block) histogram(s *ir.Stmt, op *ir.Hist) *accumulation {
	names, sizes := b.space(op.Space, s)
	acc := &accumulator{dsts: b.bindPattern(s, sizes), operator: b.f.operator(&op.Op)}
	rank := len(op.Body.Result) - len(acc.dsts)
	return &accumulation{
		stmt: s, names: names, sizes: sizes, accs: []*accumulator{acc}, word: "hist", cost: cost(op.Body) + cost(op.Op.Body),
		point: func(in *block) {
			in.body(op.Body)
			acc.put(in, op.Body.Result[:rank], op.Body.Result[rank:])
			in.end(op.Body)
		},
	}
}

// room is the number of elements of an accumulator that a group may have a copy of.
func (h *accumulation) room(b *block, a *accumulator) int64 {
	return b.f.l.threshold(histBytes) / int64(len(h.combining())) / a.dsts[0].prim.Size()
}

// An accumulation is a kernel whose points write accumulators.
type accumulation struct {
	stmt  *ir.Stmt
	names []string
	sizes []sym.Poly
	accs  []*accumulator
	word  string          // of the kernel's name
	point func(in *block) // lowers a point
	cost  int64           // of a point, see Note [Tasks]
}

// An accumulator is arrays of one shape that points write. Without an operator values are stored.
type accumulator struct {
	dsts []*array
	*operator
	// write combines values with the elements at ix, in the kernel under construction.
	write func(in *block, ix []sym.Poly, vals []ir.Exp)
}

// put writes values at indices, if these are in range.
func (a *accumulator) put(b *block, indices, values []ir.Exp) {
	at, inside := b.target(a.dsts[0], indices)
	b.deliver(inside, values, func(in *block, vals []ir.Exp) { a.write(in, at, vals) })
}

// store stores values, in the place of what was there.
func (a *accumulator) store(b *block, ix []sym.Poly, vals []ir.Exp) {
	a.inParts(b)
	for i, d := range a.dsts {
		b.store(d, ix, vals[i])
	}
}

// global has a work-item per point, which combines into the arrays themselves.
func (h *accumulation) global(b *block) {
	lock := ""
	for _, a := range h.accs {
		if lock == "" && a.operator != nil && a.locked() {
			lock = b.locks(h.stmt)
		}
	}
	h.writeBy(atomically(lock))
	b.grid(kernelName(h.stmt, h.word), h.doc("combines values into"), h.names, h.sizes, func(in *block, _ []sym.Poly) {
		h.point(in)
	})
	if lock != "" {
		b.add(&Free{Mem: lock})
	}
}

// A writing combines values with elements of an accumulator.
type writing func(a *accumulator, b *block, ix []sym.Poly, vals []ir.Exp)

// writeBy says how the next kernel combines.
func (h *accumulation) writeBy(w writing) {
	for _, a := range h.accs {
		a.write = func(in *block, ix []sym.Poly, vals []ir.Exp) {
			if a.operator == nil {
				a.store(in, ix, vals)
			} else {
				w(a, in, ix, vals)
			}
		}
	}
}

// inParts notes that a kernel writes the arrays only in part.
func (a *accumulator) inParts(b *block) {
	for _, d := range a.dsts {
		if !slices.Contains(b.k.out.Parts, d.mem) {
			b.k.out.Parts = append(b.k.out.Parts, d.mem)
		}
	}
}

// combine combines values into their elements, as the only work-item that does.
func (h *accumulator) combine(b *block, ix []sym.Poly, vals []ir.Exp) {
	next := make([]ir.Exp, len(vals))
	for i, v := range vals {
		next[i] = b.atom(v, "x")
	}
	old := make([]ir.Exp, len(h.dsts))
	for i, d := range h.dsts {
		old[i] = b.load(d, ix)
	}
	h.set(b, h.acc, old)
	h.apply(b, next)
	for i, d := range h.dsts {
		b.store(d, ix, h.accumulated()[i])
	}
}

// atomically combines values while other work-items do so, too.
func atomically(lock string) writing {
	return func(a *accumulator, b *block, ix []sym.Poly, vals []ir.Exp) {
		offs := make([]ir.Exp, len(a.dsts))
		mems := make([]string, len(a.dsts))
		for i, d := range a.dsts {
			mems[i], offs[i] = d.mem, b.offset(d, ix)
		}
		b.atomic(a, mems, offs, vals, lock, ix)
	}
}

// local has work-groups that combine their points in local memory first.
func (h *accumulation) local(b *block) {
	points, combining := product(h.sizes), h.combining()
	groups := b.atom(maximum(minimum(ceilDiv(points.Exp(), i64(b.f.l.threshold(histWork))), i64(b.f.l.threshold(maxGroups))), i64(1)), "groups")
	in := b.kernel(kernelName(h.stmt, h.word+"_local"), h.doc("work-groups combine values into"))
	shared := map[*accumulator]string{}
	neutral := map[*accumulator][]ir.Exp{}
	for _, a := range combining {
		shared[a] = in.f.temp("shared")
		in.k.out.Locals = append(in.k.out.Locals, Local{Name: shared[a], Prim: a.dsts[0].prim, Len: int(h.room(b, a))})
	}
	in.guarded(func(in *block) {
		for _, a := range combining {
			neutral[a] = a.neutral(in)
			e := in.f.temp("e")
			in.everyLocal(e, product(a.dsts[0].shape()), func(in *block) {
				in.add(&Store{Mem: shared[a], Prim: a.dsts[0].prim, Off: ir.Var(e), Val: neutral[a][0]})
			})
		}
	})
	in.barrier()
	in.guarded(func(in *block) {
		item := in.atom(index(add(times(groupID, groupSize), localID)), "item")
		stride := in.atom(index(times(groups, groupSize)), "stride")
		rest := index(binary("/", subtract(add(points.Exp(), subtract(stride, i64(1))), item), stride))
		count := in.atom(choose(less(item, points.Exp()), rest, i64(0)), "count")
		point := in.f.temp("point")
		in.over(point, count, points, func(turn ir.Exp) ir.Exp { return index(add(item, times(turn, stride))) }, func(in *block) {
			in.unravel(ir.Var(point), h.names, h.sizes)
			h.writeBy(func(a *accumulator, in *block, ix []sym.Poly, vals []ir.Exp) {
				off, _ := lmad.RowMajor(a.dsts[0].shape()).FlatOffset(ix)
				in.atomic(a, []string{shared[a]}, []ir.Exp{in.shallow(off.Exp())}, vals, "", nil)
			})
			h.point(in)
		})
	})
	in.barrier()
	in.guarded(func(in *block) {
		for _, a := range combining {
			dst, e := a.dsts[0], in.f.temp("e")
			in.everyLocal(e, product(dst.shape()), func(in *block) {
				v := in.temp("x", dst.prim)
				in.add(&Load{Dst: v.Name, Prim: dst.prim, Mem: shared[a], Off: ir.Var(e)})
				in.when(otherBits([]ir.Exp{v}, neutral[a]), func(in *block) {
					ix := in.coordinates(ir.Var(e), dst.shape())
					in.atomic(a, []string{dst.mem}, []ir.Exp{in.offset(dst, ix)}, []ir.Exp{v}, "", nil)
				}, nil)
			})
		}
	})
	b.launch(in, groups)
}

// otherBits is the condition that some value has other bits than its counterpart.
func otherBits(xs, ys []ir.Exp) ir.Exp {
	cond := ir.Exp(ir.BoolLit(false))
	bits := func(e ir.Exp) ir.Exp {
		switch t := e.Prim(); t {
		case ir.F16, ir.F32, ir.F64:
			of := map[ir.Prim]ir.Prim{ir.F16: ir.I16, ir.F32: ir.I32, ir.F64: ir.I64}
			return &ir.Builtin{Fn: "tobits", Args: []ir.Exp{e}, T: of[t]}
		}
		return e
	}
	for i, x := range xs {
		cond = or(cond, binary("!=", bits(x), bits(ys[i])))
	}
	return cond
}

// everyLocal divides 0 .. n-1 among the work-items of a group: the index variable name
// runs over a work-item's part.
func (b *block) everyLocal(name string, n sym.Poly, body func(in *block)) {
	count := b.atom(index(binary("/", subtract(add(n.Exp(), i64(GroupSize-1)), localID), groupSize)), "count")
	b.over(name, count, n, func(turn ir.Exp) ir.Exp { return index(add(localID, times(turn, groupSize))) }, body)
}

// coordinates returns the indices of a row-major number.
func (b *block) coordinates(number ir.Exp, shape []sym.Poly) []sym.Poly {
	names := make([]string, len(shape))
	for d := range shape {
		names[d] = b.f.temp("i")
	}
	return b.unravel(number, names, shape)
}

// locked reports whether some device needs locks.
func (h *accumulator) locked() bool { return len(h.dsts) > 1 || h.dsts[0].prim.Size() == 8 }

// locks makes the block of locks.
func (b *block) locks(s *ir.Stmt) string {
	a := b.rowMajor("locks", ir.I32, []sym.Poly{sym.Const(Locks)})
	b.fill(s, a, "locks", "opens the locks", func(*block, []sym.Poly) ir.Exp {
		return &ir.Lit{Text: "0", T: ir.I32}
	})
	return a.mem
}

// atomic combines values into one element of each of mems; ix are its indices,
// where a lock may be needed.
func (b *block) atomic(h *accumulator, mems []string, offs, vals []ir.Exp, lock string, ix []sym.Poly) {
	o := h.operator
	o.set(b, o.next, vals)
	a := &Atomic{Mems: mems, Offs: offs, Old: o.acc}
	for _, d := range h.dsts {
		a.Prims = append(a.Prims, d.prim)
	}
	if lock != "" && h.locked() {
		a.Lock = lock
		off, _ := lmad.RowMajor(h.dsts[0].shape()).FlatOffset(ix)
		a.LockOff = b.shallow(off.Exp())
	}
	for _, n := range o.acc {
		b.k.vars[n] = true // declared by the Atomic
	}
	in := b.sub()
	in.body(o.op.Body)
	for _, e := range o.op.Body.Result {
		a.New = append(a.New, in.exp(e))
	}
	a.Body = in.stmts
	if name := o.simple(); o.t[0].Integer() || name == "+" {
		a.Simple = name
		a.Val = o.refs(o.next)[0]
	}
	b.add(a)
}
