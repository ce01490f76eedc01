package parser

import (
	"errors"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// Limits on nesting, so that every recursion over a program is bounded.
const (
	MaxExpDepth  = 10000 // of a scalar expression, and of parentheses
	MaxBodyDepth = 1000  // of bodies within bodies
)

// program is participle's grammar: a sequence of functions, each of which reads
// itself.
type program struct {
	Functions []*function `parser:"@@*"`
}

var grammar = participle.MustBuild[program](participle.Lexer(outline{}))

const programHint = "a program is a list of functions: entry main (...) : type = { ... }"

// ParseText reads a program from text; name stands for the file in messages. The
// error lists all that is wrong with the text.
func ParseText(name, text string) (*ir.Program, error) {
	p, list := Parse(diag.NewFile(name, text))
	if err := list.Err(); err != nil {
		return nil, err
	}
	return p, nil
}

// Parse reads a program. The list holds what is wrong with the text; where it
// failed the program holds what could be read.
func Parse(f *diag.File) (*ir.Program, diag.List) {
	list := diag.List{File: f}
	p := &ir.Program{File: f}
	stated, pr := version(f.Text)
	if pr != nil {
		list.Errorf(pr.code, pr.span, "%s", pr.msg).Hinted("%s", pr.hint)
		return p, list
	}
	tree, err := grammar.ParseString(f.Name, f.Text)
	if err != nil {
		var at participle.Error
		if errors.As(err, &at) {
			start := at.Position().Offset
			list.Errorf(diag.TooLarge, diag.Span{Start: start, End: start + 1}, "%s", at.Message()).Hinted(programHint)
		} else {
			list.Bugf(diag.Span{}, "%v", err)
		}
		return p, list
	}
	var rest []comment // behind the function before
	for _, fn := range tree.Functions {
		if fn.fn != nil {
			fn.fn.Lead = append(leads(f.Text, rest, true), fn.fn.Lead...)
			rest = nil
			p.Funcs = append(p.Funcs, fn.fn)
		}
		rest = append(rest, fn.rest...)
		for _, pr := range fn.problems {
			if len(list.All) < maxProblems {
				d := list.Errorf(pr.code, pr.span, "%s", pr.msg).Hinted("%s", pr.hint)
				if pr.open.Known() {
					d.With(pr.open, "this `{` has no `}`")
				}
			}
		}
	}
	p.Tail = leads(f.Text, rest, len(p.Funcs) == 0)
	if p.Version = stated; stated > 0 {
		takeVersion(p)
	}
	f.Origins = origins(p, &list)
	if len(p.Funcs) == 0 && !list.Failed() {
		list.Errorf(diag.NoFunction, diag.Span{Start: 0, End: min(1, len(f.Text))}, "no function in the program").Hinted(programHint)
	}
	return p, list
}

// function is one function of participle's grammar.
type function struct {
	fn       *ir.Func // nil if the text contains none
	problems []problem
	rest     []comment // behind the function
}

// Parse implements participle.Parseable.
func (f *function) Parse(lex *lexer.PeekingLexer) error {
	t := lex.Peek()
	if t.EOF() {
		return participle.NextMatch
	}
	lex.Next()
	r := newReader(t.Value, t.Pos.Offset)
	f.fn = r.function()
	f.problems = r.problems
	f.rest = r.remaining()
	return nil
}
