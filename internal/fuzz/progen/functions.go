package progen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/ir"
)

// A signature holds the facts about a function that a call needs.
type signature struct {
	name    string
	params  []param
	results []fnResult
	inner   bool // kernels may call it
}

type param struct {
	name string
	typ
	unique bool
	wild   bool // an i64 by which sizes are computed: it is negative or huge now and then
}

// A fnResult is one result; name is set for a scalar that sizes later ones.
type fnResult struct {
	name string
	typ
	unique bool
}

// header chooses size variables and parameters and opens a scope with them.
func (g *gen) header(entry bool) (sizes []dim, params []param) {
	g.scope, g.wildParam = scope{}, ""
	g.barrier, g.nesting, g.factor, g.kernel = g.group, 0, 1, false
	if !entry {
		g.factor = 4 // it is called from loops
	}
	for range 1 + g.Intn(2) {
		n := g.name("n")
		sizes = append(sizes, dim{text: n, key: n, max: g.maxInput})
	}
	for _, d := range sizes { // every one occurs
		shape := []dim{d}
		others := []dim{constDim(1), constDim(2), constDim(0), constDim(3)}
		if g.maxInput == smallInput {
			others = append(others, sizes...)
		}
		for g.one(2) && len(shape) < 3 {
			shape = append(shape, pick(g, others))
		}
		if g.one(4) {
			shape[0], shape[len(shape)-1] = shape[len(shape)-1], shape[0]
		}
		params = append(params, param{typ: typ{g.anyPrim(), shape}, unique: g.one(3)})
	}
	for range g.Intn(4) {
		p := param{typ: typ{prim: g.anyPrim()}}
		if g.one(2) {
			p.prim = ir.I64
		}
		if g.one(3) {
			p.shape = []dim{pick(g, append(sizes, constDim(2)))}
		}
		params = append(params, p)
	}
	if entry && g.wild {
		params = append(params, param{typ: typ{prim: ir.I64}, wild: true})
	}
	g.dims = append(g.dims, sizes...)
	for _, d := range sizes {
		g.bind(&variable{name: d.text, typ: typ{prim: ir.I64}})
	}
	for k := range params {
		p := &params[k]
		p.name = g.name("x")
		v := &variable{name: p.name, typ: p.typ}
		if p.wild {
			g.wildParam = p.name
		}
		if p.shape != nil {
			v.groups = g.newGroup()
			if !p.unique {
				g.unowned[g.group] = true
			}
		}
		g.bind(v)
	}
	return sizes, params
}

func open(kind, name string, sizes []dim, params []param) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s ", kind, name)
	for _, d := range sizes {
		b.WriteString("[" + d.text + "]")
	}
	b.WriteString(" (")
	for k, p := range params {
		if k > 0 {
			b.WriteString(", ")
		}
		star := ""
		if p.unique {
			star = "*"
		}
		fmt.Fprintf(&b, "%s: %s%s", p.name, star, p.typ)
	}
	b.WriteString(")")
	return b.String()
}

// function writes the body of a function into a text of its own, since its
// results are known only after it.
func (g *gen) function(kind, name string, statements, results int) *signature {
	sizes, params := g.header(kind == "entry")
	sig := &signature{name: name, params: params}
	before := g.out.String()
	g.out.Reset()
	g.depth = 1
	if len(sizes) == 2 && kind == "entry" && g.one(3) {
		g.line("assert %s == %s", sizes[0].text, sizes[1].text)
		g.unify(sizes[0], sizes[1])
		g.asserts = append(g.asserts, sizes[0].text, sizes[1].text)
	}
	if kind == "inner" {
		kind, sig.inner = "fun", true
		g.kernel, g.factor = true, innerWork
	}
	g.budget = statements
	if g.steps && kind == "entry" {
		g.budget = g.Intn(2)
	}
	for g.budget > 0 {
		g.stmts(g.budget)
	}
	if g.joined && kind != "entry" { // it ends with a branch whose results may be one
		if types := make([]typ, 1+g.Intn(2)); g.alike(types) {
			g.ifOf(types)
		}
	}
	var first []*variable
	if g.steps && kind == "entry" {
		first = g.groupOfSteps()
	}
	values := g.handOut(sig, sizes, first, results)
	g.line("in %s", tuple(values))
	g.depth = 0
	body := g.out.String()
	g.out.Reset()
	g.out.WriteString(before)
	g.line("%s : %s = {", open(kind, name, sizes, params), sig.resultText())
	g.out.WriteString(body)
	g.line("}")
	g.line("")
	g.release(0)
	return sig
}

