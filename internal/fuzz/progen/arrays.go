package progen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// fresh writes a statement that makes an array.
func (g *gen) fresh() bool {
	name := g.name("a")
	switch g.Intn(8) {
	case 0:
		x := g.array(func(v *variable) bool { return g.runs(v.elems()) })
		if x == nil {
			return false
		}
		g.line("let %s = copy %s", g.pattern(name, x.typ), x.name)
		g.bindFresh(name, x.typ)
	case 1, 2:
		return g.concat(name)
	case 3:
		d := g.anyDim()
		if !g.runs(d.max) {
			return false
		}
		t := typ{pick(g, []ir.Prim{ir.I64, ir.I64, ir.I32, ir.U8, ir.I16, ir.U64}), []dim{d}}
		if t.prim == ir.I64 {
			g.line("let %s = iota %s", name, d.text)
		} else {
			g.line("let %s: %s = iota %s", name, t, d.text)
		}
		g.bindFresh(name, t)
	case 4:
		d := g.anyDim()
		if !d.constant || !g.runs(d.max) { // a range's size is a constant only where both ends are
			return false
		}
		lo := int64(g.Intn(5)) - 2
		t := typ{ir.I64, []dim{d}}
		g.line("let %s: %s = [%d ..< %d]", name, t, lo, lo+d.max)
		g.bindFresh(name, t)
	case 5:
		t := typ{g.anyPrim(), []dim{constDim(int64(1 + g.Intn(4)))}}
		elems := make([]string, t.shape[0].max)
		for k := range elems {
			elems[k] = g.scalar(t.prim, 2)
		}
		g.line("let %s = [%s]", g.pattern(name, t), strings.Join(elems, ", "))
		g.bindFresh(name, t)
	case 6:
		g.scratch(name)
	default:
		g.replicate(name)
	}
	return true
}

// replicate repeats a scalar or an array.
func (g *gen) replicate(name string) {
	if x := g.array(func(v *variable) bool { return len(v.shape) <= 2 && v.elems() <= 60*g.scale() }); x != nil && g.one(3) {
		d := g.anyDim()
		t := typ{x.prim, append([]dim{d}, x.shape...)}
		if g.runs(t.elems()) {
			g.line("let %s = replicate (%s) %s", g.pattern(name, t), d.text, x.name)
			g.bindFresh(name, t)
			return
		}
	}
	t := typ{g.anyPrim(), g.anyShape()}
	g.line("let %s = replicate (%s) %s", g.pattern(name, t), texts(t.shape), g.scalar(t.prim, 2))
	g.bindFresh(name, t)
}

// scratch makes an undefined array and defines all of it by an update.
func (g *gen) scratch(name string) {
	x := g.array(func(v *variable) bool { return g.runs(v.elems()) })
	if x == nil {
		g.replicate(name)
		return
	}
	g.line("let %s = scratch %s (%s)", g.pattern(name, x.typ), x.prim, texts(x.shape))
	items := make([]string, len(x.shape))
	for k, d := range x.shape {
		items[k] = fmt.Sprintf("(0, %s)", d.text)
		if g.one(3) {
			items[k] = fmt.Sprintf("(%s - 1, %s, -1)", d.text, d.text)
		}
	}
	full := g.name("up")
	g.line("let %s = %s with [%s] = %s", g.pattern(full, x.typ), name, strings.Join(items, ", "), x.name)
	g.bindFresh(full, x.typ)
}

// concat joins two or three arrays along some dim.
func (g *gen) concat(name string) bool {
	x := g.array(func(v *variable) bool { return v.elems() < 100*g.scale() })
	if x == nil {
		return false
	}
	k := g.Intn(len(x.shape))
	args, sum := []string{x.name}, x.shape[k]
	for range 1 + g.Intn(2) {
		y := g.array(func(v *variable) bool {
			if v.prim != x.prim || len(v.shape) != len(x.shape) || v.elems() >= 100*g.scale() {
				return false
			}
			for j := range v.shape {
				if j != k && v.shape[j].key != x.shape[j].key {
					return false
				}
			}
			return true
		})
		if y == nil {
			break
		}
		d, ok := g.combine('+', sum, y.shape[k])
		if !ok {
			break
		}
		sum = d
		args = append(args, y.name)
	}
	t := typ{x.prim, append([]dim(nil), x.shape...)}
	t.shape[k] = sum
	if len(args) == 1 || !g.runs(t.elems()) {
		return false
	}
	g.line("let %s: %s = concat@%d (%s)", name, t, k, strings.Join(args, ", "))
	g.bindFresh(name, t)
	return true
}

