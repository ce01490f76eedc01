package imp

import "github.com/memc-lang/memc/ir"

// Note [Loops that are written out]
//
// The elements of a work-item's own array can be registers if each index is a constant once short
// loops are unrolled:
//
//	for s < 13 {                   -- stays: no index depends on s
//	  for e < 10 { a[e] = c[s, e] }  -- is written out
//	  ...
//	}
//
// A loop is written out if an index in it depends on the loop's variable, or on a scalar or a
// pointer that one turn hands to the next. To write out the others would only make a long kernel.
// A longer loop around such loops is unrolled if a turn is short: then several turns share their
// addresses.

// fewTurns is how many turns a loop has that is written out; a longer one is unrolled if a turn
// comes to at most writtenOut statements.
const (
	fewTurns   = 16
	writtenOut = 128
)

// writeOut marks the short loops whose turns decide which elements of the work-item's own
// arrays are touched. It returns the names on which these elements depend.
func (k *Kernel) writeOut(list []Stmt) map[string]bool {
	at := map[string]bool{}
	touch := func(mem string, off ir.Exp) {
		if k.Own[mem] {
			at[mem] = true
			refsOf(off, func(r *ir.Ref) { at[r.Name] = true })
		}
	}
	for _, s := range list {
		switch s := s.(type) {
		case *Load:
			touch(s.Mem, s.Off)
		case *Store:
			touch(s.Mem, s.Off)
		}
		for _, in := range inside(s) {
			within := k.writeOut(in)
			if f, ok := s.(*For); ok {
				n, known := f.Bound.(*ir.Lit)
				known = known && !f.Single
				f.Whole = f.Whole || known && n.Bits <= fewTurns && sourcesOf(in).turn(f.Var, within)
				f.Unroll = f.Unroll || known && n.Bits > fewTurns && len(within) > 0 && turnsOut(in) <= writtenOut
			}
			for name := range within {
				at[name] = true
			}
		}
	}
	return at
}

// sources holds, for the names that statements assign, the names on which the values depend. A
// value from memory depends on none: it is no constant.
type sources map[string]map[string]bool

func sourcesOf(list []Stmt) sources {
	out := sources{}
	var walk func(list []Stmt, conds []ir.Exp)
	walk = func(list []Stmt, conds []ir.Exp) {
		from := func(dst string, es ...ir.Exp) {
			if out[dst] == nil {
				out[dst] = map[string]bool{}
			}
			for _, e := range append(es, conds...) {
				refsOf(e, func(r *ir.Ref) { out[dst][r.Name] = true })
			}
		}
		for _, s := range list {
			switch s := s.(type) {
			case *Set:
				from(s.Dst, s.E)
			case *SetMem:
				from(s.Dst)
				out[s.Dst][s.Src] = true
			case *PtrAt:
				from(s.Dst, s.Off)
			case *For: // where it runs, a condition around it changes nothing
				out[s.Var] = map[string]bool{}
				refsOf(s.Bound, func(r *ir.Ref) { out[s.Var][r.Name] = true })
			}
			inner := conds
			switch s := s.(type) {
			case *If:
				inner = append(conds[:len(conds):len(conds)], s.Cond)
			case *While:
				inner = append(conds[:len(conds):len(conds)], s.Cond)
			}
			for _, in := range inside(s) {
				walk(in, inner)
			}
		}
	}
	walk(list, nil)
	return out
}

// turn reports whether one of the names depends on a loop's variable, or on itself: then one
// turn of the loop hands it to the next.
func (s sources) turn(index string, names map[string]bool) bool {
	const open, done = 1, 2
	state := map[string]int{}
	var visit func(name string) bool
	visit = func(name string) bool {
		if name == index || state[name] == open {
			return true
		}
		if state[name] == done {
			return false
		}
		state[name] = open
		for from := range s[name] {
			if visit(from) {
				return true
			}
		}
		state[name] = done
		return false
	}
	for name := range names {
		if visit(name) {
			return true
		}
	}
	return false
}

// turnsOut counts the statements of a list when its loops are written out.
func turnsOut(list []Stmt) (n uint64) {
	for _, s := range list {
		one := uint64(1)
		for _, in := range inside(s) {
			one += turnsOut(in)
		}
		if f, ok := s.(*For); ok && f.Whole {
			if turns, known := f.Bound.(*ir.Lit); known {
				one *= turns.Bits
			}
		}
		n += one
	}
	return n
}
