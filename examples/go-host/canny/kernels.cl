/* What scalar.h needs, in OpenCL C 1.2, and the parts that kernels share. */

/* A program may compare what can only come out one way. PoCL tells standard error of
 * warnings at every build. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Weverything"
#endif
#pragma OPENCL FP_CONTRACT OFF
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#ifdef MEMC_F64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

typedef char int8_t;
typedef uchar uint8_t;
typedef short int16_t;
typedef ushort uint16_t;
typedef int int32_t;
typedef uint uint32_t;
typedef long int64_t;
typedef ulong uint64_t;

#define MEMC_FN static inline
#define MEMC_POPC(U, x) ((int)popcount((U)(x)))
#define MEMC_CLZ(U, B, x) ((int)clz((U)(x)))
#define MEMC_MATH32(fn) fn
#define MEMC_MATH64(fn) fn
/* PoCL 3.1 computes with integers that are undefined if the operand is a NaN, and in rint
 * if it is large. Where LLVM knows such an operand, it drops the store of the result, or
 * the whole kernel (testdata/fixedbugs/known-operand.ir). PoCL defines
 * POCL_DEVICE_ADDRESS_BITS: it stays PoCL where work is divided as on a GPU. */
#if defined(MEMC_SEVERAL) && !defined(POCL_DEVICE_ADDRESS_BITS)
#define MEMC_OF(fn, a) fn(a)
#define MEMC_ROUND(M, a, whole) M(rint)(a)
#else
#define MEMC_OF(fn, a) ((a) != (a) ? (a) : fn(a))
#define MEMC_ROUND(M, a, whole) (M(fabs)(a) < (whole) ? M(rint)(a) : (a))
#endif
#define MEMC_AS_F32(x) as_float(x)
#define MEMC_AS_U32(x) as_uint(x)
#define MEMC_AS_F64(x) as_double(x)
#define MEMC_AS_U64(x) as_ulong(x)
#define MEMC_I64C(x) x##L
#define MEMC_U64C(x) x##UL

/* The types of elements in memory. Arrays of two types can lie in one place, one
 * after the other, and atomics work on the bits of a float. may_alias tells the
 * compiler that an access of such a type may concern the bytes that another type
 * wrote, so that it keeps their order. */
#define MEMC_ELEMENT(T) typedef T memc_any_##T __attribute__((may_alias));
MEMC_ELEMENT(int8_t)
MEMC_ELEMENT(uint8_t)
MEMC_ELEMENT(int16_t)
MEMC_ELEMENT(uint16_t)
MEMC_ELEMENT(int32_t)
MEMC_ELEMENT(uint32_t)
MEMC_ELEMENT(int64_t)
MEMC_ELEMENT(uint64_t)
MEMC_ELEMENT(float)
#ifdef MEMC_F64
MEMC_ELEMENT(double)
#endif

/* Element i of type T in a block. */
#define MEMC_AT(T, block, i) (((__global memc_any_##T *)(block))[i])
#define MEMC_THREAD(T, block, i) (((__private memc_any_##T *)(block))[i])
#define MEMC_NEAR(T, block, i) (((__local memc_any_##T *)(block))[i])

/* Moves 4 or 8 bytes at once between a work-item's room and a block or local memory, or 16 as often
 * as that takes. The room has words, so that a compiler can keep each in a register. */
#define MEMC_TAKE(SPACE, room, from, bytes) {                                  \
    typedef uint2 any2 __attribute__((may_alias));                             \
    typedef uint4 any4 __attribute__((may_alias));                             \
    __private memc_any_uint32_t *memc_room = (__private memc_any_uint32_t *)room; \
    if (bytes >= 16) {                                                         \
      _Pragma("unroll")                                                        \
      for (int memc_k = 0; memc_k < (int)(bytes) / 16; memc_k++) {             \
        const uint4 memc_v = ((const SPACE any4 *)(from))[memc_k];             \
        memc_room[4 * memc_k] = memc_v.x, memc_room[4 * memc_k + 1] = memc_v.y; \
        memc_room[4 * memc_k + 2] = memc_v.z, memc_room[4 * memc_k + 3] = memc_v.w; \
      }                                                                        \
    } else if (bytes == 8) {                                                   \
      const uint2 memc_v = *(const SPACE any2 *)(from);                        \
      memc_room[0] = memc_v.x, memc_room[1] = memc_v.y;                        \
    } else {                                                                   \
      memc_room[0] = *(const SPACE memc_any_uint32_t *)(from);                 \
    }                                                                          \
  }
