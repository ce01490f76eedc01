package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Workers]
//
// The points of a kernel may need memory of their own: for a thread's block that is not in registers
// (Note [Memory spaces]), or for a copy whose places overlap. It is gone when the point ends. So the
// kernel has a workspace, with room for each worker: a work-item or, on processors, a task. A worker runs
// point after point, each in the same room. A device runs a limited number of work-items at once, and
// there are no more workers than that (runPoints): memory grows with the device, and not with the
// number of points.
//
// Element e of work-item w lies at e * workers + w, so that neighbours touch neighbouring elements. A task
// has as many rooms as there are lanes (Note [Lanes]), at most workLanes, and they lie in its part of the
// workspace in the same way. If the arrays in a block have elements of several sizes, each room
// is whole cache lines instead.

// A workspace is a block in which every worker of a kernel has room, for an array of some shape or for
// a thread's block of some bytes. The host allocates it for the launch. If a size is impossible for an
// array, no work-item makes that array, and it gets no room.
type workspace struct {
	mem   string
	shape []sym.Poly // of a worker's array
	prim  ir.Prim
	class string // of the thread's block; "": it is for an array
	bytes ir.Exp // of the thread's block
}

// A worker describes the blocks of a class that lie in workspaces.
type worker struct {
	names int     // of blocks in the class
	prim  ir.Prim // of all arrays there; Unknown: they have elements of several sizes
	size  string  // the host's variable for the size of a room, in elements, or lines if prim is Unknown; "": nothing needs it
}

// lineBytes is a common multiple of the cache lines of usual processors, and of all sizes of elements.
const lineBytes = 64

// workLanes is how many points a task with a workspace does at once.
const workLanes = 32

// findWorkers describes the classes of blocks of workers.
func (f *fn) findWorkers() {
	f.workers = map[string]*worker{}
	for class, space := range f.space {
		if space == workerSpace {
			f.workers[class] = &worker{}
		}
	}
	if len(f.workers) == 0 {
		return
	}
	for _, class := range f.class {
		if w := f.workers[class]; w != nil {
			w.names++
		}
	}
	ofOneSize := map[string]int64{}
	note := func(e *ir.Elem) {
		if e.Type.Kind != ir.ArrayKind || e.Type.Place == nil {
			return
		}
		class := f.class[f.mem(e.Type.Place.Mem)]
		w := f.workers[class]
		if w == nil {
			return
		}
		if size, ok := ofOneSize[class]; !ok {
			w.prim, ofOneSize[class] = e.Type.Prim, e.Type.Prim.Size()
		} else if size != e.Type.Prim.Size() {
			w.prim = ir.Unknown
		}
	}
	ir.ElemsIn(f.ir.Body, note)
}

// workerPoints has the work-items of a kernel run points, as many after one another as it takes if no more
// work-items run than keep the device busy. It gives the number of groups, of some work-items each.
func (b *block) workerPoints(in *block, number *ir.Ref, total ir.Exp, point []Stmt, items ir.Exp) ir.Exp {
	in.k.points = total
	item := in.declare(in.k.item, ir.I64)
	all := in.atom(index(times(ir.Var(NumGroups), in.k.size())), "items")
	left := index(binary("/", subtract(add(total, subtract(all, i64(1))), item), all))
	turn := in.temp("turn", ir.I64)
	next := &Set{Dst: number.Name, E: index(add(item, times(turn, all)))}
	in.when(less(item, index(total)), func(in *block) {
		in.add(&For{Var: turn.Name, Bound: in.atom(left, "left"), Body: append([]Stmt{next}, point...)})
	}, nil)
	return minimum(ceilDiv(total, items), maximum(quotient(b.busyItems(), items), i64(1)))
}

// busyItems is how many work-items with rooms run at once: half of what the device has room for
// hides the time that memory takes as well as all of them.
func (b *block) busyItems() ir.Exp { return quotient(b.query(DeviceItems), i64(2)) }

// works reports whether a kernel's body allocates blocks of workers.
func (f *fn) works(body *ir.Body) bool {
	return len(f.workers) > 0 && ir.AnyStmt(body, func(s *ir.Stmt) bool {
		_, ok := s.Op.(*ir.Alloc)
		return ok && f.workers[f.class[f.name(s.Pat[0].Name)]] != nil
	})
}

