package progen

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// resultType returns a type that a branch or a loop may give.
func (g *gen) resultType() typ {
	if v := g.array(func(v *variable) bool { return g.runs(v.elems()) }); v != nil && !g.one(3) {
		return v.typ
	}
	if g.one(4) {
		return typ{g.anyPrim(), g.anyShape()}
	}
	return typ{prim: g.anyPrim()}
}

// resultTypes returns the types of n results. With the trait "joined" they are often those of one
// array, of which there are several, so that two results may be one array and need not be.
func (g *gen) resultTypes(n int) []typ {
	types := make([]typ, n)
	for k := range types {
		types[k] = g.resultType()
	}
	if g.joined && !g.one(3) {
		g.alike(types)
	}
	return types
}

// alike makes all types that of one array, if there is one, and often makes another of this type.
func (g *gen) alike(types []typ) bool {
	x := g.array(func(v *variable) bool { return g.runs(v.elems() * 4) })
	if x == nil {
		return false
	}
	switch {
	case g.one(2):
	case g.kernel:
		g.replicated(x.typ)
	default:
		g.made(x.typ)
	}
	for k := range types {
		types[k] = x.typ
	}
	return true
}

// deep reports whether another body may be nested here.
func (g *gen) deep() bool {
	return g.nesting >= 5 || g.budget < 2 && !(g.kernel && g.branchy && g.nesting < 3)
}

// An outcome is what a body gives for one result, and the groups that it may
// share memory with.
type outcome struct {
	text   string
	groups []int
}

func (g *gen) outcomeOf(t typ) outcome {
	text := g.valueOf(t)
	if v := g.lookup(text); v != nil && t.shape != nil {
		return outcome{text, v.groups}
	}
	return outcome{text: text}
}

// ifStmt writes a branch with one to three results.
func (g *gen) ifStmt() bool {
	if g.deep() {
		return false
	}
	if !g.kernel && g.one(4) {
		return g.sizedIf()
	}
	g.ifOf(g.resultTypes(1 + g.Intn(3)))
	return true
}

// ifOf writes a branch with results of these types.
func (g *gen) ifOf(types []typ) {
	cond, key := g.scalar(ir.Bool, 2), ""
	onThread := g.kernel && g.branchy && len(g.below) > 0 && !g.one(4)
	switch {
	case onThread:
		cond = g.threadCondition()
	case len(g.dims) > 0 && g.one(3):
		d := pick(g, g.dims)
		cond, key = d.text+" > 0", d.key
	}
	names, pats := g.results(types)
	all := g.branches(tuple(pats), cond, key, func() []outcome {
		var out []outcome
		if onThread && g.one(2) {
			g.fresh()
		}
		for _, t := range types {
			out = append(out, g.outcomeOf(t))
		}
		return out
	})
	g.bindResults(names, types, all)
}

// results names results.
func (g *gen) results(types []typ) (names, pats []string) {
	for _, t := range types {
		n := g.name("r")
		names = append(names, n)
		pats = append(pats, g.pattern(n, t))
	}
	return
}

// branches writes both branches; what one of them consumes is consumed after.
func (g *gen) branches(pattern, cond, positive string, give func() []outcome) [][]outcome {
	before := maps.Clone(g.consumed)
	var after []map[int]bool
	var all [][]outcome
	for k := range 2 {
		if k == 0 {
			g.line("let %s = if %s {", pattern, cond)
		} else {
			g.line("} else {")
		}
		g.consumed = maps.Clone(before)
		g.body(func() {
			if k == 0 && positive != "" {
				g.positive = append(g.positive, positive)
			}
			g.stmts(g.Intn(4))
			out := give()
			texts := make([]string, len(out))
			for j, o := range out {
				texts[j] = o.text
			}
			g.line("in %s", tuple(texts))
			all = append(all, out)
		})
		after = append(after, g.consumed)
	}
	g.line("}")
	for _, m := range after {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			before[k] = true
		}
	}
	g.consumed = before
	return all
}

