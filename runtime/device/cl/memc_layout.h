/* memc_layout.h: where things are in a heap.
 *
 * A heap is counted in units of 16 bytes, so that 32-bit numbers reach 32 GiB
 * and blocks are aligned to 16 bytes:
 *
 *   header | search offsets | state map | tickets (SLAB) | chunks | end chunk
 *
 * SLAB has the map page by page, in a table whose entries (MEMC_RECORD words) are
 *   state of the page | a bit for each slot | its part of the state map | a length
 * All of it is at places that follow from a block's address alone.
 *
 * State map: two bits for every grain, which is a unit (SLAB: 256 bytes). F: a free chunk starts here. U: a used
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
#define MEMC_W_CLAIMED 7   /* SLAB: pages that are a class's */
#define MEMC_W_FULL 8      /* requests that found the heap full */
#define MEMC_W_CONTENDED 9 /* requests that gave up */
#define MEMC_W_ERRORS 10   /* MEMC_DEBUG: wrong frees */
#define MEMC_W_ERROR_KIND 11
#define MEMC_W_ERROR_UNIT 12
#define MEMC_W_TICKETS 14  /* SLAB: word of the first ticket */
#define MEMC_W_MOVES 13    /* SLAB: how often a page came from the list or went to it */

/* Search offsets are 32 bytes apart, which is what one access moves. */
#define MEMC_W_HINT0 64
#define MEMC_HINT_STRIDE 8
#define MEMC_W_MAP (MEMC_W_HINT0 + MEMC_HINTS * MEMC_HINT_STRIDE) /* SLAB: the table */

#define MEMC_MAGIC 0x6d656d63u
#define MEMC_MAX_UNITS 0x7fffffffu

/* States of a unit. */
#define MEMC_NONE 0
#define MEMC_ISFREE 1
#define MEMC_ISUSED 2

#if MEMC_ALLOCATOR == MEMC_SLAB
#ifndef MEMC_PAGE
#define MEMC_PAGE 4096 /* units: 64 KiB */
#endif
#ifndef MEMC_GRAIN
#define MEMC_GRAIN 4 /* chunks start at multiples of 2^MEMC_GRAIN units */
#endif
#define MEMC_PAGE_WORDS ((MEMC_PAGE + 31) / 32)
#define MEMC_RECORD (2 + MEMC_PAGE_WORDS + ((MEMC_PAGE >> MEMC_GRAIN) + 15) / 16)
#else
#define MEMC_GRAIN 0
#endif
/* Units whose states are in one word of the map. */
#define MEMC_SPAN (16u << MEMC_GRAIN)

static inline ulong memc_map_word(uint u) {
#if MEMC_ALLOCATOR == MEMC_SLAB
  return (ulong)MEMC_W_MAP + (u / MEMC_PAGE) * MEMC_RECORD + 1u + MEMC_PAGE_WORDS + (u % MEMC_PAGE) / MEMC_SPAN;
#else
  return (ulong)MEMC_W_MAP + (u >> 4);
#endif
}
static inline uint memc_bit_free(uint u) { return 1u << (((u >> MEMC_GRAIN) & 15u) * 2u); }
static inline uint memc_bit_used(uint u) { return 2u << (((u >> MEMC_GRAIN) & 15u) * 2u); }

static inline uint memc_state(memc_heap heap, uint u) {
  return (memc_load(heap, memc_map_word(u)) >> (((u >> MEMC_GRAIN) & 15u) * 2u)) & 3u;
}

/* A chunk's header is the last word of its first unit (and, with
 * MEMC_DOUBLY, the one before), so that what follows it is aligned. */
static inline ulong memc_next_word(uint u) { return (ulong)u * 4u + 3u; }
static inline ulong memc_prev_word(uint u) { return (ulong)u * 4u + 2u; }

#endif