// workspace makes room for an array like a, if its size is the same for all
// work-items.
func (b *block) workspace(a *array) (*array, bool) {
	shape := make([]sym.Poly, len(a.shape()))
	for i, n := range a.shape() {
		shape[i] = n.Subst(b.f.definition)
		for _, name := range shape[i].Names() {
			if b.k.vars[name] {
				return nil, false
			}
		}
	}
	mem := b.f.temp("work_mem")
	b.f.own[mem] = true
	b.k.work = append(b.k.work, workspace{mem: mem, shape: shape, prim: a.prim})
	l := lmad.RowMajor(shape).Parts[0]
	for i := range l.Dims {
		l.Dims[i].Len = a.shape()[i]
	}
	return &array{name: a.name, prim: a.prim, mem: mem, fun: lmad.Of(b.interleaved(l, product(shape)))}, true
}

// interleaved is the place in a workspace of what lies so in a worker's room of some elements.
func (b *block) interleaved(l lmad.LMAD, elements sym.Poly) lmad.LMAD {
	item := b.item()
	side := sym.Var(b.k.workers) // work-items, or lanes of a task
	out := lmad.LMAD{Offset: l.Offset.Mul(side).Add(item)}
	if b.tasks() {
		out.Offset = out.Offset.Add(sym.Var(GroupID).Mul(elements).Mul(side))
	}
	for _, d := range l.Dims {
		out.Dims = append(out.Dims, lmad.Dim{Len: d.Len, Stride: d.Stride.Mul(side)})
	}
	return out
}

// item is the number of a work-item in a launch, or of a lane in a task.
func (b *block) item() sym.Poly {
	k := b.k
	if k.item == "" {
		k.workers, k.item, k.base = b.f.temp("workers"), b.temp("item", ir.I64).Name, b.temp("base", ir.I64).Name
		b.f.bounds[k.workers], b.f.bounds[k.item] = bound{sym.Const(ir.MaxBytes)}, bound{sym.Const(ir.MaxBytes)}
	}
	return sym.Var(k.item)
}

// size is the number of work-items of a group, in the kernel.
func (k *kernel) size() ir.Exp {
	if k.items != nil {
		return localSize
	}
	return groupSize
}

// numbered returns the statements of a kernel after one that numbers its work-items, if they have rooms. In a
// task, a loop over points numbers the lanes, or points follow one another in the room of lane 0.
func (k *kernel) numbered(b *block, stmts []Stmt) []Stmt {
	if k.item == "" || b.tasks() && k.points != nil {
		return stmts
	}
	number := ir.Exp(i64(0))
	if !b.tasks() {
		number = index(add(times(groupID, k.size()), localID))
	}
	return append([]Stmt{&Set{Dst: k.item, E: number}}, stmts...)
}

// workerBlock makes a memory variable a thread's block, in a workspace.
func (b *block) workerBlock(name string, size ir.Exp) {
	f := b.f
	class := f.class[f.name(name)]
	mem := f.temp(name + "_work")
	f.own[mem] = true
	b.k.work = append(b.k.work, workspace{mem: mem, bytes: size, class: class})
	if f.workers[class].names == 1 {
		f.memAlias[name] = mem
		return
	}
	p := &PtrAt{Dst: b.declareMem(f.name(name)), Base: mem, Off: i64(0), Bytes: b.exp(size)}
	f.made[p.Dst] = f.bound[p.Dst]
	b.add(p)
}

// ofWorker is the place of an array, in the workspace if it lies in a worker's block.
func (b *block) ofWorker(t ir.Type, fun lmad.Fun) lmad.Fun {
	if b.k == nil || t.Place == nil || len(b.f.workers) == 0 {
		return fun
	}
	w := b.f.workers[b.f.class[b.f.name(t.Place.Mem)]]
	if w == nil {
		return fun
	}
	parts := slices.Clone(fun.Parts)
	first := &parts[0] // of the bytes
	if b.tasks() || w.prim == ir.Unknown {
		if w.size == "" {
			w.size = b.f.temp("room_size")
			b.f.bounds[w.size] = bound{sym.Const(ir.MaxBytes)}
		}
	}
	if w.prim != ir.Unknown {
		*first = b.interleaved(*first, sym.Var(w.size))
		return lmad.Fun{Parts: parts}
	}
	number := b.item()
	if b.tasks() {
		number = sym.Var(GroupID).Mul(sym.Var(b.k.workers)).Add(number)
	}
	// Rooms are whole lines, so that this divides without a rest.
	first.Offset = first.Offset.Add(number.Mul(sym.Const(lineBytes / t.Prim.Size())).Mul(sym.Var(w.size)))
	return lmad.Fun{Parts: parts}
}

