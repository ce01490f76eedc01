package progen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// space makes the bounds of a kernel of some rank, or of any (0). made: its results
// have these dims.
func (g *gen) space(rank int, made bool) (text string, vars []string, dims []dim, ok bool) {
	if rank == 0 {
		rank = pick(g, []int{1, 1, 1, 2, 2, 3})
	}
	var bounds []string
	threads := int64(1)
	for range rank {
		d := g.anyDim()
		if x := g.array(nil); x != nil && !g.one(4) { // more often one that arrays have
			d = pick(g, x.shape)
		}
		if d.wild && !made {
			d = constDim(3)
		}
		v := g.name("t")
		threads *= max(d.max, 1)
		vars, dims = append(vars, v), append(dims, d)
		bounds = append(bounds, v+" < "+d.text)
	}
	return strings.Join(bounds, ", "), vars, dims, g.runs(threads * 4)
}

// threads writes the body of a kernel.
func (g *gen) threads(vars []string, dims []dim, write func()) {
	kernel, barrier, factor, team := g.kernel, g.barrier, g.factor, g.team
	g.kernel, g.barrier, g.team, g.asTeam = true, g.group, g.asTeam, false
	for _, d := range dims {
		g.factor *= max(d.max, 1)
	}
	g.body(func() {
		for k, v := range vars {
			g.below = append(g.below, below{v, dims[k].key, dims[k].text})
			g.positive = append(g.positive, dims[k].key)
		}
		if g.branchy && g.one(3) {
			g.ifStmt()
		}
		write()
	})
	g.kernel, g.barrier, g.factor, g.team = kernel, barrier, factor, team
}

// kernelResult returns a type of a value that a thread may give.
func (g *gen) kernelResult(threads []dim) typ {
	t := typ{prim: g.anyPrim()}
	if !g.one(3) {
		return t
	}
	if v := g.array(func(v *variable) bool { return len(v.shape) <= 2 }); v != nil && g.one(2) {
		t = v.typ
	} else {
		t.shape = []dim{g.anyDim()}
	}
	if len(t.shape)+len(threads) > 4 || !g.runs((typ{shape: threads}).elems()*t.elems()) {
		t.shape = nil
	}
	return t
}

// ownDim computes a size that may differ from thread to thread, or that only the
// thread knows.
func (g *gen) ownDim() bool {
	name := g.name("h")
	d := dim{text: name, key: name, max: int64(1 + g.Intn(5))}
	e := fmt.Sprintf("fmod(%s, %d)", g.scalar(ir.I64, 1), d.max+1)
	if len(g.below) > 0 && g.one(2) {
		e = fmt.Sprintf("%s(%s, %d)", pick(g, []string{"min", "fmod"}), pick(g, g.below).index, d.max)
	}
	g.line("let %s = %s", name, e)
	g.addDim(d)
	return true
}

func outer(dims []dim, t typ) typ {
	return typ{t.prim, append(append([]dim(nil), dims...), t.shape...)}
}

func (g *gen) mapStmt() bool {
	space, vars, dims, ok := g.space(0, true)
	if !ok {
		return false
	}
	types := make([]typ, pick(g, []int{1, 1, 1, 2, 3}))
	out := make([]typ, len(types))
	for k := range types {
		types[k] = g.kernelResult(dims)
		out[k] = outer(dims, types[k])
	}
	names, pats := g.results(out)
	g.line("let %s = map (%s) {", tuple(pats), space)
	g.asTeam = g.groups && !g.kernel && !g.one(3)
	g.threads(vars, dims, func() {
		if g.team {
			g.stmts(2 + g.Intn(5))
		} else if g.one(2) {
			g.stmts(g.Intn(5))
		}
		g.give(types, nil)
	})
	g.line("}")
	for k := range names {
		g.bindFresh(names[k], out[k])
	}
	return true
}

// give writes the values of a kernel body; first ones come before them.
func (g *gen) give(types []typ, first []string) {
	values := first
	for _, t := range types {
		values = append(values, g.valueOf(t))
	}
	g.line("in %s", tuple(values))
}

// An operator is a combining function: its parameters, body and neutral elements.
type operator struct {
	prims                 []ir.Prim
	body                  func(a, b []string) string
	neutral               []string
	commutative, anyOrder bool // anyOrder: exact for all values, floats as well
}

func simple(p ir.Prim, format, neutral string, anyOrder bool) operator {
	return operator{[]ir.Prim{p}, func(a, b []string) string { return fmt.Sprintf(format, a[0], b[0]) }, []string{neutral}, true, anyOrder}
}

