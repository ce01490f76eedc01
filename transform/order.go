package transform

import "github.com/memc-lang/memc/ir"

// CalleesFirst orders functions so that each comes after its callees, and otherwise as in the file.
// Functions do not recurse.
func CalleesFirst(p *ir.Program) []*ir.Func {
	var order []*ir.Func
	seen := map[*ir.Func]bool{}
	var visit func(f *ir.Func)
	visit = func(f *ir.Func) {
		if f == nil || seen[f] {
			return
		}
		seen[f] = true
		ir.EachOp(f.Body, func(_ *ir.Stmt, call *ir.Call) {
			visit(p.Func(call.Fn))
		})
		order = append(order, f)
	}
	for _, f := range p.Funcs {
		visit(f)
	}
	return order
}