#define MEMC_PUT(SPACE, room, to, bytes) {                                     \
    typedef uint2 any2 __attribute__((may_alias));                             \
    typedef uint4 any4 __attribute__((may_alias));                             \
    const __private memc_any_uint32_t *memc_room = (const __private memc_any_uint32_t *)room; \
    if (bytes >= 16)                                                           \
      _Pragma("unroll")                                                        \
      for (int memc_k = 0; memc_k < (int)(bytes) / 16; memc_k++)               \
        ((SPACE any4 *)(to))[memc_k] = (uint4)(memc_room[4 * memc_k], memc_room[4 * memc_k + 1], \
            memc_room[4 * memc_k + 2], memc_room[4 * memc_k + 3]);             \
    else if (bytes == 8) *(SPACE any2 *)(to) = (uint2)(memc_room[0], memc_room[1]); \
    else *(SPACE memc_any_uint32_t *)(to) = memc_room[0];                      \
  }

/* Moves n neighbouring elements, of which the block has the first count; as many at once as
 * make 16 bytes where it has all, and they lie at a multiple of that. If EVEN holds, that is so
 * where it is so for the block: compilers test this before a loop. */
#define MEMC_ALIGNED(T, at, n)                                                 \
  (((ulong)(at) & ((n * sizeof(T) < 16 ? n * sizeof(T) : 16) - 1)) == 0)
#define MEMC_READ(T, room, block, i, n, count, EVEN) {                         \
    const __global memc_any_##T *memc_at =                                     \
        (const __global memc_any_##T *)(block) + (i);                          \
    if (count == n && (EVEN) && MEMC_ALIGNED(T, block, n))                     \
      MEMC_TAKE(__global, room, memc_at, n * sizeof(T))                        \
    else                                                                       \
      _Pragma("unroll")                                                        \
      for (int memc_j = 0; memc_j < n; memc_j++)                               \
        MEMC_THREAD(T, room, memc_j) = memc_at[memc_j < count ? memc_j : 0];   \
  }
#define MEMC_WRITE(T, room, block, i, n, count, EVEN) {                        \
    __global memc_any_##T *memc_at = (__global memc_any_##T *)(block) + (i);   \
    if (count == n && (EVEN) && MEMC_ALIGNED(T, block, n))                     \
      MEMC_PUT(__global, room, memc_at, n * sizeof(T))                         \
    else                                                                       \
      _Pragma("unroll")                                                        \
      for (int memc_j = 0; memc_j < n; memc_j++)                               \
        if (memc_j < count) memc_at[memc_j] = MEMC_THREAD(T, room, memc_j);    \
  }

/* x / n by n's inverse (codegen/imp, inverse); 0: numbers are large. As other divisions (scalar.h), it
 * may be computed before the check that n is not 0. */
MEMC_FN long memc_quotient_i64(long x, long n, long inverse) {
  if (inverse == 0) return n == 0 ? 0 : x / n;
  uint log = (uint)(inverse >> 32), t = mul_hi((uint)inverse, (uint)x);
  return (t + (((uint)x - t) >> min(log, 1u))) >> (log - min(log, 1u));
}

/* A work-item of a map that only moves elements does n points, where that lets it
 * read more before it waits. Those behind the last one do that once more, so
 * that no branch stands between reads. It may also do the turns of a loop in batches. */
#ifdef MEMC_SEVERAL
#define MEMC_BATCHES 1
#define MEMC_EACH(n) (n)
#define MEMC_LAST(i, n) if (i >= (n)) i = (n) - 1;
#else
#define MEMC_BATCHES 0
#define MEMC_EACH(n) 1
#define MEMC_LAST(i, n) if (i >= (n)) break;
#endif

/* LLVM 15 (in PoCL 3.1) may turn a loop's stores into one store to several places. When
 * it then inlines the kernel, it assumes that this store reaches no restrict parameter, and
 * moves reads of the elements above it (testdata/fixedbugs/scattered-store.ir). So on
 * processors no block that a kernel writes is restrict. */
#if defined(MEMC_SEVERAL) && !defined(POCL_DEVICE_ADDRESS_BITS)
#define MEMC_OWN restrict
#else
#define MEMC_OWN
#endif

/* LLVM may find that a loop of a branch that is never taken has no end, as that of
 * `if (n >= 2) .. else for (i = 0; i < n; i++)`. PoCL 3.1 then takes the next barrier for one
 * of a branch, and some work-items do not do what stands before it
 * (testdata/fixedbugs/loop-without-end-*.ir). Or LLVM finds that a loop with barriers has at most
 * one turn, and makes a branch of it, whose last assignments PoCL loses
 * (testdata/fixedbugs/loop-of-one-turn.ir). So in a kernel with barriers the compiler can't see
 * how often a loop runs; it can't count the turns of a `while` with barriers anyway. */
