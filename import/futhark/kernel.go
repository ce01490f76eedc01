package futhark

import (
	"github.com/memc-lang/memc/ir"
)

// seg translates a parallel operation: to a kernel, or, within one, to loops.
func (t *translator) seg(b *block, s *stm, e *eSeg) {
	for i, r := range e.body.result {
		if r.tile == nil || kindOf(e.types[i]) == accKind { // what adds to an accumulator gives no part of an array
			continue
		}
		if t.in != "" || e.kind != "segmap" {
			t.refuse(r.span, "a tile within a kernel or of a `%s`", e.kind)
		}
		t.tiled(b, s, e)
		return
	}
	if t.asGroup(e) {
		t.groups(b, s, e)
		return
	}
	if t.in != "" {
		if t.places {
			t.noPlace(e.span, "it holds kernels whose threads work in groups")
		}
		t.sequential(b, s, e)
		return
	}
	if e.level == "block" {
		t.remark(e.span, "each group of threads of this `%s` becomes one thread", e.kind)
	}
	if e.kind != "segmap" && t.splitAccs(b, s, e) {
		return
	}
	switch e.kind {
	case "segmap":
		for _, ty := range e.types {
			if kindOf(ty) == accKind {
				t.accKernel(b, s, e)
				return
			}
		}
		op := &ir.Map{}
		op.Space, op.Body = t.kernelBody(b, e, func(*block) []ir.Exp { return t.values(e.body.result) })
		b.span, t.at = s.span, b
		es := t.bindFresh(s.pat)
		fitResults(op.Body, es)
		b.emit(es, op)
	case "segred":
		t.reduction(b, s, e)
	case "segscan":
		t.scan(b, s, e)
	case "seghist":
		t.histogram(b, s, e)
	}
}

// fitResults converts the scalars that a map gives to the elements of its arrays.
func fitResults(b *ir.Body, es []*ir.Elem) {
	for i, e := range es {
		if i < len(b.Result) {
			b.Result[i] = fit(b.Result[i], e.Type.Prim)
		}
	}
}

// kernelBody translates space and body; f gives the values.
func (t *translator) kernelBody(b *block, e *eSeg, f func(in *block) []ir.Exp) (ir.Space, *ir.Body) {
	bounds := make([]ir.Exp, len(e.space))
	for i, d := range e.space {
		bounds[i] = t.exp(d.bound)
	}
	t.push()
	defer t.pop()
	outer, group := t.in, t.asGroup(e)
	t.within++
	t.kern = &kernel{host: b, inside: map[string]bool{}, defs: map[string]ir.Exp{}}
	if t.in = e.kind; group {
		t.in, t.kern, t.group = "", nil, true // Note [Kernels of groups of threads]
	}
	defer func() {
		t.in, t.kern = outer, nil
		t.within--
		t.group = t.group && !group
	}()
	var space ir.Space
	for i, d := range e.space {
		v := &variable{kind: scalarKind, prim: ir.I64, name: t.fresh(d.name)}
		t.env.names[d.name] = v
		space = append(space, ir.Bound{Var: v.name, Size: bounds[i], Span: d.span})
	}
	if !group {
		t.kern.space = space
	}
	sub := b.sub()
	t.flatIndexOf(sub, e, space)
	for _, s := range e.body.stms {
		t.stm(sub, s)
	}
	sub.span = e.body.span
	body := sub.body(f(sub)...)
	return space, body
}

// flatIndexOf names the thread's number, which counts all dims.
func (t *translator) flatIndexOf(b *block, e *eSeg, space ir.Space) {
	if e.flat == "" {
		return
	}
	var n ir.Exp = ir.Var(space[0].Var)
	for _, d := range space[1:] {
		n = &ir.Binary{Op: "+", T: ir.I64, X: &ir.Binary{Op: "*", X: n, Y: ir.CloneExp(d.Size), T: ir.I64}, Y: ir.Var(d.Var)}
	}
	t.env.names[e.flat] = &variable{kind: scalarKind, prim: ir.I64, name: t.scalar(b, e.flat, n).Name}
}

