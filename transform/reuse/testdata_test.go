package reuse_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/metrics"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/reuse"
)

// A target is what a test program says of its structure after some passes.
var target = regexp.MustCompile(`(?m)^-- (?:target (reuse|default): |structure passes\((reuse)\) \{ |structure( )\{ )Alloc (\d+)`)

var input = regexp.MustCompile(`(?m)^-- input \{(.*)\}$`)

// TestTargets shares blocks in the programs of testdata/reuse and testdata/mix, which show every
// pattern of the thesis. Counts are met or beaten, results stay the same, the independent
// checker agrees, and the text parses to the same program.
func TestTargets(t *testing.T) {
	programs := 0
	for _, dir := range []string{"reuse", "mix"} {
		must.Do(t, filepath.WalkDir(filepath.Join("../../testdata", dir), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".ir") {
				return err
			}
			name, err := filepath.Rel("../../testdata", path)
			if err != nil {
				return err
			}
			name = filepath.ToSlash(name)
			t.Run(name, func(t *testing.T) {
				programs++
				checkTargets(t, path)
			})
			return nil
		}))
	}
	if programs < 60 {
		t.Errorf("only %d programs were found", programs)
	}
}

func checkTargets(t *testing.T, path string) {
	data := must.Get(os.ReadFile(path))(t)
	text := string(data)
	for _, m := range target.FindAllStringSubmatch(text, -1) {
		passes := []*transform.Pass(nil)
		passes = append(passes, before...)
		if m[1] == "reuse" || m[2] == "reuse" {
			passes = plain
		}
		p := load.Checked(t, "test.ir", text)
		prepare(t, p, passes...)
		old := ir.CloneProgram(p)
		apply(t, p, reuse.Pass)
		bounded(t, old, p)
		if again := load.Checked(t, "test.ir", p.String()); again.String() != p.String() {
			t.Errorf("printing and parsing changes the program:\n%s\n%s", p, again)
		}
		want, _ := strconv.Atoi(m[4])
		if got := metrics.Count(p).Alloc; got > want {
			t.Errorf("%d allocations, want %d\n%s", got, want, p)
		}
		for _, in := range input.FindAllStringSubmatch(text, -1) {
			args := arguments(t, p.Func("main"), in[1])
			if sameResults(t, p, "main", args) {
				if was, is := peakOf(t, old, "main", args), peakOf(t, p, "main", args); is > was {
					t.Errorf("input %s: the peak rises from %d to %d", in[1], was, is)
				}
			}
		}
	}
}

// Canny ends with three blocks, and its peak is the least there can be.
func TestCanny(t *testing.T) {
	data := must.Get(os.ReadFile("../../examples/canny.ir"))(t)
	p := load.Checked(t, "test.ir", string(data))
	prepare(t, p, before...)
	report := apply(t, p, reuse.Pass)
	if got := metrics.Count(p); got.Alloc != 3 || got.Copy != 0 {
		t.Errorf("%d allocations and %d copies, want 3 and 0\n%s", got.Alloc, got.Copy, p)
	}
	rewrites := report.Passes[0].Rewrites
	// Any number of rewrites leaves a correct program, so bisecting finds a first bad rewrite.
	for limit := range rewrites {
		q := load.Checked(t, "test.ir", string(data))
		prepare(t, q, before...)
		c := transform.NewContext("reuse", &diag.List{File: q.File}, limit)
		must.Do(t, reuse.Pass.Run(q, c))
		if c.Rewrites != limit || metrics.Count(q).Alloc != 3+rewrites-limit {
			t.Errorf("limit %d: %d rewrites, %d allocations", limit, c.Rewrites, metrics.Count(q).Alloc)
		}
		apply(t, q)
		for _, in := range input.FindAllStringSubmatch(string(data), -1) {
			sameResults(t, q, "main", arguments(t, q.Func("main"), in[1]))
		}
	}
}

// Remarks name both blocks with their sizes and lines, and the reason why other blocks do not
// share.
func TestRemarks(t *testing.T) {
	p := load.Checked(t, "test.ir", `entry main [n] (xs: [n]i32, k: i64) : ([n]i32, [k]i32) = {
  let a = map (i < n) { in xs[n - 1 - i] + 1 }
  let b = map (j < n) { in a[n - 1 - j] + 1 }
  let c = replicate (k) b[0]
  let d = map (l < n) { in a[n - 1 - l] + c[0] }
  in (d, c)
}
`)
	prepare(t, p, plain...)
	report := apply(t, p, reuse.Pass)
	var all strings.Builder
	for _, d := range report.Remarks.All {
		all.WriteString(d.Msg + "\n")
	}
	for _, want := range []string{
		"reuse: `m_d` (5:3) (n * 4 bytes) reuses `m_b` (3:3) (n * 4 bytes)",
		"[interferes] `m_b` (3:3) and `m_a` (2:3): `a` (2:7) and `b` (3:7)",
		"[interferes] `m_c` (4:3) and ",
	} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no remark %q in\n%s", want, all.String())
		}
	}
}

