package interp

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
)

// An operator is a compiled combining function. Its accumulated values stay in
// the slots of its first parameters.
type operator struct {
	fn   *function
	acc  []int // slots of the accumulated values
	arg  []int // slots of the new values
	body *body
	next []scalar.Code
	temp []uint64
}

func (fn *function) operator(s *ir.Stmt, op ir.Operator) *operator {
	o := &operator{fn: fn}
	n := len(op.Params) / 2
	for k, p := range op.Params {
		t := fn.declare(p)
		if t.kind != ir.ScalarKind {
			limited(p.Span, "an operator's parameter is an array; operators work on scalars, element by element")
		}
		if k < n {
			o.acc = append(o.acc, t.slot)
		} else {
			o.arg = append(o.arg, t.slot)
		}
	}
	o.body = fn.compileThread(op.Body)
	if len(op.Params)%2 != 0 || len(o.body.results) != n || n == 0 {
		broken(s.Span, "an operator has %d parameters and %d results", len(op.Params), len(o.body.results))
	}
	for _, r := range o.body.results {
		if r.kind != ir.ScalarKind {
			broken(s.Span, "an operator gives an array")
		}
		o.next = append(o.next, r.code)
	}
	o.temp = make([]uint64, n)
	return o
}

// combine runs the operator on its slots; the result becomes the accumulated
// values.
func (o *operator) combine(fr []uint64) {
	o.body.run(fr)
	if len(o.next) == 1 {
		fr[o.acc[0]] = o.next[0](fr)
	} else {
		for k, c := range o.next {
			o.temp[k] = c(fr)
		}
		for k, slot := range o.acc {
			fr[slot] = o.temp[k]
		}
	}
	o.body.release()
}

// fold compiles reduce and scan: sequential folds from the left along the last
// bound, that begin with the neutral element.
func (fn *function) fold(s *ir.Stmt, space ir.Space, oper ir.Operator, b *ir.Body, scan bool) code {
	k := fn.space(s, space, b)
	neutral := fn.scalarsOf(oper.Neutral)
	k.body = fn.compileThread(b)
	op := fn.operator(s, oper)
	n := len(op.acc)
	if len(neutral) != n || len(k.body.results) < n || len(s.Pat) != len(k.body.results) {
		broken(s.Span, "%d values, %d names, %d neutral elements and an operator on %d", len(k.body.results), len(s.Pat), len(neutral), n)
	}
	rank := len(space)
	outer := rank - 1 // dims that a combined result has from the space
	if scan {
		outer = rank
	}
	k.alike = k.alike && !slices.ContainsFunc(s.Pat[:n], func(el *ir.Elem) bool { return el.Type.Kind == ir.ScalarKind })
	arrays := k.body.results[0].kind == ir.ArrayKind
	f := &folding{k: k, op: op, neutral: neutral, scan: scan}
	for j, el := range s.Pat {
		v := k.body.results[j]
		switch {
		case j >= n:
			r := k.result(el, rank, v)
			f.mapped = append(f.mapped, r)
			k.results = append(k.results, r)
		case (v.kind == ir.ArrayKind) != arrays:
			limited(s.Span, "an operator combines arrays with scalars")
		case el.Type.Kind == ir.ScalarKind:
			f.scalars = append(f.scalars, fn.declare(el).slot)
			f.finals = append(f.finals, op.acc[j])
		default:
			r := k.result(el, outer, v)
			f.combined = append(f.combined, r)
			f.slots = append(f.slots, op.acc[j])
			k.results = append(k.results, r)
		}
	}
	if arrays {
		f.elems = make([]*elements, n)
		return f.runArrays
	}
	return f.runScalars
}

// A folding is a compiled reduce or scan.
type folding struct {
	k        *kernel
	op       *operator
	neutral  []scalar.Code
	scan     bool
	scalars  []int // slots of results without dimensions: what is accumulated last
	finals   []int // where that is accumulated
	combined []*kernelResult
	slots    []int // where these are accumulated
	mapped   []*kernelResult
	elems    []*elements // accumulated arrays
}

