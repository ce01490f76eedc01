package index

import (
	"math"
	"slices"

	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Names and their definitions]
//
// To compare sizes, or to write a size at an earlier point, memc replaces names by their
// definitions. All analyses and passes do this here. The caller decides which names may be
// replaced: as a rule, those whose definition cannot fail and reads no memory (Def.Total); for a
// block's size, which is computed without wrapping, those whose definition cannot wrap
// (analysis/peak); for a place, those that are not visible at a point (Earlier).

const (
	maxTerms = 64 // of a definition; a name with a longer one stays
	maxNodes = 64 // of a definition written out: of names that are each used twice, it doubles with every name
	maxDepth = 64 // of names defined by names
)

// An Expansion replaces names by their definitions, and keeps the results.
type Expansion struct {
	// If, if it is set, decides for a name whether it is replaced. def is its definition, to the
	// expanded one.
	If func(name string, def, to sym.Poly) bool
	// After, if it is set, has expanded the polynomials already, and definitions are expanded by it
	// first.
	After *Expansion

	x     *Function
	may   func(name string, d *Def) bool
	found map[string]replacement
}

// A replacement is the polynomial that replaces a name, or says that the name stays.
type replacement struct {
	by  sym.Poly
	yes bool
}

// Expansion returns one that replaces the i64 scalars that may be.
func (x *Function) Expansion(may func(name string, d *Def) bool) *Expansion {
	return &Expansion{x: x, may: may, found: map[string]replacement{}}
}

// Closed returns an expansion to names that are not computed from others, or whose definitions may
// fail or read memory.
func (x *Function) Closed() *Expansion {
	return x.Expansion(func(_ string, d *Def) bool { return d.Total() })
}

// Defined returns an expansion to names that no expression defines.
func (x *Function) Defined() *Expansion {
	return x.Expansion(func(string, *Def) bool { return true })
}

// Of returns a polynomial over names that are not replaced.
func (e *Expansion) Of(p sym.Poly) sym.Poly { return e.of(p, maxDepth) }

func (e *Expansion) of(p sym.Poly, depth int) sym.Poly {
	return p.Subst(func(name string) (sym.Poly, bool) { return e.name(name, depth) })
}

func (e *Expansion) name(name string, depth int) (sym.Poly, bool) {
	d := e.x.Def(name)
	if !d.Integer() {
		return sym.Poly{}, false
	}
	r, known := e.found[name]
	if !known {
		if e.may(name, d) && depth > 0 {
			def := d.value()
			first := def
			if e.After != nil {
				first = e.After.Of(def)
			}
			if q := e.of(first, depth-1); q.Len() <= maxTerms && q.Size() <= maxNodes && (e.If == nil || e.If(name, def, q)) {
				to, single := q.IsVar()
				r = replacement{q, !single || to != name}
			}
		}
		e.found[name] = r
	}
	return r.by, r.yes
}

// Earlier rewrites a polynomial to names that are visible at a point. If it needs a name that is
// not visible, it returns that name as missing.
func (x *Function) Earlier(p sym.Poly, point int) (out sym.Poly, missing string) {
	if n, ok := p.IsVar(); ok && x.Visible(n, point) {
		return p, ""
	}
	hidden := func(n string) bool { return !x.Visible(n, point) }
	if !slices.ContainsFunc(p.Names(), hidden) {
		return p, ""
	}
	out = x.Expansion(func(n string, d *Def) bool { return hidden(n) && d.Total() }).Of(p)
	for _, n := range out.Names() {
		if hidden(n) {
			return p, n
		}
	}
	return out, ""
}

// EarlierFun is Earlier for an index function.
func (x *Function) EarlierFun(f lmad.Fun, point int) (out lmad.Fun, missing string) {
	names := map[string]sym.Poly{}
	for _, n := range f.Names() {
		if x.Visible(n, point) {
			continue
		}
		if names[n], missing = x.Earlier(sym.Var(n), point); missing != "" {
			return f, missing
		}
	}
	if len(names) == 0 {
		return f, ""
	}
	return f.Subst(func(n string) (sym.Poly, bool) { p, ok := names[n]; return p, ok }), ""
}

// KnownAll returns the first point at which all names of a polynomial have their values on the
// host, or math.MaxInt.
func (x *Function) KnownAll(p sym.Poly) int {
	at := 0
	for _, n := range p.Names() {
		if at = max(at, x.Known(n)); at == math.MaxInt {
			break
		}
	}
	return at
}
