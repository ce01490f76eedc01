package simplify

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
	"github.com/memc-lang/memc/transform"
)

// Note [What a loop carries and stores]
//
// A loop that stores each of its values in an array, and carries it to the next iteration, keeps it twice:
//
//	let rows = blank with [0, (0, n)] = start
//	loop (h = rows, u = start) for t < k {
//	  let v = map (i < n) { in u[n - 1 - i] + 1 }
//	  let h1 = h with [t + 1, (0, n)] = v
//	  in (h1, v)
//	}
//
// In each iteration, u is what the last one stored, and in the first it is what `rows` holds in that place. So u[i] is
// h[t, i]. The conditions are:
//
//	(1) The loop stands on the host and counts its iterations. Its body updates h, as it came, with v, in a place that
//	    begins with indices, one of which depends on t. The rest comes from outside the loop: so the place of the last
//	    iteration is known, and its elements lie side by side.
//	(2) The body reads only elements of u, before that update. So h still is what it was.
//	(3) The initial array holds the first value where an iteration before the first would have stored it.
//	(4) Behind the loop, its last value is copied from where it is stored, if somebody needs it: once, not in every
//	    iteration.
//
// Then the passes for memory can make v where it is stored, and no other block is left of u. Without (3), the first
// iteration is made before the loop, if the body is short and the loop carries no other arrays, which would get more
// blocks by that:
//
//	if k > 0 {
//	  let v0 = map (i < n) { in start[n - 1 - i] + 1 }
//	  let h0 = blank with [0, (0, n)] = v0
//	  loop (h = h0, u = v0) for t < k - 1 { .. h with [t + 1, (0, n)] = v .. }
//	} else { in (blank, start) }

const maxPeeled = 48 // the statements of a first iteration that is made before its loop

// A carrier looks for loops of that kind.
type carrier struct {
	*function
	names   *transform.Names
	classes *classes
	made    map[string]*ir.Stmt // which binds a name
}

func stored(f *function) {
	c := &carrier{function: f}
	if c.body(f.f.Body) {
		f.access = nil // indices are other ones
	}
}

// body looks at the loops of a body on the host, the inner ones first.
func (c *carrier) body(b *ir.Body) (changed bool) {
	for k := 0; k < len(b.Stmts); k++ {
		s := b.Stmts[k]
		if ir.IsKernel(s.Op) {
			continue
		}
		for _, in := range ir.Bodies(s.Op) {
			changed = c.body(in) || changed
		}
		op, ok := s.Op.(*ir.Loop)
		if !ok || op.Bound == nil || op.While != "" || ir.Reads(op.Bound) { // the bound is computed again
			continue
		}
		if stmts := c.loop(s, op); stmts != nil {
			b.Stmts = slices.Replace(b.Stmts, k, k+1, stmts...)
			k += len(stmts) - 1
			changed = true
		}
	}
	return changed
}

// A storing is a parameter of a loop that is stored.
type storing struct {
	u, h    int       // the numbers of the parameters
	last    []ir.Item // where the last iteration stored
	changes int       // which of its indices depends on the iteration
	start   string    // the first value
	used    bool      // somebody needs the last value
}

// A turn is what is known of a loop's body.
type turn struct {
	op      *ir.Loop
	params  map[string]int    // by name
	updates map[string]int    // the statements that store an array as a part of a parameter, by its name
	inside  map[string]ir.Exp // the names that the body binds, and how it computes integers
	uses    map[string]int    // how often it uses an array
	reads   map[string]int    // how often it reads an element of that
	until   map[string]int    // the last statement that does
}

// loop removes the uses of parameters that are stored, and returns the statements in the place of the loop; nil: there
// are none.
func (c *carrier) loop(s *ir.Stmt, op *ir.Loop) []*ir.Stmt {
	var held, others []*storing
	t := turnOf(op)
	for k, p := range op.Params {
		init, isName := p.Init.(*ir.Ref)
		if !isName || p.Elem.Type.Kind != ir.ArrayKind {
			continue
		}
		v, ok := t.storing(k)
		if !ok {
			continue
		}
		c.know()
		v.start, v.used = init.Name, c.classes.usedAfter(s.Pat[k].Name, s)
		if c.holds(op, v) {
			held = append(held, v)
		} else {
			others = append(others, v)
		}
	}
	if len(others) > 0 && c.peels(s, op, slices.Concat(held, others)) &&
		c.context.Rewrite(s.Span, "the first iteration is made before the loop, which then reads `%s` where it is stored", op.Params[others[0].u].Elem.Name) {
		return c.peel(s, op, append(held, others...))
	}
	held = slices.DeleteFunc(held, func(v *storing) bool {
		return !c.context.Rewrite(s.Span, "`%s` is read from `%s`, where it is stored", op.Params[v.u].Elem.Name, op.Params[v.h].Elem.Name)
	})
	if len(held) == 0 {
		return nil
	}
	return append([]*ir.Stmt{s}, c.read(s, op, held)...)
}