// unify makes two size variables equal in everything that follows.
func (g *gen) unify(a, b dim) {
	change := func(ds []dim) []dim {
		out := append([]dim(nil), ds...)
		for k := range out {
			if out[k].key == b.key {
				out[k].key = a.key
			}
		}
		return out
	}
	g.dims = change(g.dims)
	for _, v := range g.vars {
		if v.shape != nil {
			v.shape = change(v.shape)
		}
	}
}

func (s *signature) resultText() string {
	parts := make([]string, len(s.results))
	for k, r := range s.results {
		parts[k] = r.typ.String()
		if r.unique {
			parts[k] = "*" + parts[k]
		}
		if r.name != "" {
			parts[k] = r.name + ": " + parts[k]
		}
	}
	return tuple(parts)
}

// handOut chooses results: those given, the last arrays, some others, a scalar. A dim that the caller
// cannot know becomes a named result.
func (g *gen) handOut(sig *signature, sizes []dim, first []*variable, n int) (values []string) {
	known := map[string]dim{}
	for _, d := range sizes {
		known[d.text] = d
	}
	var given []*variable
	var fits func(*variable) bool // nil: all arrays
	add := func(v *variable) {
		if v == nil {
			return
		}
		t := typ{v.prim, append([]dim(nil), v.shape...)}
		if v.shape == nil {
			t.shape = nil
		}
		for k, d := range t.shape {
			if d.constant {
				continue
			}
			have, ok := known[d.text]
			if !ok {
				name := g.name("q")
				have = dim{text: name, key: name, max: d.max}
				known[d.text] = have
				sig.results = append(sig.results, fnResult{name, typ{prim: ir.I64}, false})
				values = append(values, d.text)
			}
			t.shape[k] = have
		}
		unique := v.shape != nil && g.consumable(v) && !shares(v, given) && g.one(2) && (fits == nil || g.one(3))
		given = append(given, v)
		if unique {
			g.consume(v)
		}
		sig.results = append(sig.results, fnResult{"", t, unique && sig.name != "main"})
		values = append(values, v.name)
	}
	for _, v := range first {
		add(v)
	}
	if last := g.vars[len(g.vars)-1]; g.joined && last.shape != nil && !g.one(4) { // all may be one
		fits = func(v *variable) bool { return v.same(last.typ) }
	}
	for range n {
		add(g.array(fits))
	}
	add(g.find(func(v *variable) bool { return v.shape == nil }))
	if len(values) == 0 {
		sig.results = append(sig.results, fnResult{"", typ{prim: ir.I32}, false})
		values = append(values, "0i32")
	}
	return values
}

// helper writes a function that later ones may call.
func (g *gen) helper(statements int) {
	results := 1 + g.Intn(2)
	if g.joined {
		results++
	}
	g.funcs = append(g.funcs, g.function("fun", g.global("fn"), statements, results))
}

// innerWork is how often the statements of a function that kernels call may run in one of them.
const innerWork = 40

// inner writes a function that kernels may call.
func (g *gen) inner(statements int) {
	sig := g.function("inner", g.global("fn"), statements, 1+g.Intn(2))
	g.funcs = append(g.funcs, sig)
}

// entry writes the entry.
func (g *gen) entry(statements int) []param {
	sig := g.function("entry", "main", statements, 3+g.Intn(3))
	return sig.params
}