// gpu: a piece of sequential code on the device is a kernel of one thread.
func (t *translator) gpu(b *block, s *stm, e *eGPU) {
	one := &eSeg{kind: "segmap", level: "thread", types: e.types, body: e.body, span: s.span,
		space: []segDim{{name: " one", bound: operand{konst: "1i64", ext: -1}, span: s.span}}}
	t.seg(b, s, one)
}

// fuse makes one operator of several, which work side by side.
func (t *translator) fuse(b *block, ops []segOp) ir.Operator {
	out := ir.Operator{Commutative: true}
	t.push()
	defer t.pop()
	outer := t.in
	t.in = "op"
	defer func() { t.in = outer }()
	var news []*ir.Elem
	for _, o := range ops {
		out.Commutative = out.Commutative && o.commutative
		for _, n := range o.neutral {
			out.Neutral = append(out.Neutral, t.exp(n))
		}
		k := len(o.neutral)
		if len(o.lam.params) < 2*k {
			t.wrong(o.lam.body.span, "an operator of %d values has %d parameters", k, len(o.lam.params))
		}
		ps := o.lam.params[len(o.lam.params)-2*k:]
		for i, p := range ps {
			e := t.bind(p)
			if e == nil || e.Type.Kind != ir.ScalarKind {
				t.refuse(p.span, "an operator on arrays")
			}
			if i < k {
				out.Params = append(out.Params, e)
			} else {
				news = append(news, e)
			}
		}
	}
	out.Params = append(out.Params, news...)
	sub := b.sub()
	var vals []ir.Exp
	for _, o := range ops {
		for _, s := range o.lam.body.stms {
			t.stm(sub, s)
		}
		vals = append(vals, t.exps(o.lam.body.result)...)
	}
	out.Body = sub.body(vals...)
	return out
}

// together returns groups of operators that one kernel can serve: those on
// scalars, and each vectorised one alone. The first group takes the mapped
// results.
func together(ops []segOp) [][]int {
	var groups [][]int
	var scalars []int
	for i, o := range ops {
		if len(o.shape) == 0 {
			scalars = append(scalars, i)
		}
	}
	if len(scalars) > 0 {
		groups = append(groups, scalars)
	}
	for i, o := range ops {
		if len(o.shape) > 0 {
			groups = append(groups, []int{i})
		}
	}
	return groups
}

// resultsOf gives, per operator, the positions of its values, and those of the
// mapped results, given how many positions stand in front.
func resultsOf(ops []segOp, from, n int) (each [][]int, mapped []int) {
	k := from
	for _, o := range ops {
		var own []int
		for range o.neutral {
			own = append(own, k)
			k++
		}
		each = append(each, own)
	}
	for ; k < n; k++ {
		mapped = append(mapped, k)
	}
	return each, mapped
}

func pick[T any](xs []T, at []int) []T {
	var out []T
	for _, i := range at {
		out = append(out, xs[i])
	}
	return out
}

// onArrays reports whether an operator takes whole arrays.
func onArrays(ops []segOp) bool {
	for _, o := range ops {
		for _, p := range o.lam.params {
			if len(p.typ.shape) > 0 {
				return true
			}
		}
	}
	return false
}

// perFold makes, of a reduction whose operator takes arrays, a map over the
// outer dims in which a thread folds along the last one.
func (t *translator) perFold(b *block, s *stm, e *eSeg) {
	t.remark(e.span, "the operator of this `%s` takes arrays; one thread folds each row", e.kind)
	last := len(e.space) - 1
	if last == 0 { // of a group
		t.sequential(b, s, e)
		return
	}
	inner := *e
	inner.level, inner.space = "inblock", e.space[last:]
	m := &eSeg{kind: "segmap", level: "thread", space: e.space[:last], types: e.types, span: e.span, body: &body{span: e.body.span}}
	st := &stm{exp: &inner, span: s.span}
	for _, p := range s.pat {
		ty := *p.typ
		ty.shape, ty.place = ty.shape[last:], nil
		m.body.result = append(m.body.result, operand{name: p.name + " folded", ext: -1, span: s.span})
		st.pat = append(st.pat, &param{name: p.name + " folded", typ: &ty, span: p.span})
	}
	m.body.stms = []*stm{st}
	t.seg(b, s, m)
}

