package difftest

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/memc-lang/memc/internal/fuzz/progen"
	"github.com/memc-lang/memc/transform"
)

// FuzzOptions steer a run over many seeds.
type FuzzOptions struct {
	Seed  int64         // the first one
	N     int           // how many programs; 0: no bound, -1: none
	Time  time.Duration // for how long; 0: no bound
	Every int           // every Every-th program runs on OpenCL as well; 0: none
	// EveryC: every EveryC-th program is compiled as C besides; 0: none. CC are the compilers, of
	// which the seed draws one, and its flags.
	EveryC int
	CC     []string
	// Pipelines: every Pipelines-th program runs through a random pipeline instead
	// of the default one; 0: none.
	Pipelines int
	// Twice: every Twice-th program runs through the default pipeline twice; 0: none.
	Twice int
	// Passes are run in place of the default pipeline; nil: the default one.
	Passes []*transform.Pass
	// Shared: every Shared-th program is given in explicit form, with blocks shared
	// in legal ways, where there are such; 0: none.
	Shared int
	// ByHand: every ByHand-th program has places as a person may write them; 0: none.
	ByHand int
	// Devices select OpenCL devices, which workers take in turns; none: the default one.
	Devices []string
	Jobs    int // how many workers; 0: as many as there are processors
	// Worker returns the command of a process that calls Serve, one per worker. If a driver aborts,
	// it then takes one program with it, not the run; and drivers that compile one kernel at a time
	// per process do not delay each other. nil: workers are goroutines of this process.
	Worker func() *exec.Cmd
	// MaxFailures ends the run early; 0: no bound.
	MaxFailures int
	// Progress is called now and then, one call at a time.
	Progress func(s *Summary)
	// Failed is told every failure at once, one call at a time.
	Failed func(f *Found)
	// Context ends the run when it is done, and at once: processes that run programs are
	// killed, and what they were at does not count.
	Context context.Context
	// Size is about how many statements a program has; 0: drawn from the seed.
	Size int
	// Without names progen.Traits that no program may have.
	Without []string
}

// A Summary is the outcome of a run.
type Summary struct {
	Programs, OnOpenCL, InC, RandomPipelines, Shared int
	Compilers                                        map[string]int // how many programs were compiled as C by which
	Dropped                                          int            // inputs that need more than the interpreters' budget

	Time     time.Duration
	Jobs     int
	Failures []Found // by seed
	Coverage *progen.Coverage
	Passes   PassTable
	ByMemory PeakTable
	OnDevice PeakTable
	// OwnOnDevice leaves out temporaries.
	OwnOnDevice PeakTable
	Bound       BoundTable
	Limited     []Note // programs refused as a known limitation
	Unproven    []Note // programs with a finding that is not certain
	Slowest     []Note // the programs that took longest, with their seconds
	times       []time.Duration
}

// A Note is something about the program of a seed that is no failure.
type Note struct {
	Seed int64  `json:"seed"`
	Msg  string `json:"message"`
}

// slowest is how many of the slowest programs are named.
const slowest = 5

// Fuzz generates programs and checks them, in parallel. The order in which they
// run does not matter: a seed is always the same program.
func Fuzz(opt FuzzOptions) (*Summary, error) {
	if opt.Jobs <= 0 {
		opt.Jobs = runtime.NumCPU()
	}
	if opt.Context == nil {
		opt.Context = context.Background()
	}
	ctx := opt.Context
	if opt.Time > 0 {
		c, cancel := context.WithTimeout(ctx, opt.Time)
		defer cancel()
		ctx = c
	}
	f := &fuzzer{opt: opt, start: time.Now(), sum: Summary{Coverage: progen.NewCoverage(), Passes: newPassTable(), Jobs: opt.Jobs, Compilers: map[string]int{}}}
	workers, err := f.opt.workers()
	defer func() {
		for _, w := range workers {
			w.close()
		}
	}()
	if err != nil && opt.Context.Err() == nil {
		return nil, err
	}
	var wg sync.WaitGroup
	for _, w := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f.work(ctx, w)
		}()
	}
	wg.Wait()
	f.sum.Time = time.Since(f.start)
	sort.Slice(f.sum.Failures, func(i, j int) bool { return f.sum.Failures[i].Seed < f.sum.Failures[j].Seed })
	for _, notes := range [][]Note{f.sum.Limited, f.sum.Unproven} {
		sort.SliceStable(notes, func(i, j int) bool { return notes[i].Seed < notes[j].Seed })
	}
	return &f.sum, nil
}

