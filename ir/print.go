package ir

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Print writes a program in canonical layout, with its comments. The output parses back to the same
// program.
func Print(w io.Writer, p *Program) error {
	out := bufio.NewWriter(w)
	pr := &printer{out: out}
	if p.Version > 0 {
		fmt.Fprintf(out, "--! version %d\n", p.Version)
	}
	for i, f := range p.Funcs {
		if i > 0 {
			out.WriteByte('\n')
		}
		pr.function(f, i > 0 || p.Version == 0)
	}
	if len(p.Tail) > 0 {
		pr.comments(p.Tail, len(p.Funcs) == 0 && p.Version == 0)
	}
	return out.Flush()
}

// String returns the program as Print writes it.
func (p *Program) String() string {
	var b strings.Builder
	_ = Print(&b, p) // a strings.Builder does not fail
	return b.String()
}

// String returns the statement as it is printed, without comments.
func (s *Stmt) String() string {
	var b strings.Builder
	out := bufio.NewWriterSize(&b, 256) // most statements fit
	(&printer{out: out}).stmt(&Stmt{Pat: s.Pat, Op: s.Op}, true)
	_ = out.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}

// printer writes line by line; depth is the indentation in steps of two.
type printer struct {
	out   *bufio.Writer
	depth int
}

func (p *printer) indent() {
	for range p.depth {
		p.out.WriteString("  ")
	}
}

// comments writes comments. At the very start, no empty line stands above the first.
func (p *printer) comments(cs []Comment, first bool) {
	for i, c := range cs {
		if c.Blank && !(first && i == 0) {
			p.out.WriteByte('\n')
		}
		p.indent()
		p.out.WriteString("--" + c.Text + "\n")
	}
}

// function writes a function. At the top of the program or below an empty line, none stands above it.
func (p *printer) function(f *Func, top bool) {
	p.comments(f.Lead, top)
	var b strings.Builder
	if f.Entry {
		b.WriteString("entry ")
	} else {
		b.WriteString("fun ")
	}
	if f.Contract {
		b.WriteString("contract ")
	}
	b.WriteString(f.Name + " ")
	for _, s := range f.Sizes {
		b.WriteString("[" + s + "]")
	}
	if len(f.Sizes) > 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('(')
	for i, e := range f.Params {
		if i > 0 {
			b.WriteString(", ")
		}
		printElem(&b, e)
	}
	b.WriteString(") : ")
	if len(f.Results) != 1 || f.Results[0].Name != "" {
		b.WriteByte('(')
	}
	for i, r := range f.Results {
		if i > 0 {
			b.WriteString(", ")
		}
		if r.Name != "" {
			b.WriteString(r.Name + ": ")
		}
		printType(&b, r.Type)
	}
	if len(f.Results) != 1 || f.Results[0].Name != "" {
		b.WriteByte(')')
	}
	b.WriteString(" = ")
	p.out.WriteString(b.String())
	p.body(f.Body, false)
	p.out.WriteByte('\n')
}

func printElem(b *strings.Builder, e *Elem) {
	b.WriteString(e.Name)
	if e.Written {
		b.WriteString(": ")
		printType(b, e.Type)
	}
}

// body writes "{ ... }" without a line end. If short is set, a body that is only values is written
// on one line.
func (p *printer) body(b *Body, short bool) {
	if short && len(b.Stmts) == 0 && len(b.Lead) == 0 && b.Trail == "" {
		p.out.WriteString("{ in " + values(b.Result) + " }")
		return
	}
	p.out.WriteString("{\n")
	p.depth++
	for i, s := range b.Stmts {
		p.stmt(s, i == 0)
	}
	p.comments(b.Lead, len(b.Stmts) == 0)
	p.indent()
	p.out.WriteString("in " + values(b.Result))
	p.trail(b.Trail)
	p.depth--
	p.indent()
	p.out.WriteByte('}')
}

func (p *printer) trail(s string) {
	if s != "" {
		p.out.WriteString("  --" + s)
	}
	p.out.WriteByte('\n')
}

func values(es []Exp) string {
	if len(es) == 1 {
		return ExpString(es[0])
	}
	var b strings.Builder
	b.WriteByte('(')
	printExps(&b, es)
	b.WriteByte(')')
	return b.String()
}

// stmt prints a statement. No empty line stands above the first statement of a body.
func (p *printer) stmt(s *Stmt, first bool) {
	p.comments(s.Lead, first)
	if s.Blank && !(first && len(s.Lead) == 0) {
		p.out.WriteByte('\n')
	}
	p.indent()
	_, assert := s.Op.(*Assert)
	_, put := s.Op.(*Put)
	if !assert && !put {
		p.out.WriteString("let ")
		var b strings.Builder
		if len(s.Pat) != 1 {
			b.WriteByte('(')
		}
		for i, e := range s.Pat {
			if i > 0 {
				b.WriteString(", ")
			}
			printElem(&b, e)
		}
		if len(s.Pat) != 1 {
			b.WriteByte(')')
		}
		p.out.WriteString(b.String() + " = ")
	}
	p.op(s.Op)
	p.trail(s.Trail)
}
