package futhark

import (
	"strings"

	"github.com/memc-lang/memc/ir/diag"
)

// braced reads { stms in {results} }, where `in` may be `return` (in kernels),
// or {results} alone.
func (p *parser) braced(in string) *body {
	p.enter()
	defer p.leave()
	b := &body{span: p.expect("{").span}
	if p.bodyIsResult() {
		p.pos--
		b.result = p.operands()
		b.span = b.span.Join(p.toks[p.pos-1].span)
		return b
	}
	p.bodyInto(b, in)
	b.span = b.span.Join(p.expect("}").span)
	return b
}

// bodyIsResult tells, behind "{", whether a list of operands follows and not
// statements.
func (p *parser) bodyIsResult() bool {
	if p.is("let") || p.is("in") || p.is("return") || p.peek().kind == tokString || p.is("{") {
		return false
	}
	return true
}

// bodyInto reads statements and the values.
func (p *parser) bodyInto(b *body, in string) {
	for p.is("let") || p.peek().kind == tokString {
		b.stms = append(b.stms, p.stm())
	}
	if p.is("{") && len(b.stms) == 0 {
		b.result = p.operands()
		return
	}
	p.expect(in)
	if in == "in" {
		b.result = p.operands()
		return
	}
	p.expect("{")
	p.separated("}", func() { b.result = append(b.result, p.kernelResult()) })
}

// kernelResult: returns x, returns (manifest) x, returns (private) x, and the
// tiles of block-level kernels, tile(...) x and blkreg_tile(...) x.
func (p *parser) kernelResult() operand {
	certs := p.certs()
	t := p.peek()
	switch t.text {
	case "returns":
		p.next()
		if p.accept("(") {
			p.word() // manifest, private: where a result lies, not what it is
			p.expect(")")
		}
	case "tile", "blkreg_tile":
		p.next()
		x := p.tile(t.text == "blkreg_tile")
		x.certs = certs
		return x
	default:
		p.fail("a kernel's result")
	}
	x := p.operand()
	x.certs = certs
	return x
}

// tile: (n / t, ...) x, or with registers (n / (t * r), ...) x.
func (p *parser) tile(registers bool) operand {
	var ts []tileDim
	p.expect("(")
	p.separated(")", func() {
		d := tileDim{n: p.operand()}
		p.expect("/")
		if registers {
			p.expect("(")
			d.block = p.operand()
			p.expect("*")
			r := p.operand()
			d.register = &r
			p.expect(")")
		} else {
			d.block = p.operand()
		}
		ts = append(ts, d)
	})
	x := p.operand()
	x.tile = ts
	return x
}

func (p *parser) stm() *stm {
	s := &stm{}
	if p.peek().kind == tokString {
		s.loc = p.next().text
	}
	s.span = p.expect("let").span
	origin := -1
	if s.loc != "" {
		origin = len(p.origins)
		p.origins = append(p.origins, diag.Origin{Span: diag.Span{Start: s.span.Start, End: len(p.file.Text)}, Place: s.loc})
	}
	p.expect("{")
	p.separated("}", func() { s.pat = append(s.pat, p.param()) })
	s.span = s.span.Join(p.toks[p.pos-1].span)
	p.expect("=")
	s.attrs = p.attrs()
	s.certs = p.certs()
	s.attrs = append(s.attrs, p.attrs()...)
	s.exp = p.exp()
	if origin >= 0 {
		p.origins[origin].End = p.toks[p.pos-1].span.End
	}
	return s
}

// lambda: \ {params} : {types} -> body; nilFn takes and gives nothing.
func (p *parser) lambda() *lambda {
	if p.is("nilFn") {
		return &lambda{body: &body{span: p.next().span}}
	}
	p.expect("\\")
	l := &lambda{}
	p.expect("{")
	p.separated("}", func() { l.params = append(l.params, p.param()) })
	p.expect(":")
	l.rets = p.retTypes()
	p.expect("->")
	l.body = &body{span: p.peek().span}
	p.bodyInto(l.body, "in")
	l.body.span = l.body.span.Join(p.toks[p.pos-1].span)
	return l
}

// exp reads the right-hand side of a statement.
func (p *parser) exp() exp {
	p.enter()
	defer p.leave()
	t := p.peek()
	if t.text == "[" && t.kind == tokPunct {
		return p.arrayLit()
	}
	if t.kind == tokNumber || t.kind == tokWord && isConstant(t.text) || t.text == "(" {
		return &eOperand{p.operand()}
	}
	if t.kind != tokWord {
		p.fail("an expression")
	}
	switch t.text {
	case "if":
		return p.ifExp()
	case "match":
		return p.matchExp()
	case "loop":
		return p.loopExp()
	case "apply":
		return p.applyExp()
	case "with_acc":
		return p.withAcc()
	case "segmap", "segred", "segscan", "seghist":
		return p.segExp()
	case "par":
		return p.parExp()
	case "gpu":
		p.next()
		p.expect(":")
		g := &eGPU{types: p.retTypes()}
		g.body = p.braced("in")
		return g
	}
	if other := otherDialects[t.text]; other != "" && (p.isNext("(") || p.isNext("{")) {
		p.refuse(t.span, "`%s`, %s", t.text, other)
	}
	if p.isNext("(") && !strings.HasPrefix(t.text, "concat@") {
		return p.callLike()
	}
	if strings.HasPrefix(t.text, "concat@") || t.text == "concat" && p.isNext("@") {
		return p.concat()
	}
	return p.operandExp()
}

