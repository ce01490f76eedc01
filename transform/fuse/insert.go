package fuse

import (
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// insert computes a producer's elements in the body of a reader, where they are read. With always, the
// element of each point is computed first. The last reader may take the statements themselves.
func (r *round) insert(p *producer, c *ir.Stmt, always, last bool) {
	r.fails[c] = r.mayFail(c) || r.mayFail(p.stmt)
	loose := p.body == nil && !r.inBounds(p.stmt.Pat[0].Name)
	r.lengths[c] = r.length(c) + p.length
	in := &inserter{round: r, p: p, result: map[string]int{}}
	for k, e := range p.stmt.Pat {
		in.result[e.Name] = k
	}
	read := map[string]bool{}
	for x := range in.result {
		read[x] = true
	}
	sites := sitesOf(c, read)
	in.takes = last && len(sites) == 1 && !always
	if p.body != nil && slices.ContainsFunc(sites, func(s site) bool { return s.behind }) {
		in.short = p.expressions()
	}
	var first *computed
	var work []*ir.Stmt
	if always {
		space, _ := ir.KernelSpace(c.Op)
		at := make([]ir.Exp, len(space))
		for d, b := range space {
			at[d] = ir.Var(b.Var)
		}
		first = &computed{elems: map[string][]ir.Exp{keyOf(at): in.compute(at, &work)}}
	}
	body := ir.KernelBody(c.Op)
	in.body(body, first)
	body.Stmts = append(work, body.Stmts...)
	c.Lead = append(ir.Places(p.stmt.Lead), c.Lead...)
	r.reads[c] = slices.DeleteFunc(r.reads[c], func(x string) bool { _, mine := in.result[x]; return mine })
	for _, x := range r.reads[p.stmt] {
		r.loose[x] = r.loose[x] || loose
		if !slices.Contains(r.reads[c], x) {
			r.reads[c] = append(r.reads[c], x)
		}
	}
}

// handOn notes that readers use what a producer's arrays are computed from, in place of the producer.
func (r *round) handOn(p *producer, readers []*ir.Stmt) {
	body := r.arrays[p.stmt.Pat[0].Name].body
	for _, x := range r.reads[p.stmt] {
		a := r.arrays[x]
		if a.body != body {
			if level := a.level[p.stmt]; level != nil { // which holds both
				for _, c := range readers {
					a.readBy(c, level)
				}
			}
			continue
		}
		whole := a.whole[p.stmt] && p.body != nil
		if k, found := r.position(a.readers, p.stmt); found {
			a.readers = slices.Delete(a.readers, k, k+1)
		}
		delete(a.whole, p.stmt)
		delete(a.level, p.stmt)
		for _, c := range readers {
			level := body.Stmts[r.until(p, c)]
			if k, found := r.position(a.readers, level); !found {
				a.readers = slices.Insert(a.readers, k, level)
			}
			if a.readBy(c, level); whole {
				a.whole[level] = true
			}
		}
	}
}

// position searches for a statement in a list of a body's statements, in their order.
func (r *round) position(list []*ir.Stmt, s *ir.Stmt) (k int, found bool) {
	k, _ = slices.BinarySearchFunc(list, r.uses.at[s], func(x *ir.Stmt, n int) int { return r.uses.at[x] - n })
	return k, k < len(list) && list[k] == s // not one of another body that has its number
}

// readBy notes a kernel that reads elements of an array.
func (a *array) readBy(c, level *ir.Stmt) {
	if a.level[c] == nil {
		a.kernels, a.level[c] = append(a.kernels, c), level
	}
}

// An inserter replaces the reads of a producer's arrays in a kernel's body.
type inserter struct {
	*round
	p      *producer
	result map[string]int // which of its arrays
	short  []ir.Exp       // its elements as expressions, if they are needed and can be written so
	takes  bool           // the statements of its body move: they are needed once
}

// A computed is what has been computed in a body, by indices, and in the bodies around.
type computed struct {
	outer *computed
	elems map[string][]ir.Exp
}

func (m *computed) find(key string) []ir.Exp {
	for ; m != nil; m = m.outer {
		if e := m.elems[key]; e != nil {
			return e
		}
	}
	return nil
}

func (in *inserter) body(b *ir.Body, outer *computed) {
	m := &computed{outer, map[string][]ir.Exp{}}
	var out []*ir.Stmt
	for _, s := range b.Stmts {
		ir.EachExp(s.Op, func(e *ir.Exp) { *e = in.exp(*e, m, &out, false) })
		for _, inner := range ir.Bodies(s.Op) {
			in.body(inner, m)
		}
		out = append(out, s)
	}
	for k, e := range b.Result {
		b.Result[k] = in.exp(e, m, &out, false)
	}
	b.Stmts = out
}

// reads reports whether an expression reads one of the arrays.
func (in *inserter) readsArray(e ir.Exp) bool {
	return ir.AnyExp(e, func(e ir.Exp) bool {
		x, ok := e.(*ir.Index)
		if ok {
			_, ok = in.result[x.Array]
		}
		return ok
	})
}

// exp replaces the reads in an expression. Statements that they take go to out; behind a condition
// there are none.
func (in *inserter) exp(e ir.Exp, m *computed, out *[]*ir.Stmt, behind bool) ir.Exp {
	if e == nil || !in.readsArray(e) {
		return e
	}
	var sometimes []bool // of the operands
	ir.Evaluated(e, func(_, cond ir.Exp, _ bool) { sometimes = append(sometimes, behind || cond != nil) })
	e = ir.WithOperands(e, func(x ir.Exp) ir.Exp {
		defer func() { sometimes = sometimes[1:] }()
		return in.exp(x, m, out, sometimes[0])
	})
	if x, ok := e.(*ir.Index); ok {
		if k, mine := in.result[x.Array]; mine {
			return in.element(k, x.Indices, m, out, behind)
		}
	}
	return e
}

// element returns the element of the producer's k-th array at an index.
func (in *inserter) element(k int, at []ir.Exp, m *computed, out *[]*ir.Stmt, behind bool) ir.Exp {
	if in.p.element != nil {
		return in.p.element(at)
	}
	key := keyOf(at)
	if done := m.find(key); done != nil {
		return ir.CloneExp(done[k])
	}
	if behind && in.short != nil {
		by := map[string]ir.Exp{}
		for d, v := range in.p.vars {
			by[v] = at[d]
		}
		return written(in.short[k], by)
	}
	made := in.compute(at, out)
	m.elems[key] = made
	return ir.CloneExp(made[k])
}

func keyOf(at []ir.Exp) string {
	var key strings.Builder
	for _, e := range at {
		key.WriteString(ir.ExpString(e) + ",")
	}
	return key.String()
}

// compute adds the statements that compute the elements at an index, and returns their names.
func (in *inserter) compute(at []ir.Exp, out *[]*ir.Stmt) []ir.Exp {
	by := ir.Substitution{}
	for d, v := range in.p.vars {
		if by[v] = at[d]; !atom(at[d]) {
			by[v] = in.let(v, ir.I64, at[d], out)
		}
	}
	b := in.p.body
	if !in.takes {
		b = ir.CloneBody(b)
		ir.BoundNames(b, func(n string) { by[n] = &ir.Ref{Name: in.fresh(n)} })
	}
	by.Body(b)
	*out = append(*out, b.Stmts...)
	made := make([]ir.Exp, len(b.Result))
	for k, e := range b.Result {
		if made[k] = e; !atom(e) {
			made[k] = in.let(in.p.stmt.Pat[k].Name, e.Prim(), e, out)
		}
	}
	return made
}

// let binds an expression to a new name.
func (in *inserter) let(name string, t ir.Prim, e ir.Exp, out *[]*ir.Stmt) ir.Exp {
	el := &ir.Elem{Name: in.fresh(name), Type: ir.Scalar(t)}
	*out = append(*out, &ir.Stmt{Pat: []*ir.Elem{el}, Op: &ir.Compute{E: e}, Span: in.p.stmt.Span})
	return &ir.Ref{Name: el.Name, T: t}
}

// fresh returns a new name for one of the producer's; messages keep to the user's.
func (r *round) fresh(name string) string {
	user, ok := r.prog.Renamed[name]
	if !ok {
		user = name
	}
	n := r.names.Fresh(user)
	if r.prog.Renamed == nil {
		r.prog.Renamed = map[string]string{}
	}
	r.prog.Renamed[n] = user
	return n
}
