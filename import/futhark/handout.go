package futhark

import "github.com/memc-lang/memc/ir"

// Note [Copies that only hand out]
//
// Before any memory pass, every result of a function is copied once more at its end, to a block of
// its own in row-major order, whether it lies so already or not. If the dump says that it does, the
// copy is omitted and the function returns the result where it lies; Futhark's own simplification
// does the same. By value nothing changes, since nothing is consumed after the copy. The copy stays
// if a result is unique and the array may be a parameter that is not unique, or is returned twice.

// handedOut finds the statements of a function that copy an array only to hand
// it out: they stand at its end, where nothing consumes, and nothing else uses
// what they make.
func handedOut(f *fun) map[*stm]bool {
	results := map[string]int{}
	unique := map[string]bool{}
	for i, r := range f.body.result {
		results[r.name]++
		if i < len(f.rets) && f.rets[i].uniq {
			unique[r.name] = true
		}
	}
	shared := map[string]bool{} // arrays that come from outside and stay there
	for _, p := range f.params {
		if p.typ.place != nil && !p.typ.uniq {
			shared[p.typ.place.mem] = true
		}
	}
	place := map[string]*place{}
	for _, s := range f.body.stms {
		for _, p := range s.pat {
			place[p.name] = p.typ.place
		}
	}
	out, taken, later := map[*stm]bool{}, map[string]bool{}, map[string]bool{}
	for i := len(f.body.stms) - 1; i >= 0; i-- {
		s := f.body.stms[i]
		switch e := s.exp.(type) {
		case *eAlloc, *ePrim, *eSize, *eAssert:
		case *eOperand:
			later[e.x.name] = true
		case *eManifest:
			y := ""
			if len(s.pat) == 1 {
				y = s.pat[0].name
			}
			from := place[e.x.name]
			local := from != nil && from.mem != "" && !shared[from.mem]
			if results[y] == 1 && !later[y] && !taken[e.x.name] && results[e.x.name] == 0 && identity(e.perm) &&
				(!unique[y] || local && place[y] != nil) {
				out[s], taken[e.x.name] = true, true
			}
			later[e.x.name] = true
		default:
			return out
		}
	}
	return out
}

func identity(perm []int) bool {
	for i, p := range perm {
		if i != p {
			return false
		}
	}
	return true
}

// handOver lets a name stand for the array that it would be a copy of, where
// that lies in row-major order.
func (t *translator) handOver(s *stm, x operand) bool {
	if !t.handed[s] || t.depth > 0 || t.in != "" || t.group {
		return false
	}
	v := t.find(x.name)
	if v == nil || v.kind != arrayKind || v.dump == nil || !t.rowMajor(v.dump, v.shape) {
		return false
	}
	t.alias(s.pat[0].name, v)
	return true
}

// rowMajor reports whether the dump says that an array lies in row-major order
// from the start of its block.
func (t *translator) rowMajor(pl *place, shape []ir.Dim) bool {
	if len(pl.strides) != len(shape) || !t.known(pl.offset) {
		return false
	}
	l := &ir.LMAD{Offset: t.lexp(pl.offset)}
	for k, s := range pl.strides {
		if !t.known(s) {
			return false
		}
		l.Dims = append(l.Dims, ir.LMADDim{Len: shape[k].Exp(), Stride: t.lexp(s)})
	}
	return t.asPlace("m", l, shape).Ix == nil
}

// known reports whether every name of an index expression has a value here.
func (t *translator) known(e *lexp) bool {
	if e.leaf != nil {
		if e.leaf.ext >= 0 {
			return false
		}
		v := t.find(e.leaf.name)
		return e.leaf.konst != "" || v != nil && v.kind == scalarKind
	}
	for _, a := range e.args {
		if !t.known(a) {
			return false
		}
	}
	return true
}
