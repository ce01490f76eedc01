package memcheck

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/ir/sym/integer"
)

// computed returns the definition of a name, if its bounds determine it. Bounds that a condition
// has added don't define a name: perhaps no run meets them.
func (f *function) computed(n int32) (poly, bool) {
	v := &f.names.vars[n]
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
	var args []ir.Exp
	if c, ok := e.(*ir.Cond); ok {
		w.needTruth(c.C)
		args = []ir.Exp{c.X, c.Y}
	} else {
		_, args, _ = operands(e)
	}
	for _, a := range args {
		w.needAll(w.f.names.poly(sym.Of(a)))
	}
}

// value returns the value of a polynomial, where all of its names have one.
func (w *witness) value(p poly) (int64, bool) { return p.Value(w.name) }

// ring returns the value of an expression whose arithmetic wraps around.
func (w *witness) ring(p sym.Poly) (sum int64, known bool) {
	known = true
	p.Terms(func(c int64, factors []sym.Factor) {
		for _, x := range factors {
			v, ok := w.name(w.f.names.atom(x))
			known = known && ok
			for range x.Pow {
				c *= v
			}
		}
		sum += c
	})
	return sum, known
}

func (w *witness) name(n int32) (int64, bool) {
	if v, ok := w.env[n]; ok {
		return v, true
	}
	if p, ok := w.f.computed(n); ok {
		return w.value(p)
	}
	v := w.facts.lookup(n)
	if v.ring != nil {
		return w.ring(v.ring.of)
	}
	if c, ok := v.exp.(*ir.Cond); ok && c.T == ir.I64 {
		holds, known := w.truth(c.C)
		if !known {
			return 0, false
		}
		if holds {
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

// needTruth enters a condition that is not compared as numbers: only that of a parameter is known.
func (w *witness) needTruth(e ir.Exp) {
	if r, ok := w.f.meaning(e).(*ir.Ref); ok {
		w.need(w.f.names.id(r.Name))
	} else {
		w.failed = true
	}
}

// truth returns whether a condition holds.
func (w *witness) truth(e ir.Exp) (holds, known bool) {
	r, ok := w.f.meaning(e).(*ir.Ref)
	if !ok {
		return false, false
	}
	v, known := w.name(w.f.names.id(r.Name))
	return v != 0, known
}

// meaning returns what a name of a condition stands for.
func (f *function) meaning(e ir.Exp) ir.Exp {
	for {
		r, ok := e.(*ir.Ref)
		if !ok || f.scalars[r.Name] == nil {
			return e
		}
		e = f.scalars[r.Name]
	}
}
