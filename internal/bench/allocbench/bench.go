package allocbench

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/memc-lang/memc/internal/bench/try"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/device"
)

//go:embed cl/bench.cl
var benchKernels string

//go:embed cl/kdtree.cl
var kdKernels string

// A Row is one figure.
type Row struct {
	Device, Test, Allocator string
	X                       string // what varies: "size"
	At                      float64
	Metric                  string // "ms", "percent"
	Value                   float64
}

// Config says what is measured.
type Config struct {
	Allocators []string      // names; empty: all
	Tests      []string      // names of Tests; empty: all
	HeapBytes  int64         // 0: 2 GiB, the paper's
	Groups     int64         // work-groups of 256; 0: 120, the paper's
	Hints      int           // search offsets of CM and CFM; 0: as the heap's
	Reps       int           // 0: 5, the paper's
	Quick      bool          // few points, for a first look and for tests
	MaxTime    time.Duration // for each test of each allocator; the rest of its points is left out; 0: no bound
	Defines    []string      // macros of the allocators' sources: "MEMC_WARP 0"
	Mesh       string        // an OBJ file for the k-d tree; empty: a generated one
}

// A Test is one of the benchmarks.
type Test struct {
	Name, About string
	run         func(*session)
}

// Tests lists the benchmarks, in the order in which they run.
func Tests() []Test {
	return []Test{
		{"ad", "alloc, dealloc: one lane of each warp allocates a block and frees it at once", (*session).allocDealloc},
		{"acd", "alloc cycle dealloc: 10 blocks, then all freed; over sizes, heaps and cycles", (*session).cycles},
		{"p", "probability: 10 launches that allocate or free with probability 3/4", (*session).probability},
		{"ds", "data structure: a k-d tree built in one kernel, checked on the host", (*session).kdTree},
		{"size", "10,000 and 100,000 work-items each allocate a block, and then free it", (*session).sizes},
		{"mixed", "the same with sizes from 4 to a maximum", (*session).mixed},
		{"scale", "1 to 2^20 work-items allocate 64 bytes", (*session).scaling},
		{"frag", "internal and external fragmentation, formulas (2) and (3), and the range of addresses", (*session).fragmentation},
		{"oom", "how much of a heap can be allocated", (*session).exhaustion},
		{"graph", "a graph's lists of edges are made, and then extended", (*session).graphs},
		{"work", "work generation, compared with a prefix sum", (*session).work},
		{"regs", "the registers of a kernel with one request and one free", (*session).registers},
	}
}

// A session runs the tests with one allocator.
type session struct {
	cfg   Config
	ctx   *runtime.Context
	alloc device.Allocator
	heap  *device.Heap
	ptrs  *runtime.Block // blocks of the work-items
	res   *runtime.Block // counters
	emit  func(Row)
	test  string
	start time.Time // of the test
	point string    // where in the test, for errors
}

// errTimeUp ends a test early.
var errTimeUp = errors.New("its time is up, and further points are left out")

// inTime ends the test if it may not take another point.
func (s *session) inTime() {
	if s.cfg.MaxTime > 0 && time.Since(s.start) > s.cfg.MaxTime {
		try.Do(errTimeUp)
	}
}

// Run measures, and gives each figure as it comes.
func Run(ctx *runtime.Context, cfg Config, emit func(Row), note func(string)) error {
	if cfg.HeapBytes == 0 {
		cfg.HeapBytes = 2 << 30
	}
	if cfg.Groups == 0 {
		cfg.Groups = 120
	}
	if cfg.Reps == 0 {
		cfg.Reps = 5
	}
	tests, err := choose(cfg.Tests)
	if err != nil {
		return err
	}
	var list []device.Allocator
	for _, a := range device.Allocators() {
		if len(cfg.Allocators) == 0 {
			list = append(list, a)
		}
	}
	for _, name := range cfg.Allocators {
		a, err := device.Lookup(name)
		if err != nil {
			return err
		}
		list = append(list, a)
	}
	for _, a := range list {
		if err := runOne(ctx, cfg, a, tests, emit, note); err != nil {
			return fmt.Errorf("allocator %s: %w", a.Name, err)
		}
	}
	return nil
}

func choose(names []string) (tests []Test, err error) {
	if len(names) == 0 {
		return Tests(), nil
	}
	for _, n := range names {
		found := false
		for _, t := range Tests() {
			if t.Name == n {
				tests, found = append(tests, t), true
			}
		}
		if !found {
			return nil, fmt.Errorf("there is no benchmark %q", n)
		}
	}
	return tests, nil
}

