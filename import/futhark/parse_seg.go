package futhark

import "strings"

// segExp: KIND(level) (i < n, ...) (~flat) : {types} { body } and what the
// kind adds.
func (p *parser) segExp() exp {
	t := p.next()
	e := &eSeg{kind: t.text, span: t.span}
	p.expect("(")
	if e.level = "thread"; !p.is(")") { // nothing stands here in code for several cores
		e.level = p.word().text
	}
	for !p.accept(")") {
		if p.peek().kind == tokEnd {
			p.fail("`)`")
		}
		p.next()
	}
	p.expect("(")
	p.separated(")", func() {
		name := p.word()
		p.expect("<")
		e.space = append(e.space, segDim{name.text, p.operand(), name.span})
	})
	p.expect("(")
	p.expect("~")
	e.flat = p.word().text
	p.expect(")")
	p.expect(":")
	e.types = p.retTypes()
	e.body = p.braced("return")
	switch e.kind {
	case "segmap":
		return e
	case "seghist":
		p.expect("(")
		p.separated(")", func() { e.ops = append(e.ops, p.histOp()) })
	default:
		p.expect("(")
		p.separated(")", func() { e.ops = append(e.ops, p.redOp()) })
		if e.kind == "segscan" && p.is("\\") {
			e.post = p.lambda()
		}
	}
	return e
}

// parExp: par { KIND... } seq { KIND... }, two versions of the same code for several
// cores: in the body of the second each core works by itself, as a thread does.
func (p *parser) parExp() exp {
	var e exp
	for _, version := range []string{"par", "seq"} {
		p.expect(version)
		p.expect("{")
		switch p.peek().text {
		case "segmap", "segred", "segscan", "seghist":
			e = p.segExp()
		default:
			p.fail("a parallel operation")
		}
		p.expect("}")
	}
	return e
}

// redOp: {neutral}, shape, [commutative] lambda.
func (p *parser) redOp() segOp {
	var o segOp
	o.neutral = p.operands()
	p.expect(",")
	o.shape = p.shape()
	p.expect(",")
	o.commutative = p.accept("commutative")
	o.lam = p.lambda()
	return o
}

// histOp: [shape], race factor, {dests}, {neutral}, shape, lambda.
func (p *parser) histOp() segOp {
	hist := p.shape()
	p.expect(",")
	p.operand()
	p.expect(",")
	dests := p.operands()
	p.expect(",")
	o := p.redOp()
	o.hist, o.dests = hist, dests
	return o
}

// withAcc: with_acc({(shape, {arrays}[, (operator, {neutral})]), ...}, lambda)
func (p *parser) withAcc() exp {
	p.next()
	e := &eWithAcc{}
	p.expect("(")
	p.expect("{")
	p.separated("}", func() {
		var in accInput
		p.expect("(")
		in.shape = p.shape()
		p.expect(",")
		in.arrays = p.operands()
		if p.accept(",") {
			p.expect("(")
			in.lam = p.lambda()
			p.expect(",")
			in.neutral = p.operands()
			p.expect(")")
		}
		p.expect(")")
		e.inputs = append(e.inputs, in)
	})
	p.expect(",")
	e.lam = p.lambda()
	p.expect(")")
	return e
}

// conversions take an operand and a target: sext i32 x to i64.
var conversions = map[string]bool{
	"sext": true, "zext": true, "fpconv": true, "fptoui": true, "fptosi": true, "uitofp": true, "sitofp": true,
	"itob": true, "btoi": true, "ftob": true, "btof": true, "fptobits": true, "bitstofp": true,
}

// unaryOf reports whether a name is that of a unary operation, which is written
// before its operand without parentheses.
func unaryOf(name string) (string, bool) {
	for _, u := range []string{"neg_", "abs", "fabs", "ssignum", "usignum", "fsignum", "complement"} {
		if strings.HasPrefix(name, u) {
			if _, ok := primOfSuffix(strings.TrimPrefix(name, u)); ok {
				return u, true
			}
		}
	}
	return "", name == "neg_bool" || name == "not"
}

// primOfSuffix reads the width at the end of an operation's name: 32, f32, i8,
// bool.
func primOfSuffix(s string) (string, bool) {
	switch s {
	case "8", "16", "32", "64", "i8", "i16", "i32", "i64", "f16", "f32", "f64", "bool":
		return s, true
	}
	return "", false
}
