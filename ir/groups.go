package ir

// GroupSpace is the space of a block in the memory that the threads of one group share.
const GroupSpace = "group"

// ThreadSpace is the space of a block that belongs to one thread of a kernel, in its registers if
// its compiler can do that.
const ThreadSpace = "thread"

// MaxThread is the greatest size of a thread's block in bytes.
const MaxThread = 1024

// IsGroups reports whether a kernel is one of groups: a map whose body contains kernels, or blocks
// of a group. The threads of a group run that body together, and distribute the points of each
// inner kernel among them (docs/groups.md).
func IsGroups(op Op) bool {
	m, ok := op.(*Map)
	if !ok {
		return false
	}
	found := false
	WalkStmts(m.Body, func(s *Stmt) bool {
		_, kernel := KernelSpace(s.Op)
		if a, ok := s.Op.(*Alloc); kernel || ok && a.Space == GroupSpace {
			found = true
		}
		return !found
	})
	return found
}
