package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Rows that share reads]
//
// In a stencil neighbouring rows read the same elements:
//
//	if y > 0 && y < h - 1 then x[y - 1, j] + x[y, j] + x[y + 1, j] else 0
//
// A work-item with several rows (Note [Rows of points]) reads such an element once if no branch and no
// end of the space lies between its rows. So there are two versions, of which it runs the first one if
// its first row and its last one meet all conditions; then the rows in between do, too:
//
//	if first + 8 <= rows && first > 0 && first + 7 < h - 1 {
//	  e0 = x[first - 1, j]; e1 = x[first, j]; e2 = x[first + 1, j]; y[first, j] = e0 + e1 + e2
//	  e3 = x[first + 2, j]; y[first + 1, j] = e1 + e2 + e3; ..
//	} else for row < 8 { .. }
//
// Two reads are of one element if their offsets are equal polynomials. In a space of more than two
// dimensions the rows must have the same outer indices: then the number of a row, which is divided to find
// them, has one quotient. Each condition is a comparison of a row's index with what is the same for all rows,
// or the same for all rows itself, or several of these joined by &&.
//
// A step of the stencil of seven points took 77 us for 16.8 million points, and 58 with the first version (one
// H200). A loop has one if that saves reads of elements that depend on the row.

// rowsTogether gives the loops of a function's complete kernels their first version.
func (f *fn) rowsTogether(kernels []*Kernel) {
	for _, k := range kernels {
		k.Body = f.rowsIn(k, k.Body)
	}
}

func (f *fn) rowsIn(k *Kernel, list []Stmt) []Stmt {
	var out []Stmt
	for _, s := range list {
		for _, in := range lists(s) {
			*in = f.rowsIn(k, *in)
		}
		loop, ok := s.(*For)
		if ok && loop.Each > 1 && !loop.InPlace && known(loop.Step) == 1 && (known(loop.Bound) < 0 || int64(known(loop.Bound)) >= loop.Each) {
			s = f.together(k, loop)
		}
		out = append(out, s)
	}
	return out
}

// A rowReader writes out the rows of a loop.
type rowReader struct {
	f        *fn
	k        *Kernel
	loop     *For
	assigned map[string]bool // by the loop
	values   map[string]sym.Poly
	names    map[string]string // of other scalars of a row
	defs     map[string]ir.Exp // conditions
	counts   []sym.Poly        // the row's number, and its indices
	begin    []Stmt            // what all rows share
	conds    []ir.Exp          // what must hold for the first version
	rows     []Stmt            // that version
	read     map[string]string // the scalars that have elements
	shared   int               // reads of elements that depend on the row, and that it has already
	ok       bool
}

// together returns a loop with a first version; the loop itself if that would share no reads.
func (f *fn) together(k *Kernel, loop *For) Stmt {
	first := f.temp("first")
	row := func(n int64) sym.Poly { return sym.Var(first).Add(sym.Const(n)) }
	r := &rowReader{f: f, k: k, loop: loop, assigned: map[string]bool{}, read: map[string]string{}, ok: true}
	assignments(loop.Body, func(name string) { r.assigned[name] = true })
	r.start(row(0))
	r.conditions(loop.Body, first)
	for n := int64(0); n < loop.Each && r.ok; n++ {
		r.start(row(n))
		r.list(loop.Body, first)
	}
	if !r.ok || r.shared == 0 {
		return loop
	}
	k.Vars = append(k.Vars, Var{first, ir.I64})
	inside := not(less(loop.Bound, index(row(loop.Each).Exp())))
	conds := append([]ir.Exp{equalTo(loop.Turns, i64(loop.Each)), inside}, r.conds...)
	begin := append([]Stmt{&Set{Dst: first, E: loop.First}}, r.begin...)
	both := &If{Cond: and(conds...), Then: needed(r.rows), Else: []Stmt{loop}}
	return &If{Cond: several, Then: append(begin, both), Else: cloned([]Stmt{loop})}
}

// start begins a row with that number.
func (r *rowReader) start(row sym.Poly) {
	r.values, r.names, r.defs = map[string]sym.Poly{r.loop.Var: row}, map[string]string{}, map[string]ir.Exp{}
}

// conditions finds what must hold if all rows are to take the same way.
func (r *rowReader) conditions(list []Stmt, first string) {
	r.counts = append(r.counts, sym.Var(first))
	for _, s := range list {
		switch s := s.(type) {
		case *Set:
			_, again := r.values[s.Dst]
			r.ok = r.ok && !again && r.defs[s.Dst] == nil
			if q, ok := s.E.(*ir.Builtin); ok && q.Fn == QuotientFn {
				r.quotient(s.Dst, q, first)
			} else if !r.value(s) && s.E.Prim() == ir.Bool {
				r.defs[s.Dst] = s.E
			}
		case *If:
			r.always(s.Cond, first)
			r.conditions(s.Then, first)
		case *Load, *Store:
		default:
			r.ok = false
		}
	}
}

