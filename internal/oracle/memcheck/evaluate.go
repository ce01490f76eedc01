package memcheck

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// computed returns the definition of a name, if its bounds determine it.
func (v *variable) computed() (poly, bool) {
	if v.free || v.exp != nil {
		return poly{}, false
	}
	for _, lo := range v.los {
		for _, hi := range v.his {
			if lo.den == 1 && hi.den == 1 && hi.p.Equal(lo.p) {
				return lo.p, true
			}
		}
	}
	return poly{}, false
}

// operands returns those of an opaque expression that integer.Apply evaluates; ok is false for
// others, such as the reading of an element.
func operands(e ir.Exp) (op string, args []ir.Exp, ok bool) {
	switch e := e.(type) {
	case *ir.Builtin:
		switch op, args = e.Fn, e.Args; op {
		case "min", "max", "abs", "sign", "fdiv", "fmod":
			return op, args, e.T == ir.I64
		}
	case *ir.Binary:
		switch op, args = e.Op, []ir.Exp{e.X, e.Y}; op {
		case "/", "%", "&", "|", "^":
			return op, args, e.T == ir.I64
		}
	}
	return "", nil, false
}

// computes reports whether an opaque expression is computed from its operands.
func computes(e ir.Exp) bool {
	_, _, ok := operands(e)
	c, cond := e.(*ir.Cond)
	return ok || cond && c.T == ir.I64
}

func (w *witness) needOperands(e ir.Exp) {
	if c, ok := e.(*ir.Cond); ok {
		w.needTruth(c.C)
		w.needAll(w.f.names.poly(sym.Of(c.X)))
		w.needAll(w.f.names.poly(sym.Of(c.Y)))
		return
	}
	_, args, _ := operands(e)
	for _, a := range args {
		w.needAll(w.f.names.poly(sym.Of(a)))
	}
}

// value returns the value of a polynomial, where all of its names have one.
func (w *witness) value(p poly) (int64, bool) { return p.Value(w.name) }

func (w *witness) name(n int32) (int64, bool) {
	if v, ok := w.env[n]; ok {
		return v, true
	}
	v := w.facts.lookup(n)
	if p, ok := v.computed(); ok {
		return w.value(p)
	}
	if c, ok := v.exp.(*ir.Cond); ok && c.T == ir.I64 {
		holds, known := w.truth(c.C)
		switch {
		case !known:
			return 0, false
		case holds:
			return w.value(w.f.names.poly(sym.Of(c.X)))
		}
		return w.value(w.f.names.poly(sym.Of(c.Y)))
	}
	op, args, ok := operands(v.exp)
	var xs [2]int64
	for k, a := range args {
		if ok {
			xs[k], ok = w.value(w.f.names.poly(sym.Of(a)))
		}
	}
	if !ok {
		return 0, false
	}
	return integer.Apply(op, xs[0], xs[1])
}

// A test is a condition, taken apart as far as truth evaluates its parts: x and y are
// numbers, or else conditions. Of one that is not, such as a comparison of floats, all
// that is known is that it holds or not.
type test struct {
	op      string // "" for one that is not taken apart
	numbers bool
	x, y    ir.Exp
}

func (w *witness) test(e ir.Exp) test {
	switch e := e.(type) {
	case *ir.Ref:
		if c, ok := w.f.scalars[e.Name]; ok {
			return w.test(c)
		}
	case *ir.Unary:
		if e.Op == "!" {
			return test{op: "!", x: e.X}
		}
	case *ir.Binary:
		switch e.Op {
		case "&&", "||":
			return test{op: e.Op, x: e.X, y: e.Y}
		case "<", "<=", ">", ">=", "==", "!=":
			if e.X.Prim() == ir.I64 {
				return test{e.Op, true, e.X, e.Y}
			}
		}
	}
	return test{x: e}
}

// needTruth enters the values that a condition is computed from.
func (w *witness) needTruth(e ir.Exp) {
	t := w.test(e)
	switch {
	case t.numbers:
		w.needAll(w.f.value(t.x))
		w.needAll(w.f.value(t.y))
	case t.op != "":
		w.needTruth(t.x)
		if t.y != nil {
			w.needTruth(t.y)
		}
	default:
		if _, literal := t.x.(*ir.Lit); !literal {
			w.failed = w.failed || !w.f.data(t.x)
			w.need(w.f.names.truth(t.x))
		}
	}
}

// data reports whether an expression may be anything in some run, as far as anybody knows: an
// element is part of it, or a number of another type than sizes have that nothing computes.
// f32(n) may not: with n it is given, though it isn't computed here.
func (f *function) data(e ir.Exp) bool {
	found := false
	ir.WalkExp(e, func(e ir.Exp) bool {
		switch e := e.(type) {
		case *ir.Index:
			found = true
		case *ir.Ref:
			found = found || e.Prim() != ir.I64 && f.isData(e.Name)
		}
		return !found
	})
	return found
}

// isData is data of a name.
func (f *function) isData(name string) bool {
	def, computed := f.scalars[name]
	if !computed {
		return true
	}
	is, known := f.dataNames[name]
	if !known {
		is = f.data(def)
		f.dataNames[name] = is
	}
	return is
}

// truth evaluates a condition.
func (w *witness) truth(e ir.Exp) (holds, known bool) {
	t := w.test(e)
	switch {
	case t.numbers:
		x, ok1 := w.value(w.f.value(t.x))
		y, ok2 := w.value(w.f.value(t.y))
		return compare(t.op, x, y), ok1 && ok2
	case t.op == "":
		if lit, ok := t.x.(*ir.Lit); ok {
			return lit.Bits != 0, true
		}
		v, ok := w.name(w.f.names.truth(t.x))
		return v != 0, ok
	}
	x, ok := w.truth(t.x)
	if t.op == "!" || !ok || x == (t.op == "||") { // the left side decides
		return x != (t.op == "!"), ok
	}
	return w.truth(t.y)
}

func compare(op string, x, y int64) bool {
	switch op {
	case "<":
		return x < y
	case "<=":
		return x <= y
	case ">":
		return x > y
	case ">=":
		return x >= y
	case "==":
		return x == y
	}
	return x != y
}

// truth returns the number of a condition that is not taken apart: 1 where it holds.
func (t *names) truth(e ir.Exp) int32 {
	if r, ok := e.(*ir.Ref); ok {
		return t.id(r.Name)
	}
	key := "<" + ir.ExpString(e) + ">"
	if id, ok := t.ids[key]; ok {
		return id
	}
	v := variable{}
	ir.ExpNames(e, func(n string) { v.order = max(v.order, t.vars[t.id(n)].order) })
	return t.add(key, v)
}
