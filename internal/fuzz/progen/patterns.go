package progen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// Patterns are runs of statements as optimisers of memory feed on: arrays made to
// be put somewhere, and arrays that are dead before others are made. Statements
// drawn one by one seldom meet like that.
var patterns = []choice{
	{3, (*gen).concatChain}, {4, (*gen).freshIntoPart}, {3, (*gen).rowsLoop}, {2, (*gen).branchIntoPart},
	{3, (*gen).loopIntoPart}, {3, (*gen).stencilLoop}, {4, (*gen).shortLived}, {3, (*gen).privateArrays}, {5, (*gen).privateTables},
	{2, (*gen).copyOfFresh}, {3, (*gen).mapOverDead}, {2, (*gen).viewOfFreshIntoPart}, {4, (*gen).recurrence},
	{3, (*gen).history},
}

// feed writes one of them.
func (g *gen) feed() bool {
	if g.kernel || g.deep() {
		return false
	}
	total := 0
	for _, c := range patterns {
		total += c.weight
	}
	k := g.Intn(total)
	for _, c := range patterns {
		if k -= c.weight; k < 0 {
			return c.write(g)
		}
	}
	return false
}

// made writes an array of a type by a map over all its elements, or with arrays as
// the threads' values, and binds it.
func (g *gen) made(t typ) string {
	name := g.name("m")
	if len(t.shape) == 0 || !g.runs(t.elems()*2) {
		return g.replicated(t)
	}
	n := len(t.shape)
	if n > 1 && g.one(4) {
		n--
	}
	vars, bounds := make([]string, n), make([]string, n)
	for k := range vars {
		vars[k] = g.name("t")
		bounds[k] = vars[k] + " < " + t.shape[k].text
	}
	g.line("let %s = map (%s) {", g.pattern(name, t), strings.Join(bounds, ", "))
	g.threads(vars, t.shape[:n], func() {
		if g.one(3) {
			g.stmts(1 + g.Intn(2))
		}
		own := typ{prim: t.prim}
		if n < len(t.shape) {
			own.shape = t.shape[n:]
		}
		g.give([]typ{own}, nil)
	})
	g.line("}")
	g.bindFresh(name, t)
	return name
}

// smallType returns a type of an array that is not too large to be made several times.
func (g *gen) smallType(rank int) (typ, bool) {
	for range 6 {
		t := typ{prim: g.anyPrim()}
		if v := g.array(nil); v != nil && g.one(2) {
			t.prim = v.prim
		}
		for range rank {
			t.shape = append(t.shape, g.anyDim())
		}
		if t.elems() <= 60*g.scale() && g.runs(t.elems()*4) {
			return t, true
		}
	}
	return typ{}, false
}

// concatChain joins arrays that were made for it, and what it gives again.
func (g *gen) concatChain() bool {
	t, ok := g.smallType(1 + g.Intn(2))
	if !ok {
		return false
	}
	k := g.Intn(len(t.shape))
	sum, args := t.shape[k], []string{g.made(t)}
	for range 1 + g.Intn(3) {
		u := typ{t.prim, append([]dim(nil), t.shape...)}
		u.shape[k] = g.anyDim()
		d, fits := g.combine('+', sum, u.shape[k])
		if !fits || d.max > 40*g.scale() {
			break
		}
		sum = d
		args = append(args, g.made(u))
	}
	if len(args) < 2 {
		return true
	}
	r := typ{t.prim, append([]dim(nil), t.shape...)}
	r.shape[k] = sum
	name := g.name("a")
	g.line("let %s: %s = concat@%d (%s)", name, r, k, strings.Join(args, ", "))
	g.bindFresh(name, r)
	if d, fits := g.combine('+', sum, t.shape[k]); fits && d.max <= 40*g.scale() && g.one(2) {
		again := typ{r.prim, append([]dim(nil), r.shape...)}
		again.shape[k] = d
		other := g.made(t)
		outer := g.name("a")
		order := []string{name, other}
		if g.one(2) { // the sum is the same, whichever is first
			order = []string{other, name}
		}
		g.line("let %s: %s = concat@%d (%s)", outer, again, k, strings.Join(order, ", "))
		g.bindFresh(outer, again)
	}
	return true
}

