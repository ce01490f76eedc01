/* memc_fence.h: what orders accesses of one work-item as the whole device sees them.
 *
 * All that this work-item did before memc_fence is visible to the whole device
 * before all that it does after. mem_fence does not promise that (OpenCL C 1.2
 * speaks of the work-group only), therefore
 *   NVIDIA   membar.gl, which is fence.sc.gpu since sm_70, and which also drops
 *            stale lines of the first-level cache, so that the contents of a
 *            block that was somebody else's are not read from there;
 *   CPUs     the compiler's sequentially consistent fence (PoCL compiles with
 *            clang); their atomics order as well;
 *   others   mem_fence(CLK_GLOBAL_MEM_FENCE), the best that the standard has.
 */
#ifndef MEMC_FENCE_H
#define MEMC_FENCE_H

static inline void memc_fence(void) {
#if defined(__NV_CL_C_VERSION)
  asm volatile("membar.gl;" ::: "memory");
#elif defined(__clang__) && (defined(__x86_64__) || defined(__aarch64__) || defined(__riscv))
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
#else
  mem_fence(CLK_GLOBAL_MEM_FENCE);
#endif
}

#endif
