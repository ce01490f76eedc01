package driver

import (
	"time"

	"github.com/memc-lang/memc/analysis/arena"
	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/oracle/interp"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/memtrace"
)

// Names of the interpreters as devices.
const (
	Interp       = "interp"        // by value
	InterpMemory = "interp-memory" // by memory, every access checked
)

// RunOptions tells where and how to run.
type RunOptions struct {
	Device      string // "": the first OpenCL device, or where there is none Processors, or Interp
	Lower       imp.Options
	MemoryLimit int64  // bytes of memory on the device; 0: what the device has, or an interpreter may hold by default
	Evict       bool   // what has no room on the device moves to the host (runtime.Options)
	Allocator   string // how blocks are placed, see runtime.Options; "": its default
	Threads     int    // of Processors; 0: as many as the environment says
	Times       string // of Processors: run once more, and write the microseconds of that to this file
	Trace       memtrace.Sink
	// Profile is told after each launch and copy how long it took (exec.Options).
	Profile func(exec.Timing)
	// Note is told what the user should know besides the results.
	Note func(msg string)
	// Step is told what is about to be done, where that may take long.
	Step func(step string)
}

// Run runs an entry of an explicit program.
func Run(p *ir.Program, entry string, args []value.Value, opt RunOptions) ([]value.Value, runtime.Stats, error) {
	m, err := Open(opt)
	if err != nil {
		return nil, runtime.Stats{}, err
	}
	defer m.Close()
	l := m.Load(p, opt.Lower)
	defer l.Close()
	out, st, err := l.call(entry, Values(args), false)
	if err != nil {
		return nil, st, err
	}
	results := make([]value.Value, len(out))
	for i, a := range out {
		results[i] = a.Value
	}
	return results, st, nil
}

// context returns the options of the context.
func (opt *RunOptions) context() runtime.Options {
	return runtime.Options{MemoryLimit: opt.MemoryLimit, Evict: opt.Evict, Allocator: opt.Allocator, Trace: opt.Trace, Profile: opt.Profile != nil}
}

func interpret(p *ir.Program, entry string, args []value.Value, how string, limit int64) ([]value.Value, runtime.Stats, error) {
	start := time.Now()
	var st interp.Stats
	run, opt := interp.ByValue, interp.Options{Stats: &st, MaxBytes: limit}
	if how == InterpMemory {
		run, opt.Barriers = interp.ByMemory, arena.New(p).Barriers()
	}
	results, err := run(p, entry, args, opt)
	return results, runtime.Stats{
		Device: how, PeakBytes: st.PeakBytes, AllocRequests: st.Allocs, CopiedBytes: st.CopiedBytes,
		WallUS: time.Since(start).Microseconds(),
	}, err
}
