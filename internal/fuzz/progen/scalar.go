package progen

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// literal returns a literal with its suffix, in parentheses where it is negative.
func (g *gen) literal(p ir.Prim) string {
	var s string
	switch {
	case p == ir.Bool:
		return pick(g, []string{"true", "false"})
	case p.Float():
		s = pick(g, []string{"0.0", "1.0", "2.0", "0.5", "-1.0", "-2.5", "16.0", "3.0"}) + p.String()
	case g.wraps && g.one(4):
		s = edge(pick(g, edges), p)
	case g.one(8): // the greatest value of the type, or nearly
		bits := p.Bits()
		if p.Signed() {
			bits--
		}
		s = fmt.Sprintf("%d%s", ^uint64(0)>>(64-bits)-uint64(g.Intn(2)), p)
	case p.Signed() && g.one(3):
		s = fmt.Sprintf("-%d%s", 1+g.Intn(10), p)
	default:
		s = fmt.Sprintf("%d%s", g.Intn(10), p)
	}
	if s[0] == '-' {
		return "(" + s + ")"
	}
	return s
}

// scalar returns an expression of a type.
func (g *gen) scalar(p ir.Prim, depth int) string {
	if depth <= 0 || g.one(4) {
		return g.leaf(p)
	}
	switch k := g.Intn(10); {
	case k == 0:
		return fmt.Sprintf("(if %s then %s else %s)", g.scalar(ir.Bool, depth-1), g.scalar(p, depth-1), g.scalar(p, depth-1))
	case k == 1:
		return fmt.Sprintf("%s(%s)", p, g.scalar(g.anyPrim(), depth-1))
	case p == ir.Bool:
		return g.boolean(depth)
	case k == 2:
		return g.builtin(p, depth)
	case k == 3 && p.Float():
		return "(-" + g.scalar(p, depth-1) + ")"
	case k == 3:
		return pick(g, []string{"(-", "(~"}) + g.scalar(p, depth-1) + ")"
	}
	return g.binary(p, depth)
}

func (g *gen) boolean(depth int) string {
	if g.wraps && g.one(3) {
		if s := g.wrappedCondition(); s != "" {
			return s
		}
	}
	switch g.Intn(4) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", g.scalar(ir.Bool, depth-1), pick(g, []string{"&&", "||", "==", "!="}), g.scalar(ir.Bool, depth-1))
	case 1:
		return "(!" + g.scalar(ir.Bool, depth-1) + ")"
	}
	p := g.anyPrim()
	if p == ir.Bool {
		p = ir.I32
	}
	return fmt.Sprintf("(%s %s %s)", g.scalar(p, depth-1), pick(g, []string{"==", "!=", "<", "<=", ">", ">="}), g.scalar(p, depth-1))
}

func (g *gen) binary(p ir.Prim, depth int) string {
	x, y := g.scalar(p, depth-1), g.scalar(p, depth-1)
	if p.Float() {
		if g.one(6) {
			return fmt.Sprintf("(%s / %s)", x, pick(g, []string{"2.0", "4.0"}))
		}
		return fmt.Sprintf("(%s %s %s)", x, pick(g, []string{"+", "-", "*"}), y)
	}
	op := pick(g, []string{"+", "+", "-", "-", "*", "*", "/", "%", "&", "|", "^", "<<", ">>", "**"})
	switch op {
	case "/", "%":
		y = "(" + y + " | 1)"
	case "**":
		y = "(" + y + " & 3)"
	}
	return fmt.Sprintf("(%s %s %s)", x, op, y)
}

func (g *gen) builtin(p ir.Prim, depth int) string {
	x, y := g.scalar(p, depth-1), g.scalar(p, depth-1)
	switch {
	case p.Float():
		if g.one(4) {
			return fmt.Sprintf("fma(%s, %s, %s)", x, y, g.leaf(p))
		}
		if g.one(2) {
			return fmt.Sprintf("%s(%s)", pick(g, []string{"abs", "sign", "floor", "ceil", "round", "trunc"}), x)
		}
	case p == ir.I32 && g.one(2):
		return fmt.Sprintf("%s(%s)", pick(g, []string{"popc", "clz", "ctz"}), g.scalar(pick(g, []ir.Prim{ir.I8, ir.U8, ir.I16, ir.U32, ir.I64, ir.U64}), depth-1))
	case g.one(3):
		return fmt.Sprintf("%s(%s)", pick(g, []string{"abs", "sign"}), x)
	case g.one(3):
		return fmt.Sprintf("%s(%s, (%s | 1))", pick(g, []string{"fdiv", "fmod"}), x, y)
	}
	return fmt.Sprintf("%s(%s, %s)", pick(g, []string{"min", "max"}), x, y)
}

