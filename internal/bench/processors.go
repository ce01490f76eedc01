package bench

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/bench/try"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/run/cc"
	memexec "github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/transform"
)

// Note [Measuring processors]
//
// A program runs on an OpenCL device, as C on one and on several threads, and as hand-written loops
// if there are any. They take turns, one run at a time, so that other load on the machine affects
// all alike. A time is that of the best run, since every disturbance makes a run longer; the last
// column is how much longer the worst run took. All are checked against the same results.

// ProcessorOptions tell how to measure.
type ProcessorOptions struct {
	Device  string // of OpenCL; "none": without
	Threads int    // of the second column
	Runs    int
}

// A processorWay is one way to run a program: it gives the time of a run, and, the first time,
// the results.
type processorWay struct {
	name  string
	run   func() (us int64, results []value.Value, err error)
	times []int64
	peak  int64 // bytes, as C
}

// MeasureProcessors measures programs and writes a table.
func MeasureProcessors(w io.Writer, programs []Program, opt ProcessorOptions) error {
	one, many := "C, 1 thread", fmt.Sprintf("C, %d threads", opt.Threads)
	t := Table{Head: []string{"program", "data", "OpenCL", one, many, "OpenCL / C", "1 / " + strconv.Itoa(opt.Threads), "by hand, 1", "C / by hand",
		"unmerged / C", "peak", "of unmerged", "spread"}}
	for _, p := range programs {
		for _, set := range p.Sets {
			var row []string
			if err := try.Run(func() { row = measureProcessors(p, set, opt) }); err != nil {
				row = []string{"failed: " + Cell(message(err))}
			}
			t.Rows = append(t.Rows, append([]string{(&Outcome{Program: p.Name, Entry: p.Entry}).Title(), set.Name}, row...))
		}
	}
	return t.Write(w)
}

func measureProcessors(p Program, set Set, opt ProcessorOptions) []string {
	prog, built := compiled(p, pipeline.ForProcessors(pipeline.DefaultPasses()))
	_, unmerged := compiled(p, try.Get(pipeline.Parse("explicit")))
	args := try.Get(set.Args(prog.Func(p.Entry)))
	dir := try.Get(os.MkdirTemp("", "memc-bench-"))
	defer os.RemoveAll(dir)
	var ways [5]*processorWay // OpenCL, C on one thread, C on several, by hand, C without merging
	if opt.Device != "none" {
		var done func()
		ways[0], done = onOpenCL(prog, p.Entry, args, opt.Device)
		defer done()
	}
	ways[1] = asC(built, p.Entry, args, 1, dir)
	ways[2] = asC(built, p.Entry, args, opt.Threads, dir)
	ways[4] = asC(unmerged, p.Entry, args, 1, dir)
	if p.Hand != "" {
		ways[3] = byHand(p.Hand, args)
	}
	var want []value.Value
	for round := range opt.Runs + 1 { // the first one is held against the others
		for _, w := range ways {
			if w == nil {
				continue
			}
			us, got, err := w.run()
			if err != nil {
				try.Do(fmt.Errorf("%s: %w", w.name, err))
			}
			if round > 0 {
				w.times = append(w.times, us)
				continue
			}
			if want == nil {
				want = got
			}
			if w == ways[3] { // the bytes of the last result
				last := want[len(want)-1]
				got = append(slices.Clone(want[:len(want)-1]), value.Value{Prim: last.Prim, Shape: last.Shape, Data: got[0].Data})
			}
			for i := range min(len(got), len(want)) {
				if d := value.Diff(want[i], got[i], value.DefaultTolerance); d != "" {
					try.Do(fmt.Errorf("%s: result %d: %s", w.name, i+1, d))
				}
			}
		}
	}
	best := func(k int) float64 { return float64(max(1, slices.Min(ways[k].times))) }
	cell := func(k int) string {
		if ways[k] == nil {
			return ""
		}
		return Micros(best(k))
	}
	ratio := func(x, y int) string {
		if ways[x] == nil || ways[y] == nil {
			return ""
		}
		return fmt.Sprintf("%.2f", best(x)/best(y))
	}
	return []string{cell(0), cell(1), cell(2), ratio(0, 2), ratio(1, 2), cell(3), ratio(1, 3), ratio(4, 1),
		Bytes(ways[1].peak), Percent(float64(ways[1].peak), float64(ways[4].peak)),
		fmt.Sprintf("%.2f", float64(slices.Max(ways[1].times))/best(1))}
}

// compiled brings a program through passes, and builds it as C.
func compiled(p Program, passes []*transform.Pass) (*ir.Program, *driver.Compiled) {
	prog, _, err := driver.Explicit(p.File, passes, pipeline.Options{})
	try.Do(err)
	return prog, try.Get(driver.Compile(prog, imp.Options{}))
}

// onOpenCL runs the program in this process.
func onOpenCL(p *ir.Program, entry string, args []value.Value, device string) (*processorWay, func()) {
	low := try.Get(driver.Lower(p, imp.Options{}))
	ctx := try.Get(runtime.Open(device, runtime.Options{}))
	var took time.Duration
	prepared, err := memexec.Prepare(ctx, low.Imp, low.Kernels, memexec.Options{Ran: func(d time.Duration) { took = d }})
	if err != nil {
		ctx.Close()
		try.Do(err)
	}
	run := func() (int64, []value.Value, error) {
		got, err := prepared.Call(entry, args)
		return took.Microseconds(), got, err
	}
	return &processorWay{name: "OpenCL", run: run}, func() { prepared.Close(); ctx.Close() }
}

// asC runs the compiled program: once without counting, which makes the process's memory,
// and once more.
func asC(c *driver.Compiled, entry string, args []value.Value, threads int, dir string) *processorWay {
	times := filepath.Join(dir, fmt.Sprintf("times-%d", threads))
	w := &processorWay{name: fmt.Sprintf("C, %d threads", threads)}
	w.run = func() (int64, []value.Value, error) {
		got, st, err := c.Run(entry, args, driver.RunOptions{Threads: threads, Times: times})
		if err != nil {
			return 0, nil, err
		}
		w.peak = st.PeakBytes
		text, err := os.ReadFile(times)
		if err != nil {
			return 0, nil, err
		}
		us, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		return us, got, err
	}
	return w
}

// byHand runs loops that somebody has written, on one thread.
func byHand(source string, args []value.Value) *processorWay {
	exe := try.Get(try.Get(cc.Build(source)).Path())
	var in bytes.Buffer
	for _, v := range args {
		for _, d := range v.Shape {
			binary.Write(&in, binary.LittleEndian, d)
		}
		in.Write(v.Data)
	}
	run := func() (int64, []value.Value, error) {
		var out, errs bytes.Buffer
		c := exec.Command(exe, "1")
		c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(in.Bytes()), &out, &errs
		c.Env = append(os.Environ(), "OMP_NUM_THREADS=1")
		if err := c.Run(); err != nil {
			return 0, nil, err
		}
		us, err := strconv.ParseInt(strings.TrimSpace(errs.String()), 10, 64)
		return us, []value.Value{{Data: out.Bytes()}}, err
	}
	return &processorWay{name: "by hand", run: run}
}