// otherDialects names what stands in Futhark's other dumps only.
var otherDialects = func() map[string]string {
	m := map[string]string{}
	for _, op := range strings.Fields("map redomap scanomap screma scatter hist streamSeq vjp jvp") {
		m[op] = "an operation from before memory is explicit (take a dump from later on)"
	}
	return m
}()

// operandExp reads what begins with a name and has no keyword: an index, an
// update, a unary operation, a conversion, another name.
func (p *parser) operandExp() exp {
	t := p.word()
	switch {
	case p.is("["):
		e := &eIndex{x: t.text, span: t.span}
		e.item, e.flat, e.off = p.items()
		e.span = e.span.Join(p.toks[p.pos-1].span)
		return e
	case p.is("with") || p.is("with?"):
		return p.update(t)
	case p.is("with") || p.is("?"):
		p.fail("an expression")
	}
	if conversions[t.text] {
		p.next() // the type it comes from, which the operand has
		x := p.operand()
		p.expect("to")
		to := p.word()
		return &ePrim{op: t.text, args: []operand{x}, to: to.text, span: t.span.Join(to.span)}
	}
	if _, ok := unaryOf(t.text); ok {
		x := p.operand()
		return &ePrim{op: t.text, args: []operand{x}, span: t.span.Join(x.span)}
	}
	return &eOperand{operand{name: t.text, ext: -1, span: t.span}}
}

func (p *parser) update(x token) exp {
	e := &eUpdate{x: x.text, span: x.span}
	p.expect("with")
	e.safe = p.accept("?")
	e.item, e.flat, e.off = p.items()
	p.expect("=")
	e.val = p.operand()
	e.span = e.span.Join(p.toks[p.pos-1].span)
	return e
}

// items reads [i, b :+ n * s] or, for a flat slice, [off; n : s, ...].
func (p *parser) items() (items []item, flat bool, off operand) {
	p.expect("[")
	first := true
	p.separated("]", func() {
		x := p.operand()
		if first && p.accept(";") {
			flat, off = true, x
			x = p.operand()
		}
		first = false
		switch {
		case flat:
			p.expect(":")
			items = append(items, item{length: x, stride: p.operand()})
		case p.accept(":"):
			p.expect("+")
			it := item{x: x, length: p.operand()}
			p.expect("*")
			it.stride = p.operand()
			items = append(items, it)
		default:
			items = append(items, item{fixed: true, x: x})
		}
	})
	return items, flat, off
}

func (p *parser) arrayLit() exp {
	p.expect("[")
	e := &eLit{}
	p.separated("]", func() { e.elems = append(e.elems, p.operand()) })
	p.expect(":")
	p.expect("[")
	p.expect("]")
	e.elem = p.typ()
	return e
}

func (p *parser) ifExp() exp {
	p.expect("if")
	e := &eIf{}
	if p.accept("<equiv>") {
		e.equiv = true
	} else {
		p.accept("<fallback>") // the else branch stands in where the check fails: an ordinary if
	}
	e.cond = p.operand()
	p.expect("then")
	e.yes = p.braced("in")
	p.expect("else")
	e.no = p.braced("in")
	p.expect(":")
	e.types = p.retTypes()
	return e
}

func (p *parser) matchExp() exp {
	p.expect("match")
	e := &eMatch{}
	if p.accept("<equiv>") {
		e.equiv = true
	} else {
		p.accept("<fallback>")
	}
	e.on = p.operands()
	for p.accept("case") {
		var c matchCase
		p.expect("{")
		p.separated("}", func() { c.pats = append(c.pats, p.operand()) })
		p.expect("->")
		c.body = p.braced("in")
		e.cases = append(e.cases, c)
	}
	p.expect("default")
	p.expect("->")
	e.dflt = p.braced("in")
	p.expect(":")
	e.types = p.retTypes()
	return e
}

func (p *parser) loopExp() exp {
	p.expect("loop")
	e := &eLoop{}
	p.expect("{")
	p.separated("}", func() { e.params = append(e.params, p.param()) })
	p.expect("=")
	e.init = p.operands()
	if p.accept("while") {
		e.while = p.word().text
	} else {
		p.expect("for")
		e.loopVar = p.word().text
		p.expect(":")
		e.varPrim = p.word().text
		p.expect("<")
		e.bound = p.operand()
	}
	p.expect("do")
	e.body = p.braced("in")
	return e
}

func (p *parser) applyExp() exp {
	p.expect("apply")
	p.accept("<unsafe>")
	name := p.word()
	e := &eApply{fn: name.text, span: name.span}
	p.expect("(")
	p.separated(")", func() { e.args = append(e.args, p.operand()) })
	p.expect(":")
	e.rets = p.retTypes()
	return e
}
