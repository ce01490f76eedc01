package simplify

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [What crosses calls]
//
// A result that no call of a function uses goes from the function and its calls, and so does a
// parameter that the function does not use. The steps behind then drop what was needed only for that.
// A function keeps what an entry promises, and what an explicit caller passes or gets. It keeps a
// result, too, if to compute or compare it may fail, and a parameter if that holds for an argument.
// A function that only other functions of this kind need shrinks the next time the pass runs.

// A callee is a function that only agnostic functions call.
type callee struct {
	f     *ir.Func
	sites []*ir.Stmt
	named []map[string]bool // what the caller of each site mentions
}

// calls drops what crosses calls in vain.
func (p *program) calls() {
	for _, g := range p.callees() {
		g.results(p)
	}
	for _, g := range p.callees() {
		g.params(p)
	}
	p.sizes = nil // of calls as they were
}

// callees returns the functions whose results and parameters may go.
func (p *program) callees() (list []*callee) {
	of, fixed := map[string]*callee{}, map[string]bool{}
	for _, f := range p.Funcs {
		var named map[string]bool
		explicit := ir.IsExplicit(f)
		fixed[f.Name] = fixed[f.Name] || f.Entry || explicit
		ir.EachOp(f.Body, func(s *ir.Stmt, call *ir.Call) {
			g := of[call.Fn]
			if g == nil {
				g = &callee{f: p.Func(call.Fn)}
				of[call.Fn], list = g, append(list, g)
			}
			fixed[call.Fn] = fixed[call.Fn] || explicit
			if named == nil {
				named = mentions(f)
			}
			g.sites, g.named = append(g.sites, s), append(g.named, named)
		})
	}
	return slices.DeleteFunc(list, func(g *callee) bool { return fixed[g.f.Name] })
}

// mentions returns the names that a function uses.
func mentions(f *ir.Func) map[string]bool {
	named := map[string]bool{}
	note := func(n string) { named[n] = true }
	for _, s := range f.Body.Stmts {
		ir.StmtUses(s, note)
	}
	for _, e := range f.Body.Result {
		ir.ExpNames(e, note)
	}
	for _, r := range f.Results {
		ir.TypeNames(r.Type, note)
	}
	for _, e := range f.Params {
		if e.Type.Kind == ir.ArrayKind {
			continue // its sizes may go with it
		}
		ir.TypeNames(e.Type, note)
	}
	return named
}

// compared reports whether the run compares sizes for a call of the function, or for its results.
func (g *callee) compared(p *program) bool {
	t := p.obligations()
	return len(t.AtResult[g.f.Body]) > 0 || slices.ContainsFunc(g.sites, func(s *ir.Stmt) bool {
		return len(t.Before[s])+len(t.After[s]) > 0
	})
}

// results drops the results that no call uses, but not the only one.
func (g *callee) results(p *program) {
	f := g.f
	for k := len(f.Results) - 1; k >= 0 && len(f.Results) > 1; k-- {
		if g.usesResult(k) || g.compared(p) || p.resultFails(f, k) {
			continue
		}
		if !p.context.Rewrite(f.Span, "no call uses result %d of `%s`", k+1, f.Name) {
			continue
		}
		f.Results = slices.Delete(f.Results, k, k+1)
		f.Body.Result = slices.Delete(f.Body.Result, k, k+1)
		for _, s := range g.sites {
			s.Pat = slices.Delete(s.Pat, k, k+1)
		}
	}
}

// usesResult reports whether a caller, or the type of another result, mentions a result.
func (g *callee) usesResult(k int) bool {
	used := false
	for _, r := range g.f.Results {
		ir.TypeNames(r.Type, func(n string) { used = used || n == g.f.Results[k].Name })
	}
	for i, s := range g.sites {
		used = used || g.named[i][s.Pat[k].Name]
	}
	return used
}

// resultFails reports whether to compute the value of a result may fail at the end of a function.
func (p *program) resultFails(f *ir.Func, k int) bool {
	e := f.Body.Result[k]
	if ir.Total(e) {
		return false
	}
	t := (&function{program: p, f: f}).table()
	return t.ExpFails(e, t.Body(f.Body).To)
}

// params drops the parameters that the function does not use.
func (g *callee) params(p *program) {
	f, named := g.f, mentions(g.f)
	for k := len(f.Params) - 1; k >= 0; k-- {
		e := f.Params[k]
		if named[e.Name] || sized(f, e.Name, e) || g.argFails(k) {
			continue
		}
		var sizes []string // that no other parameter has
		for _, d := range e.Type.Shape {
			if d.Name != "" && !sized(f, d.Name, e) {
				sizes = append(sizes, d.Name)
			}
		}
		if slices.ContainsFunc(sizes, func(n string) bool { return named[n] }) || g.compared(p) {
			continue
		}
		if !p.context.Rewrite(f.Span, "`%s` does not use `%s`", f.Name, e.Name) {
			continue
		}
		f.Params = slices.Delete(f.Params, k, k+1)
		f.Sizes = slices.DeleteFunc(f.Sizes, func(n string) bool { return slices.Contains(sizes, n) })
		for _, s := range g.sites {
			call := s.Op.(*ir.Call)
			call.Args = slices.Delete(call.Args, k, k+1)
		}
	}
}

// argFails reports whether an argument for a parameter may fail.
func (g *callee) argFails(k int) bool {
	return slices.ContainsFunc(g.sites, func(s *ir.Stmt) bool { return !ir.Total(s.Op.(*ir.Call).Args[k]) })
}

// sized reports whether another parameter has a size.
func sized(f *ir.Func, size string, but *ir.Elem) bool {
	return slices.ContainsFunc(f.Params, func(e *ir.Elem) bool {
		return e != but && slices.ContainsFunc(e.Type.Shape, func(d ir.Dim) bool { return d.Name == size })
	})
}
