package memcheck

import (
	"slices"

	"github.com/memc-lang/memc/internal/base/rules"
)

// resolve finds the places that an existential index function can stand for.
//
// Note [Alternatives]. The array that binds the names of such a function (?off, ?s) has the places
// of the values that the branches or iterations return. If another array's place mentions these
// names, it has one place for each of these values: the names stand for the offset and strides of
// that value. Values go round in loops. A parameter that is passed on unchanged adds nothing, but
// one that comes back in another place would have infinitely many places.
//
// The places of an earlier iteration count only if they mention no name that the loop binds: the
// earlier value of such a name is unknown. A block that the loop allocates was another one in an
// earlier iteration; the parameter's own block stands for it.
func (f *function) resolve(a *array) {
	if a.resolved {
		return
	}
	a.resolved = true
	if a.sources == nil && f.binderOf(a) == nil || rules.Off("memcheck.alternatives") {
		return
	}
	c := &collector{f: f, limit: 1 << 60, seen: map[*array]bool{}}
	all, ok := c.places(a)
	for _, p := range all {
		for _, n := range p.r.names() {
			ok = ok && f.names.vars[n].order <= c.limit
		}
	}
	if ok && len(all) > 0 {
		a.alts = all
	}
}

// binderOf returns the array that binds the existential names of a's place, if it
// is another one and just one.
func (f *function) binderOf(a *array) *array {
	var binder *array
	for _, n := range a.r.names() {
		switch b := f.binders[n]; {
		case b == nil || b == a:
		case binder == nil:
			binder = b
		case binder != b:
			return nil
		}
	}
	return binder
}

type collector struct {
	f     *function
	limit int
	seen  map[*array]bool
}

// places returns the places of x that do not come round; false where they cannot be
// known.
func (c *collector) places(x *array) ([]placement, bool) {
	if x == nil {
		return nil, false
	}
	if x.sources != nil {
		if c.seen[x] {
			return nil, true
		}
		c.seen[x] = true
		if x.start > 0 {
			c.limit = min(c.limit, x.start)
		}
		var out []placement
		for _, src := range x.sources {
			ps, ok := c.places(src)
			if !ok || len(out)+len(ps) > maxAlts {
				return nil, false
			}
			for _, p := range ps {
				if x.start > 0 && p.block.canon().order > x.start {
					p.block = x.block
				}
				out = append(out, p)
			}
		}
		return out, true
	}
	b := c.f.binderOf(x)
	if b == nil {
		return []placement{{x.block, x.fun, x.r}}, true
	}
	if c.seen[b] {
		return nil, b.fun.Equal(x.fun)
	}
	ps, ok := c.places(b)
	if !ok {
		return nil, false
	}
	out := slices.Clone(ps)
	for k, p := range out {
		s := matched(b.fun, p.fun, func(n string) bool { return c.f.binders[c.f.names.ids[n]] == b })
		if !c.f.sameStrides(b.fun.Subst(s), p.fun) {
			return nil, false
		}
		out[k].fun = x.fun.Subst(s)
		out[k].r = c.f.names.region(out[k].fun)
		if x.block.canon() != b.block.canon() {
			out[k].block = x.block
		}
	}
	return out, true
}

// placements returns the places where an array can lie.
func (f *function) placements(a *array) []placement {
	if f.resolve(a); a.alts != nil {
		return a.alts
	}
	return []placement{{a.block, a.fun, a.r}}
}

// regions returns the regions of its blocks in which an array can lie.
func (f *function) regions(a *array) []region {
	if f.resolve(a); a.alts == nil {
		return []region{a.r}
	}
	return regionsOf(a.alts)
}

func regionsOf(ps []placement) []region {
	out := make([]region, len(ps))
	for k, p := range ps {
		out[k] = p.r
	}
	return out
}
