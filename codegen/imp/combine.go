package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A combination is a segmented reduction or scan of scalars: along k < n, for every point of the
// segments' index space. A combination of arrays becomes one of scalars, with the positions in the
// arrays as further segments (Note [Arrays as values]).
type combination struct {
	*operator
	stmt     *ir.Stmt
	segs     []string // index names of the segments
	segSizes []sym.Poly
	along    string // index name along which values are combined
	n        sym.Poly
	cost     int64 // of a value, see Note [Tasks]
	// values lowers the values at (segs, k), and writes the mapped results there;
	// pure only lowers the values.
	values, pure func(in *block) []ir.Exp
	// scalar tells that the body only computes scalars: lowering it once more, to look at it,
	// asks for no memory.
	scalar bool
	// works tells that the body needs a workspace (Note [Workers]): then no more work-items evaluate values
	// than a device runs at once.
	works bool
	// epilogue computes what becomes of a segment's value, and writes it, in place of dsts (Note [Maps of one
	// reduction]); nil: nothing does.
	epilogue func(in *block, vals []ir.Exp)
	// The results: of a segment (reduce) or of an element (scan).
	dsts  []*array
	index []sym.Poly
	// last marks the results of a scan that are its last value only: the total. One that nothing
	// reads has no array in dsts.
	last []bool
}

// store writes results.
func (c *combination) store(in *block, vals []ir.Exp) {
	if c.epilogue != nil {
		end := func(in *block) { c.epilogue(in, vals) }
		if in.k.out.Barriers {
			in.guarded(end)
		} else {
			end(in)
		}
		return
	}
	for i, d := range c.dsts {
		if c.last == nil || !c.last[i] {
			in.store(d, c.index, vals[i])
		}
	}
}

// totals reports whether a result is the last value of a scan, and something reads it.
func (c *combination) totals() bool {
	for i, last := range c.last {
		if last && c.dsts[i] != nil {
			return true
		}
	}
	return false
}

// storeLast writes those results.
func (c *combination) storeLast(in *block, vals []ir.Exp) {
	for i, last := range c.last {
		if last && c.dsts[i] != nil {
			in.store(c.dsts[i], nil, vals[i])
		}
	}
}

// load reads results back.
func (c *combination) load(in *block) []ir.Exp {
	out := make([]ir.Exp, len(c.dsts))
	for i, d := range c.dsts {
		out[i] = in.load(d, c.index)
	}
	return out
}

func (c *combination) segments() sym.Poly { return product(c.segSizes) }

// Note [Arrays as values]
//
// If the values to combine are arrays, a kernel over the whole index space runs the body: it makes
// the mapped results, and the arrays. Then every position in the arrays is a segment of its own,
// and the operator works on scalars. The values are read where the body left them, if that place
// can be named outside of the body and no mapped result is written there: a slice of an input, or a
// part of an expanded block. Otherwise they are first copied to a temporary block, in which
// neighbours along k are neighbours.

// combine prepares a reduction (scanned false) or scan. The caller frees temps
// when it is done.
func (b *block) combine(s *ir.Stmt, space ir.Space, op *ir.Operator, body *ir.Body, scanned bool) (c *combination, dsts []*array, temps []string) {
	names, sizes := b.space(space, s)
	last := len(names) - 1
	c = &combination{
		operator: b.f.operator(op), stmt: s,
		segs: names[:last], segSizes: sizes[:last], along: names[last], n: sizes[last],
	}
	c.cost = cost(op.Body) + cost(body)
	dsts = b.bindPattern(s, sizes)
	vector := false
	for i := range c.arity {
		if dsts[i] == nil {
			if dsts[i] = b.scalarResult(s.Pat[i]); dsts[i] != nil && b.tasks() {
				temps = append(temps, dsts[i].mem)
			}
			if scanned {
				if c.last == nil {
					c.last = make([]bool, c.arity)
				}
				c.last[i] = true
			}
		}
		vector = vector || dsts[i] != nil && len(dsts[i].shape()) > c.rank(scanned)
	}
	c.works = b.f.works(body)
	mapped := func(in *block) {
		in.results(dsts[c.arity:], vars(names), body.Result[c.arity:])
	}
	c.scalar = scalars(body)
	for _, d := range dsts[c.arity:] {
		c.scalar = c.scalar && len(d.shape()) == len(names)
	}
	combined := dsts[:c.arity]
	if vector {
		temps = append(temps, b.vector(c, combined, dsts[c.arity:], body, mapped, scanned)...)
		return c, dsts, temps
	}
	c.values = func(in *block) []ir.Exp { return in.valuesOf(body, c.arity, mapped) }
	c.pure = func(in *block) []ir.Exp { return in.valuesOf(body, c.arity, func(*block) {}) }
	c.dsts, c.index = combined, vars(c.segs)
	if scanned {
		c.index = vars(names)
	}
	return c, dsts, temps
}

