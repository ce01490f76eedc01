package imp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A kernel is one being built.
type kernel struct {
	out      *Kernel
	vars     map[string]bool
	ptrs     map[string]bool
	sized    map[string]string  // the sizes of blocks of ptrs, if they are needed
	inverses map[string]*ir.Ref // of divisors, see inverse
	deep     bool               // its nesting was reported
	copied   sym.Poly           // bytes that all work-items copy for array results
	work     []workspace
	workers  string // the number of work-items, or of lanes of a task, that have rooms; "": nothing needs it
	points   ir.Exp // its points, or a task's, if no more work-items or lanes have rooms; nil: not known
	item     string // the number of the work-item, or of the lane: the point less base
	base     string
	items    ir.Exp               // work-items of a group; nil: groupSize
	arena    *groupArena          // of a kernel of groups
	met      bool                 // its work-items may begin a step without a barrier
	stepped  bool                 // they began one in this statement
	shared   map[ir.Prim][]string // arrays in local memory that steps use one after another
	locks    string               // of a group
	moves    []Stmt               // of a point that only moves elements
	point    []Stmt               // of a point that loops, in a space of several dimensions, or is in place
}

// kernelName proposes a name for the kernel of a statement; kernel makes it
// unique.
func kernelName(s *ir.Stmt, what string) string {
	if len(s.Pat) == 0 {
		return what
	}
	return s.Pat[0].Name + "_" + what
}

// kernel starts a kernel; statements added to the block run in each work-item.
func (b *block) kernel(name, doc string) *block {
	l := b.f.l
	name = identifier(b.f.ir.Name + "_" + name)
	l.kernels[name]++
	if n := l.kernels[name]; n > 1 {
		name = fmt.Sprintf("%s_%d", name, n)
		l.kernels[name]++
	}
	k := &kernel{out: &Kernel{Name: name, Doc: doc, Near: map[string]bool{}, Own: map[string]bool{}, Contract: l.opt.Contract || b.f.ir.Contract}, vars: map[string]bool{}, ptrs: map[string]bool{}, sized: map[string]string{}, inverses: map[string]*ir.Ref{}}
	return &block{f: b.f, k: k, outer: b, nonneg: map[string]bool{}}
}

// Scalars that every kernel has.
var (
	localID   = ir.Var(LocalID)
	localSize = ir.Var(LocalSize)
	groupID   = ir.Var(GroupID)
	groupSize = ir.IntLit(GroupSize)
)

// launch ends a kernel: the names that it uses but does not declare are its parameters,
// which bear the names of the host's variables.
func (b *block) launch(in *block, groups ir.Exp) {
	k, stmts := in.k.out, in.stmts
	stmts = in.carrySizes(in.k.numbered(b, stmts)) // from here on, checks that depend on sizes may move
	if !b.tasks() {
		stmts = in.readAhead(beforeLoops(made{}.once(stmts)))
	}
	k.Body = settle(k, stmts)
	k.writeOut(k.Body)
	known := map[string]bool{LocalID: true, LocalSize: true, GroupID: true, NumGroups: true, k.Alive: true}
	for _, l := range k.Locals {
		known[l.Name] = true
	}
	for _, r := range k.Rooms {
		known[r.Name] = true
	}
	var args []Arg
	uses(k.Body, func(r *ir.Ref) {
		if !known[r.Name] && !in.k.vars[r.Name] {
			known[r.Name] = true
			k.Params = append(k.Params, Slot{Name: r.Name, Prim: r.T})
			args = append(args, Arg{E: r})
		}
	}, func(m string) {
		if !known[m] && !in.k.ptrs[m] {
			known[m] = true
			if a := in.k.arena; a != nil && m == a.name {
				k.Params = append(k.Params, Slot{Name: m, Prim: ir.I64, Local: true})
				args = append(args, Arg{E: a.bytes})
				return
			}
			k.Params = append(k.Params, Slot{Name: m, Mem: true})
			args = append(args, Arg{Mem: m})
		}
	})
	b.f.l.out.Kernels = append(b.f.l.out.Kernels, k)
	if acts := in.acts(k.Body); !isLit(acts) {
		groups = b.atom(choose(acts, groups, i64(0)), "groups")
	}
	b.allocWork(in.k, groups)
	b.f.qualify(k)
	launch := &Launch{Kernel: k, Groups: b.shallow(groups), Args: args}
	if a := in.k.arena; in.team && len(in.k.shared) == 0 {
		in.k.items = a.items
	}
	if in.k.items != nil {
		k.Sized, launch.Size = true, in.k.items
	}
	if !in.k.copied.Is(0) {
		launch.Copied = in.k.copied.Exp()
	}
	b.add(launch)
	for _, w := range in.k.work {
		b.add(&Free{Mem: w.mem})
	}
}

