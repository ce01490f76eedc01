/* memc_list.h: CMalloc, CFMalloc, CMMalloc, CFMMalloc and the doubly linked one
 * (section 5 of the paper), and what MEMC_SLAB takes its pages from.
 *
 * The chunks are a circular list in the order of their addresses. Invariants:
 *   - F at u: a free chunk with a complete header starts at u, and is nobody's.
 *     Who clears F (memc_lock) owns the chunk [u, next(u)), header included.
 *   - U at u: a used chunk starts at u; its owner alone writes its header,
 *     except for the prev word, which the owner of the chunk before it writes.
 *   - Only the owner of a chunk absorbs the one behind it, and only after having
 *     locked that; so the chunk behind an owned one cannot vanish.
 * Walkers read headers of chunks that they do not own, which may be a user's data
 * by then. They believe nothing of it: links must go forward and stay in the heap,
 * and a chunk counts only when its F could be cleared.
 */
#ifndef MEMC_LIST_H
#define MEMC_LIST_H

#if MEMC_ALLOCATOR == MEMC_CF || MEMC_ALLOCATOR == MEMC_CFM
#define MEMC_FUSED 1 /* the link's top bit tells that the chunk is used */
#else
#define MEMC_FUSED 0
#endif
#if MEMC_ALLOCATOR == MEMC_D
#define MEMC_DOUBLY 1
#else
#define MEMC_DOUBLY 0
#endif
#if MEMC_ALLOCATOR == MEMC_CM || MEMC_ALLOCATOR == MEMC_CFM || MEMC_ALLOCATOR == MEMC_SLAB
#define MEMC_MULTI 1
#else
#define MEMC_MULTI 0
#endif
/* The unfused lists keep the paper's 8 bytes: the link and the request. */
#if MEMC_ALLOCATOR == MEMC_C || MEMC_ALLOCATOR == MEMC_CM || MEMC_DOUBLY
#define MEMC_HEADER_BYTES 8
#elif MEMC_ALLOCATOR == MEMC_SLAB
/* A whole unit: the next chunk may be a page, which has no header to spare the
 * first 12 bytes before. */
#define MEMC_HEADER_BYTES 16
#else
#define MEMC_HEADER_BYTES 4
#endif

#define MEMC_LINK 0x7fffffffu
#define MEMC_FLAG 0x80000000u

#if MEMC_ALLOCATOR == MEMC_SLAB
#include "memc_pages.h"
#endif

/* The chunk behind u. What consists of pages needs no header: its end is known. */
static inline uint memc_next(memc_heap heap, uint u) {
#if MEMC_ALLOCATOR == MEMC_SLAB
  if (memc_is_page(u)) {
    uint class = memc_page_class(heap, u / MEMC_PAGE);
    if (class == MEMC_CLASS_RUN) return u + memc_load(heap, memc_run_word(u / MEMC_PAGE)) * MEMC_PAGE;
    if (class != 0u) return u + MEMC_PAGE;
  }
#endif
  return memc_load(heap, memc_next_word(u)) & MEMC_LINK;
}

static inline void memc_link_free(memc_heap heap, uint u, uint next) {
  memc_store(heap, memc_next_word(u), next);
}

static inline void memc_link_used(memc_heap heap, uint u, uint next) {
#if MEMC_FUSED
  memc_store(heap, memc_next_word(u), next | MEMC_FLAG);
#else
  memc_store(heap, memc_next_word(u), next);
#endif
}

/* Takes the free chunk at u, if there is one: the only way to get a chunk. */
static inline uint memc_lock(memc_heap heap, uint u) {
  return memc_and(heap, memc_map_word(u), ~memc_bit_free(u)) & memc_bit_free(u);
}

/* Offers the chunk at u, which the caller owns; its header is visible already. */
static inline void memc_offer(memc_heap heap, uint u) {
  memc_or(heap, memc_map_word(u), memc_bit_free(u));
}

/* The first step of each free. From now on the block must not count as used: who
 * searches while it is being joined would find the heap full. Of two frees of a
 * block only one finds its U. */
static inline uint memc_unuse(memc_heap heap, uint u) {
  return memc_and(heap, memc_map_word(u), ~memc_bit_used(u)) & memc_bit_used(u);
}

