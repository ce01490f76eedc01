// Package metrics counts a program's allocations, copies that really move data, and kernels
// (docs/ir.md, section Test blocks).
//
// A copy moves data if and only if its source and its target are different places. So the counts
// need no marks left by a pass. The package imports only ir and ir/lmad.
package metrics

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Counts are static counts over all functions, nested bodies included.
type Counts struct {
	Alloc, Copy, Kernel int
	Group, Thread       int // of the allocations: in the memory of groups, and of threads
}

// Count counts in an elaborated program. A memory-agnostic function has no
// places; every copy in it counts.
func Count(p *ir.Program) Counts {
	var c Counts
	for _, f := range p.Funcs {
		k := counter{types: make(map[string]*ir.Type, ir.Size(f)), counts: &c}
		for _, e := range f.Params {
			k.bind(e)
		}
		k.body(f.Body)
	}
	return c
}

// Device returns the allocations in the memory of the device.
func (c Counts) Device() int { return c.Alloc - c.Group - c.Thread }

type counter struct {
	types  map[string]*ir.Type // of arrays
	counts *Counts
}

func (c *counter) bind(e *ir.Elem) {
	if e.Type.Kind == ir.ArrayKind {
		c.types[e.Name] = &e.Type
	}
}

func (c *counter) body(b *ir.Body) {
	for _, s := range b.Stmts {
		if loop, ok := s.Op.(*ir.Loop); ok {
			for _, p := range loop.Params {
				c.bind(p.Elem)
			}
		}
		for _, inner := range ir.Bodies(s.Op) {
			c.body(inner)
		}
		for _, e := range s.Pat {
			c.bind(e)
		}
		c.stmt(s)
	}
}

func (c *counter) stmt(s *ir.Stmt) {
	switch op := s.Op.(type) {
	case *ir.Alloc:
		c.counts.Alloc++
		switch op.Space {
		case ir.GroupSpace:
			c.counts.Group++
		case ir.ThreadSpace:
			c.counts.Thread++
		}
	case *ir.Copy:
		c.copied(op.X, s.Pat[0].Type, func(f lmad.Fun) lmad.Fun { return f })
	case *ir.Concat:
		start := sym.Const(0)
		for _, a := range op.Args {
			length := lmad.OfType(*c.types[a]).Len(op.Dim)
			at := start
			c.copied(a, s.Pat[0].Type, func(f lmad.Fun) lmad.Fun { return lmad.ConcatPart(f, op.Dim, at, length) })
			start = start.Add(length)
		}
	case *ir.Update:
		if z, ok := op.Value.(*ir.Ref); ok && c.types[z.Name] != nil {
			c.copied(z.Name, *c.types[op.X], func(f lmad.Fun) lmad.Fun { return lmad.UpdateSlice(f, op.Items) })
		}
	}
	if space, ok := ir.KernelSpace(s.Op); ok {
		c.counts.Kernel++
		c.results(s, space)
	}
}

// results counts the array results of a kernel's body that are mapped results
// and do not already lie in their places.
func (c *counter) results(s *ir.Stmt, space ir.Space) {
	bodies := ir.Bodies(s.Op)
	body := bodies[len(bodies)-1]
	first := 0
	switch op := s.Op.(type) {
	case *ir.Reduce:
		first = len(op.Op.Neutral)
	case *ir.Scan:
		first = len(op.Op.Neutral)
	case *ir.Scatter, *ir.Hist, *ir.Into:
		return
	}
	names := make([]string, len(space))
	for i, b := range space {
		names[i] = b.Var
	}
	for i := first; i < len(body.Result) && i < len(s.Pat); i++ {
		if r, ok := body.Result[i].(*ir.Ref); ok && c.types[r.Name] != nil {
			c.copied(r.Name, s.Pat[i].Type, func(f lmad.Fun) lmad.Fun { return lmad.FixOuter(f, names) })
		}
	}
}

// copied counts a copy of src to a part of dst, unless the two coincide.
func (c *counter) copied(src string, dst ir.Type, part func(lmad.Fun) lmad.Fun) {
	t := c.types[src]
	if t.Place != nil && dst.Place != nil && t.Place.Mem == dst.Place.Mem &&
		coincide(part(lmad.OfType(dst)), lmad.OfType(*t)) {
		return
	}
	c.counts.Copy++
}

// coincide reports whether two index functions are the same, provided that their sizes are equal.
// If the sizes differ, the copy fails.
func coincide(f, g lmad.Fun) bool {
	if f.Equal(g) {
		return true
	}
	a, one := f.Single()
	b, other := g.Single()
	if !one || !other || len(a.Dims) != len(b.Dims) || !a.Offset.Equal(b.Offset) {
		return false
	}
	for k, d := range a.Dims {
		if !d.Stride.Equal(b.Dims[k].Stride) && !d.Len.Is(1) {
			return false
		}
	}
	return true
}
