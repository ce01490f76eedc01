package reusebench

import (
	"bytes"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// No way beats the bounds, and the planner never raises the peak above what is
// live.
func TestScores(t *testing.T) {
	files := must.Get(Files("testdata"))(t)
	var rows []Row
	for _, f := range files {
		r := must.Get(Measure(f))(t)
		rows = append(rows, r)
		judge(t, r)
		if r.Static.Bytes*100 > r.Lower.Bytes*130 {
			t.Errorf("%s: %d bytes where %d are the bound", r.Name, r.Static.Bytes, r.Lower.Bytes)
		}
	}
	var out bytes.Buffer
	must.Do(t, Write(&out, rows))
	if len(rows) < 2 || strings.Count(out.String(), "\n") != len(rows)+2 {
		t.Errorf("table of %d problems:\n%s", len(rows), out.String())
	}
}

func judge(t *testing.T, r Row) {
	t.Helper()
	for name, s := range map[string]Score{"plan": r.Plan, "static": r.Static, "scan": r.LinearScan, "fit": r.BestFit} {
		if r.Program && name == "static" {
			continue
		}
		if s.Blocks < r.Lower.Blocks || s.Bytes < r.Lower.Bytes || s.Peak < r.Lower.Peak {
			t.Errorf("%s: %s gives %+v, which is below the bound %+v", r.Name, name, s, r.Lower)
		}
	}
	if r.Plan.Peak != r.Lower.Peak {
		t.Errorf("%s: the plan's peak is %d, of what is live %d", r.Name, r.Plan.Peak, r.Lower.Peak)
	}
}

func TestRandomScores(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 30 {
		var blocks []Block
		for range 1 + rng.Intn(30) {
			from := rng.Int63n(40)
			blocks = append(blocks, Block{from, from + 1 + rng.Int63n(12), rng.Int63n(100)})
		}
		// As a problem of the pass's the intervals have the same bounds, or lower ones.
		r := MeasureProblem("problem", problem(blocks, true), Bounds(blocks).Peak)
		judge(t, r)
		if r.Count != len(blocks) || r.Lower.Blocks > Bounds(blocks).Blocks || r.Alone != Alone(blocks) {
			t.Errorf("%+v, where the bounds are %+v", r, Bounds(blocks))
		}
		judge(t, Row{Name: "random", Lower: Bounds(blocks), Plan: Plan(blocks, true), Static: Plan(blocks, false),
			LinearScan: LinearScan(blocks), BestFit: BestFit(blocks)})
	}
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "expected a header",
		"id,lower,upper\n":              `no column "size"`,
		"lower,upper,size\n1,2,many\n":  `size is "many"`,
		"lower,upper,size\n3,3,1\n":     "lower < upper",
		"lower,upper,size\n1,2\n":       "wrong number of fields",
		"lower,upper,size\n-1,2,3\n":    "0 <= lower",
		"lower,upper,size\n1,2,3,4,5\n": "wrong number of fields",
	} {
		path := filepath.Join(t.TempDir(), "p.csv")
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	if _, err := Files(t.TempDir()); err == nil {
		t.Error("an empty directory is no list of problems")
	}
}

// The tables of figures.md: intervals, then programs.
func TestMarkdown(t *testing.T) {
	one := Score{Blocks: 1, Bytes: 1024, Peak: 1025}
	var out strings.Builder
	rows := []Row{
		{Name: "f main", Program: true, Lower: one, Plan: one, LinearScan: one, BestFit: one, Alone: Score{Blocks: 2, Bytes: 2048, Peak: 2048}},
		{Name: "A", Lower: one, Plan: one, Static: one, LinearScan: one, BestFit: one},
	}
	must.Do(t, WriteMarkdown(&out, rows))
	const want = `| intervals: blocks | lower | plan | static | scan | fit |
|---|--:|--:|--:|--:|--:|
| A | 1 | 1 | 1 | 1 | 1 |

| intervals: all blocks, KiB | lower | plan | static | scan | fit |
|---|--:|--:|--:|--:|--:|
| A | 1 | 1 | 1 | 1 | 1 |

| intervals: peak, KiB | lower | plan | static | scan | fit |
|---|--:|--:|--:|--:|--:|
| A | 2 | 2 | 2 | 2 | 2 |

| function: blocks | lower | plan | scan | fit | alone |
|---|--:|--:|--:|--:|--:|
| f main | 1 | 1 | 1 | 1 | 2 |

| function: all blocks, KiB | lower | plan | scan | fit | alone |
|---|--:|--:|--:|--:|--:|
| f main | 1 | 1 | 1 | 1 | 2 |

| function: peak, KiB | lower | plan | scan | fit | alone |
|---|--:|--:|--:|--:|--:|
| f main | 2 | 2 | 2 | 2 | 2 |
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}
