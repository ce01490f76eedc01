package interp

import (
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// fresh compiles the operations that make a fresh array. Each computes the
// shape, then reads all that it reads, then writes.
func (fn *function) fresh(s *ir.Stmt) code {
	var plan func(el *ir.Elem, dst *array) maker
	switch op := s.Op.(type) {
	case *ir.Copy:
		plan = fn.copy(s, op)
	case *ir.Concat:
		plan = fn.concat(s, op)
	case *ir.Scratch:
		plan = fn.scratch(op)
	case *ir.Range:
		plan = fn.sequence(op)
	case *ir.Replicate:
		plan = fn.replicate(s, op)
	case *ir.ArrayLit:
		plan = fn.literal(s, op)
	}
	el := one(s)
	dst := fn.declare(el).arr
	if dst == nil {
		broken(s.Span, "`%s` is no array", el.Name)
	}
	create := fn.sem.creator(fn, el, dst, s.Span)
	m := plan(el, dst)
	within := fn.proceeding(func(b Barriers) bool { return b.MeetsWithin(s) })
	return func(fr []uint64) {
		shape := m.shape(fr)
		fn.checkRoom(s.Span, shape, dst.size)
		m.fill(fr, func() {
			if within != nil {
				within(fr)
			}
			create(fr, shape)
		})
	}
}

// A maker makes one fresh array. fill reads its sources, then calls create,
// then writes.
type maker struct {
	shape func(fr []uint64) []int64
	fill  func(fr []uint64, create func())
}

// checkSize returns the number of elements of a shape, of that many bytes each. It
// refuses an array beyond ir.MaxBytes, where dims that are 0 count as 1.
func checkSize(at diag.Span, shape []int64, size int64) int64 {
	n, ok := extent(shape, size)
	if !ok {
		fault(diag.OutOfMemory, at, "out of memory: an array of shape %v", shape)
	}
	return n
}

// extent returns the product of some sizes; ok tells that it is within ir.MaxBytes.
func extent(shape []int64, size int64) (n int64, ok bool) {
	n = 1
	most := ir.MaxBytes / size
	for _, d := range shape {
		if most /= max(d, 1); most == 0 {
			return 0, false
		}
		n *= d
	}
	return n, true
}

// checkRoom refuses a fresh array that the interpreter could not hold. That must
// be known before fill runs, which gathers the elements in a buffer first.
func (m *machine) checkRoom(at diag.Span, shape []int64, size int64) {
	m.fits(checkSize(at, shape, size)*size, at)
}

func shapeOf(a *array, into []int64) []int64 {
	into = into[:0]
	for _, d := range a.dims {
		into = append(into, d.len)
	}
	return into
}

// move copies src to dst, unless it lies there already, and counts it. As
// reading comes first, the two may overlap.
func (fn *function) move(dst, src *array, create func(), at diag.Span) {
	buf := fn.take(src.elems() * src.size)
	fn.sem.gather(src, buf, false, at)
	if create != nil {
		create()
	}
	if !fn.sem.same(dst, src) {
		fn.sem.moved(src, at)
		fn.sem.spread(dst, buf, guardOf(dst), at)
		fn.stats.CopiedBytes += int64(len(buf.data))
	}
	fn.give(buf)
}

func (fn *function) copy(s *ir.Stmt, op *ir.Copy) func(*ir.Elem, *array) maker {
	src := fn.array(op.X, s.Span)
	var shape []int64
	return func(_ *ir.Elem, dst *array) maker {
		return maker{
			shape: func([]uint64) []int64 { shape = shapeOf(src, shape); return shape },
			fill:  func(_ []uint64, create func()) { fn.move(dst, src, create, s.Span) },
		}
	}
}

func (fn *function) concat(s *ir.Stmt, op *ir.Concat) func(*ir.Elem, *array) maker {
	args := make([]*array, len(op.Args))
	for k, name := range op.Args {
		args[k] = fn.array(name, s.Span)
	}
	var shape []int64
	slot := &array{}
	return func(_ *ir.Elem, dst *array) maker {
		return maker{
			shape: func([]uint64) []int64 {
				shape = shapeOf(args[0], shape)
				for _, a := range args[1:] {
					for d := range shape {
						if n := a.dims[d].len; d != op.Dim && n != shape[d] {
							sizesDiffer(s.Span, "dimension "+itoa(d)+" of `"+a.name+"`", n, shape[d])
						}
					}
					shape[op.Dim] += a.dims[op.Dim].len
				}
				return shape
			},
			fill: func(_ []uint64, create func()) {
				bufs := make([]*elements, len(args))
				for k, a := range args {
					bufs[k] = fn.take(a.elems() * a.size)
					fn.sem.gather(a, bufs[k], false, s.Span)
				}
				create()
				at := int64(0)
				for k, a := range args {
					n := a.dims[op.Dim].len
					slot.assign(dst)
					slot.element = dst.element
					slot.off += at * slot.dims[op.Dim].stride
					slot.dims[op.Dim].len = n
					if !fn.sem.same(slot, a) {
						fn.sem.moved(a, s.Span)
						fn.sem.spread(slot, bufs[k], guardOf(dst), s.Span)
						fn.stats.CopiedBytes += int64(len(bufs[k].data))
					}
					at += n
				}
				slot.clear()
				for k := range bufs {
					fn.give(bufs[len(bufs)-1-k])
				}
			},
		}
	}
}

func (fn *function) scratch(op *ir.Scratch) func(*ir.Elem, *array) maker {
	shape, dims := make([]int64, len(op.Dims)), fn.sizes(op.Dims)
	return func(_ *ir.Elem, dst *array) maker {
		return maker{
			shape: func(fr []uint64) []int64 { dims(fr, shape); return shape },
			fill: func(_ []uint64, create func()) {
				create()
				fn.sem.scratch(dst)
			},
		}
	}
}

// sequence is [lo ..< hi]. The elements count up in the bounds' type and are
// then converted to the array's.
func (fn *function) sequence(op *ir.Range) func(*ir.Elem, *array) maker {
	lo, hi := fn.scalar(op.Lo), fn.scalar(op.Hi)
	p := op.Hi.Prim()
	at := op.Hi.Span()
	wrap := scalar.Wrap(p)
	shape := make([]int64, 1)
	var from uint64
	return func(el *ir.Elem, dst *array) maker {
		convert := scalar.Convert(p, el.Type.Prim)
		return maker{
			shape: func(fr []uint64) []int64 {
				from = lo(fr)
				shape[0] = nonNegative(at, int64(hi(fr)-from))
				return shape
			},
			fill: func(_ []uint64, create func()) {
				buf := fn.take(shape[0] * dst.size)
				for i := range shape[0] {
					dst.store(buf.data, i, convert(wrap(from+uint64(i))))
				}
				create()
				fn.sem.spread(dst, buf, guardOf(dst), at)
				fn.give(buf)
			},
		}
	}
}

func (fn *function) replicate(s *ir.Stmt, op *ir.Replicate) func(*ir.Elem, *array) maker {
	x := fn.operand(op.X)
	dims := fn.sizes(op.Dims)
	shape := make([]int64, len(op.Dims))
	outer := len(op.Dims)
	return func(_ *ir.Elem, dst *array) maker {
		return maker{
			shape: func(fr []uint64) []int64 {
				shape = shape[:outer]
				dims(fr, shape)
				if x.kind == ir.ArrayKind {
					for _, d := range x.arr.dims {
						shape = append(shape, d.len)
					}
				}
				return shape
			},
			fill: func(fr []uint64, create func()) {
				count := int64(1)
				for _, n := range shape {
					count *= n
				}
				one := fn.take(dst.size)
				if x.kind == ir.ArrayKind {
					fn.resized(one, x.arr.elems()*dst.size)
					fn.sem.gather(x.arr, one, false, s.Span)
					fn.sem.moved(x.arr, s.Span)
				} else {
					dst.store(one.data, 0, x.code(fr))
				}
				all := fn.take(count * dst.size)
				if n := int64(len(one.data)); n > 0 {
					for at := int64(0); at < int64(len(all.data)); at += n {
						copy(all.data[at:], one.data)
					}
				}
				if one.undefined != nil {
					all.undefined = make([]bool, count)
					for k := range all.undefined {
						all.undefined[k] = one.undefined[k%len(one.undefined)]
					}
				}
				create()
				fn.sem.spread(dst, all, guardOf(dst), s.Span)
				fn.give(all)
				fn.give(one)
			},
		}
	}
}

func (fn *function) literal(s *ir.Stmt, op *ir.ArrayLit) func(*ir.Elem, *array) maker {
	elems := fn.scalarsOf(op.Elems)
	shape := []int64{int64(len(elems))}
	return func(_ *ir.Elem, dst *array) maker {
		return maker{
			shape: func([]uint64) []int64 { return shape },
			fill: func(fr []uint64, create func()) {
				buf := fn.take(shape[0] * dst.size)
				for k, e := range elems {
					dst.store(buf.data, int64(k), e(fr))
				}
				create()
				fn.sem.spread(dst, buf, guardOf(dst), s.Span)
				fn.give(buf)
			},
		}
	}
}
