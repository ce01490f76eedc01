package check

import (
	"fmt"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// pattern binds the names of the current statement to values. It adds omitted types, and compares
// written ones. exist: places may bind names.
func (c *fn) pattern(vals []val, exist bool) {
	s := c.stmt
	if len(vals) != len(s.Pat) {
		c.errorf(diag.ValueCount, s.Span, "the pattern binds %s, but the right-hand side gives %s", count(len(s.Pat), "name"), count(len(vals), "value"))
		vals = make([]val, len(s.Pat))
	}
	given := make([]bool, len(s.Pat))
	for i, e := range s.Pat {
		if given[i] = e.Type.Kind != ir.NoKind; !given[i] {
			c.infer(e, vals[i])
		}
	}
	own := len(c.order) // names from here on are the statement's own
	for _, e := range s.Pat {
		b := c.bindElem(e)
		if e.Type.Kind == ir.MemKind {
			b.root = e.Name
		}
		c.bindExist(&e.Type, e.Span)
		c.onScalars(e)
	}
	for i, e := range s.Pat {
		c.inherit(e, vals[i])
		if given[i] {
			c.compare(e, vals[i], exist)
			c.madeBefore(e, own)
		}
	}
}

// inherit records facts that a name has from its value: which block it is another name of, and its
// index function.
func (c *fn) inherit(e *ir.Elem, v val) {
	b := c.names[e.Name]
	switch {
	case e.Type.Kind == ir.MemKind && v.mem != "":
		b.root = c.root(v.mem)
	case v.where == derived && e.Type.Place != nil && e.Type.Place == v.place:
		b.fun, b.funOK = v.fun, funKnown
	}
}

// infer fills in a type that was left out.
func (c *fn) infer(e *ir.Elem, v val) {
	if v.kind == ir.NoKind {
		return
	}
	if !c.elab {
		c.bugf(e.Span, "`%s` has no type recorded", e.Name)
		return
	}
	switch v.kind {
	case ir.ScalarKind:
		if v.prim != ir.Unknown {
			e.Type, e.Written = ir.Scalar(closed(v.prim)), c.kept[e.Name]
		}
	case ir.MemKind:
		e.Type = ir.Mem
	case ir.ArrayKind:
		if c.explicit && v.where != derived {
			if v.where == madeFresh {
				c.needsPlace(e, c.shortVal(v))
			}
			return
		}
		t := ir.Type{Kind: ir.ArrayKind, Prim: closed(v.prim), Shape: make([]ir.Dim, len(v.shape))}
		for k, x := range v.shape {
			if x == nil || open(t.Prim) || t.Prim == ir.Unknown {
				return
			}
			t.Shape[k] = c.dim(x)
		}
		if c.explicit {
			t.Place = v.derivedPlace()
		}
		e.Type, e.Written = t, c.kept[e.Name]
	}
}

func (c *fn) needsPlace(e *ir.Elem, t string) {
	c.errorf(diag.NeedsPlace, e.Span, "the array `%s` needs its type with a place", e.Name).
		Hinted("%s: %s @ m, with a block m from `alloc`; a result of `if`, `loop` or a call may bind its block: @ ?m", e.Name, t)
}

// completePlace adds to a written type without a place the place that follows from v. If none
// follows, it reports an error.
func (c *fn) completePlace(e *ir.Elem, v val) {
	if !c.explicit || e.Type.Kind != ir.ArrayKind || e.Type.Place != nil || v.where == nowhere {
		return
	}
	switch {
	case !c.elab:
		c.bugf(e.Span, "`%s` has no place recorded", e.Name)
	case v.where == derived:
		e.Type.Place = v.derivedPlace()
	default:
		c.needsPlace(e, short(e.Type))
	}
}

// derivedPlace returns the place of a delayed or updated array in the user's form.
func (v *val) derivedPlace() *ir.Place {
	if v.place == nil {
		v.place = &ir.Place{Mem: v.mem}
		if !v.fun.IsRowMajor() {
			v.place.Ix = v.fun.Chain()
		}
	}
	return v.place
}

// called names an array in a message. An array that a pass has made stands nowhere in the user's text, so it is named by
// its source.
func (c *fn) called(e *ir.Elem) string {
	if !e.Span.Known() && c.stmt != nil {
		switch op := c.stmt.Op.(type) {
		case *ir.Slice:
			return "the slice of `" + op.X + "`"
		case *ir.Copy:
			return "the copy of `" + op.X + "`"
		}
	}
	return "`" + e.Name + "`"
}

// compare checks a written type against the value.
func (c *fn) compare(e *ir.Elem, v val, exist bool) {
	t := &e.Type
	if v.where == derived && t.Kind == ir.ArrayKind && t.Place == nil && c.explicit && !v.done {
		c.completePlace(e, v)
		c.inherit(e, v)
	}
	ok := c.typ(t, e.Span, exist)
	if v.done || v.kind == ir.NoKind || !c.conform(v, t, phrase{what: "the right-hand side"}, e.Span) || !ok {
		return
	}
	for k, x := range v.shape {
		if v.settled && k >= v.unsettled {
			break
		}
		c.agree(t.Shape[k].Exp(), x, e.Span, c.here(), "dimension %d of %s", k, c.called(e))
	}
	if t.Kind != ir.ArrayKind || !c.explicit {
		return
	}
	switch {
	case v.where == derived:
		c.compareDerived(e, v)
	case t.Place == nil && v.where == madeFresh:
		c.errorf(diag.NeedsPlace, e.Span, "the array `%s` is made here and needs a place", e.Name).
			Hinted("%s: %s @ m, with a block m from `alloc`", e.Name, short(*t))
	case v.where == madeFresh:
		c.ownPart(e)
	}
}

// madeBefore checks that the type of a fresh array uses no name that the statement itself binds: the
// array is written before the name has its value. own is the order of the first of these names.
func (c *fn) madeBefore(e *ir.Elem, own int) {
	if !ir.Fresh(c.stmt.Op) {
		return
	}
	ir.TypeNames(e.Type, func(n string) {
		if b := c.names[n]; b != nil && b.order >= own {
			c.errorf(diag.PlacedTooEarly, e.Span, "the array `%s` is made before the value of `%s` is known", e.Name, n).
				Hinted("use a name that is bound before this statement")
		}
	})
}

// compareDerived checks that a delayed or updated array has the place that follows from its source.
func (c *fn) compareDerived(e *ir.Elem, v val) {
	p := e.Type.Place
	if p == v.place {
		return
	}
	f, ok := c.placedAt(e.Type)
	if !ok {
		return
	}
	from := diag.Span{}
	if b := c.names[v.from]; b != nil {
		from = b.span
	}
	switch {
	case c.root(p.Mem) != c.root(v.mem):
		c.errorf(diag.OtherPlace, p.Span.Or(e.Span), "`%s` lies in the block of `%s`, which is `%s` and not `%s`", e.Name, v.from, v.mem, p.Mem).
			With(from, "`%s` is bound here", v.from).
			Hinted("leave the place out, or `copy` the array into `%s`", p.Mem)
	case !c.spells(f, renaming{}.poly, v.fun):
		c.errorf(diag.OtherPlace, p.Span.Or(e.Span), "the place of `%s` follows from that of `%s`: it is %s, not %s", e.Name, v.from, showFun(v.fun), showFun(f)).
			With(from, "`%s` is bound here", v.from).
			Hinted("leave the place out, or `copy` the array")
	}
}

// ownPart checks that an array made in a kernel body has a part of its own in each thread: its
// index function mentions every index name, or a name computed in the body. It uses only
// definitions, not conditions: in a branch where t == k, the index t is known to be k, but only one
// thread is there. If the body binds the block, the block belongs to the thread, or only the run
// can tell which block it is.
func (c *fn) ownPart(e *ir.Elem) {
	for k := c.kernel; k != nil; k = k.outer {
		if !c.ownPartIn(k, e) {
			return
		}
	}
}

// ownPartIn checks that for one of the kernels around. It returns false if the kernels further out
// need no check.
func (c *fn) ownPartIn(kernel *kernel, e *ir.Elem) bool {
	if m := c.names[c.root(e.Type.Place.Mem)]; m != nil && m.order >= kernel.first {
		return false
	}
	b := c.names[e.Name]
	f, ok := c.fun(b)
	if !ok {
		return false
	}
	for _, x := range kernel.space {
		if n, ok := c.norm(x.Size).IsConst(); ok && n <= 0 {
			return false // no thread
		}
	}
	for _, n := range f.Shape() {
		if n, ok := c.normal(n).IsConst(); ok && n <= 0 {
			return false // no element
		}
	}
	mentioned := map[string]bool{}
	for _, n := range f.Subst(c.definition).Names() {
		if d := c.names[n]; d != nil && d.order >= kernel.first && !kernel.counts(n) && !c.counts(n) {
			return true // only the run can tell its value
		}
		mentioned[n] = true
	}
	for _, x := range kernel.space {
		if n, ok := c.norm(x.Size).IsConst(); ok && n <= 1 || mentioned[x.Var] {
			continue
		}
		if _, known := c.value(x.Var); known {
			continue // in a branch that only the threads of this index take
		}
		c.errorf(diag.SamePlace, e.Span, "all threads would make `%s` in the same place: its index function does not mention `%s`", e.Name, x.Var).
			Hinted("give each thread its own part, for example @ m -> Direct(n, ..) -> Slice(%s, (0, ..))", x.Var)
		return false
	}
	return true
}

// counts reports whether a name is an index of one of the kernels around.
func (c *fn) counts(name string) bool {
	for k := c.kernel; k != nil; k = k.outer {
		if k.counts(name) {
			return true
		}
	}
	return false
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
