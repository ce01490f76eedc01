package lsp

import (
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/compiler/explain"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// hover tells the type of a name, and of an array or a block what the passes made of it: where it lies, from
// where to where it is needed, and what lies there, too.
func (s *server) hover(d *document, p *params) (any, error) {
	n, ok := d.nameAt(p.Position)
	if !ok || !n.Bound.Known() || d.program == nil {
		return nil, nil
	}
	found := find(d.program, n.Bound)
	if found.text == "" {
		return nil, nil
	}
	text := "```memc\n" + d.program.Speak(found.text) + "\n```"
	if found.stored {
		var x *explain.Explanation
		s.slowly(d, func() { x = d.explained() })
		if x != nil {
			text += "\n\n" + strings.ReplaceAll(x.About(found.function, found.name), "\n", "\n\n")
		}
	}
	return hover{markup{"markdown", text}, d.span(n.Span)}, nil
}

func (d *document) explain() *explain.Explanation {
	if d.failed {
		return nil
	}
	x, err := explain.New(diag.NewFile(d.file.Name, d.file.Text), pipeline.DefaultPasses())
	if err != nil {
		return nil
	}
	return x
}

// A finding is what a place of the text binds.
type finding struct {
	function, name string // as the checked program has them
	text           string // the name with its type, or a function's header
	stored         bool   // an array or a block
}

// find looks for the binding at a place.
func find(p *ir.Program, at diag.Span) (out finding) {
	for _, f := range p.Funcs {
		see := func(name string, t ir.Type, span diag.Span) {
			if span == at && t.Kind != ir.NoKind {
				out = finding{f.Name, name, name + " : " + t.String(), t.Kind == ir.ArrayKind || t.Kind == ir.MemKind}
			}
		}
		elem := func(e *ir.Elem) {
			see(e.Name, e.Type, e.Span)
			placed(e.Type.Place, at, see)
		}
		header(p, f, at, &out, see)
		for _, e := range f.Params {
			elem(e)
		}
		ir.WalkStmts(f.Body, func(st *ir.Stmt) bool {
			for _, e := range st.Pat {
				elem(e)
			}
			ir.Elems(st.Op, elem)
			if loop, ok := st.Op.(*ir.Loop); ok && loop.Var != "" {
				see(loop.Var, ir.Scalar(ir.I64), loop.Head)
			}
			space, _ := ir.KernelSpace(st.Op)
			for _, b := range space {
				see(b.Var, ir.Scalar(ir.I64), b.Span)
			}
			return true
		})
	}
	return out
}

// placed sees the names that a place binds.
func placed(p *ir.Place, at diag.Span, see func(string, ir.Type, diag.Span)) {
	if p == nil || !p.Exist || !within(at, p.Span) {
		return
	}
	name, t := p.Mem, ir.Mem
	ir.PlaceExps(p, func(e ir.Exp) {
		if x, ok := e.(*ir.Exist); ok && within(at, x.At) {
			name, t = x.Name, ir.Scalar(ir.I64)
		}
	})
	see(name, t, at)
}

// header sees the names of a function's header that have no places of their own: its name, sizes, results.
func header(p *ir.Program, f *ir.Func, at diag.Span, out *finding, see func(string, ir.Type, diag.Span)) {
	if !within(at, f.Span) {
		return
	}
	word := p.File.Text[at.Start:at.End]
	for _, r := range f.Results {
		placed(r.Type.Place, at, see)
		if r.Name == word && at.Start == r.Span.Start {
			see(r.Name, r.Type, at)
		}
	}
	switch behind := strings.ContainsAny(p.File.Text[f.Span.Start:at.Start], "[("); {
	case !behind:
		*out = finding{function: f.Name, text: p.File.Text[f.Span.Start:f.Span.End]}
	case slices.Contains(f.Sizes, word):
		see(word, ir.Scalar(ir.I64), at)
	}
}

// within reports whether one span is a part of another.
func within(a, b diag.Span) bool { return b.Start <= a.Start && a.End <= b.End }
