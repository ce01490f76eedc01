package devbench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/memc-lang/memc/internal/bench/try"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/memtrace"
)

// Options of a measurement.
type Options struct {
	Device   string // a list of two devices or more, of which the first two count
	Log      int    // blocks have 2^Log bytes
	Runs     int    // that count, after one that does not
	Launches int    // per measurement of their cost
	Trace    memtrace.Sink
}

// kernels: fill works on every element for some turns; it reads the first block and writes the second.
const kernels = `
__kernel void fill(__global const uchar *src, long so, __global uchar *dst, long off, long n, int turns) {
  long i = get_global_id(0);
  if (i >= n) return;
  __global const int *s = (__global const int *)(src + so);
  __global int *d = (__global int *)(dst + off);
  int x = s[0] + (int)i;
  for (int k = 0; k < turns; k++)
    x = x * 1664525 + 1013904223;
  d[i] = x;
}
`

const groupSize = 256

// firstTurns is how much kernels do until it is known how much hides a move.
const firstTurns = 200

// A bench is a context of several devices with the kernel on each.
type bench struct {
	fronts []*runtime.Context
	fill   []*runtime.Kernel
	seed   *runtime.Block
}

func open(opt runtime.Options, device string) *bench {
	ctx := try.Get(runtime.Open(device, opt))
	b := &bench{fronts: ctx.Devices()}
	if err := try.Run(b.build); err != nil {
		ctx.Close()
		try.Do(err)
	}
	return b
}

func (b *bench) build() {
	for _, c := range b.fronts {
		p := try.Get(c.Build(kernels, ""))
		b.fill = append(b.fill, try.Get(p.Kernel("fill")))
	}
	b.seed = try.Get(b.fronts[0].Alloc(16, 0))
	try.Do(b.fronts[0].Write(b.seed, 0, make([]byte, 16)))
}

func (b *bench) close() { b.fronts[0].Close() }

// launch fills dst on a device; src is read.
func (b *bench) launch(device int, src, dst *runtime.Block, turns int) {
	n := dst.Size() / 4
	try.Do(b.fronts[device].Launch(b.fill[device], (n+groupSize-1)/groupSize, groupSize, []runtime.Arg{
		{Block: src, ReadOnly: true}, {Block: dst}, {Bits: uint64(n), Size: 8}, {Bits: uint64(turns), Size: 4},
	}))
}

// Run measures and writes a table.
func Run(w io.Writer, opt Options) error {
	return try.Run(func() {
		for _, apart := range []bool{false, true} {
			transfers(w, opt, apart)
		}
		if opt.Trace != nil {
			b := open(runtime.Options{Apart: true, Trace: opt.Trace}, opt.Device)
			defer b.close()
			b.moves(io.Discard, "traced", Options{Log: opt.Log, Runs: 2}, firstTurns)
		}
		launches(w, opt)
	})
}

// transfers measures migrations by peer copy, or, if the devices are apart, through the host.
func transfers(w io.Writer, opt Options, apart bool) {
	b := open(runtime.Options{Apart: apart}, opt.Device)
	defer b.close()
	if !apart { // the first time, and the devices are there
		fmt.Fprintf(w, "a block of %d bytes, from the first device to the second\n", int64(1)<<opt.Log)
	}
	how, peers := "peer copy", b.fronts[0].Peers(b.fronts[1])
	if !peers {
		how = "through the host"
	}
	if apart || peers { // else both turns are the same
		if err := try.Run(func() { b.moves(w, how, opt, firstTurns) }); err != nil {
			try.Do(fmt.Errorf("%s: %w", how, err))
		}
	}
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// moves measures migrations from device 0 to 1 alone, beside a kernel on each, and the kernels
// alone.
func (b *bench) moves(w io.Writer, how string, opt Options, turns int) {
	size := int64(1) << opt.Log
	alloc := func(device int, bytes int64, tag int) *runtime.Block {
		return try.Get(b.fronts[device].Alloc(bytes, tag))
	}
	work := [2]*runtime.Block{}
	for i := range work {
		work[i] = alloc(i, size/4, 1+i)
		defer work[i].Release()
	}
	x, small := alloc(0, size, 3), alloc(1, 1024, 4)
	defer x.Release()
	defer small.Release()
	wait := func() {
		for _, c := range b.fronts[:2] {
			try.Do(c.Finish())
		}
	}
	timed := func(what func()) time.Duration {
		var all []time.Duration
		for i := range opt.Runs + 1 {
			b.launch(0, b.seed, x, 1) // the block is written anew on device 0, so device 1 is stale
			wait()
			start := time.Now()
			what()
			wait()
			if i > 0 {
				all = append(all, time.Since(start))
			}
		}
		return median(all)
	}
	use := func() { b.launch(1, x, small, 1) }
	kernel := func() {
		for i := range work {
			b.launch(i, b.seed, work[i], turns)
		}
	}
	// The kernels take about as long as the move.
	move, took := timed(use), timed(kernel)
	turns = max(1, int(float64(turns)*move.Seconds()/took.Seconds()))
	took = timed(kernel)
	both := timed(func() { kernel(); use() })
	// Both devices hold it now, and each is asked for its own copy.
	want, got := make([]byte, size), make([]byte, size)
	try.Do(b.fronts[0].Read(x, 0, want))
	try.Do(b.fronts[1].Read(x, 0, got))
	if !bytes.Equal(want, got) {
		try.Do(errors.New("a block has other contents after it moved"))
	}
	hidden := (move + took - both).Seconds() / min(move, took).Seconds()
	try.Get(fmt.Fprintf(w, "%-17s %6.2f GB/s   move %8.3f ms, kernels %8.3f ms, both at once %8.3f ms: %3.0f %% hidden\n",
		how, float64(size)/1e9/move.Seconds(), ms(move), ms(took), ms(both), 100*hidden))
}

func ms(d time.Duration) float64 { return 1e3 * d.Seconds() }

// launches measures what a launch costs, in turns on a context of one device and of others.
func launches(w io.Writer, opt Options) {
	ways := []struct {
		name, device string
		opt          runtime.Options
	}{
		{"one device", "", runtime.Options{}},
		{"the same, --evict", "", runtime.Options{Evict: true}},
		{"one of several", opt.Device, runtime.Options{}},
	}
	first, _, _ := strings.Cut(opt.Device, ",")
	times := make([][]time.Duration, len(ways))
	benches := make([]*bench, len(ways))
	blocks := make([]*runtime.Block, len(ways))
	for i, way := range ways {
		if way.device == "" {
			way.device = first
		}
		b := open(way.opt, way.device)
		defer b.close()
		benches[i] = b
		blocks[i] = try.Get(b.fronts[0].Alloc(1024, 1))
	}
	for run := range opt.Runs + 1 {
		for i, b := range benches {
			start := time.Now()
			for range opt.Launches {
				b.launch(0, b.seed, blocks[i], 1)
			}
			try.Do(b.fronts[0].Finish())
			if run > 0 {
				times[i] = append(times[i], time.Since(start))
			}
		}
	}
	for i, way := range ways {
		try.Get(fmt.Fprintf(w, "a launch, %-18s %8.2f us\n", way.name, 1e6*median(times[i]).Seconds()/float64(opt.Launches)))
	}
}
