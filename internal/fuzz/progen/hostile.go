package progen

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// traits make a program hostile in one way each. A seed draws them apart from
// everything else, so that leaving one out leaves the others as they are.
type traits struct {
	own     bool // threads of kernels may have sizes of their own
	wraps   bool // arithmetic wraps around: large constants, hashes, indices near the end of i64
	wild    bool // sizes may be negative, wrap around, or be too large
	branchy bool // kernels branch on a thread's number around arrays that they make
	striped bool // slices and updates at loop indices: stripes, diagonals, triangles
	reused  bool // names are bound again where they are out of scope
	calling bool // kernels call functions
	sugared bool // reductions over several dims, while with an expression, dims as expressions
	groups  bool // maps may hold kernels: groups of threads
	joined  bool // several results of branches, loops and functions may be one array
	// mirrored: parts of an array are made from other parts of it, with other steps.
	mirrored bool
	steps    bool // mostly kernels of groups whose steps lie in branches and loops
	// maxInput is the largest size of an input.
	maxInput int64

	wildParam string // of the entry, in scope: a number by which sizes are computed
}

// smallInput is the largest size of an input without the trait "large".
const smallInput = 7

// Traits lists the names of traits, for Options.Without, each with the share of
// programs that have it: one in so many.
var Traits = []struct {
	Name string
	One  int
	set  func(*traits, *rand.Rand)
}{
	{"own", 4, func(t *traits, _ *rand.Rand) { t.own = true }},
	{"wraps", 3, func(t *traits, _ *rand.Rand) { t.wraps = true }},
	{"wild", 5, func(t *traits, _ *rand.Rand) { t.wild = true }},
	{"branchy", 3, func(t *traits, _ *rand.Rand) { t.branchy = true }},
	{"striped", 3, func(t *traits, _ *rand.Rand) { t.striped = true }},
	{"large", 16, func(t *traits, r *rand.Rand) { t.maxInput = []int64{1000, 1000, 3000, 10000}[r.Intn(4)] }},
	{"reused", 3, func(t *traits, _ *rand.Rand) { t.reused = true }},
	{"calling", 4, func(t *traits, _ *rand.Rand) { t.calling = true }},
	{"sugared", 3, func(t *traits, _ *rand.Rand) { t.sugared = true }},
	{"groups", 5, func(t *traits, _ *rand.Rand) { t.groups = true }},
	{"joined", 4, func(t *traits, _ *rand.Rand) { t.joined = true }},
	{"mirrored", 3, func(t *traits, _ *rand.Rand) { t.mirrored = true }},
	{"steps", 10, func(t *traits, _ *rand.Rand) { t.steps = true }},
}

func (t *traits) draw(r *rand.Rand, without []string) {
	t.maxInput = smallInput
	for _, x := range Traits {
		if has := r.Intn(x.One) == 0; has && !slices.Contains(without, x.Name) {
			x.set(t, r)
		}
	}
}

// scale is by how much arrays may be larger than in a program of small inputs.
func (t *traits) scale() int64 { return max(1, t.maxInput/smallInput/4) }

// maxWork bounds how many elements one statement may touch in a whole run.
func (t *traits) maxWork() int64 {
	if t.maxInput == smallInput {
		return 6000
	}
	return 8 * t.maxInput
}

// edges are the numbers at which arithmetic of some width wraps, and those that
// hash functions multiply by.
var edges = []int64{
	1 << 31, 1<<31 - 1, 1<<32 - 1, 1 << 32, 1 << 62, 1<<62 + 1, 1<<63 - 1, -1 << 63, 1<<63 - 2, -1 << 62,
	2654435761, 4503599627370495, 6364136223846793005, 40503, -7046029254386353131,
}

// edge returns a number, cut to a type, as a literal.
func edge(v int64, p ir.Prim) string {
	shift := 64 - p.Bits()
	if p.Signed() {
		return fmt.Sprintf("%d%s", v<<shift>>shift, p)
	}
	return fmt.Sprintf("%d%s", uint64(v)<<shift>>shift, p)
}

// odd returns one of edges that is odd, and the number that takes a product by it back.
func (g *gen) odd() (text, inverse string) {
	c := pick(g, edges) | 1
	inv := c // Newton's iteration doubles the bits that are right
	for range 6 {
		inv *= 2 - c*inv
	}
	return fmt.Sprintf("(%d)", c), fmt.Sprintf("(%d)", inv)
}

// wrappedIndex returns an index below d from one, by arithmetic that wraps.
func (g *gen) wrappedIndex(v string, d dim) string {
	c, inverse := g.odd()
	switch g.Intn(6) {
	case 0:
		return fmt.Sprintf("%s + %s - %s", v, c, c)
	case 1:
		return fmt.Sprintf("%s * %s * %s", v, c, inverse)
	case 2:
		return fmt.Sprintf("fmod(%s * %s, %s)", v, c, d.text)
	case 3: // what one side of the branch knows of a product is no fact about its factors
		power := strings.Repeat(v+" * ", 2+4*g.Intn(2)) // the sixth power wraps at 4 already
		c = pick(g, []string{c, "2654435761", "4503599627370495"})
		return fmt.Sprintf("(if %s%s < 0 then %s - 1 - %s else %s)", power, c, d.text, v, v)
	case 4:
		return fmt.Sprintf("(if %s * %s > %s then %s - 1 - %s else %s)", v, c, v, d.text, v, v)
	}
	return fmt.Sprintf("%s + %s * 4294967296 * 4294967296", v, g.leaf(ir.I64))
}

