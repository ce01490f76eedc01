package places

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/memc-lang/memc/ir"
)

// A wave is a loop of kernels such as those of dynamic programs: names defined by
// min, max and divisions, slices with strides, and elements that threads read.
type wave struct {
	defs   []definition // in order
	free   []string     // names that are given, with conditions
	conds  []string
	thread []string // names that differ between threads
	a, b   string   // index functions: what a thread reads, and what one writes
	all    string   // what all threads write
}

// A definition says that a name is an expression, or x / y, or x % y.
type definition struct{ name, exp, by, op string }

func (r maker) of(xs ...string) string { return xs[r.IntN(len(xs))] }

// wave makes anti-diagonals of elements or of tiles, and what is near to them.
func (r maker) wave() wave {
	if r.IntN(3) == 0 {
		return r.tiles()
	}
	w := wave{thread: []string{"i", "y", "x"}}
	eq := func(name, exp string) { w.defs = append(w.defs, definition{name: name, exp: exp}) }
	w.free = []string{"n", "m", "t"}
	w.conds = append(w.conds, r.of("n > 0", "n > 0", "n >= 0", "n > 1"), "m >= 0", "0 <= t", r.of("t < 2*n-1", "t < n", "t < n+m"))
	eq("w", r.of("n+1", "n+1", "n", "m"))
	eq("d", r.of("t+2", "t+2", "t+1", "t"))
	eq("lo", r.of("max(1,d-n)", "max(1,d-n)", "max(0,d-n)", "min(t,m)", "max(m,t)", "1"))
	eq("hi", r.of("min(n,d-1)", "min(n,d-1)", "min(n,d)", "max(n,m)", "n"))
	eq("c", r.of("hi-lo+1", "hi-lo+1", "hi-lo", "hi+1"))
	w.conds = append(w.conds, "0 <= i", "i < c")
	eq("y", r.of("lo+i", "lo+i", "i", "hi-i"))
	eq("x", r.of("d-y", "d-y", "d-y-1", "y"))
	if r.IntN(3) == 0 {
		w.conds = append(w.conds, r.of("x >= 1", "!(y < 1) && x != 0", "y != 0 && x >= 0", "!(x > 0 && y > 0)"))
	}
	row, first := r.of("w", "w", "n"), r.of("lo*w+d-lo", "lo*w+d-lo", "lo*n+d", "lo*w", "d")
	stride := r.of("n", "n", "w-1", "n-1", "w")
	w.a = fmt.Sprintf("(y+%d)*%s+x+%d;", r.IntN(4)-2, row, r.IntN(4)-2)
	w.all = fmt.Sprintf("%s; %s : %s", first, r.of("c", "c", "c+1", "c-1"), stride)
	w.b = fmt.Sprintf("%s+i*(%s);", first, stride)
	return w
}

func (r maker) tiles() wave {
	w := wave{thread: []string{"i", "j", "e", "r", "c"}}
	w.free = []string{"q", "b", "t"}
	w.conds = append(w.conds, r.of("q > 0", "q >= 0"), "b >= 0", "0 <= t", r.of("t < q", "t < q+1"), "0 <= i", r.of("i < t+1", "i <= t", "i < q"), "0 <= e", r.of("e < b*b", "e < b*b", "e < b"))
	w.defs = []definition{{name: "j", exp: r.of("t-i", "t-i", "i")}, {"r", "e", "b", "/"}, {"c", "e", "b", "%"}}
	if r.IntN(3) == 0 {
		w.defs = slices.Delete(w.defs, 1, 2)
		w.defs = append(w.defs, definition{name: "r", exp: r.of("c", "b-1-c", "0")})
	}
	for range r.IntN(4) {
		w.conds = append(w.conds, r.of("c > 0", "!(c > 0)", "r > 0", "!(j*b+c == 0)", "i*b+r != 0", "j > 0", "!(r > 0 && c > 0)", "c == 0 || j > 1"))
	}
	tile := fmt.Sprintf("((i+%d)*q+j+%d)*b*b", r.IntN(3)-1, r.IntN(3)-1)
	w.a = tile + "+" + r.of("(b-1)*b+c", "r*b+b-1", "(r-1)*b+c", "r*b+c-1", "(b-1)*b+b-1") + ";"
	own := r.of("t*b*b", "t*b*b", "(t+1)*b*b", "0")
	stride := r.of("(q-1)*b*b", "(q-1)*b*b", "q*b*b", "b*b")
	w.all = fmt.Sprintf("%s; %s : %s, b : b, b : 1", own, r.of("t+1", "t+1", "t", "q-t"), stride)
	w.b = fmt.Sprintf("%s+i*(%s); b : b, b : 1", own, stride)
	return w
}

