package imp

import "github.com/memc-lang/memc/ir"

// Note [Memory spaces]
//
// A block lies in the device's memory, in that of a group (Note [Groups]), or in that of a
// thread. The latter is an array that the kernel declares (Kernel.Rooms): where all its
// indices are constants, since loops are unrolled, the device's compiler keeps its elements
// in registers. A memory variable points into one space, which is part of its type, so no
// name may stand for blocks of two.

// spaces finds the spaces of the classes of memory variables, and refuses names that may
// stand for blocks of several.
func (f *fn) spaces() {
	f.space = map[string]string{}
	ir.WalkStmts(f.ir.Body, func(s *ir.Stmt) bool {
		if a, ok := s.Op.(*ir.Alloc); ok && a.Space != "" {
			f.space[f.class[f.name(s.Pat[0].Name)]] = a.Space
		}
		return true
	})
	if len(f.space) == 0 {
		return
	}
	ir.WalkStmts(f.ir.Body, func(s *ir.Stmt) bool {
		if a, ok := s.Op.(*ir.Alloc); ok {
			f.onlyIn(a.Space, s.Pat[0].Name, s)
		}
		return true
	})
	for _, e := range f.ir.Params {
		if e.Type.Kind == ir.MemKind {
			f.onlyIn("", e.Name, nil)
		} else if p := e.Type.Place; p != nil {
			f.onlyIn("", p.Mem, nil)
		}
	}
}

// onlyIn refuses a block's class if it has another space.
func (f *fn) onlyIn(space, mem string, s *ir.Stmt) {
	other := f.space[f.class[f.name(mem)]]
	if other == space {
		return
	}
	span := f.ir.Span
	if s != nil {
		span = s.Span
	}
	f.l.diags.Limitf(span, "an array may lie in the memory of a %s, or in `%s` elsewhere", other, mem).
		Hinted("copy it, so that both branches, or all iterations, leave it in one kind of memory")
}

// ownBlock makes a memory variable a block of the work-item.
func (b *block) ownBlock(name string, bytes int64) {
	p := &PtrAt{Dst: b.declareMem(b.f.mem(name)), Base: b.f.temp(name + "_room"), Off: i64(0), Bytes: i64(bytes)}
	b.k.out.Rooms = append(b.k.out.Rooms, Room{p.Base, bytes})
	b.f.made[p.Dst] = b.f.bound[p.Dst]
	b.add(p)
}

// fewTurns is how many turns a loop has that is written out.
const fewTurns = 16

// writeOut marks the short loops that go over the work-item's own arrays, whose elements
// can then be registers.
func (k *Kernel) writeOut(list []Stmt) (own bool) {
	for _, s := range list {
		here := false
		switch s := s.(type) {
		case *Load:
			here = k.Own[s.Mem]
		case *Store:
			here = k.Own[s.Mem]
		}
		for _, in := range inside(s) {
			here = k.writeOut(in) || here
		}
		if f, ok := s.(*For); ok && here {
			n, known := f.Bound.(*ir.Lit)
			f.Whole = f.Whole || known && n.Bits <= fewTurns
		}
		own = own || here
	}
	return own
}