// target returns an array that may be consumed and a part of it.
func (g *gen) target() (x *variable, items string, part typ, ok bool) {
	y := g.array(func(v *variable) bool { return v.elems() <= 80*g.scale() && g.runs(v.elems()) })
	if y == nil {
		return nil, "", typ{}, false
	}
	x = g.owned(y.typ)
	items, shape := g.items(x.shape)
	part = typ{x.prim, shape}
	return x, items, part, g.runs(part.elems() * 4)
}

// put updates a part of x with a value.
func (g *gen) put(x *variable, items, value string) bool {
	name := g.name("up")
	g.line("let %s = %s with [%s] = %s", g.pattern(name, x.typ), x.name, items, value)
	g.consume(x)
	g.bindFresh(name, x.typ)
	return true
}

// freshIntoPart makes an array and puts it into a part of another; now and then it
// is used after that, or the other one is read in between.
func (g *gen) freshIntoPart() bool {
	x, items, part, ok := g.target()
	if !ok {
		return false
	}
	z := g.made(part)
	if g.one(3) {
		g.scalarLet()
	}
	g.put(x, items, z)
	if g.one(4) {
		if s := g.element(g.lookup(z)); s != "" {
			g.line("let %s = %s", g.name("s"), s)
		}
	}
	return true
}

// viewOfFreshIntoPart turns what it made before putting it somewhere.
func (g *gen) viewOfFreshIntoPart() bool {
	x, items, part, ok := g.target()
	if !ok || len(part.shape) < 2 {
		return false
	}
	n := len(part.shape)
	turned := typ{part.prim, append(append([]dim(nil), part.shape[1:]...), part.shape[0])}
	z := g.made(turned)
	perm := make([]string, n)
	for k := range perm {
		perm[k] = fmt.Sprint((k + n - 1) % n)
	}
	v := g.name("v")
	g.line("let %s = rearrange (%s) %s", g.pattern(v, part), strings.Join(perm, ", "), z)
	g.bind(&variable{name: v, typ: part, groups: g.lookup(z).groups})
	return g.put(x, items, v)
}

// branchIntoPart puts what two branches made into a part of an array.
func (g *gen) branchIntoPart() bool {
	x, items, part, ok := g.target()
	if !ok || strings.Contains(items, "[") { // a branch may consume the arrays that items read
		return false
	}
	g.consume(x) // neither branch may do so
	r := g.name("r")
	all := g.branches(g.pattern(r, part), g.scalar(ir.Bool, 2), "", func() []outcome {
		if g.one(4) {
			return []outcome{g.outcomeOf(part)}
		}
		n := g.made(part)
		return []outcome{{n, g.lookup(n).groups}}
	})
	g.bindResults([]string{r}, []typ{part}, all)
	return g.put(x, items, r)
}

// loopIntoPart puts the last value of a loop into a part of an array.
func (g *gen) loopIntoPart() bool {
	x, items, part, ok := g.target()
	if !ok || !g.runs(part.elems()*8) || strings.Contains(items, "[") { // as in branchIntoPart
		return false
	}
	g.consume(x)
	return g.put(x, items, g.turns(part))
}

// turns writes a loop whose array is made anew in each turn from the last one.
func (g *gen) turns(t typ) string { return g.turnsFrom(g.made(t), t) }

