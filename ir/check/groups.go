package check

import "github.com/memc-lang/memc/ir"

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
func (c *fn) spaces(b *ir.Body, kernel *outerMap, loop, thread bool) {
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Alloc:
			switch {
			case op.Space == ir.ThreadSpace:
				c.ofThread(s, op, loop, thread)
			case op.Space != "":
				c.space(s, op, kernel, loop)
			}
		case *ir.Loop:
			c.spaces(op.Body, kernel, true, thread)
		case *ir.Map:
			if kernel != nil {
				c.spaces(op.Body, nil, false, true)
			} else {
				c.spaces(op.Body, &outerMap{Map: op}, false, !ir.IsGroups(op))
			}
		case *ir.If:
			c.spaces(op.Then, kernel, loop, thread)
			c.spaces(op.Else, kernel, loop, thread)
		default:
			for _, in := range ir.Bodies(op) {
				c.spaces(in, nil, false, in == ir.KernelBody(op))
			}
		}
	}
}

// space checks one allocation. kernel is the map around it, if that is the only kernel.
func (c *fn) space(s *ir.Stmt, op *ir.Alloc, kernel *outerMap, loop bool) {
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
	reported := false
	ir.ExpNames(op.Size, func(n string) {
		if kernel.binds(n) && !reported {
			reported = true
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

// An outerMap is a map that no kernel is around.
type outerMap struct {
	*ir.Map
	free map[string]bool // the names that its body uses and that come from outside; nil until the first request
}

// binds reports whether the map, or its body, binds a name that the body uses.
func (m *outerMap) binds(name string) bool {
	if m.free == nil {
		m.free = map[string]bool{}
		for _, n := range ir.FreeNames(m.Body) {
			m.free[n] = true
		}
		ir.Binds(m.Map, func(n string) { m.free[n] = false })
	}
	return !m.free[name]
}
