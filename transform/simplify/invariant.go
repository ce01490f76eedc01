package simplify

import (
	"github.com/memc-lang/memc/ir"
)

// Note [What leaves a loop]
//
// A scalar leaves a loop if all that it is computed from comes from outside, and to compute it once
// more, if the loop has no iteration, does no harm: it cannot fail. A scalar that reads an element
// leaves only a loop within a kernel, where it is one load less per iteration. The host would have
// to wait for the device to read it.

// A mover moves scalars out of loops.
type mover struct {
	*function
	level map[string]int // how many bodies are around a name
}

// A where is a body: how many are around it, whether a kernel is, and the loop whose body it is.
type where struct {
	depth  int
	kernel bool
	loop   *ir.Stmt
}

func invariant(f *function) {
	if loopInKernel(f.f.Body, false) {
		f.table() // before anything moves
	}
	m := &mover{function: f, level: make(map[string]int, ir.Size(f.f))}
	m.body(f.f.Body, where{})
}

// body returns the statements that leave a body.
func (m *mover) body(b *ir.Body, at where) (left []*ir.Stmt) {
	out := make([]*ir.Stmt, 0, len(b.Stmts))
	place := func(s *ir.Stmt) {
		depth := at.depth
		if m.leaves(s, at) {
			left = append(left, s)
			depth--
		} else {
			out = append(out, s)
		}
		for _, e := range s.Pat {
			m.level[e.Name] = depth
		}
	}
	for _, s := range b.Stmts {
		in := where{depth: at.depth + 1, kernel: at.kernel}
		ir.Binds(s.Op, func(n string) { m.level[n] = in.depth })
		if ir.IsKernel(s.Op) {
			in.kernel = true
		} else if _, ok := s.Op.(*ir.Loop); ok {
			in.loop = s
		}
		for _, inner := range ir.Bodies(s.Op) {
			for _, moved := range m.body(inner, in) {
				place(moved)
			}
		}
		place(s)
	}
	b.Stmts = out
	return left
}

// leaves decides whether a statement leaves the loop whose body it stands in.
func (m *mover) leaves(s *ir.Stmt, at where) bool {
	c, ok := s.Op.(*ir.Compute)
	if !ok || at.loop == nil {
		return false
	}
	outside := true
	ir.ExpNames(c.E, func(n string) { outside = outside && m.level[n] < at.depth })
	if !outside {
		return false
	}
	if !ir.Total(c.E) {
		if !at.kernel || !ir.Reads(c.E) {
			return false
		}
		t := m.table()
		if t.ExpFails(c.E, t.Stmt(at.loop).From) {
			m.context.Remark(s.Span, "[fails] `%s` stays in the loop: it may be out of bounds if the loop has no iteration", s.Pat[0].Name)
			return false
		}
	}
	return m.context.Rewrite(s.Span, "`%s` is the same in all iterations", s.Pat[0].Name)
}

// loopInKernel reports whether a kernel in a body, or around it, has a loop.
func loopInKernel(b *ir.Body, kernel bool) bool {
	found := false
	for _, s := range b.Stmts {
		isKernel := ir.IsKernel(s.Op)
		_, isLoop := s.Op.(*ir.Loop)
		found = found || isLoop && kernel
		for _, inner := range ir.Bodies(s.Op) {
			found = found || loopInKernel(inner, kernel || isKernel)
		}
	}
	return found
}
