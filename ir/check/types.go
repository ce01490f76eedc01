package check

import (
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A val describes a value before it is bound: its type, with sizes that may still be expressions,
// and its place.
type val struct {
	kind  ir.Kind // NoKind after an error
	prim  ir.Prim
	shape []ir.Exp
	// done tells that the pattern's written type was compared already.
	done bool
	// settled tells that the dims from unsettled on were compared already.
	settled   bool
	unsettled int

	where where
	mem   string   // derived: the block
	fun   lmad.Fun // derived: the index function
	place *ir.Place
	from  string // derived: the array it follows from
}

// where says how the place of a value is determined.
type where uint8

const (
	madeFresh where = iota // the pattern names its place
	derived                // it follows from that of another array
	nowhere                // not known, because of an error before
)

func scalar(p ir.Prim) val { return val{kind: ir.ScalarKind, prim: p} }

func array(p ir.Prim, shape []ir.Exp) val { return val{kind: ir.ArrayKind, prim: p, shape: shape} }

// of returns the value that a binding stands for.
func (c *fn) of(b *binding) val {
	v := val{kind: b.t.Kind, prim: b.t.Prim}
	switch b.t.Kind {
	case ir.ArrayKind:
		v.shape = ir.DimExps(b.t.Shape)
		c.at(&v, b)
	case ir.MemKind:
		v.mem = b.name
	}
	return v
}

// at gives v the place of b.
func (c *fn) at(v *val, b *binding) {
	if !c.explicit {
		return
	}
	v.where = nowhere
	if f, ok := c.fun(b); ok {
		v.where, v.mem, v.fun, v.from = derived, b.t.Place.Mem, f, b.name
		if !existential(b.t.Place) { // here it only refers to the names that it binds there
			v.place = b.t.Place
		}
	}
}

// fun returns the index function of an array of an explicit function.
func (c *fn) fun(b *binding) (lmad.Fun, bool) {
	if b.funOK == funUnknown {
		b.funOK = funBad
		if b.t.Place != nil {
			if f, ok := c.placedAt(*b.t); ok {
				b.fun, b.funOK = f, funKnown
			}
		}
	}
	return b.fun, b.funOK == funKnown
}

// notePlaced records the index function of a place with a chain. An empty chain is row-major for
// every shape.
func (c *fn) notePlaced(p *ir.Place, f lmad.Fun) {
	if p != nil && len(p.Ix) > 0 {
		c.placed[p] = f
	}
}

// placedAt returns the index function of a type's place.
func (c *fn) placedAt(t ir.Type) (lmad.Fun, bool) {
	f, known := c.placed[t.Place]
	if !known {
		var err error
		if f, err = lmad.OfPlace(t.Place, t.Shape); err != nil {
			return f, false
		}
		c.notePlaced(t.Place, f)
	}
	return f, true
}

func (c *fn) sameFun(f, g lmad.Fun) bool {
	return c.never || f.Equal(g) || f.Map(c.normal).Equal(g.Map(c.normal))
}

// spells reports whether a place that is written, with the values of names in it, is the index
// function that follows from a value.
func (c *fn) spells(written lmad.Fun, values func(string) (sym.Poly, bool), follows lmad.Fun) bool {
	if _, ok := written.Single(); ok {
		return c.sameFun(written.Subst(values), follows)
	}
	here := func(p sym.Poly) sym.Poly { return c.normal(p.Subst(values)) }
	return c.never || written.Spells(follows, here, c.normal)
}

// root returns the block that a block's name stands for.
func (c *fn) root(mem string) string {
	if b := c.names[mem]; b != nil && b.root != "" {
		return b.root
	}
	return mem
}

// text returns an expression for a message.
func (c *checker) text(e ir.Exp) string {
	if s := e.Span(); s.Known() && c.p.File != nil && s.End <= len(c.p.File.Text) {
		return clip(strings.Join(strings.Fields(c.p.File.Text[s.Start:s.End]), " "))
	}
	return clip(sym.Of(e).String())
}

// text returns an expression for a message. A size that memc named is shown as its definition.
func (c *fn) text(e ir.Exp) string {
	if r, ok := e.(*ir.Ref); ok && c.made[r.Name] != nil {
		e = c.made[r.Name]
	}
	return c.checker.text(e)
}

// short returns a type for a message, without its place.
func short(t ir.Type) string {
	var b strings.Builder
	switch t.Kind {
	case ir.MemKind:
		return "mem"
	case ir.NoKind:
		return "unknown"
	}
	if t.Unique {
		b.WriteByte('*')
	}
	for _, d := range t.Shape {
		b.WriteString("[" + d.String() + "]")
	}
	return b.String() + t.Prim.String()
}

// shortVal returns the type of a value for a message.
func (c *fn) shortVal(v val) string {
	switch v.kind {
	case ir.MemKind:
		return "mem"
	case ir.NoKind:
		return "unknown"
	}
	s := ""
	for _, e := range v.shape {
		s += "[" + c.text(e) + "]"
	}
	return s + closed(v.prim).String()
}

// typ checks that a written type is well-formed: dims are sizes in scope, and the place fits.
// exist: the place may bind names, and these are bound already.
func (c *fn) typ(t *ir.Type, at diag.Span, exist bool) bool {
	if t.Space != "" {
		c.diags.Limitf(at, "memory spaces are reserved: `mem@%s` is not supported yet", t.Space)
	}
	ok := true
	for _, d := range t.Shape {
		if d.Name == "" {
			continue
		}
		b := c.lookup(d.Name, at)
		if b == nil {
			ok = false
		} else if b.t.Kind != ir.ScalarKind || b.t.Prim != ir.I64 {
			c.errorf(diag.WrongType, at, "the dim `%s` is not a scalar of type i64, but %s", d.Name, short(*b.t)).
				With(b.span, "it is bound here")
			ok = false
		}
	}
	if t.Place != nil && t.Kind == ir.ArrayKind {
		return c.placeOf(t, at, exist) && ok
	}
	return ok
}

// A phrase names something in a message, such as "the next value for `xs`". It is written only
// where there is a message.
type phrase struct {
	what string
	name string // behind it, if any
}

func (p phrase) String() string {
	if p.name == "" {
		return p.what
	}
	return p.what + " `" + p.name + "`"
}

// conform compares a value with the written type of the name that receives it: kind, element type
// and rank. The caller compares sizes and places.
func (c *fn) conform(v val, t *ir.Type, what phrase, at diag.Span) bool {
	switch {
	case v.kind == ir.NoKind || t.Kind == ir.NoKind:
		return false
	case v.kind != t.Kind,
		v.kind == ir.ArrayKind && len(v.shape) != t.Rank(),
		v.kind != ir.MemKind && v.prim != t.Prim && v.prim != ir.Unknown:
		d := c.errorf(diag.WrongType, at, "%s has type %s, but %s is needed", what, c.shortVal(v), short(*t))
		if v.kind == ir.ScalarKind && t.Kind == ir.ScalarKind && t.Prim != ir.Bool {
			d.Hinted("convert it with %s(...)", t.Prim)
		}
		return false
	}
	return true
}
