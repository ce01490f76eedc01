package check

import (
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/sym"
)

// body walks over a body in a scope of its own. enter binds the names in scope at its start; leave
// examines its values while its names are still in scope.
func (c *fn) body(b *ir.Body, enter func(), leave func(vals []val)) {
	m := c.mark()
	stmt, pre := c.stmt, c.pre
	if enter != nil {
		enter()
	}
	c.statements(b)
	c.stmt = &ir.Stmt{Span: b.In}
	vals := make([]val, len(b.Result))
	for i, e := range b.Result {
		vals[i] = c.operand(e)
	}
	if leave != nil {
		leave(vals)
	}
	c.close(m)
	c.stmt, c.pre = stmt, pre
}

// statements elaborates the statements in order. Lets that a statement needs are put before it.
func (c *fn) statements(b *ir.Body) {
	var out []*ir.Stmt // made when the first let is inserted
	for i, s := range b.Stmts {
		post := c.one(s)
		if len(c.pre)+len(post) > 0 && out == nil {
			out = append(make([]*ir.Stmt, 0, len(b.Stmts)+8), b.Stmts[:i]...)
		}
		if out != nil {
			out = append(append(out, c.pre...), s)
		}
		for _, s := range post {
			c.one(s)
			out = append(append(out, c.pre...), s)
		}
	}
	if out != nil {
		b.Stmts = out
	}
}

// one elaborates a statement. It leaves statements to put before it in pre, and returns those to
// put after it.
func (c *fn) one(s *ir.Stmt) (post []*ir.Stmt) {
	outer := c.post
	c.stmt, c.pre, c.post = s, nil, nil
	c.statement(s)
	post, c.post = c.post, outer
	return post
}

// operand returns the value of a name of any type, or of a scalar expression, whose type may still
// be open.
func (c *fn) operand(e ir.Exp) val {
	r, ok := e.(*ir.Ref)
	if !ok {
		return c.scalarOf(c.synth(e))
	}
	b := c.lookup(r.Name, r.At)
	switch {
	case b == nil:
		return val{where: nowhere}
	case b.t.Kind == ir.ScalarKind:
		return c.scalarOf(c.synth(e))
	}
	return c.of(b)
}

func (c *fn) scalarOf(p ir.Prim) val {
	if p == ir.Unknown {
		return val{where: nowhere}
	}
	return scalar(p)
}

// settleVal settles an open scalar value to the type wanted.
func (c *fn) settleVal(v *val, e ir.Exp, want ir.Prim) {
	if v.kind == ir.ScalarKind && open(v.prim) {
		if want == ir.Unknown {
			want = closed(v.prim)
		}
		c.settle(e, want)
		v.prim = want
	}
}

// wanted returns the element type written in the pattern at i, or Unknown.
func (c *fn) wanted(i int) ir.Prim {
	if i < len(c.stmt.Pat) {
		return c.stmt.Pat[i].Type.Prim
	}
	return ir.Unknown
}

// needed returns the element type that the pattern has at i. If there is none and the value's type
// p is open, it returns the type that the name's uses decide.
func (c *fn) needed(i int, p ir.Prim) ir.Prim {
	if want := c.wanted(i); want != ir.Unknown || !open(p) || i >= len(c.stmt.Pat) {
		return want
	}
	return c.decide(c.stmt.Pat[i], p)
}

// decide returns the type of a name whose value has the open type p (Note [Types of literals]).
func (c *fn) decide(e *ir.Elem, p ir.Prim) ir.Prim {
	if !open(p) || c.inferred == nil {
		return closed(p)
	}
	t := c.inferred.decided(e.Name)
	if t == ir.Unknown || t == closed(p) || p == openFloat && !t.Float() {
		return closed(p)
	}
	c.kept[e.Name] = true
	return t
}

