package imp

import "github.com/memc-lang/memc/ir"

// A walker visits what one operation mentions. Nil functions are left out.
type walker struct {
	exp  func(ir.Exp)   // an expression, whole
	name func(string)   // an array or block named by itself
	elem func(*ir.Elem) // a name bound inside: loop parameter, operator parameter
	ivar func(string)   // an index name
	body func(*ir.Body)
}

// operands visits op, in the order of evaluation; for a loop, all that is
// evaluated before its body.
func (w *walker) operands(op ir.Op) {
	names := func(ns ...string) {
		for _, n := range ns {
			w.name(n)
		}
	}
	exps := func(es ...ir.Exp) {
		for _, e := range es {
			if e != nil {
				w.exp(e)
			}
		}
	}
	space := func(s ir.Space) {
		for _, b := range s {
			exps(b.Size)
		}
	}
	switch op := op.(type) {
	case *ir.Compute:
		exps(op.E)
	case *ir.Assert:
		exps(op.Cond)
	case *ir.Copy:
		names(op.X)
	case *ir.Concat:
		names(op.Args...)
	case *ir.Scratch:
		exps(op.Dims...)
	case *ir.Range:
		exps(op.Lo, op.Hi)
	case *ir.Replicate:
		exps(op.Dims...)
		exps(op.X)
	case *ir.ArrayLit:
		exps(op.Elems...)
	case *ir.Alias:
		names(op.X)
	case *ir.Reshape:
		names(op.X)
		exps(op.Dims...)
	case *ir.Rearrange:
		names(op.X)
	case *ir.Slice:
		names(op.X)
		w.items(op.Items)
	case *ir.Update:
		names(op.X)
		w.items(op.Items)
		exps(op.Value)
	case *ir.Alloc:
		exps(op.Size)
	case *ir.If:
		exps(op.Cond)
	case *ir.Loop:
		for _, p := range op.Params {
			exps(p.Init)
		}
		exps(op.Bound)
	case *ir.Call:
		exps(op.Args...)
	case *ir.Map:
		space(op.Space)
	case *ir.Reduce:
		space(op.Space)
		exps(op.Op.Neutral...)
	case *ir.Scan:
		space(op.Space)
		exps(op.Op.Neutral...)
	case *ir.Scatter:
		names(op.Dests...)
		space(op.Space)
	case *ir.Hist:
		names(op.Dests...)
		space(op.Space)
		exps(op.Op.Neutral...)
	}
}

func (w *walker) items(items []ir.Item) {
	for _, it := range items {
		for _, e := range []ir.Exp{it.Index, it.Start, it.Len, it.Stride} {
			if e != nil {
				w.exp(e)
			}
		}
	}
}

// inside visits the names that op binds for its bodies, and the bodies.
func (w *walker) inside(op ir.Op) {
	space := func(s ir.Space) {
		for _, b := range s {
			w.ivar(b.Var)
		}
	}
	operator := func(o *ir.Operator) {
		for _, e := range o.Params {
			w.elem(e)
		}
		w.body(o.Body)
	}
	switch op := op.(type) {
	case *ir.If:
		w.body(op.Then)
		w.body(op.Else)
	case *ir.Loop:
		for _, p := range op.Params {
			w.elem(p.Elem)
		}
		if op.Var != "" {
			w.ivar(op.Var)
		}
		w.body(op.Body)
	case *ir.Map:
		space(op.Space)
		w.body(op.Body)
	case *ir.Reduce:
		space(op.Space)
		operator(&op.Op)
		w.body(op.Body)
	case *ir.Scan:
		space(op.Space)
		operator(&op.Op)
		w.body(op.Body)
	case *ir.Scatter:
		space(op.Space)
		w.body(op.Body)
	case *ir.Hist:
		space(op.Space)
		operator(&op.Op)
		w.body(op.Body)
	}
}

// refs calls name for every name that e mentions, arrays and "?names" included.
func refs(e ir.Exp, name func(string)) {
	ir.ExpNames(e, name)
	ir.WalkExp(e, func(e ir.Exp) bool {
		if x, ok := e.(*ir.Exist); ok {
			name(x.Name)
		}
		return true
	})
}

// exists gives the scalars that a place binds, in the order in which they stand.
func exists(p *ir.Place) []string {
	names := ir.ExistNames(p)
	if len(names) == 0 {
		return nil
	}
	return names[1:] // the first is the block
}