// bindResults binds the results of a branch to what both sides may return.
//
// If one side returns arrays that the other side consumed, their group continues under another
// number, the same one for all results.
func (g *gen) bindResults(names []string, types []typ, all [][]outcome) {
	ghosts := map[int]int{}
	for k, n := range names {
		v := &variable{name: n, typ: types[k]}
		if v.shape != nil {
			v.groups = g.newGroup()
			for _, out := range all {
				v.groups = append(v.groups, g.alive(out[k].groups, ghosts)...)
			}
		}
		g.bind(v)
	}
}

// alive replaces the groups that were consumed on the way.
func (g *gen) alive(groups []int, ghosts map[int]int) []int {
	var out []int
	for _, k := range groups {
		if g.consumed[k] {
			if ghosts[k] == 0 {
				ghosts[k] = g.newGroup()[0]
			}
			k = ghosts[k]
		}
		out = append(out, k)
	}
	return out
}

// sizedIf writes a branch whose sides give arrays of different sizes.
func (g *gen) sizedIf() bool {
	p := g.anyPrim()
	if v := g.array(func(v *variable) bool { return len(v.shape) == 1 }); v != nil {
		p = v.prim
	}
	size, arr := g.name("k"), g.name("r")
	d := dim{text: size, key: size}
	all := g.branches(fmt.Sprintf("(%s, %s: [%s]%s)", size, arr, size, p), g.scalar(ir.Bool, 2), "", func() []outcome {
		x := g.array(func(v *variable) bool { return v.prim == p && len(v.shape) == 1 })
		if x == nil {
			x = g.owned(typ{p, []dim{g.anyDim()}})
		}
		d.max = max(d.max, x.shape[0].max)
		return []outcome{{text: x.shape[0].text}, {x.name, x.groups}}
	})
	g.addDim(d)
	g.bindResults([]string{arr}, []typ{{p, []dim{d}}}, [][]outcome{all[0][1:], all[1][1:]})
	return true
}

// A carried is one parameter of a loop.
type carried struct {
	name   string
	typ    typ
	init   string
	groups []int // of the initial value
	unique bool
}

// carry makes up to three parameters.
func (g *gen) carry() []carried {
	var out []carried
	for _, t := range g.resultTypes(1 + g.Intn(3)) {
		c := carried{typ: t}
		if t.shape != nil && g.one(3) {
			x := g.owned(t)
			g.consume(x)
			c.init, c.unique = x.name, true
		} else {
			o := g.outcomeOf(t)
			c.init, c.groups = o.text, o.groups
		}
		out = append(out, c)
	}
	// A value that a unique parameter takes may not serve another one as well.
	for k := range out {
		if v := g.lookup(out[k].init); v != nil && !out[k].unique && v.shape != nil && !g.usable(v) {
			n := g.name("r")
			g.line("let %s = replicate (%s) %s", n, texts(out[k].typ.shape), g.literal(out[k].typ.prim))
			g.bindFresh(n, out[k].typ)
			out[k].init, out[k].groups = n, []int{g.group}
		}
	}
	for k := range out {
		out[k].name = g.name("p")
	}
	return out
}

func header(cs []carried) string {
	var parts []string
	for k, c := range cs {
		t := ""
		switch {
		case c.unique:
			t = ": *" + c.typ.String()
		case k%2 == 0 || c.typ.shape == nil:
			t = ": " + c.typ.String()
		}
		parts = append(parts, fmt.Sprintf("%s%s = %s", c.name, t, c.init))
	}
	return strings.Join(parts, ", ")
}

