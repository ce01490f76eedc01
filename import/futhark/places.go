package futhark

import (
	"strings"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/lmad"
)

// Note [Keeping the places of a dump]
//
// A block of the dump becomes a block, an LMAD an index function. Views and updates get no written
// places, since these follow from their sources. If a pattern, a loop or a parameter list binds a
// block together with an array in it, the block becomes that array's existential place. A block
// without such an array stays a value of type mem.
//
// Where branches meet, Futhark's simplification may have replaced parts of an array's LMAD by
// scalars computed elsewhere. memc cannot prove that they are the branches' own. So if the texts
// differ, the result's offset and strides are existential, which is always right.
//
// A block allocated within a kernel exists once per thread. It becomes one block outside with all
// threads' parts, the thread's number innermost, as in Futhark's own expansion.
//
// If places cannot be kept, the function is translated once more without any, and memc's pass
// `explicit` decides; a remark says why. This also happens if ir/check does not accept the places,
// or internal/oracle/memcheck cannot prove that they are right: the results of a dump do not depend
// on places, so memc need not believe facts that it cannot prove.

// An unplaceable unwinds the translation of a function whose places cannot be
// kept.
type unplaceable struct {
	span diag.Span
	why  string
}

func (t *translator) noPlace(span diag.Span, why string) {
	panic(unplaceable{span, why})
}

// A private block is one per thread of a kernel.
type private struct {
	size int64 // of the elements, once known
	in   *kernel
}

// A kernel is the kernel under way.
type kernel struct {
	host   *block // where it will stand
	space  ir.Space
	inside map[string]bool   // names bound in its body
	defs   map[string]ir.Exp // of those, scalars and what they are
}

// threads returns how many there are, and number which one runs.
func (k *kernel) threads() ir.Exp {
	n := ir.CloneExp(k.space[0].Size)
	for _, d := range k.space[1:] {
		n = product(n, ir.CloneExp(d.Size))
	}
	return n
}

func (k *kernel) number() ir.Exp {
	var n ir.Exp = ir.Var(k.space[0].Var)
	for _, d := range k.space[1:] {
		n = sum(product(n, ir.CloneExp(d.Size)), ir.Var(d.Var))
	}
	return n
}

func isConst(e ir.Exp, v int64) bool {
	l, ok := e.(*ir.Lit)
	return ok && l.T == ir.I64 && (l.Text == "0" && v == 0 || l.Text == "1" && v == 1)
}

func sum(x, y ir.Exp) ir.Exp {
	switch {
	case isConst(x, 0):
		return y
	case isConst(y, 0):
		return x
	}
	return &ir.Binary{Op: "+", X: x, Y: y, T: ir.I64}
}

func product(x, y ir.Exp) ir.Exp {
	switch {
	case isConst(x, 1) || isConst(y, 0):
		return y
	case isConst(y, 1) || isConst(x, 0):
		return x
	}
	return &ir.Binary{Op: "*", X: x, Y: y, T: ir.I64}
}

// lexp translates an index expression.
func (t *translator) lexp(e *lexp) ir.Exp {
	if e.leaf != nil {
		if e.leaf.ext >= 0 {
			t.wrong(e.span, "`?%d` outside of a result's type", e.leaf.ext)
		}
		return t.exp(*e.leaf)
	}
	args := make([]ir.Exp, len(e.args))
	for i, a := range e.args {
		args[i] = t.lexp(a)
	}
	// A conversion names both types: sext_i32_i64.
	if parts := strings.Split(e.op, "_"); len(parts) == 3 && conversions[parts[0]] && len(args) == 1 {
		return t.convertBy(parts[0], args[0], t.prim(parts[2], e.span), e.span)
	}
	if x := t.primOn(e.op, args, e.span); x != nil {
		return x
	}
	return t.builtinOn(e.op, args, e.span)
}

// placeOf translates a place whose block is known.
func (t *translator) placeOf(pl *place, p ir.Prim, shape []ir.Dim) *ir.Place {
	m := t.find(pl.mem)
	if m == nil || m.kind != memKind || m.name == "" {
		t.noPlace(pl.span, "the block `"+pl.mem+"` is not known here")
	}
	l := t.lmadOf(pl, shape)
	if m.private != nil {
		t.spread(m.private, l, p, pl.span)
	}
	return t.asPlace(m.name, l, shape)
}

