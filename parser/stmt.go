package parser

import (
	"strconv"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

const inHint = "a body ends with its values: { let x = ...  in x }, or in (x, y), or in ()"

// body reads "{ stmts in values }". What is wrong in a statement or in the
// values is kept, and reading goes on behind it.
func (r *reader) body(hint string) *ir.Body {
	start := r.tok.start
	b := &ir.Body{}
	r.hold()
	held := r.held
	r.held = nil
	defer func() { r.held = held }()
	if r.begins() || r.tok.kind == kIn { // only the brace is missing
		r.report(problem{code: diag.BadSyntax, span: r.here(), msg: "unexpected " + r.describe(r.tok) + ", expected `{`", hint: hint})
	} else {
		r.expect(kLBrace, hint)
	}
	if r.bodies >= MaxBodyDepth {
		r.report(problem{code: diag.TooLarge, span: r.from(start), msg: "bodies nest deeper than " + strconv.Itoa(MaxBodyDepth), hint: "move inner parts into functions"})
		r.block()
		return b
	}
	r.bodies++
	defer func() { r.bodies-- }()
	if !r.statements(b) {
		r.accept(kRBrace)
		return b
	}
	lead := r.above()
	b.Lead = leads(r.scan.text, lead, len(b.Stmts) == 0)
	r.take() // in
	at := r.tok.start
	read := r.try(func() { b.Result = r.values() })
	b.In = r.from(at)
	b.Lead = append(b.Lead, r.within()...)
	b.Trail = r.trail()
	if !read {
		r.skip()
	}
	b.Lead = append(b.Lead, leads(r.scan.text, r.above(), true)...)
	if !r.accept(kRBrace) && read {
		pr := problem{code: diag.BadSyntax, span: r.here(), msg: "unexpected " + r.describe(r.tok) + ", expected `}`"}
		if r.ended() {
			pr.open = diag.Span{Start: r.base + start, End: r.base + start + 1}
		} else {
			pr.hint = "the values of a body are its last part: in e, or in (e, ...)"
		}
		r.report(pr)
		r.skip()
		r.accept(kRBrace)
	}
	b.Span = r.from(start)
	return b
}

// block moves over the rest of a body without reading it.
func (r *reader) block() {
	for depth := 1; depth > 0 && !r.ended(); {
		switch r.take().kind {
		case kLBrace:
			depth++
		case kRBrace:
			depth--
		}
	}
}

// statements reads up to the "in" of a body, and tells whether there is one.
func (r *reader) statements(b *ir.Body) bool {
	for {
		switch {
		case r.begins():
			lead := r.above()
			s := &ir.Stmt{Lead: leads(r.scan.text, lead, len(b.Stmts) == 0)}
			s.Blank = (len(b.Stmts) > 0 || len(lead) > 0) && blankAbove(r.scan.text, r.tok.start)
			read := r.try(func() { r.statement(s) })
			if !read {
				r.skip()
				if r.done || r.tok.kind == kRBrace {
					return false
				}
				continue
			}
			if inner := r.within(); len(inner) > 0 {
				if len(s.Lead) == 0 {
					inner[0].Blank, s.Blank = s.Blank, false
				}
				s.Lead = append(s.Lead, inner...)
			}
			s.Trail = r.trail()
			b.Stmts = append(b.Stmts, s)
		case r.tok.kind == kIn:
			return true
		default:
			hint := "a body is { let x = ...  in x }"
			if r.tok.kind == kRBrace {
				hint = inHint
			}
			r.report(problem{code: diag.BadSyntax, span: r.here(), msg: "unexpected " + r.describe(r.tok) + ", expected `let`, `assert` or `in`", hint: hint})
			r.skip()
			if r.done || r.tok.kind == kRBrace {
				return false
			}
		}
	}
}

// begins reports whether a statement begins here. The word "into" is not reserved: elsewhere it is a name.
func (r *reader) begins() bool {
	return r.tok.kind == kLet || r.tok.kind == kAssert || r.word("into")
}

// statement reads one statement, up to where the next one or "in" begins.
func (r *reader) statement(s *ir.Stmt) {
	start := r.tok.start
	switch r.take().kind {
	case kAssert:
		s.Op = r.assert()
	case kName:
		s.Op = r.put()
	default:
		s.Pat = r.pattern()
		r.words.head(r, s)
		r.expect(kAssign, "a statement is: let x = ..., or let (x, y: i32) = ...")
		s.Op = r.operation()
	}
	s.Span = r.from(start)
	if k := r.tok.kind; k != kIn && !r.begins() {
		want, hint := "`let`, `assert` or `in`", ""
		switch op := s.Op.(type) {
		case *ir.Compute:
			want = "an operator, " + want
		case *ir.Call:
			hint = "a call is all of a statement: let y = " + clip(op.Fn) + "(...)"
		case *ir.Slice:
			hint = "a slice is an array, and all of a statement: let ys = " + clip(op.X) + "[...]"
		}
		switch k {
		case kRBrace:
			hint = inHint
		case kAssign:
			hint = "equality is written =="
		}
		r.unexpected(want, hint)
	}
}

func (r *reader) assert() ir.Op {
	a := &ir.Assert{Cond: r.exp()}
	if t := r.tok; t.kind == kString {
		msg, err := strconv.Unquote(r.text(t))
		if err != nil {
			r.failAt(diag.BadLiteral, r.spanOf(t), `a string is "text", with \" and \\ for the two characters`, "malformed string")
		}
		r.take()
		a.Msg = msg
		if r.accept(kLParen) {
			r.list(kRParen, func() { a.Values = append(a.Values, r.exp()) })
		}
	} else if t.kind == kName && r.text(t) == "size" {
		r.take()
		a.Size = true
	} else if t.kind == kName && r.text(t) == "threads" {
		r.take()
		a.Threads = true
	}
	return a
}

func (r *reader) pattern() []*ir.Elem {
	if !r.accept(kLParen) {
		return []*ir.Elem{r.elem()}
	}
	pat := []*ir.Elem{}
	r.list(kRParen, func() { pat = append(pat, r.elem()) })
	return pat
}

func (r *reader) elem() *ir.Elem {
	e := &ir.Elem{Span: r.spanOf(r.tok)}
	e.Name = r.name("a name")
	if r.accept(kColon) {
		e.Type, e.Written = r.typ(), true
	}
	return e
}

// values reads "e" or "(e, ...)" at the end of a body.
func (r *reader) values() []ir.Exp {
	start := r.tok.start
	if !r.accept(kLParen) {
		return []ir.Exp{r.exp()}
	}
	if r.accept(kRParen) {
		return []ir.Exp{}
	}
	x := r.sub()
	if r.accept(kComma) {
		vs := []ir.Exp{x.e}
		r.list(kRParen, func() { vs = append(vs, r.exp()) })
		return vs
	}
	r.expect(kRParen, "")
	return []ir.Exp{r.climb(x, start, 1).e} // a parenthesis that began an expression
}