// qualify finds which parameters of a complete kernel are written, and which share no byte
// with what is.
func (f *fn) qualify(k *Kernel) {
	k.Apart, k.Written = f.apart(k.Params), map[string]bool{}
	k.Restrict = !k.pointers()
	params := map[string]bool{}
	for _, p := range k.Params {
		params[p.Name] = p.Mem
	}
	everywhere(k.Body, visitor{mem: func(m string, writes bool) {
		if writes && params[m] {
			k.Written[m] = true
			k.Restrict = k.Restrict && k.Apart[m]
		}
	}})
}

// grid launches one work-item per point of an index space; the innermost index
// runs fastest. The work-items beyond the end do nothing.
func (b *block) grid(name, doc string, names []string, sizes []sym.Poly, body func(in *block, ix []sym.Poly)) {
	in := b.kernel(name, doc)
	groups := b.points(in, names, sizes, body)
	one := func(b *block) { b.launch(in, groups) }
	if wide, n := b.wide(in, name, doc, names, sizes); wide != nil {
		total := product(sizes).Exp()
		b.when(b.fills(total, n), func(b *block) { b.launch(wide, ceilDiv(total, i64(n*GroupSize))) }, one)
		return
	}
	b.jammed(in, names, sizes).launch(b, name, doc, one)
}

// fills is the condition that so many points fill a device, on which work-items should do
// several, if each does n.
func (b *block) fills(points ir.Exp, n int64) ir.Exp {
	room := b.query(DeviceSeveral)
	several := binary(">", room, i64(0))
	if v, set := b.f.l.opt.Tuning[jamPoints]; set && v == 0 {
		return several
	}
	return and(several, not(less(points, times(room, i64(n)))))
}

// points has a kernel run body once per point, and gives the number of groups.
func (b *block) points(in *block, names []string, sizes []sym.Poly, body func(in *block, ix []sym.Poly)) ir.Exp {
	if b.tasks() {
		return b.taskPoints(in, names, sizes, body)
	}
	total := product(sizes)
	number := numberOf(names)
	g := in.declare(number, ir.I64)
	point := in.sub()
	body(point, point.indices(names, sizes))
	if each := b.f.rowsEach(point.stmts); each > 1 && len(in.k.work) == 0 && len(names) > 1 && point.onHost(sizes) {
		return b.rows(in, names, sizes, point.stmts, each)
	}
	each, inPlace := b.f.pointsEach(point.stmts), false
	if each == 1 && len(names) == 1 && point.onHost(sizes) {
		each = b.f.l.placeEach(point.stmts)
		inPlace = each > 1
	}
	at := in.sub()
	at.locate(g, names, sizes)
	stmts := append(at.stmts, point.stmts...)
	if each == 1 || len(in.k.work) > 0 {
		size, items := ir.Exp(groupSize), ir.Exp(groupSize)
		if loops(stmts) {
			if !readTogether(stmts, number) {
				size, items = localSize, b.fewer(total)
				in.k.items = items
			}
			if len(in.k.work) == 0 && point.onHost(sizes) && inert(point.stmts) && len(in.k.out.Ptrs)+len(in.k.out.Rooms) == 0 {
				in.k.point = cloned(point.stmts)
			}
		} else if len(in.k.work) == 0 && len(names) > 1 && point.onHost(sizes) && b.f.l.placeEach(point.stmts) > 1 {
			in.k.point = cloned(point.stmts)
		}
		if len(in.k.work) > 0 {
			return b.workerPoints(in, g, total.Exp(), stmts, items)
		}
		in.set(number, index(add(times(groupID, size), localID)))
		in.when(less(g, index(total.Exp())), func(in *block) { in.add(in.severalTurns(stmts)...) }, nil)
		return ceilDiv(total.Exp(), items)
	}
	if !inPlace {
		in.k.moves = cloned(stmts)
	}
	turns := b.atom(choose(b.fills(total.Exp(), each), i64(each), i64(1)), "each")
	in.add(&For{Var: number, Bound: index(total.Exp()), Body: stmts, Each: each, Turns: turns, First: index(add(times(groupID, times(turns, groupSize)), localID)), Step: groupSize, InPlace: inPlace})
	return ceilDiv(total.Exp(), times(turns, groupSize))
}

