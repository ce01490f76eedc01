package fuse

import (
	"slices"

	"github.com/memc-lang/memc/ir"
)

// Note [Kernels side by side]
//
// Two maps over the same points, or two reductions, become one kernel: one launch, and what both
// read is loaded once.
//
//	let a = map (i < n) { in xs[i] + 1 }       let (a, b) = map (i < n) {
//	let b = map (j < n) { in xs[j] * ys[j] }     in (xs[i] + 1, xs[i] * ys[i])
//	                                           }
//
// The first moves down to the second. So nothing in between uses its arrays or overwrites what it
// reads. The second may read the first one's arrays, if each of its threads reads its own element only;
// the threads hand the elements over, and an array that nobody else reads is not stored.
//
// Memory: the arrays that the first reads should live until the second anyway. An array that dies in
// the second gives its place to an array of the second; the first one's reads forbid that now, unless
// every thread reads its own element. One such array, or one that died before the second, is paid for
// by an array as large that need not be stored any longer: one that only the two read, or one that is
// handed over.

const (
	maxJoined = 8    // arrays of a kernel that joined
	maxWeight = 1024 // additions for a point of a kernel that joins
	maxOpen   = 8    // kernels over the same points that one may join, the last ones
)

// horizontal joins kernels of a body.
func (r *round) horizontal(b *ir.Body) {
	open := map[string][]*ir.Stmt{} // kernels that others may join, by kind and points
	for _, c := range b.Stmts {
		key := r.joins(c)
		if key == "" || r.gone[c] {
			continue
		}
		k := slices.IndexFunc(open[key], func(p *ir.Stmt) bool { return r.mayJoin(b, p, c) })
		if k >= 0 {
			p := open[key][k]
			if r.rewrite(c, "`%s` is made in the kernel of `%s`", r.made(p), r.made(c)) {
				r.join(p, c)
				open[key] = slices.Delete(open[key], k, k+1)
			}
		}
		open[key] = append(open[key], c)
		if n := len(open[key]); n > maxOpen {
			open[key] = open[key][n-maxOpen:]
		}
	}
}

// joins returns the kind and the points of a kernel that may join another one; "" for other statements.
func (r *round) joins(s *ir.Stmt) string {
	space, ok := ir.KernelSpace(s.Op)
	if !ok || ir.IsGroups(s.Op) || len(s.Pat) == 0 {
		return ""
	}
	key := "map"
	switch op := s.Op.(type) {
	case *ir.Map:
	case *ir.Reduce:
		key = "reduce"
		for _, e := range s.Pat[:len(op.Op.Neutral)] {
			if e.Type.Rank() >= len(space) {
				return "" // of arrays
			}
		}
	default:
		if !writes(s) {
			return ""
		}
		key = "into"
	}
	if weightOf(ir.KernelBody(s.Op)) > maxWeight {
		return ""
	}
	for _, b := range space {
		key += "," + r.size(b.Size).String()
	}
	return key
}

// mayJoin reports whether p can be made in c's kernel, and should.
func (r *round) mayJoin(b *ir.Body, p, c *ir.Stmt) bool {
	from, to, shared, left := r.at[p], r.at[c], false, false
	if len(p.Pat)+len(c.Pat) > maxJoined {
		return false
	}
	for _, e := range p.Pat {
		if e.Type.Kind != ir.ArrayKind {
			if r.usedBefore(b, e.Name, from, to) {
				return false
			}
		} else if a := r.arrays[e.Name]; len(a.readers) > 0 && r.at[a.readers[0]] <= to {
			if a.readers[0] != c || !r.readsOwn(p, c, e.Name) {
				return false
			}
			shared = true
			left = left || len(a.readers) > 1 || a.stays
			continue
		}
		left = true
	}
	if !left {
		return false // nothing would be stored: it was not worth while to compute it where it is read
	}
	var costs []string
	for _, x := range r.reads[p] {
		if slices.Contains(ir.Dests(p.Op), x) {
			continue // p's own arrays lie there
		}
		if r.consumedBetween(x, b, from, to) {
			return false
		}
		both := slices.Contains(r.reads[c], x) && (!writes(p) || r.between(x, b, r.joins(c)))
		shared = shared || both
		if last := r.last(x, b); last <= to && (!r.ownOnly(p, x) || last < to && r.makesBetween(b, p, c)) {
			costs = append(costs, x)
		}
	}
	return shared && (len(costs) == 0 || len(costs) == 1 && r.pays(b, p, c, costs[0]))
}

