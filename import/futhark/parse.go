package futhark

import (
	"strconv"
	"strings"

	"github.com/memc-lang/memc/ir/diag"
)

// maxDepth bounds the nesting of bodies and expressions, so that no recursion
// over a tree exhausts the stack.
const maxDepth = 500

// A parser reads tokens by recursive descent. The first error ends it: a dump
// is written by a machine, so a second error would only follow from the first.
type parser struct {
	file  *diag.File
	list  *diag.List
	toks  []token
	pos   int
	depth int

	origins []diag.Origin // where statements come from
}

// stop unwinds the reading after an error has been reported.
type stop struct{}

func parse(f *diag.File, list *diag.List) (tree *file) {
	p := &parser{file: f, list: list, toks: lex(f)}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(stop); !ok {
				panic(r)
			}
			tree = nil
		}
		f.Origins = p.origins
	}()
	return p.program()
}

func (p *parser) peek() token         { return p.toks[p.pos] }
func (p *parser) is(text string) bool { t := p.peek(); return t.text == text && t.kind != tokString }

func (p *parser) isNext(text string) bool {
	return p.pos+1 < len(p.toks) && p.toks[p.pos+1].text == text && p.toks[p.pos+1].kind != tokString
}

func (p *parser) next() token {
	t := p.peek()
	if t.kind != tokEnd {
		p.pos++
	}
	return t
}

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.pos++
		return true
	}
	return false
}

func (p *parser) expect(text string) token {
	if !p.is(text) {
		p.fail("`%s`", text)
	}
	return p.next()
}

// fail reports what stands here and what was expected, and ends the reading.
func (p *parser) fail(format string, args ...any) {
	t := p.peek()
	found := "`" + t.text + "`"
	if t.kind == tokEnd {
		found = "the end of the file"
	}
	p.list.Errorf(diag.BadFutharkDump, t.span, "found "+found+", expected "+format, args...).
		Hinted("memc reads the memory IR of Futhark 0.25.37 (docs/futhark.md)")
	panic(stop{})
}

// refuse ends the reading at something that is understood and not supported.
func (p *parser) refuse(span diag.Span, format string, args ...any) {
	p.list.Limitf(span, format, args...)
	panic(stop{})
}

func (p *parser) word() token {
	if p.peek().kind != tokWord {
		p.fail("a name")
	}
	return p.next()
}

func (p *parser) integer() int {
	t := p.peek()
	n, err := strconv.Atoi(strings.TrimSuffix(t.text, "i64"))
	if t.kind != tokNumber || err != nil {
		p.fail("a number")
	}
	p.pos++
	return n
}

func (p *parser) enter() {
	if p.depth++; p.depth > maxDepth {
		p.refuse(p.peek().span, "bodies nest deeper than %d", maxDepth)
	}
}

func (p *parser) leave() { p.depth-- }

// separated reads items with commas between them up to the closing token.
func (p *parser) separated(closing string, item func()) {
	for !p.accept(closing) {
		item()
		if !p.is(closing) {
			p.expect(",")
		}
	}
}

// program: header, types, constants, functions.
func (p *parser) program() *file {
	f := &file{types: map[string]*opaque{}}
	if p.accept("name_source") {
		p.expect("{")
		p.integer()
		p.expect("}")
	}
	if p.accept("types") {
		p.typeSection(f)
	}
	for p.peek().kind != tokEnd {
		if p.is("let") || p.peek().kind == tokString {
			from := p.pos
			s := p.stm()
			s.words = wordsOf(p.toks[from:p.pos])
			f.consts = append(f.consts, s)
			continue
		}
		from := p.pos
		g := p.fun()
		g.words = wordsOf(p.toks[from:p.pos])
		f.funs = append(f.funs, g)
	}
	return f
}

func (p *parser) typeSection(f *file) {
	p.expect("{")
	for !p.accept("}") {
		p.expect("type")
		name := p.peek()
		if name.kind != tokString {
			p.fail("the name of a type in quotes")
		}
		p.pos++
		p.expect("=")
		o := &opaque{span: name.span}
		p.typeBody(o)
		f.types[name.text] = o
		f.names = append(f.names, name.text)
	}
}