// Remarks tell why blocks stay in a loop.
func TestRemarksOfLoops(t *testing.T) {
	p := load.Checked(t, "test.ir", `entry main [n] (xs: [n]i32, k: i64) : ([n]i32, i32) = {
  let (r, q) = loop (a = xs, b = 0i32) for l < k {
    let c = map (i < n) { in a[n - 1 - i] * 2 }
    let s = c[0]
    let d = map (i1 < n) { in a[n - 1 - i1] + s }
    let e = map (i2 < n + l) { in i32(i2) }
    let f = map (i3 < n) { in d[n - 1 - i3] + e[i3] }
    let g = f[0] + d[0]
    in (d, b + g)
  }
  in (r, q)
}
`)
	prepare(t, p, plain...)
	var all strings.Builder
	for _, d := range apply(t, p, reuse.Pass).Remarks.All {
		all.WriteString(d.Msg + "\n")
	}
	for _, want := range []string{
		"`m_e` (6:5) (l * 4 + n * 4 bytes) reuses `m_c` (3:5) (n * 4 bytes)",
		"[size] `m_c` (3:5) stays in its loop, where its size is computed",
	} {
		if !strings.Contains(all.String(), want) {
			t.Errorf("no remark %q in\n%s", want, all.String())
		}
	}
}

// carried keeps the state before the last one: each iteration must allocate another block than the
// one before, although a dead block of the same size is available.
const carried = `-- input { [1i64, 2i64] [1i64, 0i64] 6i64 }
entry main [n] (as: [n]i64, bs: [n]i64, k: i64) : ([n]i64, [n]i64) = {
  let t = map (i < n) { in as[n - 1 - i] * 2 }
  let u = t[0]
  let (p, q) = loop (a = as, b = bs) for l < k {
    let c = map (j < n) { in a[n - 1 - j] + b[j] + u }
    in (c, a)
  }
  in (p, q)
}
`

// Every planted bug is found, by the independent checker or by running the programs of testdata.
func TestMutantsAreKilled(t *testing.T) {
	if reuse.Mutant("no-such-bug") != nil {
		t.Error("an unknown mutant is a pass")
	}
	var texts []string
	for _, pattern := range []string{"../../testdata/reuse/*/*.ir", "../../testdata/mix/*.ir"} {
		files := must.Get(filepath.Glob(pattern))(t)
		for _, f := range files {
			data := must.Get(os.ReadFile(f))(t)
			texts = append(texts, string(data))
		}
	}
	texts = append(texts, carried)
	for _, name := range reuse.Mutants {
		t.Run(name, func(t *testing.T) {
			killed, changed := 0, 0
			for _, text := range texts {
				p := load.Checked(t, "test.ir", text)
				prepare(t, p, plain...)
				q := ir.CloneProgram(p)
				prepare(t, p, reuse.Pass)
				prepare(t, q, reuse.Mutant(name))
				if p.String() == q.String() {
					continue
				}
				changed++
				if kills(t, q, text) {
					killed++
				}
			}
			t.Logf("%d of %d programs with the bug are found wrong by running them", killed, changed)
			if killed == 0 {
				t.Errorf("no program shows the bug; %d are other programs with it", changed)
			}
		})
	}
}

// kills reports whether an input shows that a program is wrong.
func kills(t *testing.T, p *ir.Program, text string) bool {
	t.Helper()
	for _, in := range input.FindAllStringSubmatch(text, -1) {
		args := arguments(t, p.Func("main"), in[1])
		want, err := interp.ByValue(p, "main", args, interp.Options{MaxSteps: maxSteps})
		if err != nil {
			continue
		}
		got, err := interp.ByMemory(p, "main", args, interp.Options{MaxSteps: maxSteps})
		if err != nil {
			return true
		}
		for k := range want {
			if value.Diff(want[k], got[k], value.Exact) != "" {
				return true
			}
		}
	}
	return false
}

func arguments(t *testing.T, f *ir.Func, text string) []value.Value {
	t.Helper()
	return must.Get(filetest.ReadValues("input", text, f))(t)
}
