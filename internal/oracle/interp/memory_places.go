package interp

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/scalar"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// A layout is a compiled place.
type layout struct {
	mem   **block
	parts []layoutPart // as in lmad.Fun: nearest to memory first
}

type layoutPart struct {
	off          scalar.Code
	lens, stride []scalar.Code
}

func (fn *function) layout(el *ir.Elem) *layout {
	f := fn.indexFunction(el)
	l := &layout{mem: fn.block(el.Type.Place.Mem, el.Span)}
	for _, p := range f.Parts {
		q := layoutPart{off: fn.poly(p.Offset)}
		for _, d := range p.Dims {
			q.lens = append(q.lens, fn.poly(d.Len))
			q.stride = append(q.stride, fn.poly(d.Stride))
		}
		l.parts = append(l.parts, q)
	}
	return l
}

func (fn *function) indexFunction(el *ir.Elem) lmad.Fun {
	p := el.Type.Place
	if p == nil {
		panic((&diag.Diagnostic{Severity: diag.Error, Code: diag.NeedsPlace, Span: el.Span, Msg: "`" + el.Name + "` has no place: by memory only explicit functions run"}).
			Hinted("bring the program into explicit form first"))
	}
	f, err := lmad.OfPlace(p, el.Type.Shape)
	if err != nil {
		broken(p.Span.Join(el.Span), "the place of `%s`: %v", el.Name, err)
	}
	return f
}

func (fn *function) poly(p sym.Poly) scalar.Code { return fn.scalar(p.Exp()) }

// eval lays a out.
func (l *layout) eval(fr []uint64, a *array) {
	hold(&a.mem, *l.mem)
	last := len(l.parts) - 1
	p := &l.parts[last]
	a.off = int64(p.off(fr))
	a.dims = p.dims(fr, a.dims[:0])
	a.below = nil
	for k := last - 1; k >= 0; k-- {
		q := &l.parts[k]
		a.below = append(a.below, part{int64(q.off(fr)), q.dims(fr, nil)})
	}
}

func (p *layoutPart) dims(fr []uint64, into []dim) []dim {
	for k, c := range p.lens {
		into = append(into, dim{int64(c(fr)), int64(p.stride[k](fr))})
	}
	return into
}

// existentials lists the scalars that a place binds.
func existentials(p *ir.Place) []string {
	var names []string
	add := func(e ir.Exp) {
		if x, ok := e.(*ir.Exist); ok {
			names = append(names, x.Name)
		}
	}
	for _, op := range p.Ix {
		switch op := op.(type) {
		case *ir.LMAD:
			add(op.Offset)
			for _, d := range op.Dims {
				add(d.Len)
				add(d.Stride)
			}
		case *ir.Direct:
			for _, e := range op.Sizes {
				add(e)
			}
		case *ir.IxReshape:
			for _, e := range op.Sizes {
				add(e)
			}
		case *ir.IxSlice:
			for _, it := range op.Items {
				for _, e := range []ir.Exp{it.Index, it.Start, it.Len, it.Stride} {
					add(e)
				}
			}
		}
	}
	return names
}

// binder binds the existential names of el's place to where the value lies,
// and then checks that the value lies where the place says.
func (m *memoryArrays) binder(fn *function, el *ir.Elem, a *array) func([]uint64) {
	f := fn.indexFunction(el)
	p := el.Type.Place
	names := map[string]bool{}
	if p.Exist {
		for _, n := range existentials(p) {
			names[n] = true
		}
	}
	blk := fn.block(p.Mem, el.Span)
	binds := fn.bindings(f, names)
	l := fn.layout(el)
	want := temporary(a)
	return func(fr []uint64) {
		if p.Exist {
			hold(blk, a.mem)
		}
		if binds != nil {
			binds(fr, a)
		}
		l.eval(fr, want)
		if !sameLayout(want, a) {
			fault(diag.OtherPlace, el.Span, "`%s` is not in the place of its type: it lies in block `%s` at %s, and its type says `%s` at %s",
				el.Name, a.mem.name, a.layoutString(), want.mem.name, want.layoutString())
		}
		want.clear()
	}
}

