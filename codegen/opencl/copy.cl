/* Generic copies between two strided places, one kernel per element size. The
 * host drops dimensions of length 1, merges contiguous ones, and passes the
 * missing outer ones with length 1; offsets and strides count elements. Those may be of
 * any type: hence types that may alias. */
#define MEMC_COPY_DIM(k)                                                       \
  if (n##k != 1) {                                                             \
    long j = i % n##k;                                                         \
    i /= n##k;                                                                 \
    dst_at += j * d##k;                                                        \
    src_at += j * s##k;                                                        \
  }

#define MEMC_COPY(SIZE, T)                                                     \
  typedef T memc_copied_##SIZE __attribute__((may_alias));                     \
  __kernel void memc_copy_##SIZE(                                              \
      __global uchar *dst_buf, long dst_off, __global uchar *src_buf,          \
      long src_off, long total, long dst_at, long src_at, long n0, long n1,    \
      long n2, long n3, long n4, long n5, long n6, long n7, long d0, long d1,  \
      long d2, long d3, long d4, long d5, long d6, long d7, long s0, long s1,  \
      long s2, long s3, long s4, long s5, long s6, long s7) {                  \
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

MEMC_COPY(1, uchar)
MEMC_COPY(2, ushort)
MEMC_COPY(4, uint)
MEMC_COPY(8, ulong)
