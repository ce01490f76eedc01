package check

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/inline"
)

// Note [Calls in kernels]
//
// A kernel's body may call functions; those of functions with places contain no kernel themselves, nor do those
// that an operator calls. The last step of elaboration inlines these calls (ir/inline), so that no later stage
// meets a call in a kernel, and drops the functions that only kernels called.
//
// If arrays are involved, caller and callee must be both explicit or both memory-agnostic.
// Otherwise the callee's places would make an agnostic caller explicit, or an explicit caller would
// lack places.

// maxInlined bounds the statements that calls in the kernels of a program become.
const maxInlined = 100_000

// callInKernel reports why a function cannot be called in a kernel.
func (c *fn) callInKernel(s *ir.Stmt, g *ir.Func) {
	for _, f := range inline.Reached(c.p, g) {
		arrays := usesArrays(f)
		switch inner := kernelIn(f); {
		case inner != nil && (c.combine || c.explicit):
			part := "body"
			if c.combine {
				part = "operator"
			}
			c.errorf(diag.KernelWithin, s.Span, "`%s` is called in the %s of a `%s`, but has a kernel itself", g.Name, part, c.kernel.what).
				With(inner.Span, "this kernel").
				Hinted("write a `loop` in place of the inner kernel, or call the function before the kernel")
			return
		case arrays && c.combine:
			c.errorf(diag.OperatorScalars, s.Span, "`%s` uses arrays and is called in an operator, which works on scalars only", g.Name).
				With(f.Span, "arrays are used here")
			return
		case arrays && ir.IsExplicit(f) != c.explicit:
			c.errorf(diag.HalfPlaced, s.Span, "`%s` uses arrays and is called in a kernel, but only one of it and `%s` says where its arrays live", g.Name, c.f.Name).
				With(f.Span, "arrays are used here").
				Hinted("write places (@ m) in both functions, or in none")
			return
		}
	}
	for _, e := range s.Pat {
		if c.explicit && e.Type.Kind == ir.ArrayKind && existential(e.Type.Place) {
			c.diags.Limitf(s.Span, "`%s` returns an array to a kernel of a function that has places", g.Name).
				Hinted("return scalars, or write both functions without places")
		}
	}
}

// usesArrays reports whether a function has arrays or blocks of its own. At this time types may
// still be missing, but not on statements that make arrays.
func usesArrays(f *ir.Func) bool {
	found := false
	elem := func(e *ir.Elem) {
		found = found || e.Type.Kind == ir.ArrayKind || e.Type.Kind == ir.MemKind
	}
	for _, p := range f.Params {
		elem(p)
	}
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		for _, e := range s.Pat {
			elem(e)
		}
		ir.Elems(s.Op, elem)
		switch s.Op.(type) {
		case *ir.Compute, *ir.Assert, *ir.If, *ir.Loop, *ir.Call:
		default:
			found = true
		}
		return !found
	})
	return found
}

// kernelIn returns a kernel of a function, or nil.
func kernelIn(f *ir.Func) (found *ir.Stmt) {
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		if _, ok := ir.KernelSpace(s.Op); ok && found == nil {
			found = s
		}
		return found == nil
	})
	return found
}

// inline replaces the calls in the kernels of an elaborated program.
func (c *checker) inline() {
	if at := c.tooMany(); at != nil {
		c.diags.Limitf(at.Span, "the calls in kernels become more than %d statements", maxInlined).
			Hinted("call functions before the kernel, or from fewer places")
		return
	}
	calls := &inline.Calls{
		Names:  ir.NewStock(c.p),
		Callee: func(_ *ir.Stmt, op *ir.Call) *ir.Func { return c.funcs[op.Fn] },
		Placed: placed,
	}
	before := inline.FromEntries(c.p)
	for _, f := range c.p.Funcs {
		calls.Enter(f)
		kernelBodies(f, calls.Body)
	}
	inline.Prune(c.p, before)
}

// kernelBodies calls f for the bodies of the kernels of a function.
func kernelBodies(g *ir.Func, f func(b *ir.Body)) {
	ir.WalkStmts(g.Body, func(s *ir.Stmt) bool {
		_, kernel := ir.KernelSpace(s.Op)
		if kernel {
			for _, b := range ir.Bodies(s.Op) {
				f(b)
			}
		}
		return !kernel
	})
}

// tooMany returns the call that makes the statements too many, or nil.
func (c *checker) tooMany() (at *ir.Stmt) {
	total, sizes := 0, map[string]int{}
	for _, f := range c.p.Funcs {
		kernelBodies(f, func(b *ir.Body) {
			ir.WalkStmts(b, func(s *ir.Stmt) bool {
				if op, ok := s.Op.(*ir.Call); ok {
					if total += c.statements(op.Fn, sizes); total > maxInlined && at == nil {
						at = s
					}
				}
				return true
			})
		})
	}
	return at
}

// statements counts the statements that a call of the function becomes, up to the limit. It keeps
// the counts in sizes.
func (c *checker) statements(name string, sizes map[string]int) int {
	if n, ok := sizes[name]; ok {
		return n
	}
	f := c.funcs[name]
	n := len(f.Sizes) + len(f.Params) + len(f.Results)
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		n++
		if op, ok := s.Op.(*ir.Call); ok {
			n += c.statements(op.Fn, sizes)
		}
		return true
	})
	sizes[name] = min(n, maxInlined+1)
	return sizes[name]
}

// placed binds the names that the place of a parameter binds, for an argument, and returns the
// argument's place.
func placed(p *ir.Elem, arg ir.Type, bind func(name, block string, e ir.Exp)) *ir.Place {
	solutions, _ := Solve(p.Type, arg) // it fits: the call was checked
	for _, x := range solutions {
		bind(x.Name, x.Mem, x.Exp)
	}
	return referring(arg.Place)
}

// referring returns a place that refers to the names that the given one binds.
func referring(p *ir.Place) *ir.Place {
	n := ir.ClonePlace(p)
	n.Exist = false
	ref := func(e ir.Exp) ir.Exp {
		return ir.MapExp(e, func(e ir.Exp) ir.Exp {
			if x, ok := e.(*ir.Exist); ok {
				return &ir.Ref{Name: x.Name, T: ir.I64, At: x.At}
			}
			return e
		})
	}
	for _, op := range n.Ix {
		if op, ok := op.(*ir.LMAD); ok {
			op.Offset = ref(op.Offset)
			for i := range op.Dims {
				op.Dims[i] = ir.LMADDim{Len: ref(op.Dims[i].Len), Stride: ref(op.Dims[i].Stride)}
			}
		}
	}
	return n
}
