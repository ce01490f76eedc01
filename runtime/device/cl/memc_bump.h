/* memc_bump.h: AtomicMalloc and AWMalloc (algorithms 1 and 2 of the paper). */
#ifndef MEMC_BUMP_H
#define MEMC_BUMP_H

#define MEMC_HEADER_BYTES 0

/* Requests above this are taken by compare-and-swap: a plain addition would
 * let 2^18 work-items at once carry a full counter around 2^32. */
#ifndef MEMC_BUMP_ADD
#define MEMC_BUMP_ADD 8192
#endif

/* AtomicMalloc. An addition that goes too far is taken back, so a request that
 * is too large costs nothing; who sees the counter beyond the end has met
 * another's and tries again. */
static inline uint memc_bump_atomic(memc_heap heap, uint need) {
  uint end = memc_const(heap, MEMC_W_END);
  uint old = 0u;
  uint got = 0u;
  for (uint i = 0u; i < MEMC_MAX_LAPS * 8u; i++) {
    old = memc_load(heap, MEMC_W_HINT0);
    if (old <= end) {
      if (end - old < need) return MEMC_FULL;
      if (need <= MEMC_BUMP_ADD) {
        got = memc_add(heap, MEMC_W_HINT0, need);
        if (got <= end && end - got >= need) return got;
        memc_sub(heap, MEMC_W_HINT0, need);
      } else {
        if (memc_cas(heap, MEMC_W_HINT0, old, old + need) == old) return old;
      }
    }
  }
  return MEMC_CONTENDED;
}

/* AWMalloc. Who comes to the end starts over from the beginning, over whatever
 * is there: correct only where blocks are short-lived and the heap is large. */
static inline uint memc_bump_wrap(memc_heap heap, uint need) {
  uint end = memc_const(heap, MEMC_W_END);
  uint first = memc_const(heap, MEMC_W_FIRST);
  uint old = 0u;
  if (end - first < need) return MEMC_FULL;
  for (uint i = 0u; i < MEMC_MAX_LAPS * 8u; i++) {
    old = memc_load(heap, MEMC_W_HINT0);
    if (need <= MEMC_BUMP_ADD && old <= end) {
      old = memc_add(heap, MEMC_W_HINT0, need);
      if (old <= end && end - old >= need) return old;
      old = old + need;
    } else if (old <= end && end - old >= need) {
      if (memc_cas(heap, MEMC_W_HINT0, old, old + need) == old) return old;
      old = memc_load(heap, MEMC_W_HINT0);
    }
    if (old > end || end - old < need) {
      if (memc_cas(heap, MEMC_W_HINT0, old, first + need) == old) return first;
    }
  }
  return MEMC_CONTENDED;
}

/* Requests in units; the result is the block's first unit, or why there is none. */
static inline uint memc_bump_malloc(memc_heap heap, uint need) {
#if MEMC_ALLOCATOR == MEMC_AW
  return memc_bump_wrap(heap, need);
#else
  return memc_bump_atomic(heap, need);
#endif
}

#endif
