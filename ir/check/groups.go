package check

import (
	"github.com/memc-lang/memc/ir"
)

// Note [Groups]
//
// A map whose body holds kernels is a kernel of groups. Scalars and branches of its body
// are the same in all threads of a group, since they depend on the group alone; so
// nothing has to be asked of them. What is asked is that there are two levels, no more,
// and that a group's memory is known before the kernel: each of its blocks is allocated
// once, and all groups' are of one size.

// spaces checks where blocks of a space are allocated.
func (c *fn) spaces(b *ir.Body, kernel *ir.Map, own func(name string) bool, loop bool) {
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Alloc:
			switch {
			case op.Space != "":
				c.space(s, op, kernel, own, loop)
			case kernel != nil && ir.IsGroups(kernel):
				c.diags.Limitf(s.Span, "a group allocates in the device's memory").
					Hinted("allocate in the group's memory, alloc@%s, or before the kernel", ir.GroupSpace)
			}
		case *ir.Loop:
			c.spaces(op.Body, kernel, own, true)
		case *ir.Map:
			if kernel != nil {
				c.spaces(op.Body, nil, nil, false)
			} else {
				c.spaces(op.Body, op, boundIn(op), false)
			}
		case *ir.If:
			c.spaces(op.Then, kernel, own, loop)
			c.spaces(op.Else, kernel, own, loop)
		default:
			for _, in := range ir.Bodies(op) {
				c.spaces(in, nil, nil, false)
			}
		}
	}
}

// space checks one allocation. kernel is the map around it, if that is the only kernel;
// own tells whether the map binds a name.
func (c *fn) space(s *ir.Stmt, op *ir.Alloc, kernel *ir.Map, own func(name string) bool, loop bool) {
	name := ""
	if len(s.Pat) > 0 {
		name = s.Pat[0].Name
	}
	switch {
	case op.Space != ir.GroupSpace:
		c.errorf(s.Span, "there is no memory space `%s`", op.Space).
			Hinted("`alloc@%s` allocates in the memory of a group of threads, and `alloc` in the device's", ir.GroupSpace)
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

// boundIn gives the names that a map, or its body, uses and binds itself.
func boundIn(op *ir.Map) func(name string) bool {
	free := map[string]bool{}
	for _, n := range ir.FreeNames(op.Body) {
		free[n] = true
	}
	ir.Binds(op, func(n string) { free[n] = false })
	return func(name string) bool { return !free[name] }
}
