package ir

import (
	"maps"
	"slices"
)

// A copier copies parts of a program. One that shares leaves expressions, shapes and index functions as they are:
// after elaboration nothing writes to these, and a pass that wants others puts others in their place.
type copier struct {
	shares bool
	inner  *parts // copies every part of an operation that it visits
}

func newCopier(shares bool) *copier {
	c := &copier{shares: shares}
	c.inner = &parts{
		own:  true,
		elem: func(e **Elem) { *e = c.elem(*e) },
		body: func(b **Body) { *b = c.body(*b) },
	}
	if !shares {
		c.inner.exp = func(e *Exp) { *e = CloneExp(*e) }
	}
	return c
}

// CloneProgram returns a deep copy. It shares nothing that elaboration or a pass may change.
func CloneProgram(p *Program) *Program { return newCopier(false).program(p) }

// CloneBody returns a deep copy of a body.
func CloneBody(b *Body) *Body { return newCopier(false).body(b) }

// CloneElem returns a deep copy of a pattern's element.
func CloneElem(e *Elem) *Elem { return newCopier(false).elem(e) }

// CloneType returns a deep copy of a type and its place.
func CloneType(t Type) Type { return newCopier(false).typ(t) }

// ClonePlace returns a deep copy of a place.
func ClonePlace(p *Place) *Place { return newCopier(false).place(p) }

// CloneExp returns a deep copy of an expression, and nil for nil.
func CloneExp(e Exp) Exp { return MapExp(e, func(e Exp) Exp { return e }) }

// Snapshot returns a copy of an elaborated program that shares nothing that a pass may change. It costs less than
// CloneProgram.
func Snapshot(p *Program) *Program { return newCopier(true).program(p) }

// SnapshotFunc is Snapshot for a function.
func SnapshotFunc(f *Func) *Func { return newCopier(true).function(f) }

func (c *copier) program(p *Program) *Program {
	n := *p
	n.Funcs = make([]*Func, len(p.Funcs))
	for i, f := range p.Funcs {
		n.Funcs[i] = c.function(f)
	}
	n.Tail = slices.Clone(p.Tail)
	n.Renamed, n.numbers = maps.Clone(p.Renamed), maps.Clone(p.numbers)
	return &n
}

func (c *copier) function(f *Func) *Func {
	n := *f
	n.Sizes = slices.Clone(f.Sizes)
	n.Params = c.elems(f.Params)
	n.Results = slices.Clone(f.Results)
	for i := range n.Results {
		n.Results[i].Type = c.typ(n.Results[i].Type)
	}
	n.Body = c.body(f.Body)
	n.Lead = slices.Clone(f.Lead)
	return &n
}

func (c *copier) body(b *Body) *Body {
	if b == nil {
		return nil
	}
	n := *b
	n.Stmts = slices.Clone(b.Stmts)
	for i, s := range b.Stmts {
		n.Stmts[i] = c.stmt(s)
	}
	n.Result = slices.Clone(b.Result)
	if !c.shares {
		for i, e := range n.Result {
			n.Result[i] = CloneExp(e)
		}
	}
	n.Lead = slices.Clone(b.Lead)
	return &n
}

func (c *copier) stmt(s *Stmt) *Stmt {
	n := *s
	n.Pat = c.elems(s.Pat)
	n.Op = shallow(s.Op)
	c.inner.of(n.Op)
	n.Lead = slices.Clone(s.Lead)
	return &n
}

func (c *copier) elems(es []*Elem) []*Elem {
	n := slices.Clone(es)
	for i, e := range es {
		n[i] = c.elem(e)
	}
	return n
}

func (c *copier) elem(e *Elem) *Elem {
	n := *e
	n.Type = c.typ(e.Type)
	return &n
}

func (c *copier) typ(t Type) Type {
	if c.shares {
		return t
	}
	t.Shape = slices.Clone(t.Shape)
	for k := range t.Shape {
		t.Shape[k].Written = CloneExp(t.Shape[k].Written)
	}
	t.Place = c.place(t.Place)
	return t
}

func (c *copier) place(p *Place) *Place {
	if p == nil {
		return nil
	}
	n := *p
	n.Ix = slices.Clone(p.Ix)
	for i, op := range p.Ix {
		n.Ix[i] = shallow(op)
		c.inner.place(n.Ix[i])
	}
	return &n
}
