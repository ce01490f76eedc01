package simplify

import (
	"github.com/memc-lang/memc/ir"
)

// A walker goes over a function from the top to the bottom. What it has found to be the same as
// something earlier it replaces in all that follows.
type walker struct {
	*function
	by      ir.Substitution
	elems   map[string]*ir.Elem // of arrays
	made    table
	classes *classes
	viewed  map[string]bool // arrays whose elements may not lie side by side, or that are parts of others
}

func forward(f *function) {
	w := &walker{
		function: f, by: ir.Substitution{}, elems: make(map[string]*ir.Elem, ir.Size(f.f)),
		made: table{names: map[string]string{}}, classes: classesOf(f.Program, f.f), viewed: map[string]bool{},
	}
	w.enter(f.f.Params)
	w.body(f.f.Body)
}

// enter notes arrays that come into scope.
func (w *walker) enter(elems []*ir.Elem) {
	for _, e := range elems {
		if e.Type.Kind == ir.ArrayKind {
			w.elems[e.Name] = e
		}
	}
}

// body simplifies a body and the bodies in it. What is computed in it is forgotten at its end.
func (w *walker) body(b *ir.Body) {
	mark := w.made.mark()
	out := make([]*ir.Stmt, 0, len(b.Stmts))
	for _, s := range b.Stmts {
		out = w.stmt(s, out)
	}
	b.Stmts = out
	for k := range b.Result {
		w.exp(&b.Result[k], nil, b)
	}
	w.made.release(mark)
}

// stmt appends a statement, or those in its place, to out.
func (w *walker) stmt(s *ir.Stmt, out []*ir.Stmt) []*ir.Stmt {
	w.replace(s)
	w.enter(s.Pat)
	switch op := s.Op.(type) {
	case *ir.Compute:
		if w.scalar(s, op) {
			return out
		}
	case *ir.Assert:
		if c := literal(fold(op.Cond)); c != nil && c.Bits != 0 && w.ask(s, "`%s` always holds", text{op.Cond}) {
			return out
		}
	case *ir.Alias:
		if w.sameType(s.Pat[0], op.X) && w.ask(s, "`%s` is another name of `%s`", s.Pat[0].Name, op.X) {
			w.rename(s.Pat[0].Name, op.X)
			return out
		}
		w.viewed[s.Pat[0].Name] = w.viewed[op.X]
	case *ir.Reshape:
		w.viewed[s.Pat[0].Name] = w.viewed[op.X]
	case *ir.Rearrange, *ir.Slice:
		w.viewed[s.Pat[0].Name] = true
	case *ir.If, *ir.Loop:
		if stmts, values, ok := w.decided(s); ok {
			return w.splice(s, stmts, values, out)
		}
	}
	if op, ok := s.Op.(*ir.Loop); ok {
		w.enter(ir.ParamElems(op.Params))
		w.constants(s, op)
	}
	for _, b := range ir.Bodies(s.Op) {
		w.body(b)
	}
	if op, ok := s.Op.(*ir.If); ok {
		w.alike(s, op)
	}
	if w.again(s) {
		return out
	}
	return append(out, s)
}

// decided returns what remains of an if with a literal condition, and of a loop that has no iteration.
func (w *walker) decided(s *ir.Stmt) (stmts []*ir.Stmt, values []ir.Exp, ok bool) {
	switch op := s.Op.(type) {
	case *ir.If:
		c := literal(op.Cond)
		if c == nil || !w.ask(s, "the condition is always %s, so one branch remains", text{c}) {
			return nil, nil, false
		}
		taken := op.Then
		if c.Bits == 0 {
			taken = op.Else
		}
		stmts, values = taken.Stmts, taken.Result
	case *ir.Loop:
		n := literal(op.Bound)
		if n == nil || int64(n.Bits) > 0 || !w.ask(s, "the loop has no iteration") {
			return nil, nil, false
		}
		for _, p := range op.Params {
			values = append(values, p.Init)
		}
	}
	return stmts, values, true
}

// replace puts names that stand for others out of a statement, and simplifies its expressions.
func (w *walker) replace(s *ir.Stmt) {
	ir.EachUse(s.Op, func(n *string) { *n = w.by.Name(*n) }, func(ir.Exp) {})
	if a, ok := s.Op.(*ir.Assert); ok && (a.Size || a.Threads) {
		a.Cond = w.by.Exp(a.Cond) // it has a form of its own
	} else {
		ir.EachExp(s.Op, func(e *ir.Exp) { w.exp(e, s, nil) })
	}
	ir.StmtElems(s, w.types)
}

func (w *walker) types(e *ir.Elem) { e.Type = w.by.Type(e.Type) }

// exp simplifies an expression of a statement, or of a body's results.
func (w *walker) exp(at *ir.Exp, s *ir.Stmt, b *ir.Body) {
	old := w.by.Exp(*at)
	*at = old
	n := fold(old)
	if n == old {
		return
	}
	span := old.Span()
	if s != nil {
		span = span.Or(s.Span)
	} else {
		span = span.Or(b.In)
	}
	if w.context.Rewrite(span, "`%s` is `%s`", text{old}, text{n}) {
		*at = n
	}
}

