package interp

import (
	"context"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
)

type runner func(*ir.Program, string, []value.Value, Options) ([]value.Value, error)

// A program in a test, the arguments and the results as Futhark's text; where
// fails is set, it is a pattern for the error instead.
type program struct {
	name, src, args, want, fails string
}

// load parses and checks. With unverified set only elaboration runs, so that a
// wrong program can be shown to an interpreter.
func load(t testing.TB, src string, unverified bool) *ir.Program {
	t.Helper()
	p, diags := parser.Parse(diag.NewFile("test.ir", src))
	if !diags.Failed() {
		if unverified {
			diags = check.Elaborate(p)
		} else {
			diags = check.Program(p)
		}
	}
	if diags.Failed() {
		var b strings.Builder
		diags.Render(&b, false)
		t.Fatalf("%s", b.String())
	}
	return p
}

func values(t testing.TB, text string) []value.Value {
	t.Helper()
	r := value.NewReader("values", []byte(text))
	var out []value.Value
	for {
		v, err := r.Next(ir.Unknown)
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		out = append(out, v)
	}
}

func (c program) run(t *testing.T, how string, run runner, unverified bool) {
	t.Helper()
	t.Run(c.name+"/"+how, func(t *testing.T) {
		p := load(t, c.src, unverified)
		got, err := run(p, "main", values(t, c.args), Options{MaxSteps: 1 << 20})
		if c.fails != "" {
			if err == nil {
				t.Fatalf("no error; want one like %q", c.fails)
			}
			if !regexp.MustCompile(c.fails).MatchString(err.Error()) {
				t.Fatalf("error %q is not like %q", err, c.fails)
			}
			return
		}
		if err != nil {
			var b strings.Builder
			err.(*diag.Diagnostic).Render(&b, false)
			t.Fatalf("%s", b.String())
		}
		want := values(t, c.want)
		if len(got) != len(want) {
			t.Fatalf("%d results, want %d", len(got), len(want))
		}
		for k := range want {
			if d := value.Diff(want[k], got[k], value.Tolerance{}); d != "" {
				t.Errorf("result %d: %s (got %s)", k, d, got[k].Text())
			}
		}
	})
}

func TestLimits(t *testing.T) {
	p := load(t, `
		entry main (n: i64) : i64 = {
		  let r = loop (a: i64 = 0) for i < n { in a + i }
		  in r
		}`, false)
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		opt  Options
		want string
	}{
		{Options{MaxSteps: 100}, "more steps"},
		{Options{Context: done}, "stopped: context canceled"},
	} {
		for _, run := range []runner{ByValue, ByMemory} {
			_, err := run(p, "main", values(t, "1000000i64"), c.opt)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		}
	}
	for _, c := range []struct{ entry, args, want string }{
		{"main", "", "arguments of `main`: 0 given, 1 expected"},
		{"main", "1i32", "argument `n` of `main` is i32, expected i64"},
		{"main", "[1i64]", `is \[1\]i64, expected i64`},
		{"other", "1i64", "no entry `other`"},
	} {
		_, err := ByValue(p, c.entry, values(t, c.args), Options{})
		if err == nil || !regexp.MustCompile(c.want).MatchString(err.Error()) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

func TestStats(t *testing.T) {
	p := load(t, `
		entry main [n] (xs: [n]i32 @ ?m_xs) : [n]i32 = {
		  let m1 = alloc n * 4
		  let ys: [n]i32 @ m1 = map (i < n) { in xs[i] + 1 }
		  let m2 = alloc n * 4
		  let zs: [n]i32 @ m2 = copy ys
		  let m3 = alloc n * 4
		  let us: [n]i32 @ m3 = copy zs
		  let ws: [n]i32 @ m3 = copy us
		  in ws
		}`, false)
	var s Stats
	must.Get(ByMemory(p, "main", values(t, "[1, 2, 3]"), Options{Stats: &s}))(t)
	// xs is held by the caller. Three blocks of 12 bytes are never held besides it: ys is used
	// last before m3 is made. The copy within m3 moves nothing.
	if want := (Stats{PeakBytes: 36, Allocs: 3, CopiedBytes: 24}); s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
}

func TestMemoryNeedsPlaces(t *testing.T) {
	program{name: "agnostic", src: `entry main (n: i64) : [n]i64 = { let xs = iota n in xs }`, args: "3i64",
		fails: "`xs` has no place"}.run(t, "memory", ByMemory, false)
}

// BenchmarkScalarLoop runs six scalar operations in each of 10,000,000
// iterations, among them the loop's own.
func BenchmarkScalarLoop(b *testing.B) {
	p := load(b, `
		entry main (n: i64) : i64 = {
		  let r = loop (a: i64 = 1) for i < n {
		    let x = a * 3 + i
		    let y = x ^ (x >> 7)
		    in y + 1
		  }
		  in r
		}`, false)
	const n = 10_000_000
	for b.Loop() {
		must.Get(ByValue(p, "main", []value.Value{value.Scalar(ir.I64, n)}, Options{}))(b)
	}
	b.ReportMetric(float64(b.N)*n*6/b.Elapsed().Seconds()/1e6, "Mops/s")
}

// BenchmarkElements reads two and writes one element per thread.
func BenchmarkElements(b *testing.B) {
	p := load(b, `
		entry main (n: i64) : i32 = {
		  let m1 = alloc n * 4
		  let xs: [n]i32 @ m1 = map (i < n) { in i32(i) }
		  let m2 = alloc n * 4
		  let ys: [n]i32 @ m2 = map (j < n) { in xs[j] + xs[n - 1 - j] }
		  let s = reduce (k < n) op (a, b) { in a + b } neutral (0i32) { in ys[k] }
		  in s
		}`, false)
	for name, run := range map[string]runner{"value": ByValue, "memory": ByMemory} {
		b.Run(name, func(b *testing.B) {
			const n = 1_000_000
			for b.Loop() {
				must.Get(run(p, "main", []value.Value{value.Scalar(ir.I64, n)}, Options{}))(b)
			}
			b.ReportMetric(float64(b.N)*n*5/b.Elapsed().Seconds()/1e6, "Melems/s")
		})
	}
}