// operator returns an associative operator; commutative asks for one that is.
func (g *gen) operator(commutative bool) operator {
	if !commutative && g.one(4) {
		return g.ordered()
	}
	p := g.anyPrim()
	if p == ir.Bool {
		return pick(g, []operator{
			simple(p, "%s && %s", "true", true), simple(p, "%s || %s", "false", true), simple(p, "%s != %s", "false", true),
		})
	}
	if p.Float() {
		return pick(g, []operator{
			simple(p, "%s + %s", "0.0", false), simple(p, "min(%s, %s)", p.String()+".inf", true), simple(p, "max(%s, %s)", "-"+p.String()+".inf", true),
		})
	}
	bits := p.Bits()
	most, least := ^uint64(0)>>(64-bits), "0"
	ones := fmt.Sprint(most)
	if p.Signed() {
		ones = "-1"
		most >>= 1
		least = fmt.Sprintf("-%d", most+1)
	}
	return pick(g, []operator{
		simple(p, "%s + %s", "0", true), simple(p, "%s + %s", "0", true), simple(p, "%s * %s", "1", true),
		simple(p, "%s & %s", ones, true), simple(p, "%s | %s", "0", true), simple(p, "%s ^ %s", "0", true),
		simple(p, "min(%s, %s)", fmt.Sprint(most), true), simple(p, "max(%s, %s)", least, true),
	})
}

// ordered returns an operator that is not commutative, or works on pairs.
func (g *gen) ordered() operator {
	p := pick(g, []ir.Prim{ir.I32, ir.I64, ir.U8, ir.U32})
	switch g.Intn(3) {
	case 0: // affine functions composed
		return operator{[]ir.Prim{p, p}, func(a, b []string) string {
			return fmt.Sprintf("(%s * %s, %s * %s + %s)", a[0], b[0], a[1], b[0], b[1])
		}, []string{"1", "0"}, false, true}
	case 1: // sums that start anew at every flag
		return operator{[]ir.Prim{ir.Bool, p}, func(a, b []string) string {
			return fmt.Sprintf("(%s || %s, if %s then %s else %s + %s)", a[0], b[0], b[0], b[1], a[1], b[1])
		}, []string{"false", "0"}, false, true}
	}
	return operator{[]ir.Prim{p}, func(a, b []string) string { // the last that is not 0
		return fmt.Sprintf("if %s != 0 then %s else %s", b[0], b[0], a[0])
	}, []string{"0"}, false, true}
}

// text writes the operator with fresh names.
func (g *gen) operatorText(o operator) string {
	var a, b []string
	for range o.prims {
		a, b = append(a, g.name("o")), append(b, g.name("o"))
	}
	word := "op"
	if o.commutative && g.one(3) {
		word = "commutative op"
	}
	return fmt.Sprintf("%s (%s) { in %s } neutral (%s)", word, strings.Join(append(a, b...), ", "), o.body(a, b), strings.Join(o.neutral, ", "))
}

// combined returns a value that the operator may combine in any order.
func (g *gen) combined(o operator, k int) string {
	if o.anyOrder {
		return g.scalar(o.prims[k], 2)
	}
	return g.small(o.prims[k], 2)
}

// foldStmt writes a reduction or a scan.
func (g *gen) foldStmt() bool {
	space, vars, dims, ok := g.space(0, false)
	if !ok {
		return false
	}
	verb, kept := "scan", dims
	if g.one(2) {
		verb, kept = "reduce", dims[:len(dims)-1]
	}
	bounds, all := "("+space+")", len(dims) == 1
	if g.sugared && g.one(2) {
		bs, n := strings.Split(space, ", "), g.Intn(len(dims))
		bounds = "over (" + strings.Join(bs[n:], ", ") + ")"
		if all = n == 0; n > 0 {
			bounds = "(" + strings.Join(bs[:n], ", ") + ") " + bounds
		}
		if verb == "reduce" {
			kept = dims[:n]
		}
	}
	o := g.operator(false)
	row := typ{}
	if len(o.prims) == 1 && o.anyOrder && g.one(5) { // an array that is combined element by element
		row = typ{o.prims[0], []dim{g.anyDim()}}
		if !g.runs((typ{shape: dims}).elems() * row.elems() * 2) {
			row = typ{}
		}
	}
	var types, out []typ
	for _, p := range o.prims {
		t := typ{prim: p, shape: row.shape}
		if len(kept) > 0 || row.shape != nil {
			t = outer(kept, t)
		}
		out = append(out, t)
	}
	for range pick(g, []int{0, 0, 0, 1, 2}) {
		t := g.kernelResult(dims)
		types, out = append(types, t), append(out, outer(dims, t))
	}
	names, pats := g.results(out)
	if verb == "scan" && all && row.shape == nil {
		for k, p := range o.prims { // perhaps only the last value
			if g.one(4) {
				out[k] = typ{prim: p}
				pats[k] = names[k] + ": " + p.String()
			}
		}
	}
	g.line("let %s = %s %s %s {", tuple(pats), verb, bounds, g.operatorText(o))
	g.threads(vars, dims, func() {
		if g.one(3) {
			g.stmts(g.Intn(4))
		}
		var first []string
		if row.shape != nil {
			first = append(first, g.valueOf(row))
		} else {
			for k := range o.prims {
				first = append(first, g.combined(o, k))
			}
		}
		g.give(types, first)
	})
	g.line("}")
	for k := range names {
		g.bindFresh(names[k], out[k])
	}
	return true
}