// read reads parameters from where they are stored, and returns the statements for behind the loop.
func (c *carrier) read(s *ir.Stmt, op *ir.Loop, all []*storing) (behind []*ir.Stmt) {
	for _, v := range all {
		for _, t := range op.Body.Stmts {
			v.replace(op, t)
		}
		if v.used {
			behind = append(behind, c.behind(s, op, v)...)
		}
	}
	return behind
}

// peels reports whether the first iteration of a loop should be made before it, for the parameters that are stored.
func (c *carrier) peels(s *ir.Stmt, op *ir.Loop, all []*storing) bool {
	arrays := map[int]bool{}
	for _, v := range all {
		arrays[v.u], arrays[v.h] = true, true
	}
	for k, p := range op.Params {
		if p.Elem.Type.Kind == ir.ArrayKind && !arrays[k] || slices.ContainsFunc(p.Elem.Type.Shape, func(d ir.Dim) bool { return c.made[d.Name] == s }) ||
			slices.ContainsFunc(s.Pat[k].Type.Shape, func(d ir.Dim) bool { return c.made[d.Name] == s }) {
			return false
		}
	}
	n := 0
	ir.WalkStmts(op.Body, func(*ir.Stmt) bool { n++; return n <= maxPeeled })
	return n <= maxPeeled && op.Bound.Prim() == ir.I64
}

// peel makes the first iteration of a loop before the others, if there is one.
func (c *carrier) peel(s *ir.Stmt, op *ir.Loop, all []*storing) []*ir.Stmt {
	by := ir.Substitution{op.Var: ir.IntLit(0)}
	first := ir.CloneBody(op.Body)
	ir.BoundNames(first, func(n string) { by[n] = &ir.Ref{Name: c.names.Fresh(n)} })
	var inits []ir.Exp
	var before []*ir.Stmt
	for _, p := range op.Params {
		init := p.Init
		if _, isName := init.(*ir.Ref); !isName { // it may be a size in the body
			e := &ir.Elem{Name: c.names.Fresh(p.Elem.Name), Type: ir.Scalar(init.Prim())}
			before = append(before, &ir.Stmt{Pat: []*ir.Elem{e}, Op: &ir.Compute{E: init}, Span: s.Span})
			init = &ir.Ref{Name: e.Name, T: init.Prim()}
		}
		by[p.Elem.Name] = init
		inits = append(inits, init)
	}
	by.Body(first)
	for k := range op.Params {
		op.Params[k].Init = first.Result[k]
	}
	turns := op.Bound
	op.Bound = &ir.Binary{Op: "-", X: turns, Y: ir.IntLit(1), T: ir.I64}
	next := &ir.Elem{Name: c.names.Fresh(op.Var), Type: ir.Scalar(ir.I64)}
	later := ir.Substitution{op.Var: &ir.Ref{Name: next.Name, T: ir.I64}}
	later.Body(op.Body)
	one := &ir.Binary{Op: "+", X: ir.Var(op.Var), Y: ir.IntLit(1), T: ir.I64}
	op.Body.Stmts = slices.Insert(op.Body.Stmts, 0, &ir.Stmt{Pat: []*ir.Elem{next}, Op: &ir.Compute{E: one}, Span: s.Span})
	for _, v := range all {
		at := &v.last[v.changes]
		at.Index = substituted(at.Index, op.Var, sym.Of(one))
	}
	if t := c.table(); t.Facts(t.Stmt(s).From).AtLeast(sym.Of(turns), 1) {
		return slices.Concat(before, first.Stmts, []*ir.Stmt{s}, c.read(s, op, all))
	}
	results := s.Pat
	s.Pat = nil
	var values []ir.Exp
	for k, e := range results {
		own := *e
		own.Name = c.names.Fresh(e.Name)
		s.Pat = append(s.Pat, &own)
		values = append(values, &ir.Ref{Name: own.Name, T: inits[k].Prim()})
	}
	first.Stmts = slices.Concat(first.Stmts, []*ir.Stmt{s}, c.read(s, op, all))
	first.Result = values
	cond := &ir.Binary{Op: ">", X: ir.CloneExp(turns), Y: ir.IntLit(0), T: ir.Bool}
	return append(before, &ir.Stmt{Pat: results, Op: &ir.If{Cond: cond, Then: first, Else: &ir.Body{Result: inits}}, Span: s.Span})
}