// readsOwn reports that a map reads of an array of an earlier one only the elements of its own points.
func (r *round) readsOwn(p, c *ir.Stmt, x string) bool {
	of := producerOf(p)
	_, isMap := c.Op.(*ir.Map)
	if of == nil || of.body == nil || !isMap || r.arrays[x].whole[c] {
		return false
	}
	for _, s := range sitesOf(c, map[string]bool{x: true}) {
		if !r.ownPoint(of, c, &s) {
			return false
		}
	}
	return true
}

// usedBefore reports whether a statement of a body between two others, or the later one, uses a scalar.
func (r *round) usedBefore(b *ir.Body, name string, from, to int) bool {
	found := false
	for _, s := range b.Stmts[from+1 : to+1] {
		ir.StmtUses(s, func(n string) { found = found || n == name })
	}
	return found
}

// ownOnly reports that each thread of a kernel reads only its own element of an array.
func (r *round) ownOnly(s *ir.Stmt, x string) bool {
	space, _ := ir.KernelSpace(s.Op)
	if r.arrays[x].whole[s] {
		return false
	}
	for _, at := range sitesOf(s, map[string]bool{x: true}) {
		at.sometimes = false
		if !at.own(space) {
			return false
		}
	}
	return true
}

// pays reports that an array which only p and c read need not be stored any longer, and is no smaller
// than x.
func (r *round) pays(b *ir.Body, p, c *ir.Stmt, x string) bool {
	for _, e := range p.Pat { // that is handed over
		if a := r.arrays[e.Name]; a != nil && !a.stays && slices.Equal(a.readers, []*ir.Stmt{c}) && r.within(r.arrays[x].typ, []*ir.Elem{e}) {
			return true
		}
	}
	return slices.ContainsFunc(r.reads[p], func(y string) bool {
		return y != x && r.freed(b, y, p, c) && r.within(r.arrays[x].typ, r.arrays[y].stmt.Pat)
	})
}

// freed reports that an array of a body need not be stored once its two readers are one.
func (r *round) freed(b *ir.Body, y string, p, c *ir.Stmt) bool {
	a := r.arrays[y]
	if a.stmt == nil || len(a.whole) > 0 || a.stays || a.body != b || !slices.Equal(a.readers, []*ir.Stmt{p, c}) {
		return false
	}
	of := producerOf(a.stmt)
	return of != nil && !of.reduces && len(a.stmt.Pat) == 1 && !r.mayFail(a.stmt) && !r.loose[y] && r.inBounds(y) && r.costs(of, p, sitesOf(p, map[string]bool{y: true})) == "" && r.costs(of, c, sitesOf(c, map[string]bool{y: true})) == ""
}

