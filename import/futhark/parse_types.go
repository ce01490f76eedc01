package futhark

import "strings"

// retTypes reads the types of results, with their alias lists, which memc
// works out itself.
func (p *parser) retTypes() []*typ {
	p.expect("{")
	var ts []*typ
	p.separated("}", func() { ts = append(ts, p.typ()) })
	return ts
}

// typ: a primitive, mem, acc(...), or an array; with its place and, behind
// that, alias lists.
func (p *parser) typ() *typ {
	t := &typ{span: p.peek().span}
	if p.accept("*") {
		t.uniq = true
	}
	for p.accept("[") {
		t.shape = append(t.shape, p.operand())
		p.expect("]")
	}
	w := p.word()
	t.prim = w.text
	if rest, ok := strings.CutPrefix(w.text, "*"); ok && rest != "" {
		t.uniq, t.prim = true, rest
	}
	switch t.prim {
	case "mem":
		if p.accept("@") {
			t.space = p.space()
		}
	case "acc":
		p.expect("(")
		t.acc = p.word().text
		p.expect(",")
		p.expect("[")
		p.separated("]", func() {
			// Shapes stand as [n][m].
			t.shape = append(t.shape, p.operand())
			if p.is("]") && p.isNext("[") {
				p.next()
				p.toks[p.pos].text = ","
			}
		})
		p.expect(",")
		p.expect("{")
		p.separated("}", func() { t.parts = append(t.parts, p.typ()) })
		p.expect(")")
	case "i8", "i16", "i32", "i64", "f16", "f32", "f64", "bool", "unit":
		if p.accept("@") {
			t.place = p.place()
		}
	default:
		p.pos--
		p.fail("a type")
	}
	t.span = t.span.Join(p.toks[p.pos-1].span)
	if p.is("#") && p.isNext("(") {
		p.next()
		p.skipParens(0)
	}
	return t
}

// space: device, shared, or the type of a register-like block.
func (p *parser) space() string {
	s := ""
	for p.accept("[") {
		s += "[" + p.next().text + "]"
		p.expect("]")
	}
	return s + p.word().text
}

// skipParens skips up to the ")" that closes depth open ones, or the one that
// opens here.
func (p *parser) skipParens(depth int) {
	for {
		t := p.next()
		switch t.text {
		case "(":
			depth++
		case ")":
			depth--
		}
		if depth == 0 {
			return
		}
		if t.kind == tokEnd {
			p.fail("`)`")
		}
	}
}

// place: NAME -> {offset: e; strides: [e, ...]; shape: [e, ...]}
func (p *parser) place() *place {
	pl := &place{ext: -1, span: p.peek().span}
	if p.accept("?") {
		pl.ext = p.integer()
		if p.accept("@") {
			p.space()
		}
	} else {
		pl.mem = p.word().text
	}
	p.expect("->")
	p.expect("{")
	p.expect("offset")
	p.expect(":")
	pl.offset = p.lexp()
	p.expect(";")
	p.expect("strides")
	p.expect(":")
	p.expect("[")
	p.separated("]", func() { pl.strides = append(pl.strides, p.lexp()) })
	p.expect(";")
	p.expect("shape")
	p.expect(":")
	p.expect("[")
	p.separated("]", func() { p.lexp() }) // as in the type
	pl.span = pl.span.Join(p.expect("}").span)
	return pl
}

// lexp: a leaf, or an operator with its operands each in parentheses.
func (p *parser) lexp() *lexp {
	p.enter()
	defer p.leave()
	if p.accept("(") {
		e := p.lexp()
		p.expect(")")
		return e
	}
	if p.isNext("(") && p.peek().kind == tokWord {
		t := p.next()
		e := &lexp{op: t.text, span: t.span}
		for p.accept("(") { // each operand of an operator in its own, those of a function in one
			p.separated(")", func() { e.args = append(e.args, p.lexp()) })
			e.span = e.span.Join(p.toks[p.pos-1].span)
		}
		return e
	}
	x := p.operand()
	return &lexp{leaf: &x, span: x.span}
}

// operand: a variable, a constant, ?k.
func (p *parser) operand() operand {
	t := p.peek()
	switch {
	case t.kind == tokNumber:
		p.pos++
		return operand{konst: t.text, ext: -1, span: t.span}
	case t.text == "?" && t.kind == tokPunct:
		p.pos++
		return operand{ext: p.integer(), span: t.span.Join(p.toks[p.pos-1].span)}
	case t.kind == tokWord:
		p.pos++
		if isConstant(t.text) {
			return operand{konst: t.text, ext: -1, span: t.span}
		}
		return operand{name: t.text, ext: -1, span: t.span}
	case t.text == "(" && p.isNext(")"):
		p.pos += 2
		return operand{konst: "()", ext: -1, span: t.span}
	}
	p.fail("a variable or a constant")
	return operand{}
}

func isConstant(s string) bool {
	switch strings.TrimPrefix(s, "-") {
	case "true", "false", "f16.inf", "f32.inf", "f64.inf", "f16.nan", "f32.nan", "f64.nan":
		return true
	}
	return false
}

// operands reads {a, b}.
func (p *parser) operands() []operand {
	p.expect("{")
	var xs []operand
	p.separated("}", func() {
		certs := p.certs()
		x := p.operand()
		x.certs = certs
		xs = append(xs, x)
	})
	return xs
}

// shape reads [n][m] or [n, m]; nothing where none stands here.
func (p *parser) shape() []operand {
	var ds []operand
	for p.accept("[") {
		p.separated("]", func() { ds = append(ds, p.operand()) })
	}
	return ds
}
