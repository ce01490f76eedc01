package fuse

import (
	"slices"
	"strconv"
	"sync"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Reads in place of arrays]
//
// A kernel that reads elements of an array computes them instead, where
//
//   - kernels alone use the array, and as a rule one;
//   - what its elements are computed from is not consumed before the reader;
//   - all these reads are proven to lie in the array, and computing an element cannot fail, or the
//     reader computes every one: so a program that fails still does;
//   - an element is computed about as often as before, or costs less than to load it;
//   - what now lives longer takes no more memory than the array did.
//
// A reduction of segments is a map of reductions here, for a map of the values: it becomes the epilogue of
// the reduction (Note [Maps of one reduction], codegen/imp). Reductions side by side have joined before.
//
// An array that only numbers, copies or repeats costs nothing to compute; it may have several
// readers. So may an array of which each reader reads a part of its own, such as the part of one gate. So may an array
// that is made from one as large, and its readers may stand in a loop: to compute an element costs what it costs to
// load it.
//
// An array of a group of threads is in their local memory, so that elements which others read are loaded once: it
// stays, unless one kernel reads it, each thread its own element.
//
// Where a condition of an expression decides whether an element is read, there is no room for
// statements. It is computed as one expression, or in every case, if that is the reader's own point.

const (
	maxCopies = 8   // of a producer's work in its reader
	maxWork   = 48  // of all copies, in additions, if there is more than one, and elements are computed again
	maxAgain  = 2   // the work for an element that is computed again and again
	maxCheap  = 24  // the same, where each point of a map computes it at most once
	maxTwice  = 3   // readers that compute a cheap element each
	maxKernel = 512 // the text of a kernel, and the work of a thread that reads in loops
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
	if len(readers) == 0 || !r.sound(p) {
		return
	}
	if r.shared(p, readers) {
		r.no(s, "[again] `%s` is in the memory of a group, whose threads share it", r.made(s))
		return
	}
	always := make([]bool, len(readers))
	outside := sync.OnceValue(func() string { return r.outside(p) })
	for k, c := range readers {
		if always[k], why = r.forbids(b, p, c, outside); why != "" {
			r.no(s, "%s", why)
			return
		}
	}
	if !r.rewrite(s, "`%s` is computed where `%s` reads it", r.made(s), r.made(readers[0])) {
		return
	}
	for k, c := range readers {
		r.insert(p, c, always[k], len(readers) == 1)
	}
	r.handOn(p, readers)
	same := func(c *ir.Stmt) bool {
		space, _ := ir.KernelSpace(c.Op)
		return r.equal(space.Sizes(), p.space) && b.Stmts[r.until(p, c)] == c
	}
	if k := slices.IndexFunc(readers, same); k >= 0 {
		r.finds[readers[k]] = r.finder(s)
	} else if !p.view() {
		r.instead[s] = r.sizes(p)
	}
	r.gone[s] = true
}

// shared reports that threads of a group read elements that others make, or read theirs several times. Views and
// what only counts or repeats take no time to compute.
func (r *round) shared(p *producer, readers []*ir.Stmt) bool {
	if !r.arrays[p.stmt.Pat[0].Name].group || p.body == nil && !isCopy(p) {
		return false
	}
	sites := sitesOf(readers[0], p.names())
	return p.reduces || len(readers) > 1 || slices.ContainsFunc(sites, func(s site) bool { return !r.ownPoint(p, readers[0], &s) })
}

// names are those of a producer's arrays.
func (p *producer) names() map[string]bool {
	names := map[string]bool{}
	for _, e := range p.stmt.Pat {
		names[e.Name] = true
	}
	return names
}

func isCopy(p *producer) bool {
	_, ok := p.stmt.Op.(*ir.Copy)
	return ok
}

// worthwhile reports that it may help to look at a producer: a view only if its source can be computed
// as well.
func (r *round) worthwhile(p *producer) bool {
	var x string
	switch op := p.stmt.Op.(type) {
	case *ir.Slice:
		x = op.X
	case *ir.Reshape:
		a := r.arrays[op.X]
		if a == nil || a.typ.Rank() != 1 || !r.product(op.Dims).Equal(r.size(a.typ.Shape[0].Exp())) {
			return false
		}
		x = op.X
	case *ir.Rearrange:
		x = op.X
	case *ir.Copy: // of a transposed array is a choice of layout
		a := r.arrays[op.X]
		if a == nil || a.stmt == nil {
			return true
		}
		_, transposed := a.stmt.Op.(*ir.Rearrange)
		return !transposed
	default:
		return len(p.space) > 0
	}
	a := r.arrays[x]
	return a != nil && a.stmt != nil && !a.stays && producerOf(a.stmt) != nil
}

