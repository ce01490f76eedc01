//go:build cgo

package device

import (
	"encoding/binary"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/runtime"
)

// A qblock is a block as the test sees it.
type qblock struct{ count, stride, raw, aligned uint32 }

// checkQueueHeap checks a heap's memory: blocks lie one behind the other with equal
// tags, no two free ones are neighbours, the free heap is one and holds all free
// blocks, and the allocated ones are those of live.
func checkQueueHeap(h []uint32, live map[int]qblock) error {
	first, end, free := h[4], h[5], h[3]
	raws := map[uint32]qblock{}
	for _, b := range live {
		raws[b.raw] = b
	}
	found, before := 0, false
	for b := first; b < end; {
		size, place := h[b], h[b+1]
		if size < 8 || size > end-b || h[b+size-1] != size {
			return fmt.Errorf("the block at %d has size %d at its beginning", b, size)
		}
		switch {
		case place != 0 && before:
			return fmt.Errorf("the free block at %d is behind another", b)
		case place > free || place != 0 && h[16+place-1] != b:
			return fmt.Errorf("the block at %d is not at place %d of the free heap", b, place)
		case place != 0:
			found++
			if place > 1 && h[h[16+place/2-1]] < size {
				return fmt.Errorf("the block at %d is larger than the one above it", b)
			}
		default:
			q, ok := raws[b+2]
			if !ok {
				return fmt.Errorf("the block at %d is nobody's", b)
			}
			if q.aligned%q.stride != 0 || q.aligned < q.raw || q.aligned+q.count*q.stride > b+size-1 {
				return fmt.Errorf("%d elements of %d words at %d do not lie in the block at %d of %d words", q.count, q.stride, q.aligned, b, size)
			}
			delete(raws, b+2)
		}
		before = place != 0
		b += size
	}
	if found != int(free) || len(raws) != 0 {
		return fmt.Errorf("%d free blocks are in the heap, %d in the free heap; %d live ones are not found", found, free, len(raws))
	}
	return nil
}

// Random commands, single and in batches, against what must hold at all times;
// and a request must be served if some free block is large enough, by one of the
// smallest that are.
func TestQueueHeap(t *testing.T) {
	ctx := open(t)
	const slots, words = 64, 6000
	if _, err := NewQueueHeap(ctx, 16<<30+4, slots, ""); err == nil || !strings.Contains(err.Error(), "above the 17179869184 that addresses reach") {
		t.Errorf("a heap above 16 GiB: %v", err)
	}
	q := must.Get(NewQueueHeap(ctx, 4*words, slots, ""))(t)
	defer q.Release()
	r := rand.New(rand.NewSource(5))
	live := map[int]qblock{}
	largest := uint32(0)
	free := map[uint32]uint32{} // block to size, before the command
	full := 0
	for step := range 3000 {
		slot, asked := -1, qblock{}
		if keys := sorted(live); len(keys) > 0 && (r.Intn(5) < 2 || len(keys) == slots) {
			slot := keys[r.Intn(len(keys))]
			must.Do(t, q.Free(slot))
			delete(live, slot)
		} else {
			asked = qblock{count: uint32(r.Intn(60)), stride: uint32(1 + r.Intn(12))}
			if r.Intn(10) == 0 {
				asked.count *= 10
			}
			slot = must.Get(q.Allocate(int64(asked.count), int64(asked.stride)))(t)
		}
		h, s := readWords(t, ctx, q.Block), readWords(t, ctx, q.Slots)
		if slot >= 0 {
			need := max(8, asked.count*asked.stride+asked.stride-1+3)
			asked.raw, asked.aligned = s[4*slot], s[4*slot+2]
			switch ok := s[4*slot+3] == 1; {
			case ok && s[4*slot+1]*asked.stride != asked.aligned:
				t.Fatalf("step %d: address %d in strides of %d is not %d in words", step, s[4*slot+1], asked.stride, asked.aligned)
			case ok:
				live[slot] = asked
				had := free[asked.raw-2]
				for _, size := range free {
					if size >= need && size < had {
						t.Fatalf("step %d: %d words are taken from a block of %d, and there is one of %d", step, need, had, size)
					}
				}
			case need <= largest:
				t.Fatalf("step %d: %d words are not found, and the largest free block has %d", step, need, largest)
			default:
				full++
				if err := q.Free(slot); err != nil { // of nothing
					t.Fatal(err)
				}
			}
		}
		if err := checkQueueHeap(h, live); err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
		largest = 0
		if h[3] > 0 {
			largest = h[h[16]]
		}
		clear(free)
		for _, block := range h[16 : 16+h[3]] {
			free[block] = h[block]
		}
	}
	if full == 0 {
		t.Error("the heap was never full")
	}
	for _, slot := range sorted(live) {
		must.Do(t, q.Free(slot))
	}
	h := readWords(t, ctx, q.Block)
	if err := checkQueueHeap(h, nil); err != nil || h[3] != 1 || h[7] != 0 {
		t.Errorf("when all is free there are %d free blocks, and %d errors (%v)", h[3], h[7], err)
	}
}

