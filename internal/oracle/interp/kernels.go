package interp

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// A kernel is the index space of one parallel expression and its results.
// Threads run one after another, in row-major order of their indices.
type kernel struct {
	*function
	at    diag.Span
	slots []int // of the index names
	sizes func(fr []uint64, into []int64)
	n     []int64 // the bounds
	ix    []int64 // the indices of the thread that runs
	now   int64   // its number
	body  *body
	// groups: each point is a group of threads. sharedOut: in such a group point k of each
	// kernel is the same thread's.
	groups, sharedOut bool
	// alike: see there. Each of the spaces of idle must be empty then.
	alike bool
	idle  [][]scalar.Code
	// results are the arrays that the kernel makes; guard covers their events.
	results []*kernelResult
	guard   guard
}

// space compiles the bounds, before the body that sees their names.
func (fn *function) space(s *ir.Stmt, space ir.Space, body *ir.Body) *kernel {
	k := &kernel{function: fn, at: s.Span, sizes: fn.sizes(space.Sizes()), n: make([]int64, len(space)), ix: make([]int64, len(space))}
	names := map[string]bool{}
	for _, b := range space {
		names[b.Var] = true
	}
	idle, same := alike(body, names)
	if k.alike = same; same {
		for _, s := range idle {
			k.idle = append(k.idle, fn.scalarsOf(s.Sizes()))
		}
	}
	for _, b := range space {
		k.slots = append(k.slots, fn.scalarSlot(b.Var))
	}
	return k
}

// begin evaluates the bounds.
func (k *kernel) begin(fr []uint64) { k.sizes(fr, k.n) }

// checkThreads refuses more threads than ir.MaxBytes. Results that are too large are told of first.
func checkThreads(at diag.Span, bounds []int64) {
	if _, ok := extent(bounds, 1); !ok {
		fault(diag.TooManyThreads, at, "too many threads: an index space of shape %v", bounds)
	}
}

// create makes the results' places and enters the kernel.
func (k *kernel) create(fr []uint64) {
	for _, r := range k.results {
		r.make(fr)
	}
	checkThreads(k.at, k.n)
	if len(k.results) > 0 {
		k.guard = guard{k.results[0].dst.stamp, k.results[len(k.results)-1].dst.stamp}
	}
	k.sem.enter(k)
}

// empty reports whether the kernel writes arrays, and none has an element.
func (k *kernel) empty() bool {
	for _, r := range k.results {
		if r.dst.elems() > 0 {
			return false
		}
	}
	return len(k.results) > 0
}

// idles reports whether the maps in the body whose points differ have none.
func (k *kernel) idles(fr []uint64) bool {
	for _, sizes := range k.idle {
		if !slices.ContainsFunc(sizes, func(n scalar.Code) bool { return n(fr) == 0 }) {
			return false
		}
	}
	return true
}

// threads calls f for every thread, with the index names bound, and ends the
// kernel.
func (k *kernel) threads(fr []uint64, f func()) {
	total := int64(1)
	for d, n := range k.n {
		total *= n
		k.ix[d] = 0
		fr[k.slots[d]] = 0
	}
	if k.alike && total > 1 && k.empty() && k.idles(fr) {
		total = min(total, 1)
	}
	for t := range total {
		k.step(len(k.body.stmts))
		k.now = t
		k.sem.thread(t)
		f()
		for d := len(k.ix) - 1; d >= 0; d-- {
			k.ix[d]++
			if k.ix[d] < k.n[d] {
				fr[k.slots[d]] = uint64(k.ix[d])
				break
			}
			k.ix[d] = 0
			fr[k.slots[d]] = 0
		}
	}
	for _, r := range k.results {
		if r.sub != nil {
			r.sub.clear()
		}
	}
	k.sem.leave(k)
}

// A kernelResult is an array that the threads of a kernel write, each its own
// part.
type kernelResult struct {
	k      *kernel
	dst    *array
	create func(fr []uint64, shape []int64)
	outer  int           // how many bounds are dimensions of it
	inner  []scalar.Code // its own dimensions
	shape  []int64
	value  operand
	sub    *array
	buf    *elements
	placed bool // the thread's value lay in its place already
}

