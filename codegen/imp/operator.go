package imp

import "github.com/memc-lang/memc/ir"

// An operator combines values: op's first half of parameters are the variables that
// accumulate, so applying it leaves its results there.
type operator struct {
	op    *ir.Operator
	arity int
	acc   []string // variables of the accumulated values
	next  []string // variables of the new values
	t     []ir.Prim
	// apart is the distance of two values of the same type in a block that several share (partials).
	apart ir.Exp
}

func (f *fn) operator(op *ir.Operator) *operator {
	o := &operator{op: op, arity: len(op.Params) / 2}
	for i, e := range op.Params {
		if i < o.arity {
			o.acc = append(o.acc, f.name(e.Name))
			o.t = append(o.t, e.Type.Prim)
		} else {
			o.next = append(o.next, f.name(e.Name))
		}
	}
	return o
}

func (o *operator) refs(names []string) []ir.Exp {
	out := make([]ir.Exp, o.arity)
	for i, n := range names {
		out[i] = &ir.Ref{Name: n, T: o.t[i]}
	}
	return out
}

// accumulated returns the accumulated values.
func (o *operator) accumulated() []ir.Exp { return o.refs(o.acc) }

// set assigns values to variables of the operator's types.
func (o *operator) set(b *block, names []string, vals []ir.Exp) {
	for i, n := range names {
		b.declare(n, o.t[i])
		b.set(n, vals[i])
	}
}

// start sets the accumulators to the neutral values.
func (o *operator) start(b *block) {
	vals := make([]ir.Exp, o.arity)
	for i, e := range o.op.Neutral {
		vals[i] = b.exp(e)
	}
	o.set(b, o.acc, vals)
}

// neutral returns the neutral values, as variables or literals.
func (o *operator) neutral(b *block) []ir.Exp {
	out := make([]ir.Exp, o.arity)
	for i, e := range o.op.Neutral {
		out[i] = b.atom(b.exp(e), "neutral")
	}
	return out
}

// apply combines the accumulators with new values.
func (o *operator) apply(b *block, vals []ir.Exp) {
	o.set(b, o.next, vals)
	b.body(o.op.Body)
	var m moves
	for i, e := range o.op.Body.Result {
		m.scalars = append(m.scalars, scalarMove{o.acc[i], o.t[i], b.exp(e)})
	}
	m.emit(b)
}

// simple names the operator if it is one arithmetic operation on its two
// parameters, which then is commutative.
func (op *operator) simple() string {
	if op.arity != 1 {
		return ""
	}
	body := op.op.Body
	e := body.Result[0]
	if len(body.Stmts) == 1 && len(body.Stmts[0].Pat) == 1 {
		c, ok := body.Stmts[0].Op.(*ir.Compute)
		r, isRef := e.(*ir.Ref)
		if !ok || !isRef || r.Name != body.Stmts[0].Pat[0].Name {
			return ""
		}
		e = c.E
	} else if len(body.Stmts) > 0 {
		return ""
	}
	var x, y ir.Exp
	name := ""
	switch e := e.(type) {
	case *ir.Binary:
		switch e.Op {
		case "+", "*", "&", "|", "^", "&&", "||":
			name, x, y = e.Op, e.X, e.Y
		}
	case *ir.Builtin:
		if e.Fn == "min" || e.Fn == "max" {
			name, x, y = e.Fn, e.Args[0], e.Args[1]
		}
	}
	if name == "" {
		return ""
	}
	a, b := op.op.Params[0].Name, op.op.Params[1].Name
	if ir.IsRef(x, a) && ir.IsRef(y, b) || ir.IsRef(x, b) && ir.IsRef(y, a) {
		return name
	}
	return ""
}

// guarded runs statements that may fail in a kernel with barriers: a failing check leaves
// the region, and the work-item goes on to the next barrier.
func (b *block) guarded(body func(*block)) {
	if b.tasks() {
		body(b)
		return
	}
	in := b.sub()
	body(in)
	if holdsCheck(in.stmts) {
		b.add(&KRegion{Body: in.stmts})
		return
	}
	b.add(in.stmts...)
}

func (b *block) barrier() { b.meet(false) }

// meet has the work-items of the group, or only those of each wave, wait for each other.
func (b *block) meet(wave bool) {
	b.k.out.Barriers = true
	b.add(&Barrier{Wave: wave})
}

// locals returns one array per value in local memory. The steps of a kernel share them.
func (o *operator) locals(b *block) []string {
	if b.k.shared == nil {
		b.k.shared = map[ir.Prim][]string{}
	}
	out := make([]string, o.arity)
	used := map[ir.Prim]int{}
	for i, t := range o.t {
		if used[t] == len(b.k.shared[t]) {
			name := b.f.temp("shared")
			b.k.shared[t] = append(b.k.shared[t], name)
			b.k.out.Locals = append(b.k.out.Locals, Local{Name: name, Prim: t, Len: GroupSize})
		}
		out[i] = b.k.shared[t][used[t]]
		used[t]++
	}
	return out
}

// loadAll reads one element of each block into new variables.
func (o *operator) loadAll(b *block, mems []string, off ir.Exp) []ir.Exp {
	out := make([]ir.Exp, o.arity)
	for i, m := range mems {
		v := b.temp("x", o.t[i])
		b.add(&Load{Dst: v.Name, Prim: o.t[i], Mem: m, Off: o.within(mems, i, off)})
		out[i] = v
	}
	return out
}

// within is the offset of a value in its block, where those before it in mems have their part.
func (o *operator) within(mems []string, i int, off ir.Exp) ir.Exp {
	before := int64(0)
	for _, m := range mems[:i] {
		if m == mems[i] {
			before++
		}
	}
	if before == 0 {
		return off
	}
	return add(off, times(i64(before), o.apart))
}

// fresh is loadAll for values that other groups of the same launch have left.
func (o *operator) fresh(b *block, mems []string, off ir.Exp) []ir.Exp {
	from := len(b.stmts)
	vals := o.loadAll(b, mems, off)
	for _, s := range b.stmts[from:] {
		s.(*Load).Fresh = true
	}
	return vals
}

func (o *operator) storeAll(b *block, mems []string, off ir.Exp, vals []ir.Exp) {
	for i, m := range mems {
		b.add(&Store{Mem: m, Prim: o.t[i], Off: o.within(mems, i, off), Val: vals[i]})
	}
}
