package profile

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/value"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/runtime"
)

// A Work is an entry with the shape of its one argument.
type Work struct {
	Entry string
	Shape []int64
}

// Works lists what Roofline measures, for about 2^log elements of four bytes; log is even, so that
// there are squares. Of smaller elements there are more, so that no cache holds them.
func Works(log int) []Work {
	n, side := int64(1)<<log, int64(1)<<(log/2)
	return []Work{
		{"map_f32", []int64{n}}, {"map_f32", []int64{n - 5}}, {"map_f64", []int64{n / 2}}, {"map_i8", []int64{4 * n}},
		{"copy_f32", []int64{n}}, {"strided", []int64{n}}, {"reverse", []int64{n}},
		{"transpose", []int64{side, side}}, {"transpose", []int64{side - 1, side + 1}}, {"transpose", []int64{n / 4, 4}}, {"transpose_f64", []int64{side / 2, side}},
		{"transpose_i8", []int64{2 * side, 2 * side}}, {"transposes", []int64{n / 1024, 32, 32}}, {"permute", []int64{side / 32, side / 16, 512}},
		{"sum", []int64{n}}, {"sum_f64", []int64{n / 2}}, {"sum_i8", []int64{4 * n}}, {"maxplace", []int64{n}}, {"compose", []int64{n}},
		{"rows", []int64{n / 4, 4}}, {"rows", []int64{n / 64, 64}}, {"rows", []int64{n / 1000, 1000}}, {"rows", []int64{side, side}}, {"rows", []int64{16, n / 16}}, {"rows_i8", []int64{4 * n / 1000, 1000}},
		{"columns", []int64{4, n / 4}}, {"columns", []int64{side, side}}, {"columns", []int64{n / 64, 64}}, {"columns", []int64{n / 4, 4}}, {"columns_i8", []int64{2 * side, 2 * side}},
		{"compose_rows", []int64{side, side}}, {"compose_columns", []int64{side, side}},
		{"scan_f32", []int64{n}}, {"scan_i32", []int64{n}}, {"scan_f64", []int64{n / 2}}, {"scan_i8", []int64{4 * n}}, {"scan_affine", []int64{n / 2}},
		{"scan_rows", []int64{side, side}}, {"scan_rows", []int64{n / 64, 64}}, {"scan_rows", []int64{16, n / 16}},
		{"step", []int64{side, side}}, {"filter", []int64{n}}, {"hist_256", []int64{n}}, {"hist_large", []int64{n}}, {"hist_unread", []int64{n}},
	}
}

// IsWork reports whether Roofline measures an entry.
func IsWork(entry string) bool {
	return slices.ContainsFunc(Works(12), func(w Work) bool { return w.Entry == entry })
}

// A RooflineOptions tells how to measure.
type RooflineOptions struct {
	Device string
	Runs   int
	Log    int                 // of the number of elements
	Only   []string            // entries; none: all
	Tell   func(done, all int) // nil: nobody asks
	Lower  imp.Options
}

// Roofline runs the entries of a program that only move memory, and writes how near each comes to
// the device's own copy. It reports the time of the entry's kernels and copies by the device's
// clock, the time of a whole call without transfers, and the bytes of argument and results divided
// by the first time, as a share of the copy's rate. Times are medians.
func Roofline(w io.Writer, src *diag.File, opt RooflineOptions) error {
	p, _, err := driver.Explicit(src, pipeline.DefaultPasses(), pipeline.Options{})
	if err != nil {
		return err
	}
	low, err := driver.Lower(p, opt.Lower)
	if err != nil {
		return err
	}
	// One context tells the kernels' times; in the other one, calls run as ever. In both, all
	// runs of a call find the argument on the device, and what the one before left in its cache.
	var ctxs [2]*runtime.Context
	var ready [2]*exec.Prepared
	var kernels time.Duration
	var times [2][]time.Duration // of the runs of a call
	launches := 0
	for i := range ctxs {
		if ctxs[i], err = runtime.Open(opt.Device, runtime.Options{Profile: i == 0}); err != nil {
			return err
		}
		defer ctxs[i].Close()
		how := exec.Options{Before: opt.Runs + 1, Ran: func(d time.Duration) { times[1] = append(times[1], d) }}
		if i == 0 {
			how.Profile = func(t exec.Timing) { kernels += t.Took; launches++ }
			how.Ran = func(time.Duration) {
				times[0] = append(times[0], kernels)
				kernels = 0
			}
		}
		if ready[i], err = exec.Prepare(ctxs[i], low.Imp, low.Kernels, how); err != nil {
			return err
		}
		defer ready[i].Close()
	}
	rate, err := CopyRate(ctxs[0])
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s: the device's own copy moves %.0f GB/s\n", ctxs[0].Device().Name, rate/1e9)
	fmt.Fprintln(t, "launches\tkernels us\tcall us\tMB\tGB/s\tof copy\t  work")
	var works []Work
	for _, work := range Works(opt.Log) {
		if len(opt.Only) == 0 || slices.Contains(opt.Only, work.Entry) {
			works = append(works, work)
		}
	}
	made := map[ir.Prim][]byte{}
	for k, work := range works {
		if opt.Tell != nil {
			opt.Tell(k, len(works))
		}
		arg := value.Value{Prim: p.Func(work.Entry).Params[0].Type.Prim, Shape: work.Shape}
		size := arg.Elems() * arg.Prim.Size()
		if int64(len(made[arg.Prim])) < size {
			made[arg.Prim] = someValues(arg.Prim, work.Shape).Data
		}
		arg.Data = made[arg.Prim][:size]
		bytes := int64(len(arg.Data))
		var mid [2]time.Duration
		launches = 0
		for i := range ready { // not in turns: a device takes long to change contexts
			kernels, times[i] = 0, nil
			got, err := ready[i].Call(work.Entry, []value.Value{arg})
			if err != nil {
				return fmt.Errorf("%s: %w", work.Entry, err)
			}
			for _, v := range got {
				if i == 0 {
					bytes += int64(len(v.Data))
				}
			}
			counted := times[i][2:] // the first run finds no memory at hand, the second no warm cache
			slices.Sort(counted)
			mid[i] = counted[len(counted)/2]
		}
		fmt.Fprintf(t, "%d\t%.1f\t%.1f\t%.1f\t%.0f\t%.0f %%\t  %s %v\n", launches/(opt.Runs+2), micros(mid[0]), micros(mid[1]),
			float64(bytes)/1e6, Rate(bytes, mid[0])/1e9, 100*Rate(bytes, mid[0])/rate, work.Entry, work.Shape)
		ctxs[0].Trim()
		ctxs[1].Trim()
	}
	return t.Flush()
}

// someValues makes an argument: floats from 0 below 1, and any integers that are not
// negative.
func someValues(prim ir.Prim, shape []int64) value.Value {
	v := value.New(prim, shape)
	rng := rand.NewPCG(1, 2)
	size := int(prim.Size())
	for at := 0; at < len(v.Data); at += size {
		x := rng.Uint64()
		switch prim {
		case ir.F32:
			x = uint64(0x3f800000 | uint32(x)>>9) // 1 ..< 2
		case ir.F64:
			x = 0x3ff<<52 | x>>12
		default:
			x &= 1<<(8*size-1) - 1
		}
		for b := range size {
			v.Data[at+b] = byte(x >> (8 * b))
		}
	}
	return v
}
