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

/* Takes a dimension's index off each of four numbers. The outermost dimension (all lengths outside of
 * it, or-ed together, are 1) needs no division. */
#define MEMC_COPY_DIMS(k, outer)                                               \
  if (n##k != 1) {                                                             \
    _Pragma("unroll")                                                          \
    for (int m = 0; m < 4; m++) {                                              \
      const long rest = (outer) == 1 ? 0                                       \
                        : small ? (long)((uint)i[m] / (uint)n##k)              \
                                : i[m] / n##k;                                 \
      const long j = i[m] - rest * n##k;                                       \
      i[m] = rest;                                                             \
      to[m] += j * d##k;                                                       \
      from[m] += j * s##k;                                                     \
    }                                                                          \
  }

/* Every work-item copies 4 elements, 256 apart, and reads them before it writes: places
 * do not overlap. Where there is no element left it reads the last one again. */
#define MEMC_COPY(SIZE, T)                                                     \
  typedef T memc_copied_##SIZE __attribute__((may_alias));                     \
  __kernel __attribute__((reqd_work_group_size(256, 1, 1)))                    \
  void memc_copy_##SIZE(MEMC_COPY_PARAMS(total)) {                             \
    const __global memc_copied_##SIZE *src =                                   \
        (const __global memc_copied_##SIZE *)(src_buf + src_off) + src_at;     \
    __global memc_copied_##SIZE *dst =                                         \
        (__global memc_copied_##SIZE *)(dst_buf + dst_off) + dst_at;           \
    const long first = (long)get_group_id(0) * 1024 + (long)get_local_id(0);   \
    const bool small = (total >> 32) == 0;                                     \
    long i[4], to[4] = {0, 0, 0, 0}, from[4] = {0, 0, 0, 0};                   \
    T x[4];                                                                    \
    _Pragma("unroll")                                                          \
    for (int m = 0; m < 4; m++) i[m] = min(first + m * 256, total - 1);        \
    MEMC_COPY_DIMS(7, n0 | n1 | n2 | n3 | n4 | n5 | n6)                        \
    MEMC_COPY_DIMS(6, n0 | n1 | n2 | n3 | n4 | n5)                             \
    MEMC_COPY_DIMS(5, n0 | n1 | n2 | n3 | n4)                                  \
    MEMC_COPY_DIMS(4, n0 | n1 | n2 | n3)                                       \
    MEMC_COPY_DIMS(3, n0 | n1 | n2)                                            \
    MEMC_COPY_DIMS(2, n0 | n1)                                                 \
    MEMC_COPY_DIMS(1, n0)                                                      \
    _Pragma("unroll")                                                          \
    for (int m = 0; m < 4; m++) x[m] = src[from[m] + i[m] * s0];               \
    _Pragma("unroll")                                                          \
    for (int m = 0; m < 4; m++)                                                \
      if (first + m * 256 < total) dst[to[m] + i[m] * d0] = x[m];              \
  }

/* A group per tile of 2^LOG elements, for copies whose source runs fastest along
 * dimension 6 and whose target along dimension 7: neighbours read neighbours along the
 * one, and write neighbours along the other. A tile has 2^wide elements along dimension
 * 6, and no more than a group has work-items along either, so that a work-item stays in
 * its column as it reads, and in its row as it writes. Rows in local memory are one
 * element apart more, so that a column lies in several banks.
 *
 * Elements of 1 or 2 bytes are moved in words of 4 where neighbours of both places form
 * words: a work-item reads a square of as many words as a word has elements (pack), turns
 * it, and brings each word to where the target has it. A word's column in local memory is
 * changed by its row, again for the banks. */
#define MEMC_TILE(SIZE, T, LOG)                                                \
  typedef uint memc_packed_##SIZE __attribute__((may_alias));                  \
  __kernel __attribute__((reqd_work_group_size(256, 1, 1)))                    \
  void memc_tile_##SIZE(MEMC_COPY_PARAMS(wide)) {                              \
    __local ulong room[(((1 << LOG) + 256) * SIZE + 7) / 8];                   \
    __local memc_copied_##SIZE *tile = (__local memc_copied_##SIZE *)room;     \
    __local memc_packed_##SIZE *words = (__local memc_packed_##SIZE *)room;    \
    const int item = (int)get_local_id(0), log6 = (int)wide;                   \
    const int log7 = LOG - log6;                                               \
    const long across = (n6 + (1 << log6) - 1) >> log6;                        \
    const long down = (n7 + (1 << log7) - 1) >> log7;                          \
    long i = (long)get_group_id(0), first6, first7, up;                        \
    up = ((i | down) >> 32) == 0 ? (long)((uint)i / (uint)down) : i / down;    \
    first7 = (i - up * down) << log7;                                          \
    i = ((up | across) >> 32) == 0 ? (long)((uint)up / (uint)across)           \
                                   : up / across;                              \
    first6 = (up - i * across) << log6;                                        \
    MEMC_COPY_DIM(5)                                                           \
    MEMC_COPY_DIM(4)                                                           \
    MEMC_COPY_DIM(3)                                                           \
    MEMC_COPY_DIM(2)                                                           \
    MEMC_COPY_DIM(1)                                                           \
    dst_at += i * d0 + first6 * d6 + first7 * d7;                              \
    src_at += i * s0 + first6 * s6 + first7 * s7;                              \
    const int left6 = (int)min(n6 - first6, (long)1 << log6);                  \
    const int left7 = (int)min(n7 - first7, (long)1 << log7);                  \
    const int pitch = (1 << log6) + 1;                                         \
    const __global memc_copied_##SIZE *src =                                   \
        (const __global memc_copied_##SIZE *)(src_buf + src_off) + src_at;     \
    __global memc_copied_##SIZE *dst =                                         \
        (__global memc_copied_##SIZE *)(dst_buf + dst_off) + dst_at;           \
    const int pack = SIZE < 4 ? 4 / SIZE : 1, log = 2 / SIZE;                  \
    const int row = (1 << log7) >> log; /* words of the target's */            \
    const bool packed =                                                        \
        SIZE < 4 && s6 == 1 && d7 == 1 &&                                      \
        ((s7 | d6 | (long)left6 | (long)left7) & (pack - 1)) == 0 &&           \
        (((ulong)src | (ulong)dst) & 3) == 0;                                  \
    if (packed) {                                                              \
      _Pragma("unroll")                                                        \
      for (int k = 0; k < (1 << LOG) / (pack * pack * 256); k++) {             \
        const int n = item + k * 256, x = n & (((1 << log6) >> log) - 1);      \
        const int y = n >> (log6 - log);                                       \
        if (x * pack < left6 && y * pack < left7) {                            \
          uint v[4], w[4];                                                     \
          _Pragma("unroll")                                                    \
          for (int j = 0; j < pack; j++)                                       \
            v[j] = *(const __global memc_packed_##SIZE *)(                     \
                src + (y * pack + j) * s7 + x * pack);                         \
          MEMC_TURN_##SIZE(w, v)                                               \
          _Pragma("unroll")                                                    \
          for (int j = 0; j < pack; j++)                                       \
            words[(x * pack + j) * row + (y ^ (x & (row - 1)))] = w[j];        \
        }                                                                      \
      }                                                                        \
    } else {                                                                   \
      const int x = item & ((1 << log6) - 1), step = 256 >> log6;              \
      int y = item >> log6;                                                    \
      src += x * s6 + y * s7;                                                  \
      _Pragma("unroll")                                                        \
      for (int k = 0; k < (1 << LOG) / 256; k++) {                             \
        if (x < left6 && y < left7) tile[y * pitch + x] = *src;                \
        y += step;                                                             \
        src += step * s7;                                                      \
      }                                                                        \
    }                                                                          \
    barrier(CLK_LOCAL_MEM_FENCE);                                              \
    if (packed) {                                                              \
      _Pragma("unroll")                                                        \
      for (int k = 0; k < (1 << LOG) / (pack * 256); k++) {                    \
        const int n = item + k * 256, y = n & (row - 1);                       \
        const int x = n >> (log7 - log);                                       \
        if (x < left6 && y * pack < left7)                                     \
          *(__global memc_packed_##SIZE *)(dst + x * d6 + y * pack) =          \
              words[x * row + (y ^ ((x >> log) & (row - 1)))];                 \
      }                                                                        \
    } else {                                                                   \
      const int y = item & ((1 << log7) - 1), step = 256 >> log7;              \
      int x = item >> log7;                                                    \
      dst += x * d6 + y * d7;                                                  \
      _Pragma("unroll")                                                        \
      for (int k = 0; k < (1 << LOG) / 256; k++) {                             \
        if (x < left6 && y < left7) *dst = tile[y * pitch + x];                \
        x += step;                                                             \
        dst += step * d6;                                                      \
      }                                                                        \
    }                                                                          \
  }

/* Turns a square of small elements: words w have the columns of words v. */
#define MEMC_TURN_1(w, v)                                                      \
  const uchar4 a = as_uchar4(v[0]), b = as_uchar4(v[1]);                       \
  const uchar4 c = as_uchar4(v[2]), d = as_uchar4(v[3]);                       \
  w[0] = as_uint((uchar4)(a.x, b.x, c.x, d.x));                                \
  w[1] = as_uint((uchar4)(a.y, b.y, c.y, d.y));                                \
  w[2] = as_uint((uchar4)(a.z, b.z, c.z, d.z));                                \
  w[3] = as_uint((uchar4)(a.w, b.w, c.w, d.w));
#define MEMC_TURN_2(w, v)                                                      \
  const ushort2 a = as_ushort2(v[0]), b = as_ushort2(v[1]);                    \
  w[0] = as_uint((ushort2)(a.x, b.x));                                         \
  w[1] = as_uint((ushort2)(a.y, b.y));
#define MEMC_TURN_4(w, v) w[0] = v[0];
#define MEMC_TURN_8(w, v) w[0] = v[0];

/* The sizes of elements that a program copies, added up: it has the kernels of these. */
#ifndef MEMC_COPIED
#define MEMC_COPIED 15
#endif
#if MEMC_COPIED & 1
MEMC_COPY(1, uchar)
MEMC_TILE(1, uchar, 12)
#endif
#if MEMC_COPIED & 2
MEMC_COPY(2, ushort)
MEMC_TILE(2, ushort, 12)
#endif
#if MEMC_COPIED & 4
MEMC_COPY(4, uint)
MEMC_TILE(4, uint, 11)
#endif
#if MEMC_COPIED & 8
MEMC_COPY(8, ulong)
MEMC_TILE(8, ulong, 10)
#endif
