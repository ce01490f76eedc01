package memcheck

import (
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
	"slices"
)

// An array is a name's value and where it lies.
type array struct {
	name  string
	span  diag.Span
	block *block
	fun   lmad.Fun
	typ   ir.Type
	size  int64 // of an element, in bytes
	// sources are the arrays that one with an existential index function can be;
	// start is where the names of the loop begin that chooses (0: an if).
	sources []*array
	start   int
	// of is the array of which this is another name or a part; chosen tells of the
	// result of a branch or loop, and of a loop's parameter.
	of     *array
	chosen bool
	// blank: nothing was written to it, so nothing of it can be lost.
	blank bool
	// alts are the places that these come to, where they are known.
	alts     []placement
	resolved bool
	r        region // where fun leads
	// bytes is the range of it, if it is ranged, once measured.
	bytes            byteRange
	ranged, measured bool
	born             int // the order of its binding
	lastUse          int // the order of the last statement that mentions it

	// The state of the second walk.
	damage []damage
	seen   int
}

// A placement is a block and an index function, which leads to r.
type placement struct {
	block *block
	fun   lmad.Fun
	r     region
}

// maxAlts bounds the places tracked for one existential index function.
const maxAlts = 8

// next returns the order of the next binding.
func (f *function) next() int {
	f.order++
	return f.order
}

func (f *function) expand(p sym.Poly) sym.Poly { return p.Subst(f.def) }

func (f *function) def(name string) (sym.Poly, bool) { p, ok := f.defs[name]; return p, ok }

func (f *function) poly(e ir.Exp) sym.Poly { return f.expand(sym.Of(e)) }

// value returns an expression as the prover sees it.
func (f *function) value(e ir.Exp) poly { return f.names.poly(f.poly(e)) }

func (f *function) scalar(name string) {
	if _, ok := f.names.ids[name]; !ok {
		f.names.add(name, variable{order: f.next(), inLoop: f.loops > 0})
	}
}

// sizes records the facts about the dims of an array.
func (f *function) sizes(t ir.Type) {
	if t.Kind != ir.ArrayKind {
		return
	}
	for _, d := range t.Shape {
		if _, ok := f.defs[d.Name]; d.Name != "" && !ok {
			f.scalar(d.Name)
		}
	}
	f.sized(t.Prim.Size(), ir.DimExps(t.Shape)...)
}

// counter binds a name that runs over 0 .. n-1.
func (f *function) counter(name string, n poly) {
	f.names.add(name, variable{order: f.next(), inLoop: true, turns: true, free: true, los: []bound{{poly{}, 1}}, his: []bound{{n.AddConst(-1), 1}}})
}

func (f *function) newBlock(name string, kind blockKind, choices ...*block) *block {
	return &block{name: name, order: f.next(), kind: kind, choices: choices}
}

// bind makes an array of a pattern; b is the block of an existential place.
func (f *function) bind(el *ir.Elem, b *block) *array {
	f.sizes(el.Type)
	p := el.Type.Place
	a := &array{name: el.Name, span: el.Span, typ: el.Type, size: el.Type.Prim.Size(), born: f.next()}
	a.lastUse = a.born
	switch {
	case p == nil:
		if b == nil {
			b = f.newBlock(el.Name, allocated)
		}
	case p.Exist:
		for _, n := range ir.ExistScalars(p) {
			f.scalar(n)
		}
		if b == nil {
			b = f.newBlock(p.Mem, allocated)
		}
		f.blocks[p.Mem] = b
	default:
		b = f.blockNamed(p.Mem)
	}
	a.block = b
	if b.sized && b.kind == allocated {
		f.decide(b.size)
	}
	a.fun = lmad.OfType(el.Type).Subst(f.def)
	a.r = f.names.region(a.fun)
	f.arrays[el.Name] = a
	if p != nil && p.Exist {
		for _, n := range ir.ExistScalars(p) {
			f.binders[f.names.ids[n]] = a
		}
	}
	return a
}

