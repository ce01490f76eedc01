package allocbench

import "github.com/memc-lang/memc/runtime"

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
func (s *session) allocDealloc() error {
	for _, size := range paperSizes(s) {
		for _, step := range []int64{every, 1} {
			if s.cfg.Groups*256/step*(size+16) > s.cfg.HeapBytes {
				continue
			}
			v, err := s.median(func() (float64, error) {
				if err := s.reset(); err != nil {
					return 0, err
				}
				return s.time("ad", s.cfg.Groups, 256, blk(s.heap.Block), u32(step), u32(size))
			})
			if err != nil {
				return err
			}
			metric := "ms, one lane"
			if step == 1 {
				metric = "ms, all lanes"
			}
			s.row("size", float64(size), metric, v)
			if err := s.check(0); err != nil {
				return err
			}
		}
	}
	return nil
}

// cycles is ACD: figures 4, 3(b) and 3(c).
func (s *session) cycles() error {
	one := func(heap *session, x string, at float64, size, rounds int64) error {
		if s.cfg.Groups*256/every*rounds*(size+16) > heap.heap.Block.Size()*9/10 {
			return nil // some members could not serve all, and a null is fast
		}
		v, err := s.median(func() (float64, error) {
			if err := heap.reset(); err != nil {
				return 0, err
			}
			return heap.time("acd", s.cfg.Groups, 256, blk(heap.heap.Block), blk(s.ptrs), u32(every), u32(size), u32(rounds))
		})
		if err != nil {
			return err
		}
		s.row(x, at, "ms", v)
		return heap.check(0)
	}
	for _, size := range paperSizes(s) {
		if err := one(s, "size", float64(size), size, 10); err != nil {
			return err
		}
	}
	for _, rounds := range points(s, []int64{10, 20, 30, 40, 50, 60, 70, 80, 90, 100}) {
		if err := one(s, "cycles", float64(rounds), 4, rounds); err != nil {
			return err
		}
	}
	for b := int64(128 << 10); b <= s.cfg.HeapBytes; b *= 4 {
		block, err := s.ctx.Alloc(b, 0)
		if err != nil {
			return err
		}
		part := *s
		part.heap = s.heapOf(block)
		err = one(&part, "heap", float64(b), 4, 10)
		block.Release()
		if err != nil {
			return err
		}
	}
	return nil
}

// probability is P: figure 3(d).
func (s *session) probability() error {
	for _, groups := range points(s, []int64{1, 15, 30, 45, 60, 75, 90, 105, 120}) {
		if err := s.reset(); err != nil {
			return err
		}
		n := groups * 256 / every
		if err := s.ctx.Write(s.ptrs, 0, make([]byte, 8*n)); err != nil {
			return err
		}
		seed := int64(0)
		v, err := s.median(func() (float64, error) {
			sum := 0.0
			for range 10 {
				seed += 7919
				t, err := s.time("probability", groups, 256, blk(s.heap.Block), blk(s.ptrs), u32(every), u32(4), u32(seed))
				if err != nil {
					return 0, err
				}
				sum += t
			}
			return sum, nil
		})
		if err != nil {
			return err
		}
		s.row("groups", float64(groups), "ms for 10", v)
		if err := s.giveAll(n); err != nil {
			return err
		}
		if err := s.check(0); err != nil {
			return err
		}
	}
	return nil
}

// giveAll frees the first n blocks of ptrs.
func (s *session) giveAll(n int64) error {
	return s.heap.Launch("give", (n+255)/256, 256, []runtime.Arg{blk(s.heap.Block), blk(s.ptrs), u32(n)}...)
}
