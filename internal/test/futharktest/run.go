package futharktest

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/import/futhark"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/internal/test/filetest"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/metrics"
	memrt "github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/transform"
)

// Options of a run.
type Options struct {
	Passes []*transform.Pass // nil: the default pipeline
	Verify bool              // check memory after every pass
	Ctx    *memrt.Context    // nil: without OpenCL
	Values bool              // false: without the interpreters
}

// A Result is the outcome of a sample. Err is nil if all ran as expected.
type Result struct {
	Sample Sample
	Step   string // where it failed: import, check, passes, or how it ran
	Err    error
	Cases  int            // inputs with the expected results
	Counts metrics.Counts // of the program after the passes
	Blocks futhark.Blocks // that the dump itself allocates
	Placed bool           // all places of the dump were kept
	Peak   int64          // bytes, by memory, summed over the cases
}

// Refused reports whether the sample holds something that memc knows it does not
// support.
func (r Result) Refused() bool {
	return r.Err != nil && diag.ExitCode(r.Err) == diag.ExitLimitation
}

// Run imports a sample, checks it, brings it through the passes, and runs all
// its cases by value, by memory and on OpenCL.
func Run(s Sample, opt Options) (r Result) {
	r.Sample, r.Step = s, "import"
	defer func() {
		if p := recover(); p != nil {
			r.Err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	data, err := os.ReadFile(s.Path)
	if err != nil {
		r.Err = err
		return r
	}
	file := diag.NewFile(s.Path, string(data))
	source, list := driver.Import(file)
	if r.Err = list.Err(); r.Err != nil {
		return r
	}
	r.Blocks, _ = futhark.Allocs(file)
	r.Placed = !slices.ContainsFunc(list.All, func(d *diag.Diagnostic) bool { return strings.Contains(d.Msg, "are not kept") })
	r.Step = "passes"
	passes := opt.Passes
	if passes == nil {
		passes = pipeline.DefaultPasses()
	}
	explicit := ir.CloneProgram(source)
	if _, r.Err = pipeline.Run(explicit, passes, pipeline.Options{Verify: opt.Verify, Memcheck: opt.Verify}); r.Err != nil {
		return r
	}
	r.Counts = metrics.Count(explicit)
	ways := []way{}
	if opt.Values {
		ways = append(ways,
			way{"by value", func(e string, a []value.Value) ([]value.Value, error) {
				return interp.ByValue(source, e, a, interp.Options{})
			}},
			way{"by memory", func(e string, a []value.Value) ([]value.Value, error) {
				var st interp.Stats
				out, err := interp.ByMemory(explicit, e, a, interp.Options{Stats: &st})
				r.Peak += st.PeakBytes
				return out, err
			}})
	}
	if opt.Ctx != nil {
		r.Step = "lowering"
		low, err := driver.Lower(explicit, imp.Options{})
		if r.Err = err; err != nil {
			return r
		}
		prepared, err := exec.Prepare(opt.Ctx, low.Imp, low.Kernels, exec.Options{})
		if r.Err = err; err != nil {
			return r
		}
		defer prepared.Close()
		ways = append(ways, way{"on OpenCL", prepared.Call})
	}
	for _, c := range s.Cases {
		for _, w := range ways {
			r.Step = w.how
			if r.Err = one(source, c, w); r.Err != nil {
				return r
			}
		}
		r.Cases++
	}
	return r
}

type way struct {
	how string
	run func(entry string, args []value.Value) ([]value.Value, error)
}

func one(p *ir.Program, c Case, w way) error {
	f := p.EntryNamed(c.Entry)
	if f == nil {
		return fmt.Errorf("no entry `%s`", c.Entry)
	}
	in, err := os.ReadFile(c.In)
	if err != nil {
		return err
	}
	args, err := filetest.ReadValues(c.In, string(in), f)
	if err != nil {
		return err
	}
	got, err := w.run(f.Name, args)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Entry, err)
	}
	var shown []value.Value
	var at []int
	for i, v := range got {
		if !f.SizeResult(i) {
			shown, at = append(shown, v), append(at, i)
		}
	}
	out, err := os.ReadFile(c.Out)
	if err != nil {
		return err
	}
	want, err := filetest.ReadResults(c.Out, string(out), f, at)
	if err != nil {
		return err
	}
	var all []error
	for i := range want {
		if d := value.Diff(want[i], shown[i], value.DefaultTolerance); d != "" {
			all = append(all, fmt.Errorf("%s: result %d: %s", c.Entry, i+1, d))
		}
	}
	return errors.Join(all...)
}
