package ir

// GroupSpace is the space of a block in the memory that the threads of one group share.
const GroupSpace = "group"

// ThreadSpace is the space of a block that belongs to one thread of a kernel. A small one is in the
// thread's registers, if its compiler can do that. Of the others there is one per worker: a work-item,
// or a task, that runs thread after thread.
const ThreadSpace = "thread"

// MaxThread is the greatest size in bytes of a thread's block in registers: a quarter of those that a
// thread can have.
const MaxThread = 256

// InRegisters reports whether a block is a thread's, of a small constant size.
func InRegisters(a *Alloc) bool {
	size, constant := a.Size.(*Lit)
	return a.Space == ThreadSpace && constant && size.Bits <= MaxThread
}

// IsGroups reports whether a kernel is one of groups: a map whose body contains kernels, or blocks
// of a group. The threads of a group run that body together, and distribute the points of each
// inner kernel among them (docs/groups.md).
func IsGroups(op Op) bool {
	m, ok := op.(*Map)
	if !ok {
		return false
	}
	return AnyStmt(m.Body, func(s *Stmt) bool {
		a, ok := s.Op.(*Alloc)
		return ok && a.Space == GroupSpace || IsKernel(s.Op)
	})
}

// Levels is how many kernels a device runs within each other: a map over groups, and the kernels of their threads.
const Levels = 2

// LevelsIn returns how many levels of kernels the bodies of an operation have room for, if there is room for so
// many around it. Only a map has room for kernels.
func LevelsIn(op Op, levels int) int {
	if !IsKernel(op) {
		return levels
	}
	if _, isMap := op.(*Map); !isMap {
		return 0
	}
	return max(levels-1, 0)
}

// Deep returns the first kernel of a function's body that no group of threads can run: one below two levels, or
// in a kernel that is no map. It is nil if there is none.
func Deep(b *Body) *Stmt { return deep(b, Levels) }

func deep(b *Body, levels int) *Stmt {
	for _, s := range b.Stmts {
		if IsKernel(s.Op) && levels == 0 {
			return s
		}
		for _, in := range Bodies(s.Op) {
			if s := deep(in, LevelsIn(s.Op, levels)); s != nil {
				return s
			}
		}
	}
	return nil
}
