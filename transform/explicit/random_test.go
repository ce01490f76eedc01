package explicit_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/must"
)

// A generator writes random programs over square arrays: branches; loops that carry, keep, swap and
// remember arrays; views; updates; kernels whose bodies do the same with rows.
type generator struct {
	*rand.Rand
	out    strings.Builder
	next   int
	budget int
}

func (g *generator) name() string {
	g.next++
	return fmt.Sprintf("v%d", g.next)
}

func (g *generator) line(depth int, format string, args ...any) {
	fmt.Fprintf(&g.out, "%s%s\n", strings.Repeat("  ", depth), fmt.Sprintf(format, args...))
}

func (g *generator) pick(pool []string) string { return pool[g.Intn(len(pool))] }

// stmts adds some statements and gives the pool with what they made. rank is 2
// on the host and 1 in a kernel over i; the text of a program uses the pool only
// for reading.
func (g *generator) stmts(depth, rank int, scalar string, pool []string) []string {
	pool = pool[:len(pool):len(pool)]
	for range 1 + g.Intn(4) {
		if g.budget--; g.budget < 0 {
			break
		}
		pool = append(pool, g.stmt(depth, rank, scalar, pool)...)
	}
	return pool
}

func (g *generator) stmt(depth, rank int, scalar string, pool []string) []string {
	v, x, y := g.name(), g.pick(pool), g.pick(pool)
	typ := strings.Repeat("[n]", rank) + "i64"
	kind := g.Intn(10)
	if depth > 5 && kind >= 6 {
		kind = g.Intn(6)
	}
	switch kind {
	case 0, 1: // fresh
		switch {
		case rank == 2 && g.Intn(2) == 0:
			g.kernel(depth, v, scalar, pool)
		case rank == 2:
			a, b := g.name(), g.name()
			g.line(depth, "let %s = map (%s < n, %s < n) { in %s[%s, %s] + %s[%s, %s] * 3 + %s }", v, a, b, x, a, b, y, b, a, scalar)
		default:
			g.line(depth, "let %s = replicate (n) (%s[0] * 2 + %s[n - 1] + %s)", v, x, y, scalar)
		}
	case 2: // views
		switch {
		case g.Intn(3) == 0:
			g.line(depth, "let %s = %s", v, x)
		case rank == 2:
			g.line(depth, "let %s = rearrange (1, 0) %s", v, x)
		default:
			g.line(depth, "let %s = %s[(n - 1, n, -1)]", v, x)
		}
	case 3: // a view through a flat one, perhaps of two parts
		if rank == 2 {
			f := g.name()
			g.line(depth, "let %s: [nn]i64 = reshape (nn) %s", f, x)
			g.line(depth, "let %s: %s = reshape (n, n) %s", v, typ, f)
		} else {
			g.line(depth, "let %s = copy %s", v, x)
		}
	case 4: // update
		c := g.name()
		g.line(depth, "let %s = copy %s", c, x)
		if rank == 2 {
			r := g.name()
			g.line(depth, "let %s = %s[(0, n), 0]", r, y)
			g.line(depth, "let %s = %s with [n - 1, (0, n)] = %s", v, c, r)
		} else {
			g.line(depth, "let %s = %s with [0] = %s[n - 1] + %s", v, c, y, scalar)
		}
	case 5: // call
		if rank == 2 {
			g.line(depth, "let %s: %s = %s(%s)", v, typ, g.pick([]string{"turned", "same", "more"}), x)
		} else {
			g.line(depth, "let %s = copy %s", v, x)
		}
	case 6: // if
		g.line(depth, "let %s = if (%s + %s[%s]) %% 2 == 0 {", v, scalar, x, strings.Repeat("0, ", rank-1)+"n - 1")
		g.line(depth, "  in %s", g.pick(g.stmts(depth+1, rank, scalar, pool)))
		g.line(depth, "} else {")
		g.line(depth, "  in %s", g.pick(g.stmts(depth+1, rank, scalar, pool)))
		g.line(depth, "}")
	case 7: // a loop that updates in place
		a, i := g.name(), g.name()
		g.line(depth, "let %s = copy %s", a, x)
		p, q := g.name(), g.name()
		g.line(depth, "let %s = loop (%s: *%s = %s) for %s < 3 {", v, p, typ, a, i)
		ix := strings.Repeat(i+", ", rank-1) + i
		inner := g.stmts(depth+1, rank, i, pool)
		g.line(depth, "  let %s = %s with [%s %% n] = %s[%s] + %s[%s %% n]", q, p, strings.ReplaceAll(ix, ", ", " % n, "),
			g.pick(inner), strings.Repeat("0, ", rank-1)+"0", p, strings.ReplaceAll(ix, ", ", " % n, "))
		g.line(depth, "  in %s", q)
		g.line(depth, "}")
	default: // a loop that carries arrays
		count := 1 + g.Intn(3)
		var params, results, inits []string
		for range count {
			params = append(params, g.name())
			results = append(results, g.name())
			inits = append(inits, g.pick(pool))
		}
		var header []string
		for k := range params {
			header = append(header, fmt.Sprintf("%s: %s = %s", params[k], typ, inits[k]))
		}
		i := g.name()
		pattern := results[0]
		if count > 1 {
			pattern = "(" + strings.Join(results, ", ") + ")"
		}
		g.line(depth, "let %s = loop (%s) for %s < %d {", pattern, strings.Join(header, ", "), i, g.Intn(5))
		inner := g.stmts(depth+1, rank, i, append(pool[:len(pool):len(pool)], params...))
		var values []string
		recent := inner[len(pool):] // parameters and what the body made
		for range count {
			if g.Intn(6) == 0 {
				values = append(values, g.pick(inner))
			} else {
				values = append(values, g.pick(recent))
			}
		}
		value := values[0]
		if count > 1 {
			value = "(" + strings.Join(values, ", ") + ")"
		}
		g.line(depth, "  in %s", value)
		g.line(depth, "}")
		return results
	}
	return []string{v}
}