// sound reports that a view cannot fail.
func (r *round) sound(p *producer) bool {
	op, slice := p.stmt.Op.(*ir.Slice)
	if !slice {
		return true
	}
	for k := range op.Items {
		if !r.known.checks().Item(&op.Items[k]) {
			return false
		}
	}
	return true
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
	met := map[*ir.Stmt]bool{}
	for _, e := range p.stmt.Pat {
		a := r.arrays[e.Name]
		if len(a.whole) > 0 || a.stays {
			if len(a.kernels) == 0 {
				return nil, "" // nothing to fuse with
			}
			return nil, "[uses] `" + e.Name + "` is used as a whole, so it is stored"
		}
		for _, c := range a.kernels {
			if a.level[c] == nil {
				continue // it was a producer, and is gone
			}
			if !met[c] {
				met[c] = true
				readers = append(readers, c)
			}
			if a.level[c] != c && p.body != nil && (!r.cheap(p) || r.mayFail(p.stmt)) {
				return nil, "[again] `" + e.Name + "` would be computed anew in each turn of a loop"
			}
		}
	}
	if len(readers) > 1 && p.body != nil && (len(readers) > maxTwice || !r.cheap(p)) && !parts(p, readers) {
		return nil, "[uses] `" + p.stmt.Pat[0].Name + "` has several readers, so it is stored"
	}
	return readers, ""
}

// parts reports whether each reader reads a part of its own of a producer's arrays: along one dimension all indices
// are constants, and no two readers have the same one.
func parts(p *producer, readers []*ir.Stmt) bool {
	sites := make([][]site, len(readers))
	for k, c := range readers {
		sites[k] = sitesOf(c, p.names())
	}
	for d := range p.space {
		if ownAlong(sites, d) {
			return true
		}
	}
	return false
}

func ownAlong(sites [][]site, d int) bool {
	owner := map[int64]int{}
	for k, own := range sites {
		for _, s := range own {
			at, constant := s.at[d].IsConst()
			if first, met := owner[at]; !constant || met && first != k {
				return false
			}
			owner[at] = k
		}
	}
	return true
}

// until returns the number of the statement of a producer's body that is, or holds, a reader.
func (r *round) until(p *producer, c *ir.Stmt) int {
	for _, e := range p.stmt.Pat {
		if s := r.arrays[e.Name].level[c]; s != nil {
			return r.at[s]
		}
	}
	return r.at[c]
}

// cheap reports that the elements of an array cost no more to compute than to load: they are made from
// one array as large, and some smaller ones.
func (r *round) cheap(p *producer) bool {
	large := 0
	for _, x := range r.reads[p.stmt] {
		if len(r.arrays[x].whole) > 0 && r.arrays[x].whole[p.stmt] {
			return false
		}
		if r.arrays[x].typ.Rank() >= len(p.space) {
			large++
		}
	}
	return large <= 1 && p.weight <= maxCheap && len(p.stmt.Pat) == 1
}

// length returns that of a kernel's text, about that of the round's beginning and what it took in.
func (r *round) length(c *ir.Stmt) int {
	if _, known := r.lengths[c]; !known {
		r.lengths[c] = lengthOf(ir.KernelBody(c.Op))
	}
	return r.lengths[c]
}

