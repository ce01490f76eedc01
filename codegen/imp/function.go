package imp

import (
	"cmp"

	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// lower lowers the whole function.
func (f *fn) lower() *Func {
	name := identifier(f.ir.Name)
	for f.l.used[name] {
		name += "_v"
	}
	f.l.used[name] = true
	f.out = &Func{Name: name}
	b := &block{f: f, nonneg: map[string]bool{}}
	f.params(b)
	b.body(f.ir.Body)
	f.results(b)
	b.end(f.ir.Body)
	f.out.Body = f.withSlots(b.stmts)
	if f.ir.Entry {
		f.entry()
	}
	return f.out
}

// params declares the parameters: sizes first, then one slot per scalar or block. The scalars that
// an array's place binds follow its block; an entry has none, since its arrays are row-major.
func (f *fn) params(b *block) {
	slot := func(name string, mem bool, t ir.Prim) {
		f.out.Params = append(f.out.Params, Slot{Name: name, Mem: mem, Prim: t})
		if mem {
			f.mems[name] = true // no variable of its own
		} else {
			f.declared[name] = true
		}
	}
	for _, s := range f.ir.Sizes {
		slot(f.name(s), false, ir.I64)
		b.nonneg[f.name(s)] = true
	}
	for _, e := range f.ir.Params {
		switch e.Type.Kind {
		case ir.ScalarKind:
			slot(f.name(e.Name), false, e.Type.Prim)
		case ir.MemKind:
			slot(f.name(e.Name), true, ir.Unknown)
		case ir.ArrayKind:
			if p := e.Type.Place; p == nil || p.Exist {
				slot(f.paramMem(e), true, ir.Unknown)
			}
			for _, n := range exists(e.Type.Place) {
				slot(f.name(n), false, ir.I64)
			}
		}
	}
	for _, e := range f.ir.Params {
		if e.Type.Kind != ir.ArrayKind {
			continue
		}
		if f.ir.Entry && e.Type.Rank() > 1 { // of an array that has elements memory tells
			b.checkLimit(f.shape(e.Type), e.Type.Prim.Size(), tooLarge, e.Span)
		}
		a := b.bind(e)
		if a.mem == "" {
			a.mem = f.paramMem(e)
		}
	}
}

// paramMem returns the variable of a parameter's block, even if no place names
// it.
func (f *fn) paramMem(e *ir.Elem) string {
	if p := e.Type.Place; p != nil {
		return f.mem(p.Mem)
	}
	return f.name(e.Name) + "_mem"
}

// shape returns the sizes of a type over imperative scalars.
func (f *fn) shape(t ir.Type) []sym.Poly {
	out := lmad.Sizes(t.Shape)
	for i := range out {
		out[i] = out[i].Subst(f.substNames)
	}
	return out
}

// results moves the body's values into the result variables.
func (f *fn) results(b *block) {
	r := &returning{fn: f, b: b, own: map[string]string{}}
	for i, t := range f.ir.Results {
		r.result(t, f.ir.Body.Result[i])
	}
	r.m.emit(b)
}

// A returning moves results. Names that the result types bind are names of their own, so they get variables of
// their own.
type returning struct {
	*fn
	b   *block
	m   moves
	own map[string]string // the variables of such names
}

func (r *returning) rename(n string) (sym.Poly, bool) {
	v, ok := r.own[n]
	return sym.Var(v), ok
}

// variable makes a variable of a result.
func (r *returning) variable(base string, mem bool, t ir.Prim) string {
	name := r.temp(base)
	r.out.Results = append(r.out.Results, Slot{Name: name, Mem: mem, Prim: t})
	if mem {
		r.b.declareMem(name)
	} else {
		r.b.declare(name, t)
	}
	return name
}

func (r *returning) result(t ir.Result, x ir.Exp) {
	base := identifier(cmp.Or(t.Name, "result"))
	switch t.Type.Kind {
	case ir.MemKind:
		name := r.variable(base, true, ir.Unknown)
		r.m.mems = append(r.m.mems, memMove{name, r.mem(x.(*ir.Ref).Name)})
		r.own[t.Name] = name
	case ir.ArrayKind:
		r.array(t, base, r.arrays[x.(*ir.Ref).Name])
	default:
		name := r.variable(base, false, t.Type.Prim)
		r.own[t.Name] = name
		r.m.scalars = append(r.m.scalars, scalarMove{name, t.Type.Prim, r.b.exp(x)})
	}
}

func (r *returning) array(t ir.Result, base string, src *array) {
	p := t.Type.Place
	if p != nil && !p.Exist {
		dst := r.resultArray(r.b, t, r.rename)
		if mem, ok := r.own[p.Mem]; ok {
			dst.mem = mem
		}
		r.m.copies = append(r.m.copies, copyMove{dst, src})
		return
	}
	mem := r.variable(base+"_mem", true, ir.Unknown)
	if !r.ir.Entry && p != nil && len(p.Ix) > 0 {
		r.m.mems = append(r.m.mems, memMove{mem, src.mem})
		names := map[string]bool{}
		for _, n := range exists(p) {
			r.own[n] = r.variable(identifier(n), false, ir.I64)
			names[r.own[n]] = true
		}
		r.m.place(r.b, names, lmad.OfType(t.Type).Subst(r.rename), src.fun)
		return
	}
	r.boundary(r.b, &r.m, mem, src)
	if r.ir.Entry {
		for _, n := range src.shape() {
			v := r.variable(base+"_dim", false, ir.I64)
			r.m.scalars = append(r.m.scalars, scalarMove{v, ir.I64, n.Exp()})
		}
	}
}

// resultArray returns the array that a result type describes, where its place
// names a block in scope.
func (f *fn) resultArray(b *block, r ir.Result, rename func(string) (sym.Poly, bool)) *array {
	e := &ir.Elem{Name: r.Name, Type: r.Type}
	a := b.arrayOf(e)
	a.fun = a.fun.Subst(rename)
	return a
}

// boundary returns an array row-major from offset 0: as it is if it lies so, otherwise copied to a
// block of its own. If the index function is not known well enough, the program decides at run
// time.
func (f *fn) boundary(b *block, m *moves, mem string, src *array) {
	if src.fun.IsRowMajor() || src.fun.Subst(f.definition).IsRowMajor() {
		m.mems = append(m.mems, memMove{mem, src.mem})
		return
	}
	copied := func(in *block) {
		f.own[mem] = true
		bytes := product(src.shape()).Mul(sym.Const(src.prim.Size()))
		in.add(&Alloc{Mem: mem, Bytes: in.bytes(bytes), Site: f.l.site()})
		in.copy(&array{name: src.name, prim: src.prim, mem: mem, fun: lmad.RowMajor(src.shape())}, src)
	}
	l, ok := src.fun.Single()
	if !ok {
		copied(b)
		return
	}
	conds := []ir.Exp{same(l.Offset, sym.Const(0))}
	stride := sym.Const(1)
	for d := len(l.Dims) - 1; d >= 0; d-- {
		dim := l.Dims[d]
		if c := same(dim.Stride, stride); !dim.Len.Is(1) {
			if lit, known := c.(*ir.Lit); !known || lit.Bits == 0 {
				c = binary("||", c, binary("<=", dim.Len.Exp(), i64(1)))
			}
			conds = append(conds, c)
		}
		stride = stride.Mul(dim.Len)
	}
	b.when(and(conds...), func(in *block) { in.add(&SetMem{Dst: mem, Src: src.mem}) }, copied)
}

// same returns the condition that two sizes are equal, as a literal where known.
func same(p, q sym.Poly) ir.Exp {
	if c, ok := p.Sub(q).IsConst(); ok {
		return ir.BoolLit(c == 0)
	}
	return equalTo(p.Exp(), q.Exp())
}

// entry describes how to call the function from outside.
func (f *fn) entry() {
	e := &Entry{Name: f.ir.Name, Alias: f.ir.Alias, Func: f.out, Sizes: append([]string(nil), f.ir.Sizes...)}
	for _, p := range f.ir.Params {
		e.Params = append(e.Params, EntryParam{
			Name: p.Name, Prim: p.Type.Prim, Array: p.Type.Kind == ir.ArrayKind,
			Shape: p.Type.Shape, Unique: p.Type.Unique, Span: p.Span,
		})
	}
	for i, r := range f.ir.Results {
		e.Results = append(e.Results, EntryResult{
			Name: r.Name, Prim: r.Type.Prim, Array: r.Type.Kind == ir.ArrayKind, Rank: r.Type.Rank(), Shape: r.Type.Shape,
			Size: f.ir.SizeResult(i),
		})
	}
	f.l.out.Entries = append(f.l.out.Entries, e)
}