// valuesOf lowers a body, and gives its first results.
func (b *block) valuesOf(body *ir.Body, count int, more func(*block)) []ir.Exp {
	b.body(body)
	vals := make([]ir.Exp, count)
	for i := range vals {
		vals[i] = b.exp(body.Result[i])
	}
	more(b)
	b.end(body)
	return vals
}

// scalars reports whether a body only computes scalars.
func scalars(body *ir.Body) bool {
	return !slices.ContainsFunc(body.Stmts, func(s *ir.Stmt) bool { return !isOp[*ir.Compute](s) })
}

// scalarResult declares a scalar result, and returns where kernels leave it: a slot, or a block of one
// element. For a total that nothing reads it does neither.
func (b *block) scalarResult(e *ir.Elem) *array {
	if b.f.facts.unread[e.Name] {
		return nil
	}
	b.declare(b.f.name(e.Name), e.Type.Prim)
	if b.tasks() {
		return b.rowMajor(identifier(e.Name), e.Type.Prim, nil)
	}
	return b.slot(identifier(e.Name), e.Type.Prim)
}

// rank is the number of dimensions of a result if the values are scalars.
func (c *combination) rank(scanned bool) int {
	if scanned {
		return len(c.segs) + 1
	}
	return len(c.segs)
}

func vars(names []string) []sym.Poly {
	out := make([]sym.Poly, len(names))
	for i, n := range names {
		out[i] = sym.Var(n)
	}
	return out
}

// vector brings a combination of arrays to one of scalars.
func (b *block) vector(c *combination, dsts, results []*array, body *ir.Body, mapped func(*block), scanned bool) (temps []string) {
	rank := c.rank(scanned)
	elem := dsts[0].shape()[rank:]
	for _, d := range dsts {
		if len(d.shape()) != rank+len(elem) {
			b.f.l.diags.Limitf(c.stmt.Span, "an operator on values of different ranks").Hinted("combine them one by one")
			return nil
		}
	}
	names := append(c.segs[:len(c.segs):len(c.segs)], c.along)
	sizes := append(c.segSizes[:len(c.segSizes):len(c.segSizes)], c.n)
	srcs := make([]*array, len(dsts))
	in := b.kernel(kernelName(c.stmt, "values"), "makes the arrays that `"+c.stmt.Pat[0].Name+"` combines")
	groups := b.points(in, names, sizes, func(in *block, ix []sym.Poly) {
		in.body(body)
		for i, d := range dsts {
			src := b.f.arrays[body.Result[i].(*ir.Ref).Name]
			srcs[i] = src
			if !in.outside(src, names) || !in.kept(src, results) {
				srcs[i] = b.valuesBlock(d.prim, c, elem)
				temps = append(temps, srcs[i].mem)
				whole := b.fullIndex(srcs[i], c, elem)
				in.copy(in.fix(whole, ix), src)
				srcs[i] = b.fix(whole, ix)
			}
		}
		mapped(in)
		in.end(body)
	})
	if holdsEffect(in.stmts) {
		b.launch(in, groups)
	}
	b.elementwiseCombination(c, dsts, srcs, elem, scanned)
	return temps
}

// elementwiseCombination makes the positions in the arrays further segments.
func (b *block) elementwiseCombination(c *combination, dsts, srcs []*array, elem []sym.Poly, scanned bool) {
	outer := c.segs
	c.cost = cost(c.op.Body)
	enames := make([]string, len(elem))
	for i := range enames {
		enames[i] = b.f.temp("e")
	}
	c.segs = append(outer[:len(outer):len(outer)], enames...)
	c.segSizes = append(c.segSizes[:len(c.segSizes):len(c.segSizes)], elem...)
	c.values = func(in *block) []ir.Exp {
		vals := make([]ir.Exp, len(srcs))
		for i, src := range srcs {
			vals[i] = in.load(src, vars(enames))
		}
		return vals
	}
	c.pure, c.scalar = c.values, true
	c.dsts, c.index = dsts, vars(outer)
	if scanned {
		c.index = append(c.index, sym.Var(c.along))
	}
	c.index = append(c.index, vars(enames)...)
}

