/* What scalar.h needs, in C99. */
#include <math.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MEMC_FN static inline __attribute__((unused))
#else
#define MEMC_FN static inline
#endif
#define MEMC_ABS(T, a) ((T)((a) < 0 ? -(uint64_t)(a) : (uint64_t)(a)))
#define MEMC_MATH32(fn) fn##f
#define MEMC_MATH64(fn) fn
#define MEMC_I64C(x) INT64_C(x)
#define MEMC_U64C(x) UINT64_C(x)
#define MEMC_F64 1