func (c *fn) statement(s *ir.Stmt) {
	if c.kernel != nil {
		c.inKernel(s)
	}
	if c.elab {
		c.nameDims(s)
	}
	switch op := s.Op.(type) {
	case *ir.Compute:
		c.compute(s, op)
	case *ir.Assert:
		c.exp(op.Cond, ir.Bool, "the condition of `assert`")
		sizes, ok := op.Sized()
		if op.Size && !ok {
			c.errorf(diag.AssertionForm, op.Cond.Span().Or(s.Span), "an assertion about a size has the form `assert e >= 0 size`")
		}
		if op.Threads && !ok {
			c.errorf(diag.AssertionForm, op.Cond.Span().Or(s.Span), "an assertion about the bounds of a kernel has the form `assert n * m >= 0 threads`")
		}
		c.values(s, op)
		c.pattern(nil, false)
		c.assume(op.Cond)
		for _, n := range sizes {
			c.assume(natural(n))
		}
	case *ir.Alloc:
		if t := c.exp(op.Size, ir.I64, "the size of a block"); c.elab && t != ir.Unknown {
			c.nameParts(&op.Size)
		}
		c.pattern([]val{{kind: ir.MemKind}}, false)
	case *ir.If:
		c.ifOp(s, op)
	case *ir.Loop:
		c.loop(s, op)
	case *ir.Call:
		c.call(s, op)
	case *ir.Map:
		c.mapOp(s, op)
	case *ir.Reduce:
		n := len(op.Op.Params) / 2
		if then, ok := c.flatten(s, &op.Space, &op.Over, func(i int) bool { return i >= n }, op.Body); ok {
			c.fold(s, op.Space, &op.Op, op.Body, max(0, len(op.Space)-1), "reduce")
			then()
		}
	case *ir.Scan:
		if then, ok := c.flatten(s, &op.Space, &op.Over, func(int) bool { return true }, op.Body); ok {
			c.fold(s, op.Space, &op.Op, op.Body, len(op.Space), "scan")
			then()
		}
	case *ir.Scatter:
		c.scatter(s, op)
	case *ir.Hist:
		c.hist(s, op)
	case *ir.Into:
		c.into(s, op)
	case *ir.Put:
		c.put(s, op)
	default:
		c.pattern([]val{c.arrayOp(s, op)}, false)
	}
}

func (c *fn) compute(s *ir.Stmt, op *ir.Compute) {
	if r, ok := op.E.(*ir.Ref); ok {
		b := c.lookup(r.Name, r.At)
		if b == nil {
			c.pattern([]val{{where: nowhere}}, false)
			return
		}
		if b.t.Kind != ir.ScalarKind {
			if !c.elab {
				c.bugf(s.Span, "`%s` is not a scalar: this statement must be an alias", r.Name)
			} else {
				s.Op = &ir.Alias{X: r.Name}
			}
			c.pattern([]val{otherSign(s, c.of(b))}, false)
			return
		}
	}
	v := val{where: nowhere}
	t := c.synth(op.E)
	if p := c.fit(op.E, t, c.needed(0, t), "the right-hand side"); p != ir.Unknown {
		v = scalar(p)
	}
	c.pattern([]val{v}, false)
	if len(s.Pat) == 1 && s.Pat[0].Type.Kind == ir.ScalarKind && s.Pat[0].Type.Prim == ir.I64 && v.kind != ir.NoKind {
		c.define(s.Pat[0].Name, op.E)
	}
}

// otherSign allows another name of an array of integers to have the other sign, if its type says
// so: the bits of the elements are the same.
func otherSign(s *ir.Stmt, v val) val {
	if len(s.Pat) != 1 || s.Pat[0].Type.Kind != ir.ArrayKind || v.kind != ir.ArrayKind {
		return v
	}
	if t := s.Pat[0].Type.Prim; t.Integer() && v.prim.Integer() && t.Size() == v.prim.Size() {
		v.prim = t
	}
	return v
}

