package difftest

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// cut drops n statements of a body. Of what they bound, names that are still
// used are bound to something simple.
func cut(body, at, n int) edit {
	return func(p *ir.Program, _ *Subject) bool {
		b := allBodies(p)[body]
		if n <= 0 || at+n > len(b.Stmts) {
			return false
		}
		f := owner(p, b)
		gone := b.Stmts[at : at+n]
		rest := slices.Concat(b.Stmts[:at], b.Stmts[at+n:])
		b.Stmts = rest
		used := usedNames(f)
		var simple []*ir.Stmt
		for _, s := range gone {
			for _, e := range s.Pat {
				if used[e.Name] {
					d := plain(e)
					if d == nil {
						return false
					}
					simple = append(simple, d)
					for _, dim := range e.Type.Shape { // its dims may have been bound here as well
						used[dim.Name] = true
					}
				}
			}
		}
		// Dims of arrays that stay come from earlier in the cut run.
		have := map[string]bool{}
		for _, s := range simple {
			have[s.Pat[0].Name] = true
		}
		var sizes []*ir.Stmt
		for _, s := range gone {
			for _, e := range s.Pat {
				if used[e.Name] && !have[e.Name] {
					if d := plain(e); d != nil {
						sizes = append(sizes, d)
					}
				}
			}
		}
		b.Stmts = slices.Concat(rest[:at:at], sizes, simple, rest[at:])
		return true
	}
}

func owner(p *ir.Program, b *ir.Body) *ir.Func {
	for _, f := range p.Funcs {
		if slices.Contains(allBodies(&ir.Program{Funcs: []*ir.Func{f}}), b) {
			return f
		}
	}
	return nil
}

// usedNames returns every name that a function uses.
func usedNames(f *ir.Func) map[string]bool {
	used := map[string]bool{}
	add := func(n string) { used[n] = true }
	for _, b := range allBodies(&ir.Program{Funcs: []*ir.Func{f}}) {
		for _, s := range b.Stmts {
			ir.Uses(s.Op, add)
			ir.Elems(s.Op, func(e *ir.Elem) { ir.TypeNames(e.Type, add) })
			for _, e := range s.Pat {
				if e.Written || e.Type.Kind == ir.ArrayKind {
					ir.TypeNames(e.Type, add)
				}
			}
		}
		for _, e := range b.Result {
			ir.ExpNames(e, add)
		}
	}
	return used
}

// plain binds a name to a constant, or to an array of one.
func plain(e *ir.Elem) *ir.Stmt {
	pat := *e
	switch e.Type.Kind {
	case ir.ScalarKind:
		pat.Written = false
		return &ir.Stmt{Pat: []*ir.Elem{&pat}, Op: &ir.Compute{E: zero(e.Type.Prim)}}
	case ir.ArrayKind:
		if e.Type.Place != nil && e.Type.Place.Exist {
			return nil
		}
		dims := ir.DimExps(e.Type.Shape)
		pat.Written = e.Type.Place != nil
		return &ir.Stmt{Pat: []*ir.Elem{&pat}, Op: &ir.Replicate{Dims: dims, X: zero(e.Type.Prim)}}
	}
	return nil
}

// zero is 0 of a type, 0.0 or false.
func zero(p ir.Prim) *ir.Lit {
	switch {
	case p == ir.Bool:
		return ir.BoolLit(false)
	case p.Float():
		return &ir.Lit{Text: "0.0", Suffix: true, T: p}
	}
	return &ir.Lit{Text: "0", Suffix: true, T: p}
}

// functions drops functions, parameters and results.
func (r *reducer) functions() bool {
	helped := r.each(func(p *ir.Program) int { return len(p.Funcs) }, func(k int) []edit {
		return []edit{func(p *ir.Program, s *Subject) bool {
			if p.Funcs[k].Name == s.Entry {
				return false
			}
			p.Funcs = slices.Delete(p.Funcs, k, k+1)
			return true
		}}
	})
	for f := range r.prog.Funcs {
		ok := r.each(func(p *ir.Program) int { return len(p.Funcs[f].Results) }, func(k int) []edit {
			return []edit{func(p *ir.Program, _ *Subject) bool { return dropResult(p, p.Funcs[f], k) }}
		})
		helped = ok || helped
		ok = r.each(func(p *ir.Program) int { return len(p.Funcs[f].Params) }, func(k int) []edit {
			return []edit{
				func(p *ir.Program, s *Subject) bool { return dropParam(p, s, p.Funcs[f], k) },
				func(p *ir.Program, s *Subject) bool {
					t := &p.Funcs[f].Params[k].Type
					was := t.Unique
					t.Unique = false
					return was
				},
			}
		})
		helped = ok || helped
	}
	return helped
}

// dropResult takes a result away, where the calls do not need it.
func dropResult(p *ir.Program, f *ir.Func, k int) bool {
	if len(f.Results) < 2 {
		return false
	}
	f.Results = slices.Delete(f.Results, k, k+1)
	f.Body.Result = slices.Delete(f.Body.Result, k, k+1)
	for _, s := range slices.Backward(allStmts(p)) { // insertions shift only statements that were examined already
		if call, ok := s.stmt().Op.(*ir.Call); ok && call.Fn == f.Name {
			st := s.stmt()
			if len(st.Pat) != len(f.Results)+1 {
				return false
			}
			gone := st.Pat[k]
			st.Pat = slices.Delete(st.Pat, k, k+1)
			if usedNames(s.f)[gone.Name] {
				d := plain(gone)
				if d == nil {
					return false
				}
				s.body.Stmts = slices.Insert(s.body.Stmts, s.at, d)
			}
		}
	}
	return true
}

// dropParam takes a parameter away and binds its name in the body where it is
// used.
func dropParam(p *ir.Program, s *Subject, f *ir.Func, k int) bool {
	e := f.Params[k]
	f.Params = slices.Delete(f.Params, k, k+1)
	if usedNames(f)[e.Name] {
		if e.Type.Place != nil && e.Type.Place.Exist {
			return false
		}
		d := plain(e)
		if d == nil {
			return false
		}
		d.Pat[0].Type.Unique = false
		f.Body.Stmts = slices.Insert(f.Body.Stmts, 0, d)
	}
	var sizes []string
	for _, n := range f.Sizes {
		if slices.ContainsFunc(f.Params, func(q *ir.Elem) bool {
			return slices.ContainsFunc(q.Type.Shape, func(d ir.Dim) bool { return d.Name == n })
		}) {
			sizes = append(sizes, n)
		} else if used := usedNames(f); used[n] { // becomes a constant
			f.Body.Stmts = slices.Insert(f.Body.Stmts, 0, &ir.Stmt{
				Pat: []*ir.Elem{{Name: n, Type: ir.Scalar(ir.I64)}}, Op: &ir.Compute{E: ir.IntLit(1)}})
		}
	}
	f.Sizes = sizes
	for _, sl := range allStmts(p) {
		if call, ok := sl.stmt().Op.(*ir.Call); ok && call.Fn == f.Name {
			call.Args = slices.Delete(call.Args, k, k+1)
		}
	}
	if f.Name == s.Entry {
		inputs := slices.Clone(s.Inputs)
		for i := range inputs {
			inputs[i] = slices.Delete(slices.Clone(inputs[i]), k, k+1)
		}
		s.Inputs = inputs
	}
	return true
}
