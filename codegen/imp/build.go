package imp

import (
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A block is a list of statements being built, on the host or in a kernel.
type block struct {
	f     *fn
	k     *kernel // nil on the host
	outer *block
	stmts []Stmt
	// nonneg holds scalars that are known not to be negative from here on.
	nonneg  map[string]bool
	extents extentTable // of arrays that exist
	depth   int
	// team: all work-items of a group run this together (Note [Groups]).
	team bool
}

func (b *block) add(s ...Stmt) { b.stmts = append(b.stmts, s...) }

// sub makes a block inside b.
func (b *block) sub() *block {
	return &block{f: b.f, k: b.k, outer: b, nonneg: map[string]bool{}, depth: b.depth + 1, team: b.team}
}

// trial adds what f writes for the host if f says that it is needed. Otherwise nothing of it is left.
func (b *block) trial(f func(b *block) bool) bool {
	vars := len(b.f.out.Vars)
	in := b.sub()
	if f(in) {
		b.add(in.stmts...)
		return true
	}
	for _, v := range b.f.out.Vars[vars:] {
		delete(b.f.declared, v.Name)
	}
	b.f.out.Vars = b.f.out.Vars[:vars]
	return false
}

func (b *block) host() bool { return b.k == nil }

// declare makes a scalar variable of the function or the kernel.
func (b *block) declare(name string, t ir.Prim) *ir.Ref {
	if b.k != nil {
		if !b.k.vars[name] {
			b.k.vars[name] = true
			b.k.out.Vars = append(b.k.out.Vars, Var{name, t})
		}
	} else if !b.f.declared[name] {
		b.f.declared[name] = true
		b.f.out.Vars = append(b.f.out.Vars, Var{name, t})
	}
	return &ir.Ref{Name: name, T: t}
}

// declareMem makes a memory variable of the function or the kernel.
func (b *block) declareMem(name string) string {
	if _, ok := b.f.bound[name]; !ok {
		b.f.bound[name] = len(b.f.bound) + 1
	}
	if b.k != nil {
		if !b.k.ptrs[name] {
			b.k.ptrs[name] = true
			b.k.out.Ptrs = append(b.k.out.Ptrs, name)
			switch a := b.k.arena; b.f.space[b.f.class[name]] {
			case ir.GroupSpace:
				if a != nil && !a.spilled {
					b.k.out.Near[name] = true
				}
			case ir.ThreadSpace:
				b.k.out.Own[name] = true
			}
		}
	} else if !b.f.mems[name] {
		b.f.mems[name] = true
		b.f.out.Mems = append(b.f.out.Mems, name)
	}
	return name
}

// temp makes a new scalar variable.
func (b *block) temp(base string, t ir.Prim) *ir.Ref {
	return b.declare(b.f.temp(base), t)
}

// atom returns e if it is a variable or a literal, else a new variable with its
// value.
func (b *block) atom(e ir.Exp, base string) ir.Exp {
	switch e.(type) {
	case *ir.Ref, *ir.Lit:
		return e
	}
	v := b.temp(base, e.Prim())
	b.add(&Set{Dst: v.Name, E: e})
	return v
}

// set assigns e to a variable, unless it is that variable.
func (b *block) set(dst string, e ir.Exp) {
	if r, ok := e.(*ir.Ref); ok && r.Name == dst {
		return
	}
	b.add(&Set{Dst: dst, E: e})
}

// when adds an If, unless the condition is known.
func (b *block) when(cond ir.Exp, then func(*block), els func(*block)) {
	t, e := b.sub(), b.sub()
	then(t)
	if els != nil {
		els(e)
	}
	if l, ok := cond.(*ir.Lit); ok {
		if l.Bits != 0 {
			b.add(t.stmts...)
		} else {
			b.add(e.stmts...)
		}
		return
	}
	if len(t.stmts)+len(e.stmts) > 0 {
		b.add(&If{Cond: cond, Then: t.stmts, Else: e.stmts})
	}
}

// loop adds a For over a new variable.
func (b *block) loop(base string, size sym.Poly, body func(b *block, i *ir.Ref)) {
	if size.Is(1) {
		body(b, nil)
		return
	}
	i := b.temp(base, ir.I64)
	b.f.bounds[i.Name] = bound{size}
	in := b.sub()
	body(in, i)
	if len(in.stmts) > 0 {
		b.add(&For{Var: i.Name, Bound: size.Exp(), Body: in.stmts})
	}
}

// nest adds loops over a shape and calls body with the indices.
func (b *block) nest(shape []sym.Poly, body func(b *block, ix []sym.Poly)) {
	var level func(b *block, k int, ix []sym.Poly)
	level = func(b *block, k int, ix []sym.Poly) {
		if k == len(shape) {
			body(b, ix)
			return
		}
		b.loop("e", shape[k], func(b *block, i *ir.Ref) {
			p := sym.Const(0)
			if i != nil {
				p = sym.Var(i.Name)
			}
			level(b, k+1, append(ix[:len(ix):len(ix)], p))
		})
	}
	level(b, 0, nil)
}

// Constructors of expressions.

func i64(v int64) ir.Exp { return ir.IntLit(v) }

func binary(op string, x, y ir.Exp) ir.Exp {
	t := x.Prim()
	if v, ok := x.(*ir.Ref); ok && t == ir.I64 && (op == "<=" || op == ">=") {
		if w, ok := y.(*ir.Ref); ok && v.Name == w.Name {
			return ir.BoolLit(true) // OpenCL compilers warn of it
		}
	}
	if ir.Compares(op) || op == "&&" || op == "||" {
		t = ir.Bool
	}
	return folded(&ir.Binary{Op: op, X: x, Y: y, T: t}, x, y)
}

// folded computes an operation on i64 literals, such as the sizes of a program with constant shapes.
func folded(e ir.Exp, operands ...ir.Exp) ir.Exp {
	for _, x := range operands {
		if _, literal := x.(*ir.Lit); !literal || x.Prim() != ir.I64 {
			return e
		}
	}
	bits, ok := scalar.Constant(e)
	switch {
	case !ok:
		return e
	case e.Prim() == ir.Bool:
		return ir.BoolLit(bits != 0)
	}
	return i64(int64(bits))
}

func and(xs ...ir.Exp) ir.Exp {
	var out ir.Exp
	for _, x := range xs {
		switch l, lit := x.(*ir.Lit); {
		case lit && l.Bits != 0:
		case lit:
			return x
		case out == nil:
			out = x
		default:
			out = binary("&&", out, x)
		}
	}
	if out == nil {
		return ir.BoolLit(true)
	}
	return out
}

func or(x, y ir.Exp) ir.Exp {
	switch l, m := known(x), known(y); {
	case l == 1 || m == 0:
		return x
	case l == 0 || m == 1:
		return y
	}
	return binary("||", x, y)
}

// known returns the value of a literal, and -1 for other expressions.
func known(x ir.Exp) int {
	if l, ok := x.(*ir.Lit); ok {
		return int(l.Bits)
	}
	return -1
}

func not(x ir.Exp) ir.Exp {
	switch x := x.(type) {
	case *ir.Lit:
		return ir.BoolLit(x.Bits == 0)
	case *ir.Unary:
		return x.X
	case *ir.Binary:
		if op := ir.Opposite(x.Op); op != "" && !x.X.Prim().Float() {
			return binary(op, x.X, x.Y)
		}
	}
	return &ir.Unary{Op: "!", X: x, T: ir.Bool}
}

// choose returns an i64 that a condition decides.
func choose(c, x, y ir.Exp) ir.Exp {
	switch known(c) {
	case 0:
		return y
	case 1:
		return x
	}
	return &ir.Cond{C: c, X: x, Y: y, T: ir.I64}
}

func builtin(fn string, args ...ir.Exp) ir.Exp {
	return folded(&ir.Builtin{Fn: fn, Args: args, T: args[0].Prim()}, args...)
}

// Arithmetic on i64 expressions, simplified.

func poly(e ir.Exp) sym.Poly      { return sym.Of(e) }
func add(x, y ir.Exp) ir.Exp      { return poly(x).Add(poly(y)).Exp() }
func subtract(x, y ir.Exp) ir.Exp { return poly(x).Sub(poly(y)).Exp() }
func times(x, y ir.Exp) ir.Exp    { return poly(x).Mul(poly(y)).Exp() }
func quotient(x, y ir.Exp) ir.Exp { return binary("/", x, y) }
func minimum(x, y ir.Exp) ir.Exp  { return builtin("min", x, y) }
func maximum(x, y ir.Exp) ir.Exp  { return builtin("max", x, y) }
func less(x, y ir.Exp) ir.Exp     { return binary("<", x, y) }
func equalTo(x, y ir.Exp) ir.Exp  { return binary("==", x, y) }
func product(ps []sym.Poly) sym.Poly {
	p := sym.Const(1)
	for _, q := range ps {
		p = p.Mul(q)
	}
	return p
}

// ceilDiv returns x / n rounded up, for x >= 0 and a positive n.
func ceilDiv(x ir.Exp, n ir.Exp) ir.Exp {
	return quotient(add(x, subtract(n, i64(1))), n)
}
