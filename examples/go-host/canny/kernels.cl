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
/* The number of the work-group: a launch of more groups than a device takes at once runs in turns. */
#define MEMC_GROUP ((long)(get_group_id(0) + get_global_offset(0) / get_local_size(0)))
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

/* PoCL 3.1 loses private variables of a kernel of groups that a branch assigns, or a
 * condition reads, between barriers (testdata/fixedbugs/group-*-of-branch.ir), and runs a
 * loop of a branch without end in work-items that have no turns of it. In a scan in one pass
 * it took the number of the first work-item's values for that of all
 * (testdata/imp/pos-scans-in-one-pass.ir). */
#if defined(MEMC_SEVERAL) && !defined(POCL_DEVICE_ADDRESS_BITS)
#define MEMC_KEPT
#else
#define MEMC_KEPT volatile
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
void main_grey_map_wide(int64_t h_, int64_t w_,
    const __global uchar *restrict memc_m_img__buf, long memc_m_img__off,
    __global uchar *MEMC_OWN memc_m_grey__buf, long memc_m_grey__off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = MEMC_GROUP;
  const __global uchar *restrict m_img_ = memc_m_img__buf + memc_m_img__off;
  __global uchar *MEMC_OWN m_grey_ = memc_m_grey__buf + memc_m_grey__off;
  ulong near_m_img_[1];
  ulong near_m_grey_[2];
  int64_t first_ = group_id * 1024L + local_id * 4L;
  int64_t count_ = memc_min_i64(4, h_ * w_ - first_);
  if (count_ > 0) {
    MEMC_READ(uint8_t, near_m_img_, m_img_, first_, 4, count_, 1)
    #pragma unroll
    for (int64_t k_ = 0; k_ < 4; k_++) {
      uint8_t img__e_ = MEMC_THREAD(uint8_t, near_m_img_, k_);
      MEMC_THREAD(float, near_m_grey_, k_) = (float)img__e_ / 255.0f;
    }
    MEMC_WRITE(float, near_m_grey_, m_grey_, first_, 4, count_, 1)
  }
}