// numberOf is the variable that has the number of a point with these indices.
func numberOf(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return gtid
}

// pointsEach returns how many points, 256 apart, a work-item should do. It is more than one if a
// point does little but move small elements: then a work-item reads several elements before it
// writes the first. After the last point it repeats that point, and so writes the same elements
// once more. This needs no branch, which would keep reads from going first.
func (f *fn) pointsEach(list []Stmt) int64 {
	size, count, branches := f.repeatable(list)
	if size == 0 || branches || count > maxMoving {
		return 1
	}
	return max(min(maxPoints, f.l.threshold(movedBytes)/size), 1)
}

// repeatable examines a point that a work-item may do twice. It returns the bytes of its largest
// element, or 0 if there is none or the point does more than move elements, the number of its
// statements, and whether some are in branches.
func (f *fn) repeatable(list []Stmt) (size int64, count int, branches bool) {
	count, ok := onlyMoves(list, func(s Stmt) {
		switch s := s.(type) {
		case *Load:
			size = max(size, s.Prim.Size())
		case *Store:
			size = max(size, s.Prim.Size())
		case *If:
			branches = true
		}
	})
	if !ok || !f.keepsReads(list) {
		return 0, count, branches
	}
	return size, count, branches
}

// keepsReads reports whether a point writes no element that any point reads. So it may be done twice.
func (f *fn) keepsReads(list []Stmt) bool {
	var params []Slot
	var loads, stores []string
	note := func(mem string, of *[]string) {
		if !slices.Contains(*of, mem) {
			*of = append(*of, mem)
			params = append(params, Slot{Name: mem, Mem: true})
		}
	}
	Each(list, func(s Stmt) {
		switch s := s.(type) {
		case *Load:
			note(s.Mem, &loads)
		case *Store:
			note(s.Mem, &stores)
		}
	})
	shared := func(mem string) bool { return slices.Contains(loads, mem) }
	if slices.ContainsFunc(stores, shared) {
		return false
	}
	apart := f.apart(params)
	return !slices.ContainsFunc(stores, func(mem string) bool { return !apart[mem] })
}

// Of maps that move elements and do little else; any choice is right.
const (
	maxMoving = 24 // statements of a point
	maxPoints = 8  // of a work-item, which moves as many as the threshold moved-bytes says
)

// unravel declares the index variables of the point with that number.
func (b *block) unravel(number ir.Exp, names []string, sizes []sym.Poly) []sym.Poly {
	ix := b.indices(names, sizes)
	b.locate(number, names, sizes)
	return ix
}

// indices declares index variables.
func (b *block) indices(names []string, sizes []sym.Poly) []sym.Poly {
	ix := make([]sym.Poly, len(names))
	for d, name := range names {
		b.declare(name, ir.I64)
		ix[d] = sym.Var(name)
		b.f.bounds[name] = bound{sizes[d]}
	}
	return ix
}

// divisor is a size to divide an index by. Nothing has an index below a size that is always 0, but
// compilers would warn of the division.
func divisor(size sym.Poly) ir.Exp {
	if size.Is(0) {
		return i64(1)
	}
	return size.Exp()
}

// locate assigns the indices of the point with that number.
func (b *block) locate(number ir.Exp, names []string, sizes []sym.Poly) {
	rest := number
	for d := len(names) - 1; d >= 0; d-- {
		name, n := names[d], divisor(sizes[d])
		if d == 0 {
			b.set(name, rest)
			break
		}
		if _, ok := sizes[d].IsConst(); ok || b.tasks() || !b.onHost(sizes) {
			b.set(name, index(binary("%", rest, n)))
			rest = index(binary("/", rest, n))
			if d > 1 {
				rest = b.atom(rest, "rest")
			}
			continue
		}
		above := b.atom(&ir.Builtin{Fn: QuotientFn, Args: []ir.Exp{rest, n, b.inverse(sizes[d], product(sizes))}, T: ir.I64}, "rest")
		b.set(name, index(subtract(rest, times(above, n))))
		rest = above
	}
}

