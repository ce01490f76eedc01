package futhark

import (
	"fmt"
	"strconv"
	"strings"
)

func (p *printer) stm(s *stm) {
	p.line()
	if s.loc != "" {
		p.f("%q", s.loc)
		p.line()
	}
	p.b.WriteString("let ")
	p.params("{", "}", s.pat)
	p.b.WriteString(" =")
	p.depth++
	p.line()
	for _, a := range s.attrs {
		p.f("#[%s]", a)
		p.line()
	}
	if len(s.certs) > 0 {
		p.certs(s.certs)
		p.line()
	}
	p.exp(s.exp)
	p.depth--
}

func (p *printer) lambda(l *lambda) {
	p.b.WriteString("\\ ")
	p.params("{", "}", l.params)
	p.b.WriteString(" : ")
	p.types(l.rets)
	p.b.WriteString(" ->")
	p.depth++
	if len(l.body.stms) == 0 {
		p.b.WriteByte(' ')
		p.operands(l.body.result)
	} else {
		p.bodyIn(l.body)
	}
	p.depth--
}

func (p *printer) braced(x *body) {
	p.b.WriteString("{")
	p.depth++
	p.bodyIn(x)
	p.depth--
	p.line()
	p.b.WriteString("}")
}

func (p *printer) bodyIn(x *body) {
	for _, s := range x.stms {
		p.stm(s)
	}
	p.line()
	if len(x.stms) > 0 {
		p.b.WriteString("in ")
		p.operands(x.result)
		return
	}
	p.list("in {", "}", len(x.result), func(i int) { p.operand(x.result[i]) })
}

func (p *printer) kernelBody(x *body) {
	p.b.WriteString("{")
	p.depth++
	for _, s := range x.stms {
		p.stm(s)
	}
	p.line()
	p.list("return {", "}", len(x.result), func(i int) {
		r := x.result[i]
		if len(r.certs) > 0 {
			p.certs(r.certs)
			p.b.WriteByte(' ')
			r.certs = nil
		}
		switch {
		case r.tile == nil:
			p.b.WriteString("returns ")
		case r.tile[0].register != nil:
			p.list("blkreg_tile(", ") ", len(r.tile), func(i int) {
				p.operand(r.tile[i].n)
				p.b.WriteString(" / (")
				p.operand(r.tile[i].block)
				p.b.WriteString(" * ")
				p.operand(*r.tile[i].register)
				p.b.WriteByte(')')
			})
		default:
			p.list("tile(", ") ", len(r.tile), func(i int) {
				p.operand(r.tile[i].n)
				p.b.WriteString(" / ")
				p.operand(r.tile[i].block)
			})
		}
		p.operand(r)
	})
	p.depth--
	p.line()
	p.b.WriteString("}")
}

// call writes name(args).
func (p *printer) call(name string, args ...any) {
	p.b.WriteString(name)
	p.list("(", ")", len(args), func(i int) {
		switch a := args[i].(type) {
		case operand:
			p.operand(a)
		case []operand:
			p.operands(a)
		case string:
			p.b.WriteString(a)
		case func():
			a()
		}
	})
}

func perm(is []int) string {
	var s []string
	for _, i := range is {
		s = append(s, strconv.Itoa(i))
	}
	return "(" + strings.Join(s, ", ") + ")"
}

func (p *printer) exp(e exp) {
	switch e := e.(type) {
	case *eOperand:
		p.operand(e.x)
	case *eLit:
		p.list("[", "]", len(e.elems), func(i int) { p.operand(e.elems[i]) })
		p.b.WriteString(" : []")
		p.typ(e.elem)
	case *ePrim:
		p.prim(e)
	case *eIndex:
		p.b.WriteString(p.n(e.x))
		p.items(e.item, e.flat, e.off)
	case *eUpdate:
		p.f("%s with%s ", p.n(e.x), map[bool]string{true: "?"}[e.safe])
		p.items(e.item, e.flat, e.off)
		p.b.WriteString(" = ")
		p.operand(e.val)
	case *eAlloc:
		if e.space == "" || p.cores {
			p.call("alloc", e.size)
		} else {
			p.call("alloc", e.size, "@"+p.space(e.space))
		}
	case *eReplicate:
		p.call("replicate", func() { p.shape(e.shape) }, e.x)
	case *eIota:
		p.call("iota"+strings.TrimPrefix(e.prim, "i"), e.n, e.start, e.stride)
	case *eScratch:
		args := []any{e.prim}
		for _, d := range e.shape {
			args = append(args, d)
		}
		p.call("scratch", args...)
	case *eConcat:
		args := []any{"0i64"}
		for _, a := range e.args {
			args = append(args, a)
		}
		p.call("concat@"+strconv.Itoa(e.dim), args...)
	case *eManifest:
		if e.perm == nil {
			p.call("copy", e.x)
		} else {
			p.call("manifest", e.x, perm(e.perm))
		}
	case *eRearrange:
		p.call("rearrange", e.x, perm(e.perm))
	case *eReshape:
		p.call("reshape", e.x, func() {
			p.b.WriteString("(0::1=>[1i64]; ")
			p.shape(e.shape)
			p.b.WriteByte(')')
		})
	case *eAssert:
		p.call("assert", e.cond, func() {
			p.list("{", "}", len(e.msg), func(i int) {
				switch m := e.msg[i].(type) {
				case string:
					p.f("%q", m)
				case operand:
					p.operand(m)
					p.b.WriteString(" : i64")
				}
			})
		})
	case *eSize:
		p.size(e)
	default:
		p.compound(e)
	}
}