// typeBody reads a definition down to the values that it is made of: those of
// a record's fields in the order written, those listed of the others.
func (p *parser) typeBody(o *opaque) {
	o.kind = p.word().text
	switch o.kind {
	case "record", "opaque":
	case "sum":
		p.expect("{")
		p.expect("[")
		p.separated("]", func() { o.parts = append(o.parts, p.extType()) })
		for p.accept("#") {
			o.variants = append(o.variants, p.variant())
		}
		p.expect("}")
		return
	case "record_array", "array":
		o.rank = p.rank()
		o.elem = p.next().text
	default:
		p.pos--
		p.fail("a kind of type")
	}
	p.expect("{")
	for !p.accept("}") {
		name := ""
		if p.isNext(":") {
			name = p.next().text
			p.next()
		}
		o.fields = append(o.fields, name)
		o.parts = append(o.parts, p.extType())
		p.accept(",")
	}
}

// rank reads 2d.
func (p *parser) rank() int {
	t := p.next()
	n, err := strconv.Atoi(strings.TrimSuffix(t.text, "d"))
	if err != nil || n < 1 || n > maxDepth {
		p.pos--
		p.fail("a rank such as 1d")
	}
	return n
}

// variant reads a constructor: name (TYPE, [SLOT, ...]) ...
func (p *parser) variant() variant {
	v := variant{name: p.word().text}
	for p.accept("(") {
		v.payload = append(v.payload, p.extType())
		p.expect(",")
		p.expect("[")
		slots := []int{}
		p.separated("]", func() { slots = append(slots, p.integer()) })
		v.slots = append(v.slots, slots)
		p.expect(")")
	}
	return v
}

// extType: [][]u8, *[]f32, opaque "point".
func (p *parser) extType() extType {
	t := extType{span: p.peek().span}
	if p.accept("*") {
		t.uniq = true
	}
	for p.accept("[") {
		if !p.is("]") {
			p.next() // a size
		}
		p.expect("]")
		t.rank++
	}
	w := p.word()
	t.prim = w.text
	if rest, ok := strings.CutPrefix(w.text, "*"); ok && rest != "" {
		t.uniq, t.prim = true, rest
	}
	if t.prim == "opaque" {
		name := p.next()
		if name.kind != tokString {
			p.pos--
			p.fail("the name of a type in quotes")
		}
		t.opaque = name.text
	}
	t.span = t.span.Join(p.toks[p.pos-1].span)
	return t
}

func (p *parser) fun() *fun {
	f := &fun{attrs: p.attrs()}
	switch {
	case p.accept("entry"):
		p.entrySignature(f)
	case p.accept("fun"):
	default:
		p.fail("`entry` or `fun`")
	}
	name := p.word()
	f.name, f.span = name.text, name.span
	p.expect("(")
	p.separated(")", func() { f.params = append(f.params, p.param()) })
	p.expect(":")
	f.rets = p.retTypes()
	p.expect("=")
	f.body = p.braced("in")
	return f
}

func (p *parser) entrySignature(f *fun) {
	p.expect("(")
	name := p.next()
	if name.kind != tokString {
		p.pos--
		p.fail("the entry's name in quotes")
	}
	f.entry = name.text
	p.expect(",")
	p.expect("{")
	p.separated("}", func() {
		f.sigName = append(f.sigName, p.word().text)
		p.expect(":")
		f.sig = append(f.sig, p.extType())
	})
	p.expect(",")
	p.expect("{")
	p.separated("}", func() { f.sigRets = append(f.sigRets, p.extType()) })
	p.expect(")")
	if p.peek().kind == tokString { // a doc comment
		p.next()
	}
}

func (p *parser) param() *param {
	p.attrs()
	name := p.word()
	p.expect(":")
	return &param{name: name.text, typ: p.typ(), span: name.span}
}

// attrs reads #[a, b] in front of something.
func (p *parser) attrs() []string {
	var all []string
	for p.is("#") && p.isNext("[") {
		p.next()
		p.next()
		depth, text := 1, ""
		for depth > 0 {
			t := p.next()
			switch {
			case t.kind == tokEnd:
				p.fail("`]`")
			case t.text == "[":
				depth++
			case t.text == "]":
				depth--
			}
			if depth > 0 {
				text += t.text
			}
		}
		all = append(all, text)
	}
	return all
}

// certs reads #{a, b} in front of something.
func (p *parser) certs() []string {
	var all []string
	if p.is("#") && p.isNext("{") {
		p.next()
		p.next()
		p.separated("}", func() { all = append(all, p.word().text) })
	}
	return all
}
