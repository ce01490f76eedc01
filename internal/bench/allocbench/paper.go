package allocbench

import (
	"github.com/memc-lang/memc/internal/bench/try"
)

// every is the paper's: one lane of each warp allocates.
const every = 32

// paperSizes are 4 bytes to 128 KB.
func paperSizes(s *session) []int64 {
	var all []int64
	for b := int64(4); b <= 128<<10; b *= 2 {
		all = append(all, b)
	}
	return points(s, all)
}

// The paper's tests start each repetition with an empty heap: the counter, which
// frees nothing, would else be full after some.

// allocDealloc is AD: figure 3(a). The same is done by every work-item, too.
func (s *session) allocDealloc() {
	for _, size := range paperSizes(s) {
		for _, step := range []int64{every, 1} {
			if s.cfg.Groups*256/step*(size+16) > s.cfg.HeapBytes {
				continue
			}
			v := s.median(func() float64 {
				s.reset()
				return s.time("ad", s.cfg.Groups, 256, blk(s.heap.Block), u32(step), u32(size))
			})
			metric := "ms, one lane"
			if step == 1 {
				metric = "ms, all lanes"
			}
			s.row("size", float64(size), metric, v)
			s.check(0)
		}
	}
}

// cycles is ACD: figures 4, 3(b) and 3(c).
func (s *session) cycles() {
	one := func(heap *session, x string, at float64, size, rounds int64) {
		if s.cfg.Groups*256/every*rounds*(size+16) > heap.heap.Block.Size()*9/10 {
			return // some members could not serve all, and a null is fast
		}
		v := s.median(func() float64 {
			heap.reset()
			return heap.time("acd", s.cfg.Groups, 256, blk(heap.heap.Block), blk(s.ptrs), u32(every), u32(size), u32(rounds))
		})
		s.row(x, at, "ms", v)
		heap.check(0)
	}
	for _, size := range paperSizes(s) {
		one(s, "size", float64(size), size, 10)
	}
	for _, rounds := range points(s, []int64{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}) {
		one(s, "cycles", float64(rounds), 4, rounds)
	}
	for b := int64(128 << 10); b <= s.cfg.HeapBytes; b *= 4 {
		s.onHeap(b, func(part *session) { one(part, "heap", float64(b), 4, 10) })
	}
}

// probability is P: figure 3(d).
func (s *session) probability() {
	for _, groups := range points(s, []int64{1, 15, 30, 45, 60, 75, 90, 105, 120}) {
		s.reset()
		n := groups * 256 / every
		try.Do(s.ctx.Write(s.ptrs, 0, make([]byte, 8*n)))
		seed := int64(0)
		v := s.median(func() float64 {
			sum := 0.0
			for range 10 {
				seed += 7919
				sum += s.time("probability", groups, 256, blk(s.heap.Block), blk(s.ptrs), u32(every), u32(4), u32(seed))
			}
			return sum
		})
		s.row("groups", float64(groups), "ms for 10", v)
		s.giveAll(n)
		s.check(0)
	}
}

// giveAll frees the first n blocks of ptrs.
func (s *session) giveAll(n int64) {
	s.launch("give", (n+255)/256, blk(s.heap.Block), blk(s.ptrs), u32(n))
}
