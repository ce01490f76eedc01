// Package allocbench measures the allocators of runtime/device: the tests of Vinkler and
// Havran (alloc-dealloc, alloc-cycle-dealloc, probability, a k-d tree built in one kernel)
// and those of Winter et al. (sizes, mixed sizes, scaling, fragmentation, out of memory,
// graphs, work generation, registers). It writes the figures as CSV, tables and plots (memc
// bench alloc).
//
// A figure is the median of some repetitions. Times are taken on the host, from the launch
// to the end of the kernel; the row "empty" has the time of an empty kernel. The tests check
// the contents of blocks that are kept, and the structure of heaps at the end: a wrong
// allocator gives an error and no figure.
//
// Sources: docs/bibliography.md. The package imports only runtime and runtime/device.
package allocbench
