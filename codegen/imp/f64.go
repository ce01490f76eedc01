package imp

import "github.com/memc-lang/memc/ir"

// F64 reports whether a kernel computes with f64, which not every device has.
func (p *Program) F64() bool {
	found := false
	see := func(t ir.Prim) { found = found || t == ir.F64 }
	for _, k := range p.Kernels {
		for _, s := range k.Params {
			see(s.Prim)
		}
		for _, v := range k.Vars {
			see(v.Prim)
		}
		for _, l := range k.Locals {
			see(l.Prim)
		}
		everywhere(k.Body, visitor{exp: func(e ir.Exp) {
			ir.WalkExp(e, func(e ir.Exp) bool { see(e.Prim()); return true })
		}})
	}
	return found
}