// blockNamed returns the block of a memory variable; the verifier has seen to it
// that there is one.
func (f *function) blockNamed(name string) *block {
	b := f.blocks[name]
	if b == nil {
		b = f.newBlock(name, allocated)
		f.blocks[name] = b
	}
	return b
}

// blockOf returns the block of an operand that is an array or a block, or nil.
func (f *function) blockOf(e ir.Exp) *block {
	r, ok := e.(*ir.Ref)
	if !ok {
		return nil
	}
	if a := f.arrays[r.Name]; a != nil {
		return a.block
	}
	return f.blocks[r.Name]
}

func (f *function) arrayOf(e ir.Exp) *array {
	if r, ok := e.(*ir.Ref); ok {
		return f.arrays[r.Name]
	}
	return nil
}

func (f *function) mention(name string) {
	f.mentioned[name] = true
	if a := f.arrays[name]; a != nil {
		a.lastUse = f.order
	}
}

func (f *function) scanParams() {
	for _, n := range f.fn.Sizes {
		f.scalar(n)
		f.sized(1, ir.Var(n))
		f.names.vars[f.names.ids[n]].free = true
	}
	for k, el := range f.fn.Params {
		t := el.Type
		own := t.Unique || t.Kind == ir.MemKind
		given := &block{kind: given, param: k, unique: own || f.fn.Entry}
		switch t.Kind {
		case ir.ScalarKind:
			f.scalar(el.Name)
			f.names.vars[f.names.ids[el.Name]].free = true
		case ir.MemKind:
			given.name, given.order = el.Name, f.next()
			f.blocks[el.Name] = given
			f.writable[given] = true
		case ir.ArrayKind:
			given.name, given.order = el.Name, f.next()
			if t.Place != nil {
				given.name = t.Place.Mem
			}
			a := f.bind(el, given)
			f.writable[given] = own
			if f.params[k] = a; a.block == given {
				given.sized = true
				f.measure(given)
			}
		}
	}
}

// measure finds the size of a block by the present facts.
func (f *function) measure(b *block) {
	switch {
	case b.asked != nil:
		b.size = f.asked(b.asked)
	case b.kind == given && b.sized:
		a := f.params[b.param]
		r := f.names.region(a.fun)
		if b.size = r.last().AddConst(1).Scale(a.size); a.fun.IsRowMajor() { // right also where it is empty
			b.size = r.elements().Scale(a.size)
		}
	}
}

// scanBody goes through the k-th body of a statement; nil: of the function.
func (f *function) scanBody(in *ir.Stmt, k int, b *ir.Body) {
	known, around := f.facts, f.stmt
	f.facts = known.with()
	if in != nil {
		f.entered(in, k)
	}
	for _, s := range b.Stmts {
		f.next()
		f.at[s], f.stmt = f.order, s
		f.scan(s)
		f.stmt = s
	}
	f.facts, f.stmt = known, around
	f.next()
	for _, e := range b.Result {
		ir.ExpNames(e, f.mention)
	}
}