// forbids says why a reader cannot compute what it reads, or should not; "" if it can. Then always
// tells whether it has to compute the element of each of its points, whether it reads that or not. The result of
// outside is that of round.outside, for all readers.
func (r *round) forbids(b *ir.Body, p *producer, c *ir.Stmt, outside func() string) (always bool, why string) {
	name := p.stmt.Pat[0].Name
	for _, x := range r.reads[p.stmt] {
		if r.consumedBetween(x, b, r.at[p.stmt], r.until(p, c)) {
			return false, "[consumed] `" + x + "`, from which `" + name + "` is made, is overwritten before `" + r.made(c) + "` is made"
		}
	}
	sites := sitesOf(c, p.names())
	if p.reduces && !r.epilogue(p, c, sites) {
		return false, "[uses] `" + name + "` is a reduction, and `" + r.made(c) + "` is no map of scalars whose threads each read their own value"
	}
	if why := r.costs(p, c, sites); why != "" {
		return false, why
	}
	if why := r.keeps(b, p, c, sites); why != "" {
		return false, why
	}
	if why := outside(); why != "" { // proofs take longest
		return false, why
	}
	own := p.body != nil && slices.ContainsFunc(sites, func(s site) bool { return r.ownPoint(p, c, &s) })
	if !p.view() && r.mayFail(p.stmt) {
		space, _ := ir.KernelSpace(c.Op)
		if always = !slices.ContainsFunc(sites, func(s site) bool { return s.own(space) && r.equal(space.Sizes(), p.space) }); always && !own {
			return false, "[fails] computing `" + name + "` may fail, and `" + r.made(c) + "` may not read every element"
		}
	}
	behind := slices.ContainsFunc(sites, func(s site) bool { return s.behind })
	if behind && p.body != nil && p.expressions() == nil {
		for k := range sites {
			if s := &sites[k]; s.behind && !r.before(sites[:k], s) {
				if !r.ownPoint(p, c, s) {
					return false, "[condition] an element of `" + name + "` is read behind a condition, and takes statements to compute"
				}
				always = true
			}
		}
	}
	return always, ""
}

// epilogue reports that a reader only computes scalars of what its own segment was reduced to.
func (r *round) epilogue(p *producer, c *ir.Stmt, sites []site) bool {
	m, isMap := c.Op.(*ir.Map)
	return isMap && !slices.ContainsFunc(m.Body.Stmts, func(s *ir.Stmt) bool { _, ok := s.Op.(*ir.Compute); return !ok }) &&
		!slices.ContainsFunc(m.Body.Result, func(e ir.Exp) bool { return e.Prim() == ir.Unknown }) &&
		!slices.ContainsFunc(sites, func(s site) bool { return s.sometimes || !r.ownPoint(p, c, &s) })
}

// before reports that an element has been computed by then, whatever the conditions.
func (r *round) before(sites []site, s *site) bool {
	key := s.key()
	return slices.ContainsFunc(sites, func(b site) bool { return !b.sometimes && b.key() == key })
}

