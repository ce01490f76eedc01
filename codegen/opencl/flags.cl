
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

/* A flag that carries a value needs no order but its own. */
MEMC_FN void memc_raise_whole(volatile __global ulong *flag, ulong v) {
#if defined(__NV_CL_C_VERSION)
  *flag = v;
#else
  memc_poke64(flag, v);
#endif
}

MEMC_FN ulong memc_await_whole(volatile __global ulong *flag) {
#if defined(__NV_CL_C_VERSION)
  ulong v = *flag;
  while (v == 0) v = *flag;
#else
  ulong v = memc_peek64(flag);
  while (v == 0) v = memc_peek64(flag);
#endif
  return v;
}

/* Element i of a block that another group wrote. */
#define MEMC_FRESH(T, block, i) (((volatile __global memc_any_##T *)(block))[i])