func (t *translator) reduction(b *block, s *stm, e *eSeg) {
	if len(s.pat) != len(e.body.result) {
		t.wrong(s.span, "%d values for %d names", len(e.body.result), len(s.pat))
	}
	if onArrays(e.ops) {
		t.perFold(b, s, e)
		return
	}
	each, mapped := resultsOf(e.ops, 0, len(e.body.result))
	t.folds(b, s, e, each, mapped, s.pat, func(o ir.Operator, space ir.Space, body *ir.Body) ir.Op {
		return &ir.Reduce{Op: o, Space: space, Body: body}
	})
}

// folds makes an operation for the operators that belong together; the first also gives what
// is only mapped.
func (t *translator) folds(b *block, s *stm, e *eSeg, each [][]int, mapped []int, pat []*param, fold func(ir.Operator, ir.Space, *ir.Body) ir.Op) {
	for g, group := range together(e.ops) {
		var at []int
		var ops []segOp
		for _, i := range group {
			at = append(at, each[i]...)
			ops = append(ops, e.ops[i])
		}
		if g == 0 {
			at = append(at, mapped...)
		}
		o := t.fuse(b, ops)
		space, body := t.kernelBody(b, e, func(*block) []ir.Exp { return t.values(pick(e.body.result, at)) })
		b.span, t.at = s.span, b
		b.emit(t.bindFresh(pick(pat, at)), fold(o, space, body))
	}
}

// scan: what the post-operator only hands on gets the names of the pattern;
// where it computes, a map follows.
func (t *translator) scan(b *block, s *stm, e *eSeg) {
	if onArrays(e.ops) {
		t.perFold(b, s, e)
		return
	}
	each, mapped := resultsOf(e.ops, 0, len(e.body.result))
	outer := t.spaceDims(b, e)
	temps := make([]*param, len(e.body.result))
	direct := e.post == nil
	if e.post != nil {
		if len(e.post.params) != len(temps) {
			t.wrong(s.span, "the post-operator of a scan has %d parameters for %d values", len(e.post.params), len(temps))
		}
		direct = len(e.post.body.stms) == 0
	}
	mapped = t.notAccs(e, mapped)
	taken := map[int]bool{}
	if direct && e.post != nil {
		for i, r := range e.post.body.result {
			for k, p := range e.post.params {
				if p.name == r.name && temps[k] == nil {
					temps[k], taken[i] = s.pat[i], true
					break
				}
			}
		}
		direct = len(taken) == len(s.pat)
		if !direct {
			clear(temps)
		}
	}
	again := !direct && cheap(e.body)
	if again {
		mapped = nil // computed once more where the post-operator needs them
	}
	for k := range temps {
		switch {
		case e.post == nil:
			temps[k] = s.pat[k]
		case t.isAcc(e, k) || again && k >= combined(e.ops):
		case temps[k] == nil:
			temps[k] = t.temporary(e.post.params[k], outer)
		}
	}
	t.folds(b, s, e, each, mapped, temps, func(o ir.Operator, space ir.Space, body *ir.Body) ir.Op {
		return &ir.Scan{Op: o, Space: space, Body: body}
	})
	if !direct {
		t.postOperator(b, s, e, temps, again)
	}
}

// combined counts the values that operators combine.
func combined(ops []segOp) int {
	n := 0
	for _, o := range ops {
		n += len(o.neutral)
	}
	return n
}