// combine returns a dim for a sum or a product; on the host it may make one.
func (g *gen) combine(op byte, a, b dim) (dim, bool) {
	if a.constant && b.constant {
		if op == '+' {
			return constDim(a.max + b.max), true
		}
		return constDim(a.max * b.max), true
	}
	for _, c := range g.combos {
		if c.op == op && c.a.key == a.key && c.b.key == b.key {
			return c.d, true
		}
	}
	if g.kernel && !g.own {
		return dim{}, false // an array in a kernel has a size known outside
	}
	name := g.name("n")
	d := dim{text: name, key: name, max: a.max + b.max}
	if op == '*' {
		d.max = a.max * b.max
	}
	g.line("let %s = %s %c %s", name, a.text, op, b.text)
	g.addDim(d)
	g.combos = append(g.combos, combo{op, a, b, d})
	if op == '+' {
		g.addPart(d, "(0, %s)", a)
		g.addPart(d, "("+a.text+", %s)", b)
	}
	return d, true
}

func (g *gen) addDim(d dim) {
	g.dims = append(g.dims, d)
	g.bind(&variable{name: d.text, typ: typ{prim: ir.I64}})
}

func (g *gen) addPart(of dim, format string, n dim) {
	g.parts = append(g.parts, part{of.key, fmt.Sprintf(format, n.text), n})
}

// newDim computes a size from another and remembers which slices it allows.
func (g *gen) newDim() bool {
	if len(g.dims) == 0 {
		return false
	}
	d := pick(g, g.dims)
	name := g.name("h")
	h := dim{text: name, key: name, max: d.max}
	let := func(e string) {
		g.line("let %s = %s", g.pattern(name, typ{prim: ir.I64}), e)
		g.addDim(h)
		g.addPart(d, "(0, %s)", h)
		g.addPart(d, "("+d.text+" - "+name+", %s)", h)
		g.addPart(d, "("+name+" - 1, %s, -1)", h)
		g.addPart(d, "("+d.text+" - 1, %s, -1)", h)
	}
	switch g.Intn(7) {
	case 0:
		h.max = d.max / 2
		let(d.text + " / 2")
		g.addPart(d, "(0, %s, 2)", h)
		g.addPart(d, "(1, %s, 2)", h)
		g.addPart(d, "("+d.text+" - 1, %s, -2)", h)
	case 1:
		h.max = (d.max + 1) / 2
		let("(" + d.text + " + 1) / 2")
		g.addPart(d, "(0, %s, 2)", h)
		g.addPart(d, "("+d.text+" - 1, %s, -2)", h)
	case 2:
		let("max(" + d.text + " - 1, 0)")
	case 3:
		h.max = min(d.max, 2)
		let("min(" + d.text + ", 2)")
	case 4:
		let(fmt.Sprintf("fmod(%s, %s + 1)", g.scalar(ir.I64, 1), d.text))
	case 5: // equal to d, which no algebra sees
		h.key = d.key
		e := pick(g, []string{"max(%s, 0)", "(%s * 2) / 2", "abs(%s)", "-(-%s)", "min(%s, 1000)"})
		g.line("let %s = %s", name, fmt.Sprintf(e, d.text))
		g.addDim(h)
	default:
		e := pick(g, g.dims)
		if d.max+e.max > 40*g.scale() {
			return false
		}
		g.combine(pick(g, []byte{'+', '*'}), d, e)
	}
	return true
}

