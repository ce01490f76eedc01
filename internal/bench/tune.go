package bench

import (
	"fmt"
	"io"
	"maps"
	"math"
	"time"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
)

// Tune chooses the thresholds of programs that are entries of one file, or data sets of one
// entry: it divides or multiplies one threshold after the other, as long as the times of all
// data sets together fall by more than gain. Every choice must give the same results.
func Tune(programs []Program, opt Options, told io.Writer) (imp.Tuning, error) {
	opt.Configs = []Config{{Name: "the first choice"}}
	t := &tuner{opt: opt, told: told, best: maps.Clone(opt.Lower.Tuning)}
	if t.best == nil {
		t.best = imp.Tuning{}
	}
	var err error
	if t.ctx, err = runtime.Open(opt.Device, runtime.Options{MemoryLimit: opt.MemoryLimit}); err != nil {
		return nil, err
	}
	defer t.ctx.Close()
	for _, p := range programs {
		if err := t.add(p); err != nil {
			return nil, err
		}
	}
	names, err := t.names()
	if err != nil {
		return nil, err
	}
	if t.took, err = t.measure(t.best); err != nil {
		return nil, err
	}
	fmt.Fprintf(told, "memc: %d thresholds, %v at first\n", len(names), t.took)
	for _, name := range names {
		if err := t.search(name); err != nil {
			return nil, err
		}
	}
	return t.best, nil
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

func (t *tuner) add(p Program) error {
	explicit, _, err := driver.Explicit(p.File, pipeline.DefaultPasses(), pipeline.Options{})
	if err != nil {
		return err
	}
	f := explicit.Func(p.Entry)
	if f == nil || !f.Entry {
		return fmt.Errorf("%s: no entry %q", p.Name, p.Entry)
	}
	for _, s := range p.Sets {
		job := &tuneJob{&measurement{program: p, set: s, opt: t.opt}, explicit}
		if err := job.arguments(f); err != nil {
			return err
		}
		t.jobs = append(t.jobs, job)
	}
	return nil
}

// names gives the thresholds that some program depends on, in the order of the table.
func (t *tuner) names() (names []string, err error) {
	used := map[string]bool{}
	for _, j := range t.jobs {
		how := t.opt.Lower
		how.Entry = j.measurement.program.Entry
		low, err := imp.Lower(ir.CloneProgram(j.program), how)
		if err != nil {
			return nil, err
		}
		for _, n := range low.Thresholds {
			used[n] = true
		}
	}
	for _, h := range imp.Thresholds {
		if used[h.Name] {
			names = append(names, h.Name)
		}
	}
	return names, nil
}

// search moves one threshold down, or else up, as long as that helps.
func (t *tuner) search(name string) error {
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
			better, err := t.try(name, next)
			if err != nil {
				return err
			}
			if !better {
				break
			}
			at, moved = next, true
		}
		if moved {
			break
		}
	}
	return nil
}

// try tells whether a value is better than what there is, and keeps it then. What looks
// better is measured once more, after what there is.
func (t *tuner) try(name string, v int64) (bool, error) {
	c := maps.Clone(t.best)
	c[name] = v
	faster := func(took time.Duration) bool { return float64(took) < float64(t.took)*(1-gain) }
	took, err := t.measure(c)
	if err == nil && faster(took) {
		if t.took, err = t.measure(t.best); err == nil {
			took, err = t.measure(c)
		}
	}
	if err != nil {
		return false, fmt.Errorf("%s %d: %w", name, v, err)
	}
	fmt.Fprintf(t.told, "memc: %s %d: %v, before %v\n", name, v, took, t.took)
	if !faster(took) {
		return false, nil
	}
	t.best, t.took = c, took
	return true, nil
}

// measure gives the sum of the least times of all jobs, which others on the machine disturb least.
func (t *tuner) measure(c imp.Tuning) (total time.Duration, err error) {
	for _, j := range t.jobs {
		took, err := t.least(j, c)
		if err != nil {
			return 0, err
		}
		total += took
	}
	return total, nil
}

func (t *tuner) least(j *tuneJob, c imp.Tuning) (time.Duration, error) {
	opt := t.opt.Lower
	opt.Tuning, opt.Entry = c, j.measurement.program.Entry
	low, err := driver.Lower(ir.CloneProgram(j.program), opt)
	if err != nil {
		return 0, err
	}
	var took time.Duration
	ready, err := exec.Prepare(t.ctx, low.Imp, low.Kernels, exec.Options{Ran: func(d time.Duration) { took = d }})
	if err != nil {
		return 0, err
	}
	defer ready.Close()
	got, err := ready.Call(j.measurement.program.Entry, j.args)
	if err != nil {
		return 0, err
	}
	if err := j.compare(got); err != nil {
		return 0, err
	}
	least := time.Duration(math.MaxInt64)
	for range t.opt.Runs {
		if _, err := ready.Call(j.measurement.program.Entry, j.args); err != nil {
			return 0, err
		}
		least = min(least, took)
	}
	return least, nil
}
