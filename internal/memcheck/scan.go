package memcheck

import (
	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// An array is a name's value and where it lies.
type array struct {
	name  string
	span  diag.Span
	block *block
	fun   lmad.Fun
	size  int64 // of an element, in bytes
	// sources are the arrays that one with an existential index function can be;
	// start is where the names of the loop begin that chooses (0: an if). view is
	// the operation by which a delayed array comes from its only source.
	sources []*array
	start   int
	view    ir.Op
	// alts are the places that these come to, where they are known.
	alts     []placement
	resolved bool
	born     int // the order of its binding
	lastUse  int // the order of the last statement that mentions it

	// The state of the second walk.
	damage []damage
	seen   int
}

// A placement is a block and an index function.
type placement struct {
	block *block
	fun   lmad.Fun
}

// maxAlts bounds the places tracked for one existential index function.
const maxAlts = 8

// maxDefNames bounds the names in the definition of a scalar: a longer one is
// left as a name.
const maxDefNames = 12

// next gives the order of the next binding.
func (f *function) next() int {
	f.order++
	return f.order
}

func (f *function) expand(p sym.Poly) sym.Poly { return p.Subst(f.def) }

func (f *function) def(name string) (sym.Poly, bool) { p, ok := f.defs[name]; return p, ok }

func (f *function) poly(e ir.Exp) sym.Poly { return f.expand(sym.Of(e)) }

func (f *function) scalar(name string) {
	if _, ok := f.facts.vars[name]; !ok {
		f.facts.vars[name] = variable{order: f.next(), inLoop: f.loops > 0}
	}
}

// sizes notes that names are dims, which are never negative.
func (f *function) sizes(t ir.Type) {
	for _, d := range t.Shape {
		if d.Name == "" {
			continue
		}
		if p, ok := f.defs[d.Name]; ok {
			if n, isVar := p.IsVar(); isVar {
				f.natural(n)
			}
			continue
		}
		f.natural(d.Name)
	}
}

func (f *function) natural(name string) {
	v, ok := f.facts.vars[name]
	if !ok {
		v.order, v.inLoop = f.next(), f.loops > 0
	}
	if !v.hasLo {
		v.hasLo = true
	}
	f.facts.vars[name] = v
}

// counter binds a name that runs over 0 .. n-1.
func (f *function) counter(name string, n sym.Poly) {
	f.facts.vars[name] = variable{order: f.next(), inLoop: true, hasLo: true, hasHi: true, hi: n.Sub(sym.Const(1))}
}

func (f *function) newBlock(name string, kind blockKind, choices ...*block) *block {
	return &block{name: name, order: f.next(), kind: kind, choices: choices}
}

// bind makes an array of a pattern; b is the block of an existential place.
func (f *function) bind(el *ir.Elem, b *block) *array {
	f.sizes(el.Type)
	p := el.Type.Place
	a := &array{name: el.Name, span: el.Span, size: el.Type.Prim.Size(), born: f.order, lastUse: f.order}
	switch {
	case p == nil:
		if b == nil {
			b = f.newBlock(el.Name, allocated)
		}
	case p.Exist:
		for _, n := range ir.ExistNames(p)[1:] {
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
	a.fun = lmad.OfType(el.Type).Subst(f.def)
	f.arrays[el.Name] = a
	return a
}

// blockNamed gives the block of a memory variable; the verifier has seen to it
// that there is one.
func (f *function) blockNamed(name string) *block {
	b := f.blocks[name]
	if b == nil {
		b = f.newBlock(name, allocated)
		f.blocks[name] = b
	}
	return b
}

// blockOf gives the block of an operand that is an array or a block, or nil.
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
	if a := f.arrays[name]; a != nil {
		a.lastUse = f.order
	}
}

func (f *function) scanParams() {
	for _, n := range f.fn.Sizes {
		f.natural(n)
	}
	for k, el := range f.fn.Params {
		t := el.Type
		own := t.Unique || t.Kind == ir.MemKind
		given := &block{kind: given, param: k, unique: own || f.fn.Entry}
		switch t.Kind {
		case ir.ScalarKind:
			f.scalar(el.Name)
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
				r := regionOf(a.fun)
				given.size, given.sized = r.last().Add(sym.Const(1)).Mul(sym.Const(a.size)), true
				if a.fun.IsRowMajor() { // right also where it is empty
					n := sym.Const(a.size)
					for _, d := range r.dims {
						n = n.Mul(d.Len)
					}
					given.size = n
				}
			}
		}
	}
}

func (f *function) scanBody(b *ir.Body) {
	for _, s := range b.Stmts {
		f.next()
		f.at[s] = f.order
		f.scan(s)
	}
	f.next()
	for _, e := range b.Result {
		ir.ExpNames(e, f.mention)
	}
}

func (f *function) scan(s *ir.Stmt) {
	ir.Uses(s.Op, f.mention)
	switch op := s.Op.(type) { // what is not here makes arrays in places of their own
	case *ir.Compute:
		el := s.Pat[0]
		f.scalar(el.Name)
		if el.Type.Prim == ir.I64 {
			if p := f.poly(op.E); len(p.Names()) <= maxDefNames && f.plain(p) {
				f.defs[el.Name] = p
			}
		}
		return
	case *ir.Assert:
		f.assumeEqual(op.Cond)
		return
	case *ir.Alloc:
		b := f.newBlock(s.Pat[0].Name, allocated)
		b.size, b.sized = f.poly(op.Size), true
		f.blocks[b.name] = b
		return
	case *ir.Alias:
		if b := f.blocks[op.X]; b != nil && f.arrays[op.X] == nil {
			f.blocks[s.Pat[0].Name] = b
			return
		}
		f.bindAll(s, f.sourceBlock(op.X))
		f.viewed(s)
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
		for _, b := range space {
			f.counter(b.Var, f.poly(b.Size))
		}
		ir.Elems(s.Op, func(el *ir.Elem) { f.scalar(el.Name) })
		for _, b := range ir.Bodies(s.Op) {
			f.scanBody(b)
		}
	}
	var b *block
	if names := ir.Arrays(s.Op); len(names) > 0 {
		b = f.sourceBlock(names[0])
	}
	f.bindAll(s, b)
	switch s.Op.(type) {
	case *ir.Reshape, *ir.Rearrange, *ir.Slice, *ir.Update:
		f.viewed(s)
	}
}

// viewed notes that an array is another view of one with a choice.
func (f *function) viewed(s *ir.Stmt) {
	src, a := f.arrays[ir.Arrays(s.Op)[0]], f.arrays[s.Pat[0].Name]
	if src != nil && a != nil && src.sources != nil {
		a.sources, a.view = []*array{src}, s.Op
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

// plain tells whether a definition says more than its name: a quotient, say, is
// better left as a name that may be known as a size.
func (f *function) plain(p sym.Poly) bool {
	for _, m := range monomials(p) {
		if m.opaque {
			b, ok := m.poly.Exp().(*ir.Builtin)
			if !ok || b.Fn != "min" && b.Fn != "max" {
				return false
			}
		}
	}
	return true
}

// assumeEqual takes an asserted equality of a name as its definition.
func (f *function) assumeEqual(e ir.Exp) {
	b, ok := e.(*ir.Binary)
	if !ok || f.depth > 0 {
		return
	}
	if b.Op == "&&" {
		f.assumeEqual(b.X)
		f.assumeEqual(b.Y)
		return
	}
	if b.Op != "==" || b.X.Prim() != ir.I64 {
		return
	}
	x, y := f.poly(b.X), f.poly(b.Y)
	for range 2 {
		if n, ok := x.IsVar(); ok && !mentions(y, n) {
			f.defs[n] = y
			return
		}
		x, y = y, x
	}
}

func mentions(p sym.Poly, name string) bool {
	for _, n := range p.Names() {
		if n == name {
			return true
		}
	}
	return false
}

// existential tells whether a place binds scalars of its index function.
func existential(p *ir.Place) bool { return len(ir.ExistNames(p)) > 1 }

// choose binds the results of a statement that chooses among values: make gives
// the block of result k.
func (f *function) choose(s *ir.Stmt, elems []*ir.Elem, make func(k int, name string) *block) {
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
			f.bind(el, b)
		default:
			f.scalar(el.Name)
		}
	}
}

func (f *function) choice(s *ir.Stmt, name string, kind blockKind, choices ...*block) *block {
	b := f.newBlock(name, kind, choices...)
	b.group = s
	return b
}

func (f *function) scanIf(s *ir.Stmt, op *ir.If) {
	f.depth++
	f.scanBody(op.Then)
	f.scanBody(op.Else)
	f.depth--
	f.choose(s, s.Pat, func(k int, name string) *block {
		x, y := f.blockOf(op.Then.Result[k]), f.blockOf(op.Else.Result[k])
		if x == nil || y == nil {
			return f.newBlock(name, allocated)
		}
		b := f.choice(s, name, branched, x, y)
		if x.canon() == y.canon() {
			b.same = x.canon()
		}
		return b
	})
	f.chosen(s.Pat, func(k int) []*array { return []*array{f.arrayOf(op.Then.Result[k]), f.arrayOf(op.Else.Result[k])} }, 0)
}

// chosen notes from which arrays those with existential index functions come.
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
	elems := make([]*ir.Elem, len(op.Params))
	for k, p := range op.Params {
		elems[k] = p.Elem
	}
	blocks := make([]*block, len(elems))
	f.choose(s, elems, func(k int, name string) *block {
		init := f.blockOf(op.Params[k].Init)
		if init == nil {
			return f.newBlock(name, allocated)
		}
		blocks[k] = f.choice(s, name, looped, init, init)
		return blocks[k]
	})
	if op.Var != "" {
		f.counter(op.Var, f.poly(op.Bound))
	}
	f.depth++
	f.loops++
	f.scanBody(op.Body)
	f.depth--
	f.loops--
	for k, b := range blocks {
		if b != nil {
			if next := f.blockOf(op.Body.Result[k]); next != nil {
				b.choices[1] = next
			}
		}
	}
	for range 2 { // a second time for those that depend on a later one
		for _, b := range blocks {
			if b == nil || b.same != nil {
				continue
			}
			if n := b.choices[1].canon(); n == b || n == b.choices[0].canon() {
				b.same = b.choices[0].canon()
			}
		}
	}
	f.chosen(elems, func(k int) []*array { return []*array{f.arrayOf(op.Params[k].Init), f.arrayOf(op.Body.Result[k])} }, start)
	f.choose(s, s.Pat, func(k int, name string) *block {
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

// scanCall binds the results of a call by what is known of the callee.
func (f *function) scanCall(s *ir.Stmt, op *ir.Call) {
	sum := f.callees[op.Fn]
	groups := map[int]*block{}
	f.choose(s, s.Pat, func(k int, name string) *block {
		if sum == nil || k >= len(sum.results) {
			return f.newBlock(name, allocated)
		}
		r := sum.results[k]
		var choices []*block
		if r.fresh {
			if groups[r.group] == nil {
				groups[r.group] = f.newBlock(name, allocated)
			}
			choices = append(choices, groups[r.group])
		}
		for _, p := range r.params {
			if b := f.blockOf(op.Args[p]); b != nil {
				choices = append(choices, b)
			}
		}
		if len(choices) == 1 {
			return choices[0]
		}
		return f.choice(s, name, returned, choices...)
	})
}
