package check

import (
	"sync"

	"github.com/memc-lang/memc/ir"
)

// Note [Groups]
//
// A map whose body contains kernels is a kernel of groups. All threads of a group have the same
// scalars and branches in its body, since these depend on the group alone; so there is no rule
// about them. The rules are: there are exactly two levels, and a group's memory is known before the
// kernel. So each block of a group is allocated once, and all groups have blocks of the same sizes.
//
// A thread's block belongs to the body of a kernel that is not one of groups. It is small, has a
// constant size, and is allocated once, too.

// spaces checks where blocks of a space are allocated. kernel is the map around, if that is the
// only kernel; thread: a thread runs the body.
func (c *fn) spaces(b *ir.Body, kernel *ir.Map, own func(name string) bool, loop, thread bool) {
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Alloc:
			switch {
			case op.Space == ir.ThreadSpace:
				c.ofThread(s, op, loop, thread)
			case op.Space != "":
				c.space(s, op, kernel, own, loop)
			}
		case *ir.Loop:
			c.spaces(op.Body, kernel, own, true, thread)
		case *ir.Map:
			if kernel != nil {
				c.spaces(op.Body, nil, nil, false, true)
			} else {
				c.spaces(op.Body, op, boundIn(op), false, !ir.IsGroups(op))
			}
		case *ir.If:
			c.spaces(op.Then, kernel, own, loop, thread)
			c.spaces(op.Else, kernel, own, loop, thread)
		default:
			for _, in := range ir.Bodies(op) {
				c.spaces(in, nil, nil, false, in == ir.KernelBody(op))
			}
		}
	}
}

// space checks one allocation. kernel is the map around it, if that is the only kernel; own reports
// whether the map binds a name.
func (c *fn) space(s *ir.Stmt, op *ir.Alloc, kernel *ir.Map, own func(name string) bool, loop bool) {
	name := ""
	if len(s.Pat) > 0 {
		name = s.Pat[0].Name
	}
	switch {
	case op.Space != ir.GroupSpace:
		c.errorf(s.Span, "there is no memory space `%s`", op.Space).
			Hinted("`alloc@%s` allocates in the memory of a group of threads, `alloc@%s` in a thread's, and `alloc` in the device's",
				ir.GroupSpace, ir.ThreadSpace)
		return
	case kernel == nil:
		c.errorf(s.Span, "`%s` is a group's block, but not allocated by a group", name).
			Hinted("allocate it in the body of a `map`, outside of the kernels in that body")
		return
	case loop:
		c.errorf(s.Span, "the group's block `%s` is allocated in a loop, again and again", name).
			Hinted("allocate it before the loop")
	}
	told := false
	ir.ExpNames(op.Size, func(n string) {
		if own(n) && !told {
			told = true
			c.errorf(s.Span, "the size of the group's block `%s` depends on `%s`, which may differ from group to group", name, n).
				Hinted("all groups have blocks of one size: compute it before the kernel")
		}
	})
}

// ofThread checks the allocation of a thread's block.
func (c *fn) ofThread(s *ir.Stmt, op *ir.Alloc, loop, thread bool) {
	name := ""
	if len(s.Pat) > 0 {
		name = s.Pat[0].Name
	}
	size, constant := op.Size.(*ir.Lit)
	switch {
	case !thread:
		c.errorf(s.Span, "`%s` is a thread's block, but not allocated by a thread", name).
			Hinted("allocate it in the body of a kernel that holds no kernels")
	case loop:
		c.errorf(s.Span, "the thread's block `%s` is allocated in a loop, again and again", name).
			Hinted("allocate it before the loop")
	case !constant || size.Bits > ir.MaxThread:
		c.errorf(s.Span, "the size of the thread's block `%s` must be a constant of at most %d bytes", name, ir.MaxThread).
			Hinted("write `alloc`, without a space, where the block is large or its size a variable")
	}
}

// boundIn returns the names that a map, or its body, uses and binds itself.
func boundIn(op *ir.Map) func(name string) bool {
	names := sync.OnceValue(func() map[string]bool {
		free := map[string]bool{}
		for _, n := range ir.FreeNames(op.Body) {
			free[n] = true
		}
		ir.Binds(op, func(n string) { free[n] = false })
		return free
	})
	return func(name string) bool { return !names()[name] }
}
