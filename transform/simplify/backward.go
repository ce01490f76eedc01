package simplify

import "github.com/memc-lang/memc/ir"

func backward(p *program, f *ir.Func) {}