func (f *function) scan(s *ir.Stmt) {
	ir.Uses(s.Op, f.mention)
	switch op := s.Op.(type) { // other operations make arrays in places of their own
	case *ir.Compute:
		el := s.Pat[0]
		f.scalar(el.Name)
		f.define(el, op.E)
		return
	case *ir.Assert:
		if f.opening[s] && !rules.Off("memcheck.opening") {
			f.knowing(f.given, func() { f.assume(op.Cond, true) })
		}
		f.assume(op.Cond, true)
		if sizes, ok := op.Sized(); ok {
			f.sized(1, sizes...)
		}
		return
	case *ir.Alloc:
		b := f.newBlock(s.Pat[0].Name, allocated)
		b.asked, b.sized = op.Size, true
		f.measure(b)
		f.product(b.size)
		f.blocks[b.name] = b
		return
	case *ir.Alias:
		if b := f.blocks[op.X]; b != nil && f.arrays[op.X] == nil {
			f.blocks[s.Pat[0].Name] = b
			return
		}
		f.bindAll(s, f.sourceBlock(op.X))
		f.arrays[s.Pat[0].Name].of = f.arrays[op.X]
		return
	case *ir.If:
		f.scanIf(s, op)
		return
	case *ir.Loop:
		f.scanLoop(s, op)
		return
	case *ir.Call:
		f.scanCall(s, op)
		return
	}
	if space, ok := ir.KernelSpace(s.Op); ok {
		f.sized(1, space.Sizes()...)
		f.knowing(f.facts.with(), func() {
			f.sizesAgree(s)
			for _, b := range space {
				f.counter(b.Var, f.value(b.Size))
			}
			ir.Elems(s.Op, func(el *ir.Elem) { f.scalar(el.Name) })
			for k, b := range ir.Bodies(s.Op) {
				f.scanBody(s, k, b)
			}
		})
	}
	f.inRange(s)
	var b *block
	if names := ir.Arrays(s.Op); len(names) > 0 {
		b = f.sourceBlock(names[0])
	}
	f.bindAll(s, b)
	switch s.Op.(type) {
	case *ir.Scratch:
		f.arrays[s.Pat[0].Name].blank = true
	case *ir.Reshape, *ir.Rearrange, *ir.Slice:
		a, of := f.arrays[s.Pat[0].Name], f.arrays[ir.Arrays(s.Op)[0]]
		a.of, a.blank = of, of != nil && of.blank
	case *ir.Update:
		f.arrays[s.Pat[0].Name].of = f.arrays[ir.Arrays(s.Op)[0]]
	}
}

func (f *function) sourceBlock(name string) *block {
	if a := f.arrays[name]; a != nil {
		return a.block
	}
	return nil
}

// bindAll binds the names of a pattern; b is the block of existential places.
func (f *function) bindAll(s *ir.Stmt, b *block) {
	for _, el := range s.Pat {
		if el.Type.Kind == ir.ArrayKind {
			f.bind(el, b)
		} else {
			f.scalar(el.Name)
		}
	}
}

// existential reports whether a place binds scalars of its index function.
func existential(p *ir.Place) bool { return len(ir.ExistScalars(p)) > 0 }

// choose binds the results of a statement that chooses among values: make gives
// the block of result k.
func (f *function) choose(elems []*ir.Elem, make func(k int, name string) *block) {
	for k, el := range elems { // blocks first: places of arrays name them
		if el.Type.Kind == ir.MemKind {
			f.blocks[el.Name] = make(k, el.Name)
		}
	}
	for k, el := range elems {
		switch el.Type.Kind {
		case ir.MemKind:
		case ir.ArrayKind:
			var b *block
			if p := el.Type.Place; p == nil || p.Exist {
				name := el.Name
				if p != nil {
					name = p.Mem
				}
				b = make(k, name)
			}
			f.bind(el, b).chosen = true
		default:
			f.scalar(el.Name)
			f.names.vars[f.names.ids[el.Name]].chosen = true
		}
	}
}

func (f *function) choice(s *ir.Stmt, name string, kind blockKind, choices ...*block) *block {
	b := f.newBlock(name, kind, choices...)
	b.group = s
	return b
}

func (f *function) scanIf(s *ir.Stmt, op *ir.If) {
	for k, b := range ir.Bodies(op) {
		f.scanBody(s, k, b)
	}
	f.eitherOf(s, func(k int) (ir.Exp, ir.Exp) { return op.Then.Result[k], op.Else.Result[k] })
}

// once reports whether a loop runs once at most: then its parameters have their
// initial values only, and its results are these or the next ones.
func (f *function) once(op *ir.Loop) bool {
	if op.Var == "" || rules.Off("memcheck.once") {
		return false
	}
	n, ok := number(f.value(op.Bound))
	return ok && n <= 1
}

// eitherOf binds the results of a statement, each one of two values.
func (f *function) eitherOf(s *ir.Stmt, values func(k int) (ir.Exp, ir.Exp)) {
	f.choose(s.Pat, func(k int, name string) *block {
		v, w := values(k)
		x, y := f.blockOf(v), f.blockOf(w)
		if x == nil || y == nil {
			return f.newBlock(name, allocated)
		}
		b := f.choice(s, name, branched, x, y)
		if x.canon() == y.canon() {
			b.same = x.canon()
		}
		return b
	})
	f.chosen(s.Pat, func(k int) []*array {
		v, w := values(k)
		return []*array{f.arrayOf(v), f.arrayOf(w)}
	}, 0)
}