// first and last tell where in a fold the running thread stands.
func (f *folding) first() bool { return f.k.ix[len(f.k.ix)-1] == 0 }

func (f *folding) last() bool {
	d := len(f.k.ix) - 1
	return f.k.ix[d] == f.k.n[d]-1
}

// empty handles folds over nothing, whose result is the neutral element.
func (f *folding) empty(write func()) {
	k := f.k
	d := len(k.n) - 1
	if f.scan || k.n[d] != 0 || k.empty() {
		return
	}
	for j := range k.ix {
		k.ix[j] = 0
	}
	total := int64(1)
	for _, n := range k.n[:d] {
		total *= n
	}
	for range total {
		write()
		for j := d - 1; j >= 0; j-- {
			if k.ix[j]++; k.ix[j] < k.n[j] {
				break
			}
			k.ix[j] = 0
		}
	}
}

func (f *folding) runScalars(fr []uint64) {
	k, op := f.k, f.op
	values := make([]scalar.Code, len(op.arg))
	for j := range values {
		values[j] = k.body.results[j].code
	}
	reset := func() {
		for j, c := range f.neutral {
			fr[op.acc[j]] = c(fr)
		}
	}
	write := func() {
		for j, r := range f.combined {
			r.write(fr[f.slots[j]])
		}
	}
	k.begin(fr)
	k.create(fr)
	reset()
	f.empty(write)
	k.threads(fr, func() {
		if f.first() {
			reset()
		}
		k.body.run(fr)
		for j, v := range values {
			fr[op.arg[j]] = v(fr)
		}
		k.store(fr, f.mapped)
		k.body.release()
		op.combine(fr)
		switch {
		case f.scan:
			write() // the thread of each point writes there
		case len(f.combined) > 0 && f.last():
			k.sem.thread(combiner)
			write()
		}
	})
	for j, slot := range f.scalars {
		fr[slot] = fr[f.finals[j]]
	}
}

// runArrays folds arrays element by element.
func (f *folding) runArrays(fr []uint64) {
	k, op := f.k, f.op
	k.begin(fr)
	k.create(fr)
	inner := int64(1)
	for _, n := range f.combined[0].shape[f.combined[0].outer:] {
		inner *= n
	}
	for j, r := range f.combined {
		f.elems[j] = k.take(inner * r.dst.size)
	}
	values := make([]*elements, len(f.combined))
	for j, r := range f.combined {
		values[j] = k.take(inner * r.dst.size)
	}
	reset := func() {
		for j, r := range f.combined {
			bits := f.neutral[j](fr)
			for i := range inner {
				r.dst.store(f.elems[j].data, i, bits)
			}
		}
	}
	write := func() {
		for j, r := range f.combined {
			r.writeRow(f.elems[j])
		}
	}
	reset()
	f.empty(write)
	k.threads(fr, func() {
		if f.first() {
			reset()
		}
		k.body.run(fr)
		for j, r := range f.combined {
			r.fits(r.value.arr)
			k.sem.gather(r.value.arr, values[j], true, k.at)
			k.sem.moved(r.value.arr, k.at)
		}
		k.store(fr, f.mapped)
		k.body.release()
		for i := range inner {
			for j, r := range f.combined {
				fr[op.acc[j]] = r.dst.load(f.elems[j].data, i)
				fr[op.arg[j]] = r.dst.load(values[j].data, i)
			}
			op.combine(fr)
			for j, r := range f.combined {
				r.dst.store(f.elems[j].data, i, fr[op.acc[j]])
			}
		}
		if f.scan || f.last() {
			k.sem.thread(combiner)
			write()
		}
	})
	for j := range values {
		k.give(values[len(values)-1-j])
		k.give(f.elems[j])
	}
}
