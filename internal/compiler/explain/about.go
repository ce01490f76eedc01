package explain

import (
	"cmp"
	"fmt"
	"slices"
)

// About tells in sentences what all passes made of an array or a block of a function: from where to where it
// is needed, where it lies, and which other arrays lie there. The names are those of the checked program.
func (x *Explanation) About(fn, name string) string {
	if found, err := x.functionsOf(fn, name); err != nil || !slices.Contains(found, fn) {
		text := quote(name) + " has no storage"
		if line, pass := x.computedAway(name); line > 0 {
			text += " after the pass " + quote(pass)
		}
		return x.shown(text + ".")
	}
	p := &pair{x: x, fn: fn, a: name, b: name}
	for k := range x.Stages {
		p.as = append(p.as, x.home(fn, name, k))
	}
	p.bs = p.as
	return x.shown(x.life(fn, name) + "\n" + p.ends() + p.sharers())
}

// sharers names the arrays that always lie in one block with the first of two names after all passes, in the
// order of their lines.
func (p *pair) sharers() string {
	f, here := p.x.last().function(p.fn), p.as[p.last()]
	var names []string
	for n := range f.Arrays {
		if n != p.a && p.x.home(p.fn, n, p.last()).one(here) {
			names = append(names, n)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(f.Arrays[a].Line, f.Arrays[b].Line), cmp.Compare(a, b))
	})
	if here.block == p.a {
		return fmt.Sprintf(" It then holds %s.", list(names))
	}
	return fmt.Sprintf(" It shares this storage with %s.", list(names))
}
