package interp

import (
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// destinations are the arrays that a scatter or hist consumes and gives back
// changed, with what a thread writes.
type destinations struct {
	k        *kernel
	src, dst []*array
	entry
}

// An entry is the index at which a thread writes arrays of one shape, and the values.
type entry struct {
	index  []scalar.Code
	values []scalar.Code
	ix     []int64
	bits   []uint64
}

// destinations compiles the common part of scatter and hist.
func (fn *function) destinations(s *ir.Stmt, names []string, space ir.Space, b *ir.Body) *destinations {
	d := &destinations{}
	for _, name := range names {
		d.src = append(d.src, fn.array(name, s.Span))
	}
	d.k = fn.space(s, space, b)
	d.k.body = fn.compileThread(b)
	rank := len(d.k.body.results) - len(names)
	if rank < 1 || len(s.Pat) != len(names) {
		broken(s.Span, "%d values for %d destinations and %d names", len(d.k.body.results), len(names), len(s.Pat))
	}
	for j, r := range d.k.body.results {
		switch {
		case r.kind != ir.ScalarKind:
			limited(r.at, "an array is written to one index of a destination")
		case j < rank:
			d.index = append(d.index, r.code)
		default:
			d.values = append(d.values, r.code)
		}
	}
	for _, el := range s.Pat {
		t := fn.declare(el)
		if t.kind != ir.ArrayKind || el.Type.Rank() != rank {
			broken(el.Span, "`%s` does not have as many dimensions as there are indices", el.Name)
		}
		d.dst = append(d.dst, t.arr)
		d.k.results = append(d.k.results, &kernelResult{k: d.k, dst: t.arr})
	}
	d.ix, d.bits = make([]int64, rank), make([]uint64, len(names))
	return d
}

// begin consumes the destinations, which must have one shape.
func (d *destinations) begin(fr []uint64) {
	d.k.begin(fr)
	checkThreads(d.k.at, d.k.n)
	d.k.consume(d.src, d.dst)
	d.k.guard = guard{d.dst[0].stamp, d.dst[len(d.dst)-1].stamp}
	d.k.sem.enter(d.k)
}

// consume makes dst of src, arrays that must have one shape.
func (k *kernel) consume(src, dst []*array) {
	for _, a := range src[1:] {
		for j, n := range a.dims {
			if first := src[0].dims[j].len; n.len != first {
				sizesDiffer(k.at, "dimension "+itoa(j)+" of `"+a.name+"` and of `"+src[0].name+"`", n.len, first)
			}
		}
	}
	for j, d := range dst {
		k.sem.consume(d, src[j], k.at)
	}
}

// evaluate evaluates the thread's index in dst, and the values; flat counts the elements in
// front of it, and ok is false where it is out of range.
func (e *entry) evaluate(fr []uint64, dst *array) (flat int64, ok bool) {
	ok = true
	for j, c := range e.index {
		i, n := int64(c(fr)), dst.dims[j].len
		e.ix[j] = i
		ok = ok && uint64(i) < uint64(n)
		flat = flat*n + i
	}
	for j, c := range e.values {
		e.bits[j] = c(fr)
	}
	return flat, ok
}

// combine combines the values with the elements at the index.
func (e *entry) combine(fr []uint64, k *kernel, dst []*array, o *operator, at diag.Span) {
	k.sem.thread(histWriter)
	for j, a := range dst {
		fr[o.arg[j]] = e.bits[j]
		fr[o.acc[j]] = k.sem.get(a, a.position(e.ix), at)
	}
	o.combine(fr)
	for j, a := range dst {
		k.sem.put(a, a.position(e.ix), fr[o.acc[j]], guard{}, at)
	}
}

// scatter compiles a scatter. Two threads that write one element have no
// order, so that is a fault, unless the scatter says that any will do.
func (fn *function) scatter(s *ir.Stmt, op *ir.Scatter) code {
	d := fn.destinations(s, op.Dests, op.Space, op.Body)
	d.k.sharedOut = true
	return func(fr []uint64) {
		d.begin(fr)
		written := make([]uint64, d.dst[0].elems()/64+1)
		once := d.k.guard
		if op.Any {
			once = guard{}
		}
		d.k.threads(fr, func() {
			d.k.body.run(fr)
			if flat, ok := d.evaluate(fr, d.dst[0]); ok {
				if op.Any {
					d.k.sem.thread(histWriter)
				} else if bit := uint64(1) << (flat % 64); written[flat/64]&bit != 0 {
					fault(diag.ElementTwice, s.Span, "two threads write element %d of `%s`", flat, d.src[0].name)
				} else {
					written[flat/64] |= bit
				}
				for j, a := range d.dst {
					d.k.sem.put(a, a.position(d.ix), d.bits[j], once, s.Span)
				}
			}
			d.k.body.release()
		})
	}
}

// hist compiles a hist: values are combined in the order of the threads.
func (fn *function) hist(s *ir.Stmt, op *ir.Hist) code {
	d := fn.destinations(s, op.Dests, op.Space, op.Body)
	o := fn.operator(s, op.Op)
	if len(o.acc) != len(d.dst) {
		broken(s.Span, "an operator on %d values for %d destinations", len(o.acc), len(d.dst))
	}
	return func(fr []uint64) {
		d.begin(fr)
		d.k.threads(fr, func() {
			d.k.body.run(fr)
			if _, ok := d.evaluate(fr, d.dst[0]); ok {
				d.combine(fr, d.k, d.dst, o, s.Span)
			}
			d.k.body.release()
		})
	}
}
