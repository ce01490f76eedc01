package fuse

import (
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// A site is a read of an element of a producer's arrays in the body of a kernel.
type site struct {
	// at are its indices as polynomials over the variables of the kernel and of the loops around,
	// and whatever else is not computed from these.
	at []sym.Poly
	// vars are the variables of the kernel and of the loops around. The read is made once for each
	// of their values, or less often.
	vars []ir.Bound
	// sometimes: the read stands in a loop, a branch, or behind a condition of its expression.
	sometimes bool
	// behind: behind a condition of its expression.
	behind bool
}

// A finder collects the sites of a kernel.
type finder struct {
	arrays map[string]bool
	defs   map[string]sym.Poly
	sites  []site
}

// sitesOf returns the reads of some arrays in the body of a kernel.
func sitesOf(c *ir.Stmt, arrays map[string]bool) []site {
	f := &finder{arrays: arrays, defs: map[string]sym.Poly{}}
	space, _ := ir.KernelSpace(c.Op)
	f.body(ir.KernelBody(c.Op), space, false)
	return f.sites
}

func (f *finder) poly(e ir.Exp) sym.Poly {
	return sym.Of(e).Subst(func(n string) (sym.Poly, bool) {
		p, ok := f.defs[n]
		return p, ok
	})
}

func (f *finder) body(b *ir.Body, vars []ir.Bound, sometimes bool) {
	for _, s := range b.Stmts {
		ir.Exps(s.Op, func(e ir.Exp) { f.exp(e, vars, sometimes, false) })
		if c, ok := s.Op.(*ir.Compute); ok && c.E.Prim() == ir.I64 && nodes(c.E) <= maxNodes {
			if p := f.poly(c.E); p.Len() <= maxNodes {
				f.defs[s.Pat[0].Name] = p
			}
		}
		around := vars
		if l, ok := s.Op.(*ir.Loop); ok {
			around = append(slices.Clone(vars), ir.Bound{Var: l.Var, Size: l.Bound}) // no index depends on "", of a while loop
		}
		if space, ok := ir.KernelSpace(s.Op); ok {
			around = append(slices.Clone(around), space...)
		}
		for _, in := range ir.Bodies(s.Op) {
			f.body(in, around, true)
		}
	}
	for _, e := range b.Result {
		f.exp(e, vars, sometimes, false)
	}
}

func (f *finder) exp(e ir.Exp, vars []ir.Bound, sometimes, behind bool) {
	if x, ok := e.(*ir.Index); ok && f.arrays[x.Array] {
		s := site{vars: vars, sometimes: sometimes || behind, behind: behind}
		for _, i := range x.Indices {
			s.at = append(s.at, f.poly(i))
		}
		f.sites = append(f.sites, s)
	}
	ir.Evaluated(e, func(x, cond ir.Exp, _ bool) { f.exp(x, vars, sometimes, behind || cond != nil) })
}

// key is the same for sites that read the same element.
func (s *site) key() string {
	var b strings.Builder
	for _, p := range s.at {
		b.WriteString(p.String())
		b.WriteByte(',')
	}
	return b.String()
}

// distinct reports that the site reads, for all values of its variables, about as many elements as
// there are of the array: each variable alone chooses an index, so that max(i - 1, 0) counts for i.
func (r *round) distinct(s *site, space []ir.Exp) bool {
	for _, v := range s.vars {
		chooses := false
		for k, p := range s.at {
			chooses = chooses || s.alone(p, v.Var) && (linear(p, v.Var) || v.Size != nil && r.size(v.Size).Equal(r.size(space[k])))
		}
		if !chooses {
			return false
		}
	}
	return true
}

// alone reports that an index depends on v and on no other variable.
func (s *site) alone(p sym.Poly, v string) bool {
	return p.Has(v) && !slices.ContainsFunc(s.vars, func(w ir.Bound) bool { return w.Var != v && p.Has(w.Var) })
}

// linear reports that v occurs in a polynomial as a term of its own.
func linear(p sym.Poly, v string) bool {
	found := false
	p.Terms(func(_ int64, fs []sym.Factor) {
		found = found || len(fs) == 1 && fs[0].Opaque == nil && fs[0].Key == v && fs[0].Pow == 1
	})
	return found
}

// own reports that the site reads, always, the element of its kernel's own point.
func (s *site) own(space ir.Space) bool {
	if s.sometimes || len(s.at) != len(space) {
		return false
	}
	for k, b := range space {
		if v, ok := s.at[k].IsVar(); !ok || v != b.Var {
			return false
		}
	}
	return true
}

// tiles reports that no element is read at two of the sites or by two points of their kernel: the sites of a
// point read a tile, as those of 2 * i and 2 * i + 1 do.
func tiles(sites []site) bool {
	var strides []int64
	var vars []string
	for n := range sites {
		for k, p := range sites[n].at {
			at := ""
			var stride, start int64
			fits := true
			p.Terms(func(coef int64, fs []sym.Factor) {
				switch {
				case len(fs) == 0:
					start = coef
				case len(fs) == 1 && at == "" && fs[0].Opaque == nil && fs[0].Pow == 1:
					at, stride = fs[0].Key, coef
				default:
					fits = false
				}
			})
			if !fits || start < 0 || start >= stride || n == 0 && slices.Contains(vars, at) {
				return false
			}
			if n == 0 {
				strides, vars = append(strides, stride), append(vars, at)
			} else if strides[k] != stride || vars[k] != at {
				return false
			}
		}
	}
	return !slices.ContainsFunc(sites, func(s site) bool {
		return len(s.vars) != len(vars) || slices.ContainsFunc(s.vars, func(b ir.Bound) bool { return !slices.Contains(vars, b.Var) })
	})
}
