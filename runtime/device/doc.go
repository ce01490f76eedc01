// Package device holds memory allocators that run inside OpenCL kernels, and
// the device-executed heap, as OpenCL C 1.2 sources (cl/), and what the host
// needs to prepare and survey a heap.
//
// cl/memc_alloc.h is the header to include in anyone's kernel: one API
// (memc_malloc, memc_free), the allocator chosen by a macro. The circular-list
// family follows M. Vinkler and V. Havran, Register Efficient Dynamic Memory
// Allocator for GPUs (2014); the slab allocator is memc's own. cl/memc_heap.h is
// a heap whose allocations and frees are commands in the queue.
// docs/device-memory.md tells how they work and what is measured.
//
// The sources are checked by package model, which executes them in every
// interleaving of a few work-items, and on devices by this package's tests.
//
// The package imports runtime alone, and knows nothing of programs or passes.
package device