// chosen records from which arrays those with existential index functions come.
func (f *function) chosen(elems []*ir.Elem, sources func(k int) []*array, start int) {
	for k, el := range elems {
		if el.Type.Kind == ir.ArrayKind && existential(el.Type.Place) {
			a := f.arrays[el.Name]
			a.sources, a.start = sources(k), start
		}
	}
}

func (f *function) scanLoop(s *ir.Stmt, op *ir.Loop) {
	start := f.order
	f.starts[s] = start
	elems := ir.ParamElems(op.Params)
	blocks := make([]*block, len(elems))
	once := f.once(op)
	f.choose(elems, func(k int, name string) *block {
		init := f.blockOf(op.Params[k].Init)
		switch {
		case init == nil:
			return f.newBlock(name, allocated)
		case once:
			return init
		}
		blocks[k] = f.choice(s, name, looped, init, init)
		return blocks[k]
	})
	if op.Var != "" {
		f.counter(op.Var, f.value(op.Bound))
	}
	f.loops++
	f.scanBody(s, 0, op.Body)
	f.loops--
	for k, b := range blocks {
		if b != nil {
			if next := f.blockOf(op.Body.Result[k]); next != nil {
				b.choices[1] = next
			}
		}
	}
	settle(blocks)
	f.ends[s] = f.order
	if once {
		f.chosen(elems, func(k int) []*array { return []*array{f.arrayOf(op.Params[k].Init)} }, start)
		f.eitherOf(s, func(k int) (ir.Exp, ir.Exp) { return op.Params[k].Init, op.Body.Result[k] })
		return
	}
	f.chosen(elems, func(k int) []*array { return []*array{f.arrayOf(op.Params[k].Init), f.arrayOf(op.Body.Result[k])} }, start)
	f.choose(s.Pat, func(k int, name string) *block {
		p := blocks[k]
		if p == nil { // the parameter's place is not existential: the result's block is its
			if p = f.blockOf(ir.Var(elems[k].Name)); p == nil {
				return f.newBlock(name, allocated)
			}
		}
		b := f.choice(s, name, left, p)
		if p.same != nil {
			b.same = p.canon()
		}
		return b
	})
	f.chosen(s.Pat, func(k int) []*array { return []*array{f.arrays[elems[k].Name]} }, 0)
}

// scanCall binds the results of a call, given the callee's summary.
func (f *function) scanCall(s *ir.Stmt, op *ir.Call) {
	sum := f.callees[op.Fn]
	made := map[int]*block{}
	f.choose(s.Pat, func(k int, name string) *block {
		if sum == nil || k >= len(sum.results) {
			return f.newBlock(name, allocated)
		}
		r := sum.results[k]
		var choices []*block
		for _, n := range r.made {
			if made[n] == nil {
				made[n] = f.newBlock(name, allocated)
			}
			choices = append(choices, made[n])
		}
		for _, p := range r.params {
			b := f.blockOf(op.Args[p])
			if b != nil && !slices.ContainsFunc(choices, func(c *block) bool { return c.canon() == b.canon() }) {
				choices = append(choices, b)
			}
		}
		if len(choices) == 1 {
			return choices[0]
		}
		return f.choice(s, name, returned, choices...)
	})
	// What a callee made has room for the result that lies in it row-major.
	for _, el := range s.Pat {
		if rules.Off("memcheck.returned") {
			break
		}
		if a := f.arrays[el.Name]; el.Type.Kind == ir.ArrayKind && a != nil && a.block.kind == allocated && a.block.order >= f.at[s] && !a.block.sized && a.fun.IsRowMajor() {
			a.block.size, a.block.sized, a.block.least = a.r.elements().Scale(a.size), true, true
		}
	}
}
