/* Scalar operations of the language, valid in C99 and in OpenCL C 1.2.
 *
 * Included after prelude.cl or prelude.c99.h, which define the int types,
 * MEMC_FN (how a function is declared), MEMC_FIT (a value that wraps to a U of B
 * bits), MEMC_POPC (the number of ones of a U) and MEMC_CLZ (of zeros above the
 * highest one of a U of B bits),
 * MEMC_MATH32/MEMC_MATH64 (the name of a
 * math function for float and double), MEMC_OF (a function of one float), MEMC_ROUND
 * (to the nearest integer), MEMC_I64C/MEMC_U64C (64-bit literals),
 * MEMC_AS_F32, MEMC_AS_U32 and so on (bits of floats),
 * and MEMC_F64 where double is used. Every function is total: it gives some
 * value for every operand, also where the program's own checks were left out.
 * Signed arithmetic goes through the unsigned type, so that it wraps. */

/* T: the type, U: its unsigned twin, W: an unsigned type in which no
 * arithmetic is promoted to a signed one, B: the width in bits. */
#define MEMC_INT_COMMON(T, U, W, B, t)                                         \
  MEMC_FN T memc_add_##t(T a, T b) { return (T)(U)((W)a + (W)b); }             \
  MEMC_FN T memc_sub_##t(T a, T b) { return (T)MEMC_FIT(U, B, (W)a - (W)b); }  \
  MEMC_FN T memc_mul_##t(T a, T b) { return (T)MEMC_FIT(U, B, (W)a * (W)b); }  \
  MEMC_FN T memc_neg_##t(T a) { return (T)MEMC_FIT(U, B, (W)0 - (W)a); }       \
  MEMC_FN T memc_not_##t(T a) { return (T)(U)(~(W)a); }                        \
  MEMC_FN T memc_shl_##t(T a, T b) { return (T)(U)((W)a << ((W)b & (B - 1))); }\
  MEMC_FN T memc_min_##t(T a, T b) { return a < b ? a : b; }                   \
  MEMC_FN T memc_max_##t(T a, T b) { return a < b ? b : a; }                   \
  MEMC_FN T memc_pow_##t(T a, T b) {                                           \
    W r = 1, x = (W)a;                                                         \
    U n = (U)b;                                                                \
    while (n != 0) {                                                           \
      if ((n & 1) != 0) r *= x;                                                \
      x *= x;                                                                  \
      n = (U)(n >> 1);                                                         \
    }                                                                          \
    return (T)(U)r;                                                            \
  }                                                                            \
  MEMC_FN int32_t memc_popc_##t(T a) { return MEMC_POPC(U, a); }               \
  MEMC_FN int32_t memc_clz_##t(T a) { return MEMC_CLZ(U, B, a); }              \
  MEMC_FN int32_t memc_ctz_##t(T a) { return MEMC_POPC(U, ~(W)a & ((W)a - 1)); }

/* Division truncates; MIN / -1 wraps; fdiv and fmod round toward minus
 * infinity; >> keeps the sign. abs is not OpenCL's: PoCL's is undefined for MIN
 * (testdata/fixedbugs/known-minimum.ir). */
#define MEMC_SIGNED(T, U, W, B, t)                                             \
  MEMC_INT_COMMON(T, U, W, B, t)                                               \
  MEMC_FN T memc_div_##t(T a, T b) {                                           \
    return (T)(b == 0 ? 0 : b == -1 ? memc_neg_##t(a) : a / b);                \
  }                                                                            \
  MEMC_FN T memc_rem_##t(T a, T b) {                                           \
    return (T)(b == 0 || b == -1 ? 0 : a % b);                                 \
  }                                                                            \
  MEMC_FN T memc_fdiv_##t(T a, T b) {                                          \
    T q = memc_div_##t(a, b), r = memc_rem_##t(a, b);                          \
    return (T)(r != 0 && (r < 0) != (b < 0) ? q - 1 : q);                      \
  }                                                                            \
  MEMC_FN T memc_fmod_##t(T a, T b) {                                          \
    T r = memc_rem_##t(a, b);                                                  \
    return (T)(r != 0 && (r < 0) != (b < 0) ? r + b : r);                      \
  }                                                                            \
  MEMC_FN T memc_shr_##t(T a, T b) { return (T)(a >> ((W)b & (B - 1))); }      \
  MEMC_FN T memc_abs_##t(T a) { return a < 0 ? memc_neg_##t(a) : a; }          \
  MEMC_FN T memc_sign_##t(T a) { return (T)((a > 0) - (a < 0)); }