// cheap reports whether computing a body twice costs less than keeping its values
// in memory: it holds scalars and reads only.
func cheap(b *body) bool {
	for _, s := range b.stms {
		switch e := s.exp.(type) {
		case *eOperand, *ePrim, *eAssert, *eSize, *eIndex:
		case *eIf:
			if !cheap(e.yes) || !cheap(e.no) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// isAcc reports whether value k of a scan is an accumulator; only the
// post-operator can add to one.
func (t *translator) isAcc(e *eSeg, k int) bool {
	if e.post == nil || kindOf(e.post.params[k].typ) != accKind {
		return false
	}
	if v := t.find(e.body.result[k].name); v == nil || v.kind != accKind {
		t.refuse(e.span, "a scan that adds to an accumulator before its operator")
	}
	return true
}

func (t *translator) notAccs(e *eSeg, at []int) []int {
	var out []int
	for _, k := range at {
		if !t.isAcc(e, k) {
			out = append(out, k)
		}
	}
	return out
}

// temporary describes an array of a scan that only its post-operator reads.
func (t *translator) temporary(p *param, outer []operand) *param {
	ty := *p.typ
	ty.shape = append(append([]operand{}, outer...), p.typ.shape...)
	ty.place = nil
	return &param{name: p.name + " scanned", typ: &ty, span: p.span}
}

func (t *translator) spaceDims(_ *block, e *eSeg) []operand {
	var ds []operand
	for _, d := range e.space {
		ds = append(ds, d.bound)
	}
	return ds
}

// postOperator computes the results of a scan from what was scanned; again tells
// that the mapped values are to be computed once more.
func (t *translator) postOperator(b *block, s *stm, e *eSeg, temps []*param, again bool) {
	m := &eSeg{kind: "segmap", level: e.level, space: e.space, flat: e.flat, types: e.post.rets, span: e.span,
		body: &body{span: e.post.body.span}}
	if again {
		m.body.stms = append(m.body.stms, e.body.stms...)
	}
	for k, p := range e.post.params {
		if temps[k] == nil { // the scan only hands it on, or it is computed again
			m.body.stms = append(m.body.stms, &stm{pat: []*param{p}, exp: &eOperand{e.body.result[k]}, span: s.span})
			continue
		}
		ix := &eIndex{x: temps[k].name, span: p.span}
		for _, d := range e.space {
			ix.item = append(ix.item, item{fixed: true, x: operand{name: d.name, ext: -1, span: d.span}})
		}
		for _, d := range p.typ.shape {
			ix.item = append(ix.item, item{x: zero, length: d, stride: one})
		}
		m.body.stms = append(m.body.stms, &stm{pat: []*param{p}, exp: ix, span: s.span})
	}
	m.body.stms = append(m.body.stms, e.post.body.stms...)
	m.body.result = e.post.body.result
	t.seg(b, s, m)
}

var (
	zero = operand{konst: "0i64", ext: -1}
	one  = operand{konst: "1i64", ext: -1}
)

// histogram: the body gives the indices of all histograms, then their values.
// In memc every histogram is a kernel of its own, unless they share an operator.
func (t *translator) histogram(b *block, s *stm, e *eSeg) {
	if onArrays(e.ops) {
		t.warn(e.span, "the operator of this `seghist` takes arrays; it becomes a sequential loop on the host")
		t.sequential(b, s, e)
		return
	}
	nIndex := 0
	for _, o := range e.ops {
		nIndex += len(o.hist)
	}
	segs := len(e.space) - 1
	ix, val, pat := 0, nIndex, 0
	for _, o := range e.ops {
		k := len(o.neutral)
		if val+k > len(e.body.result) || pat+k > len(s.pat) || len(o.dests) != k {
			t.wrong(s.span, "a histogram's values do not match its operator")
		}
		index := e.body.result[ix : ix+len(o.hist)]
		values := e.body.result[val : val+k]
		op := &ir.Hist{Op: t.fuse(b, []segOp{o})}
		op.Op.Commutative = true
		var inner ir.Space // a vectorised operator: a thread per element
		var at []ir.Exp
		for _, d := range o.shape {
			v := t.fresh("j")
			inner = append(inner, ir.Bound{Var: v, Size: t.exp(d), Span: e.span})
			at = append(at, ir.Var(v))
		}
		for _, d := range o.dests {
			op.Dests = append(op.Dests, t.arrayName(d))
		}
		op.Space, op.Body = t.kernelBody(b, e, func(*block) []ir.Exp {
			var out []ir.Exp
			for _, d := range e.space[:segs] {
				out = append(out, ir.Var(t.find(d.name).name))
			}
			out = append(append(out, t.exps(index)...), at...)
			if len(at) == 0 {
				return append(out, t.values(values)...)
			}
			for _, v := range values {
				arr := t.lookup(v.name, v.span)
				out = append(out, &ir.Index{Array: arr.name, Indices: at, T: arr.prim})
			}
			return out
		})
		op.Space = append(op.Space, inner...)
		b.span = s.span
		b.emit(t.bindAll(s.pat[pat:pat+k]), op)
		ix, val, pat = ix+len(o.hist), val+k, pat+k
	}
}
