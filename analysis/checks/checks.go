// Package checks finds the checks of indices, slices, divisors and sizes that never fail.
//
//	map (y < h) { let up = img[max(y - 1, 0)] ... }     -- 0 <= max(y - 1, 0) < h
//	reduce (i < h * w) { let v = img[i / w, i % w] ... } -- w /= 0, as 0 <= i < h * w
//
// Purpose. A program that is not compiled with --unsafe tests every index, slice, divisor and size.
// A test costs a comparison, and in a kernel it keeps loads from being issued before it. Most tests
// are unnecessary by the facts at their place: bounds of index variables, min and max, the
// conditions around, earlier definitions.
//
// Algorithm. One walk over the scalar expressions of statements and of bodies' results. The facts
// are those of analysis/accesses where the expression is evaluated, with the conditions within the
// expression; Always asks without these. analysis/places finds the proofs.
//
// Invariants. The table holds an expression only if its node occurs once in the program. So a proof
// about the place of an expression holds wherever its node is lowered. No fact follows from a check
// of the same statement.
//
// The package reads programs and changes nothing. It imports ir and other analyses.
package checks

import (
	"github.com/memc-lang/memc/analysis/accesses"
	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A Table knows which checks never fail. It proves those of an index or a divisor when it is asked.
type Table struct {
	indices  map[*ir.Index]reads
	divisors map[ir.Exp]places.Facts // of operations that may divide by 0
	items    map[*ir.Item]bool       // of slices and updates
	sizes    map[*ir.Stmt]bool       // statements of a group whose sizes are proven
}

// reads holds the facts at a read of an element of an array of that shape, and its indices, where a
// quotient stands for its name.
type reads struct {
	shape   []ir.Dim
	known   places.Facts
	always  places.Facts // without the conditions of the expression around
	indices []ir.Exp
}

// Sizes reports that the sizes which a statement of a group checks are not negative, and that their
// product, the bytes of an array, is at most ir.MaxBytes.
func (t *Table) Sizes(s *ir.Stmt) bool { return t.sizes[s] }

// Item reports whether an item of a slice or an update is within its dimension.
func (t *Table) Item(it *ir.Item) bool { return t.items[it] }

// Index reports whether an index of an element that is read is within its dimension.
func (t *Table) Index(e *ir.Index, dim int) bool {
	at, ok := t.indices[e]
	return ok && at.known.Within(at.indices[dim], lmad.Size(at.shape[dim]))
}

// Always reports whether an element could be read even if the conditions of the expression around do
// not hold.
func (t *Table) Always(e *ir.Index) bool {
	at, ok := t.indices[e]
	for d := range at.indices {
		ok = ok && at.always.Within(at.indices[d], lmad.Size(at.shape[d]))
	}
	return ok
}

// Divisor reports whether the divisor of an operation is not 0.
func (t *Table) Divisor(e ir.Exp) bool {
	known, ok := t.divisors[e]
	return ok && known.NotZero(sym.Of(divisorOf(e)))
}

// divisorOf returns the second operand of a division, or nil.
func divisorOf(e ir.Exp) ir.Exp {
	switch e := e.(type) {
	case *ir.Binary:
		if e.Op == "/" || e.Op == "%" {
			return e.Y
		}
	case *ir.Builtin:
		if e.Fn == "fdiv" || e.Fn == "fmod" {
			return e.Args[1]
		}
	}
	return nil
}

// Of returns the table of an elaborated program, with memory or without. It asks for the accesses of functions that
// make checks.
func Of(p *ir.Program, access *accesses.OnDemand) *Table {
	t := &Table{map[*ir.Index]reads{}, map[ir.Exp]places.Facts{}, map[*ir.Item]bool{}, map[*ir.Stmt]bool{}}
	seen := map[ir.Exp]int{} // of those that make checks
	var checked []*ir.Func
	for _, f := range p.Funcs {
		found := ir.AnyStmt(f.Body, selects)
		eachExp(f, func(e ir.Exp) {
			ir.WalkExp(e, func(e ir.Exp) bool {
				if makesCheck(e) {
					seen[e]++
					found = true
				}
				return true
			})
		})
		if found {
			checked = append(checked, f)
		}
	}
	for _, f := range checked {
		w := &walker{t: t, seen: seen, facts: access.Table(f), quotients: map[string]ir.Exp{}}
		w.body(f.Body)
	}
	return t
}

// selects reports whether a statement itself makes checks, or those in it do: of items, or of sizes in a group.
func selects(s *ir.Stmt) bool {
	switch s.Op.(type) {
	case *ir.Slice, *ir.Update:
		return true
	}
	return ir.IsGroups(s.Op)
}

// eachExp visits every expression of a function, those of places included.
func eachExp(f *ir.Func, visit func(ir.Exp)) {
	elem := func(e *ir.Elem) {
		if e.Type.Place != nil {
			ir.PlaceExps(e.Type.Place, visit)
		}
	}
	for _, e := range f.Params {
		elem(e)
	}
	for _, r := range f.Results {
		if r.Type.Place != nil {
			ir.PlaceExps(r.Type.Place, visit)
		}
	}
	ir.ElemsIn(f.Body, elem)
	ir.EachExpIn(f.Body, func(e *ir.Exp) { visit(*e) })
}

type walker struct {
	t     *Table
	seen  map[ir.Exp]int
	facts *accesses.Table
	// quotients are the definitions of names as quotients. Names are unique in a function.
	quotients map[string]ir.Exp
	group     bool // in the body of a group, outside of its inner kernels
}

func (w *walker) body(b *ir.Body) {
	for _, s := range b.Stmts {
		known := w.facts.Facts(w.facts.Stmt(s).From)
		ir.Exps(s.Op, func(e ir.Exp) { w.exp(e, known, known) })
		switch op := s.Op.(type) {
		case *ir.Slice:
			w.items(op.X, op.Items, known)
		case *ir.Update:
			w.items(op.X, op.Items, known)
		case *ir.Compute:
			if q, ok := op.E.(*ir.Binary); ok && q.Op == "/" {
				w.quotients[s.Pat[0].Name] = q
			}
		}
		outer := w.group
		if outer {
			w.examine(s, known)
		}
		kernel := ir.IsKernel(s.Op)
		w.group = outer && !kernel || ir.IsGroups(s.Op)
		for _, in := range ir.Bodies(s.Op) {
			w.body(in)
		}
		w.group = outer
	}
	known := w.facts.Facts(w.facts.Body(b).To)
	for _, e := range b.Result {
		w.exp(e, known, known)
	}
}

// examine looks at the sizes that a statement checks: the bounds of a kernel, sizes asserted, the dims
// of an array that it makes or reshapes. In a group, all work-items make these checks; elsewhere
// they cost less.
func (w *walker) examine(s *ir.Stmt, known places.Facts) {
	if rules.Off("checks.examine") {
		return
	}
	var sizes []ir.Exp
	if space, ok := ir.KernelSpace(s.Op); ok {
		sizes = space.Sizes()
	}
	if op, ok := s.Op.(*ir.Assert); ok {
		sizes, _ = op.Sized()
	}
	bounds := make([]sym.Poly, len(sizes))
	for d, n := range sizes {
		bounds[d] = sym.Of(n)
	}
	proven := modest(known, bounds, 1)
	for _, e := range s.Pat {
		if e.Type.Kind == ir.ArrayKind {
			proven = proven && modest(known, lmad.Sizes(e.Type.Shape), e.Type.Prim.Size())
		}
	}
	w.t.sizes[s] = proven
}

// modest reports whether no size is negative, and their product is at most ir.MaxBytes, where sizes
// of 0 count as 1. It proves that each size is below some power of two.
func modest(known places.Facts, sizes []sym.Poly, bytes int64) bool {
	for _, n := range sizes {
		if !known.AtLeast(n, 0) {
			return false
		}
		c, ok := n.IsConst()
		for _, limit := range []int64{1 << 12, 1 << 20, 1 << 32} {
			if !ok && known.Less(n, sym.Const(limit)) {
				c, ok = limit, true
			}
		}
		if c = max(c, 1); !ok || bytes > ir.MaxBytes/c {
			return false
		}
		bytes *= c
	}
	return true
}

// exp examines the checks of an expression, each with the conditions under which it is made. always
// are the facts without these.
func (w *walker) exp(e ir.Exp, known, always places.Facts) {
	ir.Evaluated(e, func(x, cond ir.Exp, holds bool) {
		if cond == nil {
			w.exp(x, known, always)
		} else {
			w.under(cond, holds, x, known, always)
		}
	})
	if index, ok := e.(*ir.Index); ok {
		w.index(index, known, always)
	}
	w.divisor(e, known)
}

// under examines an expression that is evaluated if a condition has the value holds.
func (w *walker) under(cond ir.Exp, holds bool, e ir.Exp, known, always places.Facts) {
	if !ir.AnyExp(e, makesCheck) {
		return
	}
	if rules.Off("checks.under") {
		w.exp(e, known, always)
		return
	}
	if cond = w.facts.Expand(cond); holds {
		known = known.FromCondition(cond)
	} else {
		known = known.FromNegation(cond)
	}
	w.exp(e, known, always)
}

// makesCheck tells whether an expression itself is checked.
func makesCheck(e ir.Exp) bool {
	_, index := e.(*ir.Index)
	return index || divisorOf(e) != nil
}

// items looks at the items of a slice or an update.
func (w *walker) items(x string, items []ir.Item, known places.Facts) {
	array := w.facts.Type(x)
	if array == nil || len(array.Shape) != len(items) {
		for d := range items {
			w.item(&items[d], false)
		}
		return
	}
	for d := range items {
		it := items[d]
		it.Index = w.quotient(it.Index)
		w.item(&items[d], known.Selects(it, lmad.Size(array.Shape[d])))
	}
}

// item records the result for an item. Its check never fails only if that is proven at every occurrence.
func (w *walker) item(it *ir.Item, never bool) {
	before, twice := w.t.items[it]
	w.t.items[it] = never && (before || !twice)
}

func (w *walker) index(e *ir.Index, known, always places.Facts) {
	array := w.facts.Type(e.Array)
	if w.seen[e] == 1 && array != nil && len(array.Shape) == len(e.Indices) {
		at := reads{array.Shape, known, always, make([]ir.Exp, len(e.Indices))}
		for d, i := range e.Indices {
			at.indices[d] = w.quotient(i)
		}
		w.t.indices[e] = at
	}
}

// quotient returns the definition of a name that is a quotient, and other expressions as they are.
func (w *walker) quotient(e ir.Exp) ir.Exp {
	if r, ok := e.(*ir.Ref); ok && w.quotients[r.Name] != nil {
		return w.quotients[r.Name]
	}
	return e
}

func (w *walker) divisor(e ir.Exp, known places.Facts) {
	y := divisorOf(e)
	if y == nil || w.seen[e] != 1 || y.Prim() != ir.I64 {
		return
	}
	if _, lit := y.(*ir.Lit); !lit {
		w.t.divisors[e] = known
	}
}
