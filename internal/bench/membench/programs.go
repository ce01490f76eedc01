package membench

import (
	"fmt"
	"io"
	"math"
	"math/rand"
	"text/tabwriter"
	"time"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/memtrace"
	"github.com/memc-lang/memc/runtime/pool"
)

// A Program is what Run calls: an entry of a lowered program.
type Program struct {
	Name  string
	Low   *driver.Lowered
	Entry *ir.Func
}

// sizes holds, per program and name of a size or an i64 parameter, a value that
// makes a call take some milliseconds on two cores; 64 where none is given.
var sizes = map[string]map[string]int64{
	"canny":      {"h": 256, "w": 256},
	"kmeans":     {"n": 20000, "k": 16, "d": 4},
	"life":       {"h": 256, "w": 256, "steps": 10},
	"matmul":     {"n": 192, "k": 192, "m": 192},
	"nbody":      {"n": 512, "steps": 10},
	"radix-sort": {"n": 32768},
}

// arguments makes random arguments for the entry.
func (p *Program) arguments() []value.Value {
	rng := rand.New(rand.NewSource(1))
	size := func(name string) int64 {
		if n, ok := sizes[p.Name][name]; ok {
			return n
		}
		return 64
	}
	args := make([]value.Value, len(p.Entry.Params))
	for i, e := range p.Entry.Params {
		if e.Type.Kind != ir.ArrayKind {
			args[i] = value.Scalar(e.Type.Prim, scalarBits(e.Type.Prim, size(e.Name)))
			continue
		}
		shape := make([]int64, len(e.Type.Shape))
		for k, d := range e.Type.Shape {
			if shape[k] = d.Const; d.Name != "" {
				shape[k] = size(d.Name)
			}
		}
		v := value.New(e.Type.Prim, shape)
		for k := range v.Elems() {
			v.SetBits(k, randomBits(rng, e.Type.Prim))
		}
		args[i] = v
	}
	return args
}

func scalarBits(p ir.Prim, n int64) uint64 {
	switch p {
	case ir.F32:
		return uint64(math.Float32bits(0.01))
	case ir.F64:
		return math.Float64bits(0.01)
	case ir.Bool:
		return 1
	}
	return uint64(n)
}

func randomBits(rng *rand.Rand, p ir.Prim) uint64 {
	switch p {
	case ir.F32:
		return uint64(math.Float32bits(rng.Float32()))
	case ir.F64:
		return math.Float64bits(rng.Float64())
	case ir.Bool:
		return uint64(rng.Intn(2))
	}
	return rng.Uint64() >> (64 - 8*uint(p.Size()))
}

// A Run is what one program's calls took under one policy.
type Run struct {
	Program, Policy   string
	Median, Best      time.Duration // of a call
	Total             time.Duration // of all
	First, Later      int64         // driver's buffers in the first call, and in all later ones
	Asked, Held       int64         // peaks, over all calls
	AllocationsOfCall int64
}

// recorder keeps a trace in memory.
type recorder struct{ events []memtrace.Event }

func (r *recorder) Event(e memtrace.Event) { r.events = append(r.events, e) }
func (r *recorder) Close() error           { return nil }

// contestant is a program on a context of its own.
type contestant struct {
	run   Run
	ctx   *runtime.Context
	ready *exec.Prepared
	took  []float64
}

// Calls calls a program so often under every policy, the policies in turns. It
// also gives the trace of the first two calls.
func Calls(p Program, device string, times int) (runs []Run, trace Trace, err error) {
	args := p.arguments()
	var all []*contestant
	defer func() {
		for _, c := range all {
			if c.ready != nil {
				c.ready.Close()
			}
			c.ctx.Close()
		}
	}()
	for _, name := range pool.Policies {
		c := &contestant{run: Run{Program: p.Name, Policy: name}}
		if c.ctx, err = runtime.Open(device, runtime.Options{Allocator: name}); err != nil {
			return nil, trace, err
		}
		all = append(all, c)
		if c.ready, err = exec.Prepare(c.ctx, p.Low.Imp, p.Low.Kernels, exec.Options{}); err != nil {
			return nil, trace, err
		}
	}
	for i := range times {
		for _, c := range all {
			start := time.Now()
			if _, err := c.ready.Call(p.Entry.Name, args); err != nil {
				return nil, trace, fmt.Errorf("%s with allocator %s: %w", p.Name, c.run.Policy, err)
			}
			c.took = append(c.took, float64(time.Since(start)))
			s := c.ctx.Stats()
			if i == 0 {
				c.run.First, c.run.AllocationsOfCall = s.DriverAllocs, s.AllocRequests
			}
			c.run.Later = s.DriverAllocs - c.run.First
			c.run.Asked, c.run.Held = s.PeakBytes, s.PeakHeld
		}
	}
	for _, c := range all {
		for _, t := range c.took {
			c.run.Total += time.Duration(t)
		}
		c.run.Median, c.run.Best = time.Duration(median(c.took)), time.Duration(c.took[0]) // sorted by now
		runs = append(runs, c.run)
	}
	trace, err = traceOf(p, device, args)
	return runs, trace, err
}

// traceOf records two calls.
func traceOf(p Program, device string, args []value.Value) (Trace, error) {
	rec := &recorder{}
	ctx, err := runtime.Open(device, runtime.Options{Trace: rec})
	if err != nil {
		return Trace{}, err
	}
	defer ctx.Close()
	ready, err := exec.Prepare(ctx, p.Low.Imp, p.Low.Kernels, exec.Options{})
	if err != nil {
		return Trace{}, err
	}
	defer ready.Close()
	for range 2 {
		if _, err := ready.Call(p.Entry.Name, args); err != nil {
			return Trace{}, err
		}
	}
	return Trace{p.Name, rec.events}, nil
}

// WriteRuns writes the table of runs; the speed-up is that of the median
// over the first policy's.
func WriteRuns(w io.Writer, runs []Run) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "program\tallocator\tmedian call, us\tbest\tspeed-up\tall calls, ms\trequests\tdriver, 1st\tdriver, later\tpeak asked\tpeak held\theld/asked\t")
	base := map[string]time.Duration{}
	for _, r := range runs {
		if _, ok := base[r.Program]; !ok {
			base[r.Program] = r.Median
		}
		fmt.Fprintf(t, "%s\t%s\t%.0f\t%.0f\t%.2f\t%.0f\t%d\t%d\t%d\t%d\t%d\t%s\t\n", r.Program, r.Policy, float64(r.Median)/1e3, float64(r.Best)/1e3,
			float64(base[r.Program])/float64(r.Median), float64(r.Total)/1e6, r.AllocationsOfCall, r.First, r.Later, r.Asked, r.Held, memtrace.Ratio(r.Held, r.Asked))
	}
	return t.Flush()
}
