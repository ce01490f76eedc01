package explain

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/analysis/peak"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/internal/test/part"
	"github.com/memc-lang/memc/ir/diag"
)

func explainFile(t *testing.T, path string) *Explanation {
	t.Helper()
	f := must.Get(driver.ReadSource(path))(t)
	x, err := New(f, pipeline.DefaultPasses())
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return x
}

// explainText runs the memory passes alone: the arrays of the tests' small programs would be fused away.
func explainText(t *testing.T, text string) *Explanation {
	t.Helper()
	return must.Get(New(diag.NewFile("test.ir", text), pipeline.MemoryPasses()))(t)
}

// programs returns programs of every room that has merging to explain.
func programs(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"examples/*.ir", "benchmarks/*/*.ir", "testdata/coalesce/*/*.ir", "testdata/reuse/*/*.ir", "testdata/mix/*.ir"} {
		files := must.Get(filepath.Glob(filepath.Join("..", "..", "..", pattern)))(t)
		out = append(out, files...)
	}
	if len(out) < 100 {
		t.Fatalf("only %d programs found", len(out))
	}
	return out
}

// What the chart shows is what the peak's formula counts, and every refusal's code has a
// meaning. Sizes are unequal, so that sums differ.
func TestChartsAgreeWithPeaks(t *testing.T) {
	refusals := 0
	for k, path := range programs(t) {
		if !part.Of(k, 3) {
			continue
		}
		f := must.Get(driver.ReadSource(path))(t)
		x, err := New(f, pipeline.DefaultPasses())
		if err != nil {
			continue // a program that must be refused
		}
		x.Sizes = map[string]int64{"n": 1003, "m": 701, "k": 53, "h": 409, "w": 307}
		for _, s := range x.Stages {
			for _, f := range s.Funcs {
				if f.Chart == nil {
					continue
				}
				if slices.ContainsFunc(f.Chart.Blocks, func(b ChartBlock) bool { return peak.Value(b.Size.poly, x.value) < 0 }) {
					continue // no run has these values
				}
				_, most := x.peakAt(f.Chart)
				if want := x.greatest(f.Chart.Peak); most != want && len(f.Chart.Segments) > 0 {
					t.Errorf("%s: %s %s: the chart holds %d bytes, the peak is %d", path, f.Name, s.Pass, most, want)
				}
			}
		}
		for _, r := range x.Remarks {
			if !r.Refused {
				continue
			}
			refusals++
			if _, ok := LookUp(r.Code); !ok {
				t.Errorf("%s: the code of %q has no meaning", path, r)
			}
		}
	}
	if refusals < 100 {
		t.Errorf("only %d refusals seen", refusals)
	}
}

const rows = `
entry main [n] (xs: [n]f32) : ([n]f32, f32) = {
  let a = map (i < n) { in xs[i] + 1.0 }
  let b = map (j < n) { in a[n - 1 - j] * 2.0 }
  let c = map (k < n) { in b[n - 1 - k] - 1.0 }
  let d = c[0]
  in (c, d)
}
`

// The sentences about two names.
func TestPair(t *testing.T) {
	x := explainText(t, rows)
	for _, c := range []struct{ a, b, want string }{
		{"c", "a", "They share the block `m_a`, by the pass `reuse`. They are never needed at the same time"},
		{"a", "b", "They do not share storage, because their blocks `m_a` and `m_b` interfere. At line 4 (`b`) threads of one kernel work at the same time: one thread may still read `a` where another already writes `b`."},
		{"b", "xs", "the caller keeps the block of one of them"},
		{"a", "a", "`a` is [n]f32, n * 4 bytes, made at line 3 and used last at line 4 (`b`)."},
	} {
		got, err := x.Pair(c.a, c.b)
		if err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s and %s: %v\n%swant: %s", c.a, c.b, err, got, c.want)
		}
	}
	if _, err := x.Pair("bb", "a"); err == nil || !strings.Contains(err.Error(), `did you mean "b"`) {
		t.Errorf("an unknown name gives %v", err)
	}
}

