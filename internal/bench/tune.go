package bench

import (
	"fmt"
	"io"
	"maps"
	"math"
	"time"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/bench/try"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
)

// Tune chooses the thresholds of programs that are entries of one file, or data sets of one
// entry: it divides or multiplies one threshold after the other, as long as the times of all
// data sets together fall by more than gain. Every choice must give the same results.
func Tune(programs []Program, opt Options, told io.Writer) (best imp.Tuning, err error) {
	err = try.Run(func() { best = tune(programs, opt, told) })
	return best, err
}

func tune(programs []Program, opt Options, told io.Writer) imp.Tuning {
	opt.Configs = []Config{{Name: "the first choice"}}
	t := &tuner{opt: opt, told: told, best: maps.Clone(opt.Lower.Tuning)}
	if t.best == nil {
		t.best = imp.Tuning{}
	}
	t.ctx = try.Get(runtime.Open(opt.Device, runtime.Options{MemoryLimit: opt.MemoryLimit}))
	defer t.ctx.Close()
	for _, p := range programs {
		t.add(p)
	}
	names := t.names()
	t.took = t.measure(t.best)
	fmt.Fprintf(told, "memc: %d thresholds, %v at first\n", len(names), t.took)
	for _, name := range names {
		t.search(name)
	}
	return t.best
}

// gain is the share of the time by which a better choice must be faster. Any less may be
// chance.
const gain = 0.03

// A threshold is tried up to maxSteps steps from where it stands, of a factor each.
const maxSteps, factor = 3, 4

// A tuner holds what is measured, and the best so far.
type tuner struct {
	opt  Options
	told io.Writer
	ctx  *runtime.Context
	jobs []*tuneJob
	best imp.Tuning
	took time.Duration
}

// A tuneJob is an entry of a program on one data set.
type tuneJob struct {
	*measurement
	program *ir.Program // explicit
}

func (t *tuner) add(p Program) {
	explicit, _, err := driver.Explicit(p.File, pipeline.DefaultPasses(), pipeline.Options{})
	try.Do(err)
	f := explicit.Func(p.Entry)
	if f == nil || !f.Entry {
		try.Do(fmt.Errorf("%s: no entry %q", p.Name, p.Entry))
	}
	for _, s := range p.Sets {
		job := &tuneJob{&measurement{program: p, set: s, opt: t.opt}, explicit}
		try.Do(job.arguments(f))
		t.jobs = append(t.jobs, job)
	}
}

// names returns the thresholds that some program depends on, in the order of the table.
func (t *tuner) names() (names []string) {
	used := map[string]bool{}
	for _, j := range t.jobs {
		how := t.opt.Lower
		how.Entry = j.measurement.program.Entry
		low := try.Get(imp.Lower(ir.CloneProgram(j.program), how))
		for _, n := range low.Thresholds {
			used[n] = true
		}
	}
	for _, h := range imp.Thresholds {
		if used[h.Name] {
			names = append(names, h.Name)
		}
	}
	return names
}

// search moves one threshold down, or else up, as long as that helps.
func (t *tuner) search(name string) {
	h, _ := imp.ThresholdNamed(name)
	start, ok := t.best[name]
	if !ok {
		start = h.Default
	}
	for _, down := range []bool{true, false} {
		at, moved := start, false
		for range maxSteps {
			next := at * factor
			if down {
				next = at / factor
			}
			if next = min(max(next, h.Least), h.Most); next == at {
				break
			}
			if !t.better(name, next) {
				break
			}
			at, moved = next, true
		}
		if moved {
			break
		}
	}
}

// better reports whether a value is better than what there is, and keeps it then. What looks
// better is measured once more, after what there is.
func (t *tuner) better(name string, v int64) bool {
	c := maps.Clone(t.best)
	c[name] = v
	faster := func(took time.Duration) bool { return float64(took) < float64(t.took)*(1-gain) }
	var took time.Duration
	if err := try.Run(func() {
		if took = t.measure(c); faster(took) {
			t.took = t.measure(t.best)
			took = t.measure(c)
		}
	}); err != nil {
		try.Do(fmt.Errorf("%s %d: %w", name, v, err))
	}
	fmt.Fprintf(t.told, "memc: %s %d: %v, before %v\n", name, v, took, t.took)
	if !faster(took) {
		return false
	}
	t.best, t.took = c, took
	return true
}

// measure returns the sum of the least times of all jobs, which others on the machine disturb least.
func (t *tuner) measure(c imp.Tuning) (total time.Duration) {
	for _, j := range t.jobs {
		total += t.least(j, c)
	}
	return total
}

func (t *tuner) least(j *tuneJob, c imp.Tuning) time.Duration {
	opt := t.opt.Lower
	opt.Tuning, opt.Entry = c, j.measurement.program.Entry
	low := try.Get(driver.Lower(ir.CloneProgram(j.program), opt))
	var took time.Duration
	ready := try.Get(exec.Prepare(t.ctx, low.Imp, low.Kernels, exec.Options{Ran: func(d time.Duration) { took = d }}))
	defer ready.Close()
	try.Do(j.compare(try.Get(ready.Call(j.measurement.program.Entry, j.args))))
	least := time.Duration(math.MaxInt64)
	for range t.opt.Runs {
		try.Get(ready.Call(j.measurement.program.Entry, j.args))
		least = min(least, took)
	}
	return least
}