// arrayOp returns the value of an operation that makes one array.
func (c *fn) arrayOp(s *ir.Stmt, op ir.Op) val {
	bad := val{where: nowhere}
	switch op := op.(type) {
	case *ir.Copy:
		b := c.array(op.X, s.Span)
		if b == nil {
			return bad
		}
		return array(b.t.Prim, ir.DimExps(b.t.Shape))
	case *ir.Concat:
		return c.concat(s, op)
	case *ir.Scratch:
		c.dims(op.Dims)
		return array(op.Prim, op.Dims)
	case *ir.Range:
		return c.rangeOp(op)
	case *ir.Replicate:
		return c.replicate(op)
	case *ir.ArrayLit:
		return c.arrayLit(s, op)
	case *ir.Alias:
		if b := c.lookup(op.X, s.Span); b != nil {
			if b.t.Kind == ir.ScalarKind {
				c.bugf(s.Span, "`%s` is a scalar and has no alias", op.X)
				return bad
			}
			return otherSign(s, c.of(b))
		}
		return bad
	case *ir.Reshape:
		return c.reshape(s, op)
	case *ir.Rearrange:
		return c.rearrange(s, op)
	case *ir.Slice:
		return c.slice(s, op)
	case *ir.Update:
		return c.update(s, op)
	}
	c.bugf(s.Span, "an operation that the checker does not know: %T", op)
	return bad
}

func (c *fn) dims(es []ir.Exp) {
	for _, e := range es {
		c.exp(e, ir.I64, "a size")
		if l, ok := e.(*ir.Lit); ok && l.T == ir.I64 {
			c.negative(int64(l.Bits), e)
		} else if v, ok := sym.Of(e).Subst(c.definition).IsConst(); ok {
			// Only definitions count here: a condition about a size may be false for every input,
			// as in `if n == -2`, and then its branch never runs.
			c.negative(v, e)
		}
	}
}

func (c *fn) negative(v int64, e ir.Exp) {
	if v < 0 && c.branches == 0 && c.foresees {
		c.errorf(diag.SizeNegative, e.Span(), "the size %s is negative", c.text(e))
	}
}

func (c *fn) concat(s *ir.Stmt, op *ir.Concat) val {
	v := val{where: nowhere}
	if len(op.Args) == 0 {
		c.errorf(diag.NothingNamed, s.Span, "this `concat` names no array to join")
	}
	for i, x := range op.Args {
		b := c.array(x, s.Span)
		switch {
		case b == nil:
			return val{where: nowhere}
		case i == 0:
			if op.Dim < 0 || op.Dim >= b.t.Rank() {
				c.errorf(diag.WrongRank, s.Span, "`concat` along dimension %d, but `%s` has %s", op.Dim, x, count(b.t.Rank(), "dimension")).
					Hinted("dimensions are counted from 0")
				return v
			}
			v = array(b.t.Prim, ir.DimExps(b.t.Shape))
			continue
		case b.t.Rank() != len(v.shape) || b.t.Prim != v.prim:
			c.errorf(diag.OneType, s.Span, "`concat` joins arrays of one element type and rank, but `%s` is %s and `%s` is %s",
				op.Args[0], c.shortVal(v), x, short(*b.t))
			return val{where: nowhere}
		}
		for k, d := range b.t.Shape {
			if k == op.Dim {
				v.shape[k] = binary("+", v.shape[k], d.Exp())
			} else {
				c.agree(v.shape[k], d.Exp(), s.Span, c.here(), "dimension %d of `%s` and `%s` in `concat`", k, op.Args[0], x)
			}
		}
	}
	return v
}