// The answer is that of the final program: for names that stand for several blocks (thesis, figures 9.5
// and 9.7), for arrays that lie with others, and in groups.
func TestPairAtTheEnd(t *testing.T) {
	root := filepath.Join("..", "..", "..", "testdata")
	for _, c := range []struct{ path, a, b, want string }{
		{"analysis/loop-in-place.ir", "b0", "b1", "They share the block `m_a0`, by the pass `reuse`."},
		{"analysis/loop-in-place.ir", "a1", "a0", "reuse: `a1` goes from `m_a0` or `m_b1` to `m_a0`"},
		{"analysis/loop-in-place.ir", "m_a0", "m_b1", "After all passes `m_a0` is a block of its own, and `m_b1` lies in `m_a0`."},
		{"analysis/loop-not-in-place.ir", "b0", "b1", "They may share storage: both may lie in `m_a0` or `m_b1`."},
		{"analysis/loop-not-in-place.ir", "a0", "b1", "They may share storage: both may lie in `m_a0`."},
		{"reuse/if/pos-conditional-last-use.ir", "xs", "ys", "They share the block `m_xs`, by the pass `reuse`."},
		{"reuse/if/pos-conditional-last-use.ir", "zs", "ys", "After all passes `zs` lies in `m_xs`, and `ys` lies in `m_xs`."},
		{"groups/chain.ir", "a", "c", "`m_c` lies where `m_a` lies. Their contents are never needed at the same time."},
		{"groups/chain.ir", "a", "b", "the contents of `m_a` and of `m_b` are both needed at line 11 (`b`)"},
		{"groups/chain.ir", "a", "d", "the layout of the group's local memory found other places"},
		{"groups/chain.ir", "a", "ys", "`m_a` is in the local memory of a group, `m_ys` in device memory"},
		{"groups/turns.ir", "t0", "t:16", "They may share storage"},
	} {
		x := explainFile(t, filepath.Join(root, c.path))
		if got, err := x.Pair(c.a, c.b); err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s and %s: %v\n%swant: %s", c.path, c.a, c.b, err, got, c.want)
		}
	}
	x := explainText(t, chain)
	if got, err := x.Pair("a", "d"); err != nil || !strings.Contains(got, "because their blocks `m_a` and `m_b` interfere") ||
		!strings.Contains(got, "Before the pass `reuse`, `a` lay in `m_a` and `d` in `m_d`, which do not interfere: the arrays that lie there now do.") {
		t.Errorf("%v\n%s", err, got)
	}
}

// chain has four arrays, of which two at a time share a block: `a` and `d` meet nowhere, but their blocks do.
const chain = `
entry main [n] (xs: [n]f32) : [n]f32 = {
  let a = map (i < n) { in xs[i] + 1.0 }
  let b = map (j < n) { in a[n - 1 - j] * 2.0 }
  let c = map (k < n) { in b[n - 1 - k] - 1.0 }
  let d = map (l < n) { in c[n - 1 - l] - 1.0 }
  in d
}
`

// An array that has no storage any more when arrays get their blocks.
func TestPairComputedAway(t *testing.T) {
	x := must.Get(New(diag.NewFile("test.ir", strings.ReplaceAll(chain, "n - 1 - ", "")), pipeline.DefaultPasses()))(t)
	if _, err := x.Pair("a", "d"); err == nil || !strings.Contains(err.Error(), "`a` (line 3) has no storage after the pass `fuse`") {
		t.Errorf("a fused array gives %v", err)
	}
}

