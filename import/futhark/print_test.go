package futhark

import (
	"fmt"
	"strings"
)

// A printer writes a tree as Futhark's printer would, so that rewritten trees
// can be read again. What the tree does not keep (alias lists, the grid of a
// kernel, how a reshape was made) is written as something that the parser reads
// over. name renames variables.
type printer struct {
	b     strings.Builder
	depth int
	name  func(string) string
	bound map[string]bool // what name is asked for
	cores bool            // as for several cores, where blocks have no spaces
}

func (p *printer) f(format string, args ...any) { fmt.Fprintf(&p.b, format, args...) }

func (p *printer) line() {
	p.b.WriteByte('\n')
	p.b.WriteString(strings.Repeat("  ", p.depth))
}

func (p *printer) n(name string) string {
	if rest, ok := strings.CutPrefix(name, "*"); ok && !p.bound[name] && p.bound[rest] {
		return "*" + p.n(rest)
	}
	if p.name == nil || !p.bound[name] {
		return name
	}
	return p.name(name)
}

// list writes items between brackets.
func (p *printer) list(open, closing string, n int, item func(i int)) {
	p.b.WriteString(open)
	for i := range n {
		if i > 0 {
			p.b.WriteString(", ")
		}
		item(i)
	}
	p.b.WriteString(closing)
}

func (p *printer) operand(o operand) {
	if len(o.certs) > 0 {
		p.certs(o.certs)
		p.b.WriteByte(' ')
	}
	switch {
	case o.konst != "":
		p.b.WriteString(o.konst)
	case o.ext >= 0:
		p.f("?%d", o.ext)
	default:
		p.b.WriteString(p.n(o.name))
	}
}

func (p *printer) operands(os []operand) {
	p.list("{", "}", len(os), func(i int) { p.operand(os[i]) })
}

func (p *printer) shape(os []operand) {
	for _, o := range os {
		p.b.WriteByte('[')
		p.operand(o)
		p.b.WriteByte(']')
	}
}

func (p *printer) certs(cs []string) {
	p.list("#{", "}", len(cs), func(i int) { p.b.WriteString(p.n(cs[i])) })
}

func (p *printer) typ(t *typ) {
	if t.uniq {
		p.b.WriteByte('*')
	}
	switch t.prim {
	case "mem":
		p.b.WriteString("mem")
		if t.space != "" && !p.cores {
			p.b.WriteString("@" + p.space(t.space))
		}
	case "acc":
		p.f("acc(%s, ", p.n(t.acc))
		p.shape(t.shape)
		p.b.WriteString(", ")
		p.types(t.parts)
		p.b.WriteByte(')')
	default:
		p.shape(t.shape)
		p.b.WriteString(t.prim)
		if t.place != nil {
			p.b.WriteString(" @ ")
			p.place(t.place)
		}
	}
}

// space renames the sizes of a register-like space.
func (p *printer) space(s string) string {
	var out strings.Builder
	for {
		from, rest, ok := strings.Cut(s, "[")
		out.WriteString(from)
		if !ok {
			return out.String()
		}
		size, after, _ := strings.Cut(rest, "]")
		out.WriteString("[" + p.n(size) + "]")
		s = after
	}
}

func (p *printer) place(pl *place) {
	if pl.mem != "" {
		p.b.WriteString(p.n(pl.mem))
	} else {
		p.f("?%d%s", pl.ext, map[bool]string{false: "@device"}[p.cores])
	}
	p.b.WriteString(" -> {offset: ")
	p.lexp(pl.offset)
	p.b.WriteString("; strides: ")
	p.list("[", "]", len(pl.strides), func(i int) { p.lexp(pl.strides[i]) })
	p.b.WriteString("; shape: ")
	p.list("[", "]", len(pl.strides), func(i int) { p.b.WriteString("1i64") })
	p.b.WriteString("}")
}

func (p *printer) lexp(e *lexp) {
	if e.leaf != nil {
		p.operand(*e.leaf)
		return
	}
	p.b.WriteString(e.op)
	if _, ok := unaryOf(e.op); !ok && len(e.args) > 2 { // a function
		p.list(" (", ")", len(e.args), func(i int) { p.lexp(e.args[i]) })
		return
	}
	for _, a := range e.args {
		p.b.WriteString(" (")
		p.lexp(a)
		p.b.WriteByte(')')
	}
}

func (p *printer) types(ts []*typ) {
	p.list("{", "}", len(ts), func(i int) { p.typ(ts[i]) })
}

func (p *printer) params(open, closing string, ps []*param) {
	p.list(open, closing, len(ps), func(i int) {
		p.f("%s : ", p.n(ps[i].name))
		p.typ(ps[i].typ)
	})
}

func (p *printer) items(items []item, flat bool, off operand) {
	p.b.WriteByte('[')
	if flat {
		p.operand(off)
		p.b.WriteString("; ")
	}
	for i, it := range items {
		if i > 0 {
			p.b.WriteString(", ")
		}
		switch {
		case flat:
			p.operand(it.length)
			p.b.WriteString(" : ")
			p.operand(it.stride)
		case it.fixed:
			p.operand(it.x)
		default:
			p.operand(it.x)
			p.b.WriteString(" :+ ")
			p.operand(it.length)
			p.b.WriteString(" * ")
			p.operand(it.stride)
		}
	}
	p.b.WriteByte(']')
}

func (p *printer) fun(f *fun) {
	for _, a := range f.attrs {
		p.f("#[%s]\n", a)
	}
	if f.entry == "" {
		p.b.WriteString("fun")
	} else {
		p.f("entry(%q, ", f.entry)
		p.list("{", "}, ", len(f.sig), func(i int) {
			p.f("%s: ", f.sigName[i])
			p.ext(f.sig[i])
		})
		p.list("{", "})", len(f.sigRets), func(i int) { p.ext(f.sigRets[i]) })
	}
	p.f("\n  %s ", f.name)
	p.params("(", ")", f.params)
	p.b.WriteString("\n  : ")
	p.types(f.rets)
	p.b.WriteString(" = ")
	p.braced(f.body)
	p.b.WriteString("\n\n")
}

// ext writes a type of an entry's signature.
func (p *printer) ext(t extType) {
	if t.uniq {
		p.b.WriteByte('*')
	}
	p.b.WriteString(strings.Repeat("[]", t.rank))
	if t.opaque != "" {
		p.f("opaque %q", t.opaque)
	} else {
		p.b.WriteString(t.prim)
	}
}

// printTree writes a dump: head is the text in front of the first statement or
// function.
func printTree(head string, tree *file, w rewrite) string {
	p := &printer{name: w.vars, bound: map[string]bool{}, cores: w.cores}
	for _, s := range tree.consts {
		boundBy(s, p.bound)
	}
	for _, f := range tree.funs {
		boundIn(f.params, f.body, p.bound)
	}
	p.b.WriteString(head)
	for _, s := range tree.consts {
		p.stm(s)
	}
	p.b.WriteString("\n\n")
	for _, f := range tree.funs {
		p.fun(f)
	}
	return p.b.String()
}