// turnsFrom is turns with an initial value. Some loops make the next value in a loop of the same kind, and behind some
// another one goes on with the value, or with an array made after it.
func (g *gen) turnsFrom(init string, t typ) string {
	groups := g.lookup(init).groups // without a turn the result is the first value
	r, p, i := g.name("r"), g.name("p"), g.name("it")
	turns := int64(g.Intn(4))
	names, params := []string{r}, []string{p}
	if g.one(4) { // one more that begins with the value, and keeps it or takes the last one
		names, params = append(names, g.name("r")), append(params, g.name("p"))
	}
	var patterns, inits []string
	for k, x := range params {
		patterns = append(patterns, g.pattern(names[k], t))
		inits = append(inits, fmt.Sprintf("%s: %s = %s", x, t, init))
	}
	g.line("let (%s) = loop (%s) for %s < %d {", strings.Join(patterns, ", "), strings.Join(inits, ", "), i, turns)
	back := params[g.Intn(len(params)):][:1]
	if len(params) == 1 {
		back = nil
	}
	barrier, factor := g.barrier, g.factor
	g.barrier = g.group
	g.factor *= max(turns, 1)
	g.body(func() {
		for _, x := range params {
			v := &variable{name: x, typ: t, groups: append(g.newGroup(), groups...)}
			g.unowned[v.groups[0]] = true
			g.bind(v)
		}
		if g.one(2) {
			g.stmts(1)
		}
		if g.one(3) && !g.deep() && g.runs(t.elems()*8) {
			next := g.turnsFrom(p, t)
			for _, k := range g.lookup(next).groups { // it is the body's value
				g.unowned[k] = true
			}
			if g.one(4) {
				g.stmts(1)
			}
			g.line("in (%s)", strings.Join(append([]string{next}, back...), ", "))
			return
		}
		next := g.made(t)
		if g.one(3) {
			c := g.name("c")
			g.line("let %s = copy %s", g.pattern(c, t), next)
			g.bindFresh(c, t)
			next = c
		}
		g.line("in (%s)", strings.Join(append([]string{next}, back...), ", "))
	})
	g.line("}")
	g.barrier, g.factor = barrier, factor
	all := append(g.newGroup(), groups...)
	for _, x := range names { // without a turn all are one array
		g.bind(&variable{name: x, typ: t, groups: all})
	}
	if g.one(3) && g.runs(t.elems()*8) {
		if g.one(2) {
			return g.turnsFrom(g.made(t), t)
		}
		return g.turnsFrom(r, t)
	}
	return r
}

// stencilLoop is a loop with a double buffer: each turn reads neighbours.
func (g *gen) stencilLoop() bool {
	t, ok := g.smallType(1)
	if !ok || !g.runs(t.elems()*16) {
		return false
	}
	g.turns(t)
	return true
}

// recurrence is a loop that carries its last two or three values, and drops the oldest one. The next
// value is made of their elements, mostly at the same index.
func (g *gen) recurrence() bool {
	t, ok := g.smallType(1)
	if !ok || t.prim == ir.Bool || !g.runs(t.elems()*16) {
		return false
	}
	n := 2 + g.Intn(2)
	params, results, firsts := make([]string, n), make([]string, n), make([]string, n)
	var inits, patterns []string
	var first []int
	for k := range n {
		firsts[k] = g.made(t)
		if k > 0 && g.one(8) {
			firsts[k] = firsts[0]
		}
		params[k], results[k] = g.name("p"), g.name("r")
		first = append(first, g.lookup(firsts[k]).groups...)
		inits = append(inits, fmt.Sprintf("%s: %s = %s", params[k], t, firsts[k]))
		patterns = append(patterns, g.pattern(results[k], t))
	}
	turns := int64(g.Intn(5))
	g.line("let (%s) = loop (%s) for %s < %d {", strings.Join(patterns, ", "), strings.Join(inits, ", "), g.name("it"), turns)
	barrier, factor := g.barrier, g.factor
	g.barrier = g.group
	g.factor *= max(turns, 1)
	g.body(func() {
		for _, p := range params {
			v := &variable{name: p, typ: t, groups: append(g.newGroup(), first...)}
			g.unowned[v.groups[0]] = true
			g.bind(v)
		}
		if g.one(3) {
			g.stmts(1)
		}
		next, i := g.name("m"), g.name("t")
		g.line("let %s = map (%s < %s) {", g.pattern(next, t), i, t.shape[0].text)
		var reads []string
		for k, p := range params {
			at := i
			if g.one(2 + 3*(1-min(k, 1))) {
				at = fmt.Sprintf("%s - 1 - %s", t.shape[0].text, i)
			}
			reads = append(reads, fmt.Sprintf("%s[%s]", p, at))
		}
		g.line("  in %s", strings.Join(reads, " + "))
		g.line("}")
		if g.one(3) {
			v := &variable{name: next, typ: t, groups: g.newGroup()}
			g.unowned[v.groups[0]] = true
			g.bind(v)
			g.stmts(1)
		}
		back := append(slices.Clone(params[1:]), next)
		if g.one(8) {
			back[0] = params[0]
		}
		g.line("in (%s)", strings.Join(back, ", "))
	})
	g.line("}")
	g.barrier, g.factor = barrier, factor
	all := append(g.newGroup(), first...)
	for _, r := range results { // the values of the last iterations: some may be one array
		g.bind(&variable{name: r, typ: t, groups: all})
	}
	return true
}

