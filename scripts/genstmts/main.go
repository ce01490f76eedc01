// Command genstmts prints a valid program of a given number of statements, for
// measuring how memc's parts grow with a program's size: memory-agnostic, or
// with -explicit a block and a place for every array.
//
//	go run ./scripts/genstmts -n 100000 -shape straight
//
// Shapes: straight (one long body of scalars, kernels, slices, updates and
// copies), nested (branches within each other, 20 deep), loops (1,000 loops), wide
// (half of the statements make arrays that the other half needs), sizes (arrays
// one after another, each of a size of its own), maps (one of the other), views (parts
// of parts), params (loops of a hundred parameters), concats (of a hundred arrays),
// pyramid (each array has half the size of the one before), products (sizes computed
// from one another), functions (that call one another), anew (loops of a hundred
// parameters, all made anew in each iteration).
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	n := flag.Int("n", 10000, "number of statements")
	shape := flag.String("shape", "straight", "one of "+strings.Join(shapes, ", "))
	explicit := flag.Bool("explicit", false, "with memory blocks and places")
	flag.Parse()
	if err := generate(os.Stdout, *n, *shape, *explicit); err != nil {
		fmt.Fprintln(os.Stderr, "genstmts:", err)
		os.Exit(1)
	}
}

var shapes = []string{"straight", "nested", "loops", "wide", "sizes", "maps", "views", "params", "concats", "pyramid", "products", "functions", "anew"}

// generate writes a program of about n statements.
func generate(w io.Writer, n int, shape string, explicit bool) error {
	g := &generator{out: bufio.NewWriter(w), left: n, indent: "  ", explicit: explicit}
	if shape == "functions" {
		g.functions()
	}
	g.line("entry main [n] (xs%s, k: i64) : ([n]i32, i64) = {", g.existential("xs"))
	make, known := map[string]func(){
		"straight": g.straight,
		"nested":   func() { g.nest(20) },
		"loops":    func() { g.loop(max(1, n/1000)) },
		"wide":     func() { g.wide(); g.left = 0 },
		"sizes":    g.size,
		"maps":     g.chain,
		"views":    func() { g.views(max(1, n/1000)) },
		"params":   g.params,
		"concats":  g.concat,
		"pyramid":  g.pyramid,
		"products": g.product,
		"anew":     g.anew,
		"functions": func() { // which all call the one before
			c := g.name("c")
			g.stmt("let %s%s = %s(xs, k)", c, g.existential(c), g.last)
			g.a, g.left = c, 0
		},
	}[shape]
	if !known {
		return fmt.Errorf("unknown shape %q, expected one of %s", shape, strings.Join(shapes, ", "))
	}
	for g.left > 0 {
		make()
	}
	if shape == "sizes" || shape == "products" { // the last array has another size
		g.a = "xs"
	}
	g.fresh("last", "copy %s", g.array())
	g.line("  in (last, %s)", g.scalar())
	g.line("}")
	return g.out.Flush()
}

// generator numbers names; s and a are the newest scalar and array in scope.
type generator struct {
	out    *bufio.Writer
	left   int
	next   int
	s, a   string
	indent string
	last   string   // function
	row    []string // of arrays, for anew

	explicit bool
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(g.out, format+"\n", args...)
}

func (g *generator) stmt(format string, args ...any) {
	g.left--
	g.line(g.indent+format, args...)
}

func (g *generator) name(prefix string) string {
	g.next++
	return fmt.Sprintf("%s%d", prefix, g.next)
}

func (g *generator) scalar() string {
	if g.s == "" {
		return "k"
	}
	return g.s
}

func (g *generator) array() string {
	if g.a == "" {
		return "xs"
	}
	return g.a
}

// fresh makes a statement that creates an array, and its block where blocks are
// wanted.
func (g *generator) fresh(name, format string, args ...any) {
	if g.explicit {
		g.stmt("let m_%s = alloc n * 4", name)
		name += ": [n]i32 @ m_" + name
	}
	g.stmt("let "+name+" = "+format, args...)
}