// leaf returns a variable, an element of an array, or a literal.
func (g *gen) leaf(p ir.Prim) string {
	if g.one(2) {
		if s := g.read(p); s != "" {
			return s
		}
	}
	if g.one(3) {
		if v := g.find(func(v *variable) bool { return v.shape == nil && v.prim != p }); v != nil {
			return fmt.Sprintf("%s(%s)", p, v.name)
		}
	}
	if !g.one(4) {
		if v := g.find(func(v *variable) bool { return v.shape == nil && v.prim == p }); v != nil {
			return v.name
		}
		if p == ir.I64 && len(g.below) > 0 {
			return pick(g, g.below).index
		}
	}
	return g.literal(p)
}

// read returns an element of some array, or "".
func (g *gen) read(p ir.Prim) string {
	v := g.array(func(v *variable) bool { return v.prim == p })
	if v == nil {
		if v = g.array(nil); v == nil || !g.one(2) {
			return ""
		}
	}
	s := g.element(v)
	if s != "" && v.prim != p {
		s = fmt.Sprintf("%s(%s)", p, s)
	}
	return s
}

// element reads v somewhere, under a guard where it may be empty.
func (g *gen) element(v *variable) string {
	var ix, guards []string
	for _, d := range v.shape {
		if d.constant && d.max == 0 {
			return ""
		}
		s, safe := g.index(d)
		ix = append(ix, s)
		if !safe {
			guards = append(guards, d.text+" > 0")
		}
	}
	read := fmt.Sprintf("%s[%s]", v.name, strings.Join(ix, ", "))
	if guards == nil {
		return read
	}
	return fmt.Sprintf("(if %s then %s else %s)", strings.Join(guards, " && "), read, g.literal(v.prim))
}

// index returns an index into a dim, and whether the dim is known not to be
// empty; the index is in range where it is not.
func (g *gen) index(d dim) (text string, safe bool) {
	var vars []string
	for _, b := range g.below {
		if b.key == d.key {
			vars = append(vars, b.index)
		}
	}
	if vars != nil && !g.one(5) {
		v := pick(g, vars)
		if g.wraps && g.one(3) {
			return g.wrappedIndex(v, d), true
		}
		switch g.Intn(6) {
		case 0:
			return d.text + " - 1 - " + v, true
		case 1:
			return fmt.Sprintf("(%s + %d) %% %s", v, 1+g.Intn(3), d.text), true
		}
		return v, true
	}
	safe = vars != nil || g.isPositive(d)
	switch {
	case d.constant && g.one(2):
		return fmt.Sprint(g.Int63n(d.max)), safe
	case g.one(4):
		return "0", safe
	case g.one(3):
		return d.text + " - 1", safe
	}
	e := g.literal(ir.I64)
	if len(g.below) > 0 && !g.one(4) {
		e = pick(g, g.below).index + " + " + e
	} else if v := g.find(func(v *variable) bool { return v.shape == nil && v.prim == ir.I64 }); v != nil {
		e = v.name
	}
	return fmt.Sprintf("fmod(%s, %s)", e, d.text), safe
}

// small returns an expression whose values any order of additions sums exactly.
func (g *gen) small(p ir.Prim, depth int) string {
	if p.Float() {
		return fmt.Sprintf("%s(%s)", p, g.scalar(ir.I8, depth))
	}
	return g.scalar(p, depth)
}

// scalarLet binds a scalar.
func (g *gen) scalarLet() bool {
	t := typ{prim: g.anyPrim()}
	e := g.scalar(t.prim, 1+g.Intn(3))
	name := g.name("s")
	g.line("let %s = %s", g.pattern(name, t), e)
	g.bindFresh(name, t)
	return true
}
