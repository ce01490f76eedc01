package imp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/sym"
)

// Note [Maps of one reduction]
//
// The threads of a map may each reduce a row, and compute something of the value:
//
//	map (i < n) {
//	  let y = log(x[i])
//	  let s = reduce (k < m) op (a, b) { in a + b } neutral (0) { in y * u[i, k] }
//	  in v[i] - s / 2
//	}
//
// With a work-item for each thread a device would stand idle if rows are few, and neighbouring
// work-items would read from different rows. So this is a reduction of segments (Note [Reductions]),
// with a prologue and an epilogue: whoever has combined a segment computes the map's elements (store).
//
//	reduce (i < n, k < m) op .. { y = log(x[i]); y * u[i, k] }    then { v[i] - s / 2 }
//
// All values of a segment have been read by then, as a thread's are before it writes. The prologue is
// what the reduction needs of the thread. It is computed for each value, so it must be short, and the
// reduction's size, neutral value and operator must be the same for all threads.

// A rowwise is a map whose threads each run one reduction.
type rowwise struct {
	reduce   *ir.Stmt
	prologue []*ir.Stmt // what the reduction needs
	body     *ir.Body   // the thread without the reduction
}

// maxPrologue bounds the statements of a prologue; any choice is right.
const maxPrologue = 4

// rowwiseOf recognises such a map.
func rowwiseOf(m *ir.Map) *rowwise {
	k := slices.IndexFunc(m.Body.Stmts, func(s *ir.Stmt) bool { return isOp[*ir.Reduce](s) })
	if k < 0 {
		return nil
	}
	w := &rowwise{reduce: m.Body.Stmts[k], body: &ir.Body{In: m.Body.In, Result: m.Body.Result}}
	w.body.Stmts = slices.Concat(m.Body.Stmts[:k], m.Body.Stmts[k+1:])
	op := w.reduce.Op.(*ir.Reduce)
	array := func(e *ir.Elem) bool { return e.Type.Kind != ir.ScalarKind }
	if len(op.Space) != 1 || slices.ContainsFunc(w.reduce.Pat, array) || !scalars(w.body) ||
		slices.ContainsFunc(w.body.Result, func(e ir.Exp) bool { return e.Prim() == ir.Unknown }) {
		return nil
	}
	own := m.OwnNames()
	if size := op.Space[0].Size; !ir.Total(size) || op.Op.UsesAny(own) || ir.UsesAny(slices.Concat([]ir.Exp{size}, op.Op.Neutral), own) {
		return nil
	}
	needed := map[string]bool{}
	for _, n := range ir.FreeNames(op.Body) {
		needed[n] = true
	}
	for k--; k >= 0; k-- {
		if s := m.Body.Stmts[k]; needed[s.Pat[0].Name] {
			w.prologue = append(w.prologue, s)
			ir.ExpNames(s.Op.(*ir.Compute).E, func(n string) { needed[n] = true })
		}
	}
	slices.Reverse(w.prologue)
	if len(w.prologue) > maxPrologue {
		return nil
	}
	return w
}

func isOp[T ir.Op](s *ir.Stmt) bool {
	_, ok := s.Op.(T)
	return ok
}

// rowwise lowers such a map.
func (b *block) rowwise(s *ir.Stmt, m *ir.Map, w *rowwise) {
	op := w.reduce.Op.(*ir.Reduce)
	names, sizes := b.space(m.Space, s)
	dsts := b.bindPattern(s, sizes)
	n := sym.Of(b.atom(b.exp(op.Space[0].Size), "n"))
	if !b.nonnegative(n) { // that no thread finds if there is none
		b.when(binary(">", product(sizes).Exp(), i64(0)), func(b *block) { b.checkSize(n, spanOf(op.Space[0].Size, w.reduce.Span)) }, nil)
	}
	prologue := &ir.Body{Stmts: w.prologue}
	c := &combination{
		operator: b.f.operator(&op.Op), stmt: s, segs: names, segSizes: sizes, along: b.f.name(op.Space[0].Var), n: n,
		cost: cost(op.Op.Body) + cost(op.Body) + cost(prologue), works: b.f.works(op.Body), scalar: scalars(op.Body),
	}
	c.values = func(in *block) []ir.Exp {
		in.body(prologue)
		return in.valuesOf(op.Body, c.arity, func(*block) {})
	}
	c.epilogue = func(in *block, vals []ir.Exp) {
		for i, e := range w.reduce.Pat {
			name := b.f.name(e.Name)
			in.declare(name, e.Type.Prim)
			in.set(name, vals[i])
		}
		in.body(w.body)
		in.results(dsts, vars(names), w.body.Result)
	}
	b.reduceAll(c, op.Op.Commutative)
}
