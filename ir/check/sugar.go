package check

import (
	"strconv"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Conditions of while]
//
// `while` takes an expression over the loop's parameters. Elaboration adds a parameter for it: its
// initial value is the condition on the initial values, and its next value is the condition on the
// next ones. Values that the condition mentions get names first:
//
//	let v = loop (v = 1) while v < n { in v * 2 }
//
//	let v'2 = 1
//	let (v, again) = loop (v'3 = v'2, again_1: bool = v'2 < n) while again_1 {
//	  let v'4 = v'3 * 2
//	  in (v'4, v'4 < n)
//	}

// while replaces the condition of a loop whose names are resolved.
func (s *scoper) while(st *ir.Stmt, op *ir.Loop) {
	n := len(op.Params)
	if n != len(op.Body.Result) || n != len(st.Pat) {
		return // reported by the walk that looks at types
	}
	mentioned := map[string]bool{}
	ir.ExpNames(op.Cond, func(name string) { mentioned[name] = true })
	first, next := map[string]string{}, map[string]string{}
	for i, p := range op.Params {
		if name := p.Elem.Name; mentioned[name] {
			first[name] = s.named(p.Elem, &op.Params[i].Init, &s.pre)
			next[name] = s.named(p.Elem, &op.Body.Result[i], &op.Body.Stmts)
		}
	}
	again := s.names.Plain("again")
	op.Params = append(op.Params, ir.Param{
		Elem: &ir.Elem{Name: again, Type: ir.Scalar(ir.Bool), Written: true, Span: op.Head},
		Init: renamed(op.Cond, first),
	})
	op.Body.Result = append(op.Body.Result, renamed(op.Cond, next))
	st.Pat = append(st.Pat, &ir.Elem{Name: s.names.Plain("again"), Span: op.Head})
	op.While, op.Cond = again, nil
}

// named makes sure that a value of a loop parameter is a name, which it gives.
func (s *scoper) named(param *ir.Elem, e *ir.Exp, to *[]*ir.Stmt) string {
	if r, ok := (*e).(*ir.Ref); ok {
		return r.Name
	}
	el := &ir.Elem{Name: s.names.Fresh(param.Name), Span: param.Span}
	if param.Type.Kind == ir.ScalarKind {
		el.Type, el.Written = param.Type, param.Written
	}
	*to = append(*to, &ir.Stmt{Pat: []*ir.Elem{el}, Op: &ir.Compute{E: *e}, Span: (*e).Span()})
	*e = &ir.Ref{Name: el.Name, At: (*e).Span()}
	return el.Name
}

// renamed returns e with other names.
func renamed(e ir.Exp, names map[string]string) ir.Exp {
	return ir.MapExp(e, func(e ir.Exp) ir.Exp {
		switch e := e.(type) {
		case *ir.Ref:
			if n, ok := names[e.Name]; ok {
				e.Name = n
			}
		case *ir.Index:
			if n, ok := names[e.Array]; ok {
				e.Array = n
			}
		}
		return e
	})
}

// Note [Dims of headers]
//
// If a parameter's dim is an expression, the dim becomes a size of its own, and an assertion
// compares it with the expression. If a result's dim is an expression, it becomes a named result
// that sizes it; the patterns of calls get a name for it.
//
//	fun f [n] (xs: [n + 1]i32) : [n * 2]i32 = { .. in ys }
//
//	fun f [n][n_xs] (xs: [n_xs]i32) : (n_f: i64, [n_f]i32) = {
//	  assert n_xs == n + 1 "`xs` has the size n + 1 in dimension 0"
//	  .. in (n * 2, ys)
//	}

// headerDims names the dims of all headers. It reports those that are negative.
func (s *nameStock) headerDims() {
	s.hidden = map[string][]int{}
	for _, f := range s.p.Funcs {
		s.paramDims(f)
		s.resultDims(f)
	}
}

