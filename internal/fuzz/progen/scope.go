package progen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// A dim is the size of a dimension. Two dims of one key are equal at run time;
// it need not be provable.
type dim struct {
	text, key string
	max       int64 // the most that it can be
	constant  bool
	wild      bool // it may be negative, or larger than any array: nothing may run that often
}

func constDim(n int64) dim {
	s := strconv.FormatInt(n, 10)
	return dim{text: s, key: "#" + s, max: n, constant: true}
}

// A typ is the type of a variable; a scalar has no shape.
type typ struct {
	prim  ir.Prim
	shape []dim
}

func (t typ) String() string {
	var b strings.Builder
	for _, d := range t.shape {
		b.WriteString("[" + d.text + "]")
	}
	return b.String() + t.prim.String()
}

func (t typ) elems() int64 {
	n := int64(1)
	for _, d := range t.shape {
		n *= max(d.max, 1)
	}
	return n
}

// same reports whether two types are equal except for the texts of their dims.
func (t typ) same(u typ) bool {
	return t.prim == u.prim && sameShape(t.shape, u.shape)
}

func sameShape(a, b []dim) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if a[k].key != b[k].key {
			return false
		}
	}
	return true
}

// A variable is a name in scope. groups holds the numbers of what it may share
// memory with: every fresh array starts a group, a delayed array has those of its
// source. Consuming an array consumes its groups.
type variable struct {
	name string
	typ
	groups []int
}

// scope holds the facts about the names in scope. All of it is lists, so that
// leaving a body means to cut them.
type scope struct {
	vars     []*variable
	dims     []dim
	below    []below
	positive []string // keys of dims that are not 0 here
	parts    []part
	combos   []combo
}

// below says that an index variable runs from 0 to below a dim.
type below struct{ index, key, text string }

// A part says that the item of a slice fits into any dim of a key.
type part struct {
	of   string
	item string
	len  dim
}

// A combo says that d is the sum or the product of two dims.
type combo struct {
	op   byte
	a, b dim
	d    dim
}

// body runs write in a new body: what it adds to the scope ends with it.
func (g *gen) body(write func()) {
	saved, live := g.scope, len(g.live)
	g.depth++
	g.nesting++
	write()
	g.nesting--
	g.depth--
	g.scope = saved
	g.release(live)
	// Appending must not write into memory that the saved lists share.
	g.vars = g.vars[:len(g.vars):len(g.vars)]
	g.dims = g.dims[:len(g.dims):len(g.dims)]
	g.below = g.below[:len(g.below):len(g.below)]
	g.positive = g.positive[:len(g.positive):len(g.positive)]
	g.parts = g.parts[:len(g.parts):len(g.parts)]
	g.combos = g.combos[:len(g.combos):len(g.combos)]
}

func (g *gen) newGroup() []int {
	g.group++
	return []int{g.group}
}

func (g *gen) bind(v *variable) { g.vars = append(g.vars, v) }

// bindFresh binds a name to a new scalar or a new array.
func (g *gen) bindFresh(name string, t typ) {
	v := &variable{name: name, typ: t}
	if t.shape != nil {
		v.groups = g.newGroup()
	}
	g.bind(v)
}

func (g *gen) usable(v *variable) bool {
	for _, k := range v.groups {
		if g.consumed[k] {
			return false
		}
	}
	return true
}

// consumable reports whether v may be consumed here.
func (g *gen) consumable(v *variable) bool {
	if v.shape == nil || !g.usable(v) {
		return false
	}
	for _, k := range v.groups {
		if k <= g.barrier || g.unowned[k] {
			return false
		}
	}
	return true
}

func (g *gen) consume(v *variable) {
	for _, k := range v.groups {
		g.consumed[k] = true
	}
}

// find returns a random usable variable that fits, or nil; what was made last is
// preferred.
func (g *gen) find(fits func(*variable) bool) *variable {
	var all []*variable
	for _, v := range g.vars {
		if g.usable(v) && fits(v) {
			all = append(all, v)
		}
	}
	if len(all) == 0 {
		return nil
	}
	if n := len(all); n > 4 && g.one(2) {
		all = all[n-4:]
	}
	return pick(g, all)
}

func (g *gen) array(fits func(*variable) bool) *variable {
	return g.find(func(v *variable) bool { return v.shape != nil && (fits == nil || fits(v)) })
}

// runs reports whether a statement that touches n elements may stand here.
func (g *gen) runs(n int64) bool { return g.factor*max(n, 1) <= g.maxWork() }

// isPositive reports whether a dim is known not to be 0.
func (g *gen) isPositive(d dim) bool {
	if d.constant {
		return d.max > 0
	}
	return slices.Contains(g.positive, d.key)
}

// anyDim returns a dim in scope or a small constant.
func (g *gen) anyDim() dim {
	if len(g.dims) > 0 && !g.one(3) {
		return pick(g, g.dims)
	}
	return constDim(pick(g, []int64{0, 1, 1, 2, 2, 3, 3, 4}))
}

// anyShape returns a shape of 1 to 3 dims that is not too large.
func (g *gen) anyShape() []dim {
	for range 8 {
		rank := 1 + g.Intn(2)
		if g.one(5) {
			rank = 3
		}
		shape := make([]dim, rank)
		for k := range shape {
			shape[k] = g.anyDim()
		}
		if t := (typ{shape: shape}); g.runs(t.elems()) && t.elems() < 300*g.scale() {
			return shape
		}
	}
	return []dim{constDim(2)}
}

var prims = []ir.Prim{
	ir.I32, ir.I32, ir.I32, ir.I64, ir.I64, ir.I8, ir.I16, ir.U8, ir.U16, ir.U32, ir.U64, ir.F32, ir.F32, ir.F64, ir.Bool,
}

func (g *gen) anyPrim() ir.Prim { return pick(g, prims) }

func texts(ds []dim) string {
	s := make([]string, len(ds))
	for k, d := range ds {
		s[k] = d.text
	}
	return strings.Join(s, ", ")
}

// pattern returns a name, perhaps with its type.
func (g *gen) pattern(name string, t typ) string {
	if g.one(3) {
		return name + ": " + g.written(t)
	}
	return name
}

// written returns a type, perhaps with dims that are expressions.
func (g *gen) written(t typ) string {
	if !g.sugared {
		return t.String()
	}
	out := typ{t.prim, slices.Clone(t.shape)}
	for k, d := range t.shape {
		if d.constant || d.wild || !g.one(3) {
			continue
		}
		forms := []string{"%[1]s + 1 - 1", "2 * %[1]s - %[1]s"}
		if g.kernel { // its size must be seen to be one known outside
			out.shape[k].text = fmt.Sprintf(pick(g, forms), d.text)
			continue
		}
		out.shape[k].text = fmt.Sprintf(pick(g, append(forms, "min(%[1]s, %[1]s)", "if %[1]s > 0 then %[1]s else 0")), d.text)
		for _, c := range g.combos {
			if c.d.key == d.key {
				out.shape[k].text = fmt.Sprintf("%s %c %s", c.a.text, c.op, c.b.text)
			}
		}
	}
	return out.String()
}

// tuple puts parentheses around more than one.
func tuple(items []string) string {
	if len(items) == 1 {
		return items[0]
	}
	return "(" + strings.Join(items, ", ") + ")"
}