// rowsLoop fills an array row by row.
func (g *gen) rowsLoop() bool {
	t, ok := g.smallType(2)
	if !ok || !g.runs(t.elems()*8) {
		return false
	}
	x := g.owned(t)
	g.consume(x)
	i, p, r := g.name("it"), g.name("p"), g.name("r")
	rows, row := t.shape[0], typ{t.prim, t.shape[1:]}
	column := g.one(3)
	if column {
		rows, row = t.shape[1], typ{t.prim, t.shape[:1]}
	}
	g.line("let %s = loop (%s: *%s = %s) for %s < %s {", g.pattern(r, t), p, t, x.name, i, rows.text)
	barrier, factor := g.barrier, g.factor
	g.barrier = g.group
	g.factor *= max(rows.max, 1)
	g.body(func() {
		g.bindFresh(p, t)
		g.below = append(g.below, below{i, rows.key, rows.text})
		g.positive = append(g.positive, rows.key)
		z := g.made(row)
		items := fmt.Sprintf("%s, (0, %s)", i, row.shape[0].text)
		if column {
			items = fmt.Sprintf("(0, %s), %s", row.shape[0].text, i)
		}
		v := g.lookup(p)
		if !g.usable(v) {
			v = g.owned(t)
		}
		g.put(v, items, z)
		g.line("in %s", g.vars[len(g.vars)-1].name)
	})
	g.line("}")
	g.barrier, g.factor = barrier, factor
	g.bindFresh(r, t)
	return true
}

// history is a loop that carries a value and stores it as a row; the first value is one, too, or not.
func (g *gen) history() bool {
	t, ok := g.smallType(2)
	if !ok || t.prim == ir.Bool || !g.runs(t.elems()*16) {
		return false
	}
	rows, row := t.shape[0], typ{t.prim, t.shape[1:]}
	start, all := g.made(row), g.owned(t)
	first := g.lookup(start).groups
	at, turns := "%s", rows.text
	switch {
	case rows.constant && rows.max > 0 && g.one(2):
		g.put(all, fmt.Sprintf("0, (0, %s)", row.shape[0].text), start)
		all = g.vars[len(g.vars)-1]
		at, turns = "%s + 1", turns+" - 1"
	case g.one(3):
		at = rows.text + " - 1 - %s"
	}
	if !g.usable(all) {
		return false
	}
	g.consume(all)
	i, h, u, r, last := g.name("it"), g.name("p"), g.name("p"), g.name("r"), g.name("r")
	g.line("let (%s, %s) = loop (%s: *%s = %s, %s: %s = %s) for %s < %s {", g.pattern(r, t), g.pattern(last, row), h, t, all.name, u, row, start, i, turns)
	barrier, factor := g.barrier, g.factor
	g.barrier = g.group
	g.factor *= max(rows.max, 1)
	g.body(func() {
		g.bindFresh(h, t)
		v := &variable{name: u, typ: row, groups: append(g.newGroup(), first...)}
		g.unowned[v.groups[0]] = true
		g.bind(v)
		if g.one(4) {
			g.stmts(1)
		}
		next, j, n := g.name("m"), g.name("t"), row.shape[0].text
		g.line("let %s = map (%s < %s) { in %s[%s - 1 - %s] + %s[%s] }", g.pattern(next, row), j, n, u, n, j, u, j)
		w := &variable{name: next, typ: row, groups: g.newGroup()}
		g.unowned[w.groups[0]] = true
		g.bind(w)
		stored := next
		if g.one(5) {
			stored = g.made(row)
		}
		into := g.lookup(h)
		if !g.usable(into) {
			into = g.owned(t)
		}
		g.put(into, fmt.Sprintf(at+", (0, %s)", i, n), stored)
		done := g.vars[len(g.vars)-1].name
		if g.one(4) {
			g.stmts(1)
			if !g.usable(g.lookup(done)) {
				done = g.owned(t).name
			}
		}
		g.line("in (%s, %s)", done, next)
	})
	g.line("}")
	g.barrier, g.factor = barrier, factor
	g.bindFresh(r, t)
	g.bind(&variable{name: last, typ: row, groups: append(g.newGroup(), first...)})
	return true
}

