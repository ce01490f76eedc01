package fuse

import (
	"slices"
	"strconv"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Reads in place of arrays]
//
// A kernel that reads elements of an array computes them instead, where
//
//   - nothing else uses the array;
//   - what its elements are computed from is not consumed before the reader;
//   - all these reads are proven to lie in the array, and computing an element cannot fail, or the
//     reader computes every one: so a program that fails still does;
//   - an element is computed about as often as before, or costs less than to load it;
//   - what now lives longer takes no more memory than the array did.
//
// An array that only numbers, copies or repeats costs nothing to compute; it may have several
// readers.

const (
	maxCopies = 8  // of a producer's work in its reader
	maxWork   = 48 // of all copies, in additions, if there is more than one
	maxAgain  = 2  // the work for an element that is computed again and again
)

// vertical replaces the arrays of a statement by the work for their elements.
func (r *round) vertical(b *ir.Body, p *producer) {
	s := p.stmt
	if !r.worthwhile(p) {
		return
	}
	readers, why := r.readers(p)
	if why != "" {
		r.no(s, "%s", why)
		return
	}
	for _, c := range readers {
		if why := r.forbids(b, p, c); why != "" {
			r.no(s, "%s", why)
			return
		}
	}
	if len(readers) == 0 || !r.rewrite(s, "`%s` is computed where `%s` reads it", r.made(s), r.made(readers[0])) {
		return
	}
	for _, c := range readers {
		r.insert(p, c)
	}
	r.gone[s] = true
}

// worthwhile reports that it may help to look at a producer: a view only if its source can be computed
// as well, and only if nothing about it can fail.
func (r *round) worthwhile(p *producer) bool {
	var x string
	switch op := p.stmt.Op.(type) {
	case *ir.Slice:
		for k := range op.Items {
			if !r.checks.Item(&op.Items[k]) {
				return false
			}
		}
		x = op.X
	case *ir.Reshape:
		a := r.arrays[op.X]
		if a == nil || a.typ.Rank() != 1 || !r.product(op.Dims).Equal(r.size(a.typ.Shape[0].Exp())) {
			return false
		}
		x = op.X
	case *ir.Rearrange:
		x = op.X
	default:
		return len(p.space) > 0
	}
	a := r.arrays[x]
	return a != nil && a.stmt != nil && !a.stays && producerOf(a.stmt) != nil
}

func (r *round) product(es []ir.Exp) sym.Poly {
	n := sym.Const(1)
	for _, e := range es {
		n = n.Mul(r.size(e))
	}
	return n
}

// made names the arrays of a statement, in messages.
func (r *round) made(s *ir.Stmt) string {
	if len(s.Pat) == 0 {
		return "nothing"
	}
	return s.Pat[0].Name
}

// readers returns the kernels that read a producer's arrays, if they can compute them.
func (r *round) readers(p *producer) (readers []*ir.Stmt, why string) {
	for _, e := range p.stmt.Pat {
		a := r.arrays[e.Name]
		if len(a.whole) > 0 || a.stays {
			if !slices.ContainsFunc(a.readers, func(c *ir.Stmt) bool { return ir.KernelBody(c.Op) != nil }) {
				return nil, "" // nothing to fuse with
			}
			return nil, "[uses] `" + e.Name + "` is used as a whole, so it is stored"
		}
		for _, c := range a.readers {
			if _, kernel := ir.KernelSpace(c.Op); !kernel {
				return nil, "[uses] `" + e.Name + "` is read outside of kernels, so it is stored"
			}
			if !slices.Contains(readers, c) {
				readers = append(readers, c)
			}
		}
	}
	if len(readers) > 1 && p.body != nil {
		return nil, "[uses] `" + p.stmt.Pat[0].Name + "` has several readers, so it is stored"
	}
	return readers, ""
}

// forbids says why a reader cannot compute what it reads, or should not; "" if it can.
func (r *round) forbids(b *ir.Body, p *producer, c *ir.Stmt) string {
	name := p.stmt.Pat[0].Name
	for _, x := range r.reads[p.stmt] {
		if r.consumedBetween(x, b, r.at[p.stmt], r.at[c]) {
			return "[consumed] `" + x + "`, from which `" + name + "` is made, is overwritten before `" + r.made(c) + "` is made"
		}
	}
	read := map[string]bool{}
	for _, e := range p.stmt.Pat {
		read[e.Name] = true
	}
	sites := sitesOf(c, read)
	space, _ := ir.KernelSpace(c.Op)
	all := r.equal(space.Sizes(), p.space) && slices.ContainsFunc(sites, func(s site) bool { return s.own(space) })
	for _, e := range p.stmt.Pat {
		if !p.passesOn() && (r.loose[e.Name] || !r.inBounds(e.Name)) {
			return "[bounds] an index of `" + e.Name + "` is not proven to lie in it"
		}
	}
	if !all && !p.view() && r.mayFail(p.stmt) {
		return "[fails] computing `" + name + "` may fail, and `" + r.made(c) + "` may not read every element"
	}
	if why := r.costs(p, sites); why != "" {
		return why
	}
	return r.keeps(b, p, c, sites, all)
}

