package bench

import (
	"fmt"
	"slices"
	"time"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// A Program is a program to measure.
type Program struct {
	Name  string // in reports: the path of its file
	File  *diag.File
	Entry string
	Sets  []Set
	Hand  string // the same as loops in C, for MeasureProcessors; "": nobody has written them
}

// A Set is a data set: a name, and how to make the arguments of an entry.
type Set struct {
	Name string
	Args func(f *ir.Func) ([]value.Value, error)
}

// Options of a measurement.
type Options struct {
	Device      string
	MemoryLimit int64
	Lower       imp.Options
	Configs     []Config
	Allocators  []string      // policies of runtime.Options for configurations that name none; none: the default
	Warmup      int           // runs that do not count, besides the one that is checked
	Runs        int           // runs that count
	MaxTime     time.Duration // no new round of runs after this long, but two at least; 0: no bound
	TotalTime   time.Duration // no new program and data set after this long; 0: no bound
	// Progress, where it is set, is told what is being done.
	Progress func(Progress)
}

// A Progress is where a measurement is: at a data set (Done of Total), a
// configuration (and allocator) and a run (0: compiling and the first run).
type Progress struct {
	Done, Total          int
	Program, Set, Config string
	Run, Runs            int
	Finished             bool // the data set is done
}

// An Outcome is what one measurement gave: an Error, or figures. The figures' tags are those
// of a report in JSON (json.go).
type Outcome struct {
	Program, Entry, Set, Config string   `json:"-"`
	Error                       string   `json:"-"`
	Runtimes                    []int64  `json:"runtimes"` // microseconds, in the order of the runs
	Device                      string   `json:"memc_device"`
	Passes                      []string `json:"memc_passes"`
	Allocator                   string   `json:"memc_allocator"`
	// Same is the way (Config and Allocator) that came to the same program, and
	// whose figures these are; "": they are its own.
	Same string `json:"memc_same_as,omitempty"`

	// Of one run, arguments included.
	PeakBytes    int64 `json:"-"`                     // in blocks, as asked for; jsonSet.Bytes
	PeakHeld     int64 `json:"memc_peak_held_bytes"`  // in buffers of the driver
	Lower        int64 `json:"memc_plan_bound_bytes"` // no sharing of its whole blocks could hold less, see Note [The plan bound of a run]
	Allocs       int64 `json:"memc_allocations"`
	DriverAllocs int64 `json:"memc_driver_allocations"`        // of the first run, when the allocator holds nothing yet
	SteadyAllocs int64 `json:"memc_driver_allocations_steady"` // of the last run
	CopiedBytes  int64 `json:"memc_copied_bytes"`
	Kernels      int64 `json:"memc_kernel_launches"`

	Static Static `json:"memc_static"` // counts in the program's text
}

// Static are the counts of a compiled program: allocations, copies that move
// data, kernels.
type Static struct {
	Alloc  int `json:"alloc"`
	Copy   int `json:"copy"`
	Kernel int `json:"kernel"`
}

// A Report is the outcomes of one call, in the order of programs, data sets and
// configurations.
type Report struct {
	Outcomes []Outcome
	LeftOut  []string // programs and data sets for which there was no time
}

// Failed counts the outcomes without figures.
func (r *Report) Failed() int {
	n := 0
	for _, o := range r.Outcomes {
		if o.Error != "" {
			n++
		}
	}
	return n
}

// Rises lists the measurements in which merging raises the peak: those of a
// pipeline of memc's own that merges above what the same program holds, on the same data set,
// under "none".
func (r *Report) Rises() []string {
	type key struct{ program, entry, set string }
	without := map[key]int64{}
	for _, o := range r.Outcomes {
		if o.Config == "none" && o.Error == "" {
			without[key{o.Program, o.Entry, o.Set}] = o.PeakBytes
		}
	}
	var rises []string
	for _, o := range r.Outcomes {
		if n, ok := without[key{o.Program, o.Entry, o.Set}]; ok && o.Error == "" && slices.Contains(DefaultConfigs, o.Config) && o.PeakBytes > n {
			rises = append(rises, fmt.Sprintf("%s, %s: %d bytes with %s, %d without merging", o.Program, o.Set, o.PeakBytes, o.Way(), n))
		}
	}
	return rises
}

// Run measures programs. A program that fails, under one configuration or all,
// leaves an outcome that says so; an error is only what stops the whole.
func Run(programs []Program, opt Options) (*Report, error) {
	ctx, err := runtime.Open(opt.Device, runtime.Options{})
	if err != nil {
		return nil, err
	}
	ctx.Close()
	r := &Report{}
	start, total, done := time.Now(), 0, 0
	for _, p := range programs {
		total += len(p.Sets)
	}
	for _, p := range programs {
		for _, s := range p.Sets {
			if opt.TotalTime > 0 && time.Since(start) > opt.TotalTime {
				r.LeftOut = append(r.LeftOut, p.Name+", "+s.Name)
				continue
			}
			m := &measurement{program: p, set: s, opt: opt, at: Progress{Done: done, Total: total, Program: p.Name, Set: s.Name, Runs: opt.Runs}}
			r.Outcomes = append(r.Outcomes, m.run()...)
			done++
			m.at.Done, m.at.Finished = done, true
			m.tell()
		}
	}
	return r, nil
}
