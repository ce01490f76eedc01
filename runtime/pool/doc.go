// Package pool decides where in a device's buffers memory blocks lie, and keeps the account of
// them: the bytes in use, their limit, and why a block has no room. It makes
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
//	        alone and fits exactly, else the best fit among the blocks that may
//	        serve the tag, whose rest is split off; a freed block joins both
//	        neighbours
//
// # Regions
//
// Free blocks are in bins by size: those that are whole buffers apart
// from those beside blocks in use. A request takes constant time, but for bounded
// searches, and so does a free. If nothing fits, the policy makes a new buffer: for
// as many blocks of that size as fit in 1/16 of the bytes held, or in 16 KiB; at
// least for one. So the number of buffers is logarithmic in the bytes held.
//
// Note [Lives]. A small block that stays in use pins its buffer: the rest cannot
// serve a large request. So blocks that stay lie apart. The pool learns which do by
// their allocation sites, as Barrett and Zorn predict lifetimes. A site is lasting
// from the first time that a block of it is in use when a later call begins (Turn):
// a result that the caller keeps, or an argument. It is brief from the first time
// that a block of it is freed in the call that made it, and until then new. Buffers
// are for lasting blocks or for the others, from their first block until they are
// idle (no block is in use). A lasting block goes into a buffer for lasting ones, or
// into one that is at most twice as large as the buffer that it would need; other
// blocks go anywhere. For lasting and new blocks the room for growth is 1/16 of
// what these hold.
//
// Note [Whole buffers]. A request that breaks an idle buffer up may keep it from the
// request for which it was made. A lasting or new block breaks none that is more
// than twice as large as the buffer that it would need. Nor does any block, where the
// limit has no second buffer of that size; then at most 1/16 is left over. What a
// request may not break goes back to the driver, if its room is needed:
//
//   - The budget is the most bytes ever in blocks at one time, plus 1/16, plus 16 KiB;
//     with 1/4 in place of 1/16 for lasting and new blocks. Before a buffer is made,
//     idle buffers are handed back, the longest idle first, until it fits the budget.
//     A new block breaks an idle buffer before that.
//   - If the limit refuses the buffer, idle buffers are handed back, see below.
//   - If even that does not help, any free block serves that is large enough.
//
// A buffer that was idle for IdleFor requests is handed back.
//
// The budget bounds what idle buffers add. What free blocks beside blocks in use add
// has no such bound: where blocks share a buffer and stay where they are, the worst
// case is a factor that grows with the logarithm of the sizes (Robson). TestServing
// measures it over traces of serving loops: 1.11 times the peak is held on average,
// at worst 1.8 times. RMM's pool hands nothing back before it ends, and PyTorch's
// only where a request fails, or above a threshold that its user sets.
//
// Note [Steady state]. A program that repeats its requests asks the driver for
// nothing after finitely many rounds. Lives change finitely often. So does the most
// in use; while it stands still, buffers of 32 times as many bytes may be given up,
// each counted as 1/16 of it or more. Then patience ends, and every request may break
// every idle buffer. From then on, sort the sizes of the buffers held, largest first,
// and compare such lists like words. Every new buffer makes the word larger: only
// idle buffers are handed back for it, and an idle buffer that is not smaller than
// the request would have served it. There are finitely many words: sizes come from a
// finite set, and after a buffer is made the bytes held fit the budget, or every
// other buffer has a block in use. (Exceptions: handing back by age, so a round of
// more than IdleFor requests may ask again; a bin of more than binLast blocks; and
// requests that fail, which give patience anew.) TestServingSame counts the
// calls: where results are freed before the next call, nearly all programs are at
// rest after the first.
//
// # Out of memory
//
// If the limit or the driver refuses a buffer, the pool tries in this order: the
// request's own size without room for growth; a wait for the device, since the
// driver keeps released buffers until the commands that use them are done; idle
// buffers handed back, the largest first, with a new try after each; any free block
// that is large enough. (Free blocks are always joined.) It never moves blocks in use
// and spills nothing to the host. Then the request fails, and the pool is as usable
// as before. A driver that can never make such a buffer says ErrTooLarge, and nothing
// is handed back for it.
//
// # One implementation
//
// The pool is runtime/native/c/pool.c, with the words of shortage.c, which generated C contains and cgo.go wraps:
// every host decides alike because there is one decision. Go holds pointers to C's
// pool and blocks, and C holds handles (runtime/cgo) of Go's Source and its buffers.
// C calls the Source back in the call that needs it, so what locks a Pool locks its
// Source. A Source's error comes out of Get as it is. The tests look into C's memory.
//
// A Pool is not safe for concurrent use; package runtime holds its lock around
// every call. The package imports only runtime/native. Without cgo there is no pool:
// New returns an error.
//
// Sources (docs/bibliography.md): Futhark's free list; PoCL's bufalloc (regions
// with neighbours); TLSF (bins by two levels of size); Barrett and Zorn, lifetime
// predictors; Robson's bound.
package pool
