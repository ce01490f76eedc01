package device

import (
	"fmt"

	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/device/cl"
)

// A QueueHeap is the device-executed heap: its allocations and frees are commands
// in the queue. The host knows slots, never addresses or whether there was room.
type QueueHeap struct {
	Block *runtime.Block // the heap
	Slots *runtime.Block // the address buffer: 16 bytes a slot
	ctx   *runtime.Context
	prog  *runtime.Program
	free  []int // slots not handed out; the last one is next
}

// maxQueueBytes is what 32 bits count in words.
const maxQueueBytes = 4 << 32

// QueueSource returns the heap's functions and kernels as one text.
func QueueSource() (string, error) {
	head, err := cl.File("memc_heap.h")
	if err != nil {
		return "", err
	}
	kernels, err := cl.File("memc_heap_kernels.cl")
	return head + kernels, err
}

// NewQueueHeap makes a heap of that many bytes for at most slots blocks at a time;
// kernels of the user are built with it.
func NewQueueHeap(ctx *runtime.Context, bytes int64, slots int, kernels string) (*QueueHeap, error) {
	if least := int64(4 * (16 + slots + 1 + 16)); bytes < least || slots < 1 {
		return nil, fmt.Errorf("a heap of %d bytes for %d blocks has no room for its header of %d", bytes, slots, least)
	}
	if bytes > maxQueueBytes {
		return nil, fmt.Errorf("a heap of %d bytes is above the %d that addresses reach", bytes, int64(maxQueueBytes))
	}
	src, err := QueueSource()
	if err != nil {
		return nil, err
	}
	q := &QueueHeap{ctx: ctx}
	if q.prog, err = ctx.Build(src+kernels, ""); err != nil {
		return nil, err
	}
	if q.Block, err = ctx.Alloc(bytes, 0); err == nil {
		q.Slots, err = ctx.Alloc(16*int64(slots), 0)
	}
	if err == nil {
		err = ctx.Write(q.Slots, 0, make([]byte, 16*slots))
	}
	if err == nil {
		err = q.Launch("memc_q_start", runtime.Arg{Block: q.Block}, word(bytes, 8), word(int64(slots), 4))
	}
	if err != nil {
		q.Release()
		return nil, err
	}
	for i := range slots {
		q.free = append(q.free, slots-1-i)
	}
	return q, nil
}

// Release gives everything back.
func (q *QueueHeap) Release() {
	q.Slots.Release()
	q.Block.Release()
	q.prog.Release()
}

func word(v int64, size int) runtime.Arg { return runtime.Arg{Bits: uint64(v), Size: size} }

// Launch puts a kernel of one work-item into the queue.
func (q *QueueHeap) Launch(kernel string, args ...runtime.Arg) error {
	k, err := q.prog.Kernel(kernel)
	if err != nil {
		return err
	}
	return q.ctx.Launch(k, 1, 1, args)
}

// take hands out a slot.
func (q *QueueHeap) take() (int, error) {
	if len(q.free) == 0 {
		return 0, fmt.Errorf("all %d slots of the address buffer are handed out", q.Slots.Size()/16)
	}
	slot := q.free[len(q.free)-1]
	q.free = q.free[:len(q.free)-1]
	return slot, nil
}

// Allocate requests count elements of stride words, aligned to the stride. It returns the slot that
// will hold the address: words 0 to 3 are the raw address, the aligned one in strides and in words,
// and the status (1: the address is there).
func (q *QueueHeap) Allocate(count, stride int64) (slot int, err error) {
	if slot, err = q.take(); err != nil {
		return 0, err
	}
	if count>>32 != 0 || stride>>32 != 0 {
		stride = 0 // which the command refuses; it takes 32 bits of each
	}
	return slot, q.Launch("memc_q_alloc", runtime.Arg{Block: q.Block}, runtime.Arg{Block: q.Slots}, word(int64(slot), 4), word(count, 4), word(stride, 4))
}

// AllocateFrom is Allocate with count and stride from words of a block, as they
// are when the command runs.
func (q *QueueHeap) AllocateFrom(args *runtime.Block, countWord, strideWord int64) (slot int, err error) {
	if slot, err = q.take(); err != nil {
		return 0, err
	}
	return slot, q.Launch("memc_q_alloc_from", runtime.Arg{Block: q.Block}, runtime.Arg{Block: q.Slots}, word(int64(slot), 4),
		runtime.Arg{Block: args}, word(countWord, 4), word(strideWord, 4))
}

// Free frees the slot's block, whatever it will be, and takes the slot back.
func (q *QueueHeap) Free(slot int) error {
	q.free = append(q.free, slot)
	return q.Launch("memc_q_release", runtime.Arg{Block: q.Block}, runtime.Arg{Block: q.Slots}, word(int64(slot), 4))
}