// polynomial reports whether a size is made of sums, differences and products.
func polynomial(e ir.Exp) bool {
	switch e := e.(type) {
	case *ir.Lit, *ir.Ref:
		return true
	case *ir.Binary:
		return (e.Op == "+" || e.Op == "-" || e.Op == "*") && polynomial(e.X) && polynomial(e.Y)
	}
	return false
}

// onHost reports whether a kernel's host knows sizes.
func (b *block) onHost(sizes []sym.Poly) bool {
	for _, n := range sizes {
		for _, name := range n.Names() {
			if b.host() || b.k.vars[name] {
				return false
			}
		}
	}
	return !b.host()
}

// QuotientFn is the pseudo function of a division of two i64 that are not negative. The divisor is
// the same for the whole launch, and the third argument is its inverse. It exists only in kernels.
const QuotientFn = "quotient"

// SeveralFn is the pseudo function that is true where a work-item should read several values before it
// waits (Note [Batches]). A compiler knows it, and drops what is not for its device.
const SeveralFn = "several"

var several = &ir.Builtin{Fn: SeveralFn, T: ir.Bool}

// inverse has the host prepare divisions of numbers below total by n, once per kernel.
func (b *block) inverse(n, total sym.Poly) ir.Exp {
	key := n.String() + " below " + total.String()
	if inv := b.k.inverses[key]; inv != nil {
		return inv
	}
	h := b.launcher()
	inv := h.temp("inverse", ir.I64)
	h.add(&Inverse{Dst: inv.Name, N: n.Exp(), Total: total.Exp()})
	b.k.inverses[key] = inv
	return inv
}

// launcher returns the host's block that a kernel is made in.
func (b *block) launcher() *block {
	for b.k != nil {
		b = b.outer
	}
	return b
}

// single launches one work-item.
func (b *block) single(name, doc string, body func(in *block)) {
	in := b.kernel(name, doc)
	if b.tasks() {
		body(in)
	} else {
		in.when(equalTo(localID, i64(0)), body, nil)
	}
	b.launch(in, i64(1))
}

// space lowers the bounds of an index space. Of those within a group the host computes what it
// can, and then prepares divisions by them (inverse).
func (b *block) space(s ir.Space, st *ir.Stmt) (names []string, sizes []sym.Poly) {
	for _, bd := range s {
		e, at := b.exp(bd.Size), b
		if b.team && polynomial(e) && b.onHost([]sym.Poly{sym.Of(e)}) {
			at = b.launcher()
		}
		n := sym.Of(at.atom(e, "n"))
		if !b.proven(st) {
			b.checkSize(n, spanOf(bd.Size, st.Span))
		}
		names = append(names, b.f.name(bd.Var))
		sizes = append(sizes, n)
	}
	return names, sizes
}

// results writes the values of a body to the parts of the destinations that
// belong to this point. All values are evaluated before any is written.
func (b *block) results(dsts []*array, ix []sym.Poly, values []ir.Exp) {
	vals := make([]ir.Exp, len(values))
	for i, v := range values {
		if b.arrayOperand(v) == nil {
			vals[i] = b.exp(v)
		}
	}
	var parts []transfer
	for i, d := range dsts {
		if vals[i] != nil {
			continue
		}
		t := transfer{b.fix(d, ix), b.arrayOperand(values[i])}
		parts = append(parts, t)
		// The host counts: of an inner map's results only those whose size it knows.
		if bytes := product(d.shape()).Mul(sym.Const(d.prim.Size())); !b.f.coincide(t.dst, t.src) && b.onHost([]sym.Poly{bytes}) {
			b.k.copied = b.k.copied.Add(bytes)
		}
	}
	b.copyAll(parts)
	scalars := func(b *block) {
		for i, d := range dsts {
			if vals[i] != nil {
				b.store(d, ix, vals[i])
			}
		}
	}
	if b.team && len(parts) < len(dsts) {
		b.alone(scalars)
		return
	}
	scalars(b)
}