// A copy that coalescing removed, and one that it kept.
func TestPairOfCopies(t *testing.T) {
	x := explainText(t, `
entry main [m] (xs: [m]f32, t: *[4][m]f32) : (*[4][m]f32, f32) = {
  let ys = map (i < m) { in xs[i] + 1.0 }
  let z = t[0, 0]
  let t1 = t with [0, (0, m)] = ys
  let vs = map (j < m) { in xs[j] + 2.0 }
  let t2 = t1 with [1, (0, m)] = vs
  in (t2, z)
}
`)
	for _, c := range []struct{ a, b, want string }{
		{"vs", "t2", "by the pass `coalesce`"},
		{"ys", "t1", "[C3] `ys` is copied to `t1`"},
	} {
		got, err := x.Pair(c.a, c.b)
		if err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s and %s: %v\n%swant: %s", c.a, c.b, err, got, c.want)
		}
	}
}

// What is held at the peak adds up, and is listed with its lines.
func TestWritePeak(t *testing.T) {
	x := explainText(t, rows)
	x.Sizes = map[string]int64{"n": 10}
	var out strings.Builder
	x.WritePeak(&out)
	for _, want := range []string{"main: the peak is 80 bytes for n = 10", "`m_a` = n * 4, allocated at line 3 of the source", "`m_b` = n * 4", "[interferes]"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the peak does not say %q:\n%s", want, out.String())
		}
	}
}

// A page names nothing outside itself, and its text cannot end the script that holds it.
func TestPageIsSelfContained(t *testing.T) {
	x := explainText(t, "-- </script><script>alert(1)</script>\n"+rows)
	var out strings.Builder
	must.Do(t, x.WritePage(&out))
	page := out.String()
	if strings.Contains(page, "alert(1)</script>") {
		t.Error("a comment of the program ends the script")
	}
	for _, outside := range []string{"http:", "https:", "src=", "@import", "url("} {
		if strings.Contains(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""), outside) {
			t.Errorf("the page holds %q", outside)
		}
	}
}

// A long program has the first explicit text and the last, and stays small.
func TestLongProgram(t *testing.T) {
	var text strings.Builder
	text.WriteString("entry main [n] (x0: [n]f32) : [n]f32 = {\n")
	for k := range 1000 {
		text.WriteString("  let x" + itoa(k+1) + " = map (t" + itoa(k) + " < n) { in x" + itoa(k) + "[t" + itoa(k) + "] + 1.0 }\n")
	}
	text.WriteString("  in x1000\n}\n")
	x := explainText(t, text.String())
	var out strings.Builder
	must.Do(t, x.WritePage(&out))
	if n := out.Len(); n > 5<<20 {
		t.Errorf("the page of 1,000 statements has %d bytes", n)
	}
	if dir := os.Getenv("MEMC_PAGES"); dir != "" { // to be looked at
		must.Do(t, os.WriteFile(filepath.Join(dir, "long.html"), []byte(out.String()), 0o666))
	}
}

// What stands in the way are all bytes that a program needs, whatever holds them: blocks, arguments,
// threads, earlier iterations, and blocks that a run without an iteration does not make.
func TestWhatStandsInTheWayIsAll(t *testing.T) {
	paths := []string{"../../../benchmarks/LocVolCalib-chunks/LocVolCalib-chunks.ir"}
	for _, pattern := range []string{"testdata/workers/*.ir", "testdata/reuse/*/*.ir", "testdata/mix/*.ir"} {
		paths = append(paths, must.Get(filepath.Glob(filepath.Join("..", "..", "..", pattern)))(t)...)
	}
	for _, path := range paths {
		var out strings.Builder
		explainFile(t, path).WriteFit(&out, 1)
		sum, need := int64(0), int64(-1)
		check := func() {
			if need >= 0 && sum != need {
				t.Errorf("%s: %d bytes stand in the way of %d\n%s", path, sum, need, out.String())
			}
		}
		for _, line := range strings.Split(out.String(), "\n") {
			if m := regexp.MustCompile(`it needs (\d+) bytes`).FindStringSubmatch(line); m != nil {
				check()
				sum, need = 0, must.Get(strconv.ParseInt(m[1], 10, 64))(t)
			} else if m := regexp.MustCompile(`^ +(\d+)  `).FindStringSubmatch(line); m != nil {
				sum += must.Get(strconv.ParseInt(m[1], 10, 64))(t)
			} else if strings.Contains(line, "more than 2^63") {
				t.Errorf("%s: %s", path, line)
			}
		}
		check()
	}
}