#define MEMC_UNSIGNED(T, W, B, t)                                              \
  MEMC_INT_COMMON(T, T, W, B, t)                                               \
  MEMC_FN T memc_div_##t(T a, T b) { return (T)(b == 0 ? 0 : a / b); }         \
  MEMC_FN T memc_rem_##t(T a, T b) { return (T)(b == 0 ? 0 : a % b); }         \
  MEMC_FN T memc_fdiv_##t(T a, T b) { return memc_div_##t(a, b); }             \
  MEMC_FN T memc_fmod_##t(T a, T b) { return memc_rem_##t(a, b); }             \
  MEMC_FN T memc_shr_##t(T a, T b) { return (T)((W)a >> ((W)b & (B - 1))); }   \
  MEMC_FN T memc_abs_##t(T a) { return a; }                                    \
  MEMC_FN T memc_sign_##t(T a) { return (T)(a != 0); }

MEMC_SIGNED(int8_t, uint8_t, uint32_t, 8, i8)
MEMC_SIGNED(int16_t, uint16_t, uint32_t, 16, i16)
MEMC_SIGNED(int32_t, uint32_t, uint32_t, 32, i32)
MEMC_SIGNED(int64_t, uint64_t, uint64_t, 64, i64)
MEMC_UNSIGNED(uint8_t, uint32_t, 8, u8)
MEMC_UNSIGNED(uint16_t, uint32_t, 16, u16)
MEMC_UNSIGNED(uint32_t, uint32_t, 32, u32)
MEMC_UNSIGNED(uint64_t, uint64_t, 64, u64)

/* A float converts to an integer by truncation; it saturates, and a NaN gives
 * 0. LO and HI are the powers of two that bound the type. */
#define MEMC_TO_INT(F, f, T, t, LO, HI, MIN, MAX)                              \
  MEMC_FN T memc_##f##_to_##t(F x) {                                           \
    return (T)(x != x ? 0 : x <= (F)(LO) ? (MIN) : x >= (F)(HI) ? (MAX) : (T)x);\
  }

