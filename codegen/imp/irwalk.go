package imp

import "github.com/memc-lang/memc/ir"

// A walker visits the names and expressions of one operation. Nil functions are not called.
type walker struct {
	exp  func(ir.Exp)   // an expression, whole
	name func(string)   // an array or block named by itself
	elem func(*ir.Elem) // a name bound inside: loop parameter, operator parameter
	ivar func(string)   // an index name
	body func(*ir.Body)
}

// operands visits op; for a loop, all that is evaluated before its body.
func (w *walker) operands(op ir.Op) {
	ir.EachUse(op, func(n *string) { w.name(*n) }, w.exp)
}

// inside visits the names that op binds for its bodies, and the bodies.
func (w *walker) inside(op ir.Op) {
	if loop, ok := op.(*ir.Loop); ok && loop.Var != "" {
		w.ivar(loop.Var)
	}
	space, _ := ir.KernelSpace(op)
	for _, b := range space {
		w.ivar(b.Var)
	}
	ir.Elems(op, w.elem)
	for _, b := range ir.Bodies(op) {
		w.body(b)
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

// exists returns the scalars that a place binds, in the order in which they stand.
func exists(p *ir.Place) []string {
	names := ir.ExistNames(p)
	if len(names) == 0 {
		return nil
	}
	return names[1:] // the first is the block
}
