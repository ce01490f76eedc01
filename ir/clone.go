package ir

import (
	"maps"
	"slices"
)

// CloneProgram returns a deep copy. It shares nothing that a pass may change.
func CloneProgram(p *Program) *Program {
	n := *p
	n.Funcs = make([]*Func, len(p.Funcs))
	for i, f := range p.Funcs {
		n.Funcs[i] = CloneFunc(f)
	}
	n.Tail = slices.Clone(p.Tail)
	n.Renamed = maps.Clone(p.Renamed)
	return &n
}

// CloneFunc returns a deep copy of a function.
func CloneFunc(f *Func) *Func {
	n := *f
	n.Sizes = slices.Clone(f.Sizes)
	n.Params = cloneElems(f.Params)
	n.Results = slices.Clone(f.Results)
	for i := range n.Results {
		n.Results[i].Type = CloneType(n.Results[i].Type)
	}
	n.Body = CloneBody(f.Body)
	n.Lead = slices.Clone(f.Lead)
	return &n
}

// CloneBody returns a deep copy of a body.
func CloneBody(b *Body) *Body {
	if b == nil {
		return nil
	}
	n := *b
	n.Stmts = slices.Clone(b.Stmts)
	for i, s := range b.Stmts {
		n.Stmts[i] = CloneStmt(s)
	}
	n.Result = cloneExps(b.Result)
	n.Lead = slices.Clone(b.Lead)
	return &n
}

// CloneStmt returns a deep copy of a statement.
func CloneStmt(s *Stmt) *Stmt {
	n := *s
	n.Pat = cloneElems(s.Pat)
	n.Op = CloneOp(s.Op)
	n.Lead = slices.Clone(s.Lead)
	return &n
}

func cloneElems(es []*Elem) []*Elem {
	n := slices.Clone(es)
	for i, e := range es {
		n[i] = CloneElem(e)
	}
	return n
}

// CloneElem returns a deep copy of a pattern's element.
func CloneElem(e *Elem) *Elem {
	n := *e
	n.Type = CloneType(e.Type)
	return &n
}

// CloneType returns a deep copy of a type and its place.
func CloneType(t Type) Type {
	t.Shape = slices.Clone(t.Shape)
	for k := range t.Shape {
		t.Shape[k].Written = CloneExp(t.Shape[k].Written)
	}
	t.Place = ClonePlace(t.Place)
	return t
}

// ClonePlace returns a deep copy of a place.
func ClonePlace(p *Place) *Place {
	if p == nil {
		return nil
	}
	n := *p
	n.Ix = slices.Clone(p.Ix)
	for i, op := range p.Ix {
		n.Ix[i] = shallow(op)
		cloning().place(n.Ix[i])
	}
	return &n
}

func cloneExps(es []Exp) []Exp {
	n := slices.Clone(es)
	for i, e := range es {
		n[i] = CloneExp(e)
	}
	return n
}

// CloneExp returns a deep copy of an expression, and nil for nil.
func CloneExp(e Exp) Exp { return MapExp(e, func(e Exp) Exp { return e }) }
