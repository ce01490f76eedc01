/* Generic copies between two strided places, two kernels per element size. The
 * host drops dimensions of length 1, merges contiguous ones, and passes the
 * missing outer ones with length 1; offsets and strides count elements. Those may be of
 * any type: hence types that may alias. */

/* Takes a dimension's index off the number i, which counts row-major. Numbers of 32
 * bits are divided several times faster. */
#define MEMC_COPY_DIM(k)                                                       \
  if (n##k != 1) {                                                             \
    long rest = (((ulong)i | (ulong)n##k) >> 32) == 0                          \
                    ? (long)((uint)i / (uint)n##k) : i / n##k;                 \
    long j = i - rest * n##k;                                                  \
    i = rest;                                                                  \
    dst_at += j * d##k;                                                        \
    src_at += j * s##k;                                                        \
  }

#define MEMC_COPY_PARAMS(given)                                                \
  __global uchar *dst_buf, long dst_off, __global uchar *src_buf,              \
      long src_off, long given, long dst_at, long src_at, long n0, long n1,    \
      long n2, long n3, long n4, long n5, long n6, long n7, long d0, long d1,  \
      long d2, long d3, long d4, long d5, long d6, long d7, long s0, long s1,  \
      long s2, long s3, long s4, long s5, long s6, long s7

/* A work-item per element. */
#define MEMC_COPY(SIZE, T)                                                     \
  typedef T memc_copied_##SIZE __attribute__((may_alias));                     \
  __kernel void memc_copy_##SIZE(MEMC_COPY_PARAMS(total)) {                    \
    long i = (long)get_global_id(0);                                           \
    if (i >= total) return;                                                    \
    MEMC_COPY_DIM(7)                                                           \
    MEMC_COPY_DIM(6)                                                           \
    MEMC_COPY_DIM(5)                                                           \
    MEMC_COPY_DIM(4)                                                           \
    MEMC_COPY_DIM(3)                                                           \
    MEMC_COPY_DIM(2)                                                           \
    MEMC_COPY_DIM(1)                                                           \
    dst_at += i * d0;                                                          \
    src_at += i * s0;                                                          \
    ((__global memc_copied_##SIZE *)(dst_buf + dst_off))[dst_at] =             \
        ((__global memc_copied_##SIZE *)(src_buf + src_off))[src_at];          \
  }

/* A group per tile of 2^LOG elements, for copies whose source runs fastest along
 * dimension 6 and whose target along dimension 7: neighbours read neighbours along the
 * one, and write neighbours along the other. A tile has 2^wide elements along dimension
 * 6. Its rows in local memory are one element apart more, so that a column lies in
 * several banks. */
#define MEMC_TILE(SIZE, T, LOG)                                                \
  __kernel __attribute__((reqd_work_group_size(256, 1, 1)))                    \
  void memc_tile_##SIZE(MEMC_COPY_PARAMS(wide)) {                              \
    __local T tile[(1 << LOG) + (1 << (LOG - 1))];                             \
    const __global memc_copied_##SIZE *src =                                   \
        (const __global memc_copied_##SIZE *)(src_buf + src_off);              \
    __global memc_copied_##SIZE *dst =                                         \
        (__global memc_copied_##SIZE *)(dst_buf + dst_off);                    \
    const int item = (int)get_local_id(0), width = 1 << wide;                  \
    const int height = (1 << LOG) >> wide;                                     \
    const long across = (n6 + width - 1) >> wide;                              \
    const long down = (n7 + height - 1) >> (LOG - wide);                       \
    long i = (long)get_group_id(0), first6, first7;                            \
    first7 = i % down * height;                                                \
    i /= down;                                                                 \
    first6 = i % across * width;                                               \
    i /= across;                                                               \
    MEMC_COPY_DIM(5)                                                           \
    MEMC_COPY_DIM(4)                                                           \
    MEMC_COPY_DIM(3)                                                           \
    MEMC_COPY_DIM(2)                                                           \
    MEMC_COPY_DIM(1)                                                           \
    dst_at += i * d0 + first6 * d6 + first7 * d7;                              \
    src_at += i * s0 + first6 * s6 + first7 * s7;                              \
    const long left6 = n6 - first6, left7 = n7 - first7;                       \
    _Pragma("unroll")                                                          \
    for (int k = 0; k < (1 << LOG) / 256; k++) {                               \
      const int r = item + k * 256, x = r & (width - 1), y = r >> wide;        \
      if (x < left6 && y < left7)                                              \
        tile[y * (width + 1) + x] = src[src_at + x * s6 + y * s7];             \
    }                                                                          \
    barrier(CLK_LOCAL_MEM_FENCE);                                              \
    _Pragma("unroll")                                                          \
    for (int k = 0; k < (1 << LOG) / 256; k++) {                               \
      const int r = item + k * 256, y = r & (height - 1);                      \
      const int x = r >> (LOG - (int)wide);                                    \
      if (x < left6 && y < left7)                                              \
        dst[dst_at + x * d6 + y * d7] = tile[y * (width + 1) + x];             \
    }                                                                          \
  }

MEMC_COPY(1, uchar)
MEMC_COPY(2, ushort)
MEMC_COPY(4, uint)
MEMC_COPY(8, ulong)
MEMC_TILE(1, uchar, 12)
MEMC_TILE(2, ushort, 12)
MEMC_TILE(4, uint, 10)
MEMC_TILE(8, ulong, 10)