// substituted returns an index with another value of a name.
func substituted(e ir.Exp, name string, by sym.Poly) ir.Exp {
	return sym.Of(e).Subst(func(n string) (sym.Poly, bool) { return by, n == name }).Exp()
}

// know finds what the function's names are, at the first request.
func (c *carrier) know() {
	if c.classes != nil {
		return
	}
	c.table() // before anything changes
	c.classes, c.names, c.made = classesOf(c.Program, c.f), transform.NewNames(c.f), map[string]*ir.Stmt{}
	ir.WalkStmts(c.f.Body, func(s *ir.Stmt) bool {
		for _, e := range s.Pat {
			c.made[e.Name] = s
		}
		if op, ok := s.Op.(*ir.Loop); ok {
			for _, p := range op.Params {
				c.made[p.Elem.Name] = s
			}
		}
		return true
	})
}

// turnOf looks at a loop's body once.
func turnOf(op *ir.Loop) *turn {
	t := &turn{op, map[string]int{}, map[string]int{}, map[string]ir.Exp{}, map[string]int{}, map[string]int{}, map[string]int{}}
	for k, p := range op.Params {
		t.params[p.Elem.Name], t.inside[p.Elem.Name] = k, nil
	}
	for at, s := range op.Body.Stmts {
		for _, e := range s.Pat {
			t.inside[e.Name] = nil
		}
		switch x := s.Op.(type) {
		case *ir.Update:
			value, isName := x.Value.(*ir.Ref)
			if _, ok := t.params[x.X]; ok && isName {
				t.updates[value.Name] = at
			}
		case *ir.Compute:
			if x.E.Prim() == ir.I64 && ir.Total(x.E) {
				t.inside[s.Pat[0].Name] = x.E
			}
		}
		ir.StmtUses(s, func(n string) {
			t.uses[n]++
			t.until[n] = at
		})
		eachExp(s, func(e *ir.Exp) {
			ir.WalkExp(*e, func(e ir.Exp) bool {
				if x, isRead := e.(*ir.Index); isRead {
					t.reads[x.Array]++
				}
				return true
			})
		})
	}
	for _, e := range op.Body.Result {
		ir.ExpNames(e, func(n string) { t.uses[n]++ })
	}
	return t
}

// storing tells where the values of a parameter are stored, if the body stores each one (1) and reads elements of
// the one before, no more (2).
func (t *turn) storing(k int) (*storing, bool) {
	u := t.op.Params[k].Elem
	next, ok := t.op.Body.Result[k].(*ir.Ref)
	if !ok {
		return nil, false
	}
	at, ok := t.updates[next.Name]
	if !ok || t.uses[u.Name] != t.reads[u.Name] || t.uses[u.Name] > 0 && t.until[u.Name] >= at {
		return nil, false
	}
	s := t.op.Body.Stmts[at]
	up := s.Op.(*ir.Update)
	v := &storing{u: k, h: t.params[up.X]}
	return v, v.h != k && ir.IsRef(t.op.Body.Result[v.h], s.Pat[0].Name) && t.place(v, up.Items, u.Type)
}

// place finds where the last iteration stored, and reports whether that is known (1).
func (t *turn) place(v *storing, items []ir.Item, u ir.Type) bool {
	first := len(items) - u.Rank() // of the ranges
	if first < 1 {
		return false
	}
	v.changes = -1
	for d, it := range items {
		if it.Fixed != (d < first) {
			return false
		}
		if !it.Fixed {
			start, ok := t.outside(sym.Of(it.Start))
			if !ok || start.Has(t.op.Var) || it.Stride != nil && !sym.Of(it.Stride).Is(1) || !sym.Of(it.Len).Equal(sym.Of(u.Shape[d-first].Exp())) {
				return false
			}
			v.last = append(v.last, ir.Item{Start: start.Exp(), Len: it.Len, Span: it.Span})
			continue
		}
		index, ok := t.outside(sym.Of(it.Index))
		if !ok || index.Has(t.op.Var) && v.changes >= 0 {
			return false
		}
		if index.Has(t.op.Var) {
			v.changes = d
		}
		before := substituted(index.Exp(), t.op.Var, sym.Var(t.op.Var).Sub(sym.Const(1)))
		v.last = append(v.last, ir.Item{Fixed: true, Index: before, Span: it.Span})
	}
	return v.changes >= 0
}

