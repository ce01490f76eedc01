
/* Words by which work-groups tell each other what they came to. Each is read and written
 * whole, and needs no order but its own. A volatile access costs less than an atomic
 * operation; it is enough where it goes past the caches that other groups do not share. */
MEMC_FN void memc_raise(volatile __global ulong *word, ulong v) {
#if defined(__NV_CL_C_VERSION)
  *word = v;
#else
  memc_poke64(word, v);
#endif
}

MEMC_FN ulong memc_look(volatile __global ulong *word) {
#if defined(__NV_CL_C_VERSION)
  return *word;
#else
  return memc_peek64(word);
#endif
}

/* Element i of a block that another group wrote. */
#define MEMC_FRESH(T, block, i) (((volatile __global memc_any_##T *)(block))[i])