func sorted(m map[int]qblock) (keys []int) {
	for k := range 64 {
		if _, ok := m[k]; ok {
			keys = append(keys, k)
		}
	}
	return keys
}

func readWords(t *testing.T, ctx *runtime.Context, b *runtime.Block) []uint32 {
	t.Helper()
	buf := make([]byte, b.Size())
	must.Do(t, ctx.Read(b, 0, buf))
	out := make([]uint32, len(buf)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(buf[4*i:])
	}
	return out
}

// A kernel decides how much it needs; the heap serves it, a second kernel fills
// what it got and a third reads it, all without the host knowing any of it. What
// cannot be served is told in the slot, a wrong free in the header.
func TestQueueHeapFromDevice(t *testing.T) {
	ctx := open(t)
	q := must.Get(NewQueueHeap(ctx, 1<<16, 8, `
__kernel void decide(__global uchar *a, long at, uint n) { ((__global uint *)(a + at))[0] = n * n; ((__global uint *)(a + at))[1] = 6; }
__kernel void fill(__global uchar *h, long at, __global uchar *s, long sat, uint slot, __global uchar *a, long aat) {
  uint first = ((__global uint *)(s + sat))[slot * 4 + 1] * 6;
  for (uint i = 0; i < ((__global uint *)(a + aat))[0] * 6; i++) ((__global uint *)(h + at))[first + i] = i;
}
__kernel void sum(__global uchar *h, long at, __global uchar *s, long sat, uint slot, __global uchar *a, long aat) {
  uint first = ((__global uint *)(s + sat))[slot * 4 + 2], v = 0;
  for (uint i = 0; i < ((__global uint *)(a + aat))[0] * 6; i++) v += ((__global uint *)(h + at))[first + i];
  ((__global uint *)(a + aat))[2] = v;
}`))(t)
	defer q.Release()
	args := must.Get(ctx.Alloc(16, 0))(t)
	defer args.Release()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	other, err := q.Allocate(3, 5)
	must(err)
	must(q.Launch("decide", blk(args), u32(20)))
	slot, err := q.AllocateFrom(args, 0, 1)
	must(err)
	must(q.Launch("fill", blk(q.Block), blk(q.Slots), u32(int64(slot)), blk(args)))
	must(q.Free(other))
	must(q.Launch("sum", blk(q.Block), blk(q.Slots), u32(int64(slot)), blk(args)))
	if v, err := ctx.ReadElem(args, 2, 4); err != nil || v != 2400*2399/2 {
		t.Errorf("the sum is %d (%v), want %d", v, err, 2400*2399/2)
	}
	for _, bad := range [][2]int64{{1 << 20, 1}, {5, 0}, {1 << 31, 1 << 31}, {1<<32 + 1, 1}, {1, 1<<32 + 1}, {-1 << 32, 1}} {
		s, err := q.Allocate(bad[0], bad[1])
		must(err)
		if v, err := ctx.ReadElem(q.Slots, int64(4*s+3), 4); err != nil || v < 2 {
			t.Errorf("%d elements of %d words have status %d (%v)", bad[0], bad[1], v, err)
		}
		must(q.Free(s))
	}
	must(ctx.WriteElem(q.Slots, int64(4*slot), 4, 4000)) // not what it was
	must(q.Free(slot))
	if h := readWords(t, ctx, q.Block); h[7] != 1 {
		t.Errorf("%d wrong frees are counted, want 1", h[7])
	}
	for range 8 {
		if _, err := q.Allocate(1, 1); err != nil {
			t.Error(err)
		}
	}
	if _, err := q.Allocate(1, 1); err == nil {
		t.Error("a ninth slot of eight is handed out")
	}
	if _, err := NewQueueHeap(ctx, 64, 8, ""); err == nil {
		t.Error("a heap without room for its header is made")
	}
}
