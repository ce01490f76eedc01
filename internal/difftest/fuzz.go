package difftest

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/internal/driver"
	"github.com/memc-lang/memc/internal/progen"
	memrt "github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/transform"
)

// FuzzOptions steer a run over many seeds.
type FuzzOptions struct {
	Seed  int64         // the first one
	N     int           // how many programs; 0: no bound
	Time  time.Duration // for how long; 0: no bound
	Every int           // every Every-th program runs on OpenCL as well; 0: none
	// EveryC: every EveryC-th program is compiled as C besides; 0: none. CC is the
	// compiler.
	EveryC int
	CC     string
	// Pipelines: every Pipelines-th program runs through a random pipeline instead
	// of the default one; 0: none.
	Pipelines int
	// Passes are run in place of the default pipeline; nil: the default one.
	Passes []*transform.Pass
	// Shared: every Shared-th program is given in explicit form, with blocks shared
	// in legal ways, where there are such; 0: none.
	Shared int
	// Device selects the OpenCL device.
	Device string
	Jobs   int // 0: as many as there are processors
	// MaxFailures ends the run early; 0: no bound.
	MaxFailures int
	// Progress is called now and then, one call at a time.
	Progress func(s *Summary)
	// Failed is told every failure at once, one call at a time.
	Failed func(f *Found)
	// Context ends the run when it is done.
	Context context.Context
	// Size is about how many statements a program has; 0: drawn from the seed.
	Size int
}

// A Summary is what a run came to.
type Summary struct {
	Programs, OnOpenCL, InC, RandomPipelines, Shared int

	Time     time.Duration
	Jobs     int
	Failures []Found // by seed
	Coverage *progen.Coverage
	Passes   PassTable
	ByMemory PeakTable
	OnDevice PeakTable
	Bound    BoundTable
	Limited  []Note // programs refused as a known limitation
	Unproven []Note // programs with a finding that is not certain
	Raised   []Note // programs whose peak the default pipeline raised
	Slowest  []Note // the programs that took longest, with their seconds
	times    []time.Duration
}

// A Note is something about the program of a seed that is no failure.
type Note struct {
	Seed int64  `json:"seed"`
	Msg  string `json:"message"`
}

// boundEvery and unoptimisedEvery give the shares of programs whose lower bound is
// found, and, of those on OpenCL, that run there unoptimised as well.
const (
	boundEvery       = 10
	unoptimisedEvery = 4
)

// slowest is how many of the slowest programs are named.
const slowest = 5

// each tells whether a seed is one of the n-th ones. What is done with a program
// depends on its seed only: `--seed X --n 1` does again what a long run did.
func each(seed int64, n int) bool { return n > 0 && seed%int64(n) == 0 }

// Found is a failure of a generated program.
type Found struct {
	Seed    int64
	Subject *Subject
	Failure *Failure
	Options Options // by which it was checked, without a device
	OpenCL  bool
	Random  bool // it ran through a random pipeline
	Shared  bool // the program came in explicit form, with blocks shared
}

// SubjectOf generates the program of a seed.
func SubjectOf(seed int64, size int) *Subject {
	p := progen.Generate(seed, progen.Options{Statements: size})
	return &Subject{Name: fmt.Sprintf("seed-%d.ir", seed), Text: p.Text, Entry: "main", Inputs: p.Inputs}
}

