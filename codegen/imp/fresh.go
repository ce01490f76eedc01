package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// concat copies each argument to its part of the result, all at once.
func (b *block) concat(s *ir.Stmt, op *ir.Concat) {
	dst := b.create(s, s.Pat[0])
	start := sym.Const(0)
	var parts []transfer
	for _, x := range op.Args {
		src := b.f.arrays[x]
		n := src.shape()[op.Dim]
		part := &array{name: dst.name, prim: dst.prim, mem: dst.mem,
			fun: lmad.ConcatPart(dst.fun, op.Dim, start, n)}
		parts = append(parts, transfer{part, src})
		start = start.Add(n)
	}
	b.copyAll(parts)
}

// rangeOp fills an array with lo, lo+1, ...
func (b *block) rangeOp(s *ir.Stmt, op *ir.Range) {
	e := s.Pat[0]
	lo, hi := b.atom(b.exp(op.Lo), "lo"), b.atom(b.exp(op.Hi), "hi")
	b.checkSize(sym.Of(convert(hi, ir.I64)).Sub(sym.Of(convert(lo, ir.I64))), spanOf(op.Hi, s.Span))
	dst := b.create(s, e)
	b.fill(s, dst, "range", "fills `"+e.Name+"` with a range", func(in *block, ix []sym.Poly) ir.Exp {
		i := convert(ix[0].Exp(), lo.Prim())
		if l, ok := lo.(*ir.Lit); !ok || l.Bits != 0 {
			i = binary("+", lo, i)
		}
		return convert(i, e.Type.Prim)
	})
}

func convert(e ir.Exp, t ir.Prim) ir.Exp {
	if e.Prim() == t {
		return e
	}
	return &ir.Convert{X: e, T: t}
}

// replicate repeats a scalar or an array over new outer dims.
func (b *block) replicate(s *ir.Stmt, op *ir.Replicate) {
	e := s.Pat[0]
	b.sizes(s, op.Dims)
	src := b.arrayOperand(op.X)
	var x ir.Exp
	if src == nil {
		x = b.atom(b.exp(op.X), "x")
	}
	dst := b.create(s, e)
	from := func(b *block, src *array) {
		b.fill(s, dst, "replicate", "fills `"+e.Name+"` with copies of a value", func(in *block, ix []sym.Poly) ir.Exp {
			if src == nil {
				return x
			}
			return in.load(src, ix[len(op.Dims):])
		})
	}
	switch {
	case src == nil || b.separate(dst, src):
		from(b, src)
	case b.host():
		tmp := b.rowMajor("copy", src.prim, src.shape())
		b.copy(tmp, src)
		from(b, tmp)
		b.add(&Free{Mem: tmp.mem})
	case b.team:
		b.alone(func(in *block) {
			tmp, release := in.save(src)
			from(in, tmp)
			release()
		})
	case b.f.coincide(b.fix(dst, make([]sym.Poly, len(op.Dims))), src):
		from(b, src) // the first row is rewritten by itself, before any other
	default:
		b.when(b.overlapping(dst, src), func(in *block) {
			tmp, release := in.save(src)
			from(in, tmp)
			release()
		}, func(in *block) { from(in, src) })
	}
}

// arrayOperand returns the array that an operand names, or nil for a scalar.
func (b *block) arrayOperand(e ir.Exp) *array {
	if r, ok := e.(*ir.Ref); ok {
		return b.f.arrays[r.Name]
	}
	return nil
}

// load reads an element known to exist into a new variable.
func (b *block) load(a *array, ix []sym.Poly) *ir.Ref {
	off := b.offset(a, ix)
	v := b.temp("x", a.prim)
	b.get(&Load{Dst: v.Name, Prim: a.prim, Mem: a.mem, Off: off})
	return v
}

// store writes an element known to exist.
func (b *block) store(a *array, ix []sym.Poly, v ir.Exp) {
	b.add(&Store{Mem: a.mem, Prim: a.prim, Off: b.offset(a, ix), Val: v})
}

// fill writes value(index) to every element: by a kernel of its own on the
// host, by loops in a kernel.
func (b *block) fill(s *ir.Stmt, dst *array, base, doc string, value func(*block, []sym.Poly) ir.Exp) {
	if b.team {
		b.spreadFill(dst, value)
		return
	}
	if !b.host() {
		b.nest(dst.shape(), func(in *block, ix []sym.Poly) { in.store(dst, ix, value(in, ix)) })
		return
	}
	names := make([]string, len(dst.shape()))
	for i := range names {
		names[i] = b.f.temp("i")
	}
	b.grid(kernelName(s, base), doc, names, dst.shape(), func(in *block, ix []sym.Poly) {
		in.store(dst, ix, value(in, ix))
	})
}

