package difftest

import (
	"context"
	"fmt"
	"runtime"
	"sort"
	"sync"
	"time"

	"github.com/memc-lang/memc/internal/diag"
	"github.com/memc-lang/memc/internal/driver"
	"github.com/memc-lang/memc/internal/progen"
	memrt "github.com/memc-lang/memc/runtime"
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
	// Context ends the run when it is done.
	Context context.Context
	// Size is about how many statements a program has; 0: drawn from the seed.
	Size int
}

// A Summary is what a run came to.
type Summary struct {
	Programs, OnOpenCL, InC, RandomPipelines, Shared int

	Time     time.Duration
	Failures []Found // by seed
	Coverage *progen.Coverage
	Passes   PassTable
	Limited  []Note // programs refused as a known limitation
	Unproven []Note // programs with a finding that is not certain
}

// A Note is something about the program of a seed that is no failure.
type Note struct {
	Seed int64
	Msg  string
}

// Found is a failure of a generated program.
type Found struct {
	Seed    int64
	Subject *Subject
	Failure *Failure
	Options Options // by which it was checked, without a device
	OpenCL  bool
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
	f := &fuzzer{opt: opt, start: time.Now(), sum: Summary{Coverage: progen.NewCoverage()}}
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
	for _, notes := range [][]Note{f.sum.Limited, f.sum.Unproven} {
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
		s, shared := SubjectOf(seed, f.opt.Size), false
		if f.opt.Shared > 0 && k%f.opt.Shared == f.opt.Shared-1 {
			if x := Share(s, seed); x != nil {
				s, shared = x, true
			}
		}
		var o Options
		if f.opt.Pipelines > 0 && k%f.opt.Pipelines == f.opt.Pipelines-1 {
			o.Passes = RandomPipeline(seed)
		}
		if f.opt.EveryC > 0 && k%f.opt.EveryC == 0 {
			o.CC, o.Device = f.opt.CC, f.opt.Device
		}
		plain := o
		if device != nil && k%f.opt.Every == 0 {
			o.Context = device
		}
		out := Run(s, o)
		if p, list := driver.Check(diag.NewFile(s.Name, s.Text)); !list.Failed() {
			own.Add(p, s.Inputs)
		}
		f.done(Found{seed, s, out.Failure, plain, o.Context != nil, shared}, out)
	}
	f.mu.Lock()
	f.sum.Coverage.Merge(own)
	f.mu.Unlock()
}

func (f *fuzzer) done(x Found, out *Outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := &f.sum
	s.Programs++
	s.Passes.Merge(&out.Passes)
	switch {
	case x.Failure != nil:
		s.Failures = append(s.Failures, x)
	case out.Limited != "":
		s.Limited = append(s.Limited, Note{x.Seed, out.Limited})
	default:
		if x.OpenCL {
			s.OnOpenCL++
		}
		if x.Options.CC != "" {
			s.InC++
		}
		if x.Options.Passes != nil {
			s.RandomPipelines++
		}
		if x.Shared {
			s.Shared++
		}
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