func (t *translator) lmadOf(pl *place, shape []ir.Dim) *ir.LMAD {
	if len(pl.strides) != len(shape) {
		t.wrong(pl.span, "%d strides for %d dimensions", len(pl.strides), len(shape))
	}
	l := &ir.LMAD{Offset: t.lexp(pl.offset)}
	for k, s := range pl.strides {
		stride := t.lexp(s)
		if isConst(stride, 0) && shape[k].Const != 1 {
			t.noPlace(pl.span, "the elements of an array are spread over threads")
		}
		l.Dims = append(l.Dims, ir.LMADDim{Len: shape[k].Exp(), Stride: stride})
	}
	return l
}

// asPlace leaves the index function out where it is row-major.
func (t *translator) asPlace(mem string, l *ir.LMAD, shape []ir.Dim) *ir.Place {
	pl := &ir.Place{Mem: mem, Ix: []ir.IxOp{l}}
	if f, err := lmad.OfPlace(pl, shape); err == nil && f.IsRowMajor() {
		pl.Ix = nil
	}
	return pl
}

// spread places the elements of a thread's array between those of the others.
func (t *translator) spread(m *private, l *ir.LMAD, p ir.Prim, at diag.Span) {
	if t.kern != m.in {
		t.noPlace(at, "a thread's block is used outside of its kernel")
	}
	if m.size == 0 {
		m.size = p.Size()
	}
	if m.size != p.Size() {
		t.noPlace(at, "a thread's block holds elements of several sizes")
	}
	l.Offset = sum(product(l.Offset, m.in.threads()), m.in.number())
	for k := range l.Dims {
		l.Dims[k].Stride = product(l.Dims[k].Stride, m.in.threads())
	}
}

// alloc translates an allocation.
func (t *translator) alloc(b *block, s *stm, e *eAlloc) {
	t.bindAll(s.pat)
	if !t.places {
		return
	}
	if len(s.pat) != 1 {
		t.wrong(s.span, "an allocation binds one block")
	}
	v := t.env.names[s.pat[0].name]
	*v = *t.newBlock(b, s.pat[0].name, t.exp(e.size))
}

// newBlock allocates; within a kernel outside of it, for all threads.
func (t *translator) newBlock(b *block, base string, bytes ir.Exp) *variable {
	if t.in == "" {
		name := t.fresh(base)
		b.emit([]*ir.Elem{{Name: name, Type: ir.Mem, Span: b.span}}, &ir.Alloc{Size: bytes})
		return &variable{kind: memKind, name: name}
	}
	if t.kern == nil {
		t.noPlace(b.span, "an operator allocates")
	}
	size := t.hoist(bytes, b.span)
	k := t.kern
	t.kern, t.in = nil, ""
	name := t.fresh(base)
	k.host.emit([]*ir.Elem{{Name: name, Type: ir.Mem, Span: b.span}}, &ir.Alloc{Size: product(size, k.threads())})
	t.kern, t.in = k, "kernel"
	return &variable{kind: memKind, name: name, private: &private{in: k}}
}

// hoist returns an expression of a kernel's body in terms of names from outside.
func (t *translator) hoist(e ir.Exp, at diag.Span) ir.Exp {
	return ir.MapExp(e, func(e ir.Exp) ir.Exp {
		switch e := e.(type) {
		case *ir.Ref:
			if !t.kern.inside[e.Name] {
				return e
			}
			if d := t.kern.defs[e.Name]; d != nil {
				return t.hoist(d, at)
			}
			t.noPlace(at, "the size of a thread's block depends on the thread")
		case *ir.Index:
			t.noPlace(at, "the size of a thread's block is read from an array")
		case *ir.Binary:
			if y, ok := e.Y.(*ir.Lit); (e.Op == "/" || e.Op == "%") && (!ok || isConst(y, 0)) {
				t.noPlace(at, "the size of a thread's block is a quotient")
			}
		case *ir.Builtin:
			if y, ok := e.Args[len(e.Args)-1].(*ir.Lit); (e.Fn == "fdiv" || e.Fn == "fmod") && (!ok || isConst(y, 0)) {
				t.noPlace(at, "the size of a thread's block is a quotient")
			}
		}
		return e
	})
}