// outside writes an index by names from outside the loop and its variable, if it can.
func (t *turn) outside(p sym.Poly) (sym.Poly, bool) {
	known := true
	p = p.Subst(func(name string) (sym.Poly, bool) {
		e, in := t.inside[name]
		if !in || e == nil || !known {
			known = known && !in
			return sym.Poly{}, false
		}
		q, ok := t.outside(sym.Of(e))
		known = known && ok
		return q, ok
	})
	return p, known
}

// eachExp calls f for every expression of a statement and of the bodies in it.
func eachExp(s *ir.Stmt, f func(*ir.Exp)) {
	ir.EachExp(s.Op, f)
	for _, b := range ir.Bodies(s.Op) {
		ir.EachExpIn(b, f)
	}
}

// holds reports whether the array that values are stored in holds the first one already.
func (c *carrier) holds(op *ir.Loop, v *storing) bool {
	rows, ok := op.Params[v.h].Init.(*ir.Ref)
	if !ok || c.made[rows.Name] == nil {
		return false
	}
	up, ok := c.made[rows.Name].Op.(*ir.Update)
	if !ok || !ir.IsRef(up.Value, v.start) {
		return false
	}
	for d, it := range v.last {
		other := up.Items[d]
		if it.Fixed != other.Fixed {
			return false
		}
		equal := func(x, y ir.Exp) bool {
			p := sym.Of(x).Subst(func(name string) (sym.Poly, bool) { return sym.Poly{}, name == op.Var })
			return p.Equal(sym.Of(y))
		}
		if it.Fixed && !equal(it.Index, other.Index) ||
			!it.Fixed && !(equal(it.Start, other.Start) && equal(it.Len, other.Len) && (other.Stride == nil || sym.Of(other.Stride).Is(1))) {
			return false
		}
	}
	return true
}

// replace reads the elements of a parameter in a statement from where they are stored.
func (v *storing) replace(op *ir.Loop, s *ir.Stmt) {
	u, h := op.Params[v.u].Elem.Name, op.Params[v.h].Elem.Name
	eachExp(s, func(at *ir.Exp) {
		if !ir.AnyExp(*at, func(e ir.Exp) bool { x, isRead := e.(*ir.Index); return isRead && x.Array == u }) {
			return
		}
		*at = ir.MapExp(*at, func(e ir.Exp) ir.Exp {
			x, isRead := e.(*ir.Index)
			if !isRead || x.Array != u {
				return e
			}
			row := *x
			row.Array, row.Indices = h, nil
			for d, it := range v.last {
				if it.Fixed {
					row.Indices = append(row.Indices, ir.CloneExp(it.Index))
					continue
				}
				i := x.Indices[d-len(v.last)+len(x.Indices)]
				if !sym.Of(it.Start).Is(0) {
					i = &ir.Binary{Op: "+", X: ir.CloneExp(it.Start), Y: i, T: ir.I64}
				}
				row.Indices = append(row.Indices, i)
			}
			return &row
		})
	})
}

// behind returns statements that give the loop's last value its name (4).
func (c *carrier) behind(s *ir.Stmt, op *ir.Loop, v *storing) []*ir.Stmt {
	out := s.Pat[v.u]
	carried, row := *out, *out
	carried.Name, row.Name = c.names.Fresh(out.Name), c.names.Fresh(out.Name)
	s.Pat[v.u] = &carried
	items := slices.Clone(v.last)
	at := &items[v.changes]
	turns := &ir.Builtin{Fn: "max", Args: []ir.Exp{op.Bound, ir.IntLit(0)}, T: ir.I64}
	at.Index = substituted(at.Index, op.Var, sym.Of(turns))
	return []*ir.Stmt{
		{Pat: []*ir.Elem{&row}, Op: &ir.Slice{X: s.Pat[v.h].Name, Items: items}, Span: s.Span},
		{Pat: []*ir.Elem{out}, Op: &ir.Copy{X: row.Name}, Span: s.Span},
	}
}
