package model

import "fmt"

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

func (p *parser) expect(s string) error {
	if !p.accept(s) {
		return fmt.Errorf("line %d: expected %q, found %q", p.line(), s, p.peek())
	}
	return nil
}

func isType(s string) bool { return s == "uint" || s == "ulong" || s == "void" || s == "memc_heap" }

// file parses functions.
func (p *parser) file() (map[string]*function, error) {
	all := map[string]*function{}
	for p.peek() != "" {
		for p.accept("static") || p.accept("inline") {
		}
		result := p.next()
		if !isType(result) {
			return nil, fmt.Errorf("line %d: expected a type, found %q", p.line(), result)
		}
		f := &function{name: p.next(), wide: result == "ulong"}
		if err := p.expect("("); err != nil {
			return nil, err
		}
		for !p.accept(")") {
			t := p.next()
			if t == "void" {
				continue
			}
			f.params = append(f.params, param{p.next(), t == "ulong"})
			p.accept(",")
		}
		var err error
		if f.body, err = p.statement(); err != nil {
			return nil, err
		}
		all[f.name] = f
	}
	return all, nil
}

func (p *parser) statement() (*node, error) {
	n := &node{line: p.line()}
	add := func(k *node, err error) error { n.kids = append(n.kids, k); return err }
	switch s := p.peek(); {
	case p.accept("{"):
		n.op = "block"
		for !p.accept("}") {
			if p.peek() == "" {
				return nil, p.expect("}")
			}
			if err := add(p.statement()); err != nil {
				return nil, err
			}
		}
		return n, nil
	case p.accept("if"), p.accept("while"):
		n.op = s
		if err := p.expect("("); err != nil {
			return nil, err
		}
		if err := add(p.expression()); err != nil {
			return nil, err
		}
		if err := p.expect(")"); err != nil {
			return nil, err
		}
		if err := add(p.statement()); err != nil {
			return nil, err
		}
		if s == "if" && p.accept("else") {
			return n, add(p.statement())
		}
		return n, nil
	case p.accept("for"):
		n.op = "for"
		if err := p.expect("("); err != nil {
			return nil, err
		}
		if err := add(p.simple()); err != nil {
			return nil, err
		}
		if err := p.expect(";"); err != nil {
			return nil, err
		}
		if err := add(p.expression()); err != nil {
			return nil, err
		}
		if err := p.expect(";"); err != nil {
			return nil, err
		}
		if err := add(p.simple()); err != nil {
			return nil, err
		}
		if err := p.expect(")"); err != nil {
			return nil, err
		}
		return n, add(p.statement())
	case p.accept("return"):
		n.op = "return"
		if p.peek() != ";" {
			if err := add(p.expression()); err != nil {
				return nil, err
			}
		}
		return n, p.expect(";")
	case p.accept("break"), p.accept("continue"):
		n.op = s
		return n, p.expect(";")
	}
	n, err := p.simple()
	if err != nil {
		return nil, err
	}
	return n, p.expect(";")
}

// simple is a declaration, an assignment or a call.
func (p *parser) simple() (*node, error) {
	n := &node{line: p.line()}
	if isType(p.peek()) {
		n.op = "declare " + p.next()
		n.name = p.next()
		if err := p.expect("="); err != nil {
			return nil, err
		}
		v, err := p.expression()
		n.kids = []*node{v}
		return n, err
	}
	if p.pos+1 < len(p.toks) {
		name := p.peek()
		op := p.toks[p.pos+1].text
		switch op {
		case "++", "--":
			p.pos += 2
			one := &node{op: "number", name: "1u"}
			n.op, n.name = "assign", name
			n.kids = []*node{{op: op[:1], kids: []*node{{op: "name", name: name, line: n.line}, one}, line: n.line}}
			return n, nil
		case "=", "+=", "-=", "|=", "&=":
			p.pos += 2
			v, err := p.expression()
			if op != "=" {
				v = &node{op: op[:1], kids: []*node{{op: "name", name: name, line: n.line}, v}, line: n.line}
			}
			n.op, n.name, n.kids = "assign", name, []*node{v}
			return n, err
		}
	}
	v, err := p.expression()
	n.op, n.kids = "call", []*node{v}
	return n, err
}

// levels of binary operators, loosest first.
var levels = [][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<", ">", "<=", ">="}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

func (p *parser) expression() (*node, error) {
	c, err := p.binary(0)
	if err != nil || !p.accept("?") {
		return c, err
	}
	a, err := p.expression()
	if err != nil {
		return nil, err
	}
	if err := p.expect(":"); err != nil {
		return nil, err
	}
	b, err := p.expression()
	return &node{op: "?", kids: []*node{c, a, b}, line: p.line()}, err
}

func (p *parser) binary(level int) (*node, error) {
	if level == len(levels) {
		return p.unary()
	}
	a, err := p.binary(level + 1)
	for err == nil {
		op := ""
		for _, s := range levels[level] {
			if p.peek() == s {
				op = s
			}
		}
		if op == "" {
			break
		}
		line := p.line()
		p.next()
		var b *node
		b, err = p.binary(level + 1)
		a = &node{op: op, kids: []*node{a, b}, line: line}
	}
	return a, err
}

func (p *parser) unary() (*node, error) {
	line := p.line()
	switch s := p.peek(); {
	case s == "~" || s == "!" || s == "-":
		p.next()
		k, err := p.unary()
		return &node{op: "unary" + s, kids: []*node{k}, line: line}, err
	case s == "(":
		p.next()
		if t := p.peek(); isType(t) && p.toks[p.pos+1].text == ")" {
			p.pos += 2
			k, err := p.unary()
			return &node{op: "cast", name: t, kids: []*node{k}, line: line}, err
		}
		k, err := p.expression()
		if err != nil {
			return nil, err
		}
		return k, p.expect(")")
	case s != "" && s[0] >= '0' && s[0] <= '9':
		return &node{op: "number", name: p.next(), line: line}, nil
	case s != "" && isWord(s[0]):
		p.next()
		if !p.accept("(") {
			return &node{op: "name", name: s, line: line}, nil
		}
		n := &node{op: "apply", name: s, line: line}
		for !p.accept(")") {
			k, err := p.expression()
			if err != nil {
				return nil, err
			}
			n.kids = append(n.kids, k)
			if !p.accept(",") && p.peek() != ")" {
				return nil, p.expect(")")
			}
		}
		return n, nil
	}
	return nil, fmt.Errorf("line %d: expected an expression, found %q", line, p.peek())
}