// bindPattern binds the arrays of the pattern of a kernel with those bounds and gives
// them.
func (b *block) bindPattern(s *ir.Stmt, bounds []sym.Poly) []*array {
	out := make([]*array, len(s.Pat))
	for i, e := range s.Pat {
		if e.Type.Kind == ir.ArrayKind {
			if ir.Fresh(s.Op) {
				out[i] = b.create(s, e)
			} else {
				out[i] = b.bind(e)
			}
		}
	}
	if !b.proven(s) {
		b.checkLimit(bounds, 1, tooMany, s.Span)
	}
	return out
}

// mapOp runs the body once per point.
func (b *block) mapOp(s *ir.Stmt, op *ir.Map) {
	if w := rowwiseOf(op); w != nil {
		b.rowwise(s, op, w)
		return
	}
	groups := ir.IsGroups(op) && !b.tasks()
	if groups && b.f.lone[op] == "" {
		b.groups(s, op)
		return
	}
	names, sizes := b.space(op.Space, s)
	dsts := b.bindPattern(s, sizes)
	if groups {
		b.f.l.out.Lone = append(b.f.l.out.Lone, Lone{s.Span, computes(s), b.f.lone[op]})
		b.oneByOne(s, op, names, sizes, dsts)
	} else {
		b.itemPerPoint(s, op, names, sizes, dsts, nil)
	}
}

// itemPerPoint has each point of a map be one work-item's. Where it is the point of a group, blocks are the
// group's.
func (b *block) itemPerPoint(s *ir.Stmt, op *ir.Map, names []string, sizes []sym.Poly, dsts []*array, blocks *groupArena) {
	b.grid(kernelName(s, "map"), computes(s), names, sizes, func(in *block, ix []sym.Poly) {
		in.k.arena = blocks
		in.body(op.Body)
		in.results(dsts, ix, op.Body.Result)
		in.end(op.Body)
	})
	b.beside(dsts)
}

// computes says what a map does.
func computes(s *ir.Stmt) string {
	names := make([]string, len(s.Pat))
	for i, e := range s.Pat {
		names[i] = "`" + e.Name + "`"
	}
	return "computes " + strings.Join(names, ", ")
}

// scatter writes one value per array and point at its index; an index out
// of range is dropped.
func (b *block) scatter(s *ir.Stmt, op *ir.Scatter) {
	names, sizes := b.space(op.Space, s)
	dsts := b.bindPattern(s, sizes)
	doc := "scatters into `" + s.Pat[0].Name + "`"
	b.grid(kernelName(s, "scatter"), doc, names, sizes, func(in *block, _ []sym.Poly) {
		in.scattered(op, dsts)
	})
}

// scattered writes the values of one point.
func (b *block) scattered(op *ir.Scatter, dsts []*array) {
	a := &accumulator{dsts: dsts}
	a.write = a.store
	k := len(op.Body.Result) - len(dsts)
	b.body(op.Body)
	a.put(b, op.Body.Result[:k], op.Body.Result[k:])
	b.end(op.Body)
}

// deliver hands scalars to use where the condition holds. All points evaluate them,
// since the run ends where one of them fails; those that cannot fail are evaluated
// under the condition, which saves reading memory.
func (b *block) deliver(cond ir.Exp, values []ir.Exp, use func(in *block, vals []ir.Exp)) {
	at := b.sub()
	vals := make([]ir.Exp, len(values))
	for i, v := range values {
		vals[i] = at.exp(v)
	}
	early := holdsEffect(at.stmts) // they can fail
	if early {
		b.add(at.stmts...)
	}
	b.when(cond, func(in *block) {
		if !early {
			in.add(at.stmts...)
		}
		use(in, vals)
	}, nil)
}

// target lowers the indices that a body gives for an element of dst, and the
// condition that they are in range.
func (b *block) target(dst *array, indices []ir.Exp) (at []sym.Poly, inside ir.Exp) {
	var conds []ir.Exp
	for d, e := range indices {
		x := b.exp(e)
		if t := x.Prim(); t != ir.I64 {
			x = &ir.Convert{X: x, T: ir.I64}
		}
		i := sym.Of(b.atom(x, "at"))
		at = append(at, i)
		conds = append(conds, below(i, dst.shape()[d]))
	}
	return at, and(conds...)
}
