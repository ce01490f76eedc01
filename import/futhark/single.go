package futhark

import "github.com/memc-lang/memc/ir"

// Note [Reductions to one value]
//
// Kernels of Futhark's return only arrays. So a reduction to one value has an outer dimension of
// one, the host reads element 0, and the value needs a block. memc's reductions return scalars. The
// dimension is omitted if the elements are only read, and some of them by the host, which has to
// wait for them in any case. A value that only kernels read stays on the device.

// singles turns reductions to arrays of one element into those to scalars.
func singles(f *ir.Func) {
	r := readsOf(f)
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		op, ok := s.Op.(*ir.Reduce)
		if ok && r.single(s, op) {
			op.Space = op.Space[1:]
			for _, e := range s.Pat {
				e.Type = ir.Scalar(e.Type.Prim)
				for _, x := range r.of[e.Name] {
					x.whole.Op = &ir.Compute{E: &ir.Ref{Name: e.Name, T: e.Type.Prim, At: x.exp.At}}
				}
			}
		}
		_, kernel := ir.KernelSpace(s.Op)
		return !kernel
	})
}

// single reports whether a reduction gives arrays of one element of which only that
// is ever needed, by the host.
func (r *reads) single(s *ir.Stmt, op *ir.Reduce) bool {
	if len(op.Space) != 2 || !isConst(op.Space[0].Size, 1) || len(s.Pat) != len(op.Op.Neutral) {
		return false
	}
	if outer := op.Space[0].Var; r.other[outer] {
		return false
	}
	host := false
	for _, e := range s.Pat {
		if e.Type.Kind != ir.ArrayKind || e.Type.Rank() != 1 || r.other[e.Name] {
			return false
		}
		for _, x := range r.of[e.Name] {
			if x.whole == nil || !isConst(x.exp.Indices[0], 0) {
				return false
			}
			host = host || !x.inKernel
		}
	}
	return host
}
