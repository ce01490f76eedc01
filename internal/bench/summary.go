package bench

import (
	"math"
	"slices"
)

// A Summary tells what runs of one kind took: order statistics, which a few
// disturbed runs do not move.
type Summary struct {
	Median, Low, High float64 // Low and High are the quartiles
	Min, Max          float64
}

// Summarise orders runtimes. Of none it gives zeros.
func Summarise(runs []int64) Summary {
	if len(runs) == 0 {
		return Summary{}
	}
	xs := slices.Clone(runs)
	slices.Sort(xs)
	return Summary{
		Median: quantile(xs, 0.5), Low: quantile(xs, 0.25), High: quantile(xs, 0.75),
		Min: float64(xs[0]), Max: float64(xs[len(xs)-1]),
	}
}

// quantile is the value at a share of the way through sorted numbers, linear
// between two of them.
func quantile(xs []int64, share float64) float64 {
	at := share * float64(len(xs)-1)
	lo := int(math.Floor(at))
	hi := min(lo+1, len(xs)-1)
	return float64(xs[lo]) + (at-float64(lo))*float64(xs[hi]-xs[lo])
}

// Spread is half the range between the quartiles, as a share of the median.
func (s Summary) Spread() float64 {
	if s.Median == 0 {
		return 0
	}
	return (s.High - s.Low) / 2 / s.Median
}

// Apart reports whether the middle halves of two measurements do not touch; if
// they do, a difference of the medians says little.
func (s Summary) Apart(t Summary) bool { return s.High < t.Low || t.High < s.Low }
