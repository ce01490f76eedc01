package futhark

import (
	"strconv"
	"strings"
)

// callLike reads what is written NAME(...); a NAME that is none of the known
// ones is that of a scalar operation.
func (p *parser) callLike() exp {
	t := p.peek()
	switch t.text {
	case "alloc":
		p.pos += 2
		e := &eAlloc{size: p.operand()}
		if p.accept(",") {
			p.expect("@")
			e.space = p.space()
		}
		p.expect(")")
		return e
	case "copy", "opaque", "ensure_direct":
		p.pos += 2
		x := p.operand()
		p.expect(")")
		if t.text == "copy" {
			return &eManifest{x: x}
		}
		return &eOperand{x}
	case "trace":
		p.pos += 2
		p.next()
		p.expect(",")
		x := p.operand()
		p.expect(")")
		return &eOperand{x}
	case "replicate":
		p.pos += 2
		e := &eReplicate{shape: p.shape()}
		p.expect(",")
		e.x = p.operand()
		p.expect(")")
		return e
	case "scratch":
		p.pos += 2
		e := &eScratch{prim: p.word().text}
		for p.accept(",") {
			e.shape = append(e.shape, p.operand())
		}
		p.expect(")")
		return e
	case "iota8", "iota16", "iota32", "iota64":
		p.pos += 2
		e := &eIota{prim: "i" + strings.TrimPrefix(t.text, "iota")}
		e.n = p.operand()
		p.expect(",")
		e.start = p.operand()
		p.expect(",")
		e.stride = p.operand()
		p.expect(")")
		return e
	case "manifest", "rearrange":
		p.pos += 2
		x := p.operand()
		p.expect(",")
		p.expect("(")
		var perm []int
		p.separated(")", func() { perm = append(perm, p.integer()) })
		p.expect(")")
		if t.text == "manifest" {
			return &eManifest{x, perm}
		}
		return &eRearrange{x, perm}
	case "reshape":
		return p.reshape()
	case "assert":
		return p.assert()
	case "get_size", "get_size_max", "calc_num_tblocks", "user_param", "cmp_size":
		return p.sizeExp()
	case "update_acc", "update_acc_unsafe":
		p.pos += 2
		e := &eUpdateAcc{unsafe: t.text == "update_acc_unsafe", acc: p.word().text}
		p.expect(",")
		e.index = p.operands()
		p.expect(",")
		e.value = p.operands()
		p.expect(")")
		return e
	}
	return p.primCall()
}

// primCall: add64(a, b).
func (p *parser) primCall() exp {
	t := p.peek()
	e := &ePrim{op: t.text, span: t.span}
	p.pos += 2
	p.separated(")", func() { e.args = append(e.args, p.operand()) })
	e.span = e.span.Join(p.toks[p.pos-1].span)
	return e
}

// concat: concat@dim(total, x, y).
func (p *parser) concat() exp {
	t := p.next()
	e := &eConcat{}
	if n, ok := strings.CutPrefix(t.text, "concat@"); ok {
		e.dim, _ = strconv.Atoi(n)
	} else {
		p.expect("@")
		e.dim = p.integer()
	}
	p.expect("(")
	p.operand()
	for p.accept(",") {
		e.args = append(e.args, p.operand())
	}
	p.expect(")")
	return e
}

// reshape: reshape(x, (start::count=>[dims]; [new shape])): the splices say
// how, the shape behind them what.
func (p *parser) reshape() exp {
	p.pos += 2
	e := &eReshape{x: p.operand()}
	p.expect(",")
	p.expect("(")
	for {
		switch {
		case p.is("["):
			e.shape = p.shape()
			p.expect(")")
			p.expect(")")
			return e
		case p.peek().kind == tokEnd:
			p.fail("the new shape")
		default:
			for !p.is(";") && p.peek().kind != tokEnd {
				p.next()
			}
			p.accept(";")
		}
	}
}

func (p *parser) assert() exp {
	p.pos += 2
	e := &eAssert{cond: p.operand()}
	p.expect(",")
	p.expect("{")
	p.separated("}", func() {
		if t := p.peek(); t.kind == tokString {
			p.next()
			e.msg = append(e.msg, t.text)
			return
		}
		x := p.operand()
		p.expect(":")
		p.word()
		e.msg = append(e.msg, x)
	})
	p.expect(")")
	return e
}

// sizeExp reads what asks for a tuning parameter: get_size(name, class),
// get_size_max(class), calc_num_tblocks(n, name, size), user_param(name, x),
// cmp_size(name, threshold(..)) <= x.
func (p *parser) sizeExp() exp {
	t := p.next()
	e := &eSize{what: t.text, span: t.span}
	p.expect("(")
	switch t.text {
	case "calc_num_tblocks":
		e.class = "grid_size"
		e.args = append(e.args, p.operand())
		p.expect(",")
		e.name = p.word().text
		p.expect(",")
		e.args = append(e.args, p.operand())
		p.expect(")")
	case "user_param":
		e.class = "user"
		e.name = p.word().text
		p.expect(",")
		e.args = append(e.args, p.operand())
		p.expect(")")
	default:
		e.name = p.word().text
		from := p.pos
		p.skipParens(1)
		if last := p.pos - 2; last > from {
			e.class = p.file.Text[p.toks[from+1].span.Start:p.toks[last].span.End]
		}
		if t.text == "cmp_size" {
			p.expect("<=")
			e.args = append(e.args, p.operand())
		}
	}
	e.span = e.span.Join(p.toks[p.pos-1].span)
	return e
}
