package check

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// Note [Groups]
//
// A map whose body contains kernels is a kernel of groups. All threads of a group have the same
// scalars and branches in its body, since these depend on the group alone; so there is no rule
// about them. The rules are: there are exactly two levels, and a group's memory is known before the
// kernel. So each block of a group is allocated once, and all groups have blocks of the same sizes.
//
// A thread's block belongs to the body of a kernel that is not one of groups, and is allocated once,
// too. Its size is known before the kernel; if the kernel is one of a group, it is a small constant.

// spaces checks where blocks of a space are allocated. group is the map around, if that is the
// only kernel; thread is the kernel whose threads run the body, nil if none do.
func (c *fn) spaces(b *ir.Body, group, thread *around, loop bool) {
	for _, s := range b.Stmts {
		switch op := s.Op.(type) {
		case *ir.Alloc:
			switch {
			case op.Space == ir.ThreadSpace:
				c.ofThread(s, op, thread, loop)
			case op.Space != "":
				c.space(s, op, group, loop)
			}
		case *ir.Loop:
			c.spaces(op.Body, group, thread, true)
		case *ir.If:
			c.spaces(op.Then, group, thread, loop)
			c.spaces(op.Else, group, thread, loop)
		default:
			k := &around{op: op, inner: group != nil}
			team, thread := k, k // of the body
			if m, ok := op.(*ir.Map); !ok || group != nil {
				team = nil
			} else if ir.IsGroups(m) {
				thread = nil
			}
			for _, in := range ir.Bodies(op) {
				if in == ir.KernelBody(op) {
					c.spaces(in, team, thread, false)
				} else {
					c.spaces(in, nil, nil, false)
				}
			}
		}
	}
}

// space checks one allocation. kernel is the map around it, if that is the only kernel.
func (c *fn) space(s *ir.Stmt, op *ir.Alloc, kernel *around, loop bool) {
	name := ""
	if len(s.Pat) > 0 {
		name = s.Pat[0].Name
	}
	switch {
	case op.Space != ir.GroupSpace:
		c.errorf(diag.UnknownSpace, s.Span, "there is no memory space `%s`", op.Space).
			Hinted("`alloc@%s` allocates in the memory of a group of threads, `alloc@%s` in a thread's, and `alloc` in the device's",
				ir.GroupSpace, ir.ThreadSpace)
		return
	case kernel == nil:
		c.errorf(diag.LocalBlock, s.Span, "`%s` is a group's block, but not allocated by a group", name).
			Hinted("allocate it in the body of a `map`, outside of the kernels in that body")
		return
	case loop:
		c.errorf(diag.LocalBlock, s.Span, "the group's block `%s` is allocated in a loop, again and again", name).
			Hinted("allocate it before the loop")
	}
	reported := false
	ir.ExpNames(op.Size, func(n string) {
		if kernel.binds(n) && !reported {
			reported = true
			c.errorf(diag.LocalBlock, s.Span, "the size of the group's block `%s` depends on `%s`, which may differ from group to group", name, n).
				Hinted("all groups have blocks of one size: compute it before the kernel")
		}
	})
}

// ofThread checks the allocation of a thread's block.
func (c *fn) ofThread(s *ir.Stmt, op *ir.Alloc, kernel *around, loop bool) {
	name := ""
	if len(s.Pat) > 0 {
		name = s.Pat[0].Name
	}
	switch {
	case kernel == nil:
		c.errorf(diag.LocalBlock, s.Span, "`%s` is a thread's block, but not allocated by a thread", name).
			Hinted("allocate it in the body of a kernel that holds no kernels")
		return
	case loop:
		c.errorf(diag.LocalBlock, s.Span, "the thread's block `%s` is allocated in a loop, again and again", name).
			Hinted("allocate it before the loop")
	case kernel.inner && !ir.InRegisters(op):
		c.errorf(diag.LocalBlock, s.Span, "in a kernel of a group, the size of the thread's block `%s` must be a constant of at most %d bytes", name, ir.MaxThread).
			Hinted("write `alloc`, without a space, where the block is large or its size a variable")
	}
	reported := false
	ir.ExpNames(op.Size, func(n string) {
		if kernel.binds(n) && !reported {
			reported = true
			c.errorf(diag.LocalBlock, s.Span, "the size of the thread's block `%s` depends on `%s`, which may differ from thread to thread", name, n).
				Hinted("all threads have blocks of one size: compute it before the kernel, or write `alloc`, without a space")
		}
	})
}

// around is a kernel around a body.
type around struct {
	op    ir.Op
	inner bool            // it is a kernel of a group
	free  map[string]bool // the names that it uses and that come from outside; nil until the first request
}

// binds reports whether the kernel, or one of its bodies, binds a name that the body uses.
func (k *around) binds(name string) bool {
	if k.free == nil {
		k.free = map[string]bool{}
		for _, n := range ir.FreeNames(ir.KernelBody(k.op)) {
			k.free[n] = true
		}
		ir.Binds(k.op, func(n string) { k.free[n] = false })
	}
	return !k.free[name]
}
