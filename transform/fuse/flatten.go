package fuse

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Nests of kernels]
//
// A map whose threads each run one kernel, and nothing else of weight, is that kernel over all
// points:
//
//	map (i < n, j < m) {                                   reduce (i < n, j < m, l < k) op (x, y) { in x + y }
//	  let s = reduce (l < k) op (x, y) { in x + y }          neutral (0) { in a[i, l] * b[l, j] }
//	            neutral (0) { in a[i, l] * b[l, j] }
//	  in s
//	}
//
// Its sizes and neutral values must be the same for all threads, and no size may be negative. The
// scalars that a thread computes before are computed for each point of the kernel; so they must be
// few and cannot fail.

const maxPrologue = 8 // additions

// flatten replaces a map of a kernel by the kernel over all points.
func (r *round) flatten(s *ir.Stmt) {
	m, ok := s.Op.(*ir.Map)
	if !ok || len(m.Body.Stmts) == 0 {
		return
	}
	last := len(m.Body.Stmts) - 1
	k, before := m.Body.Stmts[last], m.Body.Stmts[:last]
	space, kernel := ir.KernelSpace(k.Op)
	if !kernel || ir.IsGroups(k.Op) || ir.Dests(k.Op) != nil || !returns(m.Body, k) || !plain(before) {
		return
	}
	bound, fixed := m.OwnNames(), space.Sizes()
	if op := ir.OperatorOf(k.Op); op != nil {
		if fixed = slices.Concat(fixed, op.Neutral); op.UsesAny(bound) {
			r.no(s, "[operator] the operator of `%s` is another one for each thread", r.made(s))
			return
		}
	}
	if ir.UsesAny(fixed, bound) {
		r.no(s, "[ragged] the kernel in `%s` has other sizes, or other neutral values, for each thread", r.made(s))
		return
	}
	known := r.table().Facts(r.table().Stmt(s).From)
	if slices.ContainsFunc(space, func(b ir.Bound) bool { return !known.AtLeast(sym.Of(b.Size), 0) }) {
		r.no(s, "[fails] a size of the kernel in `%s` may be negative, and there may be no thread that finds it", r.made(s))
		return
	}
	if !r.rewrite(s, "`%s` is made by one kernel, in place of one in each thread", r.made(s)) {
		return
	}
	all := slices.Concat(m.Space, space)
	switch op := k.Op.(type) {
	case *ir.Map:
		op.Space = all
	case *ir.Reduce:
		op.Space = all
	case *ir.Scan:
		op.Space = all
	}
	body := ir.KernelBody(k.Op)
	body.Stmts = slices.Concat(before, body.Stmts)
	s.Op = k.Op
	s.Lead = append(s.Lead, ir.Places(k.Lead)...)
	r.gone[k] = true
}

// returns reports that a body returns the results of its last statement, all and in their order.
func returns(b *ir.Body, s *ir.Stmt) bool {
	if len(b.Result) != len(s.Pat) {
		return false
	}
	for k, e := range b.Result {
		if ref, ok := e.(*ir.Ref); !ok || ref.Name != s.Pat[k].Name {
			return false
		}
	}
	return true
}

// plain reports that statements compute a few scalars, and cannot fail.
func plain(stmts []*ir.Stmt) bool {
	w := 0
	for _, s := range stmts {
		c, ok := s.Op.(*ir.Compute)
		if !ok || !ir.Total(c.E) {
			return false
		}
		w += weightOfExp(c.E)
	}
	return w <= maxPrologue
}