// ownPoint reports that a read, if it is made, is of the element of its kernel's own point.
func (r *round) ownPoint(p *producer, c *ir.Stmt, s *site) bool {
	space, _ := ir.KernelSpace(c.Op)
	own := *s
	own.sometimes = false
	return own.own(space) && r.equal(space.Sizes(), p.space)
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
func (r *round) costs(p *producer, c *ir.Stmt, sites []site) string {
	name := p.stmt.Pat[0].Name
	keys := map[string]bool{} // an element is computed once, however often it is read
	for k := range sites {
		keys[sites[k].key()] = true
	}
	if p.body != nil && (r.length(c)+p.length*len(keys) > maxKernel || serial(c, sites) && weightOf(ir.KernelBody(c.Op))+p.weight*len(keys) > maxKernel) {
		return "[long] the kernel of `" + r.made(c) + "` is long as it is"
	}
	_, isMap := c.Op.(*ir.Map)
	space, _ := ir.KernelSpace(c.Op)
	for k := range sites {
		s := &sites[k]
		if again := p.weight > maxAgain && !(isMap && len(s.vars) == len(space) && p.weight <= maxCheap); again && !r.distinct(s, p.space) {
			return "[again] elements of `" + name + "` would be computed again and again"
		}
	}
	if n := len(keys); n > 1 && (n > maxCopies || n*p.weight > maxWork && !tiles(sites)) {
		return "[again] elements of `" + name + "` would be computed at " + strconv.Itoa(n) + " places"
	}
	return ""
}

// serial reports that a thread of the reader reads in a loop: then it does the work of several.
func serial(c *ir.Stmt, sites []site) bool {
	space, _ := ir.KernelSpace(c.Op)
	return slices.ContainsFunc(sites, func(s site) bool { return len(s.vars) > len(space) })
}

// keeps says why fusing would take more memory: what the elements are computed from lives until they
// are read. That costs nothing if it is no larger than the array that is not stored. Nor does it if
// nothing else is made in between, and the reader's array takes no more than the producer's did.
func (r *round) keeps(b *ir.Body, p *producer, c *ir.Stmt, sites []site) string {
	if p.body == nil {
		return "" // a view keeps its source; a copy is as large
	}
	var longer []string
	for _, x := range r.reads[p.stmt] {
		if r.leavesPlace(b, p, c, x) {
			return "[memory] `" + r.made(c) + "`, which may be made over `" + x + "`, would read other elements of it"
		}
		if r.last(x, b) < r.until(p, c) {
			longer = append(longer, x)
		}
	}
	if len(longer) == 0 {
		return ""
	}
	if b.Stmts[r.until(p, c)] == c {
		own := r.mayTakePlace(p, c, sites)
		one := len(longer) == 1 && r.within(r.arrays[longer[0]].typ, p.stmt.Pat)
		if one && (!own || r.goesTo(p, c, longer[0])) || r.takesOver(b, p, c, longer, own) {
			return ""
		}
	}
	return "[memory] `" + longer[0] + "` would have to live until `" + r.made(c) + "` is made"
}

// leavesPlace reports that the reader's array may lie over x, which it reads for the last time and at its
// own points only, and that it could not if it computed the producer's smaller array, made of others.
func (r *round) leavesPlace(b *ir.Body, p *producer, c *ir.Stmt, x string) bool {
	_, isMap := c.Op.(*ir.Map)
	t := r.arrays[x].typ
	return isMap && r.last(x, b) <= r.until(p, c) && len(c.Pat) == 1 && c.Pat[0].Type.Kind == ir.ArrayKind &&
		p.stmt.Pat[0].Type.Kind == ir.ArrayKind && p.stmt.Pat[0].Type.Rank() < t.Rank() &&
		slices.Contains(r.reads[c], x) && r.ownOnly(c, x) && !r.ownOnly(p.stmt, x) &&
		t.Prim.Size() == c.Pat[0].Type.Prim.Size() && r.within(c.Pat[0].Type, []*ir.Elem{{Type: t}})
}

// mayTakePlace reports that a reader's arrays may lie in the place of a producer's: it reads its own
// elements only.
func (r *round) mayTakePlace(p *producer, c *ir.Stmt, sites []site) bool {
	_, isMap := c.Op.(*ir.Map)
	for k := range sites {
		isMap = isMap && r.ownPoint(p, c, &sites[k])
	}
	return isMap
}

// goesTo reports that the one array of a reader, which reads its own elements only, can lie in the place
// of x, once it computes the producer's.
func (r *round) goesTo(p *producer, c *ir.Stmt, x string) bool {
	t := r.arrays[x].typ
	return len(c.Pat) == 1 && r.ownOnly(p.stmt, x) && t.Prim.Size() == c.Pat[0].Type.Prim.Size() && r.within(c.Pat[0].Type, []*ir.Elem{{Type: t}})
}

// takesOver reports that a reader takes no more memory than its producer did, with what lives longer.
// If the producer's array may have lain in the place of an array that dies, so may the reader's.
func (r *round) takesOver(b *ir.Body, p *producer, c *ir.Stmt, longer []string, own bool) bool {
	if len(c.Pat) > 1 || r.makesBetween(b, p.stmt, c) {
		return false
	}
	result := c.Pat[0].Type
	if result.Kind != ir.ArrayKind || own && slices.ContainsFunc(longer, func(x string) bool { return r.goesTo(p, c, x) }) {
		return true
	}
	inside := slices.ContainsFunc(longer, func(x string) bool { return r.ownOnly(p.stmt, x) })
	if inside && (!own || result.Prim.Size() != p.stmt.Pat[0].Type.Prim.Size()) {
		return false
	}
	return r.within(result, p.stmt.Pat)
}

// makesBetween reports whether an array is made between two statements of a body.
func (r *round) makesBetween(b *ir.Body, from, to *ir.Stmt) bool {
	return slices.ContainsFunc(b.Stmts[r.at[from]+1:r.at[to]], func(s *ir.Stmt) bool {
		return !r.gone[s] && slices.ContainsFunc(s.Pat, func(e *ir.Elem) bool { return e.Type.Kind == ir.ArrayKind })
	})
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
