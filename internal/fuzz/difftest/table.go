package difftest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
)

// conditions are the safety conditions whose refusals are counted though there be none.
var conditions = map[string][]string{"coalesce": {"C1", "C2", "C3", "C4", "C5"}, "reuse": {"interferes", "size", "peak"}}

// newPassTable returns empty counts, with a row for every pass and every condition and
// switch of it: what stays at 0 is seen.
func newPassTable() PassTable {
	var t PassTable
	for _, p := range pipeline.All() {
		r := t.row(p.Name)
		for _, c := range conditions[p.Name] {
			r.Codes[c] = 0
		}
		for _, s := range p.Switches {
			r.Off[s] = 0
		}
	}
	return t
}

// rows gives the passes by name.
func (t *PassTable) names() []string { return slices.Sorted(maps.Keys(t.Rows)) }

// Write prints a row per pass, and below it one per condition that refused rewrites
// and one per switch that was off.
func (t *PassTable) Write(w io.Writer) {
	fmt.Fprintf(w, "%-15s %9s %9s %9s\n", "pass", "runs", "programs", "rewrites")
	for _, name := range t.names() {
		r := t.Rows[name]
		fmt.Fprintf(w, "%-15s %9d %9d %9d\n", name, r.Runs, r.Programs, r.Rewrites)
		for _, c := range slices.Sorted(maps.Keys(r.Codes)) {
			fmt.Fprintf(w, "  refused [%s]%*s %9d\n", c, max(1, 29-len(c)), "", r.Codes[c])
		}
		for _, s := range slices.Sorted(maps.Keys(r.Off)) {
			fmt.Fprintf(w, "  switched off: %-20s %5s %d\n", s, "", r.Off[s])
		}
	}
}

// Write prints the memory that the runs held, and its distance from the plan bound.
func (s *Summary) writePeaks(w io.Writer) {
	fmt.Fprintf(w, "%-42s %9s %9s %9s %9s\n", "peak after the default pipeline", "runs", "lower", "equal", "higher")
	row := func(name string, t PeakTable) {
		fmt.Fprintf(w, "  %-40s %9d %9d %9d %9d\n", name, t.Runs, t.Lower, t.Runs-t.Lower-t.Higher, t.Higher)
	}
	row("by memory, measured", s.ByMemory)
	row("on OpenCL, measured, without temporaries", s.OwnOnDevice)
	row("on OpenCL, measured", s.OnDevice)
	b := s.Bound
	fmt.Fprintf(w, "%-42s %9s %9s %9s %9s\n", "peak as a multiple of the plan bound", "runs", "at it", "mean", "worst")
	fmt.Fprintf(w, "  %-40s %9d %9s %9.3f %9.3f\n", "before anything is optimised", b.Runs, "", b.Before.Mean(b.Runs), b.Before.Worst)
	fmt.Fprintf(w, "  %-40s %9d %9d %9.3f %9.3f\n", "after the default pipeline", b.Runs, b.Optimal, b.After.Mean(b.Runs), b.After.Worst)
	if b.Runs > 0 {
		fmt.Fprintf(w, "  (worst: seed %d; left out: %d runs with the bound 0, %d whose formulas need more than the sizes of inputs)\n", b.After.Seed, b.Zero, b.Unknown)
	}
}

// Mean returns the geometric mean over n values: one program whose sizes are far apart does
// not decide it.
func (r Ratio) Mean(n int) float64 { return math.Exp(r.Logs / float64(max(n, 1))) }

// Write prints the tables of a run.
func (s *Summary) Write(w io.Writer) {
	s.Coverage.Write(w)
	s.Passes.Write(w)
	s.writePeaks(w)
	if len(s.Slowest) > 0 {
		fmt.Fprint(w, "slowest:")
		for _, x := range s.Slowest {
			fmt.Fprintf(w, " seed %d %s s", x.Seed, x.Msg)
		}
		fmt.Fprintln(w)
	}
}

// Line tells the run in one line.
func (s *Summary) Line() string {
	compilers := ""
	for k, c := range slices.Sorted(maps.Keys(s.Compilers)) {
		compilers += fmt.Sprintf("%s%d by %s", []string{" (", ", "}[min(k, 1)], s.Compilers[c], c)
	}
	if compilers != "" {
		compilers += ")"
	}
	return fmt.Sprintf("%d programs, %d on OpenCL, %d compiled as C%s, %d in random pipelines, %d with shared blocks, %.1f s: %d inputs beyond the budget, %d unproven, %d limited, %d failed",
		s.Programs, s.OnOpenCL, s.InC, compilers, s.RandomPipelines, s.Shared, s.Time.Seconds(), s.Dropped, len(s.Unproven), len(s.Limited), len(s.Failures))
}