// call calls a function with arguments that fit.
func (g *gen) call() bool {
	funcs := g.funcs
	if g.kernel {
		funcs = slices.DeleteFunc(slices.Clone(funcs), func(f *signature) bool { return !f.inner })
	}
	if len(funcs) == 0 || g.factor > 60 && !g.kernel {
		return false
	}
	f := pick(g, funcs)
	sizes := map[string]dim{}
	var args []string
	var consumed []*variable
	var groups []int
	var made []*variable
	for _, p := range f.params {
		if p.shape == nil {
			args = append(args, g.scalar(p.prim, 2))
			continue
		}
		t := typ{p.prim, append([]dim(nil), p.shape...)}
		fits := func(v *variable) bool {
			if v.prim != p.prim || len(v.shape) != len(p.shape) || v.elems() > 60*g.scale() {
				return false
			}
			bound := map[string]dim{}
			for k, d := range p.shape {
				have, ok := sizes[d.text]
				if b, here := bound[d.text]; here {
					have, ok = b, true
				}
				switch {
				case d.constant && v.shape[k].key != d.key, v.shape[k].max > g.maxInput || v.shape[k].wild, ok && have.key != v.shape[k].key:
					return false
				}
				bound[d.text] = v.shape[k]
			}
			return true
		}
		x := g.array(func(v *variable) bool { return fits(v) && (!p.unique || g.consumable(v)) && !shares(v, consumed) })
		if x == nil || p.unique && shares(x, made) {
			for k, d := range t.shape {
				if d.constant {
					continue
				}
				if have, ok := sizes[d.text]; ok {
					t.shape[k] = have
					continue
				}
				t.shape[k] = g.anyDim()
				if t.shape[k].max > g.maxInput || t.shape[k].wild {
					t.shape[k] = constDim(2)
				}
				sizes[d.text] = t.shape[k]
			}
			n := g.name("z")
			g.line("let %s = replicate (%s) %s", g.pattern(n, t), texts(t.shape), g.scalar(t.prim, 1))
			g.bindFresh(n, t)
			x = g.vars[len(g.vars)-1]
		}
		for k, d := range p.shape {
			if _, ok := sizes[d.text]; !ok && !d.constant {
				sizes[d.text] = x.shape[k]
			}
		}
		args = append(args, x.name)
		made = append(made, x)
		if p.unique {
			consumed = append(consumed, x)
		} else {
			groups = append(groups, x.groups...)
		}
	}
	for _, x := range consumed {
		g.consume(x)
	}
	var pats []string
	var bound []*variable
	var dims []dim
	for _, r := range f.results {
		n := g.name("r")
		t := typ{prim: r.prim}
		if r.shape != nil {
			t.shape = make([]dim, len(r.shape))
			for k, d := range r.shape {
				if t.shape[k] = d; !d.constant {
					t.shape[k] = sizes[d.text]
				}
			}
		}
		if r.name != "" {
			d := dim{text: n, key: n, max: 60 * g.scale()}
			sizes[r.name] = d
			dims = append(dims, d)
			pats = append(pats, n)
			continue
		}
		v := &variable{name: n, typ: t}
		pat := n
		if t.shape != nil {
			v.groups = g.newGroup()
			if !r.unique {
				g.unowned[g.group] = true
				v.groups = append(v.groups, groups...)
			}
			pat = n + ": " + t.String()
		}
		bound = append(bound, v)
		pats = append(pats, pat)
	}
	g.line("let %s = %s(%s)", tuple(pats), f.name, strings.Join(args, ", "))
	for _, d := range dims {
		g.addDim(d)
	}
	for _, v := range bound {
		g.bind(v)
	}
	return true
}

// shares reports whether v may share memory with one of others.
func shares(v *variable, others []*variable) bool {
	for _, o := range others {
		for _, a := range o.groups {
			if slices.Contains(v.groups, a) {
				return true
			}
		}
	}
	return false
}

// assertion states a fact that holds.
func (g *gen) assertion() bool {
	if len(g.dims) == 0 {
		return false
	}
	d := pick(g, g.dims)
	switch g.Intn(3) {
	case 0:
		g.line("assert %s >= 0", d.text)
	case 1:
		g.line(`assert %s * 2 - %s == %s "twice"`, d.text, d.text, d.text)
	default:
		for _, e := range g.dims {
			if e.key == d.key && e.text != d.text {
				g.line("assert %s == %s", d.text, e.text)
				return true
			}
		}
		return false
	}
	return true
}
