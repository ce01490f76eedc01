package exec

import "github.com/memc-lang/memc/runtime/device"

// DeviceHeap returns the heap of a program whose kernels allocate.
func DeviceHeap(p *Prepared) *device.Heap { return p.heap.Heap() }
