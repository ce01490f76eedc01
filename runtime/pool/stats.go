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

func (s *Stats) got(b *Block) {
	s.Hits[b.kind]++
	s.Blocks++
	s.Asked += b.asked
	s.Rounded += b.size
	s.PeakAsked = max(s.PeakAsked, s.Asked)
	s.PeakRounded = max(s.PeakRounded, s.Rounded)
}

func (s *Stats) put(b *Block) {
	s.Blocks--
	s.Asked -= b.asked
	s.Rounded -= b.size
}

// Refused returns the size of the buffer that was refused last, and whether the limit did it, and not
// the source.
func (p *Pool) Refused() (bytes int64, byLimit bool) { return p.refused, p.refusal == errLimit }

// Counts returns the statistics so far but for LargestFree, in no time.
func (p *Pool) Counts() Stats { return p.stats }

// ResetPeaks lets the peaks start anew at what there is now. It changes no
// decision.
func (p *Pool) ResetPeaks() {
	s := &p.stats
	s.PeakAsked, s.PeakRounded, s.PeakHeld = s.Asked, s.Rounded, s.Held
}

// Stats returns the statistics so far.
func (p *Pool) Stats() Stats {
	s := p.stats
	for _, f := range []*bins{&p.brief, &p.lasting, &p.whole} {
		if b := f.largest(all); b != nil {
			s.LargestFree = max(s.LargestFree, b.size)
		}
	}
	return s
}