func (w wave) facts(t *testing.T) Facts {
	f := small("q", "b", "t", "i", "j", "e", "r", "c", "n")
	for _, c := range w.conds[:4] {
		f = f.FromCondition(exp(t, c))
	}
	bound := false
	for _, d := range w.defs {
		if d.by != "" && !bound { // an index that is divided is bound first
			f, bound = w.bounds(t, f), true
		}
		x := poly64(t, d.exp)
		switch d.op {
		case "/", "%":
			f = f.Division(d.name, d.op, x, poly64(t, d.by))
		default:
			f = f.Equal(poly64(t, d.name), x)
		}
	}
	for _, c := range w.conds[4:] {
		f = f.FromCondition(exp(t, c))
	}
	return f
}

// bounds returns e, and its bound as loops have it.
func (w wave) bounds(t *testing.T, f Facts) Facts {
	for _, c := range w.conds {
		if below, ok := strings.CutPrefix(c, "e < "); ok {
			f = f.WithBound("e", poly64(t, "0"), poly64(t, below))
		}
	}
	return f
}

// parsed keeps what was read: the same few texts are evaluated over and over.
var parsed = map[string]ir.Exp{}

func valueOf(t *testing.T, s string, env map[string]int64) (int64, bool) {
	e, ok := parsed[s]
	if !ok {
		e = exp(t, s)
		parsed[s] = e
	}
	return value(e, env)
}

// complete computes what is defined; it tells whether all conditions hold.
func (w wave) complete(t *testing.T, env map[string]int64) bool {
	for _, d := range w.defs {
		v, ok := valueOf(t, d.exp, env)
		if d.by != "" {
			y, _ := valueOf(t, d.by, env)
			if ok = ok && y != 0; ok && d.op == "/" {
				v /= y
			} else if ok {
				v %= y
			}
		}
		if !ok {
			return false
		}
		env[d.name] = v
	}
	for _, c := range w.conds {
		if v, ok := valueOf(t, c, env); !ok || v == 0 {
			return false
		}
	}
	return true
}

// positions of an index function that is written as in fun.
func positionsOf(t *testing.T, s string, env map[string]int64) []int64 {
	off, dims, _ := strings.Cut(s, ";")
	p, _ := valueOf(t, off, env)
	out := []int64{p}
	for d := range strings.SplitSeq(dims, ", ") {
		length, stride, ok := strings.Cut(d, " : ")
		if !ok {
			continue
		}
		n, _ := valueOf(t, length, env)
		by, _ := valueOf(t, stride, env)
		var next []int64
		for _, p := range out {
			for k := range n {
				next = append(next, p+k*by)
			}
		}
		out = next
	}
	return out
}

func (w wave) String() string { return fmt.Sprintf("%+v", struct{ D, C, A any }{w.defs, w.conds, w.a}) }

// TestRandomWaves: what is claimed of an element that a thread reads, and of what
// all threads or another one writes, holds for all small values.
func TestRandomWaves(t *testing.T) {
	r := maker{rand.New(rand.NewPCG(8, *seed))}
	var whole, threads tally
	total := 0
	for total < *instances/40 {
		w := r.wave()
		f, a := w.facts(t), fun(t, w.a)
		one := Disjoint(f, a, fun(t, w.all), 4, 4)
		two := disjointThreads(f, a, fun(t, w.b), 4, 4, w.thread[:1], w.thread[1:])
		sawOne, sawTwo, met := true, true, 0
		for range 400 {
			env, other := map[string]int64{}, map[string]int64{}
			for _, x := range w.free {
				env[x] = int64(r.IntN(6))
			}
			for _, x := range []string{"i", "e"} {
				env[x] = int64(r.IntN(6))
			}
			for x, v := range env {
				other[x] = v
			}
			other["i"], other["e"] = int64(r.IntN(6)), int64(r.IntN(6))
			if !w.complete(t, env) {
				continue
			}
			read := positionsOf(t, w.a, env)[0]
			met++
			if slices.Contains(positionsOf(t, w.all, env), read) {
				if sawOne = false; one {
					t.Fatalf("claimed disjoint from all of %s: %v for %v", w.all, w, env)
				}
			}
			if other["i"] != env["i"] && w.complete(t, other) && slices.Contains(positionsOf(t, w.b, other), read) {
				if sawTwo = false; two {
					t.Fatalf("claimed disjoint from another thread's %s: %v for %v and %v", w.b, w, env, other)
				}
			}
		}
		total += met
		if met < 20 {
			continue
		}
		whole.count(one, sawOne)
		threads.count(two, sawTwo)
		if *showMissed && sawOne && !one {
			t.Logf("missed: %s of %v", w.all, w)
		}
	}
	t.Logf("%d instances", total)
	whole.log(t, "from all")
	threads.log(t, "from another")
	if *instances >= 100_000 && (whole.claimed < 20 || whole.refuted < 20 || threads.claimed < 20) {
		t.Error("the random waves are not worth asking about")
	}
}
