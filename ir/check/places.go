package check

import (
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// existential reports whether a place binds anything.
func existential(p *ir.Place) bool { return p != nil && (p.Exist || len(ir.ExistScalars(p)) > 0) }

// bindExist binds the block and the scalars of an existential place.
func (c *fn) bindExist(t *ir.Type, at diag.Span) {
	if t.Kind != ir.ArrayKind || t.Place == nil {
		return
	}
	if t.Place.Exist {
		c.bind(t.Place.Mem, &ir.Type{Kind: ir.MemKind}, t.Place.Span.Or(at))
	}
	ir.PlaceExps(t.Place, func(e ir.Exp) {
		if x, ok := e.(*ir.Exist); ok {
			s := ir.Scalar(ir.I64)
			c.bind(x.Name, &s, x.At.Or(at))
		}
	})
}

// placeOf checks a place on its own: its block is in scope, its expressions are i64 and read no
// array, and its index function has the array's shape.
func (c *fn) placeOf(t *ir.Type, at diag.Span, exist bool) bool {
	p := t.Place
	at = p.Span.Or(at)
	ok := true
	if p.Exist {
		if !exist {
			c.errorf(diag.BindsNoBlock, at, "`?%s` can bind a block only in the place of a parameter, or of a result of `if`, `loop` or a call", p.Mem)
			return false
		}
	} else if b := c.lookup(p.Mem, at); b == nil {
		ok = false
	} else if b.t.Kind != ir.MemKind {
		c.errorf(diag.NotABlock, at, "`%s` is %s, but a place needs a memory block", p.Mem, kindName(b.t.Kind)).With(b.span, "it is bound here")
		ok = false
	}
	if len(p.Ix) == 0 {
		return ok
	}
	existOK, noReads := c.existOK, c.noReads
	c.existOK, c.noReads = exist, true
	ir.PlaceExps(p, func(e ir.Exp) {
		if c.exp(e, ir.I64, "a size or offset in a place") == ir.Unknown {
			ok = false
		}
	})
	c.existOK, c.noReads = existOK, noReads
	if !ok {
		return false
	}
	f, err := lmad.OfPlace(p, t.Shape)
	if err != nil {
		c.errorf(diag.IndexFunShape, at, "%s", err)
		return false
	}
	c.notePlaced(p, f)
	for k, n := range f.Shape() {
		if d := t.Shape[k].Exp(); !c.samePoly(n, d) {
			c.errorf(diag.IndexFunShape, at, "the index function has size %s in dimension %d, but the array has size %s", n, k, t.Shape[k]).
				Hinted("memc must be able to prove that the two are equal; an `assert` before can help")
			return false
		}
	}
	return true
}

// anticipate types the expressions in written places of names that are bound only later but
// compared with values before. This is necessary because a literal without a type is another atom
// than the typed one. Errors in the places are reported when the names are bound.
func (c *fn) anticipate(elems []*ir.Elem) {
	if !c.elab || !c.explicit {
		return
	}
	m, existOK, noReads, shadowed := c.mark(), c.existOK, c.noReads, c.shadowed
	c.existOK, c.noReads = true, true
	var placed []*ir.Elem
	for _, e := range elems {
		if e.Type.Kind == ir.NoKind || c.names[e.Name] != nil {
			continue
		}
		c.bindElem(e)
		if p := e.Type.Place; p != nil && len(p.Ix) > 0 {
			placed = append(placed, e)
		}
	}
	for _, e := range placed {
		ir.PlaceExps(e.Type.Place, func(x ir.Exp) {
			if ex, ok := x.(*ir.Exist); !ok {
				c.exp(x, ir.I64, "a size or offset in a place")
			} else if c.names[ex.Name] == nil {
				s := ir.Scalar(ir.I64)
				c.bind(ex.Name, &s, ex.At)
			}
		})
	}
	c.undo(m)
	c.existOK, c.noReads, c.shadowed = existOK, noReads, shadowed
}

func (c *fn) samePoly(p sym.Poly, e ir.Exp) bool {
	if r, ok := e.(*ir.Ref); ok {
		if v, isVar := p.IsVar(); isVar && v == r.Name {
			return true
		}
	}
	return c.never || c.normal(p).Equal(c.norm(e))
}

// A Solution gives the value of a name that an existential place binds.
type Solution struct {
	Name string
	// Mem is set if the name is a block; it names the source's block. Otherwise Exp is the value,
	// over names in scope at the source.
	Mem string
	Exp ir.Exp
}

// Solve matches the existential place of a pattern element, parameter or result against the type of
// an array that becomes it. It returns the values of the names that the place binds, in the order
// of the text. ok is false if the index functions do not match; a verified program has no such
// places.
func Solve(pat, src ir.Type) (s []Solution, ok bool) {
	if pat.Place == nil || src.Place == nil {
		return nil, pat.Place == nil
	}
	f, err := lmad.OfPlace(pat.Place, pat.Shape)
	if err != nil {
		return nil, false
	}
	if pat.Place.Exist {
		s = append(s, Solution{Name: pat.Place.Mem, Mem: src.Place.Mem})
	}
	names := ir.ExistScalars(pat.Place)
	if len(names) == 0 {
		return s, true
	}
	sub, ok := unify(f, lmad.OfType(src), names)
	if !ok {
		return nil, false
	}
	for _, n := range names {
		s = append(s, Solution{Name: n, Exp: sub[n].Exp()})
	}
	return s, true
}

// unify solves f = g for names that stand alone as offset or stride of f. Both must be one LMAD of
// the same rank. It does not compare other parts of f and g.
func unify(f, g lmad.Fun, names []string) (map[string]sym.Poly, bool) {
	a, ok := f.Single()
	b, ok2 := g.Single()
	if !ok || !ok2 || len(a.Dims) != len(b.Dims) {
		return nil, false
	}
	sub := map[string]sym.Poly{}
	wanted := map[string]bool{}
	for _, n := range names {
		wanted[n] = true
	}
	solve := func(x, y sym.Poly) {
		if n, ok := x.IsVar(); ok && wanted[n] {
			if _, done := sub[n]; !done {
				sub[n] = y
			}
		}
	}
	solve(a.Offset, b.Offset)
	for k := range a.Dims {
		solve(a.Dims[k].Stride, b.Dims[k].Stride)
	}
	return sub, len(sub) == len(wanted)
}

// A renaming maps the names of a type to their values where an array is handed over: pattern names
// to a branch's values, a callee's sizes to the caller's. Types mention no arrays.
type renaming struct {
	scalars map[string]ir.Exp
	blocks  map[string]string
}

func newRenaming() *renaming {
	return &renaming{scalars: map[string]ir.Exp{}, blocks: map[string]string{}}
}

func (r *renaming) size(d ir.Dim) ir.Exp {
	if e, ok := r.scalars[d.Name]; ok && d.Name != "" {
		return e
	}
	return d.Exp()
}

func (r *renaming) block(name string) string {
	if m, ok := r.blocks[name]; ok {
		return m
	}
	return name
}

// poly substitutes in index functions.
func (r renaming) poly(name string) (sym.Poly, bool) {
	if e, ok := r.scalars[name]; ok {
		return sym.Of(e), true
	}
	return sym.Poly{}, false
}

// fits checks that v lies in the place of type t under the renaming. It adds names that t binds to
// the renaming. what describes v: "the result of the first branch".
func (c *fn) fits(v val, t *ir.Type, r *renaming, what phrase, at diag.Span) {
	if !c.explicit || t.Kind != ir.ArrayKind || t.Place == nil || v.where == nowhere {
		return
	}
	f, err := lmad.OfPlace(t.Place, t.Shape)
	if err != nil || len(v.shape) != t.Rank() {
		return // reported when the type is checked
	}
	want := t.Place.Mem
	if t.Place.Exist {
		r.blocks[want] = v.mem
	} else if got := r.block(want); c.root(got) != c.root(v.mem) {
		c.errorf(diag.OtherPlace, at, "%s lies in block `%s`, but its place must be in `%s`", what, v.mem, got).
			With(t.Place.Span, "this place").
			Hinted("let the place bind the block (@ ?%s), or copy the array into `%s`", fresher(want), got)
		return
	}
	names := ir.ExistScalars(t.Place)
	if len(names) > 0 {
		sub, ok := unify(f, v.fun, names)
		if !ok {
			c.errorf(diag.OtherPlace, at, "the index function of %s does not have the form of the place: %s", what, showFun(v.fun)).
				With(t.Place.Span, "the place that binds its offset and strides").
				Hinted("copy the array first: both places must be one LMAD, in which each `?name` is alone")
			return
		}
		for n, p := range sub {
			r.scalars[n] = p.Exp()
		}
	}
	if !c.spells(f, r.poly, v.fun) {
		g := f.Subst(r.poly)
		c.errorf(diag.OtherPlace, at, "%s lies at %s, but its place must be %s", what, showFun(v.fun), showFun(g)).
			With(t.Place.Span, "this place").
			Hinted("copy the array to that place first, or let the place bind offset and strides: LMAD(?off; (n : ?s))")
		return
	}
}

func fresher(name string) string { return strings.TrimSuffix(name, "'") + "'" }

// showFun returns an index function as it could be written.
func showFun(f lmad.Fun) string { return ir.ChainString(f.Chain()) }
