// Package device has memory allocators that run inside OpenCL kernels, and the device-executed
// heap, as OpenCL C 1.2 sources (cl/), and the host's part: preparing and surveying a heap.
//
// A kernel includes cl/memc_alloc.h: one API (memc_malloc, memc_free), and a macro that chooses
// the allocator. The circular-list family follows Vinkler and Havran (docs/bibliography.md); the
// slab allocator is memc's own. cl/memc_heap.h is a heap whose allocations and frees are
// commands in the queue. docs/device-memory.md explains both, bench/alloc has measurements.
//
// Package model checks the sources: it executes them in every interleaving of a few
// work-items. The tests of this package run them on devices.
//
// The package imports only runtime, and knows nothing of programs or passes.
package device
