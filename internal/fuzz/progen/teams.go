package progen

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// A team is the body of a kernel of groups: the steps of a group, in branches and loops that the
// group takes together.
type team struct {
	*gen
	row typ    // of the group's arrays
	at  string // indices, as many as a row has
	// arrays and numbers (i64) are the names in scope.
	arrays, numbers []string
	left            int // statements
	threads         int64
}

// groupOfSteps writes such a kernel, if its work is not too much, and returns its results.
func (g *gen) groupOfSteps() []*variable {
	groups, k := g.anyDim(), g.anyDim()
	if len(g.dims) > 0 && k.constant {
		k = pick(g, g.dims)
	}
	if groups.wild || k.wild || !g.runs(groups.max*k.max*80) {
		return nil
	}
	p := pick(g, []ir.Prim{ir.I64, ir.I64, ir.I32, ir.I16, ir.U8, ir.U32})
	source := g.made(typ{p, []dim{groups, k}})
	at := g.made(typ{ir.I64, []dim{k}})
	if !g.one(6) { // indices of a row, which memc does not see
		from, j := at, g.name("t")
		at = g.name("m")
		g.line("let %s = map (%s < %s) { in fmod(%s[%s], %s) }", at, j, k.text, from, j, k.text)
	}
	t := &team{gen: g, row: typ{p, []dim{k}}, at: at, left: 2 + g.Intn(4), threads: groups.max * k.max}
	r, s, i, row := g.name("r"), g.name("s"), g.name("t"), g.name("v")
	g.line("let (%s, %s) = map (%s < %s) {", r, s, i, groups.text)
	g.body(func() {
		g.line("let %s = %s[%s, (0, %s)]", row, source, i, k.text)
		if !g.one(4) { // else an array of the device
			source, row = row, g.name("a")
			g.line("let %s = copy %s", row, source)
		}
		t.arrays, t.numbers = []string{row}, []string{i, i, k.text, "3i64"}
		for t.left > 0 {
			t.stmt()
		}
		g.line("in (%s, %s)", t.array(), t.number())
	})
	g.line("}")
	g.bindFresh(r, outer([]dim{groups}, t.row))
	g.bindFresh(s, typ{ir.I64, []dim{groups}})
	return g.vars[len(g.vars)-2:]
}

// array and number return a name in scope, more often a later one.
func (t *team) array() string  { return late(t.gen, t.arrays) }
func (t *team) number() string { return late(t.gen, t.numbers) }

func late(g *gen, names []string) string {
	if n := len(names); n > 2 && g.one(2) {
		names = names[n-2:]
	}
	return pick(g, names)
}

// index is one of a row, for the thread j.
func (t *team) index(j string) string {
	k := t.row.shape[0].text
	switch t.Intn(8) {
	case 0:
		return fmt.Sprintf("%s - 1 - %s", k, j)
	case 1:
		return fmt.Sprintf("(%s + 1) %% %s", j, k)
	case 2, 3:
		return fmt.Sprintf("%s[%s]", t.at, j)
	case 4:
		return fmt.Sprintf("fmod(%s + %s, %s)", t.number(), j, k)
	}
	return j
}

// element is an expression for the thread j.
func (t *team) element(j string) string {
	p := t.row.prim
	leaf := func() string {
		switch t.Intn(6) {
		case 0:
			return fmt.Sprintf("%s(%s)", p, t.number())
		case 1:
			return fmt.Sprintf("%s(%s)", p, j)
		}
		return fmt.Sprintf("%s[%s]", t.array(), t.index(j))
	}
	e := leaf()
	for range t.Intn(3) {
		e = fmt.Sprintf("(%s %s %s)", e, pick(t.gen, []string{"+", "-", "*", "^"}), leaf())
	}
	return e
}

func (t *team) condition() string {
	return fmt.Sprintf(pick(t.gen, []string{"%s < %s", "%s != %s", "fmod(%s, 2) == fmod(%s, 2)", "%s > %s + 1"}), t.number(), t.number())
}

// sum is an operator and a neutral element.
func (t *team) sum() string {
	a, b := t.name("o"), t.name("o")
	return fmt.Sprintf("op (%s, %s) { in %s %s %s } neutral (0)", a, b, a, pick(t.gen, []string{"+", "^"}), b)
}

