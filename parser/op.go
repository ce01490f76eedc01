package parser

import "github.com/memc-lang/memc/ir"

// operation reads the right-hand side of a let.
func (r *reader) operation() ir.Op {
	switch t := r.tok; t.kind {
	case kName:
		switch r.fol.kind {
		case kWith:
			return r.update()
		case kLBrack:
			return r.bracketed()
		case kLParen:
			if _, builtin := ir.Builtins[r.text(t)]; !builtin {
				return r.call()
			}
		}
	case kLBrack:
		return r.arrayLit()
	case kCopy:
		r.take()
		return &ir.Copy{X: r.array()}
	case kConcat:
		r.take()
		return r.concat()
	case kScratch:
		r.take()
		p := r.prim("an element type", "scratch f32 (n, m)")
		return &ir.Scratch{Prim: p, Dims: r.exps()}
	case kIota:
		r.take()
		return &ir.Range{Lo: ir.IntLit(0), Hi: r.exp(), Iota: true}
	case kReplicate:
		r.take()
		dims := r.exps()
		return &ir.Replicate{Dims: dims, X: r.exp()}
	case kReshape:
		r.take()
		dims := r.exps()
		return &ir.Reshape{X: r.array(), Dims: dims}
	case kRearrange:
		r.take()
		perm := r.ints()
		return &ir.Rearrange{X: r.array(), Perm: perm}
	case kAlloc:
		r.take()
		a := &ir.Alloc{}
		if r.accept(kAt) {
			a.Space = r.name("a memory space")
			r.words.last(aSpace)
		}
		a.Size = r.exp()
		return a
	case kIf:
		return r.branch()
	case kLoop:
		return r.loop()
	case kMap, kReduce, kScan, kScatter, kHist:
		return r.kernel()
	}
	return &ir.Compute{E: r.exp()}
}

// array reads the name of an array.
func (r *reader) array() string {
	name := r.name("the name of an array")
	if k := r.tok.kind; k == kLBrack {
		r.unexpected("the end of the statement", "name the slice or element first: let part = "+clip(name)+"[...]")
	}
	return name
}

func (r *reader) concat() ir.Op {
	const form = "concat joins along a dimension: concat@0 (x, y)"
	c := &ir.Concat{}
	r.expect(kAt, form)
	c.Dim = r.dimension()
	r.expect(kLParen, form)
	r.list(kRParen, func() { c.Args = append(c.Args, r.array()) })
	return c
}

// arrayLit reads "[e, ...]" or "[a ..< b]".
func (r *reader) arrayLit() ir.Op {
	r.take()
	if r.accept(kRBrack) {
		return &ir.ArrayLit{Elems: []ir.Exp{}}
	}
	first := r.exp()
	if r.accept(kUpTo) {
		hi := r.exp()
		r.expect(kRBrack, "a range is [a ..< b]")
		return &ir.Range{Lo: first, Hi: hi}
	}
	es := []ir.Exp{first}
	if r.accept(kComma) {
		r.list(kRBrack, func() { es = append(es, r.exp()) })
	} else if !r.accept(kRBrack) {
		r.unexpected("`,`, `]` or `..<`", "")
	}
	return &ir.ArrayLit{Elems: es}
}

// update reads "x with [items] = z".
func (r *reader) update() ir.Op {
	const form = "an update is: x with [i, (start, length)] = z"
	u := &ir.Update{X: r.name("the name of an array")}
	r.take() // with
	r.expect(kLBrack, form)
	u.Items, _ = r.items(kRBrack)
	r.expect(kAssign, form)
	u.Value = r.exp()
	return u
}

// bracketed reads a slice "x[items]", or an expression that begins with an
// element "x[i, j]".
func (r *reader) bracketed() ir.Op {
	t := r.take()
	r.words.add(r, t, aValue)
	r.take() // [
	items, height := r.items(kRBrack)
	for _, it := range items {
		if !it.Fixed {
			return &ir.Slice{X: r.text(t), Items: items}
		}
	}
	return &ir.Compute{E: r.climb(r.element(t, items, height), t.start, 1).e}
}

func (r *reader) call() ir.Op {
	t := r.take()
	r.words.add(r, t, aFunction)
	c := &ir.Call{Fn: r.text(t)}
	r.take() // (
	r.list(kRParen, func() { c.Args = append(c.Args, r.exp()) })
	return c
}

// branch reads "if": with two bodies, or a conditional expression.
func (r *reader) branch() ir.Op {
	start := r.take().start
	c := r.sub()
	if r.accept(kThen) {
		return &ir.Compute{E: r.thenElse(start, c).e}
	}
	if r.tok.kind != kLBrace {
		hint := "if c then a else b, or if c { in a } else { in b }"
		if r.tok.kind == kAssign {
			hint = "equality is written =="
		}
		r.unexpected("an operator, `then` or `{`", hint)
	}
	b := &ir.If{Cond: c.e, Then: r.body("")}
	const form = "an if gives a value on both sides: if c { in a } else { in b }"
	r.expect(kElse, form)
	b.Else = r.body(form)
	return b
}

func (r *reader) loop() ir.Op {
	const form = "a loop is: loop (x = x0, ...) for i < n { in x1 }, or while go"
	r.take()
	l := &ir.Loop{}
	r.expect(kLParen, form)
	r.list(kRParen, func() {
		e := r.elem()
		r.expect(kAssign, "a loop parameter has an initial value: x = x0")
		l.Params = append(l.Params, ir.Param{Elem: e, Init: r.exp()})
	})
	switch r.tok.kind {
	case kFor:
		r.take()
		l.Head = r.here()
		l.Var = r.name("the name of the loop's variable")
		r.expect(kLess, "for i < n")
		l.Bound = r.exp()
	case kWhile:
		r.take()
		l.Head = r.here()
		at := r.tok.start
		cond := r.exp()
		l.Head = r.from(at)
		if ref, ok := cond.(*ir.Ref); ok {
			l.While = ref.Name
		} else {
			l.Cond = cond
		}
	default:
		r.unexpected("`for` or `while`", form)
	}
	l.Body = r.body(form)
	return l
}
