package host

import (
	"fmt"

	"github.com/memc-lang/memc/runtime"
	"github.com/memc-lang/memc/runtime/device"
)

// searchOffsets is the number of places in the heap where searches start, for
// the allocators that have several: about the compute units of a large device.
const searchOffsets = 128

// A DeviceHeap is the memory from which kernels allocate. They free all that they allocate, even if
// they fail, so it is prepared once. The user chooses its size, which counts against the limit on
// memory. A program whose kernels allocate nothing has a nil heap.
type DeviceHeap struct {
	block *runtime.Block
	heap  *device.Heap
	used  bool // since it was prepared
}

// NewDeviceHeap makes and prepares a heap for kernels that were built with that
// allocator (docs/device-memory.md).
func NewDeviceHeap(ctx *runtime.Context, built *runtime.Program, allocator string, bytes int64) (*DeviceHeap, error) {
	a, err := device.Lookup(allocator)
	if err != nil {
		return nil, err
	}
	block, err := ctx.AllocHeap(bytes)
	if err != nil {
		return nil, fmt.Errorf("the device heap: %w", err)
	}
	h, err := device.Use(ctx, a, built, block, searchOffsets)
	if err != nil {
		block.Release()
		return nil, err
	}
	return &DeviceHeap{block: block, heap: h}, nil
}

// Arg appends the heap to the arguments of a kernel that is about to be launched. An allocator that
// reuses nothing starts from an empty heap: no block outlives its kernel.
func (d *DeviceHeap) Arg(args []runtime.Arg) ([]runtime.Arg, error) {
	if d.used && !d.heap.Allocator.Frees {
		if err := d.heap.Reset(); err != nil {
			return nil, err
		}
	}
	d.used = true
	return append(args, runtime.Arg{Block: d.block}), nil
}

// Heap returns the heap itself, to be surveyed.
func (d *DeviceHeap) Heap() *device.Heap { return d.heap }

// Size returns the heap's size in bytes.
func (d *DeviceHeap) Size() int64 { return d.block.Size() }

// Release gives the heap back.
func (d *DeviceHeap) Release() {
	if d != nil {
		d.block.Release()
		d.block = nil
	}
}
