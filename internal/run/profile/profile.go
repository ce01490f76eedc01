// Package profile reports the cost of the kernels of a run: how often each ran, how long the device
// worked on it, how many bytes it may have touched, and how near it came to the rate of the device's
// own copy.
//
// Times are by the device's clock (runtime.Options.Profile), so the host's cost of a launch is not
// included. Each byte that a kernel may touch counts once for reading and once for writing; where a
// loop decides which bytes of a block, the whole block counts (exec.Timing).
//
// The package must not import the command, the parser or a transformation.
package profile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/memc-lang/memc/internal/run/exec"
	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/memtrace"
)

// A Row is what all launches of a kernel, all copies between two blocks, or all moves of blocks
// from one device to another, took.
type Row struct {
	Kernel   string        `json:"kernel"`
	Launches int           `json:"launches"`
	Took     time.Duration `json:"nanoseconds"`
	Bytes    int64         `json:"bytes"`
}

// A Report is a profile in JSON.
type Report struct {
	CopyRate float64 `json:"copy_bytes_per_second"` // of the device's own copy
	Kernels  []Row   `json:"kernels"`               // those that took longest first
}

// A Profile collects timings.
type Profile struct {
	rows []*Row
	at   map[string]*Row
}

// Add adds a launch or a copy. It has the type of exec.Options.Profile.
func (p *Profile) Add(t exec.Timing) {
	if p.at == nil {
		p.at = map[string]*Row{}
	}
	r := p.at[t.Kernel]
	if r == nil {
		r = &Row{Kernel: t.Kernel}
		p.rows, p.at[t.Kernel] = append(p.rows, r), r
	}
	r.Launches++
	r.Took += t.Took
	r.Bytes += t.Bytes
}

// Moves returns a sink that adds transfers between devices, and passes all events to another sink (or nil).
func (p *Profile) Moves(sink memtrace.Sink) memtrace.Sink { return &moves{p, sink} }

type moves struct {
	p    *Profile
	sink memtrace.Sink
}

func (m *moves) Event(e memtrace.Event) {
	if m.sink != nil {
		m.sink.Event(e)
	}
}

// Span adds a migration. Add receives the kernels.
func (m *moves) Span(x memtrace.Span) {
	if x.Queue != "kernels" {
		m.p.Add(exec.Timing{Kernel: fmt.Sprintf("device %d: %s", x.Device, x.Name), Took: x.End.Sub(x.Start), Bytes: x.Bytes})
	}
	if s, ok := m.sink.(memtrace.SpanSink); ok {
		s.Span(x)
	}
}

func (m *moves) Close() error { return nil } // whoever made the other one closes it

// Rows returns the kernels, those that took longest first.
func (p *Profile) Rows() []Row {
	out := make([]Row, len(p.rows))
	for i, r := range p.rows {
		out[i] = *r
	}
	slices.SortStableFunc(out, func(a, b Row) int { return cmp.Compare(b.Took, a.Took) })
	return out
}

// Total returns the time of all kernels and copies.
func (p *Profile) Total() (total time.Duration) {
	for _, r := range p.rows {
		total += r.Took
	}
	return total
}

// Write writes a table; rate is that of the device's own copy, in bytes per second.
func (p *Profile) Write(w io.Writer, rate float64) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "launches\tus\tof all\tMB moved\tGB/s\tof copy\t  kernel")
	total := p.Total()
	for _, r := range p.Rows() {
		of := 0.0
		if total > 0 {
			of = 100 * float64(r.Took) / float64(total)
		}
		got := Rate(r.Bytes, r.Took)
		fmt.Fprintf(t, "%d\t%.1f\t%.0f %%\t%.1f\t%.0f\t%.0f %%\t  %s\n", r.Launches, micros(r.Took), of,
			float64(r.Bytes)/1e6, got/1e9, 100*got/rate, r.Kernel)
	}
	fmt.Fprintf(t, "\t%.1f\t\t\t%.0f\t100 %%\t  all; the device's own copy\n", micros(total), rate/1e9)
	return t.Flush()
}

// WriteJSON writes the profile as one JSON object on one line.
func (p *Profile) WriteJSON(w io.Writer, rate float64) error {
	return json.NewEncoder(w).Encode(Report{rate, p.Rows()})
}

func micros(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

// Rate returns bytes per second, 0 where no time passed.
func Rate(bytes int64, took time.Duration) float64 {
	if took <= 0 {
		return 0
	}
	return float64(bytes) / took.Seconds()
}

// copied is the number of bytes of the copy that is measured, where they are at hand.
const copied = 256 << 20

// DeviceCopyRate is CopyRate of the device that a selector names.
func DeviceCopyRate(device string) (float64, error) {
	ctx, err := runtime.Open(device, runtime.Options{Profile: true})
	if err != nil {
		return 0, err
	}
	defer ctx.Close()
	return CopyRate(ctx)
}

// CopyRate measures the device's own copy between two blocks: bytes read and written per
// second. The context must have been opened for profiling.
func CopyRate(ctx *runtime.Context) (float64, error) {
	n := min(int64(copied), ctx.Limit()/8)
	dst, err := ctx.Alloc(n, 0)
	if err != nil {
		return 0, err
	}
	defer dst.Release()
	src, err := ctx.Alloc(n, 0)
	if err != nil {
		return 0, err
	}
	defer src.Release()
	var times []time.Duration
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i * i >> 7)
	}
	if err := ctx.Write(src, 0, data); err != nil {
		return 0, err
	}
	for i := range 7 {
		at := func(b *runtime.Block) runtime.Region { return runtime.Region{Block: b, Strides: []int64{1}} }
		if err := ctx.CopyStrided(runtime.CopyKernels{}, 1, []int64{n}, at(dst), at(src)); err != nil {
			return 0, err
		}
		took, err := ctx.Took()
		if err != nil {
			return 0, err
		}
		if i > 1 { // as for kernels: the first run finds no warm memory, the second no warm cache
			times = append(times, took)
		}
	}
	slices.Sort(times)
	return Rate(2*n, times[len(times)/2]), nil
}
