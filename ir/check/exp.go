package check

import (
	"fmt"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// Note [Open types]
//
// synth computes the type of an expression bottom-up. If the expression consists of literals
// without a suffix, the answer is an open type, and the T fields of these nodes stay Unknown.
// settle then gives them the type that the context requires. Every node is synthesised once and
// settled at most once, so typing is linear. The answer Unknown means that an error was reported;
// Unknown agrees with every type.

// exp checks e against the type wanted (Unknown: any) and returns its type. what is the role of e
// in messages: "the size", "the index".
func (c *fn) exp(e ir.Exp, want ir.Prim, what string) ir.Prim {
	return c.fit(e, c.synth(e), want, what)
}

// fit settles e, whose synthesised type is t, to the type wanted.
func (c *fn) fit(e ir.Exp, t, want ir.Prim, what string) ir.Prim {
	switch {
	case open(t):
		if want == ir.Unknown {
			want = closed(t)
		}
		c.settle(e, want)
		return want
	case t == ir.Unknown || want == ir.Unknown || t == want:
		return t
	}
	d := c.errorf(diag.WrongType, e.Span(), "%s is of type %s, but %s is needed", what, t, want)
	if want != ir.Bool {
		d.Hinted("convert it: %s(%s)", want, c.text(e))
	}
	return ir.Unknown
}

// set records a type, or in a read-only walk compares it.
func (c *fn) set(at *ir.Prim, t ir.Prim, e ir.Exp) ir.Prim {
	if c.elab {
		*at = t
	} else if *at != t && t != ir.Unknown {
		c.bugf(e.Span(), "the expression `%s` has type %s recorded, not %s", c.text(e), *at, t)
	}
	return t
}

func (c *fn) synth(e ir.Exp) ir.Prim {
	switch e := e.(type) {
	case *ir.Lit:
		return c.synthLit(e, false)
	case *ir.Ref:
		return c.synthRef(e)
	case *ir.Exist:
		if !c.existOK {
			c.bugf(e.At, "`?%s` stands outside an existential place", e.Name)
			return ir.Unknown
		}
		return ir.I64
	case *ir.Index:
		return c.synthIndex(e)
	case *ir.Unary:
		return c.synthUnary(e)
	case *ir.Binary:
		return c.synthBinary(e)
	case *ir.Cond:
		c.exp(e.C, ir.Bool, "the condition")
		if c.choosesArray(e) {
			return ir.Unknown
		}
		t := c.join(e.X, e.Y, "the two sides of `if`")
		if !open(t) {
			c.set(&e.T, t, e)
		}
		return t
	case *ir.Convert:
		c.exp(e.X, ir.Unknown, "")
		return e.T
	case *ir.Builtin:
		return c.synthBuiltin(e)
	}
	return ir.Unknown
}

func (c *fn) synthLit(e *ir.Lit, negated bool) ir.Prim {
	t := e.T
	if t == ir.Unknown {
		if t = openOf(e); open(t) {
			if !c.elab {
				c.bugf(e.At, "the literal `%s` has no type recorded", clip(e.Text))
				return ir.Unknown
			}
			return t
		}
	}
	c.literal(e, t, negated)
	return t
}

func (c *fn) synthRef(e *ir.Ref) ir.Prim {
	b := c.lookup(e.Name, e.At)
	if b == nil {
		return ir.Unknown
	}
	switch b.t.Kind {
	case ir.ScalarKind:
		return c.set(&e.T, b.t.Prim, e)
	case ir.ArrayKind:
		c.errorf(diag.NeedsScalar, e.At, "`%s` is an array, but a scalar is needed here", e.Name).
			With(b.span, "its type is %s", short(*b.t)).
			Hinted("read an element: %s[...]", e.Name)
	case ir.MemKind:
		c.errorf(diag.NeedsScalar, e.At, "`%s` is a memory block, but a scalar is needed here", e.Name).With(b.span, "it is bound here")
	}
	return ir.Unknown
}

// choosesArray reports an `if` expression between arrays: only the statement has arrays as results.
func (c *fn) choosesArray(e *ir.Cond) bool {
	for _, side := range []ir.Exp{e.X, e.Y} {
		r, ok := side.(*ir.Ref)
		if !ok {
			continue
		}
		if b := c.lookup(r.Name, r.At); b != nil && b.t.Kind == ir.ArrayKind {
			c.errorf(diag.NeedsScalar, r.At, "`%s` is an array, but the sides of an `if` expression are scalars", r.Name).
				With(b.span, "its type is %s", short(*b.t)).
				Hinted("write the statement, which gives arrays too: if %s { in %s } else { in %s }", c.text(e.C), c.text(e.X), c.text(e.Y))
			return true
		}
	}
	return false
}

func (c *fn) synthIndex(e *ir.Index) ir.Prim {
	for _, x := range e.Indices {
		c.exp(x, ir.I64, "an index")
	}
	if c.noReads {
		c.errorf(diag.PlaceReads, e.At, "a place may not read an array").Hinted("bind the element to a name first: let k = %s", c.text(e))
		return ir.Unknown
	}
	b := c.array(e.Array, e.At)
	if b == nil {
		return ir.Unknown
	}
	if len(e.Indices) != b.t.Rank() {
		given := fmt.Sprintf("%d indices stand", len(e.Indices))
		if len(e.Indices) == 1 {
			given = "1 index stands"
		}
		c.errorf(diag.WrongRank, e.At, "`%s` has %s, but %s here", e.Array, count(b.t.Rank(), "dimension"), given).
			With(b.span, "its type is %s", short(*b.t)).
			Hinted("a part of an array is taken with slice items: %s[i, (start, length)]", e.Array)
	}
	return c.set(&e.T, b.t.Prim, e)
}

func (c *fn) synthUnary(e *ir.Unary) ir.Prim {
	var t ir.Prim
	if l, ok := e.X.(*ir.Lit); ok && e.Op == "-" {
		t = c.synthLit(l, true)
	} else {
		t = c.synth(e.X)
	}
	return c.operation(e.Op, t, &e.T, e)
}

func (c *fn) synthBinary(e *ir.Binary) ir.Prim {
	t := c.join(e.X, e.Y, "the operands of `"+e.Op+"`")
	if ir.Compares(e.Op) {
		if open(t) {
			t = closed(t)
			c.settle(e.X, t)
			c.settle(e.Y, t)
		}
		c.allowed(e.Op, t, e)
		return c.set(&e.T, ir.Bool, e)
	}
	return c.operation(e.Op, t, &e.T, e)
}

// operation sets the type of an operation that is its operands', if that is known and allowed.
func (c *fn) operation(op string, t ir.Prim, of *ir.Prim, e ir.Exp) ir.Prim {
	if !c.allowed(op, t, e) {
		return ir.Unknown
	}
	if !open(t) {
		c.set(of, t, e)
	}
	return t
}

func (c *fn) synthBuiltin(e *ir.Builtin) ir.Prim {
	sig, ok := ir.Builtins[e.Fn]
	if !ok {
		c.bugf(e.At, "there is no built-in function `%s`", e.Fn)
		return ir.Unknown
	}
	if len(e.Args) != sig.Args {
		c.errorf(diag.ArgumentCount, e.At, "`%s` takes %d operands, but %d stand here", e.Fn, sig.Args, len(e.Args))
		return ir.Unknown
	}
	t := c.synth(e.Args[0])
	for _, a := range e.Args[1:] {
		t = c.meet(t, c.synth(a), e.Args[0], a, "the operands of `"+e.Fn+"`")
	}
	if t == openInt && !sig.Integer {
		t = openFloat
	}
	if t == openFloat && !sig.Float || !open(t) && t != ir.Unknown &&
		(t.Integer() && !sig.Integer || t.Float() && !sig.Float || t == ir.Bool) {
		c.errorf(diag.OperandType, e.At, "`%s` does not take operands of type %s", e.Fn, closed(t))
		return ir.Unknown
	}
	result := sig.ResultOn(closed(t))
	switch {
	case sig.Bits && result == ir.Unknown && t != ir.Unknown:
		c.errorf(diag.OperandType, e.At, "`%s` does not take operands of type %s", e.Fn, closed(t))
		return ir.Unknown
	case result == ir.Unknown && open(t):
		return t
	case result == ir.Unknown:
		result = t
	}
	for _, a := range e.Args {
		c.settle(a, closed(t))
	}
	return c.set(&e.T, result, e)
}

// join synthesises two operands that must have one type. If one of them is open, it gets the type
// of the other.
func (c *fn) join(x, y ir.Exp, what string) ir.Prim {
	tx, ty := c.synth(x), c.synth(y)
	t := c.meet(tx, ty, x, y, what)
	if !open(t) && t != ir.Unknown {
		c.settle(x, t)
		c.settle(y, t)
	}
	return t
}

// meet returns the common type of two operands.
func (c *fn) meet(x, y ir.Prim, ex, ey ir.Exp, what string) ir.Prim {
	switch {
	case x == ir.Unknown || y == ir.Unknown:
		return ir.Unknown
	case x == y:
		return x
	case open(x) && open(y):
		return openFloat
	case open(x) && (y != ir.Bool):
		return y
	case open(y) && (x != ir.Bool):
		return x
	}
	d := c.errorf(diag.OneType, ex.Span(), "%s are of types %s and %s, but one type is needed", what, closed(x), closed(y))
	if x != ir.Bool && y != ir.Bool {
		// To the larger one; of two as large to the first.
		to, e := x, ey
		if y.Float() && !x.Float() || y.Float() == x.Float() && y.Size() > x.Size() {
			to, e = y, ex
		}
		d.Hinted("convert one of them: %s(%s)", to, c.text(e))
	}
	return ir.Unknown
}

// allowed reports whether op works on operands of type t.
func (c *fn) allowed(op string, t ir.Prim, e ir.Exp) bool {
	if t == ir.Unknown {
		return false
	}
	p := closed(t)
	ok := true
	switch op {
	case "&&", "||", "!":
		ok = p == ir.Bool
	case "&", "|", "^", "<<", ">>", "~":
		ok = p.Integer()
	case "==", "!=":
	default:
		ok = p != ir.Bool
	}
	if !ok {
		d := c.errorf(diag.OperandType, e.Span(), "`%s` does not work on operands of type %s", op, p)
		if in := instead(op, p); in != "" {
			d.Hinted("%s", in)
		}
	}
	return ok
}

// instead suggests another text for an operator that does not work on a type.
func instead(op string, p ir.Prim) string {
	switch {
	case p == ir.Bool:
		if b := map[string]string{"&": "&&", "|": "||", "^": "!=", "~": "!"}[op]; b != "" {
			return "on bools it is `" + b + "`"
		}
		return "convert to an integer first: i32(...)"
	case p.Integer():
		if b := map[string]string{"&&": "&", "||": "|", "!": "~"}[op]; b != "" {
			return "compare with 0 first, as in x != 0; on bits it is `" + b + "`"
		}
	}
	return ""
}

// settle gives the open parts of e the type t.
func (c *fn) settle(e ir.Exp, t ir.Prim) {
	switch e := e.(type) {
	case *ir.Lit:
		if e.T == ir.Unknown {
			c.literal(e, t, false)
		}
	case *ir.Unary:
		if e.T != ir.Unknown || !c.allowed(e.Op, t, e) {
			return
		}
		c.set(&e.T, t, e)
		if l, ok := e.X.(*ir.Lit); ok && e.Op == "-" {
			c.literal(l, t, true)
			return
		}
		c.settle(e.X, t)
	case *ir.Binary:
		if e.T != ir.Unknown || !c.allowed(e.Op, t, e) {
			return
		}
		c.set(&e.T, t, e)
		c.settle(e.X, t)
		c.settle(e.Y, t)
	case *ir.Cond:
		if e.T == ir.Unknown {
			c.set(&e.T, t, e)
			c.settle(e.X, t)
			c.settle(e.Y, t)
		}
	case *ir.Builtin:
		if e.T == ir.Unknown {
			sig := ir.Builtins[e.Fn]
			if t.Integer() && !sig.Integer || t.Float() && !sig.Float || t == ir.Bool {
				c.errorf(diag.OperandType, e.At, "`%s` does not take operands of type %s", e.Fn, t)
				return
			}
			c.set(&e.T, t, e)
			for _, a := range e.Args {
				c.settle(a, t)
			}
		}
	}
}
