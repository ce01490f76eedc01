package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// maxNesting bounds how deep kernels nest: C compilers for devices give up at
// 256 brackets.
const maxNesting = 200

func (b *block) nesting(s *ir.Stmt) bool {
	if b.k == nil || b.depth < maxNesting {
		return true
	}
	if !b.k.deep {
		b.k.deep = true
		b.f.l.diags.Limitf(s.Span, "a kernel with more than %d bodies inside each other", maxNesting)
	}
	return false
}

func (b *block) ifOp(s *ir.Stmt, op *ir.If) {
	if !b.nesting(s) {
		return
	}
	cond := b.exp(op.Cond)
	branch := func(body *ir.Body) func(*block) {
		return func(in *block) {
			in.body(body)
			var m moves
			for i, e := range s.Pat {
				m.value(in, e, body.Result[i])
			}
			m.emit(in)
			in.end(body)
		}
	}
	for _, e := range s.Pat { // even if a branch is known never to run
		b.declareElem(e)
	}
	b.when(cond, branch(op.Then), branch(op.Else))
	b.bindAll(s.Pat)
}

// declareElem declares the variables that an element binds.
func (b *block) declareElem(e *ir.Elem) {
	if name, ok := owned(e); ok {
		b.declareMem(b.f.name(name))
	}
	if e.Type.Kind == ir.ScalarKind {
		b.declare(b.f.name(e.Name), e.Type.Prim)
	}
	for _, n := range exists(e.Type.Place) {
		b.declare(b.f.name(n), ir.I64)
	}
}

// bindAll records the arrays of a pattern.
func (b *block) bindAll(pat []*ir.Elem) {
	for _, e := range pat {
		if e.Type.Kind == ir.ArrayKind {
			b.bind(e)
		}
	}
}

// loopOp lowers a loop: its parameters are variables.
func (b *block) loopOp(s *ir.Stmt, op *ir.Loop) {
	if !b.nesting(s) {
		return
	}
	f := b.f
	var bnd ir.Exp
	if op.Var != "" {
		bnd = b.exp(op.Bound)
	}
	params := make([]*ir.Elem, len(op.Params))
	var changing []*ir.Elem // whose places are variables that each turn sets
	var init moves
	for i, p := range op.Params {
		if params[i] = p.Elem; !f.total(p.Elem.Type.Place) {
			changing = append(changing, p.Elem)
		}
		b.declareElem(p.Elem)
		init.value(b, p.Elem, p.Init)
	}
	init.emit(b)
	b.bindAll(params)
	b.free(f.facts.initial[s])

	in := b.sub()
	if op.Var != "" {
		v := in.declare(f.name(op.Var), ir.I64)
		f.bounds[v.Name] = bound{sym.Of(bnd)}
	}
	in.bindAll(changing)
	in.body(op.Body)
	var next moves
	for i, p := range op.Params {
		next.value(in, p.Elem, op.Body.Result[i])
	}
	next.emit(in)
	in.end(op.Body)
	if op.Var != "" {
		loop := &For{Var: f.name(op.Var), Bound: bnd, Body: in.stmts}
		b.add(b.keepElements(loop)...)
		b.add(loop)
	} else {
		b.add(&While{Cond: &ir.Ref{Name: f.name(op.While), T: ir.Bool}, Body: in.stmts})
	}
	b.bindAll(changing)
	b.loopResults(s.Pat, params)
}

// loopResults binds the pattern to the parameters' last values, and drops what
// the parameters hold.
func (b *block) loopResults(pat, params []*ir.Elem) {
	var m moves
	for i, e := range pat {
		b.declareElem(e)
		p := params[i]
		if p.Type.Kind == ir.ScalarKind {
			m.scalars = append(m.scalars, scalarMove{b.f.name(e.Name), p.Type.Prim, &ir.Ref{Name: b.f.name(p.Name), T: p.Type.Prim}})
			continue
		}
		m.value(b, e, &ir.Ref{Name: p.Name})
	}
	m.emit(b)
	for _, p := range params {
		if name, ok := owned(p); ok {
			b.add(&Free{Mem: b.f.name(name)})
		}
	}
	b.bindAll(pat)
}