// wrappedCondition compares a product that may wrap.
func (g *gen) wrappedCondition() string {
	x, y := g.leaf(ir.I64), g.leaf(ir.I64)
	if len(g.dims) > 0 {
		x = pick(g, g.dims).text
	}
	c, _ := g.odd()
	return fmt.Sprintf("(%s * %s %s %s)", x, pick(g, []string{y, c, y + " * " + c, x + " * " + c}), pick(g, []string{"<", ">", ">=", "=="}), pick(g, []string{"0", x, y}))
}

// threadCondition asks for a thread's number, or a loop's.
func (g *gen) threadCondition() string {
	b := pick(g, g.below)
	other := pick(g, []string{"0", "1", b.text + " - 1", pick(g, g.below).index, g.leaf(ir.I64)})
	return pick(g, []string{
		b.index + " == " + other, b.index + " == " + other, b.index + " < " + other, b.index + " != " + other,
		fmt.Sprintf("%s %% 2 == 0", b.index),
	})
}

// wildDim computes a size that may be anything, and leaves it to what follows to find
// out; or it asserts something of the number that sizes are computed by.
func (g *gen) wildDim() bool {
	k := g.wildParam
	if k == "" || len(g.dims) == 0 || g.kernel {
		return false
	}
	n := pick(g, g.dims)
	name := g.name("w")
	d := dim{text: name, key: name, max: n.max + maxWild, wild: true}
	switch g.Intn(8) {
	case 0:
		g.line("assert %s %s \"not so for {}\" (%s)", k, pick(g, []string{">= 1", ">= 0", "< 4", "!= 0", "* 2 >= " + k}), k)
		return true
	case 1:
		return g.wildUpdate(k)
	case 2, 3:
		d.max = maxWild
		g.line("let %s = %s", name, k)
	case 4:
		d.max = maxWild * maxWild
		g.line("let %s = %s * %s", name, k, k)
	case 5:
		if d.max = n.max * maxWild; d.max > 40*g.scale() {
			return false
		}
		g.line("let %s = %s * %s", name, n.text, k)
	case 6:
		g.line("let %s = %s - %s", name, n.text, k)
	default: // the size of a concat, whose parts are made before each other's size is checked
		one := dim{text: k, key: k, max: maxWild, wild: true}
		g.line("let %s = %s + %s", name, n.text, k)
		g.addDim(d)
		t := typ{g.anyPrim(), []dim{n}}
		if !g.runs(n.max * 4) {
			return true
		}
		parts := []string{g.made(t), g.made(typ{t.prim, []dim{one}})}
		a := g.name("a")
		t.shape = []dim{d}
		g.line("let %s: %s = concat@0 (%s, %s)", a, t, parts[0], parts[1])
		g.bindFresh(a, t)
		return true
	}
	g.addDim(d)
	if g.one(2) && g.runs(d.max*4) {
		g.made(typ{g.anyPrim(), []dim{d}})
	}
	return true
}

// maxWild is the most that a wild parameter is, but for numbers far too large to be a
// size: between the two lie sizes that a machine can hold and a test should not.
const maxWild = 3

// wildValues are the values of a wild parameter.
var wildValues = []int64{-3, -1, -1, 0, 0, 1, 1, 2, 2, 3, 3, 1 << 62, 1<<62 + 1, 1<<63 - 1, -1 << 63, 1<<62 - 1}

// wildUpdate updates one element at a product that wraps into range.
func (g *gen) wildUpdate(k string) bool {
	x := g.array(func(v *variable) bool { return len(v.shape) == 1 && g.runs(v.elems()) })
	if x == nil {
		return false
	}
	x = g.owned(x.typ)
	z := g.made(typ{x.prim, []dim{constDim(1)}})
	return g.put(x, fmt.Sprintf("(%s * %s, 1)", pick(g, []string{"4", "2", k, k + " * " + k}), k), z)
}

// flat returns a flat array that may be consumed: of a matrix, whose size tells that n*m
// does not wrap around, or one of its own.
func (g *gen) flat(t typ, n, m dim) *variable {
	if g.one(3) {
		return g.owned(t)
	}
	x := g.owned(typ{t.prim, []dim{n, m}})
	v := &variable{name: g.name("v"), typ: t, groups: x.groups}
	g.line("let %s = reshape (%s) %s", g.pattern(v.name, t), t.shape[0].text, x.name)
	g.bind(v)
	return v
}

