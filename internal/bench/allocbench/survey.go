package allocbench

import (
	"fmt"

	"github.com/memc-lang/memc/runtime"
)

// takeAndGive lets n work-items allocate a block each, checks the blocks, and frees
// them; the times of both. A block that is missing is an error unless short is set.
func (s *session) takeAndGive(n, size, most int64, short bool) (take, give float64, err error) {
	if err := s.inTime(); err != nil {
		return 0, 0, err
	}
	var takes, gives []float64
	groups := (n + 255) / 256
	common := []runtime.Arg{blk(s.heap.Block), blk(s.ptrs), u32(n)}
	sized := append(common[:3:3], u32(size), u32(most))
	for rep := range s.cfg.Reps + s.warmUps() {
		t, err := s.time("take", groups, 256, sized...)
		if err != nil {
			return 0, 0, err
		}
		if err := s.inspect(groups, n, sized, short); err != nil {
			return 0, 0, err
		}
		g, err := s.time("give", groups, 256, common...)
		if err != nil {
			return 0, 0, err
		}
		if rep >= s.warmUps() {
			takes, gives = append(takes, t), append(gives, g)
		}
		if !s.alloc.Frees {
			if err := s.reset(); err != nil {
				return 0, 0, err
			}
		}
	}
	return middle(takes), middle(gives), s.check(0)
}

// inspect stamps and verifies the blocks. AWMalloc's may overlap, and are not.
func (s *session) inspect(groups, n int64, sized []runtime.Arg, short bool) error {
	if !s.alloc.Safe {
		return nil
	}
	if err := s.clear(); err != nil {
		return err
	}
	if err := s.heap.Launch("stamp", groups, 256, sized...); err != nil {
		return err
	}
	if err := s.heap.Launch("verify", groups, 256, append(sized[:5:5], blk(s.res))...); err != nil {
		return err
	}
	c, err := s.counters(3)
	if err != nil {
		return err
	}
	if c[2] != 0 || c[0]+c[1] != n || (!short && c[1] != 0) {
		v, err := s.heap.Survey()
		return fmt.Errorf("of %d blocks %d are missing and %d are damaged; %d requests found the heap full, and %d gave up; largest free chunk %d of %d units (%v)",
			n, c[1], c[2], v.Full, v.Contended, v.LargestFree, v.FreeUnits, err)
	}
	return nil
}

func middle(v []float64) float64 {
	for i := 1; i < len(v); i++ {
		for j := i; j > 0 && v[j] < v[j-1]; j-- {
			v[j], v[j-1] = v[j-1], v[j]
		}
	}
	return v[len(v)/2]
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
func (s *session) sizes() error {
	all := []int64{4, 8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 192, 256, 272, 384, 512, 768, 1024, 1040, 1536, 2048, 2064, 3072, 4096, 4112, 6144, 8192, 8208, 12288, 16384}
	for _, n := range s.threads() {
		for _, size := range points(s, all) {
			if n*(size+16)*3/2 > s.cfg.HeapBytes {
				continue
			}
			if err := s.reset(); err != nil {
				return err
			}
			t, g, err := s.takeAndGive(n, size, 0, false)
			if err != nil {
				return fmt.Errorf("%d blocks of %d bytes: %w", n, size, err)
			}
			s.row("size", float64(size), fmt.Sprintf("ms to allocate, %d threads", n), t)
			s.row("size", float64(size), fmt.Sprintf("ms to free, %d threads", n), g)
		}
	}
	return nil
}

func (s *session) mixed() error {
	for _, n := range s.threads() {
		for _, most := range points(s, []int64{16, 64, 256, 1024, 4096, 8192}) {
			if n*(most+16) > s.cfg.HeapBytes {
				continue
			}
			if err := s.reset(); err != nil {
				return err
			}
			t, g, err := s.takeAndGive(n, 4, most, false)
			if err != nil {
				return fmt.Errorf("%d blocks of up to %d bytes: %w", n, most, err)
			}
			s.row("most", float64(most), fmt.Sprintf("ms to allocate, %d threads", n), t)
			s.row("most", float64(most), fmt.Sprintf("ms to free, %d threads", n), g)
		}
	}
	return nil
}

func (s *session) scaling() error {
	top := int64(1 << 20)
	if !s.ctx.Device().GPU || s.cfg.Quick {
		top = 1 << 13
	}
	for n := int64(1); n <= top; n *= 4 {
		if err := s.reset(); err != nil {
			return err
		}
		t, _, err := s.takeAndGive(n, 64, 0, false)
		if err != nil {
			return fmt.Errorf("%d work-items: %w", n, err)
		}
		s.row("work-items", float64(n), "ms to allocate", t)
	}
	return nil
}

// fragmentation gives formulas (2) and (3) with 10,000 blocks in the heap, and the
// range of their addresses by the least that they could have.
func (s *session) fragmentation() error {
	const n = 10000
	args := func(size int64) []runtime.Arg {
		return []runtime.Arg{blk(s.heap.Block), blk(s.ptrs), u32(n), u32(size), u32(0)}
	}
	for _, size := range points(s, []int64{4, 16, 64, 256, 1024, 4096}) {
		if n*(size+32) > s.cfg.HeapBytes {
			continue
		}
		if err := s.reset(); err != nil {
			return err
		}
		if err := s.clear(); err != nil {
			return err
		}
		if err := s.ctx.WriteElem(s.res, 4, 4, 0xffffffff); err != nil {
			return err
		}
		for _, k := range []string{"take", "fragment"} {
			a := args(size)
			if k == "fragment" {
				a = append(a, blk(s.res))
			}
			if err := s.heap.Launch(k, (n+255)/256, 256, a...); err != nil {
				return err
			}
		}
		c, err := s.counters(6)
		if err != nil {
			return err
		}
		v, err := s.heap.Survey()
		if err != nil {
			return err
		}
		s.row("size", float64(size), "internal", float64(c[3])/4096/n)
		s.row("size", float64(size), "external", 1-float64(v.LargestFree)/float64(max(1, v.FreeUnits)))
		s.row("size", float64(size), "range by ideal", float64(c[5]-c[4])*16/float64(n*max(16, size)))
		if err := s.giveAll(n); err != nil {
			return err
		}
		if err := s.check(0); err != nil {
			return err
		}
	}
	return nil
}

// exhaustion fills a heap of at most 16 MiB, and gives how much of it requests got.
func (s *session) exhaustion() error {
	bytes := min(s.cfg.HeapBytes, 16<<20)
	if s.cfg.Quick {
		bytes = min(bytes, 8<<20)
	}
	if !s.alloc.Safe {
		return nil // it is never full
	}
	block, err := s.ctx.Alloc(bytes, 0)
	if err != nil {
		return err
	}
	defer block.Release()
	part := *s
	part.heap = s.heapOf(block)
	for _, size := range points(s, []int64{16, 48, 64, 200, 256, 1000, 1024, 3000, 4096, 8192, 20000, 65536}) {
		if err := s.inTime(); err != nil {
			return err
		}
		if err := part.reset(); err != nil {
			return err
		}
		if err := s.clear(); err != nil {
			return err
		}
		t, err := part.time("exhaust", 16, 64, blk(block), u32(size), blk(s.res))
		if err != nil {
			return err
		}
		c, err := s.counters(1)
		if err != nil {
			return err
		}
		if err := part.check(c[0]); err != nil {
			return err
		}
		s.row("size", float64(size), "percent used", 100*float64(c[0]*size)/float64(bytes))
		s.row("size", float64(size), "ms", t)
	}
	return nil
}
