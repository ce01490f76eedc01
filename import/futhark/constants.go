package futhark

import (
	"maps"
	"slices"
	"strconv"
)

// Note [Constants that several functions need]
//
// Futhark computes the constants of a file once and keeps them. In memc every function computes the
// constants that it needs. A constant that is computed from scalars alone, or that only one
// function needs, is written out in the function. A constant that several functions need and that
// takes arrays or kernels becomes a function that each of them calls, with the constants that it
// depends on as arguments; otherwise each would repeat its allocations. A function that does not
// need a constant, itself or in its callees, neither computes it nor makes its assertions.

// A unit is what one such function computes: the statements that make arrays in
// the same blocks, or one statement.
type unit struct {
	stms  []*stm
	users map[*fun]bool
	fun   *fun // where several functions need it
	call  *stm
}

// constantsOf is the constants of a file under way.
type constantsOf struct {
	f     *file
	units []*unit           // in an order in which they can be computed
	of    map[string]*unit  // by the names that they bind
	bound map[string]*param // all constants
	used  map[string]bool   // names that functions and other units mention

	byName map[string]*fun
	made   int // functions so far
}

// shareConstants finds what every function computes of the constants, and makes
// functions of them, if it may; it tells whether there are any.
func shareConstants(f *file, may bool) (some bool) {
	c := &constantsOf{f: f, of: map[string]*unit{}, bound: map[string]*param{}, used: map[string]bool{}, byName: map[string]*fun{}}
	from := map[*param]*stm{}
	for _, s := range f.consts {
		for _, q := range s.pat {
			c.bound[q.name], from[q] = q, s
		}
	}
	if !c.parted() {
		for _, s := range f.consts {
			s.heavy = false // every function computes all
		}
		return false
	}
	if len(c.units) == 0 {
		return false
	}
	for _, g := range f.funs {
		maps.Copy(c.used, g.words)
		c.byName[g.name] = g
	}
	for _, u := range c.units {
		for _, s := range u.stms {
			for w := range s.words {
				c.used[w] = c.used[w] || c.of[w] != u
			}
		}
	}
	for _, g := range f.funs {
		for h := range c.reached(g) {
			c.use(h.words, func(u *unit) { u.users[g] = true })
		}
	}
	for _, u := range c.units {
		if may && len(u.users) > 1 {
			c.function(u)
			f.funs, some = append(f.funs, u.fun), true
		}
	}
	for _, g := range f.funs {
		g.needs, g.own, g.given = nil, map[*stm]bool{}, map[*stm]bool{}
		for _, q := range g.params {
			if s := from[q]; s != nil { // a function of a unit is given it
				g.given[s] = true
			}
		}
	}
	for _, u := range c.units {
		for g := range u.users {
			if u.fun != nil {
				g.needs = append(g.needs, u.call)
				continue
			}
			for _, s := range u.stms {
				g.own[s] = true
			}
		}
	}
	return some
}

// use calls f for the units of some names, and for those that they are made from.
func (c *constantsOf) use(words map[string]bool, f func(*unit)) {
	seen := map[*unit]bool{}
	var visit func(words map[string]bool)
	visit = func(words map[string]bool) {
		for w := range words {
			u := c.of[w]
			if u == nil || seen[u] {
				continue
			}
			seen[u] = true
			f(u)
			for _, s := range u.stms {
				visit(s.words)
			}
		}
	}
	visit(words)
}

// reached returns a function and those that it calls, directly or not.
func (c *constantsOf) reached(g *fun) map[*fun]bool {
	found := map[*fun]bool{g: true}
	for todo := []*fun{g}; len(todo) > 0; {
		h := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for w := range h.words {
			if k := c.byName[w]; k != nil && !found[k] {
				found[k] = true
				todo = append(todo, k)
			}
		}
	}
	return found
}

// A list of variables as Futhark's functions take and give them: blocks, scalars,
// arrays.
type list struct {
	groups [3][]*param
	taken  map[string]bool
}

