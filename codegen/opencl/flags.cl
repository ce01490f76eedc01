
/* Flags by which work-groups tell each other that something is done. */
MEMC_FN void memc_raise(volatile __global int *flag, int v) {
  memc_fence();
  atomic_xchg(flag, v);
}

/* Reading a flag costs less than an atomic operation where a volatile access goes past
 * the caches that other groups do not share. */
MEMC_FN int memc_await(volatile __global int *flag) {
#if defined(__NV_CL_C_VERSION)
  int v = *flag;
  while (v == 0) v = *flag;
#else
  int v = atomic_or(flag, 0);
  while (v == 0) v = atomic_or(flag, 0);
#endif
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  return v;
}

/* Element i of a block that another group wrote. */
#define MEMC_FRESH(T, block, i) (((volatile __global memc_any_##T *)(block))[i])
