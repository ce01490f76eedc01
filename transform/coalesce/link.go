package coalesce

import (
	"slices"

	"github.com/memc-lang/memc/analysis/places"
	"github.com/memc-lang/memc/internal/base/rules"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// An edge leads from an array to another one whose place follows from the first one's.
type edge struct {
	to string
	// follow maps an index function of the first array to one of `to`; ok is false if there is
	// none. Its lengths may have other names than those of to's type.
	follow func(lmad.Fun) (f lmad.Fun, ok bool)
	// checks: the statement of the view to which the edge leads compares the lengths, so they need
	// not be known before.
	checks bool
	// part: `to` was put in a part of the array. It moves along, and no edge leads back.
	part bool
}

func (s *state) edge(from string, e edge) {
	x := s.of(from)
	x.edges = append(x.edges, e)
}

// link adds the edges of a statement. It records which of its results are made there or cannot
// move.
func (s *state) link(st *ir.Stmt) {
	switch op := st.Op.(type) { // exhaustive
	case *ir.Compute, *ir.Assert, *ir.Alloc, *ir.Copy, *ir.Concat, *ir.Scratch, *ir.Range, *ir.Replicate, *ir.ArrayLit,
		*ir.Map, *ir.Reduce, *ir.Scan, *ir.Put:
	case *ir.Alias:
		s.both(op.X, st.Pat[0])
	case *ir.Update:
		s.both(op.X, st.Pat[0])
	case *ir.Reshape:
		if !s.sameSize(op.X, st.Pat[0].Name) || rules.Off("coalesce.reshape") {
			none := func(f lmad.Fun) (lmad.Fun, bool) { return f, false }
			s.view(op.X, st.Pat[0].Name, none, none)
			return
		}
		s.view(op.X, st.Pat[0].Name, s.reshaping(st.Pat[0].Type), s.reshaping(s.lv.Def(op.X).Elem.Type))
	case *ir.Rearrange:
		back := make([]int, len(op.Perm))
		for k, p := range op.Perm {
			back[p] = k
		}
		s.view(op.X, st.Pat[0].Name, permuting(op.Perm), permuting(back))
	case *ir.Slice:
		s.view(op.X, st.Pat[0].Name,
			func(f lmad.Fun) (lmad.Fun, bool) { return f.Slice(op.Items), true }, s.unslice(op))
	case *ir.If:
		for k, e := range st.Pat {
			s.bothExp(op.Then.Result[k], e)
			s.bothExp(op.Else.Result[k], e)
		}
	case *ir.Loop:
		for k, p := range op.Params {
			s.both(p.Elem.Name, st.Pat[k])
			s.bothExp(p.Init, p.Elem)
			s.bothExp(op.Body.Result[k], p.Elem)
		}
	case *ir.Call:
		s.call(st, op)
	case *ir.Scatter, *ir.Hist, *ir.Into:
		for k, x := range ir.Dests(op) {
			s.both(x, st.Pat[k])
		}
	}
}

// both adds edges between two arrays in one place; it does nothing for names of other kinds.
func (s *state) both(x string, e *ir.Elem) {
	if e.Type.Kind != ir.ArrayKind {
		return
	}
	here := func(f lmad.Fun) (lmad.Fun, bool) { return f, true }
	s.union(x, e.Name)
	s.edge(x, edge{to: e.Name, follow: here})
	s.edge(e.Name, edge{to: x, follow: here})
}

// bothExp does so for an operand.
func (s *state) bothExp(x ir.Exp, e *ir.Elem) {
	if r, ok := x.(*ir.Ref); ok {
		s.both(r.Name, e)
	}
}

// call records which arguments and results of a call cannot move.
func (s *state) call(st *ir.Stmt, op *ir.Call) {
	for k, p := range s.al.Callee(op.Fn).Func.Params {
		r, ok := op.Args[k].(*ir.Ref)
		if !ok || !s.array(r.Name) {
			continue
		}
		if s.related(op.Fn, p) {
			s.of(r.Name).fixed = refuse("call", "`%s` and others lie in the blocks that the places of `%s` name", r.Name, op.Fn)
		}
		for _, e := range st.Pat {
			if e.Type.Kind == ir.ArrayKind && s.al.MayShare(r.Name, e.Name) {
				s.of(r.Name).fixed = refuse("call", "`%s` may be returned by `%s` as `%s`", r.Name, op.Fn, e.Name)
			}
		}
	}
	for _, e := range st.Pat {
		if e.Type.Kind == ir.ArrayKind {
			s.of(e.Name).fixed = refuse("C2", "`%s` is made by a call of `%s`", e.Name, op.Fn)
		}
	}
}

// related reports whether the places in a function's header name the block of a parameter more than
// once: then its argument cannot leave that block alone.
func (s *state) related(fn string, param *ir.Elem) bool {
	f, p := s.al.Callee(fn).Func, param.Type.Place
	if p == nil || !p.Exist {
		return p != nil
	}
	named := func(q *ir.Place) bool { return q != nil && !q.Exist && q.Mem == p.Mem }
	return slices.ContainsFunc(f.Params, func(e *ir.Elem) bool { return named(e.Type.Place) }) ||
		slices.ContainsFunc(f.Results, func(r ir.Result) bool { return named(r.Type.Place) })
}

func (s *state) view(x, y string, forward, back func(lmad.Fun) (lmad.Fun, bool)) {
	s.union(x, y)
	s.edge(x, edge{to: y, follow: forward, checks: true})
	s.edge(y, edge{to: x, follow: back})
}

// reshaping returns the index function of an array of type t whose elements are, row-major, those of
// another one. It has one part, or is none. Sizes are compared by name first, and then by
// definition: in nt * 64 elements, nt rows of 64 are known only if the 64 is.
func (s *state) reshaping(t ir.Type) func(lmad.Fun) (lmad.Fun, bool) {
	sizes := lmad.Sizes(t.Shape)
	return func(f lmad.Fun) (lmad.Fun, bool) {
		g := f.Reshape(sizes)
		if _, one := g.Single(); one {
			return g, true
		}
		closed := make([]sym.Poly, len(sizes))
		for i, d := range sizes {
			closed[i] = s.closed.Of(d)
		}
		g = f.Map(s.closed.Of).Reshape(closed)
		_, one := g.Single()
		return g, one
	}
}

// sameSize reports whether an array and its reshaped view are known, when the array is made, to
// have equally many elements. If only the check at the reshape ensured that, an array made for the
// view's place could be written beyond it before the check fails.
func (s *state) sameSize(x, view string) bool {
	size := func(name string) sym.Poly {
		n := sym.Const(1)
		for _, d := range lmad.Sizes(s.lv.Def(name).Elem.Type.Shape) {
			n = n.Mul(d)
		}
		return n
	}
	a, b := size(x), size(view)
	if a.Equal(b) {
		return true
	}
	if d := s.lv.Def(x); d.Fresh() && s.ac.Facts(d.Point).SameValue(a, b) {
		return true
	}
	return s.defined.Of(a).Equal(s.defined.Of(b))
}

func permuting(perm []int) func(lmad.Fun) (lmad.Fun, bool) {
	return func(f lmad.Fun) (lmad.Fun, bool) { return f.Permute(perm), true }
}

// unslice returns the index function of a slice's source, given that of the slice. There is one
// only if the slice is all of its source, from either end.
func (s *state) unslice(op *ir.Slice) func(lmad.Fun) (lmad.Fun, bool) {
	return func(f lmad.Fun) (lmad.Fun, bool) {
		if rules.Off("coalesce.unslice") {
			return f, false
		}
		shape := s.place(op.X).Shape()
		back := make([]ir.Item, len(op.Items))
		for k, it := range op.Items {
			if it.Fixed || !sym.Of(it.Len).Equal(shape[k]) {
				return f, false
			}
			start, step := sym.Of(it.Start), places.Stride(it)
			forward := start.Is(0) && step.Is(1)
			backward := start.Equal(shape[k].Sub(sym.Const(1))) && step.Is(-1)
			if !forward && !backward {
				return f, false
			}
			back[k] = it // either is its own inverse
		}
		return f.Slice(back), true
	}
}

// spread makes all arrays fixed that are linked with a fixed one.
func (s *state) spread() {
	for _, n := range s.al.Names() {
		if x := s.of(n); x.fixed.refused() {
			if root := x.root(); !root.fixed.refused() {
				root.fixed = x.fixed
			}
		}
	}
}