// noteSizes looks for a thread's array whose size depends on the thread.
func (t *translator) noteSizes(es []*ir.Elem) {
	if t.kern == nil {
		return
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case unplaceable:
			t.varying = true
		default:
			panic(r)
		}
	}()
	for _, e := range es {
		for _, d := range e.Type.Shape {
			t.hoist(d.Exp(), e.Span)
		}
	}
}

// ownPlace gives an array of the importer's own a block.
func (t *translator) ownPlace(b *block, name string, p ir.Prim, shape []ir.Dim) *ir.Place {
	bytes := ir.Exp(ir.IntLit(p.Size()))
	l := &ir.LMAD{Offset: ir.IntLit(0)}
	stride := ir.Exp(ir.IntLit(1))
	for k := len(shape) - 1; k >= 0; k-- {
		bytes = product(bytes, shape[k].Exp())
		l.Dims = append([]ir.LMADDim{{Len: shape[k].Exp(), Stride: stride}}, l.Dims...)
		stride = product(ir.CloneExp(stride), shape[k].Exp())
	}
	m := t.newBlock(b, name+"_mem", bytes)
	if m.private != nil {
		t.spread(m.private, l, p, b.span)
	}
	return t.asPlace(m.name, l, shape)
}

// bindFresh binds a pattern whose arrays are made here, in their blocks.
func (t *translator) bindFresh(ps []*param) []*ir.Elem {
	es := t.bindAll(ps)
	if !t.places {
		t.noteSizes(es)
		return es
	}
	k := 0
	for _, p := range ps {
		v := t.env.names[p.name]
		if v.kind != arrayKind && v.kind != scalarKind {
			continue
		}
		if v.kind == arrayKind {
			if p.typ.place == nil {
				es[k].Type.Place = t.ownPlace(t.at, v.name, v.prim, v.shape)
			} else {
				es[k].Type.Place = t.placeOf(p.typ.place, v.prim, v.shape)
			}
		}
		k++
	}
	return es
}

// blocksOf returns the blocks that a list of names binds, and which of them hold
// an array of the list.
func blocksOf(ps []*param) map[string]bool {
	m := map[string]bool{}
	for _, p := range ps {
		if kindOf(p.typ) == memKind {
			m[p.name] = false
		}
	}
	for _, p := range ps {
		if p.typ.place != nil {
			if _, ok := m[p.typ.place.mem]; ok {
				m[p.typ.place.mem] = true
			}
		}
	}
	return m
}

// existential returns the place of an array that comes out of branches, a loop
// or a call: ix tells whether its index function is bound as well.
func (t *translator) existential(base string, l *ir.LMAD, shape []ir.Dim, ix bool) *ir.Place {
	name := t.fresh(base)
	if !ix {
		pl := t.asPlace(name, l, shape)
		pl.Exist = true
		return pl
	}
	e := &ir.LMAD{Offset: &ir.Exist{Name: t.fresh(base + "_at")}}
	for _, d := range shape {
		e.Dims = append(e.Dims, ir.LMADDim{Len: d.Exp(), Stride: &ir.Exist{Name: t.fresh(base + "_by")}})
	}
	return &ir.Place{Exist: true, Mem: name, Ix: []ir.IxOp{e}}
}

// hold lets a name of a block stand for an existential one.
func (t *translator) hold(mem, name string) {
	if v := t.env.names[mem]; v != nil && v.name == "" {
		v.name, v.unknown = name, t.in != ""
	}
}

// ixText notes the index function that the dump says an array has.
func (t *translator) ixText(pl *place, shape []ir.Dim) (mem, ix string) {
	m := t.find(pl.mem)
	if m == nil || m.private != nil || m.unknown || m.name == "" {
		return "", ""
	}
	l := &ir.LMAD{Offset: t.lexp(pl.offset)}
	for k, s := range pl.strides {
		l.Dims = append(l.Dims, ir.LMADDim{Len: shape[k].Exp(), Stride: t.lexp(s)})
	}
	return m.name, t.asPlace("m", l, shape).String()
}
