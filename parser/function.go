package parser

import (
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// function reads the function, or returns nil if the text contains none.
func (r *reader) function() *ir.Func {
	if r.tok.kind == kEOF {
		return nil
	}
	fn := &ir.Func{Body: &ir.Body{}}
	fn.Lead = leads(r.scan.text, r.above(), true)
	if r.tok.kind != kFun && r.tok.kind != kEntry {
		r.report(problem{code: diag.BadSyntax, span: r.here(), msg: "unexpected " + r.describe(r.tok) + ", expected `entry` or `fun`", hint: programHint})
		return nil
	}
	fn.Entry = r.take().kind == kEntry
	headed := r.try(func() { r.header(fn) })
	if !headed {
		for !r.ended() && r.tok.kind != kLBrace { // the body may hold errors of its own
			r.take()
		}
	}
	if r.ended() && !headed {
		return fn
	}
	r.hold()
	within := r.within()
	if len(within) > 0 && endsInTest(fn.Lead) {
		within[0].Blank = true
	}
	fn.Lead = append(fn.Lead, within...)
	r.try(func() { fn.Body = r.body("a function is written: entry f (x: i32) : i32 = { in x }") })
	if !r.ended() {
		r.report(problem{code: diag.BadSyntax, span: r.here(), msg: "unexpected " + r.describe(r.tok) + ", expected `entry` or `fun`"})
	}
	if fn.Body.Trail == "" {
		fn.Body.Trail = r.trail()
	}
	return fn
}

// endsInTest reports whether the last run of comments is a test block. Comments added to the run
// would become part of it.
func endsInTest(cs []ir.Comment) bool {
	for i := len(cs) - 1; i >= 0; i-- {
		if strings.TrimSpace(cs[i].Text) == "==" {
			return true
		}
		if cs[i].Blank {
			return false
		}
	}
	return false
}

// header reads from the function's name up to and including the "=".
func (r *reader) header(fn *ir.Func) {
	start := r.last - len("fun")
	if fn.Entry {
		start = r.last - len("entry")
	}
	if fn.Contract = r.tok.kind == kName && r.text(r.tok) == "contract" && r.fol.kind == kName; fn.Contract {
		r.take()
	}
	fn.Name = r.name("the name of the function")
	r.words.last(aFunction)
	fn.Span = r.from(start)
	for r.accept(kLBrack) {
		fn.Sizes = append(fn.Sizes, r.name("the name of a size"))
		r.expect(kRBrack, "size names stand in brackets of their own: [n][m]")
	}
	r.expect(kLParen, "the parameters follow the name: f [n] (xs: [n]i32)")
	r.list(kRParen, func() {
		e := r.elem()
		if !e.Written {
			r.unexpected("`:` and the parameter's type", "")
		}
		fn.Params = append(fn.Params, e)
	})
	r.expect(kColon, "the result type follows the parameters: (...) : type = { ... }")
	if r.accept(kLParen) {
		r.list(kRParen, func() { fn.Results = append(fn.Results, r.result()) })
	} else {
		fn.Results = append(fn.Results, r.result())
	}
	fn.Span = r.from(start)
	r.expect(kAssign, "`=` and the body follow the result type: { ... }")
}

func (r *reader) result() ir.Result {
	start := r.tok.start
	var res ir.Result
	if r.tok.kind == kName && r.fol.kind == kColon {
		res.Name = r.name("a name")
		r.take()
	}
	res.Type = r.typ()
	res.Span = r.from(start)
	return res
}