/* WHOLE: a float of at least this size has no fraction. */
#define MEMC_FLOAT(F, f, M, WHOLE)                                             \
  MEMC_FN F memc_rem_##f(F a, F b) { return M(fmod)(a, b); }                   \
  MEMC_FN F memc_floor_##f(F a) { return MEMC_OF(M(floor), a); }               \
  MEMC_FN F memc_fdiv_##f(F a, F b) { return memc_floor_##f(a / b); }          \
  MEMC_FN F memc_fmod_##f(F a, F b) {                                          \
    F q = memc_floor_##f(a / b), p = b * q;                                    \
    return a - p;                                                              \
  }                                                                            \
  MEMC_FN F memc_min_##f(F a, F b) {                                           \
    return a != a ? b : b != b ? a : b < a ? b : a;                            \
  }                                                                            \
  MEMC_FN F memc_max_##f(F a, F b) {                                           \
    return a != a ? b : b != b ? a : a < b ? b : a;                            \
  }                                                                            \
  MEMC_FN F memc_abs_##f(F a) { return M(fabs)(a); }                           \
  MEMC_FN F memc_sign_##f(F a) {                                               \
    return a > 0 ? (F)1 : a < 0 ? (F)-1 : a;                                   \
  }                                                                            \
  MEMC_FN F memc_sqrt_##f(F a) { return M(sqrt)(a); }                          \
  MEMC_FN F memc_rsqrt_##f(F a) { return MEMC_RSQRT_##f(a); }                  \
  MEMC_FN F memc_exp_##f(F a) { return MEMC_OF(M(exp), a); }                   \
  MEMC_FN F memc_log_##f(F a) { return MEMC_OF(M(log), a); }                   \
  MEMC_FN F memc_log2_##f(F a) { return MEMC_OF(M(log2), a); }                 \
  MEMC_FN F memc_log10_##f(F a) { return MEMC_OF(M(log10), a); }               \
  MEMC_FN F memc_sin_##f(F a) { return MEMC_OF(M(sin), a); }                   \
  MEMC_FN F memc_cos_##f(F a) { return MEMC_OF(M(cos), a); }                   \
  MEMC_FN F memc_tan_##f(F a) { return MEMC_OF(M(tan), a); }                   \
  MEMC_FN F memc_asin_##f(F a) { return MEMC_OF(M(asin), a); }                 \
  MEMC_FN F memc_acos_##f(F a) { return MEMC_OF(M(acos), a); }                 \
  MEMC_FN F memc_atan_##f(F a) { return MEMC_OF(M(atan), a); }                 \
  MEMC_FN F memc_atan2_##f(F a, F b) { return M(atan2)(a, b); }                \
  MEMC_FN F memc_sinh_##f(F a) { return MEMC_OF(M(sinh), a); }                 \
  MEMC_FN F memc_cosh_##f(F a) { return MEMC_OF(M(cosh), a); }                 \
  MEMC_FN F memc_tanh_##f(F a) { return MEMC_OF(M(tanh), a); }                 \
  MEMC_FN F memc_cbrt_##f(F a) { return MEMC_OF(M(cbrt), a); }                 \
  MEMC_FN F memc_log1p_##f(F a) { return MEMC_OF(M(log1p), a); }               \
  MEMC_FN F memc_expm1_##f(F a) { return MEMC_OF(M(expm1), a); }               \
  MEMC_FN F memc_asinh_##f(F a) { return MEMC_OF(M(asinh), a); }               \
  MEMC_FN F memc_acosh_##f(F a) { return MEMC_OF(M(acosh), a); }               \
  MEMC_FN F memc_atanh_##f(F a) { return MEMC_OF(M(atanh), a); }               \
  MEMC_FN F memc_erf_##f(F a) { return MEMC_OF(M(erf), a); }                   \
  MEMC_FN F memc_erfc_##f(F a) { return MEMC_OF(M(erfc), a); }                 \
  MEMC_FN F memc_gamma_##f(F a) { return MEMC_OF(M(tgamma), a); }              \
  MEMC_FN F memc_lgamma_##f(F a) { return MEMC_OF(M(lgamma), a); }             \
  MEMC_FN F memc_hypot_##f(F a, F b) { return M(hypot)(a, b); }                \
  MEMC_FN F memc_copysign_##f(F a, F b) { return M(copysign)(a, b); }          \
  MEMC_FN F memc_nextafter_##f(F a, F b) { return M(nextafter)(a, b); }        \
  MEMC_FN F memc_pow_##f(F a, F b) { /* PoCL's is undefined for a NaN b */     \
    return b != b ? a == 1 ? a : b : M(pow)(a, b);                             \
  }                                                                            \
  MEMC_FN F memc_ceil_##f(F a) { return MEMC_OF(M(ceil), a); }                 \
  MEMC_FN F memc_round_##f(F a) { return MEMC_ROUND(M, a, WHOLE); }            \
  MEMC_FN F memc_trunc_##f(F a) { return MEMC_OF(M(trunc), a); }               \
  MEMC_FN F memc_fma_##f(F a, F b, F c) { return M(fma)(a, b, c); }            \
  MEMC_FN uint8_t memc_isnan_##f(F a) { return a != a; }                       \
  MEMC_FN uint8_t memc_isinf_##f(F a) { return isinf(a) != 0; }                \
  MEMC_TO_INT(F, f, int8_t, i8, -129, 128, -128, 127)                          \
  MEMC_TO_INT(F, f, int16_t, i16, -32769, 32768, -32768, 32767)                \
  MEMC_TO_INT(F, f, int32_t, i32, -2147483648.0f, 2147483648.0f,               \
              -2147483647 - 1, 2147483647)                                     \
  MEMC_TO_INT(F, f, int64_t, i64, -9223372036854775808.0f,                     \
              9223372036854775808.0f, -MEMC_I64C(9223372036854775807) - 1,     \
              MEMC_I64C(9223372036854775807))                                  \
  MEMC_TO_INT(F, f, uint8_t, u8, -1, 256, 0, 255)                              \
  MEMC_TO_INT(F, f, uint16_t, u16, -1, 65536, 0, 65535)                        \
  MEMC_TO_INT(F, f, uint32_t, u32, -1, 4294967296.0f, 0, 4294967295u)          \
  MEMC_TO_INT(F, f, uint64_t, u64, -1, 18446744073709551616.0f, 0,             \
              MEMC_U64C(18446744073709551615))

