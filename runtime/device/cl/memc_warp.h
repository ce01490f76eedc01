/* memc_warp.h: requests that work-items of a warp make in the same moment.
 *
 * OpenCL C 1.2 has no operations between the work-items of a warp. NVIDIA's
 * compiler takes PTX, and there they are (activemask, vote, shfl).
 * Elsewhere everybody is alone: the functions below then say so, and the code
 * around them is the same.
 *
 * Nobody polls for anybody. Whoever is in the mask is at the same instruction
 * when it is formed; one of them then works for all, a bounded number of steps
 * that depend on nobody, while the hardware keeps the others at the point where
 * the warp comes together again.
 */
#ifndef MEMC_WARP_H
#define MEMC_WARP_H

#if MEMC_WARP

/* So many different keys are told apart; work-items with others are alone. */
#ifndef MEMC_WARP_KEYS
#define MEMC_WARP_KEYS 4
#endif

/* The work-items of the warp that are here now with the same key: a bit for each. */
static inline uint memc_peers(uint key) {
  uint here, lane, peers, todo;
  asm volatile("activemask.b32 %0;" : "=r"(here));
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  peers = 1u << lane;
  todo = here;
  for (uint i = 0u; i < MEMC_WARP_KEYS && todo != 0u; i++) {
    uint other, same, lead = 31u - clz(todo & (0u - todo));
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;" : "=r"(other) : "r"(key), "r"(lead), "r"(here));
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, %2; vote.sync.ballot.b32 %0, p, %3; }" : "=r"(same) : "r"(key), "r"(other), "r"(here));
    if (key == other) peers = same;
    todo = todo & ~same;
  }
  return peers;
}

/* How many they are, and how many of them come before the calling one. */
static inline uint memc_crowd(uint peers) { return popcount(peers); }
static inline uint memc_rank(uint peers) {
  uint before;
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
  return popcount(peers & before);
}

/* The value that the first of them has. */
static inline uint memc_share(uint peers, uint v) {
  uint got, lead = 31u - clz(peers & (0u - peers));
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;" : "=r"(got) : "r"(v), "r"(lead), "r"(peers) : "memory");
  return got;
}

#else

static inline uint memc_peers(uint key) { return 1u; }
static inline uint memc_crowd(uint peers) { return 1u; }
static inline uint memc_rank(uint peers) { return 0u; }
static inline uint memc_share(uint peers, uint v) { return v; }

#endif

#endif