// item returns the item of a slice that takes part of a dim, and how much.
func (g *gen) item(d dim) (string, dim) {
	var parts []part
	for _, p := range g.parts {
		if p.of == d.key {
			parts = append(parts, p)
		}
	}
	switch {
	case parts != nil && !g.one(3):
		p := pick(g, parts)
		return p.item, p.len
	case d.constant:
		return g.constItem(d.max)
	case g.one(3):
		return fmt.Sprintf("(%s - 1, %s, -1)", d.text, d.text), d
	}
	return fmt.Sprintf("(0, %s)", d.text), d
}

func (g *gen) constItem(n int64) (string, dim) {
	if n == 0 {
		return "(0, 0)", constDim(0)
	}
	start := g.Int63n(n)
	stride := pick(g, []int64{1, 1, 2, 3, -1, -1, -2})
	most := (n-1-start)/max(stride, 1) + 1
	if stride < 0 {
		most = start/-stride + 1
	}
	l := g.Int63n(most + 1)
	if stride == 1 && g.one(2) {
		return fmt.Sprintf("(%d, %d)", start, l), constDim(l)
	}
	return fmt.Sprintf("(%d, %d, %d)", start, l, stride), constDim(l)
}

// items returns the items of a slice with at least one range, and the shape.
func (g *gen) items(shape []dim) (string, []dim) {
	keep := g.Intn(len(shape))
	var items []string
	var out []dim
	for k, d := range shape {
		if k != keep && g.one(2) {
			if ix, safe := g.index(dim{text: d.text, key: d.key, max: max(d.max, 1), constant: d.constant}); safe && d.max > 0 {
				items = append(items, ix)
				continue
			}
		}
		s, n := g.item(d)
		items = append(items, s)
		out = append(out, n)
	}
	return strings.Join(items, ", "), out
}

// otherSign gives the integers of the other sign, as large.
var otherSign = map[ir.Prim]ir.Prim{
	ir.I8: ir.U8, ir.I16: ir.U16, ir.I32: ir.U32, ir.I64: ir.U64,
	ir.U8: ir.I8, ir.U16: ir.I16, ir.U32: ir.I32, ir.U64: ir.I64,
}

// view writes a delayed array.
func (g *gen) view() bool {
	x := g.array(nil)
	if x == nil {
		return false
	}
	name := g.name("v")
	t := x.typ
	switch k := g.Intn(8); {
	case k == 0 && otherSign[t.prim] != ir.Unknown && g.one(2):
		t.prim = otherSign[t.prim]
		g.line("let %s: %s = %s", name, t, x.name)
	case k == 0:
		g.line("let %s = %s", g.pattern(name, t), x.name)
	case k <= 2 && len(x.shape) > 1:
		perm := g.Perm(len(x.shape))
		t.shape = make([]dim, len(perm))
		for j, p := range perm {
			t.shape[j] = x.shape[p]
		}
		g.line("let %s = rearrange (%s) %s", g.pattern(name, t), strings.Trim(strings.ReplaceAll(fmt.Sprint(perm), " ", ", "), "[]"), x.name)
	case k <= 4:
		shape, ok := g.reshaped(x.shape)
		if !ok {
			return false
		}
		t.shape = shape
		g.line("let %s = reshape (%s) %s", g.pattern(name, t), texts(shape), x.name)
	default:
		var items string
		items, t.shape = g.items(x.shape)
		g.line("let %s = %s[%s]", g.pattern(name, t), x.name, items)
	}
	g.bind(&variable{name: name, typ: t, groups: x.groups})
	return true
}

// reshaped returns other dims for as many elements.
func (g *gen) reshaped(shape []dim) ([]dim, bool) {
	k := g.Intn(len(shape))
	with := func(from, to int, ds ...dim) []dim {
		return slices.Concat(shape[:from], ds, shape[to:])
	}
	switch {
	case g.one(4) && len(shape) < 3:
		return with(k, k, constDim(1)), true
	case len(shape) > 1 && g.one(2):
		k = g.Intn(len(shape) - 1)
		d, ok := g.combine('*', shape[k], shape[k+1])
		return with(k, k+2, d), ok
	case len(shape) > 2:
		return nil, false
	case shape[k].constant && shape[k].max > 3:
		for _, f := range []int64{2, 3, 5} {
			if n := shape[k].max; n%f == 0 {
				return with(k, k+1, constDim(f), constDim(n/f)), true
			}
		}
	}
	for _, c := range g.combos {
		if c.op == '*' && c.d.key == shape[k].key {
			if g.one(2) {
				return with(k, k+1, c.b, c.a), true
			}
			return with(k, k+1, c.a, c.b), true
		}
	}
	return nil, false
}

