package allocbench

import (
	"fmt"

	"github.com/memc-lang/memc/internal/bench/try"
	"github.com/memc-lang/memc/runtime"
)

// takeAndGive lets n work-items allocate a block each, checks the blocks, and frees
// them; the times of both. A block that is missing is an error unless short is set.
func (s *session) takeAndGive(n, size, most int64, short bool) (take, give float64) {
	s.inTime()
	var takes, gives []float64
	groups := (n + 255) / 256
	common := []runtime.Arg{blk(s.heap.Block), blk(s.ptrs), u32(n)}
	sized := append(common[:3:3], u32(size), u32(most))
	for rep := range s.cfg.Reps + s.warmUps() {
		t := s.time("take", groups, 256, sized...)
		s.inspect(groups, n, sized, short)
		g := s.time("give", groups, 256, common...)
		if rep >= s.warmUps() {
			takes, gives = append(takes, t), append(gives, g)
		}
		if !s.alloc.Frees {
			s.reset()
		}
	}
	s.check(0)
	return middle(takes), middle(gives)
}

// inspect stamps and verifies the blocks. AWMalloc's may overlap, and are not.
func (s *session) inspect(groups, n int64, sized []runtime.Arg, short bool) {
	if !s.alloc.Safe {
		return
	}
	s.clear()
	s.launch("stamp", groups, sized...)
	s.launch("verify", groups, append(sized[:5:5], blk(s.res))...)
	c := s.counters(3)
	if c[2] != 0 || c[0]+c[1] != n || (!short && c[1] != 0) {
		v, err := s.heap.Survey()
		try.Do(fmt.Errorf("of %d blocks %d are missing and %d are damaged; %d requests found the heap full, and %d gave up; largest free chunk %d of %d units (%v)",
			n, c[1], c[2], v.Full, v.Contended, v.LargestFree, v.FreeUnits, err))
	}
}

// threads are the survey's numbers of work-items, fewer where that would take
// minutes: on CPUs.
func (s *session) threads() []int64 {
	if !s.ctx.Device().GPU || s.cfg.Quick {
		return []int64{1000, 10000}
	}
	return []int64{10000, 100000}
}

// sizes is the survey's first test.
func (s *session) sizes() {
	all := []int64{4, 8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 192, 256, 272, 384, 512, 768, 1024, 1040, 1536, 2048, 2064, 3072, 4096, 4112, 6144, 8192, 8208, 12288, 16384}
	for _, n := range s.threads() {
		for _, size := range points(s, all) {
			if n*(size+16)*3/2 > s.cfg.HeapBytes {
				continue
			}
			s.reset()
			s.point = fmt.Sprintf("%d blocks of %d bytes", n, size)
			t, g := s.takeAndGive(n, size, 0, false)
			s.row("size", float64(size), fmt.Sprintf("ms to allocate, %d threads", n), t)
			s.row("size", float64(size), fmt.Sprintf("ms to free, %d threads", n), g)
		}
	}
}

func (s *session) mixed() {
	for _, n := range s.threads() {
		for _, most := range points(s, []int64{16, 64, 256, 1024, 4096, 8192}) {
			if n*(most+16) > s.cfg.HeapBytes {
				continue
			}
			s.reset()
			s.point = fmt.Sprintf("%d blocks of up to %d bytes", n, most)
			t, g := s.takeAndGive(n, 4, most, false)
			s.row("most", float64(most), fmt.Sprintf("ms to allocate, %d threads", n), t)
			s.row("most", float64(most), fmt.Sprintf("ms to free, %d threads", n), g)
		}
	}
}

func (s *session) scaling() {
	top := int64(1 << 20)
	if !s.ctx.Device().GPU || s.cfg.Quick {
		top = 1 << 13
	}
	for n := int64(1); n <= top; n *= 4 {
		s.reset()
		s.point = fmt.Sprintf("%d work-items", n)
		t, _ := s.takeAndGive(n, 64, 0, false)
		s.row("work-items", float64(n), "ms to allocate", t)
	}
}

// fragmentation gives formulas (2) and (3) with 10,000 blocks in the heap, and the
// range of their addresses by the least that they could have.
func (s *session) fragmentation() {
	const n = 10000
	for _, size := range points(s, []int64{4, 16, 64, 256, 1024, 4096}) {
		if n*(size+32) > s.cfg.HeapBytes {
			continue
		}
		s.reset()
		s.clear()
		try.Do(s.ctx.WriteElem(s.res, 4, 4, 0xffffffff))
		args := []runtime.Arg{blk(s.heap.Block), blk(s.ptrs), u32(n), u32(size), u32(0)}
		s.launch("take", (n+255)/256, args...)
		s.launch("fragment", (n+255)/256, append(args, blk(s.res))...)
		c := s.counters(6)
		v := try.Get(s.heap.Survey())
		s.row("size", float64(size), "internal", float64(c[3])/4096/n)
		s.row("size", float64(size), "external", 1-float64(v.LargestFree)/float64(max(1, v.FreeUnits)))
		s.row("size", float64(size), "range by ideal", float64(c[5]-c[4])*16/float64(n*max(16, size)))
		s.giveAll(n)
		s.check(0)
	}
}

// exhaustion fills a heap of at most 16 MiB, and gives how much of it requests got.
func (s *session) exhaustion() {
	bytes := min(s.cfg.HeapBytes, 16<<20)
	if s.cfg.Quick {
		bytes = min(bytes, 8<<20)
	}
	if !s.alloc.Safe {
		return // it is never full
	}
	s.onHeap(bytes, func(part *session) {
		for _, size := range points(s, []int64{16, 48, 64, 200, 256, 1000, 1024, 3000, 4096, 8192, 20000, 65536}) {
			s.inTime()
			part.reset()
			s.clear()
			t := part.time("exhaust", 16, 64, blk(part.heap.Block), u32(size), blk(s.res))
			c := s.counters(1)
			part.check(c[0])
			s.row("size", float64(size), "percent used", 100*float64(c[0]*size)/float64(bytes))
			s.row("size", float64(size), "ms", t)
		}
	})
}
