package imp

import "github.com/memc-lang/memc/ir"

// intoOp has a point per thread, which writes accumulators wherever its body says so.
func (b *block) intoOp(s *ir.Stmt, op *ir.Into) {
	b.accumulating(s, op).lower(b)
}

// accumulating binds the names of a map with accumulators.
func (b *block) accumulating(s *ir.Stmt, op *ir.Into) *accumulation {
	names, sizes := b.space(op.Space, s)
	h := &accumulation{
		stmt: s, names: names, sizes: sizes, word: "into", cost: cost(op.Body),
		point: func(in *block) {
			in.body(op.Body)
			in.end(op.Body)
		},
	}
	b.f.accs = map[string]*accumulator{}
	dsts := b.bindPattern(s, sizes)
	for _, a := range op.Accs {
		acc := &accumulator{dsts: dsts[:len(a.Dests)]}
		dsts = dsts[len(a.Dests):]
		for _, x := range a.Dests {
			b.f.accs[x] = acc
		}
		if a.Op != nil {
			acc.operator = b.f.operator(a.Op)
		}
		h.accs = append(h.accs, acc)
	}
	return h
}