// rangeOp types iota and ranges. The elements have the type written in the pattern, else that of
// the bounds.
func (c *fn) rangeOp(op *ir.Range) val {
	if op.Iota {
		c.dims([]ir.Exp{op.Hi})
		if op.Lo != nil {
			c.exp(op.Lo, ir.I64, "the start")
		}
		p := c.wanted(0)
		if p == ir.Unknown {
			p = ir.I64
		}
		return c.counted(array(p, []ir.Exp{op.Hi}), op.Hi)
	}
	p := c.join(op.Lo, op.Hi, "the bounds of a range")
	if p == ir.Unknown {
		return val{where: nowhere}
	}
	if open(p) {
		if want := c.needed(0, p); p == openInt && want.Integer() {
			p = want
		}
		p = closed(p)
		c.settle(op.Lo, p)
		c.settle(op.Hi, p)
	}
	elem := c.wanted(0)
	if elem == ir.Unknown {
		elem = p
	}
	n := binary("-", wide(op.Hi, p), wide(op.Lo, p))
	if l, ok := op.Lo.(*ir.Lit); ok && l.Bits == 0 {
		n = wide(op.Hi, p)
	}
	if !p.Integer() {
		c.errorf(diag.OperandType, op.Lo.Span(), "a range counts in an integer type, not in %s", p)
		return val{where: nowhere}
	}
	return c.counted(array(elem, []ir.Exp{n}), op.Hi)
}

func (c *fn) counted(v val, at ir.Exp) val {
	if v.prim == ir.Bool {
		c.errorf(diag.OperandType, at.Span(), "the elements of a range are numbers, not bool")
	}
	return v
}

// wide returns an integer of type p as i64.
func wide(e ir.Exp, p ir.Prim) ir.Exp {
	if p == ir.I64 {
		return e
	}
	if l, ok := e.(*ir.Lit); ok && l.T == p {
		return ir.IntLit(int64(l.Bits))
	}
	return &ir.Convert{X: e, T: ir.I64}
}

func (c *fn) replicate(op *ir.Replicate) val {
	c.dims(op.Dims)
	x := c.operand(op.X)
	switch x.kind {
	case ir.ScalarKind:
		c.settleVal(&x, op.X, c.needed(0, x.prim))
	case ir.MemKind:
		c.errorf(diag.BlockAsValue, op.X.Span(), "a memory block cannot be replicated")
		return val{where: nowhere}
	case ir.NoKind:
		return val{where: nowhere}
	}
	if len(op.Dims)+len(x.shape) == 0 {
		c.errorf(diag.NeedsArray, op.X.Span(), "a scalar replicated over no dimensions is not an array").Hinted("leave `replicate` out, or name a dimension: replicate (1) e")
		return val{where: nowhere}
	}
	return array(x.prim, append(append([]ir.Exp{}, op.Dims...), x.shape...))
}

func (c *fn) arrayLit(s *ir.Stmt, op *ir.ArrayLit) val {
	want := c.wanted(0)
	ts := make([]ir.Prim, len(op.Elems))
	for i, e := range op.Elems {
		if ts[i] = c.synth(e); want == ir.Unknown || c.wanted(0) == ir.Unknown && open(want) {
			if i == 0 || !(want == openFloat && ts[i] == openInt) {
				want = ts[i]
			}
		}
	}
	if want == ir.Unknown {
		if len(op.Elems) == 0 {
			c.errorf(diag.ElementUnknown, s.Span, "the element type of an empty array literal is not known").Hinted("write it: let xs: [0]i32 = []")
		}
		return val{where: nowhere}
	}
	if open(want) {
		want = c.needed(0, want)
	}
	for i, e := range op.Elems {
		c.fit(e, ts[i], want, "an element of the array literal")
	}
	return array(want, []ir.Exp{ir.IntLit(int64(len(op.Elems)))})
}

// values checks those that the message of an assertion shows.
func (c *fn) values(s *ir.Stmt, op *ir.Assert) {
	for _, v := range op.Values {
		if t := c.exp(v, ir.Unknown, ""); t != ir.Unknown && (!t.Integer() || t == ir.U64) {
			c.errorf(diag.AssertionForm, v.Span().Or(s.Span), "a message shows integers up to i64, but `%s` is %s", ir.ExpString(v), t)
		}
	}
	if n := strings.Count(op.Msg, "{}"); len(op.Values) > 0 && (n != len(op.Values) || n > ir.MaxValues) {
		c.errorf(diag.AssertionForm, s.Span, "the number of `{}` in the message is %d, and the number of values %d: they must be equal, and at most %d", n, len(op.Values), ir.MaxValues)
	}
}