func runOne(ctx *runtime.Context, cfg Config, a device.Allocator, tests []Test, emit func(Row), note func(string)) (err error) {
	h, err := device.NewHeap(ctx, a, device.HeapOptions{Bytes: cfg.HeapBytes, Hints: cfg.Hints, Defines: cfg.Defines, Kernels: benchKernels + kdKernels})
	if err != nil {
		return err
	}
	defer h.Release()
	s := &session{cfg: cfg, ctx: ctx, alloc: a, heap: h, emit: emit}
	if s.ptrs, err = ctx.Alloc(64<<20, 0); err != nil {
		return err
	}
	defer s.ptrs.Release()
	if s.res, err = ctx.Alloc(4096, 0); err != nil {
		return err
	}
	defer s.res.Release()
	for _, t := range tests {
		note(fmt.Sprintf("%s: %s", a.Name, t.Name))
		s.test, s.start, s.point = t.Name, time.Now(), ""
		err := s.attempt(func() { s.empty(); t.run(s) })
		if errors.Is(err, errTimeUp) {
			note(fmt.Sprintf("%s: %s: %v", a.Name, t.Name, err))
			err = s.attempt(s.reset)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.Name, err)
		}
	}
	return nil
}

// attempt runs a part of a test, and gives the error at which it ended, with the point.
func (s *session) attempt(part func()) error {
	err := try.Run(part)
	if err != nil && s.point != "" {
		err = fmt.Errorf("%s: %w", s.point, err)
	}
	return err
}

func (s *session) row(x string, at float64, metric string, value float64) {
	s.emit(Row{s.ctx.Device().Name, s.test, s.alloc.Name, x, at, metric, value})
}

// Arguments of kernels.
func u32(v int64) runtime.Arg          { return runtime.Arg{Bits: uint64(v), Size: 4} }
func blk(b *runtime.Block) runtime.Arg { return runtime.Arg{Block: b} }

// launch runs a kernel in groups of 256.
func (s *session) launch(kernel string, groups int64, args ...runtime.Arg) {
	try.Do(s.heap.Launch(kernel, groups, 256, args...))
}

// time runs a kernel and gives the milliseconds that it took.
func (s *session) time(kernel string, groups, size int64, args ...runtime.Arg) float64 {
	try.Do(s.ctx.Finish())
	start := time.Now()
	try.Do(s.heap.Launch(kernel, groups, size, args...))
	try.Do(s.ctx.Finish())
	return float64(time.Since(start).Nanoseconds()) / 1e6
}

// median repeats a measurement. The first time does not count: it is when devices
// compile or load a kernel. (In a quick run it does.)
func (s *session) median(once func() float64) float64 {
	s.inTime()
	var all []float64
	for rep := range s.cfg.Reps + s.warmUps() {
		if v := once(); rep >= s.warmUps() {
			all = append(all, v)
		}
	}
	return middle(all)
}

func middle(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

func (s *session) warmUps() int {
	if s.cfg.Quick {
		return 0
	}
	return 1
}

// empty measures a launch that does nothing, for orientation.
func (s *session) empty() {
	run := func() float64 { return s.time("empty", s.cfg.Groups, 256, blk(s.heap.Block)) }
	run()
	s.row("empty", 0, "ms", s.median(run))
}

// reset makes the heap empty, and waits.
func (s *session) reset() {
	try.Do(s.heap.Reset())
	try.Do(s.ctx.Finish())
}

// counters reads the first n counters; clear sets them to 0.
func (s *session) counters(n int) []int64 {
	buf := make([]byte, 4*n)
	try.Do(s.ctx.Read(s.res, 0, buf))
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(binary.LittleEndian.Uint32(buf[4*i:]))
	}
	return out
}

func (s *session) clear() { try.Do(s.ctx.Write(s.res, 0, make([]byte, 64))) }

// check tells whether the heap is still one, and whether as many blocks are in
// use as should be.
func (s *session) check(live int64) {
	v := try.Get(s.heap.Survey())
	try.Do(v.Check())
	if s.alloc.Header > 0 && v.Live(s.alloc) != live {
		try.Do(fmt.Errorf("%d blocks are in use, want %d", v.Live(s.alloc), live))
	}
}

// points thins a list out in a quick run.
func points[T any](s *session, all []T) []T {
	if !s.cfg.Quick {
		return all
	}
	var few []T
	for i := 0; i < len(all); i += 3 {
		few = append(few, all[i])
	}
	return few
}
