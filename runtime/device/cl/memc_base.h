/* memc_base.h: the few operations on shared words that everything else is made of.
 *
 * Order. Words of the heap are read with volatile loads and written with
 * volatile stores or atomics, none of which orders anything else. What orders
 * is memc_fence (memc_fence.h).
 * The rule of use: fence after taking a chunk and before looking into it, fence
 * after writing headers and before the bit that offers a chunk.
 *
 * Forward progress. Nothing here or above waits for another work-item: taking a
 * chunk is one try, giving back always succeeds, and every loop is bounded. So
 * it does not matter whether work-items run one after the other (PoCL), in
 * lock-step, or are stopped for good in the middle of a call; the last costs at
 * most the chunk that the stopped one held.
 */
#ifndef MEMC_BASE_H
#define MEMC_BASE_H

#include "memc_fence.h"

#define memc_heap volatile __global uint *

/* MEMC_CHECKED 1: words are read and written by atomics, for checkers of data
 * races (Oclgrind), to which a volatile access is like any other. */
#ifndef MEMC_CHECKED
#define MEMC_CHECKED 0
#endif

#if MEMC_CHECKED
static inline uint memc_load(memc_heap heap, ulong w) { return atomic_or(heap + w, 0u); }
static inline uint memc_const(memc_heap heap, ulong w) { return atomic_or(heap + w, 0u); }
static inline void memc_store(memc_heap heap, ulong w, uint v) { atomic_xchg(heap + w, v); }
#else
static inline uint memc_load(memc_heap heap, ulong w) { return heap[w]; }
/* A word that has not changed since the heap was prepared: caches may hold it. */
static inline uint memc_const(memc_heap heap, ulong w) { return *((const __global uint *)heap + w); }
static inline void memc_store(memc_heap heap, ulong w, uint v) { heap[w] = v; }
#endif
static inline uint memc_and(memc_heap heap, ulong w, uint v) { return atomic_and(heap + w, v); }
static inline uint memc_or(memc_heap heap, ulong w, uint v) { return atomic_or(heap + w, v); }
static inline uint memc_xor(memc_heap heap, ulong w, uint v) { return atomic_xor(heap + w, v); }
static inline uint memc_add(memc_heap heap, ulong w, uint v) { return atomic_add(heap + w, v); }
static inline uint memc_sub(memc_heap heap, ulong w, uint v) { return atomic_sub(heap + w, v); }
static inline uint memc_cas(memc_heap heap, ulong w, uint old, uint v) { return atomic_cmpxchg(heap + w, old, v); }

/* MEMC_WARP 1: work-items of a warp that make requests in the same moment can
 * make them together (memc_warp.h). */
#ifndef MEMC_WARP
#if defined(__NV_CL_C_VERSION)
#define MEMC_WARP 1
#else
#define MEMC_WARP 0
#endif
#endif

/* The number of the highest bit that is set; v is not 0. */
static inline uint memc_log2(uint v) { return 31u - clz(v); }

/* Numbers of the calling work-group and work-item, to spread requests. */
static inline uint memc_group(void) {
  return (uint)(get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2)));
}
static inline uint memc_item(void) {
  uint l = (uint)(get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)));
  return memc_group() * (uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)) + l;
}

#endif
