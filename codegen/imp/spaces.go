package imp

import "github.com/memc-lang/memc/ir"

// Note [Memory spaces]
//
// A block lies in the device's memory, in that of a group (Note [Groups]), or in that of a thread.
// A small thread's block is an array that the kernel declares (Kernel.Rooms). If all its indices are
// constants after loops are unrolled, the device's compiler keeps its elements in registers. For any
// other thread's block there is a workspace (Note [Workers]). A memory variable points into one space,
// which is part of its type. So if a name may stand for blocks of two spaces, all these blocks lie in the
// device's memory, and if it may stand for small and large blocks of a thread, all have workspaces.

// workerSpace is the space of a thread's blocks that are not in registers.
const workerSpace = "worker"

// spaces finds the spaces of the classes of memory variables. It also finds the kernels of groups
// whose groups are one work-item each: such a group allocates in the device's memory, or its own
// block must lie there.
func (f *fn) spaces() {
	f.space, f.lone = map[string]string{}, map[*ir.Map]string{}
	note := func(mem, space string) {
		c := f.class[f.name(mem)]
		known, ok := f.space[c]
		ofThreads := (known == ir.ThreadSpace || known == workerSpace) && (space == ir.ThreadSpace || space == workerSpace)
		switch {
		case !ok || known == space:
		case ofThreads:
			space = workerSpace
		default:
			space = ""
		}
		f.space[c] = space
	}
	for _, e := range f.ir.Params {
		if mem, ok := owned(e); ok {
			note(mem, "")
		}
	}
	ir.WalkStmts(f.ir.Body, func(s *ir.Stmt) bool {
		switch op := s.Op.(type) {
		case *ir.Alloc:
			space := op.Space
			if space == ir.ThreadSpace && !ir.InRegisters(op) {
				space = workerSpace
			}
			note(s.Pat[0].Name, space)
		case *ir.Call:
			for _, e := range s.Pat {
				if mem, ok := owned(e); ok {
					note(mem, "")
				}
			}
		}
		return true
	})
	f.findWorkers()
	ir.EachOp(f.ir.Body, func(_ *ir.Stmt, op *ir.Map) {
		if ir.IsGroups(op) {
			f.lone[op] = f.far(op.Body)
		}
	})
}

// far returns a block that a group allocates and that lies in the device's memory; "": none.
func (f *fn) far(b *ir.Body) (block string) {
	ir.WalkStmts(b, func(s *ir.Stmt) bool {
		kernel := ir.IsKernel(s.Op)
		if _, ok := s.Op.(*ir.Alloc); ok && block == "" && f.space[f.class[f.name(s.Pat[0].Name)]] != ir.GroupSpace {
			block = s.Pat[0].Name
		}
		return !kernel
	})
	return block
}

// ownBlock makes a memory variable a block of the work-item.
func (b *block) ownBlock(name string, bytes int64) {
	p := &PtrAt{Dst: b.declareMem(b.f.mem(name)), Base: b.f.temp(name + "_room"), Off: i64(0), Bytes: i64(bytes)}
	b.k.out.Rooms = append(b.k.out.Rooms, Room{p.Base, bytes})
	b.f.made[p.Dst] = b.f.bound[p.Dst]
	b.add(p)
}
