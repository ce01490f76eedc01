// Package allocbench measures the allocators of runtime/device: the paper's tests
// (alloc-dealloc, alloc-cycle-dealloc, probability, a k-d tree built in one
// kernel) and those of the PPoPP 2021 survey (sizes, mixed sizes, scaling,
// fragmentation, out of memory, graphs, work generation, registers), and writes
// the figures as CSV, tables and plots (memc bench alloc).
//
// A figure is the median of some repetitions. Times are taken on the host, from the
// launch to the end of the kernel; an empty kernel's is given as the row "empty".
// Where blocks are kept, their contents are checked, and where a heap is left, its
// structure is: a wrong allocator gives an error and no figure.
//
// Sources: M. Vinkler and V. Havran, Register Efficient Dynamic Memory Allocator
// for GPUs (2014), section 6; M. Winter et al., Are Dynamic Memory Managers on
// GPUs Slow? (PPoPP 2021).
//
// The package imports runtime and runtime/device alone.
package allocbench
