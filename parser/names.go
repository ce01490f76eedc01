package parser

import (
	"cmp"
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// A Name is a name at one place of a text. Bound is where the text binds it: the same place for the binding
// itself, and the zero span for a name that nothing binds.
type Name struct {
	diag.Span
	Bound diag.Span
}

// Names returns the names of a text in memc's own syntax, in order. What cannot be read of a statement with
// a syntax error is left out. Scopes are those of check's Note [Names are made unique]; of several bindings
// that the text wrongly has in scope, the last one counts.
func Names(f *diag.File) []Name {
	var out []Name
	lex, err := outline{}.LexString(f.Name, f.Text)
	if err != nil {
		return nil
	}
	functions := map[string]diag.Span{}
	var calls []word
	for {
		t, err := lex.Next()
		if err != nil || t.EOF() {
			break
		}
		r := newReader(t.Value, t.Pos.Offset)
		r.words = &words{heads: map[*ir.Stmt]int{}}
		fn := r.function()
		if fn == nil {
			continue
		}
		for _, w := range r.words.all {
			if w.role != aFunction {
				continue
			}
			calls = append(calls, w)
			if _, twice := functions[w.text]; !twice && w.text == fn.Name && fn.Span.Start <= w.Start && w.End <= fn.Span.End {
				functions[w.text] = w.Span
			}
		}
		out = append(out, resolve(r.words, fn, r.base+r.tok.start)...)
	}
	for _, c := range calls {
		out = append(out, Name{c.Span, functions[c.text]})
	}
	slices.SortFunc(out, func(a, b Name) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// IsName reports whether a text may name something.
func IsName(text string) bool {
	s := scanner{text: text}
	t := s.next()
	return t.kind == kName && t.start == 0 && t.end == len(text)
}

// A scope is a part of the text in which a binding is visible.
type scope struct {
	diag.Span
	bound diag.Span
}

// A resolver finds the scopes of one function.
type resolver struct {
	words  *words
	binds  map[int]bool // words that bind
	scopes map[string][]scope
}

// resolve returns the names of values in a function that ends at an offset.
func resolve(w *words, fn *ir.Func, end int) []Name {
	r := &resolver{w, map[int]bool{}, map[string][]scope{}}
	whole := diag.Span{Start: fn.Span.Start, End: end}
	for _, size := range fn.Sizes {
		r.bind(size, fn.Span, whole)
	}
	for _, e := range fn.Params {
		r.elem(e, whole)
	}
	for _, res := range fn.Results {
		r.elem(&ir.Elem{Name: res.Name, Type: res.Type, Span: res.Span}, diag.Span{Start: res.Span.Start, End: fn.Span.End})
	}
	r.body(fn.Body, end)
	var out []Name
	for k, word := range w.all {
		switch {
		case r.binds[k]:
			out = append(out, Name{word.Span, word.Span})
		case word.role == aValue:
			out = append(out, Name{word.Span, r.find(word)})
		}
	}
	return out
}

// bind makes the first word of a span a binding that is visible in some parts of the text.
func (r *resolver) bind(name string, at diag.Span, in ...diag.Span) {
	k := r.words.value(name, at)
	if k < 0 {
		return
	}
	r.binds[k] = true
	for _, part := range in {
		r.scopes[name] = append(r.scopes[name], scope{part, r.words.all[k].Span})
	}
}

// elem binds a name and the names that its place binds.
func (r *resolver) elem(e *ir.Elem, in ...diag.Span) {
	r.bind(e.Name, e.Span, in...)
	p := e.Type.Place
	if p == nil {
		return
	}
	if p.Exist {
		r.bind(p.Mem, p.Span, in...)
	}
	ir.PlaceExps(p, func(x ir.Exp) {
		if x, ok := x.(*ir.Exist); ok {
			r.bind(x.Name, x.At, in...)
		}
	})
}

// find returns the innermost binding of a word.
func (r *resolver) find(w word) diag.Span {
	best := scope{Span: diag.Span{Start: -1}}
	for _, s := range r.scopes[w.text] {
		if s.Start <= w.Start && w.Start < s.End && s.Start >= best.Start {
			best = s
		}
	}
	return best.bound
}

// body walks over a body that ends at an offset, where it does not say so itself.
func (r *resolver) body(b *ir.Body, end int) {
	if b == nil {
		return
	}
	if b.Span.Known() {
		end = b.Span.End
	}
	for _, st := range b.Stmts {
		r.statement(st)
		if len(st.Pat) == 0 {
			continue
		}
		types := diag.Span{Start: st.Pat[0].Span.Start, End: r.words.heads[st]}
		for _, e := range st.Pat {
			r.elem(e, types, diag.Span{Start: st.Span.End, End: end})
		}
	}
}

func (r *resolver) statement(st *ir.Stmt) {
	end := st.Span.End
	if loop, ok := st.Op.(*ir.Loop); ok {
		r.loop(loop, end)
	}
	for _, o := range ir.Operators(st.Op) {
		for _, e := range o.Params {
			r.elem(e, diag.Span{Start: o.Params[0].Span.Start, End: o.Body.Span.End})
		}
	}
	if space, ok := ir.KernelSpace(st.Op); ok {
		for _, b := range space {
			r.bind(b.Var, b.Span, ir.KernelBody(st.Op).Span)
		}
	}
	for _, inner := range ir.Bodies(st.Op) {
		r.body(inner, end)
	}
}

// loop binds what a loop binds. Initial values and the bound do not see it; the types of parameters do.
func (r *resolver) loop(l *ir.Loop, end int) {
	from := l.Head.Start
	if l.Var != "" && l.Body.Span.Known() {
		from = l.Body.Span.Start
	}
	in := []diag.Span{{Start: from, End: end}}
	for _, p := range l.Params {
		if p.Elem.Written {
			in = append(in, diag.Span{Start: p.Elem.Span.Start, End: p.Init.Span().Start})
		}
	}
	for _, p := range l.Params {
		r.elem(p.Elem, in...)
	}
	if l.Var != "" {
		r.bind(l.Var, l.Head, in...)
	}
}
