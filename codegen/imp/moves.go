package imp

import (
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/lmad"
	"github.com/memc-lang/memc/ir/sym"
)

// moves are the assignments that give names the values of a body, initial values, or the results of
// a call, all at once. An array moves by its block and by the scalars that its place binds; no
// element is copied.
type moves struct {
	scalars []scalarMove
	mems    []memMove
	copies  []copyMove
}

type (
	scalarMove struct {
		dst string
		t   ir.Prim
		e   ir.Exp
	}
	memMove  struct{ dst, src string }
	copyMove struct{ dst, src *array }
)

// value adds the move of an operand into an element.
func (m *moves) value(b *block, e *ir.Elem, x ir.Exp) {
	switch e.Type.Kind {
	case ir.MemKind:
		m.mems = append(m.mems, memMove{b.f.name(e.Name), b.f.mem(x.(*ir.Ref).Name)})
	case ir.ArrayKind:
		m.array(b, e, b.f.arrays[x.(*ir.Ref).Name])
	default:
		m.scalars = append(m.scalars, scalarMove{b.f.name(e.Name), e.Type.Prim, b.exp(x)})
	}
}

// array adds the move of an array into an element. If the place is not existential, the verifier
// has made sure that the array lies there already; if that is not obvious, it is copied (a copy
// moves nothing if both places coincide). A place whose names are assigned only now may be computed
// by an expression that can fail; then it cannot be compared.
func (m *moves) array(b *block, e *ir.Elem, src *array) {
	p := e.Type.Place
	if !b.f.total(p) && !p.Exist {
		return
	}
	dst := b.arrayOf(e)
	if p == nil || !p.Exist {
		m.copies = append(m.copies, copyMove{dst, src})
		return
	}
	m.mems = append(m.mems, memMove{dst.mem, src.mem})
	names := map[string]bool{}
	for _, n := range exists(p) {
		names[b.f.name(n)] = true
	}
	m.place(b, names, dst.fun, src.fun)
}

// place adds the moves of the scalars that an existential place binds: a bare name in the formal
// index function stands for the corresponding part of the actual one. The other parts are equal, as
// the verifier has checked.
func (m *moves) place(b *block, exists map[string]bool, formal, actual lmad.Fun) {
	if len(exists) == 0 {
		return
	}
	bind := func(f, a sym.Poly) {
		if name, ok := f.IsVar(); ok && exists[name] {
			delete(exists, name)
			m.scalars = append(m.scalars, scalarMove{name, ir.I64, b.shallow(a.Exp())})
		}
	}
	if len(formal.Parts) == len(actual.Parts) {
		for k, f := range formal.Parts {
			a := actual.Parts[k]
			if len(f.Dims) != len(a.Dims) {
				break
			}
			bind(f.Offset, a.Offset)
			for d := range f.Dims {
				bind(f.Dims[d].Len, a.Dims[d].Len)
				bind(f.Dims[d].Stride, a.Dims[d].Stride)
			}
		}
	}
	if len(exists) > 0 {
		b.f.l.diags.Limitf(b.f.ir.Span, "an existential place whose scalars do not follow from the array's index function").
			Hinted("write it as LMAD(?offset; (n : ?stride), ...)")
	}
}

// emit makes the assignments. If an array stays where it is, its place may mention names that are
// assigned here, with their new values. If an assignment changes a variable that a later one reads,
// it goes through a temporary.
func (m *moves) emit(b *block) {
	for _, c := range m.copies {
		dst := *c.dst
		dst.fun = dst.fun.Subst(m.moved)
		for _, s := range m.mems {
			if s.dst == c.dst.mem {
				dst.mem = s.src
			}
		}
		b.copy(&dst, c.src)
	}
	m.emitScalars(b)
	m.emitMems(b)
}

// moved returns the value that a name is about to get.
func (m *moves) moved(name string) (sym.Poly, bool) {
	for _, s := range m.scalars {
		if s.dst == name && s.t == ir.I64 {
			return sym.Of(s.e), true
		}
	}
	return sym.Poly{}, false
}

func (m *moves) emitScalars(b *block) {
	last := map[string]int{} // the last assignment that reads a name
	for i, s := range m.scalars {
		ir.ExpNames(s.e, func(n string) { last[n] = i })
	}
	var late []scalarMove
	for i, s := range m.scalars {
		b.declare(s.dst, s.t)
		if last[s.dst] > i {
			t := b.temp("next_"+s.dst, s.t)
			b.set(t.Name, s.e)
			late = append(late, scalarMove{s.dst, s.t, t})
			continue
		}
		b.set(s.dst, s.e)
	}
	for _, s := range late {
		b.set(s.dst, s.e)
	}
}

func (m *moves) emitMems(b *block) {
	last := map[string]int{}
	for i, s := range m.mems {
		last[s.src] = i
	}
	var late []memMove
	for i, s := range m.mems {
		b.declareMem(s.dst)
		switch {
		case s.dst == s.src:
		case last[s.dst] > i:
			name := b.f.temp("next_" + s.dst)
			b.f.class[name] = b.f.class[s.dst]
			t := b.declareMem(name)
			b.add(&SetMem{Dst: t, Src: s.src})
			late = append(late, memMove{s.dst, t})
		default:
			b.add(&SetMem{Dst: s.dst, Src: s.src})
		}
	}
	for _, s := range late {
		b.add(&SetMem{Dst: s.dst, Src: s.src})
		b.add(&Free{Mem: s.src})
	}
}
