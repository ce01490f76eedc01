package device

import (
	"encoding/binary"
	"fmt"

	"github.com/memc-lang/memc/runtime"
)

// A Heap is device memory that kernels allocate from.
type Heap struct {
	Allocator Allocator
	Block     *runtime.Block
	Program   *runtime.Program // the allocator's kernels, and the user's
	ctx       *runtime.Context
	hints     int
}

// HeapOptions say how a heap is made.
type HeapOptions struct {
	Bytes   int64
	Hints   int      // search offsets; 0: one for each of 64 groups
	Defines []string // for the sources, "MEMC_DEBUG 1" for instance
	Kernels string   // the user's kernels, which may call memc_malloc and memc_free
	Build   string   // options for the device's compiler
}

// MinBytes is the least that a heap can have: its header. Much of it is needed
// before there is room for a block, too; a heap without such room is always full.
const MinBytes = 1024

// NewHeap builds the allocator with the user's kernels, and prepares a heap.
func NewHeap(ctx *runtime.Context, a Allocator, opt HeapOptions) (*Heap, error) {
	if opt.Bytes < MinBytes {
		return nil, fmt.Errorf("a heap of %d bytes has no room for its header of %d", opt.Bytes, MinBytes)
	}
	src, err := a.Kernels(opt.Defines...)
	if err != nil {
		return nil, err
	}
	h := &Heap{Allocator: a, ctx: ctx, hints: opt.Hints}
	if h.hints <= 0 {
		h.hints = 64
	}
	if h.Program, err = ctx.Build(src+opt.Kernels, opt.Build); err != nil {
		return nil, fmt.Errorf("allocator %s: %w", a.Name, err)
	}
	if h.Block, err = ctx.Alloc(opt.Bytes, 0); err != nil {
		h.Program.Release()
		return nil, err
	}
	if err = h.Reset(); err != nil {
		h.Release()
		return nil, err
	}
	return h, nil
}

// Use makes a heap of a block, with kernels that are built already: those of
// Allocator.Kernels, and the user's. Block and program stay the caller's.
func Use(ctx *runtime.Context, a Allocator, prog *runtime.Program, block *runtime.Block, hints int) (*Heap, error) {
	if block.Size() < MinBytes {
		return nil, fmt.Errorf("a heap of %d bytes has no room for its header of %d", block.Size(), MinBytes)
	}
	h := &Heap{Allocator: a, Block: block, Program: prog, ctx: ctx, hints: max(1, hints)}
	return h, h.Reset()
}

// Release gives the heap and its kernels back.
func (h *Heap) Release() {
	h.Block.Release()
	h.Program.Release()
}

// Reset makes the heap empty. It does not wait.
func (h *Heap) Reset() error {
	args := []runtime.Arg{{Block: h.Block}, {Bits: uint64(h.Block.Size()), Size: 8}, {Bits: uint64(h.hints), Size: 4}}
	for _, name := range []string{"memc_heap_clear", "memc_heap_split"} {
		k, err := h.Program.Kernel(name)
		if err != nil {
			return err
		}
		if err := h.ctx.LaunchUncounted(k, 64, 256, args); err != nil {
			return err
		}
	}
	return nil
}

// Launch runs one of the heap's kernels.
func (h *Heap) Launch(name string, groups, groupSize int64, args ...runtime.Arg) error {
	k, err := h.Program.Kernel(name)
	if err != nil {
		return err
	}
	return h.ctx.Launch(k, groups, groupSize, args)
}

// Survey counts a heap's contents on the device. Units are 16 bytes.
type Survey struct {
	FreeChunks, UsedChunks int64
	FreeUnits, UsedUnits   int64
	LargestFree            int64
	Broken                 int64 // chunks that do not end where another starts
	Pages, Slots           int64 // slab: pages of slots, slots in use
	BadPages               int64 // slab: pages whose count and bits differ
	SlotUnits              int64 // slab: units in slots in use
	First, End             int64 // units where chunks begin and end
	Full, Contended        int64 // requests that found no memory, and why
	Errors                 int64 // wrong frees (MEMC_DEBUG)
	ErrorKind, ErrorUnit   int64 // the first of them
}

// Survey counts the heap. No kernel must be at work in it.
func (h *Heap) Survey() (Survey, error) {
	var s Survey
	out, err := h.ctx.AllocUncounted(64)
	if err != nil {
		return s, err
	}
	defer out.Release()
	var res, head [64]byte
	if err := h.ctx.Write(out, 0, res[:]); err != nil {
		return s, err
	}
	if err := h.Launch("memc_heap_survey", 64, 64, runtime.Arg{Block: h.Block}, runtime.Arg{Block: out}); err != nil {
		return s, err
	}
	if err := h.ctx.Read(out, 0, res[:]); err != nil {
		return s, err
	}
	if err := h.ctx.Read(h.Block, 0, head[:]); err != nil {
		return s, err
	}
	word := func(b []byte, i int) int64 { return int64(binary.LittleEndian.Uint32(b[4*i:])) }
	for i, p := range []*int64{&s.FreeChunks, &s.UsedChunks, &s.FreeUnits, &s.UsedUnits, &s.LargestFree, &s.Broken,
		&s.Pages, &s.Slots, &s.BadPages, &s.SlotUnits} {
		*p = word(res[:], i)
	}
	s.End, s.First = word(head[:], 2), word(head[:], 3)
	s.Full, s.Contended = word(head[:], 8), word(head[:], 9)
	s.Errors, s.ErrorKind, s.ErrorUnit = word(head[:], 10), word(head[:], 11), word(head[:], 12)
	return s, nil
}

// Check returns an error for a broken heap. No kernel may be using the heap.
func (s Survey) Check() error {
	switch {
	case s.Broken != 0:
		return fmt.Errorf("%d chunks do not end where another starts", s.Broken)
	case s.FreeUnits+s.UsedUnits != s.End-s.First:
		return fmt.Errorf("%d units are free and %d are used, of %d", s.FreeUnits, s.UsedUnits, s.End-s.First)
	case s.BadPages != 0:
		return fmt.Errorf("%d pages count their slots wrong", s.BadPages)
	case s.Errors != 0:
		return fmt.Errorf("%d wrong frees; the first, of kind %d, at unit %d", s.Errors, s.ErrorKind, s.ErrorUnit)
	}
	return nil
}

// Live tells how many blocks are in use; for the counters it is not known, and 0.
func (s Survey) Live(a Allocator) int64 {
	if a.Header == 0 {
		return 0
	}
	return s.UsedChunks - s.Pages + s.Slots
}
