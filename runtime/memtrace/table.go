package memtrace

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/memc-lang/memc/runtime/pool"
)

// WriteTable writes results side by side, one policy a line.
func WriteTable(w io.Writer, results []Result) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "allocator\trequests\tfailed\thits\tdriver\tagain\tsteady\tpeak asked\tpeak held\theld/asked\tinternal\texternal\t")
	for _, r := range results {
		s := r.First
		fmt.Fprintf(t, "%v\t%d\t%d\t%d\t%d\t%d\t%s\t%d\t%d\t%s\t%s\t%s\t\n", r.Policy, s.Requests, s.Failures,
			s.Hits[pool.HitTag]+s.Hits[pool.HitOther]+s.Hits[pool.HitSplit], s.Creates, r.Again, r.steady(), s.PeakAsked, s.PeakHeld,
			Ratio(s.PeakHeld, s.PeakAsked), percent(s.PeakRounded-s.PeakAsked, s.PeakRounded), fmt.Sprintf("%.0f%%", 100*r.External))
	}
	return t.Flush()
}

func (r Result) steady() string {
	if r.SteadyAfter < 0 {
		return "never"
	}
	return fmt.Sprint(r.SteadyAfter)
}

// Ratio returns x/of with three digits, "-" where of is 0.
func Ratio(x, of int64) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(x)/float64(of))
}

func percent(x, of int64) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f%%", 100*float64(x)/float64(of))
}
