package main

import "strings"

// chain makes a map of a map of a map.
func (g *generator) chain() {
	for g.left > 0 {
		y, t := g.name("y"), g.name("t")
		g.fresh(y, "map (%s < n) { in %s[%s] + i32(k) }", t, g.array(), t)
		g.a = y
	}
}

// views makes 1,000 chains of parts of parts, each of them copied.
func (g *generator) views(per int) {
	g.a = "xs"
	for range max(1, per-1) {
		r := g.name("r")
		g.stmt("let %s = %s[(0, n)]", r, g.array())
		g.a = r
	}
	c := g.name("c")
	g.fresh(c, "copy %s", g.array())
	g.a = c
}

// params makes loops of a hundred parameters that change places.
func (g *generator) params() {
	const count = 100
	var start []string
	for range count {
		y, t := g.name("y"), g.name("t")
		g.fresh(y, "map (%s < n) { in %s[%s] + i32(k) }", t, g.array(), t)
		start = append(start, y)
	}
	var results, inits, next string
	for j, y := range start {
		r, p := g.name("r"), g.name("p")
		if j > 0 {
			results, inits, next = results+", ", inits+", ", next+", "
		}
		results += r + g.existential(r)
		inits += p + g.existential(p) + " = " + y
		if j > 0 {
			next += p
		} else {
			g.s, g.a = p, r
		}
	}
	first := g.s
	g.s = ""
	g.stmt("let (%s) = loop (%s) for %s < 10 {", results, inits, g.name("i"))
	g.line("%s  in (%s%s)", g.indent, next[len(", "):], ", "+first)
	g.line("%s}", g.indent)
}

// concat joins a hundred arrays.
func (g *generator) concat() {
	const count = 100
	var parts string
	for j := range count {
		y, t := g.name("y"), g.name("t")
		g.fresh(y, "map (%s < n) { in %s[%s] + i32(k) }", t, g.array(), t)
		if j > 0 {
			parts += ", "
		}
		parts += y
	}
	l, c, r := g.name("l"), g.name("c"), g.name("r")
	g.stmt("let %s = n * %d", l, count)
	if g.explicit {
		g.stmt("let m_%s = alloc %s * 4", c, l)
		g.stmt("let %s: [%s]i32 @ m_%s = concat@0 (%s)", c, l, c, parts)
	} else {
		g.stmt("let %s: [%s]i32 = concat@0 (%s)", c, l, parts)
	}
	g.stmt("let %s = %s[(0, n)]", r, c)
	g.a = r
}

// pyramid makes arrays of half the size, and half of that, ten times.
func (g *generator) pyramid() {
	size, array := "n", g.array()
	for range 10 {
		h, y, t := g.name("h"), g.name("y"), g.name("t")
		g.stmt("let %s = max(%s / 2, 1)", h, size)
		g.sized(h, y, "map (%s < %s) { in %s[min(2 * %s, %s - 1)] }", t, h, array, t, size)
		size, array = h, y
	}
	y, t := g.name("y"), g.name("t")
	g.fresh(y, "map (%s < n) { in %s[0] + i32(%s) }", t, array, t)
	g.a = y
}

// product makes arrays whose sizes are computed from one another, ten in a row.
func (g *generator) product() {
	size := "n"
	for range 10 {
		v, y, t := g.name("v"), g.name("y"), g.name("t")
		g.stmt("let %s = %s * (%s + k)", v, size, size)
		g.stmt("assert %s >= 0 size", v)
		g.sized(v, y, "map (%s < %s) { in i32(%s) }", t, v, t)
		size = v
	}
}

// sized makes an array that is not of n elements.
func (g *generator) sized(size, name, format string, args ...any) {
	if g.explicit {
		g.stmt("let m_%s = alloc %s * 4", name, size)
		name += ": [" + size + "]i32 @ m_" + name
	}
	g.stmt("let "+name+" = "+format, args...)
}

// functions makes functions of ten statements each, and calls them from others.
func (g *generator) functions() {
	for g.left > 10 {
		f := g.name("f")
		g.line("fun %s [n] (xs%s, k: i64) : (%s) = {", f, g.existential("xs"), strings.TrimPrefix(g.existential("result"), ": "))
		g.a, g.s = "xs", "k"
		for i := range 9 {
			g.one(i)
		}
		if g.last != "" {
			z := g.name("z")
			g.stmt("let %s%s = %s(%s, k)", z, g.existential(z), g.last, g.array())
		}
		c := g.name("c")
		g.fresh(c, "copy %s", g.array())
		g.line("  in %s", c)
		g.line("}")
		g.last = f
	}
	g.a, g.s = "", ""
}

// anew makes a loop of a hundred parameters, which begin as the results of the loop before.
func (g *generator) anew() {
	const count = 100
	for len(g.row) < count {
		y, t := g.name("y"), g.name("t")
		g.fresh(y, "map (%s < n) { in xs[%s] + i32(k) }", t, t)
		g.row = append(g.row, y)
	}
	var params, results, inits, next []string
	for _, init := range g.row {
		p, r := g.name("p"), g.name("r")
		params, results = append(params, p), append(results, r)
		inits = append(inits, p+g.existential(p)+" = "+init)
	}
	pattern := make([]string, count)
	for j, r := range results {
		pattern[j] = r + g.existential(r)
	}
	g.stmt("let (%s) = loop (%s) for %s < 10 {", strings.Join(pattern, ", "), strings.Join(inits, ", "), g.name("i"))
	in := g.indent
	g.indent += "  "
	for j := range params {
		b, t := g.name("b"), g.name("t")
		g.fresh(b, "map (%s < n) { in %s[%s] + i32(k) }", t, params[(j+1)%count], t)
		next = append(next, b)
	}
	for j := range next {
		params[j] = next[j*7%count]
	}
	g.line("%sin (%s)", g.indent, strings.Join(params, ", "))
	g.indent = in
	g.line("%s}", in)
	g.row, g.a = results, results[0]
}
