package ir

// GroupSpace is the space of a block in the memory that the threads of one group share.
const GroupSpace = "group"

// ThreadSpace is the space of a block that one thread of a kernel has for itself, in its
// registers where its compiler can do that.
const ThreadSpace = "thread"

// MaxThread is how many bytes a block of a thread may have.
const MaxThread = 1024

// IsGroups tells whether a kernel is one of groups: a map whose body holds kernels, or
// blocks of a group. The threads of a group run that body together, and each inner
// kernel is shared out among them (docs/groups.md).
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
