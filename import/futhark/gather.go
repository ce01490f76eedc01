package futhark

import "github.com/memc-lang/memc/ir"

// Note [Reads of what was only gathered]
//
// A flat slice is a view in Futhark. memc has no such view, so a map gathers the elements. Also, a
// value that moves from one array on the device to another has a kernel of one thread. If every use
// of such an array reads one of its elements, the use reads from the source instead, and the array
// is not made. A slice may be read only until its source is consumed, so the elements are still
// there. The source of a kernel of one thread must be an array that a kernel made and that is only
// read.

// A gather is a map whose elements are those of another array.
type gather struct {
	vars []string
	from *ir.Index
}

// gatherOf tells whether a statement gathers, and from where.
func (t *translator) gatherOf(r *reads, s *ir.Stmt) *gather {
	op, ok := s.Op.(*ir.Map)
	if !ok || len(s.Pat) != 1 || len(op.Body.Result) != 1 {
		return nil
	}
	slice, one := t.slices[s], true
	g := &gather{}
	for _, d := range op.Space {
		g.vars = append(g.vars, d.Var)
		one = one && isConst(d.Size, 1)
	}
	if !slice && !one {
		return nil
	}
	e := op.Body.Result[0]
	switch stmts := op.Body.Stmts; {
	case len(stmts) == 0:
	case len(stmts) == 1 && len(stmts[0].Pat) == 1:
		c, ok := stmts[0].Op.(*ir.Compute)
		ref, last := e.(*ir.Ref)
		if !ok || !last || ref.Name != stmts[0].Pat[0].Name {
			return nil
		}
		e = c.E
	default:
		return nil
	}
	if g.from, ok = e.(*ir.Index); !ok || !slice && (!r.fresh[g.from.Array] || r.other[g.from.Array]) {
		return nil
	}
	for _, x := range g.from.Indices {
		nested := false
		ir.WalkExp(x, func(e ir.Exp) bool {
			_, is := e.(*ir.Index)
			nested = nested || is
			return true
		})
		if nested {
			return nil
		}
	}
	return g
}

// at returns the indices in the source of an element of the gathered array.
func (g *gather) at(ix []ir.Exp) []ir.Exp {
	out := make([]ir.Exp, len(g.from.Indices))
	for i, x := range g.from.Indices {
		out[i] = ir.MapExp(x, func(e ir.Exp) ir.Exp {
			if ref, ok := e.(*ir.Ref); ok {
				for k, v := range g.vars {
					if ref.Name == v {
						return ir.CloneExp(ix[k])
					}
				}
			}
			return e
		})
	}
	return out
}

// readThrough lets reads of gathered arrays read where these were gathered from.
// What is left of the gathering is then unused.
func (t *translator) readThrough(f *ir.Func) {
	r := readsOf(f)
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		if g := t.gatherOf(r, s); g != nil && !r.other[s.Pat[0].Name] {
			for _, x := range r.of[s.Pat[0].Name] {
				if x.exp.Array != s.Pat[0].Name {
					continue // a node that stands in two places
				}
				x.exp.Array, x.exp.Indices = g.from.Array, g.at(x.exp.Indices)
				r.of[g.from.Array] = append(r.of[g.from.Array], x)
			}
		}
		_, kernel := ir.KernelSpace(s.Op)
		return !kernel
	})
}