// Markdown writes the tables as Markdown.
func (s *Summary) Markdown(w io.Writer) {
	fmt.Fprintf(w, "%s\n\n", s.Line())
	fmt.Fprint(w, "| group | construct | programs | share | times |\n|---|---|--:|--:|--:|\n")
	for _, r := range s.Coverage.Rows() {
		fmt.Fprintf(w, "| %s | %s | %d | %.1f %% | %d |\n", r.Group, r.Name, r.Programs, 100*float64(r.Programs)/float64(max(s.Coverage.Programs, 1)), r.Times)
	}
	fmt.Fprint(w, "\n| pass | runs | programs with a rewrite | rewrites |\n|---|--:|--:|--:|\n")
	for _, name := range s.Passes.names() {
		r := s.Passes.Rows[name]
		fmt.Fprintf(w, "| %s | %d | %d | %d |\n", name, r.Runs, r.Programs, r.Rewrites)
	}
	fmt.Fprint(w, "\n| pass | condition | refusals |\n|---|---|--:|\n")
	for _, name := range s.Passes.names() {
		for _, c := range slices.Sorted(maps.Keys(s.Passes.Rows[name].Codes)) {
			fmt.Fprintf(w, "| %s | %s | %d |\n", name, c, s.Passes.Rows[name].Codes[c])
		}
	}
	fmt.Fprint(w, "\n| pass | switch | runs with it off |\n|---|---|--:|\n")
	for _, name := range s.Passes.names() {
		for _, c := range slices.Sorted(maps.Keys(s.Passes.Rows[name].Off)) {
			fmt.Fprintf(w, "| %s | %s | %d |\n", name, c, s.Passes.Rows[name].Off[c])
		}
	}
	fmt.Fprint(w, "\n| measured peak, after the default pipeline | runs | lower | equal | higher |\n|---|--:|--:|--:|--:|\n")
	for _, t := range []struct {
		name string
		PeakTable
	}{{"by memory", s.ByMemory}, {"on OpenCL, without temporaries", s.OwnOnDevice}, {"on OpenCL", s.OnDevice}} {
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d |\n", t.name, t.Runs, t.Lower, t.Runs-t.Lower-t.Higher, t.Higher)
	}
	b := s.Bound
	fmt.Fprint(w, "\n| peak as a multiple of the plan bound | runs | mean | worst |\n|---|--:|--:|--:|\n")
	fmt.Fprintf(w, "| before anything is optimised | %d | %.3f | %.3f |\n", b.Runs, b.Before.Mean(b.Runs), b.Before.Worst)
	fmt.Fprintf(w, "| after the default pipeline (%d at the bound) | %d | %.3f | %.3f |\n", b.Optimal, b.Runs, b.After.Mean(b.Runs), b.After.Worst)
}

// JSON writes all of it as one JSON object.
func (s *Summary) JSON(w io.Writer) error {
	type failure struct {
		Seed  int64  `json:"seed"`
		Stage string `json:"stage"`
		Msg   string `json:"message"`
	}
	failures := []failure{}
	for _, f := range s.Failures {
		failures = append(failures, failure{f.Seed, f.Failure.Stage, f.Failure.Error()})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	return e.Encode(map[string]any{
		"programs": s.Programs, "on_opencl": s.OnOpenCL, "compiled_as_c": s.InC, "compilers": s.Compilers, "random_pipelines": s.RandomPipelines,
		"shared": s.Shared, "seconds": s.Time.Seconds(), "jobs": s.Jobs, "statements": s.Coverage.Statements, "inputs": s.Coverage.Inputs, "inputs_beyond_budget": s.Dropped,
		"unproven": notes(s.Unproven), "limited": notes(s.Limited), "slowest": notes(s.Slowest), "failures": failures,
		"constructs": s.Coverage.Rows(), "passes": s.Passes.Rows,
		"peak_by_memory": s.ByMemory, "peak_on_opencl": s.OnDevice, "peak_on_opencl_without_temporaries": s.OwnOnDevice, "plan_bound": s.Bound,
	})
}

func notes(list []Note) []Note { return append([]Note{}, list...) }
