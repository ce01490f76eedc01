package fuse

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Kernels that write side by side]
//
// Kernels that write elements of arrays, wherever their threads say, join as maps do (Note [Kernels side by side]).
//
//	let s = hist zero (i < n) op (a, b) { in a + b } neutral (0) { in (at[i], x[i]) }
//	let c = hist none (i < n) op (p, q) { in p + q } neutral (0) { in (at[i], 1) }
//
// become
//
//	let (s, c) = map (i < n) into (zero op (a, b) { in a + b } neutral (0), none op (p, q) { in p + q } neutral (0)) {
//	  into zero [at[i]] = x[i]
//	  into none [at[i]] = 1
//	  in ()
//	}
//
// and then nothing but this kernel reads `at`, so it need not be stored. Each array keeps its own operator and
// its own indices, so no element is combined with others than before. They join for such an array only: where
// threads wait for one another at the elements, one kernel takes as long as two, or longer.

// writes reports whether a kernel is one that writes scalars into elements of arrays.
func writes(s *ir.Stmt) bool {
	switch op := s.Op.(type) {
	case *ir.Scatter, *ir.Hist:
		b := ir.KernelBody(op)
		return len(b.Result) == len(s.Pat)+s.Pat[0].Type.Rank() &&
			!slices.ContainsFunc(b.Result, func(e ir.Exp) bool { return e.Prim() == ir.Unknown })
	case *ir.Into:
		return true
	}
	return false
}

// between reports that an array of a body is made for kernels of one kind and over the same points only.
func (r *round) between(x string, b *ir.Body, key string) bool {
	a := r.arrays[x]
	return a.body == b && a.stmt != nil && !a.stays && len(a.whole) == 0 &&
		!slices.ContainsFunc(a.readers, func(s *ir.Stmt) bool { return r.joins(s) != key })
}

// writer returns a kernel that writes as one whose body says where.
func writer(s *ir.Stmt) *ir.Into {
	var acc ir.Accumulator
	switch op := s.Op.(type) {
	case *ir.Into:
		return op
	case *ir.Scatter:
		acc = ir.Accumulator{Dests: op.Dests, Any: op.Any}
	case *ir.Hist:
		acc = ir.Accumulator{Dests: op.Dests, Op: &op.Op}
	}
	space, _ := ir.KernelSpace(s.Op)
	b := ir.KernelBody(s.Op)
	rank := len(b.Result) - len(acc.Dests)
	put := &ir.Put{Dests: acc.Dests, Index: b.Result[:rank], Values: b.Result[rank:]}
	b.Stmts, b.Result = append(b.Stmts, &ir.Stmt{Op: put, Span: s.Span}), nil
	return &ir.Into{Space: space, Accs: []ir.Accumulator{acc}, Body: b}
}
