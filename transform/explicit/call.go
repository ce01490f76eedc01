package explicit

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// call brings array arguments to the places of the callee's parameters, and places the results as
// the callee's result types say.
func (t *function) call(s *ir.Stmt, op *ir.Call) {
	callee := t.prog.Func(op.Fn)
	placed := map[string]bool{} // names that the callee's places mention
	for _, e := range callee.Params {
		ir.PlaceNames(e.Type.Place, func(n string) { placed[n] = true })
	}
	for _, r := range callee.Results {
		ir.PlaceNames(r.Type.Place, func(n string) { placed[n] = true })
	}
	for k, p := range callee.Params {
		if p.Type.Kind == ir.ScalarKind && placed[p.Name] {
			t.once(&op.Args[k], callee.Name+"_"+p.Name, s.Span)
		}
	}
	for k, p := range callee.Params {
		if p.Type.Kind == ir.ArrayKind {
			t.argument(op, k, callee)
		}
	}
	b := bindings(t, callee, op)
	for k, e := range s.Pat {
		if e.Type.Kind != ir.ArrayKind {
			t.elem(e)
			b.sizes[callee.Results[k].Name] = sym.Var(e.Name) // a later result's place may name it
			continue
		}
		t.result(e, callee.Results[k].Type, b)
	}
	t.emit(s)
}

// argument: a parameter is row-major, or has existential offset and strides, or a layout of its
// own.
func (t *function) argument(op *ir.Call, k int, callee *ir.Func) {
	x := arrayName(op.Args[k])
	p := t.of(x).place
	param := callee.Params[k].Type
	at := op.Args[k].Span()
	if q := param.Place; q != nil && !q.Exist && bindings(t, callee, op).mems[q.Mem] != p.mem {
		t.failed.Limitf(at, "`%s` does not lie in the block that `%s` expects", x, callee.Name).
			Hinted("make `%s` explicit as well", t.f.Name)
		return
	}
	switch {
	case bindsIx(param.Place):
		if p.single() {
			return
		}
	case param.Place == nil || len(param.Place.Ix) == 0:
		if p.fun.IsRowMajor() {
			return
		}
	default:
		want, err := lmad.OfPlace(param.Place, param.Shape)
		if err != nil {
			return // the verifier tells
		}
		want = want.Subst(bindings(t, callee, op).size)
		if p.fun.Equal(want) {
			return
		}
		if !permutation(param.Place) {
			t.failed.Limitf(at, "`%s` does not have the layout that `%s` expects", x, callee.Name).
				Hinted("make `%s` explicit as well", t.f.Name)
			return
		}
		typ := t.of(x).typ()
		name := t.unused.Fresh(x + "_copy")
		t.copies[name] = x
		to := place{t.alloc(name, "", typ, at), want, want.Chain()}
		op.Args[k] = &ir.Ref{Name: t.copyTo(x, name, to, typ, at, "`"+callee.Name+"` expects it in another order")}
		return
	}
	op.Args[k] = &ir.Ref{Name: t.copyOf(x, at, "`"+callee.Name+"` expects it row-major")}
}

// result places one result of a call.
func (t *function) result(e *ir.Elem, typ ir.Type, b binding) {
	p := typ.Place
	if p == nil || p.Exist && len(p.Ix) == 0 {
		t.exists(e, true)
		return
	}
	if bindsIx(p) {
		t.exists(e, false)
		return
	}
	fun, err := lmad.OfPlace(p, typ.Shape)
	if err != nil {
		t.exists(e, false) // the verifier tells
		return
	}
	fun = fun.Subst(b.size)
	known := place{fun: fun, chain: fun.Chain()}
	if !p.Exist {
		if mem, ok := b.mems[p.Mem]; ok {
			known.mem = mem
			t.put(e, known)
			return
		}
	}
	t.existsAs(e, known)
}

// bindsIx reports whether a place has existential offset or strides.
func bindsIx(p *ir.Place) bool {
	if p == nil || len(p.Ix) == 0 {
		return false
	}
	l, ok := p.Ix[0].(*ir.LMAD)
	if !ok {
		return false
	}
	if _, ok := l.Offset.(*ir.Exist); ok {
		return true
	}
	for _, d := range l.Dims {
		if _, ok := d.Stride.(*ir.Exist); ok {
			return true
		}
	}
	return false
}

// permutation reports whether a place covers a whole block, perhaps in another order. Then a block
// of the array's own size holds the array.
func permutation(p *ir.Place) bool {
	for k, op := range p.Ix {
		switch op.(type) {
		case *ir.Direct:
			if k > 0 {
				return false
			}
		case *ir.Permute, *ir.IxReshape:
		default:
			return false
		}
	}
	return true
}

// A binding maps a callee's names to their meaning at a call.
type binding struct {
	sizes map[string]sym.Poly
	mems  map[string]string
}

func (b binding) size(n string) (sym.Poly, bool) {
	p, ok := b.sizes[n]
	return p, ok
}

func bindings(t *function, callee *ir.Func, op *ir.Call) binding {
	b := binding{map[string]sym.Poly{}, map[string]string{}}
	for k, p := range callee.Params {
		x := arrayName(op.Args[k])
		switch p.Type.Kind {
		case ir.ScalarKind:
			b.sizes[p.Name] = sym.Of(op.Args[k])
		case ir.MemKind:
			b.mems[p.Name] = x
		case ir.ArrayKind:
			for d, dim := range p.Type.Shape {
				if dim.Name != "" && d < len(t.of(x).typ().Shape) {
					b.sizes[dim.Name] = lmad.Size(t.of(x).typ().Shape[d])
				}
			}
			if p.Type.Place != nil && p.Type.Place.Exist {
				b.place(p.Type.Place, t.of(x).place)
			}
		}
	}
	return b
}

// place binds the names that an existential place of the callee binds, given the place of the array
// there.
func (b binding) place(p *ir.Place, at place) {
	b.mems[p.Mem] = at.mem
	l, single := at.fun.Single()
	if !single || !bindsIx(p) {
		return
	}
	solve := func(e ir.Exp, value sym.Poly) {
		if x, ok := e.(*ir.Exist); ok {
			b.sizes[x.Name] = value
		}
	}
	bound := p.Ix[0].(*ir.LMAD)
	solve(bound.Offset, l.Offset)
	for k, d := range bound.Dims {
		solve(d.Stride, l.Dims[k].Stride)
	}
}
