package fuse

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// A producer is a statement whose arrays can be computed element by element.
type producer struct {
	stmt  *ir.Stmt
	space []ir.Exp // its points: the dims of its arrays
	vars  []string // the index variables of a map's body
	// body computes the elements at a point. It is nil if element does, without statements.
	body    *ir.Body
	element func(at []ir.Exp) ir.Exp
	weight  int  // of the work for a point
	length  int  // of the text for it
	reduces bool // the body is a reduction
}

// Weights of the work for a point, in additions.
const (
	load   = 2
	divide = 8  // also what a function such as exp costs
	turns  = 16 // of a loop, since nobody knows
	never  = 1 << 20
)

// producerOf returns the producer that a statement is, or nil.
func producerOf(s *ir.Stmt) *producer {
	if _, scalar := s.Op.(*ir.Compute); scalar { // as most statements are
		return nil
	}
	p := &producer{stmt: s}
	if len(s.Pat) > 0 && s.Pat[0].Type.Kind == ir.ArrayKind {
		p.space = ir.DimExps(s.Pat[0].Type.Shape)
	}
	switch op := s.Op.(type) {
	case *ir.Map:
		return p.ofMap(op)
	case *ir.Reduce:
		return p.ofReduce(op)
	case *ir.Copy:
		p.element = func(at []ir.Exp) ir.Exp { return &ir.Index{Array: op.X, Indices: at, T: s.Pat[0].Type.Prim} }
	case *ir.Rearrange:
		p.element = func(at []ir.Exp) ir.Exp {
			from := make([]ir.Exp, len(at))
			for k, d := range op.Perm {
				from[d] = at[k]
			}
			return &ir.Index{Array: op.X, Indices: from, T: s.Pat[0].Type.Prim}
		}
	case *ir.Slice:
		p.element = sliced(op, s.Pat[0].Type.Prim)
	case *ir.Reshape:
		p.element = func(at []ir.Exp) ir.Exp {
			return &ir.Index{Array: op.X, Indices: []ir.Exp{rowMajor(at, op.Dims)}, T: s.Pat[0].Type.Prim}
		}
	case *ir.Replicate:
		p.element = replicated(op, s.Pat[0].Type)
	case *ir.Range:
		p.element = counted(op, s.Pat[0].Type.Prim)
	}
	if p.element == nil {
		return nil
	}
	return p
}

func (p *producer) ofMap(op *ir.Map) *producer {
	if ir.IsGroups(p.stmt.Op) {
		return nil
	}
	for k, e := range p.stmt.Pat {
		if e.Type.Rank() != len(op.Space) || op.Body.Result[k].Prim() == ir.Unknown {
			return nil // rows
		}
	}
	for _, b := range op.Space {
		p.vars = append(p.vars, b.Var)
	}
	p.body, p.weight, p.length = op.Body, weightOf(op.Body), lengthOf(op.Body)
	return p
}

// ofReduce takes a reduction of segments for a map of reductions, if its threads make no arrays.
func (p *producer) ofReduce(op *ir.Reduce) *producer {
	last := len(op.Space) - 1
	scalar := true
	ir.WalkStmts(op.Body, func(s *ir.Stmt) bool {
		scalar = scalar && !slices.ContainsFunc(s.Pat, func(e *ir.Elem) bool { return e.Type.Kind != ir.ScalarKind })
		return scalar
	})
	if !scalar {
		return nil
	}
	var element []*ir.Elem
	var values []ir.Exp
	for k, e := range p.stmt.Pat {
		if k >= len(op.Op.Neutral) || last == 0 || e.Type.Rank() != last || op.Op.Params[k].Type.Kind != ir.ScalarKind {
			return nil
		}
		el := &ir.Elem{Name: e.Name, Type: ir.Scalar(e.Type.Prim)}
		element, values = append(element, el), append(values, &ir.Ref{Name: e.Name, T: e.Type.Prim})
	}
	for _, b := range op.Space[:last] {
		p.vars = append(p.vars, b.Var)
	}
	one := *op
	one.Space = op.Space[last:]
	p.reduces = true
	p.body = &ir.Body{In: op.Body.In, Stmts: []*ir.Stmt{{Pat: element, Op: &one, Span: p.stmt.Span}}, Result: values}
	p.weight, p.length = weightOf(p.body), lengthOf(p.body)
	return p
}

// view reports that the producer's array lies where another one lies.
func (p *producer) view() bool {
	switch p.stmt.Op.(type) {
	case *ir.Slice, *ir.Reshape, *ir.Rearrange:
		return true
	}
	return false
}

// sliced returns the elements of a slice, or nil where its items are more than names.
func sliced(op *ir.Slice, t ir.Prim) func([]ir.Exp) ir.Exp {
	for _, it := range op.Items {
		for _, e := range []ir.Exp{it.Index, it.Start, it.Stride} {
			if e != nil && !ir.Total(e) {
				return nil
			}
		}
	}
	return func(at []ir.Exp) ir.Exp {
		from := make([]ir.Exp, len(op.Items))
		for k, it := range op.Items {
			if it.Fixed {
				from[k] = ir.CloneExp(it.Index)
				continue
			}
			i := at[0]
			at = at[1:]
			if it.Stride != nil {
				i = times(i, it.Stride)
			}
			from[k] = plus(it.Start, i)
		}
		return &ir.Index{Array: op.X, Indices: from, T: t}
	}
}