/* computes `grey` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_grey_map(int64_t h_, int64_t w_, int64_t each_, int64_t inverse_,
    const __global uchar *restrict memc_m_img__buf, long memc_m_img__off,
    __global uchar *MEMC_OWN memc_m_grey__buf, long memc_m_grey__off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = MEMC_GROUP;
  const __global uchar *restrict m_img_ = memc_m_img__buf + memc_m_img__off;
  __global uchar *MEMC_OWN m_grey_ = memc_m_grey__buf + memc_m_grey__off;
  #pragma unroll 4
  for (int memc_turn = 0; memc_turn < (int)MEMC_EACH(each_); memc_turn++) {
    int64_t gtid = each_ * group_id * 256L + local_id + 256 * memc_turn;
    MEMC_LAST(gtid, h_ * w_)
    int64_t rest_ = memc_quotient_i64(gtid, w_, inverse_);
    int64_t x_ = gtid - rest_ * w_;
    int64_t y_ = rest_;
    uint8_t img__e_ = MEMC_AT(uint8_t, m_img_, w_ * y_ + x_);
    MEMC_AT(float, m_grey_, w_ * y_ + x_) = (float)img__e_ / 255.0f;
  }
}

/* computes `rows` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_rows_map(int64_t across_, int64_t inverse_1_, int64_t row_log_, int64_t w_,
    int64_t h_, int64_t each_1_,
    const __global uchar *restrict memc_m_grey__buf, long memc_m_grey__off,
    __global uchar *MEMC_OWN memc_m_rows__buf, long memc_m_rows__off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = MEMC_GROUP;
  const __global uchar *restrict m_grey_ = memc_m_grey__buf + memc_m_grey__off;
  __global uchar *MEMC_OWN m_rows_ = memc_m_rows__buf + memc_m_rows__off;
  int64_t up_ = memc_quotient_i64(group_id, across_, inverse_1_);
  int64_t part_ = group_id - across_ * up_;
  int64_t column_ = local_id & memc_sub_i64(memc_shl_i64(1, row_log_), 1);
  int64_t row_ = memc_shr_i64(local_id, row_log_);
  int64_t x1_ = memc_shl_i64(1, row_log_) * part_ + column_;
  if (x1_ < w_) {
    #pragma unroll 8
    for (int memc_turn = 0; memc_turn < (int)MEMC_EACH(each_1_); memc_turn++) {
      int64_t y1_ = memc_shr_i64(256, row_log_) * each_1_ * up_ + each_1_ * row_ + memc_turn;
      MEMC_LAST(y1_, h_)
      int64_t i_ = memc_max_i64(memc_sub_i64(x1_, 2), 0);
      float grey__e_ = MEMC_AT(float, m_grey_, w_ * y1_ + i_);
      int64_t i_1_ = memc_min_i64(memc_add_i64(x1_, 2), memc_sub_i64(w_, 1));
      float grey__e_1_ = MEMC_AT(float, m_grey_, w_ * y1_ + i_1_);
      float far1_ = grey__e_ + grey__e_1_;
      int64_t i_2_ = memc_max_i64(memc_sub_i64(x1_, 1), 0);
      float grey__e_2_ = MEMC_AT(float, m_grey_, w_ * y1_ + i_2_);
      int64_t i_3_ = memc_min_i64(memc_add_i64(x1_, 1), memc_sub_i64(w_, 1));
      float grey__e_3_ = MEMC_AT(float, m_grey_, w_ * y1_ + i_3_);
      float near1_ = grey__e_2_ + grey__e_3_;
      float grey__e_4_ = MEMC_AT(float, m_grey_, w_ * y1_ + x1_);
      MEMC_AT(float, m_rows_, w_ * y1_ + x1_) = 0.0625f * far1_ + 0.25f * near1_ + 0.375f * grey__e_4_;
    }
  }
}

/* computes `smooth` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_smooth_map(int64_t across_1_, int64_t inverse_2_, int64_t row_log_1_, int64_t w_,
    int64_t h_, int64_t each_2_,
    const __global uchar *restrict memc_m_rows__buf, long memc_m_rows__off,
    __global uchar *MEMC_OWN memc_m_grey__buf, long memc_m_grey__off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = MEMC_GROUP;
  const __global uchar *restrict m_rows_ = memc_m_rows__buf + memc_m_rows__off;
  __global uchar *MEMC_OWN m_grey_ = memc_m_grey__buf + memc_m_grey__off;
  int64_t up_1_ = memc_quotient_i64(group_id, across_1_, inverse_2_);
  int64_t part_1_ = group_id - across_1_ * up_1_;
  int64_t column_1_ = local_id & memc_sub_i64(memc_shl_i64(1, row_log_1_), 1);
  int64_t row_1_ = memc_shr_i64(local_id, row_log_1_);
  int64_t x2_ = memc_shl_i64(1, row_log_1_) * part_1_ + column_1_;
  if (x2_ < w_) {
    #pragma unroll 8
    for (int memc_turn = 0; memc_turn < (int)MEMC_EACH(each_2_); memc_turn++) {
      int64_t y2_ = memc_shr_i64(256, row_log_1_) * each_2_ * up_1_ + each_2_ * row_1_ + memc_turn;
      MEMC_LAST(y2_, h_)
      int64_t i_4_ = memc_max_i64(memc_sub_i64(y2_, 2), 0);
      float rows__e_ = MEMC_AT(float, m_rows_, i_4_ * w_ + x2_);
      int64_t i_5_ = memc_min_i64(memc_add_i64(y2_, 2), memc_sub_i64(h_, 1));
      float rows__e_1_ = MEMC_AT(float, m_rows_, i_5_ * w_ + x2_);
      float far2_ = rows__e_ + rows__e_1_;
      int64_t i_6_ = memc_max_i64(memc_sub_i64(y2_, 1), 0);
      float rows__e_2_ = MEMC_AT(float, m_rows_, i_6_ * w_ + x2_);
      int64_t i_7_ = memc_min_i64(memc_add_i64(y2_, 1), memc_sub_i64(h_, 1));
      float rows__e_3_ = MEMC_AT(float, m_rows_, i_7_ * w_ + x2_);
      float near2_ = rows__e_2_ + rows__e_3_;
      float rows__e_4_ = MEMC_AT(float, m_rows_, w_ * y2_ + x2_);
      MEMC_AT(float, m_grey_, w_ * y2_ + x2_) = 0.0625f * far2_ + 0.25f * near2_ + 0.375f * rows__e_4_;
    }
  }
}

/* computes `mag`, `dir` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_mag_map(int64_t h_, int64_t w_, int64_t inverse_3_,
    const __global uchar *memc_m_grey__buf, long memc_m_grey__off,
    __global uchar *memc_m_rows__buf, long memc_m_rows__off,
    __global uchar *memc_m_dir__buf, long memc_m_dir__off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = MEMC_GROUP;
  const __global uchar *m_grey_ = memc_m_grey__buf + memc_m_grey__off;
  __global uchar *m_rows_ = memc_m_rows__buf + memc_m_rows__off;
  __global uchar *m_dir_ = memc_m_dir__buf + memc_m_dir__off;
  int64_t gtid = group_id * 256L + local_id;
  if (gtid < (h_ * w_)) {
    int64_t rest_1_ = memc_quotient_i64(gtid, w_, inverse_3_);
    int64_t x3_ = gtid - rest_1_ * w_;
    int64_t y3_ = rest_1_;
    int64_t n3_ = memc_max_i64(memc_sub_i64(y3_, 1), 0);
    int64_t s3_ = memc_min_i64(memc_add_i64(y3_, 1), memc_sub_i64(h_, 1));
    int64_t l3_ = memc_max_i64(memc_sub_i64(x3_, 1), 0);
    int64_t r3_ = memc_min_i64(memc_add_i64(x3_, 1), memc_sub_i64(w_, 1));
    float smooth__e_ = MEMC_AT(float, m_grey_, n3_ * w_ + r3_);
    float smooth__e_1_ = MEMC_AT(float, m_grey_, w_ * y3_ + r3_);
    float smooth__e_2_ = MEMC_AT(float, m_grey_, s3_ * w_ + r3_);
    float smooth__e_3_ = MEMC_AT(float, m_grey_, n3_ * w_ + l3_);
    float smooth__e_4_ = MEMC_AT(float, m_grey_, w_ * y3_ + l3_);
    float smooth__e_5_ = MEMC_AT(float, m_grey_, s3_ * w_ + l3_);
    float gx_ = smooth__e_ + 2.0f * smooth__e_1_ + smooth__e_2_ - (smooth__e_3_ + 2.0f * smooth__e_4_ + smooth__e_5_);
    float smooth__e_6_ = MEMC_AT(float, m_grey_, s3_ * w_ + l3_);
    float smooth__e_7_ = MEMC_AT(float, m_grey_, s3_ * w_ + x3_);
    float smooth__e_8_ = MEMC_AT(float, m_grey_, s3_ * w_ + r3_);
    float smooth__e_9_ = MEMC_AT(float, m_grey_, n3_ * w_ + l3_);
    float smooth__e_10_ = MEMC_AT(float, m_grey_, n3_ * w_ + x3_);
    float smooth__e_11_ = MEMC_AT(float, m_grey_, n3_ * w_ + r3_);
    float gy_ = smooth__e_6_ + 2.0f * smooth__e_7_ + smooth__e_8_ - (smooth__e_9_ + 2.0f * smooth__e_10_ + smooth__e_11_);
    float ax_ = memc_abs_f32(gx_);
    float ay_ = memc_abs_f32(gy_);
    int8_t class_ = (ay_ <= (0.4142135f * ax_)) ? 0 : ((ax_ <= (0.4142135f * ay_)) ? 2 : (((gx_ * gy_) > 0.0f) ? 1 : 3));
    MEMC_AT(float, m_rows_, w_ * y3_ + x3_) = memc_sqrt_f32(gx_ * gx_ + gy_ * gy_);
    MEMC_AT(int8_t, m_dir_, w_ * y3_ + x3_) = class_;
  }
}

/* computes `marks` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_marks_map(int64_t h_, int64_t w_, int64_t inverse_4_,
    __global uchar *memc_m_dir__buf, long memc_m_dir__off,
    const __global uchar *memc_m_rows__buf, long memc_m_rows__off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = MEMC_GROUP;
  __global uchar *m_dir_ = memc_m_dir__buf + memc_m_dir__off;
  const __global uchar *m_rows_ = memc_m_rows__buf + memc_m_rows__off;
  int64_t gtid = group_id * 256L + local_id;
  if (gtid < (h_ * w_)) {
    int64_t rest_2_ = memc_quotient_i64(gtid, w_, inverse_4_);
    int64_t x4_ = gtid - rest_2_ * w_;
    int64_t y4_ = rest_2_;
    int8_t d_ = MEMC_AT(int8_t, m_dir_, w_ * y4_ + x4_);
    int64_t dy_ = (d_ == 0) ? 0 : ((d_ == 3) ? memc_neg_i64(1) : 1);
    int64_t dx_ = (d_ == 2) ? 0 : 1;
    int64_t i_8_ = memc_min_i64(memc_max_i64(memc_sub_i64(y4_, dy_), 0), memc_sub_i64(h_, 1));
    int64_t i_9_ = memc_max_i64(memc_sub_i64(x4_, dx_), 0);
    float before_ = MEMC_AT(float, m_rows_, i_8_ * w_ + i_9_);
    int64_t i_10_ = memc_min_i64(memc_max_i64(memc_add_i64(y4_, dy_), 0), memc_sub_i64(h_, 1));
    int64_t i_11_ = memc_min_i64(memc_add_i64(x4_, dx_), memc_sub_i64(w_, 1));
    float after_ = MEMC_AT(float, m_rows_, i_10_ * w_ + i_11_);
    float m_ = MEMC_AT(float, m_rows_, w_ * y4_ + x4_);
    uint8_t ridge_ = (m_ >= before_) && (m_ >= after_);
    MEMC_AT(uint8_t, m_dir_, w_ * y4_ + x4_) = (ridge_ && (m_ > 0.6f)) ? 2 : ((ridge_ && (m_ > 0.2f)) ? 1 : 0);
  }
}

/* computes `next` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_next_map(int64_t across_2_, int64_t inverse_5_, int64_t row_log_2_, int64_t w_,
    int64_t h_, int64_t each_3_,
    const __global uchar *restrict memc_m_cur__buf, long memc_m_cur__off,
    __global uchar *MEMC_OWN memc_m_cur_next__buf, long memc_m_cur_next__off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = MEMC_GROUP;
  const __global uchar *restrict m_cur_ = memc_m_cur__buf + memc_m_cur__off;
  __global uchar *MEMC_OWN m_cur_next_ = memc_m_cur_next__buf + memc_m_cur_next__off;
  int64_t up_2_ = memc_quotient_i64(group_id, across_2_, inverse_5_);
  int64_t part_2_ = group_id - across_2_ * up_2_;
  int64_t column_2_ = local_id & memc_sub_i64(memc_shl_i64(1, row_log_2_), 1);
  int64_t row_2_ = memc_shr_i64(local_id, row_log_2_);
  int64_t x5_ = memc_shl_i64(1, row_log_2_) * part_2_ + column_2_;
  if (x5_ < w_) {
    #pragma unroll 4
    for (int memc_turn = 0; memc_turn < (int)MEMC_EACH(each_3_); memc_turn++) {
      int64_t y5_ = memc_shr_i64(256, row_log_2_) * each_3_ * up_2_ + each_3_ * row_2_ + memc_turn;
      MEMC_LAST(y5_, h_)
      int64_t n5_ = memc_max_i64(memc_sub_i64(y5_, 1), 0);
      int64_t s5_ = memc_min_i64(memc_add_i64(y5_, 1), memc_sub_i64(h_, 1));
      int64_t l5_ = memc_max_i64(memc_sub_i64(x5_, 1), 0);
      int64_t r5_ = memc_min_i64(memc_add_i64(x5_, 1), memc_sub_i64(w_, 1));
      uint8_t c5_ = MEMC_AT(uint8_t, m_cur_, w_ * y5_ + x5_);
      uint8_t cur__e_ = MEMC_AT(uint8_t, m_cur_, n5_ * w_ + l5_);
      uint8_t strong_ = cur__e_ == 2;
      if (!strong_) {
        uint8_t cur__e_1_ = MEMC_AT(uint8_t, m_cur_, n5_ * w_ + x5_);
        strong_ = cur__e_1_ == 2;
      }
      if (!strong_) {
        uint8_t cur__e_2_ = MEMC_AT(uint8_t, m_cur_, n5_ * w_ + r5_);
        strong_ = cur__e_2_ == 2;
      }
      if (!strong_) {
        uint8_t cur__e_3_ = MEMC_AT(uint8_t, m_cur_, w_ * y5_ + l5_);
        strong_ = cur__e_3_ == 2;
      }
      if (!strong_) {
        uint8_t cur__e_4_ = MEMC_AT(uint8_t, m_cur_, w_ * y5_ + r5_);
        strong_ = cur__e_4_ == 2;
      }
      if (!strong_) {
        uint8_t cur__e_5_ = MEMC_AT(uint8_t, m_cur_, s5_ * w_ + l5_);
        strong_ = cur__e_5_ == 2;
      }
      if (!strong_) {
        uint8_t cur__e_6_ = MEMC_AT(uint8_t, m_cur_, s5_ * w_ + x5_);
        strong_ = cur__e_6_ == 2;
      }
      if (!strong_) {
        uint8_t cur__e_7_ = MEMC_AT(uint8_t, m_cur_, s5_ * w_ + r5_);
        strong_ = cur__e_7_ == 2;
      }
      MEMC_AT(uint8_t, m_cur_next_, w_ * y5_ + x5_) = ((c5_ == 1) && strong_) ? 2 : c5_;
    }
  }
}

/* work-groups reduce `changed` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_changed_reduce(int64_t parts_, int64_t n_, int64_t w_, int64_t inverse_6_,
    const __global uchar *restrict memc_m_cur_next__buf, long memc_m_cur_next__off,
    const __global uchar *restrict memc_m_cur__buf, long memc_m_cur__off,
    __global uchar *MEMC_OWN memc_slots__buf, long memc_slots__off,
    __global uchar *MEMC_OWN memc_partial_mem__buf, long memc_partial_mem__off,
    int64_t joins_)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = MEMC_GROUP;
  const __global uchar *restrict m_cur_next_ = memc_m_cur_next__buf + memc_m_cur_next__off;
  const __global uchar *restrict m_cur_ = memc_m_cur__buf + memc_m_cur__off;
  __global uchar *MEMC_OWN slots_ = memc_slots__buf + memc_slots__off;
  __global uchar *MEMC_OWN partial_mem_ = memc_partial_mem__buf + memc_partial_mem__off;
  __local memc_any_uint8_t shared_[256] __attribute__((aligned(16)));
  __local memc_any_int32_t ticket_[1] __attribute__((aligned(16)));
  uint8_t b_ = 0;
  uint8_t a_ = 0;
  int64_t item_ = group_id * 256L + local_id;
  int64_t items_ = parts_ * 256L;
  int64_t count_1_ = (item_ < n_) ? ((items_ - item_ + n_ - 1L) / items_) : 0;
  #pragma unroll 8
  for (int64_t turn_ = 0, memc_end = MEMC_END(count_1_); turn_ < memc_end; turn_++) {
    int64_t t_ = items_ * turn_ + item_;
    int64_t quotient_4_ = memc_quotient_i64(t_, w_, inverse_6_);
    int64_t quotient_5_ = memc_quotient_i64(t_, w_, inverse_6_);
    int64_t i_14_ = t_ - quotient_5_ * w_;
    uint8_t next__e_1_ = MEMC_AT(uint8_t, m_cur_next_, quotient_4_ * w_ + i_14_);
    int64_t quotient_6_ = memc_quotient_i64(t_, w_, inverse_6_);
    int64_t quotient_7_ = memc_quotient_i64(t_, w_, inverse_6_);
    int64_t i_15_ = t_ - quotient_7_ * w_;
    uint8_t cur__e_9_ = MEMC_AT(uint8_t, m_cur_, quotient_6_ * w_ + i_15_);
    b_ = next__e_1_ != cur__e_9_;
    a_ = a_ || b_;
  }
  shared_[local_id] = a_;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  MEMC_KEPT int64_t reach_ = 128;
  while (reach_ > 0) {
    if (local_id < reach_) {
      uint8_t x_1_ = shared_[local_id];
      a_ = x_1_;
      uint8_t x_2_ = shared_[local_id + reach_];
      b_ = x_2_;
      a_ = a_ || b_;
      shared_[local_id] = a_;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    reach_ = reach_ / 2L;
  }
  uint8_t x_3_ = shared_[local_id];
  a_ = x_3_;
  if (local_id == 0) {
    if (parts_ == 1) {
      MEMC_AT(uint8_t, slots_, 64L) = a_;
    } else {
      MEMC_AT(uint8_t, partial_mem_, group_id) = a_;
    }
  }
  if (local_id == 0) {
    int32_t number_ = (-1);
    if (joins_ == 1) {
      memc_fence();
      number_ = atomic_inc((volatile __global int *)slots_ + (18L));
    }
    ticket_[0L] = number_;
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  int32_t number_1_ = ticket_[0L];
  int64_t again_ = ((int64_t)number_1_ == memc_sub_i64(parts_, 1)) ? 1 : 0;
  for (MEMC_KEPT int64_t round_ = 0, memc_end = MEMC_END(again_); round_ < memc_end; round_++) {
    a_ = 0;
    int64_t count_2_ = (local_id < parts_) ? ((parts_ - local_id + 255L) / 256L) : 0;
    #pragma unroll 8
    for (int64_t turn_1_ = 0, memc_end = MEMC_END(count_2_); turn_1_ < memc_end; turn_1_++) {
      int64_t part_3_ = local_id + turn_1_ * 256L;
      uint8_t x_5_ = MEMC_FRESH(uint8_t, partial_mem_, part_3_);
      b_ = x_5_;
      a_ = a_ || b_;
    }
    shared_[local_id] = a_;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    MEMC_KEPT int64_t reach_1_ = 128;
    while (reach_1_ > 0) {
      if (local_id < reach_1_) {
        uint8_t x_6_ = shared_[local_id];
        a_ = x_6_;
        uint8_t x_7_ = shared_[local_id + reach_1_];
        b_ = x_7_;
        a_ = a_ || b_;
        shared_[local_id] = a_;
      }
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      reach_1_ = reach_1_ / 2L;
    }
    uint8_t x_8_ = shared_[local_id];
    a_ = x_8_;
    if (local_id == 0) {
      MEMC_AT(uint8_t, slots_, 64L) = a_;
      MEMC_AT(int32_t, slots_, 18L) = 0;
    }
  }
}

/* reduces the parts' values of `changed` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_changed_reduce_partial(int64_t parts_,
    const __global uchar *restrict memc_partial_mem__buf, long memc_partial_mem__off,
    __global uchar *MEMC_OWN memc_slots__buf, long memc_slots__off)
{
  const long local_id = (long)get_local_id(0);
  const __global uchar *restrict partial_mem_ = memc_partial_mem__buf + memc_partial_mem__off;
  __global uchar *MEMC_OWN slots_ = memc_slots__buf + memc_slots__off;
  ulong near_partial_mem_[8];
  __local memc_any_uint8_t shared_1_[256] __attribute__((aligned(16)));
  uint8_t x_9_ = 0;
  uint8_t here_a_2_ = 0;
  int64_t k_3_ = 0;
  uint8_t b_ = 0;
  uint8_t a_ = 0;
  int64_t head_ = memc_min_i64(0L & 15L, parts_);
  int64_t rest_3_ = parts_ - head_;
  int64_t blocks_ = rest_3_ / 16L;
  int64_t count_3_ = (local_id < blocks_) ? ((blocks_ - local_id + 255L) / 256L) : 0;
  if (MEMC_BATCHES) {
    #pragma unroll 1
    for (int64_t batch_ = 0, memc_end = MEMC_END(memc_shr_i64(count_3_, 2L)); batch_ < memc_end; batch_++) {
      #pragma unroll
      for (int64_t j_ = 0; j_ < 4; j_++) {
        int64_t turn_2_1_ = batch_ * 4L + j_;
        int64_t first_3_1_ = head_ + (local_id + turn_2_1_ * 256L) * 16L;
        MEMC_READ(uint8_t, ((__private memc_any_uint8_t *)near_partial_mem_ + j_ * 16L), partial_mem_, first_3_1_, 16, 16, 1)
      }
      #pragma unroll
      for (int64_t j_1_ = 0; j_1_ < 4; j_1_++) {
        #pragma unroll
        for (k_3_ = 0; k_3_ < 16; k_3_++) {
          x_9_ = MEMC_THREAD(uint8_t, near_partial_mem_, j_1_ * 16L + k_3_);
          here_a_2_ = x_9_;
          b_ = here_a_2_;
          a_ = a_ || b_;
        }
      }
    }
    int64_t left_ = count_3_ & 3L;
    if (left_ > 0) {
      #pragma unroll
      for (int64_t j_2_ = 0; j_2_ < 4; j_2_++) {
        int64_t turn_2_2_ = memc_min_i64(count_3_ + j_2_ - left_, count_3_ - 1L);
        int64_t first_3_2_ = head_ + (local_id + turn_2_2_ * 256L) * 16L;
        MEMC_READ(uint8_t, ((__private memc_any_uint8_t *)near_partial_mem_ + j_2_ * 16L), partial_mem_, first_3_2_, 16, 16, 1)
      }
      #pragma unroll
      for (int64_t j_3_ = 0; j_3_ < 4; j_3_++) {
        if (j_3_ < left_) {
          #pragma unroll
          for (k_3_ = 0; k_3_ < 16; k_3_++) {
            x_9_ = MEMC_THREAD(uint8_t, near_partial_mem_, j_3_ * 16L + k_3_);
            here_a_2_ = x_9_;
            b_ = here_a_2_;
            a_ = a_ || b_;
          }
        }
      }
    }
  } else {
    #pragma unroll 8
    for (int64_t turn_2_ = 0, memc_end = MEMC_END(count_3_); turn_2_ < memc_end; turn_2_++) {
      int64_t first_3_ = head_ + (local_id + turn_2_ * 256L) * 16L;
      MEMC_READ(uint8_t, near_partial_mem_, partial_mem_, first_3_, 16, 16, 1)
      #pragma unroll
      for (k_3_ = 0; k_3_ < 16; k_3_++) {
        x_9_ = MEMC_THREAD(uint8_t, near_partial_mem_, k_3_);
        here_a_2_ = x_9_;
        b_ = here_a_2_;
        a_ = a_ || b_;
      }
    }
  }
  int64_t border_ = parts_ - blocks_ * 16L;
  int64_t count_4_ = (local_id < border_) ? ((border_ - local_id + 255L) / 256L) : 0;
  for (int64_t turn_3_ = 0, memc_end = MEMC_END(count_4_); turn_3_ < memc_end; turn_3_++) {
    int64_t part_4_ = (((local_id + turn_3_ * 256L) < head_) ? 0L : (blocks_ * 16L)) + (local_id + turn_3_ * 256L);
    uint8_t x_10_ = MEMC_AT(uint8_t, partial_mem_, part_4_);
    b_ = x_10_;
    a_ = a_ || b_;
  }
  shared_1_[local_id] = a_;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  MEMC_KEPT int64_t reach_2_ = 128;
  while (reach_2_ > 0) {
    if (local_id < reach_2_) {
      uint8_t x_11_ = shared_1_[local_id];
      a_ = x_11_;
      uint8_t x_12_ = shared_1_[local_id + reach_2_];
      b_ = x_12_;
      a_ = a_ || b_;
      shared_1_[local_id] = a_;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    reach_2_ = reach_2_ / 2L;
  }
  uint8_t x_13_ = shared_1_[local_id];
  a_ = x_13_;
  if (local_id == 0) {
    MEMC_AT(uint8_t, slots_, 64L) = a_;
  }
}

/* computes `marked` */
__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void main_marked_map(int64_t h_, int64_t w_, int64_t inverse_7_,
    const __global uchar *memc_m_final__buf, long memc_m_final__off,
    __global uchar *memc_m_dir__buf, long memc_m_dir__off)
{
  const long local_id = (long)get_local_id(0);
  const long group_id = MEMC_GROUP;
  const __global uchar *m_final_ = memc_m_final__buf + memc_m_final__off;
  __global uchar *m_dir_ = memc_m_dir__buf + memc_m_dir__off;
  int64_t gtid = group_id * 256L + local_id;
  if (gtid < (h_ * w_)) {
    int64_t rest_4_ = memc_quotient_i64(gtid, w_, inverse_7_);
    int64_t x6_ = gtid - rest_4_ * w_;
    int64_t y6_ = rest_4_;
    uint8_t final__e_ = MEMC_AT(uint8_t, m_final_, w_ * y6_ + x6_);
    MEMC_AT(uint8_t, m_dir_, w_ * y6_ + x6_) = (final__e_ == 2) ? 255 : 0;
  }
}