// destinations returns one or two consumed arrays of one shape.
func (g *gen) destinations(ps []ir.Prim, shape []dim, fresh bool) []string {
	var names []string
	for _, p := range ps {
		t := typ{p, shape}
		var x *variable
		if fresh {
			n := g.name("z")
			g.line("let %s: %s = replicate (%s) %s(%d)", n, t, texts(shape), p, g.Intn(5))
			g.bindFresh(n, t)
			x = g.vars[len(g.vars)-1]
		} else {
			x = g.owned(t)
		}
		g.consume(x)
		names = append(names, x.name)
	}
	return names
}

// scatter writes at indices that no two threads share.
func (g *gen) scatter() bool {
	x := g.array(func(v *variable) bool { return g.runs(v.elems()) && len(v.shape) <= 2 })
	if x == nil {
		return false
	}
	space, vars, dims, ok := g.space(pick(g, []int{len(x.shape), len(x.shape), 2}), false)
	if !ok {
		return false
	}
	ps := []ir.Prim{x.prim}
	if g.one(4) {
		ps = append(ps, g.anyPrim())
	}
	var index []string
	switch {
	case len(x.shape) == 2 && len(vars) == 2: // the other way around, perhaps shifted
		index = []string{vars[1], vars[0] + pick(g, []string{"", " + 1", " - 1"})}
		if g.one(2) {
			index[0], index[1] = index[1], index[0]
		}
	case len(x.shape) == 1 && len(vars) == 2:
		index = []string{fmt.Sprintf("%s * %s + %s", vars[0], dims[1].text, vars[1])}
	case len(x.shape) == 1:
		v, n := vars[0], dims[0].text
		index = []string{pick(g, []string{v, n + " - 1 - " + v, v + " * 2", v + " - 1", v + " + 1", "(" + v + " + 1) % " + n, v + " * 3 - 2"})}
	default:
		return false
	}
	dests := g.destinations(ps, x.shape, false)
	if g.one(3) {
		index[0] = fmt.Sprintf("if %s then %s else -1", g.scalar(ir.Bool, 1), index[0])
	}
	out := make([]typ, len(ps))
	for k, p := range ps {
		out[k] = typ{p, x.shape}
	}
	names, pats := g.results(out)
	g.line("let %s = scatter %s (%s) {", tuple(pats), tuple(dests), space)
	g.threads(vars, dims, func() {
		if g.one(3) {
			g.stmts(g.Intn(3))
		}
		types := make([]typ, len(ps))
		for k, p := range ps {
			types[k] = typ{prim: p}
		}
		g.give(types, index)
	})
	g.line("}")
	for k := range names {
		g.bindFresh(names[k], out[k])
	}
	return true
}

// hist writes a histogram; some of its indices are out of range.
func (g *gen) hist() bool {
	o := g.commutative()
	shape := []dim{g.anyDim()}
	if g.one(4) {
		shape = append(shape, g.anyDim())
	}
	if !g.runs((typ{shape: shape}).elems()) {
		return false
	}
	space, vars, dims, ok := g.space(0, false)
	if !ok {
		return false
	}
	if g.one(4) { // two histograms at one index
		other := g.operator(true)
		if other.commutative && other.anyOrder && o.anyOrder {
			o = both(o, other)
		}
	}
	ps := o.prims
	dests := g.destinations(ps, shape, !o.anyOrder || g.one(2))
	out := make([]typ, len(ps))
	for k, p := range ps {
		out[k] = typ{p, shape}
	}
	names, pats := g.results(out)
	g.line("let %s = hist %s (%s) %s {", tuple(pats), tuple(dests), space, g.operatorText(o))
	g.threads(vars, dims, func() {
		if g.one(4) {
			g.stmts(g.Intn(3))
		}
		var values []string
		for range shape {
			values = append(values, fmt.Sprintf("fmod(%s, %d) - 1", g.scalar(ir.I64, 1), 3+g.Intn(4)))
		}
		for k := range ps {
			values = append(values, g.combined(o, k))
		}
		g.line("in %s", tuple(values))
	})
	g.line("}")
	for k, n := range names {
		g.bindFresh(n, out[k])
	}
	return true
}

// both returns the operator that combines pairs, each side by its own.
func both(x, y operator) operator {
	n := len(x.prims)
	return operator{
		append(slices.Clip(x.prims), y.prims...),
		func(a, b []string) string {
			return fmt.Sprintf("(%s, %s)", x.body(a[:n], b[:n]), y.body(a[n:], b[n:]))
		},
		append(slices.Clip(x.neutral), y.neutral...), true, true,
	}
}