// kernel writes a map whose body works on rows and columns.
func (g *generator) kernel(depth int, v, scalar string, pool []string) {
	i, row, column := g.name(), g.name(), g.name()
	g.line(depth, "let %s = map (%s < n) {", v, i)
	g.line(depth, "  let %s = %s[%s, (0, n)]", row, g.pick(pool), i)
	g.line(depth, "  let %s = %s[(0, n), n - 1 - %s]", column, g.pick(pool), i)
	inner := g.stmts(depth+1, 1, i, []string{row, column})
	g.line(depth, "  in %s", inner[len(inner)-1])
	g.line(depth, "}")
}

const helpers = `
fun turned [n] (t0: [n][n]i64) : [n][n]i64 = {
  let t1 = rearrange (1, 0) t0
  in t1
}

fun same [n] (s0: [n][n]i64) : [n][n]i64 = {
  in s0
}

fun more [n] (m0: [n][n]i64) : [n][n]i64 = {
  let m1 = map (mi < n, mj < n) { in m0[mi, mj] + mj }
  in m1
}
`

func randomProgram(seed int64) string {
	g := &generator{Rand: rand.New(rand.NewSource(seed)), budget: 24}
	g.line(0, "entry main [n] (x0: [n][n]i64, y0: [n][n]i64) : ([n][n]i64, [n][n]i64) = {")
	g.line(1, "let nn = n * n")
	pool := []string{"x0", "y0"}
	for g.budget > 0 {
		pool = g.stmts(1, 2, "n", pool)
	}
	g.line(1, "in (%s, %s)", pool[len(pool)-1], g.pick(pool))
	g.line(0, "}")
	return g.out.String() + helpers
}

// Random programs have the same results by memory, after the pass, as by value before it.
func TestRandomPrograms(t *testing.T) {
	count := int64(400)
	if testing.Short() {
		count = 60
	}
	args := must.Get(value.NewReader("input", []byte("[[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 9i64]] [[5i64, 0i64, 2i64], [1i64, 1i64, 4i64], [3i64, 8i64, 6i64]]")).All())(t)
	for seed := range count {
		text := randomProgram(seed)
		before := parse(t, "random.ir", text)
		after, _ := transformed(t, "random.ir", text)
		again := parse(t, "again.ir", after.String())
		want, err := interp.ByValue(before, "main", args, interp.Options{})
		if err != nil {
			t.Fatalf("seed %d: by value: %v\n%s", seed, err, text)
		}
		got, err := interp.ByMemory(after, "main", args, interp.Options{})
		if err != nil {
			t.Fatalf("seed %d: by memory: %v\n%s", seed, err, after)
		}
		for k := range want {
			if d := value.Diff(want[k], got[k], value.Exact); d != "" {
				t.Fatalf("seed %d: value %d: %s\n%s\n%s", seed, k, d, text, after)
			}
		}
		if again.String() != after.String() {
			t.Fatalf("seed %d: printing and parsing changes the program:\n%s\n%s", seed, after, again)
		}
	}
}
