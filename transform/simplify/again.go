package simplify

import (
	"strconv"

	"github.com/memc-lang/memc/ir"
)

// again replaces the results of a statement that is computed already, and a copy of an array that
// nothing distinguishes from it. It returns false if the statement stays.
func (w *walker) again(s *ir.Stmt) bool {
	if c, ok := s.Op.(*ir.Copy); ok && w.copied(s, c) {
		return true
	}
	key, view, ok := opKey(s.Op)
	if !ok {
		return false
	}
	for _, e := range s.Pat { // the types are part of what is the same
		k := &keyer{}
		k.elem(e)
		key += k.String()
	}
	return w.known(s, key, view)
}

// known replaces the results of s by those of an earlier statement with that key, or records them.
func (w *walker) known(s *ir.Stmt, key string, view bool) bool {
	first := make([]string, len(s.Pat))
	for k, e := range s.Pat {
		at := key + "#" + strconv.Itoa(k)
		x, found := w.made.names[at]
		if !found {
			w.made.add(at, e.Name)
		}
		first[k] = x
	}
	if len(first) == 0 || first[0] == "" {
		return false
	}
	for k, e := range s.Pat {
		if e.Type.Kind == ir.ArrayKind && !view && !w.interchangeable(e.Name, first[k], s) {
			return false
		}
	}
	if !w.ask(s, "`%s` is computed already, as `%s`", s.Pat[0].Name, first[0]) {
		return false
	}
	for k, e := range s.Pat {
		if e.Type.Kind == ir.ArrayKind {
			w.rename(e.Name, first[k])
			continue
		}
		w.by[e.Name] = &ir.Ref{Name: first[k], T: e.Type.Prim}
	}
	return true
}

// interchangeable reports whether x, which s makes, can be the older y with the same elements:
// neither is consumed, and y lives on anyway. A function that is no entry keeps a result that it
// makes itself.
func (w *walker) interchangeable(x, y string, s *ir.Stmt) bool {
	c := w.classes
	switch {
	case c.isConsumed(x) || c.isConsumed(y):
		w.context.Remark(s.Span, "[consumed] `%s` has the elements of `%s`, but one of them is overwritten", x, y)
		return false
	case !w.f.Entry && c.returned[c.root(x)]:
		w.context.Remark(s.Span, "[result] `%s` has the elements of `%s`, but `%s` returns it", x, y, w.f.Name)
		return false
	case c.starts[x] && c.starts[y]: // the next values may lie over them: over one array, only one could
		w.context.Remark(s.Span, "[memory] `%s` has the elements of `%s`, but a loop begins with each", x, y)
		return false
	case isFill(s.Op) && c.moved[x] && c.moved[y]: // Note [Fills]
		w.context.Remark(s.Span, "[memory] `%s` has the elements of `%s`, but each is moved to a place of its own", x, y)
		return false
	case !c.usedAfter(y, s):
		w.context.Remark(s.Span, "[memory] `%s` has the elements of `%s`, which is not needed any more", x, y)
		return false
	}
	return true
}

// copied replaces a copy by its source, if nothing distinguishes them.
func (w *walker) copied(s *ir.Stmt, op *ir.Copy) bool {
	c, x := w.classes, s.Pat[0].Name
	switch {
	case !w.sameType(s.Pat[0], op.X):
		w.context.Remark(s.Span, "[size] `%s` stays a copy: it compares its sizes with those of `%s`", x, op.X)
	case c.isConsumed(x) || c.isConsumed(op.X):
		w.context.Remark(s.Span, "[consumed] `%s` stays a copy: it or `%s` is overwritten", x, op.X)
	case !w.f.Entry && c.returned[c.root(x)]:
		w.context.Remark(s.Span, "[result] `%s` stays a copy: `%s` returns it", x, w.f.Name)
	case w.viewed[op.X]:
		w.context.Remark(s.Span, "[layout] `%s` stays a copy: the elements of `%s` may not lie side by side", x, op.X)
	case w.ask(s, "`%s` need not be a copy of `%s`: neither is overwritten", x, op.X):
		w.rename(x, op.X)
		return true
	}
	return false
}