// result compiles the array of el, whose outer dimensions are the first outer
// bounds, from the body's value v.
func (k *kernel) result(el *ir.Elem, outer int, v operand) *kernelResult {
	inner := k.dims(el.Type, outer)
	dst := k.declare(el).arr
	if dst == nil {
		broken(el.Span, "`%s` is no array", el.Name)
	}
	r := &kernelResult{k: k, dst: dst, outer: outer, inner: inner, value: v, sub: &array{}}
	r.create = k.sem.creator(k.function, el, dst, k.at)
	return r
}

func (r *kernelResult) make(fr []uint64) {
	r.shape = append(r.shape[:0], r.k.n[:r.outer]...)
	for _, d := range r.inner {
		r.shape = append(r.shape, nonNegative(r.k.at, int64(d(fr))))
	}
	checkSize(r.k.at, r.shape, r.dst.size)
	r.create(fr, r.shape)
}

// write stores bits as the scalar part of the thread.
func (r *kernelResult) write(bits uint64) {
	r.k.sem.put(r.dst, r.dst.position(r.k.ix[:r.outer]), bits, r.k.guard, r.k.at)
}

// writeRow stores elements as the array part of the thread.
func (r *kernelResult) writeRow(from *elements) {
	r.dst.fix(r.k.ix[:r.outer], r.sub)
	r.k.sem.spread(r.sub, from, r.k.guard, r.k.at)
}

// fits checks that the thread's array has the result's own dimensions.
func (r *kernelResult) fits(a *array) {
	for d, n := range r.shape[r.outer:] {
		if got := a.dims[d].len; got != n {
			sizesDiffer(r.k.at, "dimension "+itoa(r.outer+d)+" of `"+r.dst.name+"`", got, n)
		}
	}
}

// store writes the thread's values of all results: everything is read first.
func (k *kernel) store(fr []uint64, results []*kernelResult) {
	moved, placed := false, false
	for _, r := range results {
		r.placed = false
		if r.value.kind == ir.ArrayKind {
			a := r.value.arr
			r.fits(a)
			r.buf = k.take(a.elems() * a.size)
			k.sem.gather(a, r.buf, false, k.at)
			r.dst.fix(k.ix[:r.outer], r.sub)
			r.placed = k.sem.same(r.sub, a)
		} else {
			r.buf = k.take(8)
			store64(r.buf.data, r.value.code(fr))
		}
		moved, placed = moved || !r.placed, placed || r.placed
	}
	for _, r := range results {
		switch {
		case r.placed:
		case r.value.kind == ir.ArrayKind:
			k.sem.moved(r.value.arr, k.at)
			k.sem.spread(r.sub, r.buf, k.guard, k.at)
			k.stats.CopiedBytes += int64(len(r.buf.data))
		default:
			r.write(load64(r.buf.data))
		}
	}
	for j := len(results) - 1; j >= 0; j-- {
		r := results[j]
		if moved && placed && r.placed {
			k.sem.intact(r.value.arr, k.guard, k.at)
		}
		k.give(r.buf)
		r.buf = nil
	}
}

// mapKernel compiles a map.
func (fn *function) mapKernel(s *ir.Stmt, op *ir.Map) code {
	k := fn.space(s, op.Space, op.Body)
	k.groups, k.sharedOut = ir.IsGroups(op), true
	if k.groups {
		fn.inGroup = true
		k.body = fn.compileBody(op.Body)
		fn.inGroup = false
	} else {
		k.body = fn.compileThread(op.Body)
	}
	if len(s.Pat) != len(k.body.results) {
		broken(s.Span, "%d values are bound to %d names", len(k.body.results), len(s.Pat))
	}
	for j, el := range s.Pat {
		k.results = append(k.results, k.result(el, len(op.Space), k.body.results[j]))
	}
	single := len(k.results) == 1 && k.results[0].value.kind == ir.ScalarKind
	return func(fr []uint64) {
		k.begin(fr)
		k.create(fr)
		if single {
			r := k.results[0]
			value := r.value.code
			k.threads(fr, func() {
				k.body.run(fr)
				r.write(value(fr))
				k.body.release()
			})
			return
		}
		k.threads(fr, func() {
			k.body.run(fr)
			k.store(fr, k.results)
			k.body.release()
		})
	}
}
