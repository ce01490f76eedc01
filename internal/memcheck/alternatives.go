package memcheck

import "github.com/memc-lang/memc/ir/lmad"

// resolve finds the places that an existential index function can stand for:
// those of the arrays that branches and iterations give.
//
// The places given by an earlier iteration count only if they mention no name
// that the loop binds: what it was then is not known. A cycle of choices adds
// nothing, but one through an operation that changes the view has no end.
func (f *function) resolve(a *array) {
	if a.resolved || a.sources == nil {
		return
	}
	a.resolved = true
	limit := 1 << 60
	seen := map[*array]bool{}
	views := 0
	var collect func(x *array) ([]placement, bool)
	collect = func(x *array) ([]placement, bool) {
		if x == nil || seen[x] {
			return nil, x != nil && views == 0
		}
		if x.sources == nil {
			return []placement{{x.block, x.fun}}, true
		}
		seen[x] = true
		if x.start > 0 {
			limit = min(limit, x.start)
		}
		if x.view != nil {
			views++
			defer func() { views-- }()
		}
		var out []placement
		for _, src := range x.sources {
			ps, ok := collect(src)
			if !ok || len(out)+len(ps) > maxAlts {
				return nil, false
			}
			for _, p := range ps {
				if x.view != nil {
					p.fun = f.derive(p.fun, x.view)
				}
				out = append(out, p)
			}
		}
		return out, true
	}
	all, ok := collect(a)
	for _, p := range all {
		for _, n := range p.fun.Names() {
			ok = ok && f.facts.vars[n].order <= limit
		}
	}
	if ok {
		a.alts = all
	}
}

// placements gives the places where an array can lie.
func (f *function) placements(a *array) []placement {
	if f.resolve(a); a.alts != nil {
		return a.alts
	}
	return []placement{{a.block, a.fun}}
}

// funs gives the index functions that an array can have.
func (f *function) funs(a *array) []lmad.Fun {
	if f.resolve(a); a.alts == nil {
		return []lmad.Fun{a.fun}
	}
	out := make([]lmad.Fun, len(a.alts))
	for k, p := range a.alts {
		out[k] = p.fun
	}
	return out
}