MEMC_FLOAT(float, f32, MEMC_MATH32, 8388608.0f)
#ifdef MEMC_F64
MEMC_FLOAT(double, f64, MEMC_MATH64, 4503599627370496.0)
#endif

/* The bits of a float as an integer, and back. */
#define MEMC_BITS(F, f, I, i, U, u, TO, FROM)                                  \
  MEMC_FN I memc_tobits_##f(F a) { return (I)TO(a); }                          \
  MEMC_FN F memc_frombits_##i(I a) { return FROM((U)a); }                      \
  MEMC_FN F memc_frombits_##u(U a) { return FROM(a); }
MEMC_BITS(float, f32, int32_t, i32, uint32_t, u32, MEMC_AS_U32, MEMC_AS_F32)
#ifdef MEMC_F64
MEMC_BITS(double, f64, int64_t, i64, uint64_t, u64, MEMC_AS_U64, MEMC_AS_F64)
#endif

/* An f16 is its bits. It is computed with as a float, and rounded toward zero
 * after every operation (ir, Note [Halves]). */
MEMC_FN float memc_single(uint16_t a) {
  uint32_t sign = (uint32_t)(a & 0x8000) << 16, e = (a >> 10) & 31;
  uint32_t man = a & 0x3ff;
  float small = (float)man * 5.9604644775390625e-8f;
  if (e == 0) return sign != 0 ? -small : small;
  return MEMC_AS_F32(sign | (e == 31 ? 255u : e + 112) << 23 | man << 13);
}

MEMC_FN uint16_t memc_half(float a) {
  uint32_t b = MEMC_AS_U32(a), sign = b >> 16 & 0x8000, man = b & 0x7fffff;
  int32_t exp = (int32_t)(b >> 23 & 255) - 127;
  if (exp == 128 && man != 0) return (uint16_t)(sign | 0x7e00);
  if (exp > 15) return (uint16_t)(sign | 0x7c00);
  if (exp >= -14) return (uint16_t)(sign | (uint32_t)(exp + 15) << 10 | man >> 13);
  if (exp >= -24) return (uint16_t)(sign | (man | 0x800000) >> (-1 - exp));
  return (uint16_t)sign;
}

#define MEMC_HALF1(fn)                                                         \
  MEMC_FN uint16_t memc_##fn##_f16(uint16_t a) {                               \
    return memc_half(memc_##fn##_f32(memc_single(a)));                         \
  }
#define MEMC_HALF2(fn)                                                         \
  MEMC_FN uint16_t memc_##fn##_f16(uint16_t a, uint16_t b) {                   \
    return memc_half(memc_##fn##_f32(memc_single(a), memc_single(b)));         \
  }
#define MEMC_HALF_INFIX(fn, op)                                                \
  MEMC_FN uint16_t memc_##fn##_f16(uint16_t a, uint16_t b) {                   \
    return memc_half(memc_single(a) op memc_single(b));                        \
  }
#define MEMC_HALF_ORDER(fn, op)                                                \
  MEMC_FN uint8_t memc_##fn##_f16(uint16_t a, uint16_t b) {                    \
    return memc_single(a) op memc_single(b);                                   \
  }
