package pool

// Stats is what a pool has done, and what it holds. Bytes "asked" are those of
// requests, "rounded" those of blocks, "held" those of buffers.
type Stats struct {
	Requests int64           // calls of Get
	Hits     [numKinds]int64 // by kind; those of Miss needed a new buffer
	Failures int64           // requests that got nothing

	Creates  int64 // buffers made
	Releases int64 // buffers handed back
	Refusals int64 // buffers that the source would not make
	Ladders  int64 // times that room had to be found

	Blocks, Buffers                  int64 // now
	Asked, Rounded, Held             int64 // bytes now
	PeakAsked, PeakRounded, PeakHeld int64

	Limit    int64 // bytes that blocks may have, as asked, without those of Reserve
	Reserved int64 // by Reserve

	LargestFree int64 // bytes in the largest free block
}

// Free returns the bytes held and not in use.
func (s *Stats) Free() int64 { return s.Held - s.Rounded }

// Internal returns the internal fragmentation: the part of blocks in use that
// nobody asked for.
func (s *Stats) Internal() float64 { return part(s.Rounded-s.Asked, s.Rounded) }

// External returns the external fragmentation: the part of the free bytes that
// lies outside of the largest free block.
func (s *Stats) External() float64 { return part(s.Free()-s.LargestFree, s.Free()) }

func part(x, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(x) / float64(of)
}