/* Joins the locked chunk at next to the owned one at u before it. */
static inline uint memc_absorb(memc_heap heap, uint u, uint next) {
  memc_fence();
  uint after = memc_next(heap, next);
  memc_link_free(heap, u, after);
#if MEMC_DOUBLY
  memc_store(heap, memc_prev_word(after), u);
#endif
  return after;
}

/* The next chunk from u on, as far as the map tells within some words; end else. */
static inline uint memc_resync(memc_heap heap, uint u, uint end) {
  for (uint i = 0u; i < 32u; i++) {
    if (u >= end) return end;
    uint bits = memc_load(heap, memc_map_word(u)) & (0xffffffffu << (((u >> MEMC_GRAIN) & 15u) * 2u));
    u = u & ~(MEMC_SPAN - 1u);
    if (bits != 0u) {
      u = u + (memc_log2(bits & (0u - bits)) / 2u << MEMC_GRAIN);
      return u > end ? end : u;
    }
    u = u + MEMC_SPAN;
  }
  return end;
}

/* Whether a chunk is worth splitting: by the paper's bound; where the list is for
 * large blocks only, where more than an eighth would be lost. A block of whole pages
 * is split exactly: its length in the table is counted in pages. */
static inline uint memc_splits(uint size, uint need) {
#if MEMC_ALLOCATOR == MEMC_SLAB
  return size - need > need / 8u || need % MEMC_PAGE == 0u;
#else
  return size / MEMC_MAX_FRAG >= need;
#endif
}

/* u is locked. Makes a used chunk of need units of it, and a free one of the
 * rest if that is worth it; the result is 0. A chunk that is too small (with join:
 * after joining what is free behind it) is given back; the result is the next. */
static inline uint memc_list_use(memc_heap heap, uint u, uint need, uint join, uint end, ulong hint) {
  memc_fence();
  uint next = memc_next(heap, u);
  if (join != 0u) {
    while (next - u < need && next != end && memc_state(heap, next) == MEMC_ISFREE) {
      if (memc_lock(heap, next) == 0u) break;
      next = memc_absorb(heap, u, next);
    }
  }
  if (next - u < need) {
    memc_fence();
    memc_offer(heap, u);
    return next;
  }
  uint after = next;
  if (next - u > need && memc_splits(next - u, need) != 0u) {
    after = u + need;
    memc_link_free(heap, after, next);
#if MEMC_DOUBLY
    memc_store(heap, memc_prev_word(after), u);
    memc_store(heap, memc_prev_word(next), after);
#endif
  }
  memc_link_used(heap, u, after);
  memc_fence();
  if (after != next) memc_offer(heap, after);
  memc_or(heap, memc_map_word(u), memc_bit_used(u));
  memc_store(heap, hint, after);
  return 0u;
}

/* The word of the search offset that the caller uses. */
static inline ulong memc_hint(memc_heap heap) {
#if MEMC_MULTI
  return MEMC_W_HINT0 + (ulong)((memc_group() % memc_const(heap, MEMC_W_HINTS)) * MEMC_HINT_STRIDE);
#else
  return MEMC_W_HINT0;
#endif
}

/* Algorithm 3, allocation: walks around from u, and takes the first chunk of at
 * least need units. The first lap is the paper's. Where it found nothing, later
 * laps join free neighbours as they go; one of those in which nobody was met at
 * work has seen the heap full. Every lap goes strictly forward. The search ends
 * after MEMC_MAX_LAPS, but not before MEMC_MAX_STEPS: where there are few chunks,
 * whoever has taken the one with room needs longer than some laps. */