// allocWork allocates the workspaces of a kernel on the host.
func (b *block) allocWork(k *kernel, groups ir.Exp) {
	if len(k.work) == 0 {
		return
	}
	side, items := k.points, k.items
	if items == nil {
		items = groupSize
	}
	switch {
	case b.tasks() && side == nil:
		side = i64(1)
	case b.tasks():
		side = minimum(side, i64(workLanes))
	case side == nil:
		side = times(groups, items)
	default:
		side = minimum(times(groups, items), side)
	}
	if k.workers != "" {
		b.declare(k.workers, ir.I64)
		b.set(k.workers, side)
		side = ir.Var(k.workers)
	}
	workers := sym.Of(side)
	if b.tasks() {
		workers = workers.Mul(sym.Of(groups))
	}
	rooms := map[string]ir.Exp{} // the largest blocks of classes
	for _, w := range k.work {
		if w.class != "" {
			if size := b.exp(w.bytes); rooms[w.class] == nil {
				rooms[w.class] = size
			} else {
				rooms[w.class] = larger(rooms[w.class], size)
			}
		}
	}
	for _, w := range k.work {
		b.declareMem(w.mem)
		a := &Alloc{Mem: w.mem, Site: b.f.l.site(), Span: b.f.at}
		if w.class != "" {
			a.Bytes = b.bytes(workers.Mul(b.workerRoom(b.f.workers[w.class], rooms[w.class])))
		} else {
			a.Bytes = w.size(b, workers)
		}
		b.add(a)
	}
}

// workerRoom returns the bytes of a worker's room for a block of some bytes.
func (b *block) workerRoom(w *worker, bytes ir.Exp) sym.Poly {
	if w.size == "" {
		return sym.Of(bytes)
	}
	unit := int64(lineBytes)
	if w.prim != ir.Unknown {
		unit = w.prim.Size()
	}
	b.declare(w.size, ir.I64)
	b.set(w.size, ceilDiv(maximum(bytes, i64(0)), i64(unit)))
	return sym.Of(bytes).Add(sym.Const(unit - 1))
}

// roomBytes is the size of the thread's block that a place names, if it lies in a workspace; otherwise nil.
func (b *block) roomBytes(p *ir.Place) ir.Exp {
	if b.k == nil || b.f.workers[b.f.class[b.f.name(p.Mem)]] == nil {
		return nil
	}
	mem := b.f.mem(p.Mem)
	for _, w := range b.k.work {
		if w.mem == mem {
			return b.exp(w.bytes)
		}
	}
	return b.sizeOf(mem)
}

// size returns the bytes of a workspace for arrays.
func (w *workspace) size(b *block, workers sym.Poly) ir.Exp {
	bytes := workers.Mul(sym.Const(w.prim.Size()))
	var exists []ir.Exp
	for _, n := range w.shape {
		if _, ok := n.IsConst(); ok {
			bytes = bytes.Mul(n)
			continue
		}
		dim := b.atom(n.Exp(), "dim") // it may wrap, but the size of an alloc does not
		bytes = bytes.Mul(sym.Of(dim))
		exists = append(exists, binary(">=", dim, i64(0)), binary("<=", dim, i64(ir.MaxBytes)))
	}
	if len(exists) == 0 {
		return b.bytes(bytes)
	}
	return choose(and(exists...), b.bytes(bytes), i64(0))
}

// copyWorkspace makes copies in a kernel as if all were read before any is
// written, whatever overlaps.
func (b *block) copyWorkspace(ts []transfer) {
	saved := make([]*array, len(ts))
	release := make([]func(), len(ts))
	for i, t := range ts {
		saved[i], release[i] = b.save(t.src)
	}
	for i, t := range ts {
		b.copyLoops(t.dst, saved[i])
		release[i]()
	}
}

// save copies an array of a kernel to memory of its own: a workspace or, if its size differs from
// one work-item to another, a block of the device heap. release frees that, in the same block of
// statements.
func (b *block) save(a *array) (tmp *array, release func()) {
	tmp, ok := b.workspace(a)
	release = func() {}
	if !ok {
		mem := b.declareMem(b.f.temp("copy_mem"))
		b.f.own[mem] = true
		bytes := product(a.shape()).Mul(sym.Const(a.prim.Size()))
		alloc := &Alloc{Mem: mem, Bytes: b.bytes(bytes), Name: mem, Span: b.f.at}
		b.f.l.fromHeap(alloc, "a copy of `"+quote(a.name)+"`, whose old place and new place overlap")
		b.add(alloc)
		tmp = &array{name: a.name, prim: a.prim, mem: mem, fun: lmad.RowMajor(a.shape())}
		release = func() { b.add(&Free{Mem: mem}) }
	}
	b.copyLoops(tmp, a)
	return tmp, release
}
