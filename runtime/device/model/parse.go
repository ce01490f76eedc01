package model

import (
	"fmt"
	"slices"
)

// A node is an expression or a statement: op says which, kids are its parts.
type node struct {
	op   string
	name string
	kids []*node
	line int
}

type function struct {
	name   string
	wide   bool // the result is a ulong
	params []param
	body   *node
}

type param struct {
	name string
	wide bool
}

type parser struct {
	toks []token
	pos  int
}

func (p *parser) peek() string {
	if p.pos < len(p.toks) {
		return p.toks[p.pos].text
	}
	return ""
}

func (p *parser) line() int {
	if p.pos < len(p.toks) {
		return p.toks[p.pos].line
	}
	return 0
}

func (p *parser) next() string { s := p.peek(); p.pos++; return s }

func (p *parser) accept(s string) bool {
	if p.peek() == s {
		p.pos++
		return true
	}
	return false
}

func (p *parser) expect(s string) {
	if !p.accept(s) {
		refuse(p.line(), "expected %q, found %q", s, p.peek())
	}
}

// A refusal ends a compilation, as the value of a panic: compile gives it as an error.
type refusal struct{ error }

// refuse reports text that is not in the model's language.
func refuse(line int, format string, args ...any) {
	panic(refusal{fmt.Errorf("line %d: "+format, append([]any{line}, args...)...)})
}

func isType(s string) bool { return s == "uint" || s == "ulong" || s == "void" || s == "memc_heap" }

// file parses functions.
func (p *parser) file() map[string]*function {
	all := map[string]*function{}
	for p.peek() != "" {
		for p.accept("static") || p.accept("inline") {
		}
		result := p.next()
		if !isType(result) {
			refuse(p.line(), "expected a type, found %q", result)
		}
		f := &function{name: p.next(), wide: result == "ulong"}
		p.expect("(")
		for p.peek() != "" && !p.accept(")") {
			t := p.next()
			if t == "void" {
				continue
			}
			f.params = append(f.params, param{p.next(), t == "ulong"})
			p.accept(",")
		}
		f.body = p.statement()
		all[f.name] = f
	}
	return all
}

func (p *parser) statement() *node {
	n := &node{line: p.line()}
	add := func(k *node) { n.kids = append(n.kids, k) }
	switch s := p.peek(); {
	case p.accept("{"):
		n.op = "block"
		for p.peek() != "" && p.peek() != "}" {
			add(p.statement())
		}
		p.expect("}")
		return n
	case p.accept("if"), p.accept("while"):
		n.op = s
		p.expect("(")
		add(p.expression())
		p.expect(")")
		add(p.statement())
		if s == "if" && p.accept("else") {
			add(p.statement())
		}
		return n
	case p.accept("for"):
		n.op = "for"
		p.expect("(")
		add(p.simple())
		p.expect(";")
		add(p.expression())
		p.expect(";")
		add(p.simple())
		p.expect(")")
		add(p.statement())
		return n
	case p.accept("return"):
		n.op = "return"
		if p.peek() != ";" {
			add(p.expression())
		}
	case p.accept("break"), p.accept("continue"):
		n.op = s
	default:
		n = p.simple()
	}
	p.expect(";")
	return n
}

// simple is a declaration, an assignment or a call.
func (p *parser) simple() *node {
	n := &node{line: p.line()}
	if isType(p.peek()) {
		n.op = "declare " + p.next()
		n.name = p.next()
		p.expect("=")
		n.kids = []*node{p.expression()}
		return n
	}
	if p.pos+1 < len(p.toks) {
		name := p.peek()
		variable := &node{op: "name", name: name, line: n.line}
		switch op := p.toks[p.pos+1].text; op {
		case "++", "--":
			p.pos += 2
			n.op, n.name = "assign", name
			n.kids = []*node{{op: op[:1], kids: []*node{variable, {op: "number", name: "1u"}}, line: n.line}}
			return n
		case "=", "+=", "-=", "|=", "&=":
			p.pos += 2
			v := p.expression()
			if op != "=" {
				v = &node{op: op[:1], kids: []*node{variable, v}, line: n.line}
			}
			n.op, n.name, n.kids = "assign", name, []*node{v}
			return n
		}
	}
	n.op, n.kids = "call", []*node{p.expression()}
	return n
}

// levels of binary operators, loosest first.
var levels = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

func (p *parser) expression() *node {
	c := p.binary(0)
	if !p.accept("?") {
		return c
	}
	a := p.expression()
	p.expect(":")
	return &node{op: "?", kids: []*node{c, a, p.expression()}, line: p.line()}
}

func (p *parser) binary(level int) *node {
	if level == len(levels) {
		return p.unary()
	}
	a := p.binary(level + 1)
	for slices.Contains(levels[level], p.peek()) {
		line, op := p.line(), p.next()
		a = &node{op: op, kids: []*node{a, p.binary(level + 1)}, line: line}
	}
	return a
}

func (p *parser) unary() *node {
	line := p.line()
	switch s := p.peek(); {
	case s == "~" || s == "!" || s == "-":
		p.next()
		return &node{op: "unary" + s, kids: []*node{p.unary()}, line: line}
	case s == "(":
		p.next()
		if t := p.peek(); isType(t) && p.toks[p.pos+1].text == ")" {
			p.pos += 2
			return &node{op: "cast", name: t, kids: []*node{p.unary()}, line: line}
		}
		k := p.expression()
		p.expect(")")
		return k
	case s != "" && s[0] >= '0' && s[0] <= '9':
		return &node{op: "number", name: p.next(), line: line}
	case s != "" && isWord(s[0]):
		p.next()
		if !p.accept("(") {
			return &node{op: "name", name: s, line: line}
		}
		n := &node{op: "apply", name: s, line: line}
		for !p.accept(")") {
			n.kids = append(n.kids, p.expression())
			if !p.accept(",") && p.peek() != ")" {
				p.expect(")")
			}
		}
		return n
	}
	refuse(line, "expected an expression, found %q", p.peek())
	return nil
}