// forLoop writes a counted loop.
func (g *gen) forLoop() bool {
	if g.deep() {
		return false
	}
	if !g.kernel && g.one(5) {
		return g.growing()
	}
	bound := pick(g, []dim{constDim(0), constDim(1), constDim(2), constDim(3)})
	if len(g.dims) > 0 && g.one(2) {
		bound = pick(g, g.dims)
	}
	if bound.wild {
		bound = constDim(3)
	}
	if g.one(6) {
		text := pick(g, []string{"fmod(%s, 4)", "fmod(%s, 16) - 12"}) // a bound may be negative
		bound = dim{text: fmt.Sprintf(text, g.scalar(ir.I64, 1)), key: "?", max: 3}
	}
	if !g.runs(bound.max * 4) {
		return false
	}
	i := g.name("it")
	g.loop(g.carry(), "for "+i+" < "+bound.text, bound.max, func() {
		text := bound.text
		if strings.Contains(text, "[") { // the loop may consume the arrays that it reads
			text = i
		}
		g.below = append(g.below, below{i, bound.key, text})
		g.positive = append(g.positive, bound.key)
		g.stmts(1 + g.Intn(4))
	}, nil)
	return true
}

// whileLoop writes a loop that a condition may end before its fourth turn.
func (g *gen) whileLoop() bool {
	if g.deep() || !g.runs(16) {
		return false
	}
	cs := g.carry()
	count, going := g.name("c"), g.name("w")
	cs = append(cs,
		carried{name: count, typ: typ{prim: ir.I64}, init: "0i64"},
		carried{name: going, typ: typ{prim: ir.Bool}, init: g.scalar(ir.Bool, 1)})
	limit := 1 + g.Intn(4)
	if g.sugared && g.one(2) {
		cs = cs[:len(cs)-1]
		cond := fmt.Sprintf("while %s < %d && %s", count, limit, g.scalar(ir.Bool, 1))
		g.loop(cs, cond, int64(limit), func() { g.stmts(1 + g.Intn(3)) }, func(k int) string {
			if cs[k].name == count {
				return count + " + 1"
			}
			return ""
		})
		return true
	}
	g.loop(cs, "while "+going, int64(limit), func() { g.stmts(1 + g.Intn(3)) }, func(k int) string {
		switch cs[k].name {
		case count:
			return count + " + 1"
		case going:
			return fmt.Sprintf("%s < %d && %s", count, limit-1, g.scalar(ir.Bool, 1))
		}
		return ""
	})
	return true
}

// endlessLoop writes a loop that would not end if it ran. It never runs, but a compiler does not
// know that.
func (g *gen) endlessLoop() bool {
	if g.deep() || !g.runs(4) {
		return false
	}
	going := g.name("w")
	cs := append(g.carry(), carried{
		name: going, typ: typ{prim: ir.Bool}, init: g.scalar(ir.I64, 1) + " == 7046029254386353131"})
	g.loop(cs, "while "+going, 1, func() { g.stmts(1 + g.Intn(3)) }, func(k int) string {
		if cs[k].name == going {
			return going
		}
		return ""
	})
	return true
}

// loop writes a loop over carried values. special gives the next values that
// are not free ("" for those that are).
func (g *gen) loop(cs []carried, kind string, turns int64, write func(), special func(k int) string) {
	types := make([]typ, len(cs))
	var outer []int   // what any result may be: all that went in or comes out
	borrowed := false // or something in the body that may not be consumed
	for k, c := range cs {
		types[k] = c.typ
		outer = append(outer, c.groups...)
	}
	names, pats := g.results(types)
	g.line("let %s = loop (%s) %s {", tuple(pats), header(cs), kind)
	barrier, factor := g.barrier, g.factor
	g.barrier = g.group
	g.factor *= max(turns, 1)
	own := map[int]bool{} // the parameters' groups
	g.body(func() {
		for _, c := range cs {
			v := &variable{name: c.name, typ: c.typ}
			if c.typ.shape != nil {
				v.groups = g.newGroup()
				if !c.unique {
					own[g.group] = true
					g.unowned[g.group] = true
					v.groups = append(v.groups, outer...)
				}
			}
			g.bind(v)
		}
		write()
		next := make([]string, len(cs))
		for _, unique := range []bool{true, false} { // a value given away is gone
			for k, c := range cs {
				switch {
				case c.unique != unique:
				case unique:
					x := g.owned(c.typ)
					g.consume(x)
					next[k] = x.name
				default:
					if special != nil {
						next[k] = special(k)
					}
					if next[k] == "" {
						o := g.outcomeOf(c.typ)
						next[k] = o.text
						for _, n := range o.groups {
							if n <= g.barrier {
								outer = append(outer, n)
							}
							borrowed = borrowed || g.unowned[n] && !own[n]
						}
					}
				}
			}
		}
		g.line("in %s", tuple(next))
	})
	g.line("}")
	g.barrier, g.factor = barrier, factor
	for k, c := range cs {
		v := &variable{name: names[k], typ: c.typ}
		if c.typ.shape != nil {
			v.groups = g.newGroup()
			if !c.unique {
				v.groups = append(v.groups, outer...)
				g.unowned[v.groups[0]] = borrowed
			}
		}
		g.bind(v)
	}
}