// existential returns the type of an array that may live anywhere.
func (g *generator) existential(name string) string {
	if g.explicit {
		return ": [n]i32 @ ?m_" + name
	}
	return ": [n]i32"
}

// one makes one statement and, perhaps, a block; its kind goes round.
func (g *generator) one(i int) {
	switch i % 8 {
	case 0, 1, 2, 3:
		v := g.name("v")
		g.stmt("let %s = %s * 3 + (k & %d)", v, g.scalar(), i%16)
		g.s = v
	case 4:
		y, t := g.name("y"), g.name("t")
		g.fresh(y, "map (%s < n) { in %s[%s] + i32(%s) }", t, g.array(), t, g.scalar())
		g.a = y
	case 5:
		r := g.name("r")
		g.stmt("let %s = %s[(0, n)]", r, g.array())
		g.a = r
	case 6:
		c := g.name("c")
		g.fresh(c, "copy %s", g.array())
		g.a = c
	case 7:
		u := g.name("up")
		g.stmt("let %s = %s with [0] = i32(%s)", u, g.array(), g.scalar())
		g.a = u
	}
}

func (g *generator) straight() {
	for i := 0; g.left > 0; i++ {
		g.one(i)
	}
}

// wide makes arrays that are all needed at one time.
func (g *generator) wide() {
	var all []string
	count := g.left / 2
	if g.explicit {
		count = g.left / 3
	}
	for range count {
		y, t := g.name("y"), g.name("t")
		g.fresh(y, "map (%s < n) { in %s[%s] + i32(k) }", t, g.array(), t)
		all = append(all, y)
	}
	for _, y := range all {
		v := g.name("v")
		g.stmt("let %s = %s + i64(%s[k])", v, g.scalar(), y)
		g.s = v
	}
}

// size makes an array of a new size, which is read from the one before.
func (g *generator) size() {
	v, y := g.name("v"), g.name("y")
	g.stmt("let %s = max(0, i64(%s[k]))", v, g.array())
	t := g.name("t")
	if g.explicit {
		g.stmt("let m_%s = alloc %s * 4", y, v)
		g.stmt("let %s: [%s]i32 @ m_%s = map (%s < %s) { in i32(%s) + 1 }", y, v, y, t, v, t)
	} else {
		g.stmt("let %s = map (%s < %s) { in i32(%s) + 1 }", y, t, v, t)
	}
	g.s, g.a = v, y
}

// nest makes branches and loops within each other, and statements in each.
func (g *generator) nest(depth int) {
	s, a, in := g.s, g.a, g.indent
	v := g.name("b")
	g.stmt("let %s = if %s > %d {", v, g.scalar(), depth)
	g.indent = in + "  "
	for i := range 4 {
		g.one(i)
	}
	if depth > 0 && g.left > 0 {
		g.nest(depth - 1)
	}
	g.line("%sin %s", g.indent, g.scalar())
	g.s, g.a, g.indent = s, a, in
	g.line("%s} else { in %s }", in, g.scalar())
	g.s = v
}

// loop makes one loop over an array and a scalar, of about per statements.
func (g *generator) loop(per int) {
	ra, rs, pa, ps, i := g.name("ra"), g.name("rs"), g.name("pa"), g.name("ps"), g.name("ix")
	g.stmt("let (%s%s, %s) = loop (%s%s = %s, %s = %s) for %s < 10 {",
		ra, g.existential(ra), rs, pa, g.existential(pa), g.array(), ps, g.scalar(), i)
	in := g.indent
	g.s, g.a, g.indent = ps, pa, in+"  "
	for j := range max(8, per-1) {
		g.one(j)
	}
	g.line("%sin (%s, %s)", g.indent, g.array(), g.scalar())
	g.line("%s}", in)
	g.s, g.a, g.indent = rs, ra, in
}