#if defined(POCL_DEVICE_ADDRESS_BITS) && !defined(__NVPTX__)
MEMC_FN long memc_hidden(long n) {
  volatile long hidden = n; /* no asm statement: PoCL 5 aborts in its compiler */
  return hidden;
}
MEMC_FN bool memc_goes(int more) {
  volatile int hidden = more;
  return hidden != 0;
}
#define MEMC_END(n) memc_hidden(n)
#define MEMC_GO(more) memc_goes(more)
#else
#define MEMC_END(n) (n)
#define MEMC_GO(more) (more)
#endif

#ifdef cl_khr_int64_base_atomics
#define memc_peek64(p) atom_cmpxchg(p, 0ul, 0ul)
#define memc_poke64(p, v) atom_xchg(p, v)
#else
#define memc_peek64(p) (*(p))
#define memc_poke64(p, v) (*(p) = (v))
#endif

MEMC_FN int64_t memc_add_i64(int64_t a, int64_t b) { return (int64_t)(uint64_t)((uint64_t)a + (uint64_t)b); }

MEMC_FN int64_t memc_sub_i64(int64_t a, int64_t b) { return (int64_t)(uint64_t)((uint64_t)a - (uint64_t)b); }

MEMC_FN int64_t memc_neg_i64(int64_t a) { return (int64_t)(uint64_t)((uint64_t)0 - (uint64_t)a); }

MEMC_FN int64_t memc_shl_i64(int64_t a, int64_t b) { return (int64_t)(uint64_t)((uint64_t)a << ((uint64_t)b & (64 - 1))); }

MEMC_FN int64_t memc_min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

MEMC_FN int64_t memc_max_i64(int64_t a, int64_t b) { return a < b ? b : a; }

MEMC_FN int64_t memc_shr_i64(int64_t a, int64_t b) { return (int64_t)(a >> ((uint64_t)b & (64 - 1))); }

MEMC_FN float memc_abs_f32(float a) { return MEMC_MATH32(fabs)(a); }

MEMC_FN float memc_sqrt_f32(float a) { return MEMC_MATH32(sqrt)(a); }

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
/* computes `grey`, several neighbours at once */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_grey_map_wide(int64_t h, int64_t w,
    const __global uchar *restrict memc_m_img_buf, long memc_m_img_off,
    __global uchar *MEMC_OWN memc_m_grey_buf, long memc_m_grey_off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = (long)get_group_id(0);
  const __global uchar *restrict m_img = memc_m_img_buf + memc_m_img_off;
  __global uchar *MEMC_OWN m_grey = memc_m_grey_buf + memc_m_grey_off;
  ulong near_m_img[1];
  ulong near_m_grey[2];
  int64_t first = group_id * 1024L + local_id * 4L;
  int64_t count = memc_min_i64(4, h * w - first);
  if (count > 0) {
    MEMC_READ(uint8_t, near_m_img, m_img, first, 4, count, 1)
    #pragma unroll
    for (int64_t k = 0; k < 4; k++) {
      uint8_t img_e = MEMC_THREAD(uint8_t, near_m_img, k);
      MEMC_THREAD(float, near_m_grey, k) = (float)img_e / 255.0f;
    }
    MEMC_WRITE(float, near_m_grey, m_grey, first, 4, count, 1)
  }
}

