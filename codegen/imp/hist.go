package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// hist combines one value per point into the element that its index names, by
// atomic operations; what is out of range is dropped. Arrays are combined
// element by element.
func (b *block) hist(s *ir.Stmt, op *ir.Hist) {
	names, sizes := b.space(op.Space, s)
	dsts := b.bindPattern(s)
	o := b.f.operator(&op.Op)
	rank := len(op.Body.Result) - len(dsts)
	lock := b.locks(s, dsts)
	doc := "combines values into `" + s.Pat[0].Name + "`"
	b.grid(kernelName(s, "hist"), doc, names, sizes, func(in *block, _ []sym.Poly) {
		in.body(op.Body)
		at, inside := in.target(dsts[0], op.Body.Result[:rank])
		values := op.Body.Result[rank:]
		in.when(inside, func(in *block) {
			in.nest(dsts[0].shape()[rank:], func(in *block, ix []sym.Poly) {
				vals := make([]ir.Exp, o.arity)
				for i, v := range values {
					if src := in.arrayOperand(v); src != nil {
						vals[i] = in.load(src, ix)
					} else {
						vals[i] = in.exp(v)
					}
				}
				in.atomic(o, dsts, append(at[:len(at):len(at)], ix...), vals, lock)
			})
		}, nil)
		in.end(op.Body)
	})
	if lock != "" {
		b.add(&Free{Mem: lock})
	}
}

// locks makes the block of locks, where some device needs it.
func (b *block) locks(s *ir.Stmt, dsts []*array) string {
	if len(dsts) == 1 && dsts[0].prim.Size() < 8 {
		return ""
	}
	a := b.rowMajor("locks", ir.I32, []sym.Poly{sym.Const(Locks)})
	b.fill(s, a, "locks", "opens the locks", func(*block, []sym.Poly) ir.Exp {
		return &ir.Lit{Text: "0", T: ir.I32}
	})
	return a.mem
}

// atomic combines values into one element of each destination.
func (b *block) atomic(o *operator, dsts []*array, ix []sym.Poly, vals []ir.Exp, lock string) {
	o.set(b, o.next, vals)
	a := &Atomic{Old: o.acc, Lock: lock}
	for _, d := range dsts {
		a.Mems = append(a.Mems, d.mem)
		a.Prims = append(a.Prims, d.prim)
		a.Offs = append(a.Offs, b.offset(d, ix))
	}
	if lock != "" {
		off, _ := lmad.RowMajor(dsts[0].shape()).FlatOffset(ix)
		a.LockOff = b.shallow(off.Exp())
	}
	for _, n := range o.acc {
		b.k.vars[n] = true // declared by the Atomic
	}
	in := b.sub()
	in.body(o.op.Body)
	for _, e := range o.op.Body.Result {
		a.New = append(a.New, in.exp(e))
	}
	a.Body = in.stmts
	if name := o.simple(); o.t[0].Integer() {
		a.Simple = name
		a.Val = o.refs(o.next)[0]
	}
	b.add(a)
}
