package simplify

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// failures marks what may fail, of what is not live yet. The last statement comes first: that a
// statement cannot fail may be known from one before it, which then stays if that may fail.
func (m *marker) failures(b *ir.Body) {
	for k := len(b.Stmts) - 1; k >= 0; k-- {
		s := b.Stmts[k]
		bodies := ir.Bodies(s.Op)
		for _, inner := range bodies {
			m.failures(inner)
		}
		switch {
		case m.whole(s):
		case m.compares(s):
			m.stmt(s)
			for k := range m.parts[s] {
				m.part(s, k)
			}
		case len(bodies) > 0:
			m.around(s)
		case !m.isLive(s) && m.fails(s):
			m.stmt(s)
		}
		m.drain()
	}
}

// whole reports whether a statement and all its parts are live.
func (m *marker) whole(s *ir.Stmt) bool {
	parts, live := m.parts[s]
	return live && !slices.Contains(parts, false)
}

func (m *marker) isLive(s *ir.Stmt) bool {
	_, live := m.parts[s]
	return live
}

// compares reports whether the run compares sizes for a statement, its bodies' ends included.
func (m *marker) compares(s *ir.Stmt) bool {
	switch s.Op.(type) {
	case *ir.Compute:
		return false
	case *ir.Map:
		if asWritten(s) {
			return false
		}
	}
	t := m.obligations()
	n := len(t.Before[s]) + len(t.After[s])
	for _, b := range ir.Bodies(s.Op) {
		n += len(t.AtResult[b])
	}
	return n > 0
}

// asWritten reports whether a map's results have one scalar per point, and types that say so. Then no sizes of its
// own are compared, and the list of those that are need not be made for it.
func asWritten(s *ir.Stmt) bool {
	space, _ := ir.KernelSpace(s.Op)
	return !slices.ContainsFunc(s.Pat, func(e *ir.Elem) bool {
		return !slices.EqualFunc(e.Type.Shape, space, func(d ir.Dim, b ir.Bound) bool { return lmad.Size(d).Equal(sym.Of(b.Size)) })
	})
}

// fails reports whether a statement without bodies may fail, if its sizes are known to agree.
func (m *marker) fails(s *ir.Stmt) bool {
	switch op := s.Op.(type) {
	case *ir.Assert, *ir.Call:
		return true
	case *ir.Concat:
		return false
	case *ir.Compute:
		if ir.Total(op.E) {
			return false
		}
	}
	t := m.table()
	at := t.Stmt(s).From
	var outside bool
	switch op := s.Op.(type) {
	case *ir.Slice:
		outside = m.leaves(op.X, op.Items, at)
	case *ir.Update:
		outside = m.leaves(op.X, op.Items, at)
	case *ir.Reshape:
		outside = t.ShapeFails(s.Pat[0].Type, at)
	default:
		return t.CanFail(s)
	}
	ir.Exps(s.Op, func(e ir.Exp) { outside = outside || t.ExpFails(e, at) })
	return outside
}

// leaves reports whether items may select elements out of bounds.
func (m *marker) leaves(array string, items []ir.Item, point int) bool {
	t := m.table()
	typ := t.Type(array)
	for k, it := range items {
		if typ == nil || !t.Facts(point).Selects(it, lmad.Size(typ.Shape[k])) {
			return true
		}
	}
	return false
}

// around marks what may fail of a statement with bodies, apart from the statements in them.
func (m *marker) around(s *ir.Stmt) {
	if !m.isLive(s) && m.mayFail(s) {
		m.stmt(s)
	}
	if parts, live := m.parts[s]; live && parts == nil {
		return // it has no parts
	}
	for k := range s.Pat {
		if m.isLive(s) && m.parts[s][k] {
			continue
		}
		kernel := ir.IsKernel(s.Op)
		t := s.Pat[k].Type
		bad := kernel && !m.plain(lmad.Sizes(t.Shape)) && m.table().ShapeFails(t, m.table().Stmt(s).From)
		values(s, k, func(e ir.Exp, b *ir.Body) {
			if bad || ir.Total(e) {
				return
			}
			point := m.table().Stmt(s).From
			if b != nil {
				point = m.table().Body(b).To
			}
			bad = m.table().ExpFails(e, point)
		})
		if bad {
			m.part(s, k)
		}
	}
}

// mayFail reports whether a statement with bodies may fail before, or without, running them.
func (m *marker) mayFail(s *ir.Stmt) bool {
	fails := func(e ir.Exp) bool { return !ir.Total(e) && m.table().ExpFails(e, m.table().Stmt(s).From) }
	switch op := s.Op.(type) {
	case *ir.If:
		return fails(op.Cond)
	case *ir.Loop: // a while loop may never end
		return op.While != "" || fails(op.Bound)
	case *ir.Map, *ir.Reduce, *ir.Scan:
		space, _ := ir.KernelSpace(op)
		var sizes []sym.Poly
		for _, b := range space {
			sizes = append(sizes, sym.Of(b.Size))
		}
		return !m.plain(sizes) && m.table().SpaceFails(s)
	}
	return true
}

// plain reports whether sizes cannot fail by how they are written. So most programs need no facts here.
func (m *marker) plain(sizes []sym.Poly) bool {
	return !slices.ContainsFunc(sizes, func(p sym.Poly) bool {
		e := p.Exp()
		_, computed := e.(*ir.Binary) // which may wrap
		return computed || !ir.Total(e) || !m.written.NotNegative(p)
	})
}