func (s *nameStock) paramDims(f *ir.Func) {
	var asserts []*ir.Stmt
	for _, p := range f.Params {
		for k, d := range p.Type.Shape {
			if d.Written == nil {
				continue
			}
			s.notNegative(d.Written)
			name := s.Plain("n_" + p.Name)
			f.Sizes = append(f.Sizes, name)
			p.Type.Shape[k] = ir.Dim{Name: name}
			at := d.Written.Span()
			asserts = append(asserts, &ir.Stmt{Span: at, Op: &ir.Assert{
				Cond: &ir.Binary{Op: "==", X: &ir.Ref{Name: name, At: at}, Y: d.Written, At: at},
				Msg:  "`" + p.Name + "` has the size " + ir.ExpString(d.Written) + " in dimension " + strconv.Itoa(k),
			}})
		}
	}
	if asserts != nil {
		f.Body.Stmts = append(asserts, f.Body.Stmts...)
	}
}

func (s *nameStock) notNegative(dim ir.Exp) {
	if v, ok := sym.Of(dim).IsConst(); ok && v < 0 {
		s.diags.Errorf(diag.SizeNegative, dim.Span(), "the size %s is negative", ir.ExpString(dim))
	}
}

func (s *nameStock) resultDims(f *ir.Func) {
	named := map[string]ir.Exp{} // results that have a name, by their values
	for i, r := range f.Results {
		if r.Name != "" && i < len(f.Body.Result) {
			named[r.Name] = f.Body.Result[i]
		}
	}
	var results []ir.Result
	var values []ir.Exp
	for i, r := range f.Results {
		for k, d := range r.Type.Shape {
			if d.Written == nil {
				continue
			}
			s.notNegative(d.Written)
			name := s.Plain("n_" + f.Name)
			r.Type.Shape[k] = ir.Dim{Name: name}
			s.hidden[f.Name] = append(s.hidden[f.Name], len(results))
			results = append(results, ir.Result{Name: name, Type: ir.Scalar(ir.I64), Span: r.Span})
			values = append(values, ir.MapExp(d.Written, func(e ir.Exp) ir.Exp {
				if ref, ok := e.(*ir.Ref); ok && named[ref.Name] != nil {
					return ir.CloneExp(named[ref.Name])
				}
				return e
			}))
		}
		results = append(results, r)
		if i < len(f.Body.Result) {
			values = append(values, f.Body.Result[i])
		}
	}
	if len(results) > len(f.Results) {
		if len(f.Body.Result) > len(f.Results) {
			values = append(values, f.Body.Result[len(f.Results):]...)
		}
		f.Results, f.Body.Result = results, values
	}
}

// hiddenResults adds names to the pattern of a call, for results that the callee's header does not
// show.
func (s *scoper) hiddenResults(st *ir.Stmt, op *ir.Call) {
	hidden, g := s.names.hidden[op.Fn], s.p.Func(op.Fn)
	if len(hidden) == 0 || len(st.Pat)+len(hidden) != len(g.Results) {
		return
	}
	for _, at := range hidden {
		e := &ir.Elem{Name: s.names.Plain("n_" + op.Fn), Span: st.Span}
		st.Pat = append(st.Pat[:at:at], append([]*ir.Elem{e}, st.Pat[at:]...)...)
	}
}

// nameDims names dims of a statement's types that are expressions, by lets before the statement.
// Names that the statement binds are not in scope there.
func (c *fn) nameDims(s *ir.Stmt) {
	named := func(e *ir.Elem) {
		for k, d := range e.Type.Shape {
			if d.Written == nil {
				continue
			}
			if c.dims([]ir.Exp{d.Written}); d.Written.Prim() != ir.I64 {
				e.Type = ir.Type{} // reported already: no further error about arrays of this size
				return
			}
			e.Type.Shape[k] = c.dim(d.Written)
		}
	}
	for _, e := range s.Pat {
		named(e)
	}
	ir.Elems(s.Op, named)
}