// owned returns an array that may be consumed here, with a copy where none fits.
func (g *gen) owned(t typ) *variable {
	if v := g.find(func(v *variable) bool { return v.same(t) && g.consumable(v) }); v != nil && v.shape != nil && !g.one(4) {
		return v
	}
	name := g.name("c")
	if x := g.array(func(v *variable) bool { return v.same(t) }); x != nil {
		g.line("let %s = copy %s", g.pattern(name, t), x.name)
	} else {
		g.line("let %s = replicate (%s) %s", g.pattern(name, t), texts(t.shape), g.scalar(t.prim, 1))
	}
	g.bindFresh(name, t)
	return g.vars[len(g.vars)-1]
}

// update writes a scalar or an array into a part of an array.
func (g *gen) update() bool {
	x := g.array(g.consumable)
	if x == nil || g.one(6) {
		y := g.array(func(v *variable) bool { return g.runs(v.elems()) })
		if y == nil {
			return false
		}
		x = g.owned(y.typ)
	}
	name := g.name("up")
	if !g.writeElement(x, name) && !g.writePart(x, name) {
		return false
	}
	g.consume(x)
	g.bindFresh(name, x.typ)
	return true
}

// writeElement updates one element, where the array is known not to be empty.
func (g *gen) writeElement(x *variable, name string) bool {
	if g.one(2) {
		return false
	}
	ix := make([]string, len(x.shape))
	for k, d := range x.shape {
		if d.constant && d.max == 0 {
			return false
		}
		s, safe := g.index(d)
		if !safe {
			return false
		}
		ix[k] = s
	}
	g.line("let %s = %s with [%s] = %s", g.pattern(name, x.typ), x.name, strings.Join(ix, ", "), g.scalar(x.prim, 2))
	return true
}

// writePart updates a slice with an array, which may be a part of the same.
func (g *gen) writePart(x *variable, name string) bool {
	items, shape := g.items(x.shape)
	t := typ{x.prim, shape}
	if !g.runs(t.elems()) {
		return false
	}
	z := g.array(func(v *variable) bool { return v.same(t) })
	value := ""
	switch {
	case z != nil:
		value = z.name
	case g.one(2): // another part of x itself
		for range 6 {
			other, s := g.items(x.shape)
			if sameShape(s, shape) {
				value = g.name("v")
				g.line("let %s = %s[%s]", value, x.name, other)
				g.bind(&variable{name: value, typ: typ{x.prim, s}, groups: x.groups})
				break
			}
		}
	}
	if value == "" {
		value = g.replicated(t)
	}
	g.line("let %s = %s with [%s] = %s", g.pattern(name, x.typ), x.name, items, value)
	return true
}

// valueOf returns a name of an array, or a scalar expression, of a type; it makes
// an array where there is none.
func (g *gen) valueOf(t typ) string {
	if t.shape == nil {
		return g.scalar(t.prim, 2)
	}
	if v := g.array(func(v *variable) bool { return v.same(t) }); v != nil && !g.one(5) {
		return v.name
	}
	return g.replicated(t)
}

// replicated makes an array of a type.
func (g *gen) replicated(t typ) string {
	name := g.name("r")
	g.line("let %s = replicate (%s) %s", g.pattern(name, t), texts(t.shape), g.scalar(t.prim, 2))
	g.bindFresh(name, t)
	return name
}

func (g *gen) lookup(name string) *variable {
	for k := len(g.vars) - 1; k >= 0; k-- {
		if g.vars[k].name == name {
			return g.vars[k]
		}
	}
	return nil
}