func (p *printer) prim(e *ePrim) {
	p.b.WriteString(e.op)
	if e.to != "" {
		p.b.WriteString(" i32 ")
		p.operand(e.args[0])
		p.b.WriteString(" to " + e.to)
		return
	}
	if _, ok := unaryOf(e.op); ok {
		p.b.WriteByte(' ')
		p.operand(e.args[0])
		return
	}
	p.list("(", ")", len(e.args), func(i int) { p.operand(e.args[i]) })
}

func (p *printer) size(e *eSize) {
	switch e.what {
	case "calc_num_tblocks":
		p.call(e.what, e.args[0], e.name, e.args[1])
	case "user_param":
		p.call(e.what, e.name, e.args[0])
	default:
		if e.class == "" {
			p.call(e.what, e.name)
		} else {
			p.call(e.what, e.name, e.class)
		}
		if e.what == "cmp_size" {
			p.b.WriteString(" <= ")
			p.operand(e.args[0])
		}
	}
}

func (p *printer) compound(e exp) {
	switch e := e.(type) {
	case *eIf:
		p.f("if%s ", map[bool]string{true: " <equiv>"}[e.equiv])
		p.operand(e.cond)
		p.line()
		p.b.WriteString("then ")
		p.braced(e.yes)
		p.b.WriteString(" else ")
		p.braced(e.no)
		p.b.WriteString(" : ")
		p.types(e.types)
	case *eMatch:
		p.f("match %s", map[bool]string{true: " <equiv> "}[e.equiv])
		p.operands(e.on)
		for _, c := range e.cases {
			p.line()
			p.b.WriteString("case ")
			p.operands(c.pats)
			p.b.WriteString(" -> ")
			p.braced(c.body)
		}
		p.line()
		p.b.WriteString("default -> ")
		p.braced(e.dflt)
		p.b.WriteString(" : ")
		p.types(e.types)
	case *eLoop:
		p.b.WriteString("loop ")
		p.params("{", "}", e.params)
		p.b.WriteString(" = ")
		p.operands(e.init)
		if e.while != "" {
			p.f(" while %s do ", p.n(e.while))
		} else {
			p.f(" for %s:%s < ", p.n(e.loopVar), e.varPrim)
			p.operand(e.bound)
			p.b.WriteString(" do ")
		}
		p.braced(e.body)
	case *eApply:
		p.f("apply %s", e.fn)
		p.list("(", ")", len(e.args), func(i int) { p.operand(e.args[i]) })
		p.b.WriteString(" : ")
		p.types(e.rets)
	case *eWithAcc:
		p.b.WriteString("with_acc(")
		p.list("{", "}", len(e.inputs), func(i int) {
			in := e.inputs[i]
			p.b.WriteByte('(')
			p.shape(in.shape)
			p.b.WriteString(", ")
			p.operands(in.arrays)
			if in.lam != nil {
				p.b.WriteString(", (")
				p.lambda(in.lam)
				p.b.WriteString(", ")
				p.operands(in.neutral)
				p.b.WriteByte(')')
			}
			p.b.WriteByte(')')
		})
		p.b.WriteString(", ")
		p.lambda(e.lam)
		p.b.WriteByte(')')
	case *eUpdateAcc:
		p.call("update_acc"+map[bool]string{true: "_unsafe"}[e.unsafe], p.n(e.acc), e.index, e.value)
	case *eGPU:
		p.b.WriteString("gpu : ")
		p.types(e.types)
		p.b.WriteByte(' ')
		p.braced(e.body)
	case *eSeg:
		p.seg(e)
	default:
		panic(fmt.Sprintf("%T", e))
	}
}

// seg writes a parallel operation; for several cores in two versions, of which
// the second, here the same, is to be taken.
func (p *printer) seg(e *eSeg) {
	if !p.cores || e.level != "thread" {
		p.segmented(e)
		return
	}
	p.b.WriteString("par { ")
	p.segmented(e)
	p.line()
	p.b.WriteString("} seq { ")
	p.segmented(e)
	p.b.WriteString(" }")
}

func (p *printer) segmented(e *eSeg) {
	if p.cores {
		p.f("%s()", e.kind)
	} else {
		p.f("%s(%s; %s)", e.kind, e.level, map[bool]string{true: "; grid=1i64; blocksize=1i64"}[e.level != "inblock"])
	}
	p.line()
	p.list("(", ")", len(e.space), func(i int) {
		p.f("%s < ", p.n(e.space[i].name))
		p.operand(e.space[i].bound)
	})
	p.f(" (~%s) : ", p.n(e.flat))
	p.types(e.types)
	p.b.WriteByte(' ')
	p.kernelBody(e.body)
	if e.kind == "segmap" {
		return
	}
	p.line()
	p.list("(", ")", len(e.ops), func(i int) {
		o := e.ops[i]
		if e.kind == "seghist" {
			p.shape(o.hist)
			p.b.WriteString(", 1i64, ")
			p.operands(o.dests)
			p.b.WriteString(", ")
		}
		p.operands(o.neutral)
		p.b.WriteString(", ")
		p.shape(o.shape)
		p.b.WriteString(", ")
		if o.commutative {
			p.b.WriteString("commutative ")
		}
		p.lambda(o.lam)
	})
	if e.post != nil {
		p.line()
		p.lambda(e.post)
	}
}
