package ir

import (
	"strings"

	"github.com/memc-lang/memc/ir/diag"
)

// Version is the newest version of the language that this memc reads, and the one that it writes (docs/ir.md,
// "Versions").
const Version = 1

// A Program is a list of functions in the order of the file.
type Program struct {
	File *diag.File
	// Version is the one that the file states, or 0 if it states none.
	Version int
	Funcs   []*Func
	// Tail holds the comments after the last function.
	Tail []Comment
	// Renamed maps a generated name to the user's name. ir/check generates names if the text binds
	// one name more than once in a function; passes do so, too.
	Renamed map[string]string

	numbers map[string]int // see Number
}

// Number notes where the functions stand, so that Func need not search. It does not have to be called
// again: Func searches for a function that stands elsewhere by now.
func (p *Program) Number() {
	p.numbers = make(map[string]int, len(p.Funcs))
	for k, f := range p.Funcs {
		if _, twice := p.numbers[f.Name]; !twice {
			p.numbers[f.Name] = k
		}
	}
}

// Func returns the function of that name, or nil.
func (p *Program) Func(name string) *Func {
	if k, ok := p.numbers[name]; ok && k < len(p.Funcs) && p.Funcs[k].Name == name {
		return p.Funcs[k]
	}
	for _, f := range p.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// EntryNamed returns the entry with this name, here or in the program that it was imported from, or
// nil.
func (p *Program) EntryNamed(name string) *Func {
	if f := p.Func(name); f != nil && f.Entry {
		return f
	}
	for _, f := range p.Funcs {
		if f.Entry && f.Alias == name && name != "" {
			return f
		}
	}
	return nil
}

// A Func is a function; an entry can be called from outside.
type Func struct {
	Entry bool
	// Contract allows the kernels of the function to round x * y + z once. Results may then differ
	// between devices, and from the interpreters' results.
	Contract bool

	Name    string
	Sizes   []string // size variables, taken from the array arguments
	Params  []*Elem
	Results []Result
	Body    *Body
	Lead    []Comment // above the function
	Alias   string    // of an imported entry: its original name, if memc cannot use that
	Span    diag.Span // of the header
}

// A Result is one result type of a function; a named scalar result can size
// the later ones.
type Result struct {
	Name string
	Type Type
	Span diag.Span
}

// SizeResult reports whether result i is a named scalar that sizes a later result. A receiver of
// the results reads it from that array's shape, and it is not written out as a value of its own.
func (f *Func) SizeResult(i int) bool {
	name := f.Results[i].Name
	if name == "" || f.Results[i].Type.Kind != ScalarKind {
		return false
	}
	for _, later := range f.Results[i+1:] {
		for _, d := range later.Type.Shape {
			if d.Name == name {
				return true
			}
		}
	}
	return false
}

// A Body is a list of statements, and the values that it returns.
type Body struct {
	Stmts  []*Stmt
	Result []Exp
	Lead   []Comment // above "in"
	Trail  string    // on the line of "in", or of the closing brace
	Span   diag.Span // from "{" to "}"
	In     diag.Span // of the values
}

// A Stmt binds the names of its pattern; an Assert binds none.
type Stmt struct {
	Pat   []*Elem
	Op    Op
	Span  diag.Span
	Lead  []Comment // above the statement
	Trail string    // at the end of its last line
	Blank bool      // an empty line stands above it, below Lead
}

// An Elem binds a name. Written: its type stands in the text. If it does not, elaboration sets
// Type, and the printer omits it.
type Elem struct {
	Name    string
	Type    Type
	Written bool
	Span    diag.Span
}

// A Comment is one "--" line; Text excludes the dashes. Blank: an empty line stands above it.
type Comment struct {
	Text  string
	Blank bool
}

// Place reports whether a comment names a position in the source language from which a part of the
// program was made: "--@ life.fut:3:5".
func (c Comment) Place() bool { return strings.HasPrefix(c.Text, "@") }

// Places returns the comments that name positions. A pass that replaces one statement by several
// puts them above each.
func Places(comments []Comment) []Comment {
	var out []Comment
	for _, c := range comments {
		if c.Place() {
			out = append(out, Comment{Text: c.Text})
		}
	}
	return out
}
