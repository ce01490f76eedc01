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
