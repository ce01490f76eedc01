package simplify

import (
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// sweep drops what is not live from a body, uses before definitions: if the limit keeps a use, it
// keeps the definition too. sure: it has been decided, since a part of the statement around went.
func (m *marker) sweep(b *ir.Body, sure bool) {
	var kept []*ir.Stmt
	for k := len(b.Stmts) - 1; k >= 0; k-- {
		s := b.Stmts[k]
		parts, live := m.parts[s]
		if !live {
			if !sure && !m.context.Rewrite(s.Span, "nobody uses %s", list(s.Pat)) {
				kept = append(kept, s)
			}
			continue
		}
		kept = append(kept, s)
		inner := sure
		if slices.Contains(parts, false) {
			var gone []*ir.Elem
			for k, e := range s.Pat {
				if !parts[k] {
					gone = append(gone, e)
				}
			}
			if sure || m.context.Rewrite(s.Span, "nobody uses %s, so it is not computed", list(gone)) {
				m.drop(s, parts)
				inner = true
			}
		}
		for _, b := range slices.Backward(ir.Bodies(s.Op)) {
			m.sweep(b, inner)
		}
	}
	slices.Reverse(kept)
	b.Stmts = kept
}

// totals keeps results of scans from being stored that only the scan's operator needs. A scan in a
// kernel of groups keeps its results: it scans by runs only if it can read all of them again.
func (m *marker) totals() {
	for _, s := range m.order {
		op, ok := s.Op.(*ir.Scan)
		if !ok || len(op.Space) > 1 || m.inKernel(s) {
			continue
		}
		for k, e := range s.Pat[:len(op.Op.Neutral)] {
			if m.live[e.Name] || !m.parts[s][k] || e.Type.Kind != ir.ArrayKind || e.Type.Rank() > 1 || m.compares(s) {
				continue
			}
			if m.context.Rewrite(s.Span, "only the operator needs `%s`, so it is not stored", e.Name) {
				e.Type, e.Written = ir.Scalar(e.Type.Prim), true // printed, or reading it again would find an array
			}
		}
	}
}

func (m *marker) inKernel(s *ir.Stmt) bool {
	for s = m.in[s]; s != nil; s = m.in[s] {
		if ir.IsKernel(s.Op) {
			return true
		}
	}
	return false
}

func list(es []*ir.Elem) string {
	names := make([]string, len(es))
	for k, e := range es {
		names[k] = "`" + e.Name + "`"
	}
	return strings.Join(names, ", ")
}

// drop removes the parts of a statement that are not live.
func (m *marker) drop(s *ir.Stmt, live []bool) {
	switch op := s.Op.(type) {
	case *ir.Loop:
		op.Params = only(op.Params, live)
	default:
		if o := ir.OperatorOf(op); o != nil {
			combined := live[:len(o.Neutral)]
			o.Params = only(o.Params, slices.Concat(combined, combined))
			o.Body.Result = only(o.Body.Result, combined)
			o.Neutral = only(o.Neutral, combined)
		}
		if op, ok := op.(*ir.If); ok {
			op.Then.Result = only(op.Then.Result, live)
		}
	}
	b := ir.KernelBody(s.Op)
	b.Result = only(b.Result, live)
	s.Pat = only(s.Pat, live)
}

// only returns the elements that stay, in a new list.
func only[T any](l []T, stays []bool) []T {
	var out []T
	for k, x := range l {
		if stays[k] {
			out = append(out, x)
		}
	}
	return out
}