func (t *team) stmt() {
	t.left--
	j, x, k := t.name("t"), t.name("m"), t.row.shape[0].text
	space := fmt.Sprintf("(%s < %s)", j, k)
	switch t.Intn(25) {
	default:
		t.line("let %s = map %s { in %s }", x, space, t.element(j))
	case 0:
		t.line("let %s: %s = scan %s %s { in %s }", x, t.row, space, t.sum(), t.element(j))
	case 1, 2:
		t.line("let %s: i64 = reduce %s %s { in i64(%s) }", x, space, t.sum(), t.element(j))
		t.numbers = append(t.numbers, x)
		return
	case 3:
		z := t.replicated(t.row)
		t.line("let %s: %s = hist %s %s %s { in (fmod(%s[%s], %s + 1), %s) }", x, t.row, z, space, t.sum(), t.at, j, k, t.element(j))
		t.consume(t.lookup(z))
	case 4:
		z := t.name("a")
		t.line("let %s = copy %s", z, t.array())
		t.line("let %s = scatter %s %s { in (if %s then %s - 1 - %s else -1, %s) }", x, z, space, t.condition(), k, j, t.element(j))
	case 5:
		z := t.name("a")
		t.line("let %s = concat@0 (%s, %s)", z, t.array(), t.array())
		t.line("let %s = %s[(%s, %s)]", x, z, pick(t.gen, []string{"0", k}), k)
	case 6:
		t.line("let %s: %s = replicate (%s) %s(%s)", x, t.row, k, t.row.prim, t.number())
	case 7:
		t.line("let %s = if %s > 0 then i64(%s[fmod(%s, %s)]) else %s", x, k, t.array(), t.number(), k, t.number())
		t.numbers = append(t.numbers, x)
		return
	case 8, 9, 10, 11, 12, 13:
		t.branch()
		return
	case 14, 15, 16:
		t.loop()
		return
	case 17, 18:
		if !t.runs(t.threads * t.row.shape[0].max * 8) {
			return
		}
		if t.one(3) {
			t.line("let %s: i64 = reduce %s %s {", x, space, t.sum())
			t.body(func() { t.line("in i64(%s)", t.deep(j)) })
			t.line("}")
			t.numbers = append(t.numbers, x)
			return
		}
		t.line("let %s = map %s {", x, space)
		t.body(func() { t.line("in %s", t.deep(j)) })
		t.line("}")
	}
	t.arrays = append(t.arrays, x)
}

// deep writes kernels in the body of a thread j of the group, and returns a value of the thread.
func (t *team) deep(j string) string {
	q, x, k := t.name("t"), t.name("m"), t.row.shape[0].text
	space := fmt.Sprintf("(%s < %s)", q, k)
	sum := func(x, e string) { t.line("let %s: %s = reduce %s %s { in %s }", x, t.row.prim, space, t.sum(), e) }
	mixed := fmt.Sprintf("%s + %s(%s)", t.element(q), t.row.prim, j)
	switch t.Intn(3) {
	case 0:
		sum(x, mixed)
		return x
	case 1:
		t.line("let %s: %s = scan %s %s { in %s }", x, t.row, space, t.sum(), mixed)
	default:
		t.line("let %s = map %s { in %s }", x, space, mixed)
	}
	if t.one(2) {
		return fmt.Sprintf("%s[%s]", x, t.index(j))
	}
	s := t.name("s")
	sum(s, fmt.Sprintf("%s[%s]", x, t.index(q)))
	return s
}

// outcomes says what a branch or a loop gives: an array, a number, or both.
type outcomes struct{ array, number bool }

func (t *team) outcomes() outcomes {
	return pick(t.gen, []outcomes{{true, false}, {true, false}, {true, true}, {false, true}})
}

// names makes a name for each; bind puts them into scope.
func (x outcomes) names(t *team) (out []string) {
	if x.array {
		out = append(out, t.name("r"))
	}
	if x.number {
		out = append(out, t.name("s"))
	}
	return out
}

func (x outcomes) bind(t *team, names []string) {
	if x.array {
		t.arrays = append(t.arrays, names[0])
	}
	if x.number {
		t.numbers = append(t.numbers, names[len(names)-1])
	}
}

func (x outcomes) values(t *team) (out []string) {
	if x.array {
		out = append(out, t.array())
	}
	if x.number {
		out = append(out, t.number())
	}
	return out
}

// inside writes a body of some statements, which gives values of x, and more.
func (t *team) inside(x outcomes, more ...string) {
	arrays, numbers := len(t.arrays), len(t.numbers)
	t.body(func() {
		for n := t.Intn(3); n > 0 && t.left > 0 && t.nesting < 5; n-- {
			t.stmt()
		}
		t.line("in %s", tuple(append(x.values(t), more...)))
	})
	t.arrays, t.numbers = t.arrays[:arrays:arrays], t.numbers[:numbers:numbers]
}

func (t *team) branch() {
	x := t.outcomes()
	names := x.names(t)
	t.line("let %s = if %s {", tuple(names), t.condition())
	t.inside(x)
	t.line("} else {")
	t.inside(x)
	t.line("}")
	x.bind(t, names)
}

// loop writes a loop of at most three turns.
func (t *team) loop() {
	x, i := t.outcomes(), t.name("it")
	names, params := x.names(t), x.names(t)
	var starts, more []string
	for k, v := range x.values(t) {
		starts = append(starts, params[k]+" = "+v)
	}
	kind := fmt.Sprintf("for %s < %s", i, pick(t.gen, []string{"1", "2", "3", fmt.Sprintf("fmod(%s, 4)", t.number()), fmt.Sprintf("fmod(%s, 16) - 12", t.number()), fmt.Sprintf("(%s - %s) & 1", t.number(), t.number())}))
	results := names
	if t.one(3) {
		going := t.name("w")
		starts = append(starts, i+" = 0i64", going+" = "+t.condition())
		kind = "while " + going
		more = []string{i + " + 1", fmt.Sprintf("%s < 2 && %s", i, t.condition())}
		results = append(names[:len(names):len(names)], t.name("c"), t.name("w"))
	}
	t.line("let %s = loop (%s) %s {", tuple(results), strings.Join(starts, ", "), kind)
	arrays, numbers := len(t.arrays), len(t.numbers)
	x.bind(t, params)
	t.numbers = append(t.numbers, i)
	t.inside(x, more...)
	t.line("}")
	t.arrays, t.numbers = t.arrays[:arrays:arrays], t.numbers[:numbers:numbers]
	x.bind(t, names)
}
