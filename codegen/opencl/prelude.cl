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
#define MEMC_RSQRT_f64(a) (1 / sqrt(a))
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

/* The same for n elements of a work-item in local memory. */
#define MEMC_READ_NEAR(T, room, near, i, n) MEMC_TAKE(__local, room, near + (i), n * sizeof(T))
#define MEMC_WRITE_NEAR(T, room, near, i, n) MEMC_PUT(__local, room, near + (i), n * sizeof(T))

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

/* Moves n neighbouring elements, as above, between a block and local memory; the group does this
 * together. They make a multiple of 16 bytes. */
#define MEMC_GROUP_MOVE(T, n, WORD, ELEMENT, whole)                            \
    typedef uint4 memc_any4 __attribute__((may_alias));                        \
    const int memc_words = n * sizeof(T) / 16;                                 \
    if (whole) {                                                               \
      _Pragma("unroll")                                                        \
      for (int memc_k = 0; memc_k < memc_words; memc_k += 256) {               \
        const int memc_j = memc_k + (int)get_local_id(0);                      \
        if (memc_words % 256 == 0 || memc_j < memc_words) WORD;                \
      }                                                                        \
    } else {                                                                   \
      for (int memc_j = (int)get_local_id(0); memc_j < n; memc_j += 256) ELEMENT; \
    }
#define MEMC_READ_GROUP(T, near, block, i, n, count, EVEN) {                   \
    const __global memc_any_##T *memc_at =                                     \
        (const __global memc_any_##T *)(block) + (i);                          \
    MEMC_GROUP_MOVE(T, n,                                                      \
      ((__local memc_any4 *)near)[memc_j] = ((const __global memc_any4 *)memc_at)[memc_j], \
      MEMC_NEAR(T, near, memc_j) = memc_at[memc_j < count ? memc_j : 0],       \
      count == n && (EVEN) && MEMC_ALIGNED(T, block, n))                       \
  }
#define MEMC_WRITE_GROUP(T, near, block, i, n, count, EVEN) {                  \
    __global memc_any_##T *memc_at = (__global memc_any_##T *)(block) + (i);   \
    MEMC_GROUP_MOVE(T, n,                                                      \
      ((__global memc_any4 *)memc_at)[memc_j] = ((const __local memc_any4 *)near)[memc_j], \
      if (memc_j < count) memc_at[memc_j] = MEMC_NEAR(T, near, memc_j),        \
      count == n && (EVEN) && MEMC_ALIGNED(T, block, n))                       \
  }

/* A value in a U of B bits. NVIDIA's compiler (driver 580) negates 16 bits in a register of 32, where -(-32768)
 * stays 32768 (testdata/fixedbugs/negated-minimum.ir). It finds -a and |a| in many forms. But it cannot see through
 * this conversion, so the operation before it is one of 32 bits. */
#ifdef __NV_CL_C_VERSION
MEMC_FN ushort memc_fit_16(uint a) {
  ushort fit;
  asm("cvt.u16.u32 %0, %1;" : "=h"(fit) : "r"(a));
  return fit;
}
#define MEMC_FIT(U, B, a) ((B) == 16 ? (U)memc_fit_16((uint)(a)) : (U)(a))
#else
#define MEMC_FIT(U, B, a) ((U)(a))
#endif

/* 1 / sqrt(a), rounded twice. NVIDIA's compilers branch in each of the two for numbers that are rare, so
 * they do one value after the other. Here s is the root by their own steps, from the estimate r of
 * 1 / s, and z is not below 1 / s; then the last step rounds correctly (Markstein in docs/bibliography.md),
 * for each s with an estimate up to 3 units of the last place away. */
