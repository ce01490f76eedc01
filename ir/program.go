package ir

import (
	"strings"

	"github.com/memc-lang/memc/internal/base/diag"
)

// A Program is a list of functions in the order of the file.
type Program struct {
	File  *diag.File
	Funcs []*Func
	// Tail holds the comments after the last function.
	Tail []Comment
	// Renamed gives the user's name of names that were made up: by ir/check, where the text
	// binds one name more than once in a function, and by passes.
	Renamed map[string]string
}

// Func gives the function of that name, or nil.
func (p *Program) Func(name string) *Func {
	for _, f := range p.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// EntryNamed gives the entry that is called so here or where it comes from, or nil.
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
	// Contract lets the kernels of the function round x * y + z once, so that results
	// differ between devices, and from the interpreters'.
	Contract bool

	Name    string
	Sizes   []string // size variables, taken from the array arguments
	Params  []*Elem
	Results []Result
	Body    *Body
	Lead    []Comment // above the function
	Alias   string    // of an imported entry: its name there, where memc cannot have that
	Span    diag.Span // of the header
}

// A Result is one result type of a function; a named scalar result can size
// the later ones.
type Result struct {
	Name string
	Type Type
	Span diag.Span
}

// SizeResult tells whether result i is a named scalar that sizes a later result:
// then whoever is given the results reads it off that array's shape, and it is
// not written out as a value of its own.
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

// A Body is a block of statements and the values it gives.
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

// An Elem binds a name. Written tells that its type stands in the text; where
// it does not, elaboration fills Type in and the printer leaves it out.
type Elem struct {
	Name    string
	Type    Type
	Written bool
	Span    diag.Span
}

// A Comment is one "--" line; Text excludes the dashes. A blank line above it
// is kept by Blank.
type Comment struct {
	Text  string
	Blank bool
}

// Place tells whether a comment names the place in another language that a part of the
// program was made from: "--@ life.fut:3:5".
func (c Comment) Place() bool { return strings.HasPrefix(c.Text, "@") }

// Places gives the comments that name places. A pass that makes several statements of one
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
