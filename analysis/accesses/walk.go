package accesses

import (
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

type walker struct {
	*Table
	prog  *ir.Program
	next  int               // the point to begin
	known map[string]bool   // dims that are not negative by the present facts
	quots map[string]string // names of quotients in scope, by dividend and divisor
}

// AnalyzeFunc makes the table of one function.
func AnalyzeFunc(p *ir.Program, f *ir.Func, x *index.Function) *Table {
	n := len(x.Points)
	t := &Table{
		Function: x,
		All:      make([]Access, 0, n/2), first: make([]int, 0, n+1), facts: make([]places.Facts, n),
	}
	w := &walker{t, p, 0, map[string]bool{}, map[string]string{}}
	facts := places.Start(ir.Size(f))
	for _, s := range f.Sizes {
		facts, _ = w.size(facts, s)
	}
	for _, e := range f.Params {
		facts, _ = w.sizes(facts, e)
		if planted == ScalarsAreSizes && e.Type.Kind == ir.ScalarKind && e.Type.Prim == ir.I64 {
			facts = facts.Size(e.Name)
		}
	}
	for _, e := range f.Params {
		if e.Type.Kind == ir.ScalarKind && e.Type.Prim == ir.I64 && !w.known[e.Name] {
			facts.Any(e.Name)
		}
	}
	w.body(f.Body, facts)
	for len(t.first) <= n {
		t.first = append(t.first, len(t.All))
	}
	return t
}

// at begins a point; the walk meets them in ascending order.
func (w *walker) at(point int, f places.Facts) {
	for len(w.first) <= point {
		w.first = append(w.first, len(w.All))
	}
	w.facts[point] = f
	w.next = point + 1
}

// sizes adds that the dims of an array are not negative. It returns the names that are new, to be
// forgotten at the end of the scope.
func (w *walker) sizes(f places.Facts, e *ir.Elem) (places.Facts, []string) {
	var met []string
	for _, d := range e.Type.Shape {
		if d.Name == "" {
			continue
		}
		var isNew bool
		if f, isNew = w.size(f, d.Name); isNew {
			met = append(met, d.Name)
		}
	}
	if len(e.Type.Shape) > 1 {
		f = f.Small(lmad.Sizes(e.Type.Shape)...)
	}
	return f, met
}

func (w *walker) size(f places.Facts, name string) (places.Facts, bool) {
	if w.known[name] {
		return f, false
	}
	w.known[name] = true
	return f.Size(name), true
}

// body walks the body that begins at the next point.
func (w *walker) body(b *ir.Body, f places.Facts) {
	var met []string
	w.at(w.next, f)
	for _, s := range b.Stmts {
		w.stmt(s, f)
		for _, e := range s.Pat {
			var names []string
			f, names = w.sizes(f, e)
			met = append(met, names...)
		}
		f = w.learn(f, s).Settle()
	}
	end := w.next
	w.at(end, f)
	w.results(b, w.Scope(end), end)
	for _, n := range met {
		delete(w.known, n)
	}
	for _, s := range b.Stmts {
		if op, ok := s.Op.(*ir.Compute); ok {
			if by, x, y, ok := division(op.E); ok {
				if key, rest := quotient(by, x, y); !rest {
					delete(w.quots, key)
				}
			}
		}
	}
}

func (w *walker) stmt(s *ir.Stmt, f places.Facts) {
	span := w.Points[w.next].Span()
	w.at(span.From, f)
	ir.Exps(s.Op, func(e ir.Exp) { w.reads(e, s, span.From, f) })
	whole := func(array string, write bool) {
		w.access(Access{Stmt: s, Point: span.From, Array: array, Write: write})
	}
	switch op := s.Op.(type) { // exhaustive
	case *ir.Compute, *ir.Assert, *ir.Alias, *ir.Reshape, *ir.Rearrange, *ir.Slice, *ir.Alloc:
	case *ir.Put: // counts as done at the end of the body, in no order with what the body does
	case *ir.Copy:
		whole(op.X, false)
		whole(s.Pat[0].Name, true)
	case *ir.Concat:
		for _, x := range op.Args {
			whole(x, false)
		}
		whole(s.Pat[0].Name, true)
	case *ir.Scratch:
	case *ir.Range, *ir.ArrayLit:
		whole(s.Pat[0].Name, true)
	case *ir.Replicate:
		w.operand(op.X, s, span.From)
		whole(s.Pat[0].Name, true)
	case *ir.Update:
		w.operand(op.Value, s, span.From)
		w.access(Access{Stmt: s, Point: span.From, Array: s.Pat[0].Name, Items: op.Items, Write: true})
	case *ir.If:
		if rules.Off("accesses.branches") {
			w.body(op.Then, f)
			w.body(op.Else, f)
			break
		}
		cond := w.Expand(op.Cond)
		then, els := f.FromCondition(cond), f.FromNegation(cond)
		if _, ok := op.Cond.(*ir.Ref); ok && cond != op.Cond { // sizes may mention its name
			then, els = then.FromCondition(op.Cond), els.FromNegation(op.Cond)
		}
		w.body(op.Then, then)
		w.body(op.Else, els)
	case *ir.Loop:
		w.loop(op, f)
	case *ir.Call:
		w.call(s, op, span.From)
	case *ir.Map, *ir.Scan, *ir.Scatter, *ir.Hist, *ir.Into:
		w.kernel(op, f)
	case *ir.Reduce:
		w.kernel(op, f)
		for _, e := range s.Pat { // the shapes of empty results, too: the body need not have run
			if e.Type.Kind == ir.ArrayKind {
				w.access(Access{Stmt: s, Point: span.To, Array: e.Name, Write: true})
			}
		}
	}
	if span.To > span.From {
		w.at(span.To, f)
	}
}

func (w *walker) loop(op *ir.Loop, f places.Facts) {
	var met []string
	for _, p := range op.Params {
		var names []string
		f, names = w.sizes(f, p.Elem)
		met = append(met, names...)
	}
	if op.Var != "" {
		bound := sym.Of(op.Bound)
		f = w.reached(f.WithBound(op.Var, sym.Const(0), bound).Turn(op.Var), op.Bound)
	}
	w.body(op.Body, f)
	for _, n := range met {
		delete(w.known, n)
	}
}

func (w *walker) kernel(op ir.Op, f places.Facts) {
	for _, o := range ir.Operators(op) {
		w.body(o.Body, f)
	}
	space, _ := ir.KernelSpace(op)
	var bounds []sym.Poly
	for _, b := range space {
		bound := sym.Of(b.Size)
		f = w.reached(f.WithBound(b.Var, sym.Const(0), bound), b.Size)
		bounds = append(bounds, bound)
	}
	f = f.Small(bounds...)
	w.body(ir.KernelBody(op), f)
}

// reached adds the facts that hold in the body of a loop or kernel with that bound: the bound is at
// least 1. So a bound max(e, 0) is e, which says something new of an e whose names occur elsewhere.
func (w *walker) reached(f places.Facts, bound ir.Exp) places.Facts {
	e := bound
	if r, ok := e.(*ir.Ref); ok && w.Def(r.Name).Integer() {
		e = w.Def(r.Name).Exp
	}
	m, ok := e.(*ir.Builtin)
	if !ok || m.Fn != "max" || !plain(m) || rules.Off("accesses.reached") {
		return f
	}
	for k, arg := range m.Args {
		if c, ok := sym.Of(arg).IsConst(); ok && c <= 0 {
			return f.Equal(sym.Of(bound), sym.Of(m.Args[1-k]))
		}
	}
	return f
}

// results records the arrays that the end of a body reads, and those that a kernel writes there.
func (w *walker) results(b *ir.Body, sc *Scope, point int) {
	for _, e := range b.Result {
		w.reads(e, sc.Stmt, point, w.facts[point])
	}
	if !sc.Kernel || ir.KernelBody(sc.Stmt.Op) != b {
		return
	}
	for _, e := range b.Result {
		w.operand(e, sc.Stmt, point)
	}
	for k, e := range sc.Stmt.Pat {
		if e.Type.Kind != ir.ArrayKind {
			continue
		}
		ordered := byPoint(sc.Stmt, k)
		a := Access{Stmt: sc.Stmt, Point: point, Array: e.Name, Write: true, Staged: !ordered}
		if ordered || planted == ThreadsWriteTheirs && isInto(sc.Stmt.Op) {
			a.Items, a.Staged = own(sc.Binders, e.Type), false
		}
		w.access(a)
		if _, hist := sc.Stmt.Op.(*ir.Hist); hist || isInto(sc.Stmt.Op) {
			a.Write = false
			w.access(a)
		}
	}
}

// byPoint reports whether the thread of each point writes its own part of the k-th result, after it has read all
// that its body reads: in maps, and in scans of scalars, which run the body of a point before they write there.
func byPoint(s *ir.Stmt, k int) bool {
	switch op := s.Op.(type) {
	case *ir.Map:
		return true
	case *ir.Scan:
		return k < len(op.Op.Neutral) && len(s.Pat[k].Type.Shape) == len(op.Space) && !rules.Off("accesses.scans")
	}
	return false
}

func isInto(op ir.Op) bool {
	_, into := op.(*ir.Into)
	return into
}

// own selects the thread's own part of a result.
func own(binders []index.Binder, t ir.Type) []ir.Item {
	items := make([]ir.Item, len(t.Shape))
	for k, d := range t.Shape {
		if k < len(binders) {
			items[k] = ir.Item{Fixed: true, Index: ir.Var(binders[k].Name)}
		} else {
			items[k] = ir.Item{Start: ir.IntLit(0), Len: d.Exp()}
		}
	}
	return items
}

func (w *walker) call(s *ir.Stmt, op *ir.Call, point int) {
	callee := w.prog.Func(op.Fn)
	for k, e := range op.Args {
		r, ok := e.(*ir.Ref)
		if !ok {
			continue
		}
		t := w.Type(r.Name)
		switch {
		case t == nil:
		case t.Kind == ir.ArrayKind:
			w.access(Access{Stmt: s, Point: point, Array: r.Name})
			if callee == nil || callee.Params[k].Type.Unique {
				w.access(Access{Stmt: s, Point: point, Array: r.Name, Write: true})
			}
		case t.Kind == ir.MemKind:
			w.access(Access{Stmt: s, Point: point, Block: r.Name, Write: true})
		}
	}
}

// operand records a read of a whole array, if e names one.
func (w *walker) operand(e ir.Exp, s *ir.Stmt, point int) {
	if r, ok := e.(*ir.Ref); ok {
		if t := w.Type(r.Name); t != nil && t.Kind == ir.ArrayKind {
			w.access(Access{Stmt: s, Point: point, Array: r.Name})
		}
	}
}

// access keeps an access. It adds the present block of the array, for searches by block.
func (w *walker) access(a Access) {
	if a.Array != "" {
		t := w.Type(a.Array)
		if t == nil {
			return
		}
		if t.Place != nil {
			a.Block = t.Place.Mem
		}
	}
	if a.known == (places.Facts{}) {
		a.known = w.facts[a.Point]
	}
	w.All = append(w.All, a)
}

// Place returns the index function of an array's present place.
func (t *Table) Place(array string) lmad.Fun { return lmad.OfType(*t.Type(array)) }