// growing writes a loop whose array changes its size.
func (g *gen) growing() bool {
	if g.deep() {
		return false
	}
	x := g.array(func(v *variable) bool { return len(v.shape) == 1 && v.elems() <= 10*g.scale() })
	if x == nil {
		return false
	}
	turns := int64(1 + g.Intn(2))
	size, arr, i := g.name("k"), g.name("r"), g.name("it")
	s, a := g.name("k"), g.name("p")
	most := x.shape[0].max * 4
	inner := dim{text: s, key: s, max: most}
	g.line("let (%s, %s: [%s]%s) = loop (%s = %s, %s: [%s]%s = %s) for %s < %d {", size, arr, size, x.prim, s, x.shape[0].text, a, s, x.prim, x.name, i, turns)
	barrier, factor := g.barrier, g.factor
	g.barrier = g.group
	g.factor *= turns
	groups := append(g.newGroup(), x.groups...)
	g.body(func() {
		g.addDim(inner)
		g.bind(&variable{name: a, typ: typ{x.prim, []dim{inner}}, groups: append(g.newGroup(), x.groups...)})
		g.unowned[g.group] = true
		g.stmts(g.Intn(3))
		n := g.name("k")
		b := g.name("a")
		other := a
		if v := g.array(func(v *variable) bool { return v.prim == x.prim && len(v.shape) == 1 && v.elems() <= x.elems() }); v != nil && g.one(2) {
			other = v.name
		}
		o := g.lookup(other)
		g.line("let %s = %s + %s", n, s, o.shape[0].text)
		g.line("let %s: [%s]%s = concat@0 (%s, %s)", b, n, x.prim, a, other)
		g.line("in (%s, %s)", n, b)
	})
	g.line("}")
	g.barrier, g.factor = barrier, factor
	d := dim{text: size, key: size, max: most}
	g.addDim(d)
	g.bind(&variable{name: arr, typ: typ{x.prim, []dim{d}}, groups: groups})
	return true
}

// inPlaceLoop writes the loop that updates an array element by element.
func (g *gen) inPlaceLoop() bool {
	if g.deep() {
		return false
	}
	t := typ{g.anyPrim(), []dim{g.anyDim()}}
	if v := g.array(func(v *variable) bool { return g.runs(v.elems() * 2) }); v != nil {
		t = v.typ
	}
	d := pick(g, t.shape)
	if !g.runs(t.elems()*d.max) || d.constant && d.max == 0 {
		return false
	}
	x := g.owned(t)
	g.consume(x)
	i, p, r := g.name("it"), g.name("p"), g.name("r")
	g.line("let %s = loop (%s: *%s = %s) for %s < %s {", g.pattern(r, t), p, t, x.name, i, d.text)
	barrier, factor := g.barrier, g.factor
	g.barrier = g.group
	g.factor *= max(d.max, 1)
	g.body(func() {
		g.bindFresh(p, t)
		g.below = append(g.below, below{i, d.key, d.text})
		g.positive = append(g.positive, d.key)
		g.stmts(g.Intn(3))
		v := g.lookup(p)
		if !g.usable(v) {
			v = g.owned(t)
		}
		last := v.name
		if u := g.name("up"); g.writeElement(v, u) || g.writePart(v, u) {
			last = u
		}
		g.line("in %s", last)
	})
	g.line("}")
	g.barrier, g.factor = barrier, factor
	g.bindFresh(r, t)
	return true
}