func (w *walker) ask(s *ir.Stmt, format string, args ...any) bool {
	return w.context.Rewrite(s.Span, format, args...)
}

// scalar replaces a scalar that is a name, a literal, or computed already. It returns false if the
// scalar stays.
func (w *walker) scalar(s *ir.Stmt, op *ir.Compute) bool {
	x := s.Pat[0].Name
	switch e := op.E.(type) {
	case *ir.Ref:
		if w.ask(s, "`%s` is `%s`", x, e.Name) {
			w.by[x] = e
			return true
		}
		return false
	}
	if n := literal(op.E); n != nil {
		size := w.classes.dims[x] && int64(n.Bits) < 0 // no type has a negative size
		if !size && !least(n) && w.ask(s, "`%s` is %s", x, text{n}) {
			w.by[x] = n
			return true
		}
		return false
	}
	key := expKey(op.E)
	first, found := w.made.names[key]
	if !found {
		w.made.add(key, x)
		return false
	}
	if !w.ask(s, "`%s` is computed already, as `%s`", x, first) {
		return false
	}
	w.by[x] = &ir.Ref{Name: first, T: op.E.Prim()}
	return true
}

// constants replaces the parameters of a loop that keep their first values.
func (w *walker) constants(s *ir.Stmt, op *ir.Loop) {
	for k, p := range op.Params {
		x := p.Elem.Name
		next, ok := op.Body.Result[k].(*ir.Ref)
		if !ok || next.Name != x || x == op.While {
			continue
		}
		init, ok := w.standIn(p.Init, p.Elem, s.Pat[k])
		if ok && !p.Elem.Type.Unique && w.ask(s, "`%s` keeps its first value, `%s`", x, text{init}) {
			w.stands(init, p.Elem, s.Pat[k])
		}
	}
}

// alike replaces the results of an if that both branches give.
func (w *walker) alike(s *ir.Stmt, op *ir.If) {
	for k, e := range s.Pat {
		if e.Type.Kind == ir.ArrayKind {
			w.types(e) // its sizes may be among the results
		}
		x, y := op.Then.Result[k], op.Else.Result[k]
		if ir.ExpString(x) != ir.ExpString(y) {
			continue
		}
		if x, ok := w.standIn(x, e); ok && w.ask(s, "`%s` is `%s` in both branches", e.Name, text{x}) {
			w.stands(x, e)
		}
	}
}

// standIn returns what can stand for some elements that have the value of an expression: a name, or a
// literal that may be a size.
func (w *walker) standIn(value ir.Exp, elems ...*ir.Elem) (ir.Exp, bool) {
	r, name := value.(*ir.Ref)
	if !name {
		n := literal(value)
		return n, n != nil && int64(n.Bits) >= 0
	}
	for _, e := range elems {
		if e.Type.Kind == ir.ArrayKind && !w.sameType(e, r.Name) {
			return nil, false
		}
	}
	return value, true
}

// stands lets a value stand for some elements from here on.
func (w *walker) stands(value ir.Exp, elems ...*ir.Elem) {
	for _, e := range elems {
		w.by[e.Name] = value
		if r, ok := value.(*ir.Ref); ok && e.Type.Kind == ir.ArrayKind {
			w.classes.replaced(e.Name, r.Name)
		}
	}
}

// rename replaces an array by another one from here on.
func (w *walker) rename(x, by string) {
	w.by[x] = &ir.Ref{Name: by}
	w.classes.replaced(x, by)
}

// sameType reports whether an array has the element type and, without a proof, the sizes of x.
func (w *walker) sameType(e *ir.Elem, x string) bool {
	from := w.elems[x]
	if from == nil || e.Type.Prim != from.Type.Prim {
		return false
	}
	return sameShape(e.Type.Shape, from.Type.Shape)
}

func sameShape(a, b []ir.Dim) bool {
	for k, d := range a {
		if d.Name != b[k].Name || d.Const != b[k].Const {
			return false
		}
	}
	return len(a) == len(b)
}

// splice puts statements in the place of s, whose results are then these values. Scalars come
// first, since they may be sizes of the arrays.
func (w *walker) splice(s *ir.Stmt, stmts []*ir.Stmt, values []ir.Exp, out []*ir.Stmt) []*ir.Stmt {
	for k, t := range stmts {
		if k == 0 {
			t.Lead = append(ir.Places(s.Lead), t.Lead...)
		}
		out = w.stmt(t, out)
	}
	for _, kind := range []ir.Kind{ir.ScalarKind, ir.ArrayKind} {
		for k, e := range s.Pat {
			if e.Type.Kind != kind {
				continue
			}
			e.Written = true
			t := &ir.Stmt{Pat: []*ir.Elem{e}, Span: s.Span, Lead: ir.Places(s.Lead)}
			if r, ok := values[k].(*ir.Ref); ok && kind == ir.ArrayKind {
				t.Op = &ir.Alias{X: r.Name}
			} else {
				t.Op = &ir.Compute{E: values[k]}
			}
			out = w.stmt(t, out)
		}
	}
	return out
}
