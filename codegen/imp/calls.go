package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// call calls a function. Its results come into the pattern's variables where
// the place names only the block; otherwise they move from temporaries.
func (b *block) call(s *ir.Stmt, op *ir.Call) {
	f := b.f
	callee := f.l.p.Func(op.Fn)
	c := &Call{Func: f.l.funcs[op.Fn]}
	actual := map[string]sym.Poly{} // the callee's names in terms of the caller's
	mems := map[string]string{}
	b.sizeArgs(callee, op, actual)
	for _, n := range callee.Sizes {
		c.Args = append(c.Args, Arg{E: b.shallow(actual[n].Exp())})
	}
	for i, p := range callee.Params {
		x := op.Args[i]
		switch p.Type.Kind {
		case ir.MemKind:
			mems[p.Name] = f.mem(x.(*ir.Ref).Name)
			c.Args = append(c.Args, Arg{Mem: mems[p.Name]})
		case ir.ArrayKind:
			src := f.arrays[x.(*ir.Ref).Name]
			place := p.Type.Place
			if place != nil && !place.Exist {
				continue
			}
			c.Args = append(c.Args, Arg{Mem: src.mem})
			if place == nil {
				continue
			}
			mems[place.Mem] = src.mem
			b.placeArgs(c, p, src, actual)
		default:
			v := b.exp(x)
			if p.Type.Prim == ir.I64 {
				actual[p.Name] = sym.Of(v)
			}
			c.Args = append(c.Args, Arg{E: v})
		}
	}
	var m moves
	var temps []string
	for i, r := range callee.Results {
		temps = append(temps, b.callResult(c, callee, r, s.Pat[i], actual, mems, &m)...)
	}
	b.add(c)
	m.emit(b)
	for _, t := range temps {
		b.add(&Free{Mem: t})
	}
	b.bindAll(s.Pat)
}

// placeArgs adds the scalars that a parameter's place binds, as they are for the argument src.
func (b *block) placeArgs(c *Call, p *ir.Elem, src *array, actual map[string]sym.Poly) {
	names, set := exists(p.Type.Place), map[string]bool{}
	if len(names) == 0 {
		return
	}
	for _, n := range names {
		set[n] = true
	}
	var m moves
	m.place(b, set, lmad.OfType(p.Type).Subst(func(n string) (sym.Poly, bool) { p, ok := actual[n]; return p, ok }), src.fun)
	for _, n := range names {
		for _, sc := range m.scalars {
			if sc.dst == n {
				actual[n] = sym.Of(sc.e)
				c.Args = append(c.Args, Arg{E: sc.e})
			}
		}
	}
}

// sizeArgs finds the callee's sizes in the shapes of its array arguments.
func (b *block) sizeArgs(callee *ir.Func, op *ir.Call, actual map[string]sym.Poly) {
	for i, p := range callee.Params {
		if p.Type.Kind != ir.ArrayKind {
			continue
		}
		src := b.f.arrays[op.Args[i].(*ir.Ref).Name]
		for d, dim := range p.Type.Shape {
			if _, ok := actual[dim.Name]; dim.Name != "" && !ok {
				actual[dim.Name] = src.shape()[d]
			}
		}
	}
}

// callResult adds one result of a call, and gives the temporaries to be freed.
func (b *block) callResult(c *Call, callee *ir.Func, r ir.Result, e *ir.Elem, actual map[string]sym.Poly, mems map[string]string, m *moves) []string {
	f := b.f
	b.declareElem(e)
	switch r.Type.Kind {
	case ir.ScalarKind:
		name := f.name(e.Name)
		c.Results = append(c.Results, name)
		if r.Name != "" {
			actual[r.Name] = sym.Var(name)
		}
		return nil
	case ir.MemKind:
		name := f.name(e.Name)
		c.Results = append(c.Results, name)
		mems[r.Name] = name
		return nil
	}
	subst := func(n string) (sym.Poly, bool) { p, ok := actual[n]; return p, ok }
	p := r.Type.Place
	if p != nil && !p.Exist {
		m.array(b, e, &array{name: e.Name, prim: r.Type.Prim, mem: mems[p.Mem], fun: lmad.OfType(r.Type).Subst(subst)})
		return nil
	}
	target := e.Type.Place
	direct := target != nil && target.Exist && len(exists(target)) == 0
	var mem string
	if direct {
		mem = f.mem(target.Mem)
	} else {
		mem = b.declareMem(f.temp(identifier(e.Name) + "_mem"))
	}
	c.Results = append(c.Results, mem)
	fun := lmad.RowMajor(f.shape(e.Type))
	if callee.Entry {
		for range r.Type.Shape {
			c.Results = append(c.Results, b.temp("dim", ir.I64).Name)
		}
	} else if p != nil {
		for _, n := range exists(p) {
			v := b.temp(identifier(n), ir.I64)
			c.Results = append(c.Results, v.Name)
			actual[n] = sym.Var(v.Name)
		}
		if len(p.Ix) > 0 {
			fun = lmad.OfType(r.Type).Subst(subst)
		}
	}
	if direct {
		return nil
	}
	m.array(b, e, &array{name: e.Name, prim: r.Type.Prim, mem: mem, fun: fun})
	return []string{mem}
}
