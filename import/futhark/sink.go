package futhark

import "slices"

// Note [Views that Futhark hoists]
//
// A slice or a reshape costs nothing, so Futhark moves it out of the branch or loop that needs it.
// There it may get the size on which the branches agree:
//
//	let {n_3} = if c_2 then {n_1} else {k_0}
//	let {ys_4 : [n_3]} = reshape(xs_1, [n_3])     -- has n_1 elements
//	let {zs_5 : [n_3]} = if c_2 then {ys_4} else {..}
//
// If the other branch is taken, its size is wrong, but nothing reads it. In memc's IR it would be
// an error. So a view that may be wrong goes back to the branches and loops that use it. A view
// that a kernel uses stays before the kernel.

// sinkViews moves the views of a function that may be wrong to where they are used.
func sinkViews(f *fun) {
	k := &sinker{names: map[*body]map[string]bool{}, types: map[string]*typ{}}
	k.params(f.params)
	k.body(f.body)
}

type sinker struct {
	names map[*body]map[string]bool // all that a body uses
	types map[string]*typ           // nil: an index, which is within its bound
}

func (k *sinker) params(ps []*param) {
	for _, p := range ps {
		k.types[p.name] = p.typ
	}
}

// used returns the names that a body uses, also further in.
func (k *sinker) used(b *body) map[string]bool {
	if m := k.names[b]; m != nil {
		return m
	}
	m := map[string]bool{}
	k.names[b] = m
	for _, s := range b.stms {
		k.use(s, m)
	}
	for _, r := range b.result {
		m[r.name] = true
	}
	return m
}

// use records the names that a statement uses, also further in.
func (k *sinker) use(s *stm, m map[string]bool) {
	operandsOf(s.exp, func(o operand) { m[o.name] = true })
	bodiesOf(s.exp, func(_ []*param, b *body) {
		for n := range k.used(b) {
			m[n] = true
		}
	})
}

// body moves the views of a body, last ones first, since a view may be one of
// another; then those of the bodies in it.
func (k *sinker) body(b *body) {
	wrong := k.mayBeWrong(b)
	here := map[string]bool{} // used in what is left of this body
	for _, r := range b.result {
		here[r.name] = true
	}
	var inner []*body // branches and loops that follow
	var stms []*stm   // what stays, last one first
	for i := len(b.stms) - 1; i >= 0; i-- {
		s := b.stms[i]
		if wrong[s] && !here[s.pat[0].name] && k.move(s, inner) {
			continue
		}
		stms = append(stms, s)
		operandsOf(s.exp, func(o operand) { here[o.name] = true })
		turns := turnsOf(s.exp)
		bodiesOf(s.exp, func(_ []*param, in *body) {
			if slices.Contains(turns, in) {
				inner = append(inner, in)
				return
			}
			for n := range k.used(in) {
				here[n] = true
			}
		})
	}
	slices.Reverse(stms)
	b.stms = stms
	for _, s := range b.stms {
		k.bind(s.exp)
		bodiesOf(s.exp, func(ps []*param, in *body) {
			k.params(ps)
			k.body(in)
		})
	}
}

// move puts a view in front of the bodies that use it, and tells whether any does.
func (k *sinker) move(s *stm, to []*body) bool {
	moved := false
	for _, in := range to {
		if k.used(in)[s.pat[0].name] {
			in.stms = append([]*stm{s}, in.stms...)
			k.use(s, k.used(in))
			moved = true
		}
	}
	return moved
}

// turnsOf returns the bodies of an expression that the host or a thread runs in turn,
// if at all: those that views may go into.
func turnsOf(e exp) []*body {
	switch e := e.(type) {
	case *eIf:
		return []*body{e.yes, e.no}
	case *eMatch:
		bs := []*body{e.dflt}
		for _, c := range e.cases {
			bs = append(bs, c.body)
		}
		return bs
	case *eLoop:
		return []*body{e.body}
	case *eWithAcc:
		return []*body{e.lam.body}
	}
	return nil
}

// bind records the indices that an expression binds.
func (k *sinker) bind(e exp) {
	switch e := e.(type) {
	case *eSeg:
		for _, d := range e.space {
			k.types[d.name] = nil
		}
	case *eLoop:
		k.types[e.loopVar] = nil
	}
}

// mayBeWrong returns the views of a body that may have sizes which their arrays do not,
// with the views of those.
func (k *sinker) mayBeWrong(b *body) map[*stm]bool {
	wrong, names := map[*stm]bool{}, map[string]bool{}
	for _, s := range b.stms {
		of, bad := "", false
		switch e := s.exp.(type) {
		case *eReshape:
			of, bad = e.x.name, !k.sameSize(e)
		case *eIndex:
			of, bad = e.x, len(s.pat) == 1 && kindOf(s.pat[0].typ) == arrayKind && !k.inside(e)
		case *eRearrange:
			of = e.x.name
		case *eOperand:
			of = e.x.name
		}
		if of != "" && len(s.pat) == 1 && (bad || names[of]) && kindOf(s.pat[0].typ) == arrayKind {
			wrong[s], names[s.pat[0].name] = true, true
		}
		k.params(s.pat)
	}
	return wrong
}

// sameSize reports whether a reshape has the dimensions that its array has, but for
// those of one element.
func (k *sinker) sameSize(e *eReshape) bool {
	ty := k.types[e.x.name]
	if ty == nil {
		return false
	}
	count := map[string]int{}
	for _, d := range ty.shape {
		count[d.name+d.konst]++
	}
	for _, d := range e.shape {
		count[d.name+d.konst]--
	}
	for d, n := range count {
		if n != 0 && d != "1i64" {
			return false
		}
	}
	return true
}

// inside reports whether a slice takes whole dimensions, at indices of kernels and loops.
func (k *sinker) inside(e *eIndex) bool {
	ty := k.types[e.x]
	if ty == nil || e.flat || len(ty.shape) != len(e.item) {
		return false
	}
	for i, it := range e.item {
		if it.fixed {
			if t, index := k.types[it.x.name]; !index || t != nil {
				return false
			}
			continue
		}
		d := ty.shape[i]
		if it.x.konst != "0i64" || it.stride.konst != "1i64" || it.length.name != d.name || it.length.konst != d.konst {
			return false
		}
	}
	return true
}
