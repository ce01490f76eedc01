package parser

import "github.com/memc-lang/memc/ir"

// kernel reads a parallel expression.
func (r *reader) kernel() ir.Op {
	switch r.take().kind {
	case kMap:
		const form = "map (i < n, ...) { in e }"
		s := r.space(form)
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
		any := r.tok.kind == kName && r.text(r.tok) == "any" // no reserved word: elsewhere it is a name
		if any {
			r.take()
		}
		return &ir.Scatter{Dests: d, Space: s, Any: any, Body: r.body(form)}
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
	word := func() bool { return r.tok.kind == kName && r.text(r.tok) == "over" } // no reserved word
	if !word() {
		s = r.space(form)
	}
	if word() {
		r.take()
		inner := r.space("reduce (i < n) over (j < m, k < l) op ...")
		return append(s, inner...), len(inner)
	}
	return s, 0
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
