package difftest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/fuzz/progen"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// boundEvery and unoptimisedEvery give the shares of programs whose plan bound is
// found, and, of those on OpenCL, that run there unoptimised as well.
const (
	boundEvery       = 10
	unoptimisedEvery = 4
)

// each reports whether a seed is one of the n-th ones. What is done with a program
// depends on its seed only: `--seed X --n 1` does again what a long run did.
func each(seed int64, n int) bool { return n > 0 && seed%int64(n) == 0 }

// Found is a failure of a generated program.
type Found struct {
	Seed    int64
	Subject *Subject
	Failure *Failure
	Options Options // by which it was checked, without a device
	OpenCL  bool
	LikeGPU bool // there, work is divided as for a GPU
	Random  bool // it ran through a random pipeline
	Shared  bool // the program came in explicit form, with blocks shared
	ByHand  bool // or with places as a person may write them
}

// SubjectOf generates the program of a seed.
func SubjectOf(seed int64, opt progen.Options) *Subject {
	s, _ := subjectOf(seed, opt)
	return s
}

func subjectOf(seed int64, opt progen.Options) (s *Subject, more [][]value.Value) {
	p := progen.Generate(seed, opt)
	return &Subject{Name: fmt.Sprintf("seed-%d.ir", seed), Text: p.Text, Entry: "main", Inputs: p.Inputs}, p.More
}

// plan generates the program of a seed, and tells how it is checked.
func (opt *FuzzOptions) plan(seed int64) *Found {
	x := &Found{Seed: seed}
	o := Options{Passes: opt.Passes, Bound: each(seed, boundEvery)}
	x.Subject, o.More = subjectOf(seed, progen.Options{Statements: opt.Size, Without: opt.Without})
	if each(seed+1, opt.Shared) {
		if s := Share(x.Subject, seed); s != nil {
			x.Subject, x.Shared, o.Placed = s, true, true
		}
	}
	if each(seed+2, opt.ByHand) {
		if s := ByHand(x.Subject, seed); s != nil {
			x.Subject, x.ByHand, o.Placed = s, true, true
		}
	}
	if each(seed+3, opt.Twice) && o.Passes == nil {
		o.Passes = slices.Concat(pipeline.DefaultPasses(), pipeline.DefaultPasses())
	}
	if each(seed+1, opt.Pipelines) {
		o.Passes, x.Random = RandomPipeline(seed), true
	}
	if each(seed, opt.EveryC) {
		o.CC = drawn(opt.CC, seed)
		if len(opt.Devices) > 0 {
			o.Device = opt.Devices[0]
		}
	}
	if each(seed, opt.Every) {
		x.OpenCL, x.LikeGPU = true, each(seed/int64(opt.Every), 2)
		o.Unoptimised = o.Passes == nil && each(seed/int64(opt.Every), unoptimisedEvery)
	}
	x.Options = o
	return x
}

// A result is what came of the program of a seed, and what the program holds.
type result struct {
	Seed     int64
	Outcome  Outcome
	Coverage *progen.Coverage
	// In which ways it ran.
	OpenCL, Random, Shared, ByHand bool
	CC                             string // the C compiler and its flags; "": none
	// Last tells that the process has little memory left, which drivers keep of the
	// programs before: the next program gets another one.
	Last bool
}

// ran counts the outcomes of runs by value.
func (r *result) ran() {
	if r.Outcome.Wraps {
		r.Coverage.Count("arithmetic that wraps", 1)
	}
	if r.ByHand {
		r.Coverage.Count("places by hand", 1)
		r.Coverage.Count("places by hand that overlap or do not fit", r.Outcome.Wrong)
	}
	kinds := map[string]int{}
	for _, f := range r.Outcome.Faults {
		name := "other error"
		for prefix, kind := range map[string]string{"negative size": "negative size", "index": "index out of bounds", "slice": "slice out of bounds"} {
			if strings.HasPrefix(f, prefix) {
				name = kind
			}
		}
		kinds[name]++
	}
	for name, n := range kinds {
		r.Coverage.Count(name, n)
	}
}

// A local worker runs programs in this process.
type local struct {
	opt    *FuzzOptions
	device *runtime.Context // nil: no OpenCL
	meter  Meter
}

// newLocal opens the device, where one is asked for.
func newLocal(opt *FuzzOptions, device string) (*local, error) {
	w := &local{opt: opt}
	if opt.Every == 0 {
		return w, nil
	}
	var err error
	if w.device, err = runtime.Open(device, runtime.Options{Trace: &w.meter}); err != nil {
		return nil, err
	}
	return w, nil
}

func (w *local) close() {
	if w.device != nil {
		w.device.Close()
	}
}

func (w *local) check(seed int64) *result {
	x := w.opt.plan(seed)
	o := x.Options
	if x.OpenCL {
		w.device.LikeGPU(x.LikeGPU)
		o.Context, o.Meter = w.device, &w.meter
	}
	r := &result{Seed: seed, Outcome: *Run(x.Subject, o), Coverage: progen.NewCoverage(), OpenCL: x.OpenCL, CC: o.CC, Random: x.Random, Shared: x.Shared, ByHand: x.ByHand}
	if p, list := driver.Check(diag.NewFile(x.Subject.Name, x.Subject.Text)); !list.Failed() {
		r.Coverage.Add(p, x.Subject.Inputs)
		r.ran()
	}
	return r
}

// file checks a program that came as the text of a file.
func (w *local) file(q request) *result {
	s, err := Read(diag.NewFile(q.Name, q.Text))
	if err != nil {
		return &result{Outcome: Outcome{Failure: &Failure{Stage: StageSource, Input: -1, Msg: err.Error(), Text: q.Text}}}
	}
	return &result{Outcome: *Run(s, Options{Context: w.device, Passes: w.opt.Passes})}
}
