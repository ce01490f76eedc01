package interp

import (
	"slices"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// A dim is one dimension of an LMAD, in elements.
type dim struct{ len, stride int64 }

// A part is an LMAD that comes after the first on the way to memory: a flat
// position is unravelled row-major over its lengths.
type part struct {
	off  int64
	dims []dim
}

// An array is a variable that holds an array value: a place, by numbers. dims and off belong to the
// part that takes the indices; below holds further parts, the next one first, and is nearly always
// nil.
//
// Functions do not recurse and threads run one after another. So a variable of a function is one
// object, made when the function is compiled, and closures refer to it directly.
type array struct {
	mem   *block
	off   int64
	dims  []dim
	below []part
	// stamp is the block's generation (by value) or the time at which the value
	// was complete (by memory).
	stamp uint32
	// born is the time, by memory, at which the array was made that this one is a
	// view of or was updated from.
	born uint32
	element
}

// An element holds the facts about an array variable before the run.
type element struct {
	name  string
	prim  ir.Prim
	size  int64
	site  int32 // its index in machine.sites
	load  func(d []byte, i int64) uint64
	store func(d []byte, i int64, bits uint64)
}

func (m *machine) element(el *ir.Elem) element {
	load, store := access(el.Type.Prim)
	m.sites = append(m.sites, el)
	return element{name: el.Name, prim: el.Type.Prim, size: el.Type.Prim.Size(), site: int32(len(m.sites) - 1), load: load, store: store}
}

// assign makes a the value that b is.
func (a *array) assign(b *array) {
	hold(&a.mem, b.mem)
	a.off, a.below, a.stamp, a.born = b.off, b.below, b.stamp, b.born
	a.dims = append(a.dims[:0], b.dims...)
}

// clear forgets the value.
func (a *array) clear() { hold(&a.mem, nil) }

// rowMajor lays the array out row-major from the start of b.
func (a *array) rowMajor(b *block, shape []int64) {
	hold(&a.mem, b)
	a.off, a.below = 0, nil
	a.dims = a.dims[:0]
	for _, n := range shape {
		a.dims = append(a.dims, dim{len: n})
	}
	stride := int64(1)
	for k := len(a.dims) - 1; k >= 0; k-- {
		a.dims[k].stride = stride
		stride *= a.dims[k].len
	}
}

// elems returns the number of elements.
func (a *array) elems() int64 { return product(a.dims) }

func product(dims []dim) int64 {
	n := int64(1)
	for _, d := range dims {
		n *= d.len
	}
	return n
}

// descend takes a flat position through the parts below.
func (a *array) descend(pos int64) int64 {
	for _, p := range a.below {
		if pos < 0 || pos >= product(p.dims) {
			return -1 // outside: the check of the block reports it
		}
		next := p.off
		for k := len(p.dims) - 1; k >= 0; k-- {
			next += pos % p.dims[k].len * p.dims[k].stride
			pos /= p.dims[k].len
		}
		pos = next
	}
	return pos
}

// position returns the position of the element at ix, counted in elements from the
// start of the block.
func (a *array) position(ix []int64) int64 {
	pos := a.off
	for k, i := range ix {
		pos += i * a.dims[k].stride
	}
	return a.descend(pos)
}

// runs calls f for runs of elements, in row-major order: n elements from pos,
// stride apart.
func (a *array) runs(f func(pos, n, stride int64)) {
	total := a.elems()
	if total == 0 {
		return
	}
	last := len(a.dims) - 1
	if a.below != nil {
		ix := make([]int64, len(a.dims))
		for range total {
			f(a.position(ix), 1, 1)
			for k := last; k >= 0; k-- {
				if ix[k]++; ix[k] < a.dims[k].len {
					break
				}
				ix[k] = 0
			}
		}
		return
	}
	n, stride := int64(1), int64(1)
	outer := a.dims
	// Trailing dimensions that lie row-major make one run.
	if last >= 0 {
		n, stride = a.dims[last].len, a.dims[last].stride
		outer = a.dims[:last]
		for len(outer) > 0 && outer[len(outer)-1].stride == n*stride {
			n *= outer[len(outer)-1].len
			outer = outer[:len(outer)-1]
		}
	}
	switch len(outer) {
	case 0:
		f(a.off, n, stride)
		return
	case 1:
		for i := range outer[0].len {
			f(a.off+i*outer[0].stride, n, stride)
		}
		return
	}
	ix := make([]int64, len(outer))
	pos := a.off
	for range total / n {
		f(pos, n, stride)
		for k := len(outer) - 1; k >= 0; k-- {
			pos += outer[k].stride
			if ix[k]++; ix[k] < outer[k].len {
				break
			}
			pos -= ix[k] * outer[k].stride
			ix[k] = 0
		}
	}
}

// fix makes out the subarray at the leading indices ix.
func (a *array) fix(ix []int64, out *array) {
	hold(&out.mem, a.mem)
	off := a.off
	for k, i := range ix {
		off += i * a.dims[k].stride
	}
	out.off, out.below, out.stamp, out.born = off, a.below, a.stamp, a.born
	out.dims = append(out.dims[:0], a.dims[len(ix):]...)
	out.element = a.element
}

// A selected is an evaluated item of a slice.
type selected struct {
	fixed              bool
	start, len, stride int64
}

// slice makes out the selection from a.
func (a *array) slice(sel []selected, out *array) {
	hold(&out.mem, a.mem)
	off := a.off
	out.below, out.stamp, out.born = a.below, a.stamp, a.born
	dims := a.dims // out may be a
	out.dims = make([]dim, 0, len(sel))
	for k, s := range sel {
		off += s.start * dims[k].stride
		if !s.fixed {
			out.dims = append(out.dims, dim{s.len, s.stride * dims[k].stride})
		}
	}
	out.off = off
}

// check tests the selection against a's shape.
func (a *array) check(sel []selected, spans []diag.Span) {
	for k, s := range sel {
		n := a.dims[k].len
		if s.fixed {
			if uint64(s.start) >= uint64(n) {
				badIndex(spans[k], s.start, k, a.name, n)
			}
			continue
		}
		nonNegative(spans[k], s.len)
		if s.len == 0 {
			continue
		}
		// The bounds on the length and the stride keep the product from
		// wrapping.
		ok := uint64(s.start) < uint64(n)
		if ok && s.len > 1 {
			if s.stride == 0 {
				fault(diag.SliceRepeats, spans[k], "slice length %d stride 0 repeats an element of dimension %d of `%s`", s.len, k, a.name)
			}
			ok = s.len <= n && s.stride < n && -s.stride < n
			if ok {
				room := n - 1 - s.start
				step := s.stride
				if step < 0 {
					room, step = s.start, -step
				}
				ok = s.len-1 <= room/step
			}
		}
		if !ok {
			badSlice(spans[k], s, k, a.name, n)
		}
	}
}

// sameLayout reports whether a and b are the same elements of the same block. Those of an index
// function with several parts can be written in many ways, so their positions are compared.
func sameLayout(a, b *array) bool {
	if a.mem != b.mem || len(a.dims) != len(b.dims) || a.size != b.size {
		return false
	}
	empty := false
	same := a.off == b.off
	for k, d := range a.dims {
		e := b.dims[k]
		if d.len != e.len {
			return false
		}
		empty = empty || d.len == 0
		same = same && (d.stride == e.stride || d.len == 1)
	}
	same = same && slices.EqualFunc(a.below, b.below, func(p, q part) bool { return p.off == q.off && slices.Equal(p.dims, q.dims) })
	if empty || same || len(a.below)+len(b.below) == 0 {
		return empty || same
	}
	ix := make([]int64, len(a.dims))
	for n := range a.elems() {
		for k := len(ix) - 1; k >= 0; k-- {
			ix[k], n = n%a.dims[k].len, n/a.dims[k].len
		}
		if a.position(ix) != b.position(ix) {
			return false
		}
	}
	return true
}
