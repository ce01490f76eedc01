package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/sym"
)

// maxHeight bounds the nesting of an expression: C compilers accept 256
// brackets. What is deeper goes through variables.
const maxHeight = 40

// exp lowers a scalar expression: element reads become Loads, operations that can fail get their
// Checks. An operand that is evaluated only on a condition becomes an If if it reads memory or can
// fail. The result is pure and total.
func (b *block) exp(e ir.Exp) ir.Exp {
	x, _ := b.lower(e)
	return x
}

// into lowers e straight into a variable.
func (b *block) into(dst string, e ir.Exp) {
	switch x := e.(type) {
	case *ir.Index:
		b.read(x, dst)
		return
	case *ir.Cond:
		if b.branches(x) {
			b.choose(x, dst)
			return
		}
	case *ir.Binary:
		if (x.Op == "&&" || x.Op == "||") && b.f.fallible(x.Y) {
			b.shortCircuit(x, dst)
			return
		}
	}
	b.set(dst, b.exp(e))
}

// lower also gives the height of its result.
func (b *block) lower(e ir.Exp) (ir.Exp, int) {
	out, h := b.node(e)
	if h > maxHeight {
		return b.atom(out, "t"), 1
	}
	return out, h
}

func (b *block) node(e ir.Exp) (ir.Exp, int) {
	switch e := e.(type) {
	case *ir.Lit:
		return e, 1
	case *ir.Ref:
		if n, ok := b.f.names[e.Name]; ok {
			return &ir.Ref{Name: n, T: e.T, At: e.At}, 1
		}
		return e, 1
	case *ir.Exist:
		return &ir.Ref{Name: b.f.name(e.Name), T: ir.I64, At: e.At}, 1
	case *ir.Index:
		return b.read(e, ""), 1
	case *ir.Binary:
		if (e.Op == "&&" || e.Op == "||") && b.f.fallible(e.Y) {
			t := b.temp("t", ir.Bool)
			b.shortCircuit(e, t.Name)
			return t, 1
		}
	case *ir.Cond:
		if b.branches(e) {
			t := b.temp("t", e.T)
			b.choose(e, t.Name)
			return t, 1
		}
	}
	h := 0
	out := ir.WithOperands(e, func(x ir.Exp) ir.Exp {
		x, height := b.lower(x)
		h = max(h, height)
		return x
	})
	switch out := out.(type) {
	case *ir.Convert:
		if out.X.Prim() == out.T {
			return out.X, h
		}
	case *ir.Binary:
		b.checkOperands(e, out.Op, out.Y)
		if q := b.divided(out, out.X, out.Y); q != nil {
			return q, 3
		}
	case *ir.Builtin:
		if out.Fn == "fdiv" || out.Fn == "fmod" {
			b.checkOperands(e, out.Fn, out.Args[1])
		}
	}
	return out, h + 1
}

// divided lowers a division of an index variable of a kernel by what is the same for the
// whole launch: by an inverse, as index spaces are (unravel). It is nil of other operations.
func (b *block) divided(e *ir.Binary, x, y ir.Exp) ir.Exp {
	v, isVar := x.(*ir.Ref)
	_, named := y.(*ir.Ref)
	if b.host() || b.tasks() || !isVar || !named || e.T != ir.I64 || e.Op != "/" && e.Op != "%" {
		return nil
	}
	below, ok := b.f.bounds[v.Name]
	n := sym.Of(y)
	if !ok || !b.onHost([]sym.Poly{n, below.size}) {
		return nil
	}
	q := b.atom(&ir.Builtin{Fn: QuotientFn, Args: []ir.Exp{x, y, b.inverse(n, below.size)}, T: ir.I64}, "quotient")
	b.f.learn(q.(*ir.Ref).Name, &ir.Binary{Op: "/", X: x, Y: y, T: ir.I64})
	if e.Op == "/" {
		return q
	}
	return index(subtract(x, times(q, y)))
}

// shortCircuit evaluates the right operand of && or || only where the left one
// does not decide.
func (b *block) shortCircuit(e *ir.Binary, dst string) {
	t := b.declare(dst, ir.Bool)
	b.into(dst, e.X)
	var cond ir.Exp = t
	if e.Op == "||" {
		cond = not(t)
	}
	b.when(cond, func(in *block) { in.into(dst, e.Y) }, nil)
}