// passesOn reports that an index out of bounds of the producer's array is out of bounds of the one
// that it copies.
func (p *producer) passesOn() bool {
	switch p.stmt.Op.(type) {
	case *ir.Copy, *ir.Rearrange:
		return true
	}
	return false
}

// costs says why computing the elements where they are read costs too much.
func (r *round) costs(p *producer, sites []site) string {
	name := p.stmt.Pat[0].Name
	keys := map[string]bool{}
	for k := range sites {
		s := &sites[k]
		if s.behind && p.body != nil && p.expressions() == nil {
			return "[condition] an element of `" + name + "` is read behind a condition, and takes statements to compute"
		}
		if !r.distinct(s, p.space) && p.weight > maxAgain {
			return "[again] elements of `" + name + "` would be computed again and again"
		}
		keys[s.key()] = true
	}
	if n := len(keys); n > 1 && (n > maxCopies || n*p.weight > maxWork) {
		return "[again] elements of `" + name + "` would be computed at " + strconv.Itoa(n) + " places"
	}
	return ""
}

// keeps says why fusing would take more memory: what the elements are computed from lives until they
// are read.
func (r *round) keeps(b *ir.Body, p *producer, c *ir.Stmt, sites []site, all bool) string {
	if p.body == nil {
		return "" // a view keeps its source; a copy is as large
	}
	var longer []*array
	var which string
	for _, x := range r.reads[p.stmt] {
		if r.last(x, b) < r.at[c] {
			longer, which = append(longer, r.arrays[x]), x
		}
	}
	if len(longer) == 0 || len(longer) == 1 && r.within(longer[0].typ, p.stmt.Pat) || r.inPlace(b, p, c, longer, sites, all) {
		return ""
	}
	return "[memory] `" + which + "` would have to live until `" + r.made(c) + "` is made"
}

// within reports that an array is no larger than one of those that a statement makes: it has some of
// its dims, and elements as large.
func (r *round) within(t ir.Type, made []*ir.Elem) bool {
	return slices.ContainsFunc(made, func(e *ir.Elem) bool {
		if t.Prim.Size() > e.Type.Prim.Size() {
			return false
		}
		dims := slices.Clone(e.Type.Shape)
		for _, d := range t.Shape {
			k := slices.IndexFunc(dims, func(o ir.Dim) bool { return r.size(o.Exp()).Equal(r.size(d.Exp())) })
			if k < 0 {
				return false
			}
			dims = slices.Delete(dims, k, k+1)
		}
		return true
	})
}

// inPlace reports that the arrays of the reader can lie where those lie that live longer by fusing:
// every thread reads its own elements of them only, and nothing is made in between.
func (r *round) inPlace(b *ir.Body, p *producer, c *ir.Stmt, longer []*array, sites []site, all bool) bool {
	if !all {
		return false
	}
	space, _ := ir.KernelSpace(c.Op)
	for k := range sites {
		if !sites[k].own(space) {
			return false
		}
	}
	for _, s := range b.Stmts[r.at[p.stmt]+1 : r.at[c]] {
		if _, compute := s.Op.(*ir.Compute); !compute && !r.gone[s] {
			return false
		}
	}
	mine, _ := ir.KernelSpace(p.stmt.Op)
	for _, x := range r.reads[p.stmt] {
		if !slices.Contains(longer, r.arrays[x]) {
			continue
		}
		for _, s := range sitesOf(p.stmt, map[string]bool{x: true}) {
			s.sometimes = false
			if !s.own(mine) {
				return false
			}
		}
	}
	switch c.Op.(type) {
	case *ir.Reduce:
		return true
	case *ir.Map:
		return len(c.Pat) == 1 && c.Pat[0].Type.Rank() == len(space) && c.Pat[0].Type.Prim.Size() == p.stmt.Pat[0].Type.Prim.Size()
	}
	return false
}