// stripes fills or reads a flat array by rows, diagonals or triangles.
func (g *gen) stripes() bool {
	if !g.striped || g.kernel || g.deep() || len(g.dims) == 0 {
		return false
	}
	n, m, p := pick(g, g.dims), g.anyDim(), g.anyPrim()
	kind := g.Intn(4)
	if kind > 0 {
		m = n
	}
	if n.wild || m.wild || !g.runs(n.max*m.max*8) {
		return false
	}
	size, ok := g.combine('*', n, m)
	if !ok {
		return false
	}
	flat := typ{p, []dim{size}}
	if kind == 3 { // diagonals
		items := pick(g, []string{"(0, %[1]s, %[1]s + 1)", "(%[1]s - 1, %[1]s, %[1]s - 1)", "(%[1]s * %[1]s - 1, %[1]s, -1 - %[1]s)"})
		return g.put(g.flat(flat, n, m), fmt.Sprintf(items, n.text), g.made(typ{p, []dim{n}}))
	}
	i := g.name("it")
	if kind == 0 && g.one(3) { // the threads' values are rows
		x, v, r := g.made(flat), g.name("v"), g.name("r")
		t := typ{p, []dim{n, m}}
		g.line("let %s = map (%s < %s) {", g.pattern(r, t), i, n.text)
		g.line("  let %s = %s[(%s * %s, %s)]", v, x, i, m.text, m.text)
		g.line("  in %s", v)
		g.line("}")
		g.bindFresh(r, t)
		return true
	}
	length, start := m.text, i+" * "+m.text
	if kind > 0 {
		length = pick(g, []string{i, i + " + 1", n.text + " - " + i})
		start = pick(g, []string{start, fmt.Sprintf("%s * (%s + 1) / 2", i, i)})
	}
	x := g.flat(flat, n, m)
	g.consume(x)
	a, r, row := g.name("p"), g.name("r"), typ{p, []dim{m}}
	g.line("let %s = loop (%s: *%s = %s) for %s < %s {", g.pattern(r, flat), a, flat, x.name, i, n.text)
	barrier, factor := g.barrier, g.factor
	g.barrier = g.group
	g.factor *= max(n.max, 1)
	g.body(func() {
		g.bindFresh(a, flat)
		g.below = append(g.below, below{i, n.key, n.text})
		g.positive = append(g.positive, n.key)
		if kind > 0 {
			h := g.name("h")
			g.line("let %s = %s", h, length)
			d := dim{text: h, key: h, max: n.max}
			g.addDim(d)
			row.shape[0], length = d, h
		}
		z := g.made(row)
		v := g.lookup(a)
		if !g.usable(v) {
			v = g.owned(flat)
		}
		if kind == 1 { // the rest of a row
			start = fmt.Sprintf("%s * %s + %s - %s", i, n.text, n.text, length)
		}
		g.put(v, fmt.Sprintf("(%s, %s)", start, length), z)
		g.line("in %s", g.vars[len(g.vars)-1].name)
	})
	g.line("}")
	g.barrier, g.factor = barrier, factor
	g.bindFresh(r, flat)
	return true
}

// mirroredParts makes a column, a row or every second element of an array from another one, forwards or
// backwards. In place, one loop then reads and writes a block with different steps.
func (g *gen) mirroredParts() bool {
	n, k := g.anyDim(), constDim(int64(2+g.Intn(3)))
	t := typ{g.anyPrim(), []dim{n}}
	kind := g.Intn(4)
	switch kind {
	case 0:
		t.shape = []dim{n, k}
	case 1:
		t.shape = []dim{k, n}
	}
	if g.deep() || n.wild || !g.runs(t.elems()*4) {
		return false
	}
	x, i, m, count := g.owned(t), g.name("t"), g.name("m"), n.text
	if kind > 1 {
		count = g.name("h")
		g.line("let %s = %s / 2", count, n.text)
	}
	at := pick(g, []string{i, fmt.Sprintf("%s - 1 - %s", count, i), fmt.Sprintf("%s - 1 - %s", count, i)})
	var from, items string
	switch kind {
	case 0:
		from, items = fmt.Sprintf("%s, %d", at, g.Int63n(k.max)), fmt.Sprintf("(0, %s), %d", count, g.Int63n(k.max))
	case 1:
		from, items = fmt.Sprintf("%d, %s", g.Int63n(k.max), at), fmt.Sprintf("%d, (0, %s)", g.Int63n(k.max), count)
	case 2: // interleaved
		from = fmt.Sprintf(pick(g, []string{"2 * (%s)", "2 * (%s) + 1"}), at)
		items = fmt.Sprintf(pick(g, []string{"(0, %s, 2)", "(1, %s, 2)"}), count)
	case 3: // shifted
		from = pick(g, []string{at, count + " + " + at, "2 * (" + at + ")"})
		items = pick(g, []string{fmt.Sprintf("(0, %s)", count), fmt.Sprintf("(%s - %s, %s)", n.text, count, count)})
	}
	value := fmt.Sprintf("%s[%s]", x.name, from)
	if t.prim != ir.Bool && g.one(3) {
		value += " + " + g.literal(t.prim)
	}
	g.line("let %s = map (%s < %s) { in %s }", m, i, count, value)
	return g.put(x, items, m)
}