// shortLived makes arrays, reduces each to a scalar, and uses them no more: their
// blocks can be used again, if they are large enough.
func (g *gen) shortLived() bool {
	t, ok := g.smallType(1 + g.Intn(2))
	if !ok {
		return false
	}
	for range 2 + g.Intn(3) {
		u := typ{t.prim, append([]dim(nil), t.shape...)}
		if g.one(3) {
			u.prim = g.anyPrim()
		}
		if g.one(2) {
			u.shape[0] = g.anyDim()
		}
		z := g.lookup(g.made(u))
		if s := g.element(z); s != "" {
			n := g.name("s")
			g.line("let %s = %s", n, s)
			g.bindFresh(n, typ{prim: z.prim})
		}
		g.consume(z) // nobody uses it again
	}
	return true
}

// copyOfFresh copies what was made for nothing else.
func (g *gen) copyOfFresh() bool {
	t, ok := g.smallType(1 + g.Intn(2))
	if !ok {
		return false
	}
	z := g.made(t)
	c := g.name("c")
	g.line("let %s = copy %s", g.pattern(c, t), z)
	g.bindFresh(c, t)
	return true
}

// mapOverDead makes an array from one of the same shape that is read there for the
// last time, each element from its own or from another one.
func (g *gen) mapOverDead() bool {
	t, ok := g.smallType(1)
	if !ok || t.prim == ir.Bool {
		return false
	}
	z := g.made(t)
	name, v := g.name("m"), g.name("t")
	from := pick(g, []string{v, v, fmt.Sprintf("%s - 1 - %s", t.shape[0].text, v), fmt.Sprintf("(%s + 1) %% %s", v, t.shape[0].text)})
	if g.wraps && g.one(2) {
		from = g.wrappedIndex(v, t.shape[0])
	}
	g.line("let %s = map (%s < %s) { in %s[%s] + %s }", g.pattern(name, t), v, t.shape[0].text, z, from, g.literal(t.prim))
	g.consume(g.lookup(z))
	g.bindFresh(name, t)
	return true
}

// privateArrays is a kernel whose threads make arrays of several element types and
// sizes, one after the other.
func (g *gen) privateArrays() bool {
	space, vars, dims, ok := g.space(0, true)
	if !ok {
		return false
	}
	p := g.anyPrim()
	out := outer(dims, typ{prim: p})
	name := g.name("m")
	g.line("let %s = map (%s) {", g.pattern(name, out), space)
	g.threads(vars, dims, func() {
		sum := g.name("s")
		g.line("let %s = %s", sum, g.literal(p))
		for range 2 + g.Intn(3) {
			t := typ{g.anyPrim(), []dim{constDim(int64(1 + g.Intn(4)))}}
			z := g.replicated(t)
			if g.one(2) {
				v := g.lookup(z)
				up := g.name("up")
				g.line("let %s = %s with [%d] = %s", g.pattern(up, t), z, g.Int63n(t.shape[0].max), g.scalar(t.prim, 1))
				g.consume(v)
				g.bindFresh(up, t)
				z = up
			}
			next := g.name("s")
			read := fmt.Sprintf("%s(%s[%d])", p, z, g.Int63n(t.shape[0].max))
			if p == ir.Bool {
				g.line("let %s = %s != %s", next, sum, read)
			} else {
				g.line("let %s = %s + %s", next, sum, read)
			}
			g.consume(g.lookup(z))
			sum = next
		}
		g.line("in %s", sum)
	})
	g.line("}")
	g.bindFresh(name, out)
	return true
}