#ifdef __NV_CL_C_VERSION
MEMC_FN float memc_inverse_root(float a) {
  bool tiny = a < 0x1p-80f;
  float x = tiny ? a * 0x1p80f : a, r, z;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  float g = x * r, h = r * 0.5f, s = fma(fma(-g, g, x), h, g), e = fma(-s, r, 1.0f);
  asm("fma.rp.f32 %0, %1, %2, %2;" : "=f"(z) : "f"(e), "f"(r));
  z = fma(fma(-s, z, 1.0f), z, z);
  z = z != z ? r : z; /* of 0 and infinity */
  return tiny ? z * 0x1p40f : z;
}
#define MEMC_RSQRT_f32(a) memc_inverse_root(a)
#else
#define MEMC_RSQRT_f32(a) (1 / sqrt(a))
#endif

/* x / n by n's inverse (codegen/imp, inverse); 0: numbers are large. As other divisions (scalar.h), it
 * may be computed before the check that n is not 0. */
MEMC_FN long memc_quotient_i64(long x, long n, long inverse) {
  if (inverse == 0) return n == 0 ? 0 : x / n;
  uint log = (uint)(inverse >> 32), t = mul_hi((uint)inverse, (uint)x);
  return (t + (((uint)x - t) >> min(log, 1u))) >> (log - min(log, 1u));
}

/* A work-item of a map that only moves elements does n points, where that lets it
 * read more before it waits. Those behind the last one do that once more, so
 * that no branch stands between reads; points in place are all done at once, or up to the last one.
 * It may also do the turns of a loop in batches. */
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

/* A device with waves, as which PoCL may only divide work. */
#if defined(MEMC_SEVERAL) && !defined(POCL_DEVICE_ADDRESS_BITS)
#define MEMC_WAVES
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

/* PoCL copies what stands between a branch with barriers and the next barrier into the branch. It
 * lost the end of a loop there (testdata/fixedbugs/group-loop-behind-branch.ir), so that barrier
 * comes at once. */
#ifdef POCL_DEVICE_ADDRESS_BITS
#define MEMC_JOIN barrier(CLK_LOCAL_MEM_FENCE);
#else
#define MEMC_JOIN
#endif

/* Elements that other work-items change at the same time are read and written
 * whole, in global or local memory. */
#define memc_peek32(p) atomic_cmpxchg(p, 0u, 0u)
#define memc_poke32(p, v) atomic_xchg(p, v)

/* Waits for the 32 work-items of a wave, with a fence on local memory; where devices have no such
 * waves, for the group. */
#if defined(__NV_CL_C_VERSION)
#define MEMC_WAVE asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
#else
#define MEMC_WAVE barrier(CLK_LOCAL_MEM_FENCE);
#endif

#ifdef cl_khr_int64_base_atomics
#define memc_peek64(p) atom_cmpxchg(p, 0ul, 0ul)
#define memc_poke64(p, v) atom_xchg(p, v)
#else
#define memc_peek64(p) (*(p))
#define memc_poke64(p, v) (*(p) = (v))
#endif

/* Adds to a float by an instruction, where that gives what an addition gives: NVIDIA's
 * takes subnormal numbers for 0. Neither the sum with a number this large nor what that
 * leaves out of the sum can be one (codegen/opencl, Note [Atomics]). */
#ifdef __NV_CL_C_VERSION
#define MEMC_ADD_F32
MEMC_FN bool memc_add_f32(volatile __global uint *p, float x) {
  float old;
  if (!(fabs(x) >= 0x1p-101f && fabs(x) < INFINITY)) return false;
  asm volatile("atom.global.add.f32 %0, [%1], %2;" : "=f"(old) : "l"(p), "f"(x) : "memory");
  return true;
}
#endif

/* The first failing check wins: it leaves its code in fault[0] and its
 * arguments, as longs, from byte 8 on. The buffer has 64 bytes. */
MEMC_FN void memc_fault(__global int *fault, int code, long a, long b, long c,
                        long d) {
  if (atomic_cmpxchg((volatile __global int *)fault, 0, code) == 0) {
    __global long *args = (__global long *)fault;
    args[1] = a;
    args[2] = b;
    args[3] = c;
    args[4] = d;
  }
}