#define MEMC_HALF_TO(T, t)                                                     \
  MEMC_FN T memc_f16_to_##t(uint16_t a) { return memc_f32_to_##t(memc_single(a)); }

MEMC_HALF_INFIX(add, +)
MEMC_HALF_INFIX(sub, -)
MEMC_HALF_INFIX(mul, *)
MEMC_HALF_INFIX(div, /)
MEMC_HALF_ORDER(eq, ==)
MEMC_HALF_ORDER(ne, !=)
MEMC_HALF_ORDER(lt, <)
MEMC_HALF_ORDER(le, <=)
MEMC_HALF_ORDER(gt, >)
MEMC_HALF_ORDER(ge, >=)
MEMC_HALF1(sign)
MEMC_HALF1(sqrt)
MEMC_HALF1(rsqrt)
MEMC_HALF1(exp)
MEMC_HALF1(log)
MEMC_HALF1(log2)
MEMC_HALF1(log10)
MEMC_HALF1(sin)
MEMC_HALF1(cos)
MEMC_HALF1(tan)
MEMC_HALF1(asin)
MEMC_HALF1(acos)
MEMC_HALF1(atan)
MEMC_HALF1(sinh)
MEMC_HALF1(cosh)
MEMC_HALF1(tanh)
MEMC_HALF1(cbrt)
MEMC_HALF1(log1p)
MEMC_HALF1(expm1)
MEMC_HALF1(asinh)
MEMC_HALF1(acosh)
MEMC_HALF1(atanh)
MEMC_HALF1(erf)
MEMC_HALF1(erfc)
MEMC_HALF1(gamma)
MEMC_HALF1(lgamma)
MEMC_HALF1(floor)
MEMC_HALF1(ceil)
MEMC_HALF1(round)
MEMC_HALF1(trunc)
MEMC_HALF2(rem)
MEMC_HALF2(fdiv)
MEMC_HALF2(min)
MEMC_HALF2(max)
MEMC_HALF2(pow)
MEMC_HALF2(atan2)
MEMC_HALF2(hypot)
MEMC_HALF2(fmod)
MEMC_HALF_TO(int8_t, i8)
MEMC_HALF_TO(int16_t, i16)
MEMC_HALF_TO(int32_t, i32)
MEMC_HALF_TO(int64_t, i64)
MEMC_HALF_TO(uint8_t, u8)
MEMC_HALF_TO(uint16_t, u16)
MEMC_HALF_TO(uint32_t, u32)
MEMC_HALF_TO(uint64_t, u64)

MEMC_FN uint16_t memc_neg_f16(uint16_t a) { return (uint16_t)(a ^ 0x8000); }
MEMC_FN uint16_t memc_abs_f16(uint16_t a) { return (uint16_t)(a & 0x7fff); }
MEMC_FN uint16_t memc_copysign_f16(uint16_t a, uint16_t b) {
  return (uint16_t)((a & 0x7fff) | (b & 0x8000));
}
MEMC_FN uint8_t memc_isnan_f16(uint16_t a) { return (a & 0x7fff) > 0x7c00; }
MEMC_FN uint8_t memc_isinf_f16(uint16_t a) { return (a & 0x7fff) == 0x7c00; }
MEMC_FN int16_t memc_tobits_f16(uint16_t a) { return (int16_t)a; }
MEMC_FN uint16_t memc_frombits_i16(int16_t a) { return (uint16_t)a; }
MEMC_FN uint16_t memc_frombits_u16(uint16_t a) { return a; }
MEMC_FN uint16_t memc_fma_f16(uint16_t a, uint16_t b, uint16_t c) {
  return memc_half(memc_fma_f32(memc_single(a), memc_single(b), memc_single(c)));
}

MEMC_FN uint16_t memc_nextafter_f16(uint16_t a, uint16_t b) {
  float x = memc_single(a), y = memc_single(b);
  if (x != x) return a;
  if (y != y || x == y) return b;
  if (x == 0) return (uint16_t)((b & 0x8000) | 1);
  return (uint16_t)((x < y) == (x > 0) ? a + 1 : a - 1);
}