// privateTables is a kernel whose threads make flat arrays and matrices one after the other, element
// by element and often from the one before: their parts lie under different index functions.
func (g *gen) privateTables() bool {
	threads, k, m, wide := g.anyDim(), g.anyDim(), g.anyDim(), g.anyDim()
	if threads.wild || k.wild || m.wild || wide.wild || !g.runs(threads.max*k.max*max(m.max, wide.max)*16) {
		return false
	}
	flat, ok := g.combine('*', k, m)
	if !ok {
		return false
	}
	p := pick(g, []ir.Prim{ir.I64, ir.I64, ir.I32, ir.F64, ir.F32, ir.I16, ir.U8})
	shapes := [][]dim{{flat}, {k, m}, {k, wide}, {wide}, {m}}
	name, i, sum := g.name("m"), g.name("t"), g.name("s")
	out := typ{p, []dim{threads}}
	g.line("let %s = map (%s < %s) {", g.pattern(name, out), i, threads.text)
	g.line("  let %s = %s(%s)", sum, p, i)
	order := make([]int, 2+g.Intn(3))
	for j := range order {
		order[j] = g.Intn(len(shapes))
	}
	if g.one(2) { // a matrix made in the place of a flat array, and a wider one
		order = append(order[:g.Intn(2)], pick(g, [][]int{{0, 1, 2}, {1, 0, 2}, {2, 0, 1}})...)
	}
	last, array := -1, ""
	for _, shape := range order {
		x, y := g.name("it"), g.name("it")
		at := x // of an element
		if len(shapes[shape]) == 2 {
			at += ", " + y
		}
		value := fmt.Sprintf("%s + %s(%s)", sum, p, x)
		switch {
		case last == 0 && shape == 1:
			value = fmt.Sprintf("%s[%s * %s + %s]", array, x, m.text, y)
		case last == 1 && shape == 0:
			value = fmt.Sprintf("%s[%s / %s, %s %% %s]", array, x, m.text, x, m.text)
		case last == shape:
			value = fmt.Sprintf("%s[%s]", array, at)
		}
		t := typ{p, shapes[shape]}
		array, last = g.name("a"), shape
		start := g.name("z")
		g.line("  let %s = scratch %s (%s)", start, p, texts(t.shape))
		g.nest(array, start, fmt.Sprintf("*%s", t), t.shape, []string{x, y}, func(a string) string {
			return fmt.Sprintf("%s with [%s] = %s * 3", a, at, value)
		})
		x, y = g.name("it"), g.name("it")
		next := g.name("s")
		g.nest(next, sum, p.String(), t.shape, []string{x, y}, func(s string) string {
			read := array + "[" + x + "]"
			if len(t.shape) == 2 {
				read = array + "[" + x + ", " + y + "]"
			}
			return fmt.Sprintf("%s * 5 + %s", s, read)
		})
		sum = next
	}
	g.line("  in %s", sum)
	g.line("}")
	g.bindFresh(name, out)
	return true
}

// nest writes a loop over one or two dims, from start on; each step makes a value of the last one.
func (g *gen) nest(name, start, typ string, dims []dim, vars []string, step func(last string) string) {
	a := g.name("a")
	g.line("  let %s = loop (%s: %s = %s) for %s < %s {", name, a, typ, start, vars[0], dims[0].text)
	g.depth++
	r := g.name("r")
	if len(dims) == 1 {
		g.line("  let %s = %s", r, step(a))
	} else {
		g.nest(r, a, typ, dims[1:], vars[1:], step)
	}
	g.line("  in %s", r)
	g.depth--
	g.line("  }")
}

// joinedThenRead makes arrays of one type that may be one, copies one of them, and reads all later: it
// puts them into parts of a larger array, as far as its first dim has room.
func (g *gen) joinedThenRead() bool {
	before := len(g.vars)
	if write := pick(g, []func(*gen) bool{(*gen).call, (*gen).call, (*gen).call, (*gen).ifStmt, (*gen).forLoop}); !write(g) {
		return false
	}
	var all []*variable
	for _, v := range slices.Backward(g.vars[before:]) {
		if v.shape != nil && len(v.shape) < 3 && (len(all) == 0 || v.same(all[0].typ)) && g.runs(v.elems()*4) {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return true
	}
	t := all[0].typ
	if x := pick(g, all); g.usable(x) && !g.one(3) {
		c := g.name("c")
		g.line("let %s = copy %s", g.pattern(c, t), x.name)
		g.bindFresh(c, t)
		all = append(all, g.vars[len(g.vars)-1])
	}
	g.stmts(g.Intn(3))
	large := typ{t.prim, append([]dim{constDim(int64(len(all)))}, t.shape...)}
	x := g.lookup(g.replicated(large))
	for k, j := range g.Perm(len(all)) {
		if !g.usable(all[j]) {
			continue
		}
		items := []string{fmt.Sprint(k)}
		for _, d := range t.shape {
			items = append(items, fmt.Sprintf("(0, %s)", d.text))
		}
		g.put(x, strings.Join(items, ", "), all[j].name)
		x = g.vars[len(g.vars)-1]
	}
	return true
}
