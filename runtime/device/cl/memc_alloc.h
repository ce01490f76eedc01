/* memc_alloc.h: memory allocators that run inside OpenCL C 1.2 kernels.
 *
 *   #define MEMC_ALLOCATOR MEMC_CF      one of the names below, before the include
 *   #include "memc_alloc.h"
 *
 *   ulong off = memc_malloc(heap, bytes);   offset in bytes from heap; 0: no memory
 *   memc_free(heap, off);                   0 is allowed
 *
 * heap is a __global pointer to at least 1024 bytes, aligned to 16, that
 * memc_init_clear and then (in a later kernel) memc_init_split have prepared.
 * Offsets are multiples of 16. docs/device-memory.md says how each of the
 * allocators works; forward progress and the order of writes are in memc_base.h.
 *
 * All but memc_base.h, and what memc_warp.h has for NVIDIA, is written in a small
 * part of C (uint, ulong, functions, if, while, for, no pointers but heap), so that
 * the model checker of runtime/device/model executes these very files.
 */
#ifndef MEMC_ALLOC_H
#define MEMC_ALLOC_H

#define MEMC_ATOMIC 1 /* a counter; nothing is reused */
#define MEMC_AW 2     /* a counter that wraps: old blocks are OVERWRITTEN */
#define MEMC_C 3      /* circular list, flag apart from the link */
#define MEMC_CF 4     /* circular list, flag fused with the link */
#define MEMC_CM 5     /* C with many places to start from */
#define MEMC_CFM 6    /* CF with many places to start from */
#define MEMC_D 7      /* doubly linked: joins both ways */
#define MEMC_SLAB 8   /* size classes in pages, the circular list behind them */

#ifndef MEMC_ALLOCATOR
#define MEMC_ALLOCATOR MEMC_SLAB
#endif

/* A chunk is split where it is at least MEMC_MAX_FRAG times what is needed. */
#ifndef MEMC_MAX_FRAG
#define MEMC_MAX_FRAG 2
#endif
/* Walks around the list before a request gives up. */
#ifndef MEMC_MAX_LAPS
#define MEMC_MAX_LAPS 8
#endif
/* Chunks that a search looks at, at least, until it gives up. */
#ifndef MEMC_MAX_STEPS
#define MEMC_MAX_STEPS 1048576u
#endif
/* Chunks in a row that are somebody's at work, until a walk looks for its way. */
#ifndef MEMC_MAX_LOST
#define MEMC_MAX_LOST 16
#endif
/* Pre-splitting ends where a chunk would have fewer units than this. */
#ifndef MEMC_LEAF
#define MEMC_LEAF 64
#endif
/* The most search offsets that a heap can have. */
#ifndef MEMC_HINTS
#define MEMC_HINTS 256
#endif
/* CF and CFM. MEMC_EAGER 1: what looks free by its header is locked at once, without
 * a look at the map: one read less, and more locks that fail. */
#ifndef MEMC_EAGER
#define MEMC_EAGER 0
#endif
/* MEMC_DEBUG 1: frees of what is not allocated are found and not done. */
#ifndef MEMC_DEBUG
#define MEMC_DEBUG 0
#endif

/* Why there was no memory: full (every chunk was seen, and each was in use or
 * too small), or contended (others were at work all the time: worth a retry). */
#define MEMC_FULL 0
#define MEMC_CONTENDED 1

#include "memc_base.h"
#include "memc_warp.h"
#include "memc_layout.h"
#if MEMC_ALLOCATOR == MEMC_ATOMIC || MEMC_ALLOCATOR == MEMC_AW
#include "memc_bump.h"
#else
#include "memc_list.h"
#endif
#if MEMC_ALLOCATOR == MEMC_SLAB
#include "memc_slab.h"
#include "memc_large.h"
#endif
#include "memc_init.h"
#include "memc_front.h"

#endif