// rowMajor returns the position of an element of an array with these dims.
func rowMajor(at, dims []ir.Exp) ir.Exp {
	pos := at[0]
	for k := 1; k < len(at); k++ {
		pos = plus(times(pos, dims[k]), at[k])
	}
	return pos
}

func plus(x, y ir.Exp) ir.Exp {
	if l, ok := x.(*ir.Lit); ok && l.Bits == 0 {
		return y
	}
	return &ir.Binary{Op: "+", X: ir.CloneExp(x), Y: y, T: ir.I64}
}

func times(x, y ir.Exp) ir.Exp {
	if l, ok := y.(*ir.Lit); ok && l.Bits == 1 {
		return x
	}
	return &ir.Binary{Op: "*", X: x, Y: ir.CloneExp(y), T: ir.I64}
}

// replicated returns the elements of a replicate, or nil where they are computed anew from memory.
func replicated(op *ir.Replicate, t ir.Type) func([]ir.Exp) ir.Exp {
	if r, ok := op.X.(*ir.Ref); ok && t.Rank() > len(op.Dims) {
		return func(at []ir.Exp) ir.Exp { return &ir.Index{Array: r.Name, Indices: at[len(op.Dims):], T: t.Prim} }
	}
	if !atom(op.X) {
		return nil
	}
	return func([]ir.Exp) ir.Exp { return ir.CloneExp(op.X) }
}

// counted returns the elements of a range, or nil.
func counted(op *ir.Range, t ir.Prim) func([]ir.Exp) ir.Exp {
	if !atom(op.Lo) {
		return nil
	}
	return func(at []ir.Exp) ir.Exp {
		e := at[0]
		if t != ir.I64 {
			e = &ir.Convert{X: e, T: t}
		}
		if l, ok := op.Lo.(*ir.Lit); ok && l.Bits == 0 {
			return e
		}
		return &ir.Binary{Op: "+", X: ir.CloneExp(op.Lo), Y: e, T: t}
	}
}

func atom(e ir.Exp) bool {
	switch e.(type) {
	case *ir.Lit, *ir.Ref:
		return true
	}
	return false
}

// weightOf estimates the work of a body.
func weightOf(b *ir.Body) int { return weighed(b, turns) }

// lengthOf estimates its text: the body of a loop counts once.
func lengthOf(b *ir.Body) int { return weighed(b, 1) }

func weighed(b *ir.Body, turns int) int {
	w := 0
	exp := func(e ir.Exp) { w += weightOfExp(e) }
	for _, s := range b.Stmts {
		ir.Exps(s.Op, exp)
		inner := 0
		for _, b := range ir.Bodies(s.Op) {
			inner += weighed(b, turns)
		}
		switch s.Op.(type) {
		case *ir.Compute, *ir.Assert, *ir.Slice, *ir.Rearrange, *ir.Reshape, *ir.Alias:
		case *ir.If:
			w += inner
		case *ir.Loop:
			w += 1 + turns*(inner+1)
		default: // arrays of a thread
			w += turns * (inner + load)
		}
		if w > never {
			return never
		}
	}
	for _, e := range b.Result {
		exp(e)
	}
	return w
}

func weightOfExp(e ir.Exp) (w int) {
	ir.WalkExp(e, func(e ir.Exp) bool {
		switch e := e.(type) {
		case *ir.Index:
			w += load
		case *ir.Unary, *ir.Cond:
			w++
		case *ir.Convert:
			if e.X.Prim().Size() >= e.T.Size() { // else to load the smaller value pays for it
				w++
			}
		case *ir.Binary:
			if w++; e.Op == "/" || e.Op == "%" || e.Op == "**" {
				w += divide - 1
			}
		case *ir.Builtin:
			if w++; e.Fn != "min" && e.Fn != "max" && e.Fn != "abs" {
				w += divide - 1
			}
		}
		return true
	})
	return w
}

// maxNodes bounds an element that is written as one expression.
const maxNodes = 48

// expressions returns the elements that a map's body computes, each as one expression of the index
// variables, or nil if that is not possible or long.
func (p *producer) expressions() []ir.Exp {
	defs := map[string]ir.Exp{}
	for _, s := range p.body.Stmts {
		c, ok := s.Op.(*ir.Compute)
		if !ok {
			return nil
		}
		e := written(c.E, defs)
		if nodes(e) > maxNodes {
			return nil
		}
		defs[s.Pat[0].Name] = e
	}
	out := make([]ir.Exp, len(p.body.Result))
	for k, e := range p.body.Result {
		out[k] = written(e, defs)
		if nodes(out[k]) > maxNodes {
			return nil
		}
	}
	return out
}

// written replaces names by expressions.
func written(e ir.Exp, by map[string]ir.Exp) ir.Exp {
	return ir.MapExp(e, func(e ir.Exp) ir.Exp {
		if r, ok := e.(*ir.Ref); ok && by[r.Name] != nil {
			return ir.CloneExp(by[r.Name])
		}
		return e
	})
}

func nodes(e ir.Exp) (n int) {
	ir.WalkExp(e, func(ir.Exp) bool { n++; return true })
	return n
}
