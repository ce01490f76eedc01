package explicit

import "github.com/memc-lang/memc/ir"

// hoist makes a scalar known before the kernel around that can be (common): it is
// already where it was defined outside, and a scalar of the body is moved out, with all
// that it depends on.
func (t *function) hoist(name string) {
	k := t.kernel
	if at, ok := t.seq[name]; ok && at <= k.start {
		return
	}
	s := k.scalars[name]
	t.hoistAll(s.Op.(*ir.Compute).E)
	k.hoisted[s] = true
	k.moveOut(name, s)
	t.seq[name] = k.start
}

// hoistAll makes the scalars in an expression known before the kernel.
func (t *function) hoistAll(e ir.Exp) {
	for _, n := range scalars(e, nil) {
		t.hoist(n)
	}
}

// common tells whether a scalar can be known before the kernel: one of the body, if it is
// total and depends on no thread.
func (t *function) common(name string) bool {
	if at, ok := t.seq[name]; ok && at <= t.kernel.start {
		return true
	}
	s, ok := t.kernel.scalars[name]
	return ok && t.known(s.Op.(*ir.Compute).E)
}

// known tells whether an expression can be evaluated before the kernel.
func (t *function) known(e ir.Exp) bool {
	if !total(e) {
		return false
	}
	for _, n := range scalars(e, nil) {
		if !t.common(n) {
			return false
		}
	}
	return true
}

// scalars appends the names that an expression mentions.
func scalars(e ir.Exp, out []string) []string {
	switch e := e.(type) {
	case *ir.Ref:
		out = append(out, e.Name)
	case *ir.Unary:
		out = scalars(e.X, out)
	case *ir.Binary:
		out = scalars(e.Y, scalars(e.X, out))
	case *ir.Cond:
		out = scalars(e.Y, scalars(e.X, scalars(e.C, out)))
	case *ir.Convert:
		out = scalars(e.X, out)
	case *ir.Builtin:
		for _, a := range e.Args {
			out = scalars(a, out)
		}
	case *ir.Index:
		out = append(out, e.Array)
		for _, i := range e.Indices {
			out = scalars(i, out)
		}
	}
	return out
}

// total tells whether an expression reads no memory and cannot fail, whatever
// its operands are.
func total(e ir.Exp) bool {
	switch e := e.(type) {
	case *ir.Lit, *ir.Ref:
		return true
	case *ir.Unary:
		return total(e.X)
	case *ir.Binary:
		return total(e.X) && total(e.Y) && (e.T.Float() || !canFail(e.Op, e.Y))
	case *ir.Cond:
		return total(e.C) && total(e.X) && total(e.Y)
	case *ir.Convert:
		return total(e.X)
	case *ir.Builtin:
		for _, a := range e.Args {
			if !total(a) {
				return false
			}
		}
		return e.T.Float() || len(e.Args) != 2 || !canFail(e.Fn, e.Args[1])
	}
	return false
}

// canFail tells whether an integer operation can fail for that right operand:
// division by zero, or a negative exponent.
func canFail(op string, y ir.Exp) bool {
	l, _ := y.(*ir.Lit)
	switch op {
	case "/", "%", "fdiv", "fmod":
		return l == nil || l.Bits == 0
	case "**":
		return l == nil || int64(l.Bits) < 0
	}
	return false
}
