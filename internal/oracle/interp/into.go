package interp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// An accumulator is arrays that the threads of a map write at indices. By value, threads run in
// order, and so do the writes of each.
type accumulator struct {
	k        *kernel
	src, dst []*array
	any      bool
	op       *operator
	writers  map[int64]int64 // of elements that are stored, the thread
}

// into compiles a map with accumulators.
func (fn *function) into(s *ir.Stmt, op *ir.Into) code {
	outer := fn.accs
	fn.accs = map[string]*accumulator{}
	var accs []*accumulator
	for _, a := range op.Accs {
		acc := &accumulator{any: a.Any}
		for _, x := range a.Dests {
			acc.src = append(acc.src, fn.array(x, s.Span))
			fn.accs[x] = acc
		}
		if a.Op != nil {
			acc.op = fn.operator(s, *a.Op)
		}
		accs = append(accs, acc)
	}
	k := fn.space(s, op.Space, op.Body)
	for _, acc := range accs {
		acc.k = k
	}
	k.body = fn.compileThread(op.Body)
	fn.accs = outer
	pat := s.Pat
	for _, acc := range accs {
		for range acc.src {
			t := fn.declare(pat[0])
			acc.dst = append(acc.dst, t.arr)
			k.results = append(k.results, &kernelResult{k: k, dst: t.arr})
			pat = pat[1:]
		}
	}
	return func(fr []uint64) {
		k.begin(fr)
		checkThreads(k.at, k.n)
		for _, acc := range accs {
			k.consume(acc.src, acc.dst)
			acc.writers = map[int64]int64{}
		}
		k.sem.enter(k)
		k.threads(fr, func() {
			k.body.run(fr)
			k.body.release()
		})
	}
}

// put compiles a write to an element of an accumulator.
func (fn *function) put(s *ir.Stmt, op *ir.Put) code {
	acc := fn.accs[op.Dests[0]]
	if acc == nil {
		broken(s.Span, "`%s` is no accumulator", op.Dests[0])
	}
	e := &entry{
		index: fn.scalarsOf(op.Index), values: fn.scalarsOf(op.Values),
		ix: make([]int64, len(op.Index)), bits: make([]uint64, len(op.Values)),
	}
	return func(fr []uint64) {
		flat, ok := e.evaluate(fr, acc.dst[0])
		switch {
		case !ok:
			return
		case acc.op != nil:
			e.combine(fr, acc.k, acc.dst, acc.op, s.Span)
			acc.k.sem.thread(acc.k.now)
			return
		case acc.any:
			acc.k.sem.thread(histWriter)
		default:
			if by, twice := acc.writers[flat]; twice && by != acc.k.now {
				fault(diag.ElementTwice, s.Span, "two threads write element %d of `%s`", flat, acc.src[0].name)
			}
			acc.writers[flat] = acc.k.now
		}
		for j, a := range acc.dst {
			acc.k.sem.put(a, a.position(e.ix), e.bits[j], guard{}, s.Span)
		}
		acc.k.sem.thread(acc.k.now)
	}
}
