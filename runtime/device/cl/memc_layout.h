/* memc_layout.h: where things are in a heap.
 *
 * A heap is counted in units of 16 bytes, so that 32-bit numbers reach 32 GiB
 * and blocks are aligned to 16 bytes:
 *
 *   header | search offsets | state map | pages' words (SLAB) | chunks | end chunk
 *
 * State map: two bits for every unit. F: a free chunk starts here. U: a used
 * chunk starts here. Neither: no chunk starts here, or somebody is working on it.
 * The paper keeps the flag in the chunk, and says that a work-item cannot be
 * stalled long enough for a chunk to vanish under it; here that need not be
 * believed. A flag in the chunk can be a user's data by the time somebody tries
 * to lock it; the map is no user's. Taking a chunk is clearing its F: one atomic
 * AND, which does no harm where no free chunk starts any more.
 */
#ifndef MEMC_LAYOUT_H
#define MEMC_LAYOUT_H

/* Words of the header. */
#define MEMC_W_MAGIC 0
#define MEMC_W_ALLOCATOR 1
#define MEMC_W_END 2       /* unit of the end chunk */
#define MEMC_W_FIRST 3     /* unit of the first chunk */
#define MEMC_W_HINTS 4     /* search offsets in use */
#define MEMC_W_PAGES 5     /* SLAB: pages */
#define MEMC_W_PAGE0 6     /* SLAB: number of the first page */
#define MEMC_W_STATES 7    /* SLAB: word of the first page's state */
#define MEMC_W_FULL 8      /* requests that found the heap full */
#define MEMC_W_CONTENDED 9 /* requests that gave up */
#define MEMC_W_ERRORS 10   /* MEMC_DEBUG: wrong frees */
#define MEMC_W_ERROR_KIND 11
#define MEMC_W_ERROR_UNIT 12
#define MEMC_W_BITS 13     /* SLAB: word of the first page's slot bits */
#define MEMC_W_CLAIMED 15  /* SLAB: pages that are a class's */
#define MEMC_W_RECENT 14   /* SLAB: word of the classes' latest pages */

/* Search offsets are 32 bytes apart, which is what one access moves. */
#define MEMC_W_HINT0 64
#define MEMC_HINT_STRIDE 8
#define MEMC_W_MAP (MEMC_W_HINT0 + MEMC_HINTS * MEMC_HINT_STRIDE)

#define MEMC_MAGIC 0x6d656d63u
#define MEMC_MAX_UNITS 0x7fffffffu

/* States of a unit. */
#define MEMC_NONE 0
#define MEMC_ISFREE 1
#define MEMC_ISUSED 2

static inline ulong memc_map_word(uint u) { return (ulong)MEMC_W_MAP + (u >> 4); }
static inline uint memc_bit_free(uint u) { return 1u << ((u & 15u) * 2u); }
static inline uint memc_bit_used(uint u) { return 2u << ((u & 15u) * 2u); }

static inline uint memc_state(memc_heap heap, uint u) {
  return (memc_load(heap, memc_map_word(u)) >> ((u & 15u) * 2u)) & 3u;
}

/* A chunk's header is the last word of its first unit (and, with
 * MEMC_DOUBLY, the one before), so that what follows it is aligned. */
static inline ulong memc_next_word(uint u) { return (ulong)u * 4u + 3u; }
static inline ulong memc_prev_word(uint u) { return (ulong)u * 4u + 2u; }

#endif
