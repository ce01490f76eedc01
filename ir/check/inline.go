package check

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Calls in kernels]
//
// A kernel's body may call functions that contain no kernel themselves. The last step of
// elaboration inlines these calls, so that no later stage meets a call in a kernel, and drops the
// functions that only kernels called. Every name of the callee becomes a new one. Lets bind
// parameters and sizes, with their written types, so that the sizes that a call compares are
// compared here as well:
//
//	fun dot [n] (xs: [n]f32, ys: [n]f32) : f32 = { .. in s }
//	let r = dot(as, bs)
//
//	let n'2 = k
//	let xs'2: [n'2]f32 = as
//	let ys'2: [n'2]f32 = bs
//	..
//	let r = s'2
//
// If arrays are involved, caller and callee must be both explicit or both memory-agnostic.
// Otherwise the callee's places would make an agnostic caller explicit, or an explicit caller would
// lack places.

// maxInlined bounds the statements that calls in the kernels of a program become.
const maxInlined = 100_000

// callInKernel reports why a function cannot be called in a kernel.
func (c *fn) callInKernel(s *ir.Stmt, g *ir.Func) {
	for _, f := range c.reached(g) {
		arrays := usesArrays(f)
		switch inner := kernelIn(f); {
		case inner != nil:
			c.errorf(s.Span, "`%s` is called in the body of a `%s`, but has a kernel itself", g.Name, c.kernel.what).
				With(inner.Span, "this kernel").
				Hinted("write a `loop` in place of the inner kernel, or call the function before the kernel")
			return
		case arrays && c.combine:
			c.errorf(s.Span, "`%s` uses arrays and is called in an operator, which works on scalars only", g.Name).
				With(f.Span, "arrays are used here")
			return
		case arrays && ir.IsExplicit(f) != c.explicit:
			c.errorf(s.Span, "`%s` uses arrays and is called in a kernel, but only one of it and `%s` says where its arrays live", g.Name, c.f.Name).
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

// reached returns functions and all that they call.
func (c *checker) reached(roots ...*ir.Func) []*ir.Func {
	out := slices.Clone(roots)
	seen := map[*ir.Func]bool{}
	for _, f := range roots {
		seen[f] = true
	}
	for i := 0; i < len(out); i++ {
		ir.WalkStmts(out[i].Body, func(s *ir.Stmt) bool {
			if op, ok := s.Op.(*ir.Call); ok {
				if f := c.funcs[op.Fn]; f != nil && !seen[f] {
					seen[f] = true
					out = append(out, f)
				}
			}
			return true
		})
	}
	return out
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
	in := &inliner{checker: c, stock: &nameStock{p: c.p}, sizes: map[string]int{}}
	if at := in.tooMany(); at != nil {
		c.diags.Limitf(at.Span, "the calls in kernels become more than %d statements", maxInlined).
			Hinted("call functions before the kernel, or from fewer places")
		return
	}
	before := c.called(func(f *ir.Func) bool { return f.Entry })
	for _, w := range c.walks {
		in.types = map[string]*ir.Type{}
		for name, b := range w.names {
			in.types[name] = b.t
		}
		kernelBodies(w.f, in.body)
	}
	// A function that no entry needed stays, with those that it calls.
	after := c.called(func(f *ir.Func) bool { return f.Entry || !before[f] })
	c.p.Funcs = slices.DeleteFunc(c.p.Funcs, func(f *ir.Func) bool { return !after[f] })
	c.p.Number()
}

// called returns the functions that some of them reach, and these.
func (c *checker) called(from func(f *ir.Func) bool) map[*ir.Func]bool {
	var roots []*ir.Func
	for _, f := range c.p.Funcs {
		if from(f) {
			roots = append(roots, f)
		}
	}
	out := map[*ir.Func]bool{}
	for _, f := range c.reached(roots...) {
		out[f] = true
	}
	return out
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

type inliner struct {
	*checker
	stock *nameStock
	types map[string]*ir.Type // of the names of the function under way
	sizes map[string]int      // how many statements a call of the function becomes
}

// tooMany returns the call that makes the statements too many, or nil.
func (in *inliner) tooMany() (at *ir.Stmt) {
	total := 0
	for _, f := range in.p.Funcs {
		kernelBodies(f, func(b *ir.Body) {
			ir.WalkStmts(b, func(s *ir.Stmt) bool {
				if op, ok := s.Op.(*ir.Call); ok {
					if total += in.statements(op.Fn); total > maxInlined && at == nil {
						at = s
					}
				}
				return true
			})
		})
	}
	return at
}

// statements counts the statements that a call of the function becomes, up to the limit.
func (in *inliner) statements(name string) int {
	if n, ok := in.sizes[name]; ok {
		return n
	}
	f := in.funcs[name]
	n := len(f.Sizes) + len(f.Params) + len(f.Results)
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		n++
		if op, ok := s.Op.(*ir.Call); ok {
			n += in.statements(op.Fn)
		}
		return true
	})
	in.sizes[name] = min(n, maxInlined+1)
	return in.sizes[name]
}

// body replaces the calls in a body.
func (in *inliner) body(b *ir.Body) {
	var out []*ir.Stmt
	for i, s := range b.Stmts {
		op, call := s.Op.(*ir.Call)
		if call && out == nil {
			out = append(out, b.Stmts[:i]...)
		}
		switch {
		case call:
			out = append(out, in.call(s, op)...)
		case out != nil:
			out = append(out, s)
		}
		for _, inner := range ir.Bodies(s.Op) {
			in.body(inner)
		}
	}
	if out != nil {
		b.Stmts = out
	}
}

// call returns the statements that a call becomes.
func (in *inliner) call(s *ir.Stmt, op *ir.Call) []*ir.Stmt {
	g := ir.CloneFunc(in.funcs[op.Fn])
	sc := newScoper(in.p, in.diags, in.stock)
	sc.renew = true
	var out []*ir.Stmt
	emit := func(e *ir.Elem, op ir.Op) {
		out = append(out, &ir.Stmt{Pat: []*ir.Elem{e}, Op: op, Span: s.Span})
	}
	i64 := func(name string, e ir.Exp) {
		emit(&ir.Elem{Name: name, Type: ir.Scalar(ir.I64)}, &ir.Compute{E: e})
	}
	for i := range g.Sizes {
		size := in.size(g, g.Sizes[i], op)
		sc.bind(&g.Sizes[i], s.Span)
		i64(g.Sizes[i], size)
	}
	for i, p := range g.Params {
		arg := op.Args[i]
		switch p.Type.Kind {
		case ir.MemKind:
			sc.visible[p.Name] = visible{arg.(*ir.Ref).Name, s.Span}
		case ir.ArrayKind:
			in.arrayParam(sc, p, arg.(*ir.Ref).Name, i64)
			emit(p, &ir.Alias{X: arg.(*ir.Ref).Name})
		default:
			sc.bind(&p.Name, p.Span)
			emit(p, &ir.Compute{E: arg})
		}
	}
	sc.inside(g.Body)
	out = append(out, g.Body.Stmts...)
	for _, kind := range []ir.Kind{ir.ScalarKind, ir.MemKind, ir.ArrayKind} { // sizes before the arrays that they size
		for i, e := range s.Pat {
			if e.Type.Kind != kind {
				continue
			}
			if kind == ir.ScalarKind {
				emit(e, &ir.Compute{E: g.Body.Result[i]})
			} else {
				emit(e, &ir.Alias{X: g.Body.Result[i].(*ir.Ref).Name})
			}
		}
	}
	if len(out) > 0 {
		out[0].Lead, out[0].Blank = s.Lead, s.Blank
		out[len(out)-1].Trail = s.Trail
	}
	b := &ir.Body{Stmts: out}
	in.learn(b)
	in.body(b)
	return b.Stmts
}

// size returns the value of g's size variable n in a call.
func (in *inliner) size(g *ir.Func, n string, op *ir.Call) ir.Exp {
	for i, p := range g.Params {
		for k, d := range p.Type.Shape {
			if d.Name == n {
				return in.types[op.Args[i].(*ir.Ref).Name].Shape[k].Exp()
			}
		}
	}
	panic("check: the size " + n + " of " + g.Name + " is no dim of a parameter")
}

// arrayParam makes the parameter p of a callee another name of the array arg.
func (in *inliner) arrayParam(sc *scoper, p *ir.Elem, arg string, i64 func(string, ir.Exp)) {
	from := *in.types[arg]
	if p.Type.Place != nil {
		binds, _ := Solve(p.Type, from) // it fits: the call was checked
		for _, x := range binds {
			if x.Mem != "" {
				sc.visible[x.Name] = visible{x.Mem, p.Span}
				continue
			}
			name := x.Name
			sc.bind(&name, p.Span)
			i64(name, x.Exp)
		}
		p.Type.Place = referring(from.Place)
	}
	sc.bind(&p.Name, p.Span)
	for k := range p.Type.Shape {
		sc.use(&p.Type.Shape[k].Name)
	}
	p.Type.Unique = false
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

// learn records the types of the names that a body binds.
func (in *inliner) learn(b *ir.Body) {
	elem := func(e *ir.Elem) { in.types[e.Name] = &e.Type }
	ir.WalkStmts(b, func(s *ir.Stmt) bool {
		for _, e := range s.Pat {
			elem(e)
		}
		ir.Elems(s.Op, elem)
		return true
	})
}
