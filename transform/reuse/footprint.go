package reuse

import (
	"github.com/memc-lang/memc/analysis/peak"
)

// A footprint is what a function needs, to compare rewrites.
type footprint struct {
	peaks  []int64 // under each sample
	allocs int
	inside int // of these in loops
}

func (s *state) footprint() (out footprint) {
	out.peaks = s.table.Peak().Sampled()
	for _, b := range s.table.Blocks {
		if b.Kind != peak.Allocated {
			continue
		}
		if out.allocs++; s.innermostLoop(b.Region) > 0 {
			out.inside++
		}
	}
	return out
}

// less reports whether a footprint is smaller than another one, and its peak nowhere higher.
func (p footprint) less(q footprint) bool {
	smaller := false
	for k := range p.peaks {
		if p.peaks[k] > q.peaks[k] {
			return false
		}
		smaller = smaller || p.peaks[k] < q.peaks[k]
	}
	return smaller || p.allocs < q.allocs || p.allocs == q.allocs && p.inside < q.inside
}
