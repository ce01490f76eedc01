package pool

import "math/bits"

// The bins hold free blocks by their size in grains u: exact sizes below 16; above,
// 16 bins for every power of two. A bitmap tells which bins are not empty. Blocks are added at the
// front: among equals, the one freed last is taken first, because its pages are the most likely to
// be resident.

const (
	subBins = 16
	numBins = subBins + (64-8-4)*subBins // sizes up to 2^63, grains of 2^8
	// binSearch bounds how many blocks of a bin are looked at for the best fit, and binLast how many
	// before the answer is that there is none.
	binSearch = 32
	binLast   = 1024
)

type bins struct {
	heads [numBins]*Block
	used  [(numBins + 63) / 64]uint64
	count int
}

func binOf(size int64) int {
	u := uint64(size) / Grain
	if u < subBins {
		return int(u)
	}
	e := bits.Len64(u) - 1 // >= 4
	return subBins + (e-4)*subBins + int(u>>(e-4))&(subBins-1)
}

func (s *bins) add(b *Block) {
	i := binOf(b.size)
	b.bin = i + 1 // 0: in no bin
	b.prev, b.next = nil, s.heads[i]
	if b.next != nil {
		b.next.prev = b
	}
	s.heads[i] = b
	s.used[i>>6] |= 1 << (i & 63)
	s.count++
}

func (s *bins) remove(b *Block) {
	if b.bin == 0 {
		return
	}
	i := b.bin - 1
	if b.prev != nil {
		b.prev.next = b.next
	} else if s.heads[i] = b.next; b.next == nil {
		s.used[i>>6] &^= 1 << (i & 63)
	}
	if b.next != nil {
		b.next.prev = b.prev
	}
	b.bin, b.prev, b.next = 0, nil, nil
	s.count--
}

// best returns the smallest block of a bin that is large enough, among the first
// limit ones; of equals, the first.
func (s *bins) best(i int, size int64, limit int) *Block {
	var best *Block
	for b := s.heads[i]; b != nil && limit > 0; b, limit = b.next, limit-1 {
		if b.size >= size && (best == nil || b.size < best.size) {
			if best = b; b.size == size {
				break
			}
		}
	}
	return best
}

// find returns a free block of at least that size, or nil if there is none: the best of its own
// bin, else of the next bin that is not empty. It is the best fit if no bin holds more than
// binSearch blocks, and otherwise within 1/8 of it. Behind binLast blocks of its own bin it finds
// nothing.
func (s *bins) find(size int64) *Block {
	if s.count == 0 {
		return nil
	}
	i := binOf(size)
	if b := s.best(i, size, binSearch); b != nil {
		return b
	}
	if j := s.next(i + 1); j >= 0 {
		return s.best(j, size, binSearch)
	}
	return s.best(i, size, binLast)
}

// next returns the first bin from i on that holds anything, -1 where none does.
func (s *bins) next(i int) int {
	if i >= numBins {
		return -1
	}
	w := i >> 6
	word := s.used[w] >> (i & 63) << (i & 63)
	for word == 0 {
		if w++; w == len(s.used) {
			return -1
		}
		word = s.used[w]
	}
	return w<<6 + bits.TrailingZeros64(word)
}

// largest returns the largest free block among the first limit ones of the last bin, nil where there
// is none.
func (s *bins) largest(limit int) *Block {
	var best *Block
	for w := len(s.used) - 1; w >= 0 && best == nil; w-- {
		if s.used[w] == 0 {
			continue
		}
		for b := s.heads[w<<6+bits.Len64(s.used[w])-1]; b != nil && limit > 0; b, limit = b.next, limit-1 {
			if best == nil || b.size > best.size {
				best = b
			}
		}
	}
	return best
}

// all is a limit for best and largest that bounds nothing.
const all = int(^uint(0) >> 1)