// quotient computes a quotient that all rows must share.
func (r *rowReader) quotient(dst string, q *ir.Builtin, first string) {
	of, by := r.poly(q.Args[0]), r.poly(q.Args[1])
	r.ok = r.ok && r.settled(of) && r.settled(by)
	r.begin = append(r.begin, &Set{Dst: dst, E: &ir.Builtin{Fn: QuotientFn, Args: []ir.Exp{index(of.Exp()), by.Exp(), q.Args[2]}, T: ir.I64}})
	r.assigned[dst] = false
	r.values[dst] = sym.Var(dst)
	if of.Has(first) {
		rest := of.Sub(by.Mul(sym.Var(dst)))
		r.counts = append(r.counts, rest)
		r.ok = r.ok && slope(of, first).Is(1)
		r.conds = append(r.conds, less(index(rest.Add(sym.Const(r.loop.Each-1)).Exp()), by.Exp()))
	}
}

// settled reports whether a value follows from what is known before the rows.
func (r *rowReader) settled(p sym.Poly) bool {
	return !slices.ContainsFunc(p.Names(), func(name string) bool { return r.assigned[name] })
}

// always adds the conditions under which one holds for all rows.
func (r *rowReader) always(cond ir.Exp, first string) {
	switch e := cond.(type) {
	case *ir.Ref:
		if def := r.defs[e.Name]; def != nil {
			r.always(def, first)
			return
		}
	case *ir.Binary:
		if e.Op == "&&" {
			r.always(e.X, first)
			r.always(e.Y, first)
			return
		}
		if e.X.Prim() == ir.I64 && ir.Compares(e.Op) && e.Op != "!=" {
			r.compare(e, first)
			return
		}
	}
	r.ok = false
}

// compare adds the conditions under which a comparison holds for all rows.
func (r *rowReader) compare(e *ir.Binary, first string) {
	var sides [2][2]ir.Exp // of the first row and of the last one
	vary := 0
	for k, x := range []ir.Exp{e.X, e.Y} {
		p := r.poly(x)
		r.ok = r.ok && r.settled(p)
		sides[k] = [2]ir.Exp{p.Exp(), p.Exp()}
		if p.Has(first) {
			vary++
			r.ok = r.ok && slices.ContainsFunc(r.counts, func(c sym.Poly) bool { n, ok := p.Sub(c).IsConst(); return ok && n>>31 == n>>63 })
			sides[k] = [2]ir.Exp{index(p.Exp()), index(p.Add(sym.Const(r.loop.Each - 1)).Exp())}
		}
	}
	r.ok = r.ok && vary < 2
	for end := range 1 + vary {
		r.conds = append(r.conds, &ir.Binary{Op: e.Op, X: sides[0][end], Y: sides[1][end], T: ir.Bool})
	}
}

// poly is the value of an i64 in a row.
func (r *rowReader) poly(e ir.Exp) sym.Poly {
	return indexPoly(e).Subst(func(name string) (sym.Poly, bool) {
		if own := r.names[name]; own != "" {
			return sym.Var(own), true
		}
		p, ok := r.values[name]
		return p, ok
	})
}

// value notes the value of a scalar; false if it is no sum of products.
func (r *rowReader) value(s *Set) bool {
	if s.E.Prim() != ir.I64 || !polynomial(indexPoly(s.E).Exp()) {
		return false
	}
	r.values[s.Dst] = r.poly(s.E)
	delete(r.names, s.Dst)
	return true
}

// exp is an expression in a row.
func (r *rowReader) exp(e ir.Exp) ir.Exp {
	return ir.MapExp(e, func(e ir.Exp) ir.Exp {
		ref, ok := e.(*ir.Ref)
		if !ok {
			return e
		}
		if p, ok := r.values[ref.Name]; ok {
			return p.Exp()
		}
		if name := r.names[ref.Name]; name != "" {
			return &ir.Ref{Name: name, T: ref.T}
		}
		return e
	})
}

// own is the scalar of a row in place of a scalar of the loop.
func (r *rowReader) own(name string, t ir.Prim) string {
	r.names[name] = r.f.temp(name)
	delete(r.values, name)
	r.k.Vars = append(r.k.Vars, Var{r.names[name], t})
	return r.names[name]
}

// list writes out a row, which takes all branches.
func (r *rowReader) list(list []Stmt, first string) {
	for _, s := range list {
		switch s := s.(type) {
		case *Set:
			if q, ok := s.E.(*ir.Builtin); ok && q.Fn == QuotientFn {
				r.values[s.Dst] = sym.Var(s.Dst)
			} else if !r.value(s) {
				e := r.exp(s.E)
				r.rows = append(r.rows, &Set{Dst: r.own(s.Dst, e.Prim()), E: e})
			}
		case *Load:
			r.load(s, first)
		case *Store:
			r.rows = append(r.rows, &Store{Mem: s.Mem, Prim: s.Prim, Off: r.poly(s.Off).Exp(), Val: r.exp(s.Val)})
		case *If:
			r.list(s.Then, first)
		}
	}
}

// load reads an element that no row has read yet.
func (r *rowReader) load(s *Load, first string) {
	off := r.poly(s.Off)
	at := off.Exp()
	key := s.Mem + " " + s.Prim.String() + " " + ir.ExpString(at)
	if has := r.read[key]; has != "" {
		r.names[s.Dst] = has
		delete(r.values, s.Dst)
		if off.Has(first) {
			r.shared++
		}
		return
	}
	to := r.own(s.Dst, s.Prim)
	r.read[key] = to
	r.rows = append(r.rows, &Load{Dst: to, Prim: s.Prim, Mem: s.Mem, Off: at})
}