// Two functions have the same names: the answer says of which it speaks, and a name can say it.
func TestPairOfFunctions(t *testing.T) {
	const text = `
entry one [n] (xs: [n]f32) : [n]f32 = {
  let a = map (i < n) { in xs[i] + 1.0 }
  let b = map (i < n) { in a[n - 1 - i] + 1.0 }
  let k = a[0]
  let c = map (i < n) { in b[i] * k }
  in c
}
entry two [n] (xs: [n]f32) : [n]f32 = {
  let a = map (i < n) { in xs[i] + 1.0 }
  let s = a[0]
  let b = map (i < n) { in xs[i] + s }
  in b
}
`
	x := explainText(t, text)
	for _, c := range []struct{ a, b, first, verdict string }{
		{"a", "b", "In `one`. Other functions have these names, too: two.a, for example.", "They do not share storage"},
		{"two.a", "b", "`a` is [n]f32", "They share the block"},
		{"a", "one.b", "`a` is [n]f32", "They do not share storage"},
		{"a", "c", "`a` is [n]f32", ""}, // only one of them has c
	} {
		got, err := x.Pair(c.a, c.b)
		if err != nil || !strings.HasPrefix(got, c.first) || !strings.Contains(got, c.verdict) {
			t.Errorf("%s and %s: %v\n%s", c.a, c.b, err, got)
		}
	}
	for _, c := range [][2]string{{"two.a", "one.b"}, {"three.a", "b"}} {
		if _, err := x.Pair(c[0], c[1]); err == nil {
			t.Errorf("%s and %s have an answer", c[0], c[1])
		}
	}
}

// The result of an `if` may be either of two arrays; that does not make both needed (thesis, figure 9.7). Where
// a map writes over what it reads, both are.
func TestPairInTurn(t *testing.T) {
	branches := explainFile(t, filepath.Join("..", "..", "..", "testdata/reuse/if/pos-conditional-last-use.ir"))
	inPlace := explainText(t, "entry main [n] (xs: [n]f32) : [n]f32 = {\n  let a = map (i < n) { in xs[i] + 1.0 }\n  let b = map (i < n) { in a[i] * 2.0 }\n  in b\n}\n")
	for _, c := range []struct {
		x          *Explanation
		a, b, want string
	}{
		{branches, "zs", "xs", "They are never needed at the same time"},
		{inPlace, "a", "b", "Where both are needed, every element is read before it is overwritten"},
	} {
		if got := must.Get(c.x.Pair(c.a, c.b))(t); !strings.Contains(got, c.want) {
			t.Errorf("%s and %s\n%s", c.a, c.b, got)
		}
	}
}

// Each function of a chain calls the one before it twice, so the last call stands for 2^30. The callees'
// peaks are computed once each.
func TestFitOfChain(t *testing.T) {
	var b strings.Builder
	b.WriteString("fun c0 [n] (x: [n]f32, k: i64) : [n]f32 = {\n  let y = loop (y: [n]f32 = x) for i < k {\n    let z = map (j < n) { in y[n - 1 - j] + 1 }\n    in z\n  }\n  in y\n}\n")
	for k := 1; k <= 30; k++ {
		head := fmt.Sprintf("fun c%d", k)
		if k == 30 {
			head = "entry main"
		}
		fmt.Fprintf(&b, "%s [n] (x: [n]f32, k: i64) : [n]f32 = {\n  let a = loop (y: [n]f32 = x) for i < k {\n    let z = c%d(y, k)\n    in z\n  }\n  let b = c%d(a, k)\n  in b\n}\n", head, k-1, k-1)
	}
	var out strings.Builder
	explainText(t, b.String()).WriteFit(&out, 100)
	if !strings.Contains(out.String(), "main: does not fit in 100 bytes") || !strings.Contains(out.String(), "[held by c29 for b] = ") {
		t.Error(out.String())
	}
}