// Fuzz generates programs and checks them, in parallel. The order in which they
// run does not matter: a seed is always the same program.
func Fuzz(opt FuzzOptions) (*Summary, error) {
	if opt.Jobs <= 0 {
		opt.Jobs = runtime.NumCPU()
	}
	ctx := opt.Context
	if ctx == nil {
		ctx = context.Background()
	}
	if opt.Time > 0 {
		c, cancel := context.WithTimeout(ctx, opt.Time)
		defer cancel()
		ctx = c
	}
	f := &fuzzer{opt: opt, start: time.Now(), sum: Summary{Coverage: progen.NewCoverage(), Passes: newPassTable(), Jobs: opt.Jobs}}
	var wg sync.WaitGroup
	for range opt.Jobs {
		var device *memrt.Context
		if opt.Every > 0 {
			d, err := memrt.Open(opt.Device, memrt.Options{})
			if err != nil {
				wg.Wait()
				return nil, err
			}
			device = d
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			if device != nil {
				defer device.Close()
			}
			f.work(ctx, device)
		}()
	}
	wg.Wait()
	f.sum.Time = time.Since(f.start)
	sort.Slice(f.sum.Failures, func(i, j int) bool { return f.sum.Failures[i].Seed < f.sum.Failures[j].Seed })
	for _, notes := range [][]Note{f.sum.Limited, f.sum.Unproven, f.sum.Raised} {
		sort.SliceStable(notes, func(i, j int) bool { return notes[i].Seed < notes[j].Seed })
	}
	return &f.sum, nil
}

type fuzzer struct {
	opt   FuzzOptions
	start time.Time
	mu    sync.Mutex
	next  int
	told  time.Time
	sum   Summary
}

func (f *fuzzer) work(ctx context.Context, device *memrt.Context) {
	own := progen.NewCoverage()
	for {
		f.mu.Lock()
		k := f.next
		f.next++
		over := f.opt.N > 0 && k >= f.opt.N || f.opt.MaxFailures > 0 && len(f.sum.Failures) >= f.opt.MaxFailures
		f.mu.Unlock()
		if over || ctx.Err() != nil {
			break
		}
		seed := f.opt.Seed + int64(k)
		start := time.Now()
		s, shared, random := SubjectOf(seed, f.opt.Size), false, false
		if each(seed+1, f.opt.Shared) {
			if x := Share(s, seed); x != nil {
				s, shared = x, true
			}
		}
		o := Options{Passes: f.opt.Passes, Bound: each(seed, boundEvery)}
		if each(seed+1, f.opt.Pipelines) {
			o.Passes, random = RandomPipeline(seed), true
		}
		if each(seed, f.opt.EveryC) {
			o.CC, o.Device = f.opt.CC, f.opt.Device
		}
		plain := o
		if device != nil && each(seed, f.opt.Every) {
			o.Context = device
			o.Unoptimised = o.Passes == nil && each(seed/int64(f.opt.Every), unoptimisedEvery)
			plain.Unoptimised = o.Unoptimised
		}
		out := Run(s, o)
		if p, list := driver.Check(diag.NewFile(s.Name, s.Text)); !list.Failed() {
			own.Add(p, s.Inputs)
		}
		f.done(Found{seed, s, out.Failure, plain, o.Context != nil, random, shared}, out, time.Since(start))
	}
	f.mu.Lock()
	f.sum.Coverage.Merge(own)
	f.mu.Unlock()
}

func (f *fuzzer) done(x Found, out *Outcome, took time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := &f.sum
	s.Programs++
	s.Passes.Merge(&out.Passes)
	s.ByMemory.merge(out.ByMemory)
	s.OnDevice.merge(out.OnDevice)
	s.Bound.merge(out.Bound, x.Seed)
	s.slow(x.Seed, took)
	switch {
	case x.Failure != nil:
		s.Failures = append(s.Failures, x)
		if f.opt.Failed != nil {
			f.opt.Failed(&x)
		}
	case out.Limited != "":
		s.Limited = append(s.Limited, Note{x.Seed, out.Limited})
	default:
		if x.OpenCL {
			s.OnOpenCL++
		}
		if x.Options.CC != "" {
			s.InC++
		}
		if x.Random {
			s.RandomPipelines++
		}
		if x.Shared {
			s.Shared++
		}
	}
	if out.Raised != "" {
		s.Raised = append(s.Raised, Note{x.Seed, out.Raised})
	}
	if len(out.Unproven) > 0 {
		s.Unproven = append(s.Unproven, Note{x.Seed, "after pass " + out.Unproven[0].Pass + ": " + out.Unproven[0].Msg})
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