// bindings compiles the binding of existential scalars: each is one offset,
// length or stride of the index function, and takes the value's.
func (fn *function) bindings(f lmad.Fun, names map[string]bool) func(fr []uint64, a *array) {
	type binding struct {
		slot, part, dim int // dim -1: the offset
		length          bool
	}
	var all []binding
	note := func(p sym.Poly, part, dim int, length bool) {
		if r, ok := p.Exp().(*ir.Ref); ok && names[r.Name] {
			delete(names, r.Name)
			all = append(all, binding{fn.scalarSlot(r.Name), part, dim, length})
		}
	}
	for k, p := range f.Parts {
		note(p.Offset, k, -1, false)
		for d, q := range p.Dims {
			note(q.Stride, k, d, false)
			note(q.Len, k, d, true)
		}
	}
	if all == nil {
		return nil
	}
	count := len(f.Parts)
	return func(fr []uint64, a *array) {
		if len(a.below)+1 != count {
			return // names that stay unbound make the layouts differ
		}
		for _, b := range all {
			off, dims := a.off, a.dims
			if k := count - 2 - b.part; k >= 0 {
				off, dims = a.below[k].off, a.below[k].dims
			}
			switch {
			case b.dim < 0:
				fr[b.slot] = uint64(off)
			case b.dim >= len(dims):
			case b.length:
				fr[b.slot] = uint64(dims[b.dim].len)
			default:
				fr[b.slot] = uint64(dims[b.dim].stride)
			}
		}
	}
}

// layoutString returns the index function in the language's notation.
func (a *array) layoutString() string {
	s := lmadString(a.off, a.dims)
	for _, p := range a.below {
		s = lmadString(p.off, p.dims) + " -> " + s
	}
	return s
}

func lmadString(off int64, dims []dim) string {
	s := "LMAD(" + itoa(int(off))
	for k, d := range dims {
		s += [...]string{"; ", ", "}[min(k, 1)] + "(" + itoa(int(d.len)) + " : " + itoa(int(d.stride)) + ")"
	}
	return s + ")"
}

// call checks that an argument which a call consumes shares no byte with another one: the
// callee may write there whatever it likes.
func (m *memoryArrays) call(fn string, own []bool, args []operand, at diag.Span) func() {
	if !slices.Contains(own, true) {
		return nil
	}
	return func() {
		for k, x := range args {
			for j, y := range args {
				if own[k] && j != k && x.arr != nil && y.arr != nil && m.meet(x.arr, y.arr, at) {
					fault(diag.Overwritten, at, "`%s` consumes `%s`, and `%s` lies in the same bytes of block `%s`", fn, x.arr.name, y.arr.name, x.arr.mem.name)
				}
			}
		}
	}
}

// meet reports whether two arrays have a byte in common.
func (m *memoryArrays) meet(x, y *array, at diag.Span) bool {
	if x.mem != y.mem {
		return false
	}
	in, found := make([]bool, len(x.mem.time)), false
	m.granules(x, "call", at, func(g int64) { in[g] = true })
	m.granules(y, "call", at, func(g int64) { found = found || in[g] })
	return found
}

// granules gives the granules in which the elements of an array lie.
func (m *memoryArrays) granules(a *array, what string, at diag.Span, f func(g int64)) {
	a.runs(func(pos, n, stride int64) {
		for range n {
			byte := m.offset(a, pos, what, at)
			for g := byte >> m.shift; g <= (byte+a.size-1)>>m.shift; g++ {
				f(g)
			}
			pos += stride
		}
	})
}

// A memoryView makes delayed arrays by their places, whatever the operation.
type memoryView struct {
	l   *layout
	el  *ir.Elem
	a   *array
	src *array
}

func (m *memoryArrays) viewer(fn *function, el *ir.Elem, a, src *array) viewer {
	return &memoryView{fn.layout(el), el, a, src}
}

func (w *memoryView) place(fr []uint64) {
	if w.el.Type.Place.Exist {
		hold(w.l.mem, w.src.mem)
	}
	w.l.eval(fr, w.a)
	w.a.stamp, w.a.born = w.src.stamp, w.src.born
	if w.a.mem != w.src.mem {
		fault(diag.OtherPlace, w.el.Span, "the delayed array `%s` lies in block `%s`, and its source `%s` in `%s`",
			w.a.name, w.a.mem.name, w.src.name, w.src.mem.name)
	}
}

func (w *memoryView) alias(fr []uint64)                           { w.place(fr) }
func (w *memoryView) reshape(fr []uint64, _ []int64, _ diag.Span) { w.place(fr) }
func (w *memoryView) rearrange(fr []uint64, _ []int)              { w.place(fr) }
func (w *memoryView) slice(fr []uint64, _ []selected)             { w.place(fr) }
