package accesses

import (
	"slices"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/index"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Order]
// ~~~~~~~~~~~~
// Two arrays may lie in one place if no write to the one comes before an access to the same byte of
// the other. This is the only model of that order. Package interference and transform/coalesce use
// it, and the lowering preserves the order (codegen/imp, Note [Copies at once]). A write may come
// before an access
//
//   - in an earlier iteration of a loop around both, or in another thread of a kernel around both,
//     since threads are not in step (Apart);
//   - in one iteration of all loops around both, and one thread: at an earlier point, or at the
//     same point (Precedes). A statement first evaluates its scalars, with the elements in them.
//     Then it reads whole operands while it writes. The end of a map's body does so, too, result by
//     result;
//   - anywhere, if one of the two is a result of a kernel that works in stages, and the other is in
//     that kernel.
//
// In each of these cases, the write and the access must have no byte in common.

// Around returns the bodies around two points, outermost first. exclusive: the points are in
// different branches of one if, so no run through the innermost body reaches both. unordered: one
// point is in the operator of the other's kernel.
func (t *Table) Around(p, q int) (bodies []*Scope, exclusive, unordered bool) {
	a, b := t.chain(p), t.chain(q)
	k := 0
	for k < len(a) && k < len(b) && a[k] == b[k] {
		k++
	}
	if k < len(a) && k < len(b) && a[k].Stmt == b[k].Stmt {
		_, exclusive = a[k].Stmt.Op.(*ir.If)
		unordered = !exclusive
		exclusive = exclusive && !rules.Off("accesses.exclusive")
	}
	return a[:k], exclusive, unordered
}

func (t *Table) chain(p int) []*Scope {
	var out []*Scope
	for s := t.Scope(p); s != nil; s = s.Outer {
		out = append(out, s)
	}
	slices.Reverse(out)
	return out
}

// Precedes reports whether in one iteration of all loops around both, and in one thread, an access
// comes before a write, whatever bytes they touch. It also reports true if only one of the two
// happens.
func (t *Table) Precedes(a, w *Access) bool {
	_, exclusive, unordered := t.Around(a.Point, w.Point)
	if unordered || t.staged(a, w) || t.staged(w, a) {
		return false
	}
	return exclusive || a.Point < w.Point || a.Point == w.Point && !a.Write && t.readFirst(a, w)
}

// staged reports whether a kernel that contains b makes a in stages.
func (t *Table) staged(a, b *Access) bool {
	if !a.Staged {
		return false
	}
	span := t.Stmt(a.Stmt)
	return span.From <= b.Point && b.Point <= span.To
}

// readFirst compares a read and a write of one statement, or of the end of one thread's body. It
// reports whether the read comes first.
func (t *Table) readFirst(a, w *Access) bool {
	if rules.Off("accesses.readFirst") {
		return false
	}
	if a.Items != nil {
		return true
	}
	op, isMap := w.Stmt.Op.(*ir.Map)
	i := slices.IndexFunc(w.Stmt.Pat, func(e *ir.Elem) bool { return e.Name == w.Array })
	return isMap && i >= 0 && !slices.ContainsFunc(op.Body.Result[i:], func(e ir.Exp) bool {
		r, ok := e.(*ir.Ref)
		return ok && r.Name == a.Array
	})
}

// Apart reports whether an access and a write have no byte in common if the write comes in an
// earlier iteration of a loop around both, or in another thread of a kernel around both. here and
// written are their index functions.
func (t *Table) Apart(a, w *Access, here, written lmad.Fun, sc *Scope) bool {
	if once(sc) || sc.Kernel && t.bytes(a) == t.bytes(w) && t.ownElement(here, written, sc) {
		return true
	}
	names, outer := t.differing(w, sc), t.Facts(t.Stmt(sc.Stmt).From)
	if sc.Kernel {
		var indices []string
		for _, x := range sc.Binders {
			indices = append(indices, x.Name)
		}
		return a.Known().Beside(w.Known(), outer, names).Disjoint(here, written, t.bytes(a), t.bytes(w), indices)
	}
	runs := a.Known().Beside(w.Known(), outer, names) // each with the facts of its own run
	f := runs.Facts
	for _, x := range sc.Binders {
		f = f.LessThan(runs.Var(x.Name), sym.Var(x.Name))
	}
	return places.Disjoint(f, here, runs.Fun(written), t.bytes(a), t.bytes(w))
}

// ownElement recognises the most common case, without a proof: both accesses of a thread are to the
// one element at the thread's index plus an offset that is the same for all threads.
func (t *Table) ownElement(here, written lmad.Fun, sc *Scope) bool {
	l, single := here.Single()
	if rules.Off("accesses.ownElement") || len(sc.Binders) != 1 || !single || len(l.Dims) > 0 || !here.Equal(written) {
		return false
	}
	rest := l.Offset.Sub(sym.Var(sc.Binders[0].Name))
	at := t.Stmt(sc.Stmt).From
	return !slices.ContainsFunc(rest.Names(), func(x string) bool { return !t.Visible(x, at) })
}

// once reports whether a kernel has one thread at most, or a loop one iteration.
func once(sc *Scope) bool {
	return len(sc.Binders) > 0 && !rules.Off("accesses.once") && !slices.ContainsFunc(sc.Binders, func(b index.Binder) bool {
		n, ok := b.Bound.IsConst()
		return !ok || n > 1
	})
}

// Whole returns the read of an array at a point.
func (t *Table) Whole(s *ir.Stmt, point int, array string) Access {
	return Access{Stmt: s, Point: point, Array: array, known: t.Facts(point)}
}

func (t *Table) bytes(a *Access) int64 { return int64(t.Type(a.Array).Prim.Size()) }

// differing returns the names that are bound in the bodies around an access, up to a given body. In
// another run of that body they have other values.
func (t *Table) differing(w *Access, sc *Scope) []string {
	var names []string
	for s := t.Scope(w.Point); s != nil; s = s.Outer {
		for _, x := range s.Binders {
			names = append(names, x.Name)
		}
		names = append(names, s.Locals...)
		if s == sc {
			break
		}
	}
	return names
}