// choose evaluates the taken side of a conditional.
func (b *block) choose(e *ir.Cond, dst string) {
	b.declare(dst, e.T)
	b.when(b.exp(e.C),
		func(in *block) { in.into(dst, e.X) },
		func(in *block) { in.into(dst, e.Y) })
}

// read lowers an element read into dst, or into a new variable.
func (b *block) read(e *ir.Index, dst string) ir.Exp {
	a := b.f.arrays[e.Array]
	ix := make([]sym.Poly, len(e.Indices))
	for d, i := range e.Indices {
		ix[d] = b.index(i)
	}
	for d := range ix {
		if !b.f.l.opt.Unsafe && !b.f.inRange(ix[d], a.shape()[d]) && !b.f.l.never.Index(e, d) {
			b.checkIndex(a, d, ix[d], spanOf(e.Indices[d], e.At))
		}
	}
	off := b.offset(a, ix)
	if dst == "" {
		dst = b.f.temp(b.f.name(e.Array) + "_e")
	}
	v := b.declare(dst, a.prim)
	b.get(&Load{Dst: dst, Prim: a.prim, Mem: a.mem, Off: off})
	return v
}

// get adds a read of an element.
func (b *block) get(l *Load) {
	if b.host() {
		b.add(&Fetch{Loads: []*Load{l}})
		return
	}
	b.add(l)
}

// index lowers an index to a small polynomial. An index that is more than a sum of two terms
// becomes a variable, since checks and offsets mention it several times. The variable's definition
// is remembered, so that places that mention it can be compared.
func (b *block) index(e ir.Exp) sym.Poly {
	x := b.exp(e)
	if bin, ok := x.(*ir.Binary); ok && (bin.Op == "+" || bin.Op == "-") && simple(bin.X) && simple(bin.Y) {
		return sym.Of(x)
	}
	if u, ok := x.(*ir.Unary); ok && u.Op == "-" && simple(u.X) {
		return sym.Of(x)
	}
	v := b.atom(x, "i")
	if r, ok := v.(*ir.Ref); ok && v != x {
		b.f.learn(r.Name, x)
	}
	return sym.Of(v)
}

func simple(e ir.Exp) bool {
	switch e.(type) {
	case *ir.Ref, *ir.Lit:
		return true
	}
	return false
}

// fallible reports whether evaluating e reads memory or can fail.
func (f *fn) fallible(e ir.Exp) bool {
	switch e := e.(type) {
	case *ir.Index:
		return true
	case *ir.Unary:
		return f.fallible(e.X)
	case *ir.Convert:
		return f.fallible(e.X)
	case *ir.Binary, *ir.Cond, *ir.Builtin:
		if v, ok := f.impure[e]; ok {
			return v
		}
		v := f.partial(e)
		f.impure[e] = v
		return v
	}
	return false
}

func (f *fn) partial(e ir.Exp) bool {
	bad := failsAlone(e)
	ir.Operands(e, func(x ir.Exp) { bad = bad || f.fallible(x) })
	return bad
}

// failsAlone reports whether an operation may fail whose operands do not.
func failsAlone(e ir.Exp) bool {
	switch e := e.(type) {
	case *ir.Binary:
		return ir.Fails(e.Op, e.Y)
	case *ir.Builtin:
		return len(e.Args) > 1 && ir.Fails(e.Fn, e.Args[1])
	}
	return false
}

// checkOperands checks the second operand of a division or power.
func (b *block) checkOperands(e ir.Exp, op string, y ir.Exp) {
	if b.f.l.opt.Unsafe || !ir.Fails(op, y) {
		return
	}
	zero := &ir.Lit{Text: "0", T: y.Prim()}
	if op == "**" {
		b.check(binary(">=", y, zero), b.f.l.fault(diag.NegativePower, e.Span(), 0, "negative exponent"))
		return
	}
	if b.f.l.never.Divisor(e) {
		return
	}
	b.check(binary("!=", y, zero), b.f.l.fault(diag.DividedByZero, e.Span(), 0, "division by zero in `"+quote(ir.ExpString(e))+"`"))
}

// shallow bounds the height of a pure expression.
func (b *block) shallow(e ir.Exp) ir.Exp {
	if height(e, maxHeight) <= maxHeight {
		return e
	}
	x, _ := b.node(e)
	return x
}

// height returns the height of e, or something above limit.
func height(e ir.Exp, limit int) int {
	if limit < 0 {
		return 1
	}
	h := 0
	ir.Operands(e, func(x ir.Exp) { h = max(h, height(x, limit-1)) })
	return h + 1
}