// A worker checks one program at a time.
type worker interface {
	check(seed int64) *result // nil: the run was stopped
	close()
}

// workers starts them, at the same time: opening a device takes a while.
func (opt *FuzzOptions) workers() ([]worker, error) {
	all, errs := make([]worker, opt.Jobs), make([]error, opt.Jobs)
	var wg sync.WaitGroup
	for k := range all {
		device := ""
		if len(opt.Devices) > 0 {
			device = opt.Devices[k%len(opt.Devices)]
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			var w worker
			if opt.Worker != nil {
				w, errs[k] = startProcess(opt, device)
			} else {
				w, errs[k] = newLocal(opt, device)
			}
			if errs[k] == nil {
				all[k] = w
			}
		}()
	}
	wg.Wait()
	all = slices.DeleteFunc(all, func(w worker) bool { return w == nil })
	for _, err := range errs {
		if err != nil {
			return all, err // the others say the same
		}
	}
	return all, nil
}

type fuzzer struct {
	opt   FuzzOptions
	start time.Time
	mu    sync.Mutex
	next  int
	told  time.Time
	sum   Summary
}

func (f *fuzzer) work(ctx context.Context, w worker) {
	for {
		f.mu.Lock()
		k := f.next
		f.next++
		over := f.opt.N != 0 && k >= f.opt.N || f.opt.MaxFailures > 0 && len(f.sum.Failures) >= f.opt.MaxFailures
		f.mu.Unlock()
		if over || ctx.Err() != nil {
			return
		}
		start := time.Now()
		if r := w.check(f.opt.Seed + int64(k)); r != nil {
			f.done(r, time.Since(start))
		}
	}
}

func (f *fuzzer) done(r *result, took time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, out := &f.sum, &r.Outcome
	s.Programs++
	s.Dropped += out.Dropped
	s.Coverage.Merge(r.Coverage)
	s.Passes.Merge(&out.Passes)
	s.ByMemory.merge(out.ByMemory)
	s.OnDevice.merge(out.OnDevice)
	s.OwnOnDevice.merge(out.OwnOnDevice)
	s.Bound.merge(out.Bound, r.Seed)
	s.slow(r.Seed, took)
	switch {
	case out.Failure != nil:
		x := f.opt.plan(r.Seed)
		if x.Failure = out.Failure; len(out.Unproven) > 0 { // one of these inputs may have shown it
			x.Subject.Inputs = append(x.Subject.Inputs, x.Options.More...)
		}
		s.Failures = append(s.Failures, *x)
		if f.opt.Failed != nil {
			f.opt.Failed(x)
		}
	case out.Limited != "":
		s.Limited = append(s.Limited, Note{r.Seed, out.Limited})
	default:
		count := func(n *int, is bool) {
			if is {
				*n++
			}
		}
		count(&s.OnOpenCL, r.OpenCL)
		if count(&s.InC, r.CC != ""); r.CC != "" {
			s.Compilers[r.CC]++
		}
		count(&s.RandomPipelines, r.Random)
		count(&s.Shared, r.Shared)
	}
	if len(out.Unproven) > 0 {
		s.Unproven = append(s.Unproven, Note{r.Seed, "after pass " + out.Unproven[0].Pass + ": " + out.Unproven[0].Msg})
	}
	if f.opt.Progress != nil && time.Since(f.told) > time.Second/2 {
		f.told = time.Now()
		f.sum.Time = time.Since(f.start)
		f.opt.Progress(&f.sum)
	}
}

// slow keeps the programs that took longest.
func (s *Summary) slow(seed int64, took time.Duration) {
	k := sort.Search(len(s.times), func(k int) bool { return s.times[k] < took })
	if k == slowest {
		return
	}
	s.times = slices.Insert(s.times, k, took)
	s.Slowest = slices.Insert(s.Slowest, k, Note{seed, fmt.Sprintf("%.1f", took.Seconds())})
	s.times, s.Slowest = s.times[:min(len(s.times), slowest)], s.Slowest[:min(len(s.Slowest), slowest)]
}
