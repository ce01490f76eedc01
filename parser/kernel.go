package parser

import "github.com/memc-lang/memc/ir"

// kernel reads a parallel expression.
func (r *reader) kernel() ir.Op {
	switch r.take().kind {
	case kMap:
		const form = "map (i < n, ...) { in e }"
		s := r.space(form)
		if r.word("into") {
			return r.into(s)
		}
		return &ir.Map{Space: s, Body: r.body(form)}
	case kReduce:
		const form = "reduce (i < n) op (a, b) { in a + b } neutral (0) { in e }"
		s, over := r.fold(form)
		o := r.operator(form)
		return &ir.Reduce{Space: s, Over: over, Op: o, Body: r.body(form)}
	case kScan:
		const form = "scan (i < n) op (a, b) { in a + b } neutral (0) { in e }"
		s, over := r.fold(form)
		o := r.operator(form)
		return &ir.Scan{Space: s, Over: over, Op: o, Body: r.body(form)}
	case kScatter:
		const form = "scatter x (i < n) { in (index, value) }"
		d := r.dests()
		s := r.space(form)
		return &ir.Scatter{Dests: d, Space: s, Any: r.acceptWord("any"), Body: r.body(form)}
	}
	const form = "hist x (i < n) op (a, b) { in a + b } neutral (0) { in (index, value) }"
	d := r.dests()
	s := r.space(form)
	o := r.operator(form)
	return &ir.Hist{Dests: d, Space: s, Op: o, Body: r.body(form)}
}

// fold reads the bounds of a reduction. In "(i < n, k < m)" the last bound is combined. In "(i < n)
// over (j < m, k < l)" or "over (j < m, k < l)" the bounds after over are combined.
func (r *reader) fold(form string) (s ir.Space, over int) {
	if !r.word("over") {
		s = r.space(form)
	}
	if r.acceptWord("over") {
		inner := r.space("reduce (i < n) over (j < m, k < l) op ...")
		return append(s, inner...), len(inner)
	}
	return s, 0
}

// word reports whether a word comes that is not reserved: elsewhere it is a name.
func (r *reader) word(w string) bool { return r.tok.kind == kName && r.text(r.tok) == w }

func (r *reader) acceptWord(w string) bool {
	is := r.word(w)
	if is {
		r.take()
	}
	return is
}

// into reads what follows the space of a map whose threads write accumulators.
func (r *reader) into(s ir.Space) ir.Op {
	const form = "map (i < n) into (x op (a, b) { in a + b } neutral (0), y any) { into x [index] = value  in () }"
	r.take()
	op := &ir.Into{Space: s}
	r.expect(kLParen, form)
	r.list(kRParen, func() {
		a := ir.Accumulator{Dests: r.dests()}
		a.Any = r.acceptWord("any")
		if !a.Any && (r.tok.kind == kOp || r.tok.kind == kCommutative) {
			o := r.operator(form)
			a.Op = &o
		}
		op.Accs = append(op.Accs, a)
	})
	op.Body = r.body(form)
	return op
}

// put reads "x [i, j] = v" or "(x, y) [i] = (v, w)".
func (r *reader) put() ir.Op {
	const form = "into x [index] = value, or into (x, y) [index] = (v, w)"
	op := &ir.Put{Dests: r.dests()}
	r.expect(kLBrack, form)
	r.list(kRBrack, func() { op.Index = append(op.Index, r.exp()) })
	r.expect(kAssign, form)
	if len(op.Dests) > 1 {
		op.Values = r.exps()
	} else {
		op.Values = []ir.Exp{r.exp()}
	}
	return op
}

// space reads "(i < n, j < m)".
func (r *reader) space(form string) ir.Space {
	s := ir.Space{}
	r.expect(kLParen, form)
	r.list(kRParen, func() {
		b := ir.Bound{Span: r.here()}
		b.Var = r.name("the name of an index")
		r.expect(kLess, form)
		b.Size = r.exp()
		s = append(s, b)
	})
	return s
}

// operator reads "[commutative] op (a, b) body neutral (e)".
func (r *reader) operator(form string) ir.Operator {
	var o ir.Operator
	o.Commutative = r.accept(kCommutative)
	r.expect(kOp, form)
	r.expect(kLParen, form)
	r.list(kRParen, func() { o.Params = append(o.Params, r.elem()) })
	o.Body = r.body(form)
	r.expect(kNeutral, form)
	o.Neutral = r.exps()
	return o
}

// dests reads "x" or "(x, y, ...)".
func (r *reader) dests() []string {
	if !r.accept(kLParen) {
		return []string{r.name("the name of an array")}
	}
	var ds []string
	r.list(kRParen, func() { ds = append(ds, r.name("the name of an array")) })
	return ds
}
