package interp

import (
	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// memoryArrays is the semantics by memory: an array lives in the bytes that its place names.
//
// Note [Time]. A clock ticks whenever an array is made or updated. The bytes that this event writes
// get its time, and so does the array's value. Delayed arrays, aliases, and results of if, loop and
// call keep the time of the value. An update's result has the new time, so that it sees all bytes;
// the old value does not. The results of a kernel get the time of the kernel's end, since threads
// make arrays in them before that. A byte has been overwritten if it was written after the time of
// the value through which it is read.
type memoryArrays struct {
	*machine
	file   *diag.File
	shift  uint // log2 of a granule's bytes
	clock  uint32
	events []int32 // from a time, less one, to a site

	epoch uint32 // counts kernels
	// levels are the kernels that run: one, or one of groups and one within.
	levels []level
	// gap is the work of a group between two barriers; barriers are their positions.
	gap      interval
	barriers Barriers
}

// A level is a kernel that runs, by one of its threads.
type level struct {
	kernel *kernel
	epoch  uint32
	id     uint32 // of the thread; 0 where the kernel's statement itself is at work
}

func newMemoryArrays(m *machine, p *ir.Program) *memoryArrays {
	shift := uint(0)
	for size := smallest(p); size > 1; size /= 2 {
		shift++
	}
	return &memoryArrays{machine: m, file: p.File, shift: shift}
}

func (m *memoryArrays) index(a *array, e *ir.Index, ix []scalar.Code) scalar.Code {
	load, at := a.load, e.At
	single := len(ix) == 1
	return func(fr []uint64) uint64 {
		pos := a.off
		if single {
			i := int64(ix[0](fr))
			d := a.dims[0]
			if uint64(i) >= uint64(d.len) {
				outside(fr, a, e, ix, 0, i)
			}
			pos += i * d.stride
		} else {
			for k, c := range ix {
				i := int64(c(fr))
				d := a.dims[k]
				if uint64(i) >= uint64(d.len) {
					outside(fr, a, e, ix, k, i)
				}
				pos += i * d.stride
			}
		}
		if a.below != nil {
			pos = a.descend(pos)
		}
		if byte, ok := m.read(a, pos, at); !ok {
			m.unset(a, byte, at)
		}
		m.readInGap(a, pos, at)
		return load(a.mem.data, pos)
	}
}

func (m *memoryArrays) unset(a *array, byte int64, at diag.Span) {
	panic((&diag.Diagnostic{Severity: diag.Error, Code: diag.Undefined, Span: at,
		Msg: "read of undefined memory: `" + a.name + "[..]` in block `" + a.mem.name + "`, byte " + itoa(int(byte))}).
		With(m.sites[a.site].Span, "`%s` is made here", a.name))
}

// creator evaluates the place; its lengths must be those of the array, which must fit in
// the block.
func (m *memoryArrays) creator(fn *function, el *ir.Elem, a *array, at diag.Span) func([]uint64, []int64) {
	l := fn.layout(el)
	if el.Type.Place.Exist {
		broken(el.Span, "the fresh array `%s` binds a block", el.Name)
	}
	fits := fn.fits(el)
	return func(fr []uint64, shape []int64) {
		l.eval(fr, a)
		if len(a.dims) != len(shape) {
			broken(el.Span, "the index function of `%s` has %d dimensions instead of %d", el.Name, len(a.dims), len(shape))
		}
		for k, n := range shape {
			if a.dims[k].len != n {
				sizesDiffer(el.Span, "dimension "+itoa(k)+" of `"+el.Name+"` and of its place", n, a.dims[k].len)
			}
		}
		if bytes := int64(len(a.mem.data)); !fits(fr, bytes) {
			fault(diag.OutsideBlock, at, "`%s` does not fit in its block `%s`, which has %d bytes", el.Name, el.Type.Place.Mem, bytes)
		}
		a.stamp = m.tick(a.site)
		a.born = a.stamp
	}
}

// fits compiles the test that an array lies in a block of some bytes (ir/lmad, Note
// [Fitting]): by the index function as it is written, so that it holds no sooner than
// what compiled code tests.
func (fn *function) fits(el *ir.Elem) func(fr []uint64, bytes int64) bool {
	const bytes = "bytes of the block" // no name
	cond, ok := fn.indexFunction(el).Fits(el.Type.Prim.Size(), ir.Var(bytes))
	if !ok {
		limited(el.Span, "the place of `%s` is too long to be checked", el.Name)
	}
	slot := fn.scalarSlot(bytes)
	test := fn.scalar(cond)
	return func(fr []uint64, n int64) bool {
		fr[slot] = uint64(n)
		return test(fr) != 0
	}
}

// param makes a block of exactly the array's size.
func (m *memoryArrays) param(el *ir.Elem, a *array, shape []int64) {
	n := a.size
	for _, d := range shape {
		n *= d
	}
	name := el.Name
	if p := el.Type.Place; p != nil {
		name = p.Mem
	}
	a.rowMajor(m.memory(name, n, el.Span), shape)
	a.stamp = m.tick(a.site)
	a.born = a.stamp
}

// memory makes a block of undefined bytes.
func (m *memoryArrays) memory(name string, n int64, at diag.Span) *block {
	return m.shadowed(m.newBlock(name, n, at), at)
}

// shadowed poisons a new block, and gives it a shadow.
func (m *memoryArrays) shadowed(b *block, at diag.Span) *block {
	n := int64(len(b.data))
	b.poison(0, n)
	granules := (n + 1<<m.shift - 1) >> m.shift
	b.claim(4*granules, at)
	b.shadow = &shadow{time: make([]uint32, granules)}
	return b
}

// poison fills bytes with a value that is wrong and easy to recognise.
func (b *block) poison(from, to int64) {
	d := b.data[from:to]
	for k := range d {
		d[k] = 0xCD
	}
}

func (m *memoryArrays) alloc(name, space string, bytes scalar.Code, at diag.Span) func([]uint64) *block {
	return func(fr []uint64) *block {
		n := max(0, int64(bytes(fr)))
		if space != "" { // none of the device
			return m.shadowed(m.makeBlock(name, n, at, true), at)
		}
		m.stats.Allocs++
		return m.memory(name, n, at)
	}
}

func (m *memoryArrays) consume(dst, src *array, _ diag.Span) {
	dst.assign(src)
	dst.stamp = m.tick(dst.site)
}

// scratch leaves the place as it is: another array may still be there, until
// elements are written. But to what is made from the scratch array they are
// undefined until then.
func (m *memoryArrays) scratch(a *array) {
	at := m.sites[a.site].Span
	if a.mem.scratched == nil {
		a.mem.claim(4*int64(len(a.mem.time)), at)
		a.mem.scratched = make([]uint32, len(a.mem.time))
	}
	m.granules(a, "scratch", at, func(g int64) { a.mem.scratched[g] = a.stamp })
}

func (m *memoryArrays) get(a *array, pos int64, at diag.Span) uint64 {
	if byte, ok := m.read(a, pos, at); !ok {
		m.unset(a, byte, at)
	}
	m.readInGap(a, pos, at)
	return a.load(a.mem.data, pos)
}

func (m *memoryArrays) put(a *array, pos int64, bits uint64, g guard, at diag.Span) {
	m.write(a, pos, g, 0, at)
	a.store(a.mem.data, pos, bits)
}

func (m *memoryArrays) gather(a *array, into *elements, strict bool, at diag.Span) {
	to, size := into.data, a.size
	done := int64(0)
	a.runs(func(pos, n, stride int64) {
		for range n {
			byte, ok := m.read(a, pos, at)
			if !ok {
				if strict {
					m.unset(a, byte, at)
				}
				if into.undefined == nil {
					into.undefined = make([]bool, int64(len(into.data))/size)
				}
				into.undefined[done] = true
			}
			copy(to, a.mem.data[byte:byte+size])
			to = to[size:]
			done++
			pos += stride
		}
	})
}

func (m *memoryArrays) spread(a *array, from *elements, g guard, at diag.Span) {
	src, size := from.data, a.size
	done := 0
	a.runs(func(pos, n, stride int64) {
		for range n {
			mark := uint32(0)
			if from.undefined != nil && from.undefined[done] {
				mark = undefined
			}
			byte := m.write(a, pos, g, mark, at)
			copy(a.mem.data[byte:byte+size], src)
			src = src[size:]
			done++
			pos += stride
		}
	})
}

// same holds where dst's elements are there already. What was scratched behind
// src's making is defined then, though nothing is written.
func (m *memoryArrays) same(dst, src *array) bool {
	if !sameLayout(dst, src) {
		return false
	}
	if s := src.mem.scratched; s != nil {
		src.runs(func(pos, n, stride int64) {
			for range n {
				byte := pos * src.size
				for g := byte >> m.shift; g <= (byte+src.size-1)>>m.shift && g >= 0 && g < int64(len(s)); g++ {
					if s[g] > src.born {
						s[g] = 0
					}
				}
				pos += stride
			}
		})
	}
	return true
}

// intact is for a value that already lay in its place and was not written: no
// other result of the kernel may have been written over it.
func (m *memoryArrays) intact(a *array, g guard, at diag.Span) {
	a.runs(func(pos, n, stride int64) {
		for range n {
			byte := m.offset(a, pos, "read", at)
			for i := byte >> m.shift; i <= (byte+a.size-1)>>m.shift; i++ {
				if w := a.mem.time[i] &^ undefined; w >= g.low && w <= g.high && w != 0 {
					m.overwritten(a, i, w, at)
				}
			}
			pos += stride
		}
	})
}

func (m *memoryArrays) enter(k *kernel) {
	m.epoch++
	m.levels = append(m.levels, level{kernel: k, epoch: m.epoch})
}

func (m *memoryArrays) leave(k *kernel) {
	m.levels = m.levels[:len(m.levels)-1]
	if k.groups {
		m.gap.epoch = 0
	}
	if len(k.results) == 0 {
		return
	}
	end := m.tick(k.results[0].dst.site)
	for _, r := range k.results {
		r.dst.stamp = end
	}
}

func (m *memoryArrays) thread(t int64) {
	l := &m.levels[len(m.levels)-1]
	switch t {
	case noThread:
		l.id = 0
	case combiner:
		l.id = combinerID
	case histWriter:
		l.id = histID
	default:
		if t >= histID-1 {
			limited(l.kernel.at, "a kernel of more than %d threads", int64(histID)-1)
		}
		l.id = uint32(t + 1)
	}
	m.atWork(t)
}

// smallest returns the size of the smallest element of an array of the program.
func smallest(p *ir.Program) int64 {
	size := int64(8)
	elem := func(el *ir.Elem) {
		if el.Type.Kind == ir.ArrayKind {
			size = min(size, max(1, el.Type.Prim.Size()))
		}
	}
	var body func(b *ir.Body)
	body = func(b *ir.Body) {
		for _, s := range b.Stmts {
			for _, el := range s.Pat {
				elem(el)
			}
			ir.Elems(s.Op, elem)
			for _, inner := range ir.Bodies(s.Op) {
				body(inner)
			}
		}
	}
	for _, f := range p.Funcs {
		for _, el := range f.Params {
			elem(el)
		}
		body(f.Body)
	}
	return size
}
