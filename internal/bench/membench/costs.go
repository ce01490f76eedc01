package membench

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/pool"
)

// Sizes are the block sizes that memc bench memory measures.
var Sizes = []int64{256, 64 << 10, 1 << 20, 16 << 20, 256 << 20}

// batch is how many blocks are live at a time while hits are measured.
const batch = 16

// A Cost is what a block of one size costs under one policy, in nanoseconds; NaN
// where that was not measured.
type Cost struct {
	Policy string
	Bytes  int64
	// PoolHit and PoolFree are the decision alone.
	PoolHit, PoolFree float64
	// Hit and Free are Alloc and Release of a context, with its lock.
	Hit, Free float64
	// Miss is a block that needs a buffer of the driver's, Return the end of such
	// a buffer; both on the device.
	Miss, Return float64
}

// Costs measures blocks of some sizes under all policies on a device. Sizes for which the
// device has no memory are left out.
func Costs(device string, sizes []int64) ([]Cost, error) {
	var out []Cost
	for _, name := range pool.Policies {
		for _, n := range sizes {
			c := Cost{Policy: name, Bytes: n, PoolHit: math.NaN(), PoolFree: math.NaN(), Hit: math.NaN(), Free: math.NaN()}
			if name != "driver" {
				if err := c.poolCost(); err != nil {
					return nil, err
				}
			}
			if ok, err := c.contextCost(device); err != nil {
				return nil, err
			} else if ok {
				out = append(out, c)
			}
		}
	}
	return out, nil
}

// blocks is what pool and context have in common here.
type blocks struct {
	get func(tag int) error
	put func() // the oldest block
}

// hits times full batches in the steady state: the median batch, per block, so
// that what else the machine does counts for little.
func (b blocks) hits(rounds int) (get, put float64, err error) {
	var got, gave []float64
	for round := -20; round < rounds; round++ {
		start := time.Now()
		for tag := range batch {
			if err := b.get(tag); err != nil {
				return 0, 0, err
			}
		}
		mid := time.Now()
		for range batch {
			b.put()
		}
		if round >= 0 {
			got = append(got, float64(mid.Sub(start).Nanoseconds()))
			gave = append(gave, float64(time.Since(mid).Nanoseconds()))
		}
	}
	return median(got) / batch, median(gave) / batch, nil
}

func (c *Cost) poolCost() (err error) {
	how, err := pool.ParsePolicy(c.Policy)
	if err != nil {
		return err
	}
	p, err := pool.New(nowhere{}, pool.Options{Policy: how})
	if err != nil {
		return err
	}
	defer p.Close()
	live, at := make([]pool.Block, 0, batch), 0
	c.PoolHit, c.PoolFree, err = blocks{
		func(tag int) error {
			if at == len(live) {
				live, at = live[:0], 0
			}
			b, err := p.Get(c.Bytes, tag)
			live = append(live, b)
			return err
		},
		func() { p.Put(live[at]); at++ },
	}.hits(5000)
	return err
}

type nowhere struct{}

func (nowhere) Create(int64) (any, error) { return nil, nil }
func (nowhere) Release(any)               {}
func (nowhere) Finish() error             { return nil }

// contextCost measures on the device: hits with small batches of the size, and
// misses one at a time.
func (c *Cost) contextCost(device string) (bool, error) {
	ctx, err := runtime.Open(device, runtime.Options{Allocator: c.Policy})
	if err != nil {
		return false, err
	}
	defer ctx.Close()
	if 2*c.Bytes > ctx.Limit() {
		return false, nil
	}
	var miss, back []float64
	for range 15 {
		start := time.Now()
		b, err := ctx.Alloc(c.Bytes, 0)
		var full *runtime.OutOfMemory
		if errors.As(err, &full) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		miss = append(miss, float64(time.Since(start).Nanoseconds()))
		if c.Policy != "driver" {
			b.Release()
		}
		start = time.Now()
		if c.Policy == "driver" {
			b.Release()
		}
		ctx.Trim()
		back = append(back, float64(time.Since(start).Nanoseconds()))
	}
	c.Miss, c.Return = median(miss), median(back)
	if c.Policy == "driver" || batch*c.Bytes > ctx.Limit()/2 {
		return true, nil
	}
	live, at := make([]*runtime.Block, 0, batch), 0
	c.Hit, c.Free, err = blocks{
		func(tag int) error {
			if at == len(live) {
				live, at = live[:0], 0
			}
			b, err := ctx.Alloc(c.Bytes, tag)
			live = append(live, b)
			return err
		},
		func() { live[at].Release(); at++ },
	}.hits(4000)
	return true, err
}

func median(x []float64) float64 {
	slices.Sort(x)
	return x[len(x)/2]
}

// WriteCosts writes the table of costs.
func WriteCosts(w io.Writer, costs []Cost) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "allocator\tbytes\thit\tfree\thit: decision\tfree: decision\tmiss\tdriver's free\t")
	for _, c := range costs {
		fmt.Fprintf(t, "%s\t%d\t", c.Policy, c.Bytes)
		for _, x := range []float64{c.Hit, c.Free, c.PoolHit, c.PoolFree, c.Miss, c.Return} {
			if math.IsNaN(x) {
				fmt.Fprint(t, "-\t")
			} else {
				fmt.Fprintf(t, "%.0f\t", x)
			}
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}
