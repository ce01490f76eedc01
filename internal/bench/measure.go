package bench

import (
	"fmt"
	"strings"
	"time"

	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// A measurement is one program on one data set under all configurations.
type measurement struct {
	program Program
	set     Set
	opt     Options
	at      Progress

	args []value.Value
	want []value.Value // the first configuration's results
}

// A contestant is the program as one configuration compiles it, ready to run.
type contestant struct {
	out      Outcome
	ctx      *runtime.Context
	hold     bool
	prepared *exec.Prepared
	took     time.Duration // of the last run
	program  string        // its text after the passes
	twin     *contestant   // the same program under another name, which runs for both
}

func (c *contestant) close() {
	if c.prepared != nil {
		c.prepared.Close()
	}
	if c.ctx != nil {
		c.ctx.Close()
	}
}

func (m *measurement) tell() {
	if m.opt.Progress != nil {
		m.opt.Progress(m.at)
	}
}

// run returns an outcome per configuration.
func (m *measurement) run() []Outcome {
	var all, ready []*contestant
	for _, cfg := range m.opt.Configs {
		for _, allocator := range m.opt.allocators(cfg) {
			c := &contestant{hold: cfg.Hold, out: Outcome{
				Program: m.program.Name, Entry: m.program.Entry, Set: m.set.Name,
				Config: cfg.Name, Passes: cfg.Passes, Allocator: allocator,
			}}
			m.at.Config, m.at.Run = c.out.Way(), 0
			m.tell()
			defer c.close()
			all = append(all, c)
			switch err := m.first(c, ready); {
			case err != nil:
				c.out.Error = message(err)
			case c.twin == nil:
				ready = append(ready, c)
			}
		}
	}
	start := time.Now()
	for i := range m.opt.Warmup + m.opt.Runs {
		if i >= m.opt.Warmup+2 && m.opt.MaxTime > 0 && time.Since(start) > m.opt.MaxTime {
			break
		}
		for _, c := range ready {
			if c.out.Error != "" {
				continue
			}
			m.at.Config, m.at.Run = c.out.Way(), max(0, i-m.opt.Warmup+1)
			m.tell()
			if err := m.once(c, i >= m.opt.Warmup); err != nil {
				c.out.Error = message(err)
			}
		}
	}
	outs := make([]Outcome, len(all))
	for i, c := range all {
		outs[i] = c.out
		if c.twin != nil {
			outs[i] = c.twin.out
			outs[i].Config, outs[i].Passes, outs[i].Same = c.out.Config, c.out.Passes, c.twin.out.Way()
		}
	}
	return outs
}

// allocators returns the policies to run a configuration with.
func (o *Options) allocators(cfg Config) []string {
	if cfg.Allocator != "" {
		return []string{cfg.Allocator}
	}
	if len(o.Allocators) == 0 {
		return []string{runtime.DefaultAllocator}
	}
	return o.Allocators
}

// first compiles the program, runs it once, and holds the results against those
// of the configuration that came first. A program that one of others is already
// does not run: only chance could tell the two apart.
func (m *measurement) first(c *contestant, others []*contestant) error {
	list, err := pipeline.Parse(strings.Join(c.out.Passes, ","))
	if err != nil {
		return err
	}
	p, report, err := driver.Explicit(m.program.File, list, pipeline.Options{Verify: true})
	if err != nil {
		return err
	}
	c.out.Static = Static{report.After.Alloc, report.After.Copy, report.After.Kernel}
	c.program = p.String()
	for _, o := range others {
		if o.out.Allocator == c.out.Allocator && o.hold == c.hold && o.program == c.program {
			c.twin = o
			return nil
		}
	}
	f := p.Func(m.program.Entry)
	if f == nil || !f.Entry {
		return fmt.Errorf("no entry %q", m.program.Entry)
	}
	if err := m.arguments(f); err != nil {
		return err
	}
	how := m.opt.Lower
	how.Entry = m.program.Entry
	low, err := driver.Lower(p, how)
	if err != nil {
		return err
	}
	if c.hold {
		hold(low.Imp)
	}
	if c.ctx, err = runtime.Open(m.opt.Device, runtime.Options{MemoryLimit: m.opt.MemoryLimit, Allocator: c.out.Allocator}); err != nil {
		return err
	}
	c.out.Device = c.ctx.Device().Name
	c.prepared, err = exec.Prepare(c.ctx, low.Imp, low.Kernels, exec.Options{Ran: func(d time.Duration) { c.took = d }})
	if err != nil {
		return err
	}
	c.ctx.ResetStats()
	w := newWatcher(keepsRest(p, m.program.Entry, c.prepared))
	c.prepared.Watch(w.step)
	got, err := c.prepared.Call(m.program.Entry, m.args)
	c.prepared.Watch(nil)
	if err != nil {
		return err
	}
	st := c.ctx.Stats()
	c.out.Lower = w.lowerBound(p, m.program.Entry, c.prepared)
	c.out.PeakBytes, c.out.PeakHeld, c.out.Allocs, c.out.DriverAllocs = st.PeakBytes, st.PeakHeld, st.AllocRequests, st.DriverAllocs
	c.out.CopiedBytes, c.out.Kernels = st.CopiedBytes, st.KernelLaunches
	return m.compare(got)
}

// arguments makes the arguments, once for all configurations.
func (m *measurement) arguments(f *ir.Func) (err error) {
	if m.args == nil {
		m.args, err = m.set.Args(f)
	}
	return err
}

// compare holds results against those of the configuration that came first.
func (m *measurement) compare(got []value.Value) error {
	if m.want == nil {
		m.want = got
		return nil
	}
	if len(got) != len(m.want) {
		return fmt.Errorf("%d results, but %d under %s", len(got), len(m.want), m.opt.Configs[0].Name)
	}
	for i := range got {
		if d := value.Diff(m.want[i], got[i], value.DefaultTolerance); d != "" {
			return fmt.Errorf("result %d differs from that under %s: %s", i+1, m.opt.Configs[0].Name, d)
		}
	}
	return nil
}

// once runs a contestant; counts tells whether the time is kept.
func (m *measurement) once(c *contestant, counts bool) error {
	c.ctx.ResetStats()
	if _, err := c.prepared.Call(m.program.Entry, m.args); err != nil {
		return err
	}
	c.out.SteadyAllocs = c.ctx.Stats().DriverAllocs
	if counts {
		c.out.Runtimes = append(c.out.Runtimes, c.took.Microseconds())
	}
	return nil
}

// message is an error in one line, as the reports hold it.
func message(err error) string {
	if l, ok := err.(*diag.List); ok && len(l.All) > 0 {
		return l.All[0].Error()
	}
	return err.Error()
}