// outside reports whether an array's place can be named outside of the
// kernel, except for the index names.
func (b *block) outside(a *array, names []string) bool {
	inWork := slices.ContainsFunc(b.k.work, func(w workspace) bool { return w.mem == a.mem })
	if b.k.ptrs[a.mem] || inWork {
		return false
	}
	own := map[string]bool{}
	for _, n := range names {
		own[n] = true
	}
	for _, n := range a.fun.Names() {
		if b.k.vars[n] && !own[n] {
			return false
		}
	}
	return true
}

// kept reports whether an array is as it was after the mapped results are written.
func (b *block) kept(a *array, results []*array) bool {
	for _, r := range results {
		if r != nil && !b.separate(r, a) {
			return false
		}
	}
	return true
}

// valuesBlock allocates arrays for all points, laid out (segs, elem, n).
func (b *block) valuesBlock(t ir.Prim, c *combination, elem []sym.Poly) *array {
	shape := append(c.segSizes[:len(c.segSizes):len(c.segSizes)], elem...)
	return b.rowMajor("values", t, append(shape, c.n))
}

// fullIndex turns the layout (segs, elem, n) into the index order (segs, n, elem).
func (b *block) fullIndex(a *array, c *combination, elem []sym.Poly) *array {
	s, e := len(c.segs), len(elem)
	var perm []int
	for i := range s {
		perm = append(perm, i)
	}
	perm = append(perm, s+e)
	for i := range e {
		perm = append(perm, s+i)
	}
	out := *a
	out.fun = a.fun.Permute(perm)
	return &out
}

// finish reads the scalar results on the host, and frees the temporaries.
func (b *block) finish(c *combination, dsts []*array, temps []string) {
	fetch := &Fetch{}
	for i := range c.arity {
		if e := c.stmt.Pat[i]; e.Type.Kind == ir.ScalarKind && dsts[i] != nil {
			fetch.Loads = append(fetch.Loads, &Load{Dst: b.f.name(e.Name), Prim: e.Type.Prim, Mem: dsts[i].mem, Off: b.offset(dsts[i], nil)})
		}
	}
	if len(fetch.Loads) > 0 {
		b.add(fetch)
	}
	for _, m := range temps {
		b.add(&Free{Mem: m})
	}
}

// strategy lowers for processors, to one task per segment or to several, by sizes at run
// time; a single segment always gets several.
func (b *block) strategy(c *combination, items, groups func(*block)) {
	if len(c.segs) == 0 {
		groups(b)
		return
	}
	b.when(or(atMost(c.n, taskElements), not(atMost(c.segments(), maxTasks-1))), items, groups)
}

// atMost returns n <= limit, as a literal if it is known.
func atMost(n sym.Poly, limit int64) ir.Exp {
	if c, ok := n.IsConst(); ok {
		return ir.BoolLit(c <= limit)
	}
	return binary("<=", n.Exp(), i64(limit))
}

// partials allocates blocks for one value of each group; of no size where each segment has just
// one group. Each value has a block, or, if there are many, all of one type share one.
func (c *combination) partials(b *block, groups ir.Exp) (mems []string, at *array) {
	count := c.segments().Mul(sym.Of(groups))
	c.apart = count.Exp()
	shared, share := map[ir.Prim]string{}, map[ir.Prim]int64{}
	if c.many() {
		for _, t := range c.t {
			share[t]++
		}
	}
	for _, t := range c.t {
		mem := shared[t]
		if mem == "" {
			room := count.Mul(sym.Const(t.Size() * max(share[t], 1)))
			mem = b.tempBlock("partial", choose(binary(">", groups, i64(1)), room.Exp(), i64(0)))
			if c.many() {
				shared[t] = mem
			}
		}
		mems = append(mems, mem)
	}
	return mems, &array{fun: lmad.RowMajor(append(c.segSizes[:len(c.segSizes):len(c.segSizes)], sym.Of(groups)))}
}