static inline uint memc_list_malloc(memc_heap heap, uint need, uint u, ulong hint) {
  uint end = memc_const(heap, MEMC_W_END);
  uint first = memc_const(heap, MEMC_W_FIRST);
  if (end - first < need) return MEMC_FULL;
  if (u < first || u >= end) u = first;
  uint start = u;
  uint wrapped = 0u;
  uint laps = 0u;
  uint dirty = 0u;
  uint lost = 0u;
  uint steps = 0u;
#if MEMC_ALLOCATOR == MEMC_SLAB
  laps = 1u; /* its chunks are pages, which large requests must join */
#endif
  while (1) {
    if (u >= end) {
      u = first;
      wrapped++;
    }
    if (wrapped > 1u || (wrapped == 1u && u >= start)) {
      if (laps > 0u && dirty == 0u) return MEMC_FULL;
      laps++;
      if (laps >= MEMC_MAX_LAPS && steps >= MEMC_MAX_STEPS) return MEMC_CONTENDED;
      dirty = 0u;
      wrapped = 0u;
      start = u;
    }
    uint next = 0u;
    uint state = 0u;
    if (steps < MEMC_MAX_STEPS) steps++;
#if MEMC_FUSED
    /* One word tells all; only what looks right is looked up in the map. Later
     * laps, whose verdict counts, ask the map first: a link that is read before
     * the state may be from before a split, and hide the rest of it. */
    if (laps > 0u) state = memc_state(heap, u);
    next = memc_load(heap, memc_next_word(u));
    if (laps == 0u) {
      if ((next & MEMC_FLAG) != 0u || next - u < need) {
        state = MEMC_ISUSED;
      } else {
#if MEMC_EAGER
        state = MEMC_ISFREE;
#else
        state = memc_state(heap, u);
#endif
      }
    }
    next = next & MEMC_LINK;
#else
    state = memc_state(heap, u);
    if (state != MEMC_ISFREE) next = memc_next(heap, u);
#endif
    if (state == MEMC_ISFREE) {
      if (memc_lock(heap, u) != 0u) {
        next = memc_list_use(heap, u, need, laps, end, hint);
        if (next == 0u) return u;
      } else {
        dirty = 1u;
        next = memc_next(heap, u);
#if MEMC_EAGER
        state = MEMC_NONE; /* as the map would have said */
#endif
      }
    }
    /* The link of a chunk that was freed meanwhile may lead past free memory. */
    if (laps > 0u && state == MEMC_ISUSED) {
      if (memc_state(heap, u) != MEMC_ISUSED) dirty = 1u;
    }
    /* Nothing starts here: a chunk that somebody is at work on, whose link leads
     * on, or one that has vanished. Many in a row: the way is lost. */
    lost = state == MEMC_NONE ? lost + 1u : 0u;
    if (lost > 0u) dirty = 1u;
    if (next <= u || next > end || lost > MEMC_MAX_LOST) {
      dirty = 1u;
      lost = 0u;
      next = memc_resync(heap, u + 1u, end);
      if (next == end) {
        next = memc_load(heap, hint);
        if (next <= u || next > end) next = end;
      }
    }
    u = next;
  }
  return MEMC_CONTENDED;
}

/* Algorithm 3, deallocation of the used chunk at u: joined with the next chunk
 * where that is free, and (doubly linked) with the one before it. Returns 0 where
 * no used chunk starts. */
static inline uint memc_list_free(memc_heap heap, uint u, ulong hint) {
  uint end = memc_const(heap, MEMC_W_END);
#if MEMC_ALLOCATOR == MEMC_SLAB
  uint run = 0u;
  if (memc_is_page(u)) run = memc_page_class(heap, u / MEMC_PAGE) == MEMC_CLASS_RUN;
#endif
  if (memc_unuse(heap, u) == 0u) return 0u;
  uint next = memc_next(heap, u);
  uint join = next != end;
#if MEMC_ALLOCATOR == MEMC_SLAB
  if (memc_is_page(next)) join = 0u;
#endif
  memc_fence();
  if (join != 0u && memc_state(heap, next) == MEMC_ISFREE) {
    if (memc_lock(heap, next) != 0u) {
      next = memc_absorb(heap, u, next);
      memc_store(heap, hint, next);
    }
  }
#if MEMC_DOUBLY
  uint prev = memc_load(heap, memc_prev_word(u));
  if (prev != 0u && memc_state(heap, prev) == MEMC_ISFREE) {
    if (memc_lock(heap, prev) != 0u) {
      memc_fence();
      if (memc_next(heap, prev) == u) {
        memc_link_free(heap, prev, next);
        memc_store(heap, memc_prev_word(next), prev);
        memc_fence();
        memc_offer(heap, prev);
        return 1u;
      }
      memc_offer(heap, prev);
    }
  }
#endif
  memc_link_free(heap, u, next);
  memc_fence();
#if MEMC_ALLOCATOR == MEMC_SLAB
  if (run != 0u) {
    memc_sub(heap, memc_page_word(u / MEMC_PAGE), MEMC_CLASS_RUN << MEMC_CLASS_SHIFT);
    memc_fence();
  }
#endif
  memc_offer(heap, u);
  return 1u;
}

#endif
