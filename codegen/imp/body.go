package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// body lowers the statements of a body, and frees blocks after their last use.
func (b *block) body(body *ir.Body) {
	f := b.f
	b.free(f.facts.atStart[body])
	for _, s := range body.Stmts {
		b.equalities(f.l.sizes.Before[s], s.Span)
		if b.team {
			b.together(s)
		} else {
			b.stmt(s)
		}
		b.equalities(f.l.sizes.After[s], s.Span)
		b.free(f.facts.after[s])
	}
	if b.team && f.l.arenas.Barriers().AtEnd(body) != nil {
		b.barrier()
	}
	b.equalities(f.l.sizes.AtResult[body], body.In)
}

// end frees the blocks that the body's values used last.
func (b *block) end(body *ir.Body) {
	b.free(b.f.facts.atEnd[body])
}

// free drops references. In a kernel, those of variables that never hold a block
// of the device heap are left out later (settle). The host frees the blocks of workers.
func (b *block) free(irNames []string) {
	for _, m := range irNames {
		if b.f.space[b.f.class[b.f.name(m)]] != workerSpace {
			b.add(&Free{Mem: b.f.mem(m)})
		}
	}
}

// stmt lowers one statement.
func (b *block) stmt(s *ir.Stmt) {
	if b.host() {
		b.f.launch = launch{stmt: s}
	}
	switch op := s.Op.(type) {
	case *ir.Compute:
		b.compute(s.Pat[0], op.E)
	case *ir.Assert:
		b.assert(s, op)
	case *ir.Alias:
		b.alias(s.Pat[0], op.X)
	case *ir.Reshape:
		x := b.f.arrays[op.X]
		if shape := b.sizes(s, op.Dims); !b.proven(s) {
			b.checkLimit(shape, x.prim.Size(), tooLarge, s.Span)
		}
		b.delayed(s.Pat[0], x)
	case *ir.Rearrange:
		b.delayed(s.Pat[0], b.f.arrays[op.X])
	case *ir.Slice:
		x := b.f.arrays[op.X]
		items := b.checkItems(x, op.Items, s.Span)
		part := b.slice(x, items)
		b.delayed(s.Pat[0], part)
	case *ir.Alloc:
		b.alloc(s, op)
	case *ir.Copy:
		x := b.f.arrays[op.X]
		b.copy(b.create(s, s.Pat[0]), x)
	case *ir.Concat:
		b.concat(s, op)
	case *ir.Scratch:
		b.sizes(s, op.Dims)
		b.create(s, s.Pat[0])
	case *ir.Range:
		b.rangeOp(s, op)
	case *ir.Replicate:
		b.replicate(s, op)
	case *ir.ArrayLit:
		b.arrayLit(s, op)
	case *ir.Update:
		b.update(s, op)
	case *ir.If:
		b.ifOp(s, op)
	case *ir.Loop:
		b.loopOp(s, op)
	case *ir.Put:
		b.f.accs[op.Dests[0]].put(b, op.Index, op.Values)
	default:
		b.parallel(s)
	}
}

// parallel lowers operations that exist only on the host.
func (b *block) parallel(s *ir.Stmt) {
	b.f.at = s.Span
	if !b.host() {
		b.inner(s)
		return
	}
	switch op := s.Op.(type) {
	case *ir.Call:
		b.call(s, op)
	case *ir.Map:
		b.mapOp(s, op)
	case *ir.Reduce:
		b.reduce(s, op)
	case *ir.Scan:
		b.scan(s, op)
	case *ir.Scatter:
		b.scatter(s, op)
	case *ir.Hist:
		b.hist(s, op)
	case *ir.Into:
		b.intoOp(s, op)
	}
}

// compute binds a scalar.
func (b *block) compute(e *ir.Elem, x ir.Exp) {
	name := b.f.name(e.Name)
	b.declare(name, e.Type.Prim)
	b.into(name, x)
	if last := len(b.stmts) - 1; last >= 0 && e.Type.Prim == ir.I64 {
		if set, ok := b.stmts[last].(*Set); ok && set.Dst == name {
			b.f.learn(name, set.E)
		}
	}
}

// alias binds another name of an array or a block; a block's is the same
// variable.
func (b *block) alias(e *ir.Elem, x string) {
	switch e.Type.Kind {
	case ir.MemKind:
		b.f.memAlias[e.Name] = b.f.mem(x)
	case ir.ArrayKind:
		b.delayed(e, b.f.arrays[x])
	default:
		b.compute(e, &ir.Ref{Name: x, T: e.Type.Prim})
	}
}

// delayed binds an array that lies in its source's place. Its own place says where;
// the source matters only if the place is existential.
func (b *block) delayed(e *ir.Elem, src *array) {
	if e.Type.Place != nil && e.Type.Place.Exist {
		var m moves
		m.array(b, e, src)
		m.emit(b)
	}
	b.bind(e)
}

// bytes returns the size of a block as an expression, which must stay whole: a variable in
// it would wrap.
func (b *block) bytes(p sym.Poly) ir.Exp {
	e := p.Exp()
	if height(e, maxSizeHeight) > maxSizeHeight {
		b.f.l.diags.Limitf(b.f.at, "the size of a block is too deeply nested")
	}
	return e
}

// maxSizeHeight is maxHeight for sizes, which stay whole.
const maxSizeHeight = 120

// alloc makes a block.
func (b *block) alloc(s *ir.Stmt, op *ir.Alloc) {
	f := b.f
	e := s.Pat[0]
	if op.Space == ir.GroupSpace && !b.tasks() {
		b.place(e.Name)
		return
	}
	switch f.space[f.class[f.name(e.Name)]] {
	case ir.ThreadSpace:
		b.ownBlock(e.Name, int64(op.Size.(*ir.Lit).Bits))
		return
	case workerSpace:
		b.workerBlock(e.Name, op.Size)
		return
	}
	size := b.bytes(sym.Of(b.exp(op.Size)))
	name := b.declareMem(f.mem(e.Name))
	f.made[name] = f.bound[name]
	a := &Alloc{Mem: name, Bytes: size, Name: e.Name, Span: s.Span}
	if b.host() {
		a.Site = f.l.site()
	} else {
		f.l.fromHeap(a, "block `"+quote(e.Name)+"`")
	}
	b.add(a)
}