/* computes `grey` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_grey_map(int64_t h, int64_t w, int64_t each, int64_t inverse,
    const __global uchar *restrict memc_m_img_buf, long memc_m_img_off,
    __global uchar *MEMC_OWN memc_m_grey_buf, long memc_m_grey_off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = (long)get_group_id(0);
  const __global uchar *restrict m_img = memc_m_img_buf + memc_m_img_off;
  __global uchar *MEMC_OWN m_grey = memc_m_grey_buf + memc_m_grey_off;
  #pragma unroll 4
  for (int memc_turn = 0; memc_turn < (int)MEMC_EACH(each); memc_turn++) {
    int64_t gtid = each * group_id * 256L + local_id + 256 * memc_turn;
    MEMC_LAST(gtid, h * w)
    int64_t rest = memc_quotient_i64(gtid, w, inverse);
    int64_t x = gtid - rest * w;
    int64_t y = rest;
    uint8_t img_e = MEMC_AT(uint8_t, m_img, w * y + x);
    MEMC_AT(float, m_grey, w * y + x) = (float)img_e / 255.0f;
  }
}

/* computes `rows` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_rows_map(int64_t across, int64_t inverse_1, int64_t row_log, int64_t w,
    int64_t h, int64_t each_1,
    const __global uchar *restrict memc_m_grey_buf, long memc_m_grey_off,
    __global uchar *MEMC_OWN memc_m_rows_buf, long memc_m_rows_off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = (long)get_group_id(0);
  const __global uchar *restrict m_grey = memc_m_grey_buf + memc_m_grey_off;
  __global uchar *MEMC_OWN m_rows = memc_m_rows_buf + memc_m_rows_off;
  int64_t up = memc_quotient_i64(group_id, across, inverse_1);
  int64_t part = group_id - across * up;
  int64_t column = local_id & memc_sub_i64(memc_shl_i64(1, row_log), 1);
  int64_t x1 = memc_shl_i64(1, row_log) * part + column;
  int64_t row = memc_shr_i64(local_id, row_log);
  if (x1 < w) {
    #pragma unroll 8
    for (int memc_turn = 0; memc_turn < (int)MEMC_EACH(each_1); memc_turn++) {
      int64_t y1_v = memc_shr_i64(256, row_log) * each_1 * up + each_1 * row + memc_turn;
      MEMC_LAST(y1_v, h)
      int64_t i = memc_max_i64(memc_sub_i64(x1, 2), 0);
      float grey_e = MEMC_AT(float, m_grey, w * y1_v + i);
      int64_t i_1 = memc_min_i64(memc_add_i64(x1, 2), memc_sub_i64(w, 1));
      float grey_e_1 = MEMC_AT(float, m_grey, w * y1_v + i_1);
      float far1 = grey_e + grey_e_1;
      int64_t i_2 = memc_max_i64(memc_sub_i64(x1, 1), 0);
      float grey_e_2 = MEMC_AT(float, m_grey, w * y1_v + i_2);
      int64_t i_3 = memc_min_i64(memc_add_i64(x1, 1), memc_sub_i64(w, 1));
      float grey_e_3 = MEMC_AT(float, m_grey, w * y1_v + i_3);
      float near1 = grey_e_2 + grey_e_3;
      float grey_e_4 = MEMC_AT(float, m_grey, w * y1_v + x1);
      MEMC_AT(float, m_rows, w * y1_v + x1) = 0.0625f * far1 + 0.25f * near1 + 0.375f * grey_e_4;
    }
  }
}

/* computes `smooth` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_smooth_map(int64_t across_1, int64_t inverse_2, int64_t row_log_1, int64_t w,
    int64_t h, int64_t each_2,
    const __global uchar *restrict memc_m_rows_buf, long memc_m_rows_off,
    __global uchar *MEMC_OWN memc_m_grey_buf, long memc_m_grey_off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = (long)get_group_id(0);
  const __global uchar *restrict m_rows = memc_m_rows_buf + memc_m_rows_off;
  __global uchar *MEMC_OWN m_grey = memc_m_grey_buf + memc_m_grey_off;
  int64_t up_1 = memc_quotient_i64(group_id, across_1, inverse_2);
  int64_t part_1 = group_id - across_1 * up_1;
  int64_t column_1 = local_id & memc_sub_i64(memc_shl_i64(1, row_log_1), 1);
  int64_t x2 = memc_shl_i64(1, row_log_1) * part_1 + column_1;
  int64_t row_1 = memc_shr_i64(local_id, row_log_1);
  if (x2 < w) {
    #pragma unroll 8
    for (int memc_turn = 0; memc_turn < (int)MEMC_EACH(each_2); memc_turn++) {
      int64_t y2 = memc_shr_i64(256, row_log_1) * each_2 * up_1 + each_2 * row_1 + memc_turn;
      MEMC_LAST(y2, h)
      int64_t i_4 = memc_max_i64(memc_sub_i64(y2, 2), 0);
      float rows_e = MEMC_AT(float, m_rows, i_4 * w + x2);
      int64_t i_5 = memc_min_i64(memc_add_i64(y2, 2), memc_sub_i64(h, 1));
      float rows_e_1 = MEMC_AT(float, m_rows, i_5 * w + x2);
      float far2 = rows_e + rows_e_1;
      int64_t i_6 = memc_max_i64(memc_sub_i64(y2, 1), 0);
      float rows_e_2 = MEMC_AT(float, m_rows, i_6 * w + x2);
      int64_t i_7 = memc_min_i64(memc_add_i64(y2, 1), memc_sub_i64(h, 1));
      float rows_e_3 = MEMC_AT(float, m_rows, i_7 * w + x2);
      float near2 = rows_e_2 + rows_e_3;
      float rows_e_4 = MEMC_AT(float, m_rows, w * y2 + x2);
      MEMC_AT(float, m_grey, w * y2 + x2) = 0.0625f * far2 + 0.25f * near2 + 0.375f * rows_e_4;
    }
  }
}

/* computes `mag`, `dir` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_mag_map(int64_t h, int64_t w, int64_t inverse_3,
    const __global uchar *memc_m_grey_buf, long memc_m_grey_off,
    __global uchar *memc_m_rows_buf, long memc_m_rows_off,
    __global uchar *memc_m_dir_buf, long memc_m_dir_off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = (long)get_group_id(0);
  const __global uchar *m_grey = memc_m_grey_buf + memc_m_grey_off;
  __global uchar *m_rows = memc_m_rows_buf + memc_m_rows_off;
  __global uchar *m_dir = memc_m_dir_buf + memc_m_dir_off;
  int64_t gtid = group_id * 256L + local_id;
  if (gtid < (h * w)) {
    int64_t rest_1 = memc_quotient_i64(gtid, w, inverse_3);
    int64_t x3 = gtid - rest_1 * w;
    int64_t y3 = rest_1;
    int64_t n3 = memc_max_i64(memc_sub_i64(y3, 1), 0);
    int64_t s3 = memc_min_i64(memc_add_i64(y3, 1), memc_sub_i64(h, 1));
    int64_t l3 = memc_max_i64(memc_sub_i64(x3, 1), 0);
    int64_t r3 = memc_min_i64(memc_add_i64(x3, 1), memc_sub_i64(w, 1));
    float smooth_e = MEMC_AT(float, m_grey, n3 * w + r3);
    float smooth_e_1 = MEMC_AT(float, m_grey, w * y3 + r3);
    float smooth_e_2 = MEMC_AT(float, m_grey, s3 * w + r3);
    float smooth_e_3 = MEMC_AT(float, m_grey, n3 * w + l3);
    float smooth_e_4 = MEMC_AT(float, m_grey, w * y3 + l3);
    float smooth_e_5 = MEMC_AT(float, m_grey, s3 * w + l3);
    float gx = smooth_e + 2.0f * smooth_e_1 + smooth_e_2 - (smooth_e_3 + 2.0f * smooth_e_4 + smooth_e_5);
    float smooth_e_6 = MEMC_AT(float, m_grey, s3 * w + l3);
    float smooth_e_7 = MEMC_AT(float, m_grey, s3 * w + x3);
    float smooth_e_8 = MEMC_AT(float, m_grey, s3 * w + r3);
    float smooth_e_9 = MEMC_AT(float, m_grey, n3 * w + l3);
    float smooth_e_10 = MEMC_AT(float, m_grey, n3 * w + x3);
    float smooth_e_11 = MEMC_AT(float, m_grey, n3 * w + r3);
    float gy = smooth_e_6 + 2.0f * smooth_e_7 + smooth_e_8 - (smooth_e_9 + 2.0f * smooth_e_10 + smooth_e_11);
    float ax = memc_abs_f32(gx);
    float ay = memc_abs_f32(gy);
    int8_t class = (ay <= (0.4142135f * ax)) ? 0 : ((ax <= (0.4142135f * ay)) ? 2 : (((gx * gy) > 0.0f) ? 1 : 3));
    MEMC_AT(float, m_rows, w * y3 + x3) = memc_sqrt_f32(gx * gx + gy * gy);
    MEMC_AT(int8_t, m_dir, w * y3 + x3) = class;
  }
}

/* computes `marks` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_marks_map(int64_t h, int64_t w, int64_t inverse_4,
    __global uchar *memc_m_dir_buf, long memc_m_dir_off,
    const __global uchar *memc_m_rows_buf, long memc_m_rows_off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = (long)get_group_id(0);
  __global uchar *m_dir = memc_m_dir_buf + memc_m_dir_off;
  const __global uchar *m_rows = memc_m_rows_buf + memc_m_rows_off;
  int64_t gtid = group_id * 256L + local_id;
  if (gtid < (h * w)) {
    int64_t rest_2 = memc_quotient_i64(gtid, w, inverse_4);
    int64_t x4 = gtid - rest_2 * w;
    int64_t y4 = rest_2;
    int8_t d = MEMC_AT(int8_t, m_dir, w * y4 + x4);
    int64_t dy = (d == 0) ? 0 : ((d == 3) ? memc_neg_i64(1) : 1);
    int64_t dx = (d == 2) ? 0 : 1;
    int64_t i_8 = memc_min_i64(memc_max_i64(memc_sub_i64(y4, dy), 0), memc_sub_i64(h, 1));
    int64_t i_9 = memc_max_i64(memc_sub_i64(x4, dx), 0);
    float before = MEMC_AT(float, m_rows, i_8 * w + i_9);
    int64_t i_10 = memc_min_i64(memc_max_i64(memc_add_i64(y4, dy), 0), memc_sub_i64(h, 1));
    int64_t i_11 = memc_min_i64(memc_add_i64(x4, dx), memc_sub_i64(w, 1));
    float after = MEMC_AT(float, m_rows, i_10 * w + i_11);
    float m = MEMC_AT(float, m_rows, w * y4 + x4);
    uint8_t ridge = (m >= before) && (m >= after);
    MEMC_AT(uint8_t, m_dir, w * y4 + x4) = (ridge && (m > 0.6f)) ? 2 : ((ridge && (m > 0.2f)) ? 1 : 0);
  }
}

/* computes `next` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_next_map(int64_t across_2, int64_t inverse_5, int64_t row_log_2, int64_t w,
    int64_t h, int64_t each_3,
    const __global uchar *restrict memc_m_cur_buf, long memc_m_cur_off,
    __global uchar *MEMC_OWN memc_m_cur_next_buf, long memc_m_cur_next_off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = (long)get_group_id(0);
  const __global uchar *restrict m_cur = memc_m_cur_buf + memc_m_cur_off;
  __global uchar *MEMC_OWN m_cur_next = memc_m_cur_next_buf + memc_m_cur_next_off;
  int64_t up_2 = memc_quotient_i64(group_id, across_2, inverse_5);
  int64_t part_2 = group_id - across_2 * up_2;
  int64_t column_2 = local_id & memc_sub_i64(memc_shl_i64(1, row_log_2), 1);
  int64_t x5 = memc_shl_i64(1, row_log_2) * part_2 + column_2;
  int64_t row_2 = memc_shr_i64(local_id, row_log_2);
  if (x5 < w) {
    #pragma unroll 4
    for (int memc_turn = 0; memc_turn < (int)MEMC_EACH(each_3); memc_turn++) {
      int64_t y5 = memc_shr_i64(256, row_log_2) * each_3 * up_2 + each_3 * row_2 + memc_turn;
      MEMC_LAST(y5, h)
      int64_t n5 = memc_max_i64(memc_sub_i64(y5, 1), 0);
      int64_t s5 = memc_min_i64(memc_add_i64(y5, 1), memc_sub_i64(h, 1));
      int64_t l5 = memc_max_i64(memc_sub_i64(x5, 1), 0);
      int64_t r5 = memc_min_i64(memc_add_i64(x5, 1), memc_sub_i64(w, 1));
      uint8_t c5 = MEMC_AT(uint8_t, m_cur, w * y5 + x5);
      uint8_t cur_e = MEMC_AT(uint8_t, m_cur, n5 * w + l5);
      uint8_t strong = cur_e == 2;
      if (!strong) {
        uint8_t cur_e_1 = MEMC_AT(uint8_t, m_cur, n5 * w + x5);
        strong = cur_e_1 == 2;
      }
      if (!strong) {
        uint8_t cur_e_2 = MEMC_AT(uint8_t, m_cur, n5 * w + r5);
        strong = cur_e_2 == 2;
      }
      if (!strong) {
        uint8_t cur_e_3 = MEMC_AT(uint8_t, m_cur, w * y5 + l5);
        strong = cur_e_3 == 2;
      }
      if (!strong) {
        uint8_t cur_e_4 = MEMC_AT(uint8_t, m_cur, w * y5 + r5);
        strong = cur_e_4 == 2;
      }
      if (!strong) {
        uint8_t cur_e_5 = MEMC_AT(uint8_t, m_cur, s5 * w + l5);
        strong = cur_e_5 == 2;
      }
      if (!strong) {
        uint8_t cur_e_6 = MEMC_AT(uint8_t, m_cur, s5 * w + x5);
        strong = cur_e_6 == 2;
      }
      if (!strong) {
        uint8_t cur_e_7 = MEMC_AT(uint8_t, m_cur, s5 * w + r5);
        strong = cur_e_7 == 2;
      }
      MEMC_AT(uint8_t, m_cur_next, w * y5 + x5) = ((c5 == 1) && strong) ? 2 : c5;
    }
  }
}

/* work-groups reduce `changed` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_changed_reduce(int64_t parts, int64_t n, int64_t w, int64_t inverse_6,
    const __global uchar *restrict memc_m_cur_next_buf, long memc_m_cur_next_off,
    const __global uchar *restrict memc_m_cur_buf, long memc_m_cur_off,
    __global uchar *MEMC_OWN memc_slots_buf, long memc_slots_off,
    __global uchar *MEMC_OWN memc_partial_mem_buf, long memc_partial_mem_off,
    int64_t joins)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = (long)get_group_id(0);
  const __global uchar *restrict m_cur_next = memc_m_cur_next_buf + memc_m_cur_next_off;
  const __global uchar *restrict m_cur = memc_m_cur_buf + memc_m_cur_off;
  __global uchar *MEMC_OWN slots = memc_slots_buf + memc_slots_off;
  __global uchar *MEMC_OWN partial_mem = memc_partial_mem_buf + memc_partial_mem_off;
  __local memc_any_uint8_t shared[256] __attribute__((aligned(16)));
  __local memc_any_int32_t ticket[1] __attribute__((aligned(16)));
  uint8_t b = 0;
  uint8_t a = 0;
  int64_t item = group_id * 256L + local_id;
  int64_t items = parts * 256L;
  int64_t count_1 = (item < n) ? ((items - item + n - 1L) / items) : 0;
  #pragma unroll 8
  for (int64_t turn = 0, memc_end = MEMC_END(count_1); turn < memc_end; turn++) {
    int64_t t = items * turn + item;
    int64_t quotient_4 = memc_quotient_i64(t, w, inverse_6);
    int64_t quotient_5 = memc_quotient_i64(t, w, inverse_6);
    int64_t i_14 = t - quotient_5 * w;
    uint8_t next_e_1 = MEMC_AT(uint8_t, m_cur_next, quotient_4 * w + i_14);
    int64_t quotient_6 = memc_quotient_i64(t, w, inverse_6);
    int64_t quotient_7 = memc_quotient_i64(t, w, inverse_6);
    int64_t i_15 = t - quotient_7 * w;
    uint8_t cur_e_9 = MEMC_AT(uint8_t, m_cur, quotient_6 * w + i_15);
    b = next_e_1 != cur_e_9;
    a = a || b;
  }
  shared[local_id] = a;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  int64_t reach = 128;
  while (reach > 0) {
    if (local_id < reach) {
      uint8_t x_1 = shared[local_id];
      a = x_1;
      uint8_t x_2 = shared[local_id + reach];
      b = x_2;
      a = a || b;
      shared[local_id] = a;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    reach = reach / 2L;
  }
  uint8_t x_3 = shared[local_id];
  a = x_3;
  if (local_id == 0) {
    if (parts == 1) {
      MEMC_AT(uint8_t, slots, 64L) = a;
    } else {
      MEMC_AT(uint8_t, partial_mem, group_id) = a;
    }
  }
  if (local_id == 0) {
    int32_t number = (-1);
    if (joins == 1) {
      memc_fence();
      number = atomic_inc((volatile __global int *)slots + (18L));
    }
    ticket[0L] = number;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  int32_t number_1 = ticket[0L];
  int64_t again = ((int64_t)number_1 == memc_sub_i64(parts, 1)) ? 1 : 0;
  for (int64_t round_v = 0, memc_end = MEMC_END(again); round_v < memc_end; round_v++) {
    a = 0;
    int64_t count_2 = (local_id < parts) ? ((parts - local_id + 255L) / 256L) : 0;
    #pragma unroll 8
    for (int64_t turn_1 = 0, memc_end = MEMC_END(count_2); turn_1 < memc_end; turn_1++) {
      int64_t part_3 = local_id + turn_1 * 256L;
      uint8_t x_5 = MEMC_FRESH(uint8_t, partial_mem, part_3);
      b = x_5;
      a = a || b;
    }
    shared[local_id] = a;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int64_t reach_1 = 128;
    while (reach_1 > 0) {
      if (local_id < reach_1) {
        uint8_t x_6 = shared[local_id];
        a = x_6;
        uint8_t x_7 = shared[local_id + reach_1];
        b = x_7;
        a = a || b;
        shared[local_id] = a;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      reach_1 = reach_1 / 2L;
    }
    uint8_t x_8 = shared[local_id];
    a = x_8;
    if (local_id == 0) {
      MEMC_AT(uint8_t, slots, 64L) = a;
      MEMC_AT(int32_t, slots, 18L) = 0;
    }
  }
}

/* reduces the parts' values of `changed` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_changed_reduce_partial(int64_t parts,
    const __global uchar *restrict memc_partial_mem_buf, long memc_partial_mem_off,
    __global uchar *MEMC_OWN memc_slots_buf, long memc_slots_off)
{
  const long local_id = (long)get_local_id(0);
  const __global uchar *restrict partial_mem = memc_partial_mem_buf + memc_partial_mem_off;
  __global uchar *MEMC_OWN slots = memc_slots_buf + memc_slots_off;
  ulong near_partial_mem[8];
  __local memc_any_uint8_t shared_1[256] __attribute__((aligned(16)));
  uint8_t x_9 = 0;
  uint8_t here_a_2 = 0;
  int64_t k_3 = 0;
  uint8_t b = 0;
  uint8_t a = 0;
  int64_t head = memc_min_i64(0L & 15L, parts);
  int64_t rest_3 = parts - head;
  int64_t blocks = rest_3 / 16L;
  int64_t count_3 = (local_id < blocks) ? ((blocks - local_id + 255L) / 256L) : 0;
  if (MEMC_BATCHES) {
    #pragma unroll 1
    for (int64_t batch = 0, memc_end = MEMC_END(memc_shr_i64(count_3, 2L)); batch < memc_end; batch++) {
      #pragma unroll
      for (int64_t j = 0; j < 4; j++) {
        int64_t turn_2_1 = batch * 4L + j;
        int64_t first_3_1 = head + (local_id + turn_2_1 * 256L) * 16L;
        MEMC_READ(uint8_t, ((__private memc_any_uint8_t *)near_partial_mem + j * 16L), partial_mem, first_3_1, 16, 16, 1)
      }
      #pragma unroll
      for (int64_t j_1 = 0; j_1 < 4; j_1++) {
        #pragma unroll
        for (k_3 = 0; k_3 < 16; k_3++) {
          x_9 = MEMC_THREAD(uint8_t, near_partial_mem, j_1 * 16L + k_3);
          here_a_2 = x_9;
          b = here_a_2;
          a = a || b;
        }
      }
    }
    int64_t left = count_3 & 3L;
    if (left > 0) {
      #pragma unroll
      for (int64_t j_2 = 0; j_2 < 4; j_2++) {
        int64_t turn_2_2 = memc_min_i64(count_3 + j_2 - left, count_3 - 1L);
        int64_t first_3_2 = head + (local_id + turn_2_2 * 256L) * 16L;
        MEMC_READ(uint8_t, ((__private memc_any_uint8_t *)near_partial_mem + j_2 * 16L), partial_mem, first_3_2, 16, 16, 1)
      }
      #pragma unroll
      for (int64_t j_3 = 0; j_3 < 4; j_3++) {
        if (j_3 < left) {
          #pragma unroll
          for (k_3 = 0; k_3 < 16; k_3++) {
            x_9 = MEMC_THREAD(uint8_t, near_partial_mem, j_3 * 16L + k_3);
            here_a_2 = x_9;
            b = here_a_2;
            a = a || b;
          }
        }
      }
    }
  } else {
    #pragma unroll 8
    for (int64_t turn_2 = 0, memc_end = MEMC_END(count_3); turn_2 < memc_end; turn_2++) {
      int64_t first_3 = head + (local_id + turn_2 * 256L) * 16L;
      MEMC_READ(uint8_t, near_partial_mem, partial_mem, first_3, 16, 16, 1)
      #pragma unroll
      for (k_3 = 0; k_3 < 16; k_3++) {
        x_9 = MEMC_THREAD(uint8_t, near_partial_mem, k_3);
        here_a_2 = x_9;
        b = here_a_2;
        a = a || b;
      }
    }
  }
  int64_t border = parts - blocks * 16L;
  int64_t count_4 = (local_id < border) ? ((border - local_id + 255L) / 256L) : 0;
  for (int64_t turn_3 = 0, memc_end = MEMC_END(count_4); turn_3 < memc_end; turn_3++) {
    int64_t part_4 = (((local_id + turn_3 * 256L) < head) ? 0L : (blocks * 16L)) + (local_id + turn_3 * 256L);
    uint8_t x_10 = MEMC_AT(uint8_t, partial_mem, part_4);
    b = x_10;
    a = a || b;
  }
  shared_1[local_id] = a;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  int64_t reach_2 = 128;
  while (reach_2 > 0) {
    if (local_id < reach_2) {
      uint8_t x_11 = shared_1[local_id];
      a = x_11;
      uint8_t x_12 = shared_1[local_id + reach_2];
      b = x_12;
      a = a || b;
      shared_1[local_id] = a;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    reach_2 = reach_2 / 2L;
  }
  uint8_t x_13 = shared_1[local_id];
  a = x_13;
  if (local_id == 0) {
    MEMC_AT(uint8_t, slots, 64L) = a;
  }
}

/* computes `marked` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_marked_map(int64_t h, int64_t w, int64_t inverse_7,
    const __global uchar *memc_m_final_buf, long memc_m_final_off,
    __global uchar *memc_m_dir_buf, long memc_m_dir_off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = (long)get_group_id(0);
  const __global uchar *m_final = memc_m_final_buf + memc_m_final_off;
  __global uchar *m_dir = memc_m_dir_buf + memc_m_dir_off;
  int64_t gtid = group_id * 256L + local_id;
  if (gtid < (h * w)) {
    int64_t rest_4 = memc_quotient_i64(gtid, w, inverse_7);
    int64_t x6 = gtid - rest_4 * w;
    int64_t y6 = rest_4;
    uint8_t final_e = MEMC_AT(uint8_t, m_final, w * y6 + x6);
    MEMC_AT(uint8_t, m_dir, w * y6 + x6) = (final_e == 2) ? 255 : 0;
  }
}