// join makes the arrays of p in the kernel of c.
func (r *round) join(p, c *ir.Stmt) {
	r.fails[c] = r.mayFail(c) || r.mayFail(p)
	from, _ := ir.KernelSpace(p.Op)
	to, _ := ir.KernelSpace(c.Op)
	by := ir.Substitution{}
	for k := range from {
		by[from[k].Var] = &ir.Ref{Name: to[k].Var, T: ir.I64}
	}
	work := ir.KernelBody(p.Op)
	by.Body(work)
	if writes(p) {
		x, y := writer(p), writer(c)
		p.Op, c.Op, y.Accs = x, y, slices.Concat(x.Accs, y.Accs)
	}
	body := ir.KernelBody(c.Op)
	r.hand(p, work, body)
	body.Stmts = append(slices.Clone(work.Stmts), body.Stmts...)
	n, m := 0, 0 // that are combined
	if x, ok := p.Op.(*ir.Reduce); ok {
		y := c.Op.(*ir.Reduce)
		n, m = len(x.Op.Neutral), len(y.Op.Neutral)
		combineBoth(&x.Op, &y.Op)
	}
	body.Result = slices.Concat(work.Result[:n], body.Result[:m], work.Result[n:], body.Result[m:])
	c.Pat = slices.Concat(p.Pat[:n], c.Pat[:m], p.Pat[n:], c.Pat[m:])
	c.Lead = append(p.Lead, c.Lead...)
	for _, e := range p.Pat {
		if a := r.arrays[e.Name]; a != nil {
			a.stmt = c
			if k := slices.Index(a.readers, c); k >= 0 {
				a.readers = slices.Delete(a.readers, k, k+1)
				r.drop(c, e)
			}
		}
	}
	for _, x := range r.reads[p] {
		a := r.arrays[x]
		if !slices.Contains(r.reads[c], x) {
			r.reads[c] = append(r.reads[c], x)
		}
		if level := a.level[p]; level != nil { // an array of a body around may yet be computed where it is read
			delete(a.level, p)
			if level == p {
				level = c
			}
			a.readBy(c, level)
		}
		if k, found := r.position(a.readers, p); found { // else what holds both is the reader
			a.readers = slices.Delete(a.readers, k, k+1)
			if k, found := r.position(a.readers, c); !found {
				a.readers = slices.Insert(a.readers, k, c)
			}
			if a.whole[p] {
				a.whole[c] = true
			}
		}
	}
	r.gone[p] = true
}

// hand gives the body of a kernel the elements that a body before it computes at the same point.
func (r *round) hand(p *ir.Stmt, work, body *ir.Body) {
	at := map[string]ir.Exp{}
	for k, e := range p.Pat {
		if a := r.arrays[e.Name]; a == nil || len(a.readers) == 0 || ir.KernelBody(a.readers[0].Op) != body {
			continue
		}
		if !atom(work.Result[k]) {
			el := &ir.Elem{Name: r.fresh(e.Name), Type: ir.Scalar(e.Type.Prim)}
			work.Stmts = append(work.Stmts, &ir.Stmt{Pat: []*ir.Elem{el}, Op: &ir.Compute{E: work.Result[k]}, Span: p.Span})
			work.Result[k] = &ir.Ref{Name: el.Name, T: e.Type.Prim}
		}
		at[e.Name] = work.Result[k]
	}
	if len(at) == 0 {
		return
	}
	ir.EachExpIn(body, func(e *ir.Exp) {
		*e = ir.MapExp(*e, func(e ir.Exp) ir.Exp {
			if x, ok := e.(*ir.Index); ok && at[x.Array] != nil {
				return ir.CloneExp(at[x.Array])
			}
			return e
		})
	})
}

// drop leaves out a result of a map that nobody reads any longer.
func (r *round) drop(c *ir.Stmt, e *ir.Elem) {
	a, op := r.arrays[e.Name], c.Op.(*ir.Map)
	if k := slices.Index(c.Pat, e); len(a.readers) == 0 && !a.stays && len(c.Pat) > 1 {
		c.Pat = slices.Delete(slices.Clone(c.Pat), k, k+1)
		op.Body.Result = slices.Delete(slices.Clone(op.Body.Result), k, k+1)
	}
}

// combineBoth makes y combine what x combines, too, before its own values.
func combineBoth(x, y *ir.Operator) {
	n, m := len(x.Neutral), len(y.Neutral)
	y.Params = slices.Concat(x.Params[:n], y.Params[:m], x.Params[n:], y.Params[m:])
	y.Neutral = slices.Concat(x.Neutral, y.Neutral)
	y.Body.Stmts = slices.Concat(x.Body.Stmts, y.Body.Stmts)
	y.Body.Result = slices.Concat(x.Body.Result, y.Body.Result)
	y.Commutative = x.Commutative && y.Commutative
}