// add puts a constant on a list, and calls f for what its place and its shape
// mention.
func (c *constantsOf) add(l *list, name string, f func(string)) {
	q := c.bound[name]
	if q == nil || l.taken[name] {
		return
	}
	l.taken[name] = true
	switch kindOf(q.typ) {
	case memKind:
		l.groups[0] = append(l.groups[0], q)
	case scalarKind:
		l.groups[1] = append(l.groups[1], q)
	case arrayKind:
		l.groups[2] = append(l.groups[2], q)
		named(q.typ, f)
	}
}

// function makes the function of a unit: it takes what this is made from, and
// gives what others use.
func (c *constantsOf) function(u *unit) {
	in, out := &list{taken: map[string]bool{}}, &list{taken: map[string]bool{}}
	var take, give func(string)
	take = func(name string) { c.add(in, name, take) }
	give = func(name string) {
		if c.of[name] != u {
			take(name)
			return
		}
		c.add(out, name, give)
	}
	g := &fun{body: &body{stms: u.stms}}
	for _, s := range u.stms {
		for _, w := range slices.Sorted(maps.Keys(s.words)) {
			if c.of[w] != nil && c.of[w] != u {
				take(w)
			}
		}
		for _, q := range s.pat {
			if c.used[q.name] {
				give(q.name)
			}
		}
	}
	for g.name == "" || c.byName[g.name] != nil {
		c.made++
		g.name = "constants_" + strconv.Itoa(c.made)
	}
	g.span = u.stms[0].span
	g.body.span = g.span.Join(u.stms[len(u.stms)-1].span)
	g.params = slices.Concat(in.groups[:]...)
	pat := slices.Concat(out.groups[:]...)
	at := map[string]int{}
	for i, q := range pat {
		at[q.name] = i
		g.body.result = append(g.body.result, operand{name: q.name, ext: -1, span: q.span})
	}
	for _, q := range pat {
		g.rets = append(g.rets, asResult(q.typ, at))
	}
	e := &eApply{fn: g.name, rets: g.rets, span: g.span}
	for _, q := range g.params {
		e.args = append(e.args, operand{name: q.name, ext: -1, span: g.span})
	}
	u.fun, u.call = g, &stm{pat: pat, exp: e, span: g.span}
}

// named calls f for the names in the shape and the place of an array.
func named(t *typ, f func(string)) {
	var leaf func(e *lexp)
	leaf = func(e *lexp) {
		if e.leaf != nil {
			f(e.leaf.name)
		}
		for _, a := range e.args {
			leaf(a)
		}
	}
	for _, d := range t.shape {
		f(d.name)
	}
	if t.place == nil {
		return
	}
	f(t.place.mem)
	leaf(t.place.offset)
	for _, s := range t.place.strides {
		leaf(s)
	}
}

// asResult returns the type of a result, in which names of other results stand as
// "?k".
func asResult(t *typ, at map[string]int) *typ {
	operandOf := func(o operand) operand {
		if k, ok := at[o.name]; ok && o.konst == "" {
			o.name, o.ext = "", k
		}
		return o
	}
	var leaf func(e *lexp) *lexp
	leaf = func(e *lexp) *lexp {
		c := *e
		if e.leaf != nil {
			o := operandOf(*e.leaf)
			c.leaf = &o
		}
		c.args = nil
		for _, a := range e.args {
			c.args = append(c.args, leaf(a))
		}
		return &c
	}
	c := *t
	c.shape = nil
	for _, d := range t.shape {
		c.shape = append(c.shape, operandOf(d))
	}
	if t.place != nil {
		pl := *t.place
		if k, ok := at[pl.mem]; ok {
			pl.mem, pl.ext = "", k
		}
		pl.offset, pl.strides = leaf(pl.offset), nil
		for _, s := range t.place.strides {
			pl.strides = append(pl.strides, leaf(s))
		}
		c.place = &pl
	}
	return &c
}