// litChunk bounds the elements of an array literal that one kernel writes.
const litChunk = 64

// arrayLit writes the elements of a literal. On the host a kernel of one work-item evaluates and
// writes them, so that elements read from arrays do not travel to the host and back. The host
// itself writes a literal of many elements.
func (b *block) arrayLit(s *ir.Stmt, op *ir.ArrayLit) {
	dst := b.create(s, s.Pat[0])
	write := func(in *block, from, to int) {
		vals := make([]ir.Exp, to-from)
		for i, e := range op.Elems[from:to] {
			if in.arrayOperand(e) == nil {
				vals[i] = in.atom(in.exp(e), "x")
			}
		}
		for i, v := range vals {
			if v != nil {
				in.store(dst, []sym.Poly{sym.Const(int64(from + i))}, v)
			}
		}
	}
	if b.team && len(op.Elems) > 0 && b.arrayOperand(op.Elems[0]) == nil {
		b.alone(func(in *block) { write(in, 0, len(op.Elems)) })
		return
	}
	if !b.host() {
		write(b, 0, len(op.Elems))
		b.literalRows(dst, op)
		return
	}
	if values, ok := constants(op.Elems); ok && len(values) > litChunk {
		b.upload(dst, values)
		return
	}
	chunk := litChunk
	if len(op.Elems) > litChunk && b.readsFrom(op.Elems, dst) {
		chunk = len(op.Elems) // the first chunk could overwrite elements that a later one reads
	}
	if len(op.Elems) > 0 && b.arrayOperand(op.Elems[0]) == nil {
		for from := 0; from < len(op.Elems); from += chunk {
			to := min(from+chunk, len(op.Elems))
			b.single(kernelName(s, "literal"), "writes the elements of `"+dst.name+"`", func(in *block) { write(in, from, to) })
		}
	}
	b.literalRows(dst, op)
}

// readsFrom reports whether expressions may read in an array's place.
func (b *block) readsFrom(es []ir.Exp, dst *array) bool {
	found := false
	for _, e := range es {
		ir.ExpNames(e, func(n string) {
			src := b.f.arrays[n]
			found = found || src != nil && !b.separate(dst, src)
		})
	}
	return found
}

// literalRows copies the elements of a literal that are arrays.
func (b *block) literalRows(dst *array, op *ir.ArrayLit) {
	var rows []transfer
	for i, e := range op.Elems {
		if src := b.arrayOperand(e); src != nil {
			rows = append(rows, transfer{b.fix(dst, []sym.Poly{sym.Const(int64(i))}), src})
		}
	}
	b.copyAll(rows)
}

// fix returns the part of an array at fixed outer indices.
func (b *block) fix(a *array, ix []sym.Poly) *array {
	shape := a.shape()
	items := make([]ir.Item, len(shape))
	for d, n := range shape {
		if d < len(ix) {
			items[d] = ir.Item{Fixed: true, Index: ix[d].Exp()}
		} else {
			items[d] = ir.Item{Start: i64(0), Len: n.Exp()}
		}
	}
	return b.slice(a, items)
}

// update writes a scalar or an array into part of an array, in place.
func (b *block) update(s *ir.Stmt, op *ir.Update) {
	x := b.f.arrays[op.X]
	write := func(in *block) { in.updateScalar(x, op, s.Span) }
	switch src := b.arrayOperand(op.Value); {
	case src != nil:
		items := b.checkItems(x, op.Items, s.Span)
		b.copy(b.slice(x, items), src)
	case b.host() && b.updateReads(op):
		// One work-item reads, checks and writes, so that the host need not wait.
		b.single(kernelName(s, "update"), "writes one element of `"+x.name+"`", write)
	case b.team:
		b.alone(write) // if all of them read, a late one could read the new element
	default:
		write(b)
	}
	b.bind(s.Pat[0])
}

func (b *block) updateScalar(x *array, op *ir.Update, at diag.Span) {
	items := b.checkItems(x, op.Items, at)
	v := b.exp(op.Value)
	b.store(b.slice(x, items), nil, v)
}

// updateReads reports whether a scalar update reads arrays.
func (b *block) updateReads(op *ir.Update) bool {
	found := false
	ir.Exps(op, func(e ir.Exp) { ir.ExpNames(e, func(n string) { found = found || b.f.arrays[n] != nil }) })
	return found
}
