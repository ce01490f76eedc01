// Package pool decides where in a device's buffers memory blocks lie. It makes
// decisions only: buffers come from a Source, and nothing here knows OpenCL.
//
// # Shape
//
// The driver makes buffers; a block is a range of one, (buffer, offset). The
// blocks of a buffer form a list in the order of their offsets, free ones
// included, so a block is split and joined with either neighbour in constant
// time. There are three policies:
//
//	driver  a buffer per block, given back at once: the baseline
//	tagged  the free list of Futhark's runtime: a buffer per block; at most one
//	        free block per tag (allocation site), taken where size <= block <=
//	        2*size, else handed back; then another tag's block by the same rule
//	        (best fit); then the driver. Freed onto an occupied tag, the older
//	        block is handed back
//	region  buffers carved into blocks: the tag's last block if it still stands
//	        alone and fits exactly, else the best fit, whose rest is split off;
//	        a freed block joins both neighbours
//
// # Regions
//
// Free blocks are in bins by size (bins.go). A free takes constant time, and so
// does a hit, except for one bounded search. If nothing fits, the policy makes a
// new buffer: for as many blocks of that size as fit in 1/16 of the bytes held,
// or in 16 KiB; at least for one. So the number of buffers is logarithmic in the
// bytes held. Two rules keep the bytes held near the bytes needed (budget = most
// bytes ever in blocks at one time, plus 1/16, plus 16 KiB):
//
//   - Before a buffer is made, idle buffers (with no block in use) are handed
//     back, the longest idle first, until it fits the budget.
//   - An idle buffer is not broken up for a request that a buffer of less than
//     1/16 its size could serve (of 16 KiB and 1/16 of the bytes in blocks at
//     least), while that fits the budget. So no small block that lives long pins
//     a large buffer.
//
// A buffer that was idle for IdleFor requests is handed back.
//
// Note [Steady state]. A program that repeats its requests asks the driver for
// nothing after finitely many rounds. Sort the sizes of the buffers held,
// largest first, and compare such lists like words. Every new buffer makes the
// word larger: only idle buffers are handed back for it, and an idle buffer that
// is not smaller than the request would have served it. There are finitely many
// words: sizes come from a finite set, and after a buffer is made the bytes held
// fit the budget, or every other buffer has a block in use. (Handing back by age
// is the exception; a round of more than IdleFor requests may ask again.)
//
// # Out of memory
//
// If the limit or the driver refuses a buffer, the pool tries in this order: the
// request's own size without room for growth; a wait for the device, since the
// driver keeps released buffers until the commands that use them are done; idle
// buffers handed back, the largest first, with a new try after each. (Free blocks
// are always joined.) It never moves blocks in use and spills nothing to the
// host. Then the request fails, and the pool is as usable as before.
//
// # Two implementations
//
// codegen/opencl/c/pool.c is the same machine in C, line by line if possible.
// TestDecisions replays requests through both and compares every decision. A
// change here is a change there.
//
// A Pool is not safe for concurrent use; package runtime holds its lock around
// every call. The package must not import any other room.
//
// Sources (docs/bibliography.md): Futhark's free list; PoCL's bufalloc (regions
// with neighbours); TLSF (bins by two levels of size).
package pool
