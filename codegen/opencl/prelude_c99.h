/* What scalar.h needs, in C99. */
#include <math.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MEMC_FN static inline __attribute__((unused))
#else
#define MEMC_FN static inline
#endif
#if defined(__GNUC__) || defined(__clang__)
#define MEMC_POPC(U, x) __builtin_popcountll((U)(x))
#define MEMC_CLZ(U, B, x) ((U)(x) == 0 ? (B) : __builtin_clzll((U)(x)) - (64 - (B)))
#else
#define MEMC_POPC(U, x) memc_popc((U)(x))
#define MEMC_CLZ(U, B, x) ((B) - memc_width((U)(x)))
MEMC_FN int32_t memc_popc(uint64_t x) {
  int32_t n = 0;
  for (; x != 0; x &= x - 1) n++;
  return n;
}

MEMC_FN int32_t memc_width(uint64_t x) {
  int32_t n = 0;
  for (; x != 0; x >>= 1) n++;
  return n;
}
#endif
#define MEMC_FIT(U, B, a) ((U)(a))
#define MEMC_MATH32(fn) fn##f
#define MEMC_MATH64(fn) fn
#define MEMC_RSQRT_f32(a) (1 / sqrtf(a))
#define MEMC_RSQRT_f64(a) (1 / sqrt(a))
#define MEMC_OF(fn, a) fn(a)
#define MEMC_ROUND(M, a, whole) M(rint)(a)
#define MEMC_I64C(x) INT64_C(x)
#define MEMC_U64C(x) UINT64_C(x)
#define MEMC_F64 1

/* The bits of a float, and the float of bits. */
union memc_bits32 { float f; uint32_t u; };
union memc_bits64 { double f; uint64_t u; };
#define MEMC_AS_F32(x) (((union memc_bits32){.u = (x)}).f)
#define MEMC_AS_U32(x) (((union memc_bits32){.f = (x)}).u)
#define MEMC_AS_F64(x) (((union memc_bits64){.u = (x)}).f)
#define MEMC_AS_U64(x) (((union memc_bits64){.f = (x)}).u)
