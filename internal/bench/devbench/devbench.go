package devbench

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"time"

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

func open(opt runtime.Options, device string) (*bench, error) {
	ctx, err := runtime.Open(device, opt)
	if err != nil {
		return nil, err
	}
	b := &bench{fronts: ctx.Devices()}
	for _, c := range b.fronts {
		p, err := c.Build(kernels, "")
		if err != nil {
			ctx.Close()
			return nil, err
		}
		k, err := p.Kernel("fill")
		if err != nil {
			ctx.Close()
			return nil, err
		}
		b.fill = append(b.fill, k)
	}
	if b.seed, err = ctx.Alloc(16, 0); err == nil {
		err = ctx.Write(b.seed, 0, make([]byte, 16))
	}
	if err != nil {
		ctx.Close()
		return nil, err
	}
	return b, nil
}

func (b *bench) close() { b.fronts[0].Close() }

// launch fills dst on a device; src is read.
func (b *bench) launch(device int, src, dst *runtime.Block, turns int) error {
	n := dst.Size() / 4
	return b.fronts[device].Launch(b.fill[device], (n+groupSize-1)/groupSize, groupSize, []runtime.Arg{
		{Block: src, ReadOnly: true}, {Block: dst}, {Bits: uint64(n), Size: 8}, {Bits: uint64(turns), Size: 4},
	})
}

// Run measures and writes a table.
func Run(w io.Writer, opt Options) error {
	for _, apart := range []bool{false, true} {
		b, err := open(runtime.Options{Apart: apart}, opt.Device)
		if err != nil {
			return err
		}
		how := "peer copy"
		if !b.fronts[0].Peers(b.fronts[1]) {
			how = "through the host"
		}
		if !apart && !b.fronts[0].Peers(b.fronts[1]) {
			b.close()
			continue // the next turn is the same
		}
		err = b.moves(w, how, opt, firstTurns)
		b.close()
		if err != nil {
			return fmt.Errorf("%s: %w", how, err)
		}
	}
	if opt.Trace != nil {
		b, err := open(runtime.Options{Apart: true, Trace: opt.Trace}, opt.Device)
		if err != nil {
			return err
		}
		err = b.moves(io.Discard, "traced", Options{Log: opt.Log, Runs: 2}, firstTurns)
		b.close()
		if err != nil {
			return err
		}
	}
	return launches(w, opt)
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// moves measures migrations from device 0 to 1 alone, beside a kernel on each, and the kernels
// alone.
func (b *bench) moves(w io.Writer, how string, opt Options, turns int) error {
	size := int64(1) << opt.Log
	work := [2]*runtime.Block{}
	var err error
	for i := range work {
		if work[i], err = b.fronts[i].Alloc(size/4, 1+i); err != nil {
			return err
		}
		defer work[i].Release()
	}
	x, err := b.fronts[0].Alloc(size, 3)
	if err != nil {
		return err
	}
	defer x.Release()
	small, err := b.fronts[1].Alloc(1024, 4)
	if err != nil {
		return err
	}
	defer small.Release()
	wait := func() error {
		for _, c := range b.fronts[:2] {
			if err := c.Finish(); err != nil {
				return err
			}
		}
		return nil
	}
	timed := func(what func() error) (time.Duration, error) {
		var all []time.Duration
		for i := range opt.Runs + 1 {
			// The block is written anew on device 0, so device 1 is stale.
			if err := b.launch(0, b.seed, x, 1); err != nil {
				return 0, err
			}
			if err := wait(); err != nil {
				return 0, err
			}
			start := time.Now()
			if err := what(); err != nil {
				return 0, err
			}
			if err := wait(); err != nil {
				return 0, err
			}
			if i > 0 {
				all = append(all, time.Since(start))
			}
		}
		return median(all), nil
	}
	use := func() error { return b.launch(1, x, small, 1) }
	kernel := func(turns int) func() error {
		return func() error {
			for i := range work {
				if err := b.launch(i, b.seed, work[i], turns); err != nil {
					return err
				}
			}
			return nil
		}
	}
	move, err := timed(use)
	if err != nil {
		return err
	}
	// The kernels take about as long as the move.
	took, err := timed(kernel(turns))
	if err != nil {
		return err
	}
	turns = max(1, int(float64(turns)*move.Seconds()/took.Seconds()))
	if took, err = timed(kernel(turns)); err != nil {
		return err
	}
	both, err := timed(func() error {
		if err := kernel(turns)(); err != nil {
			return err
		}
		return use()
	})
	if err != nil {
		return err
	}
	// Both devices hold it now, and each is asked for its own copy.
	want, got := make([]byte, size), make([]byte, size)
	if err := b.fronts[0].Read(x, 0, want); err != nil {
		return err
	}
	if err := b.fronts[1].Read(x, 0, got); err != nil {
		return err
	}
	if !bytes.Equal(want, got) {
		return fmt.Errorf("a block has other contents after it moved")
	}
	hidden := (move + took - both).Seconds() / min(move, took).Seconds()
	_, err = fmt.Fprintf(w, "%-17s %6.2f GB/s   move %8.3f ms, kernels %8.3f ms, both at once %8.3f ms: %3.0f %% hidden\n",
		how, float64(size)/1e9/move.Seconds(), ms(move), ms(took), ms(both), 100*hidden)
	return err
}

func ms(d time.Duration) float64 { return 1e3 * d.Seconds() }

// launches measures what a launch costs, in turns on a context of one device and of others.
func launches(w io.Writer, opt Options) error {
	ways := []struct {
		name, device string
		opt          runtime.Options
	}{
		{"one device", "", runtime.Options{}},
		{"the same, --evict", "", runtime.Options{Evict: true}},
		{"one of several", opt.Device, runtime.Options{}},
	}
	first, _, _ := bytes.Cut([]byte(opt.Device), []byte(","))
	times := make([][]time.Duration, len(ways))
	benches := make([]*bench, len(ways))
	blocks := make([]*runtime.Block, len(ways))
	for i, way := range ways {
		if way.device == "" {
			way.device = string(first)
		}
		b, err := open(way.opt, way.device)
		if err != nil {
			return err
		}
		defer b.close()
		benches[i] = b
		if blocks[i], err = b.fronts[0].Alloc(1024, 1); err != nil {
			return err
		}
	}
	for run := range opt.Runs + 1 {
		for i, b := range benches {
			start := time.Now()
			for range opt.Launches {
				if err := b.launch(0, b.seed, blocks[i], 1); err != nil {
					return err
				}
			}
			if err := b.fronts[0].Finish(); err != nil {
				return err
			}
			if run > 0 {
				times[i] = append(times[i], time.Since(start))
			}
		}
	}
	for i, way := range ways {
		if _, err := fmt.Fprintf(w, "a launch, %-18s %8.2f us\n", way.name, 1e6*median(times[i]).Seconds()/float64(opt.Launches)); err != nil {
			return err
		}
	}
	return nil
}
