package explicit

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/transform"
)

// Pass makes memory-agnostic functions explicit. One rewrite is one function.
var Pass = &transform.Pass{
	Name: "explicit",
	Doc:  "Give every array of a memory-agnostic function a memory block and an index function.",
	After: []transform.Constraint{
		{Pass: "sequentialise", Reason: "only kernels of functions without memory become loops"},
		{Pass: "levels", Reason: "only kernels of functions without memory become loops"},
		{Pass: "forget", Reason: "it would remove the memory again"},
		{Pass: "inline", Reason: "it replaces calls in functions without memory only"},
		{Pass: "simplify", Reason: "it changes functions without memory only"},
		{Pass: "fuse", Reason: "it changes functions without memory only"},
	},
	Run: run,
}

func run(p *ir.Program, c *transform.Context) error {
	failed := &diag.List{File: p.File}
	internal := internalCalls(p)
	for _, f := range transform.CalleesFirst(p) {
		if !agnostic(f) {
			continue
		}
		if s := ir.Deep(f.Body); s != nil {
			failed.Limitf(s.Span, "a kernel that no group of threads can run: there are two levels, groups and threads").
				Hinted("the pass `levels` makes loops of such kernels: let it run before `explicit`")
			continue
		}
		if !c.Rewrite(f.Span, "`%s` gets its memory", f.Name) {
			continue
		}
		t := newFunction(p, f, c, failed)
		t.run(internal[f.Name])
	}
	return failed.Err()
}

// internalCalls tells which functions are called from within the program.
func internalCalls(p *ir.Program) map[string]bool {
	called := map[string]bool{}
	for _, f := range p.Funcs {
		ir.EachOp(f.Body, func(_ *ir.Stmt, call *ir.Call) {
			called[call.Fn] = true
		})
	}
	return called
}

// agnostic reports whether a function has arrays and none of them has a place.
func agnostic(f *ir.Func) bool {
	arrays, placed := false, false
	look := func(t ir.Type) {
		arrays = arrays || t.Kind == ir.ArrayKind
		placed = placed || t.Place != nil || t.Kind == ir.MemKind
	}
	for _, e := range f.Params {
		look(e.Type)
	}
	for _, r := range f.Results {
		look(r.Type)
	}
	ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
		for _, e := range s.Pat {
			look(e.Type)
		}
		if l, ok := s.Op.(*ir.Loop); ok {
			for _, p := range l.Params {
				look(p.Elem.Type)
			}
		}
		return true
	})
	return arrays && !placed
}
