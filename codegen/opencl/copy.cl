/* Copies between two strided places that do not overlap, two kernels per element size. The host
 * drops dimensions of length 1, merges contiguous ones, and passes the missing outer ones with
 * length 1; offsets and strides count elements. Those may be of any type: hence types that may
 * alias. */

#define MEMC_COPY_PARAMS(given)                                                                    \
  __global uchar *dst_buf, long dst_off, __global uchar *src_buf, long src_off, long given,        \
      long dst_at, long src_at, long n0, long n1, long n2, long n3, long n4, long n5, long n6,     \
      long n7, long d0, long d1, long d2, long d3, long d4, long d5, long d6, long d7, long s0,    \
      long s1, long s2, long s3, long s4, long s5, long s6, long s7

/* x / y, of which neither is negative. Numbers of 32 bits are divided several times faster. */
#define MEMC_DIVIDE(x, y)                                                                          \
  ((((x) | (y)) >> 32) == 0 ? (long)((uint)(x) / (uint)(y)) : (x) / (y))

/* If there is a dimension outside of k, takes the index of k off each of the numbers i, which count
 * row-major, and goes on with that one. At the end i is the index along to_step and from_step. */
#define MEMC_COPY_DIM(k, up)                                                                       \
  if (n##up != 1) {                                                                                \
    _Pragma("unroll")                                                                              \
    for (int m = 0; m < count; m++) {                                                              \
      const long rest = MEMC_DIVIDE(i[m], n##k), j = i[m] - rest * n##k;                           \
      i[m] = rest;                                                                                 \
      to[m] += j * d##k;                                                                           \
      from[m] += j * s##k;                                                                         \
    }                                                                                              \
    to_step = d##up;                                                                               \
    from_step = s##up;

/* Every work-item copies 4 elements, 256 apart, and reads them before it writes. Where there is no
 * element left it reads the last one again. */
#define MEMC_COPY(SIZE, T)                                                                         \
  typedef T memc_copied_##SIZE __attribute__((may_alias));                                         \
  __kernel __attribute__((reqd_work_group_size(256, 1, 1)))                                        \
  void memc_copy_##SIZE(MEMC_COPY_PARAMS(total)) {                                                 \
    enum { count = 4 };                                                                            \
    const __global memc_copied_##SIZE *src =                                                       \
        (const __global memc_copied_##SIZE *)(src_buf + src_off) + src_at;                         \
    __global memc_copied_##SIZE *dst =                                                             \
        (__global memc_copied_##SIZE *)(dst_buf + dst_off) + dst_at;                               \
    const long first = MEMC_GROUP * (count * 256) + (long)get_local_id(0);              \
    long i[count], to[count], from[count], to_step = d7, from_step = s7;                           \
    T x[count];                                                                                    \
    _Pragma("unroll")                                                                              \
    for (int m = 0; m < count; m++) i[m] = min(first + m * 256, total - 1), to[m] = 0, from[m] = 0;\
    MEMC_COPY_DIM(7, 6) MEMC_COPY_DIM(6, 5) MEMC_COPY_DIM(5, 4) MEMC_COPY_DIM(4, 3)                \
    MEMC_COPY_DIM(3, 2) MEMC_COPY_DIM(2, 1) MEMC_COPY_DIM(1, 0) }}}}}}}                            \
    _Pragma("unroll")                                                                              \
    for (int m = 0; m < count; m++) x[m] = src[from[m] + i[m] * from_step];                        \
    _Pragma("unroll")                                                                              \
    for (int m = 0; m < count; m++)                                                                \
      if (first + m * 256 < total) dst[to[m] + i[m] * to_step] = x[m];                             \
  }

/* A box has 2^log5 x 2^log6 x 2^log7 elements, along dimensions 5 to 7. A work-group copies a box:
 * with powers of two it finds each place by shifts and additions.
 *
 * memc_nth gives where element p of a box lies: of p the lowest logx bits count along a dimension
 * with stride x, the next logy along one with stride y, and the others along z. This is a sum over
 * the bits of p. So MEMC_NTH gives it for p, p + 256, .. p + 7 * 256, where p is less
 * than 256 plus a multiple of 2048, with an addition for each. */
static inline int memc_nth(int p, int logx, int logy, int x, int y, int z) {
  return (p & ((1 << logx) - 1)) * x + (p >> logx & ((1 << logy) - 1)) * y +
         (p >> (logx + logy)) * z;
}
#define MEMC_NTH(at, p, lx, ly, x, y, z)                                                           \
  int at[8];                                                                                       \
  {                                                                                                \
    const int one = memc_nth(256, lx, ly, x, y, z), two = memc_nth(512, lx, ly, x, y, z);          \
    const int four = memc_nth(1024, lx, ly, x, y, z);                                              \
    at[0] = memc_nth(p, lx, ly, x, y, z);                                                          \
    at[1] = at[0] + one, at[2] = at[0] + two, at[3] = at[1] + two;                                 \
    at[4] = at[0] + four, at[5] = at[1] + four, at[6] = at[2] + four, at[7] = at[3] + four;        \
  }

/* All three indices of an element in one number, and in that number a bit above each of them. They
 * stay 1 in "left - indices" if no index is too large. Dimension 7 has 12 bits, 6 has 10, 5 has 6. */
#define MEMC_OF7 1
#define MEMC_OF6 (1 << 13)
#define MEMC_OF5 (1 << 24)
#define MEMC_ABOVE (1 << 12 | 1 << 23 | 1 << 30)
#define MEMC_INSIDE(k) (((left - index[k]) & MEMC_ABOVE) == MEMC_ABOVE)

/* Reads a box, n elements of a work-item at once, in the order in which the source has them. Writes
 * them, or brings them to local memory, where rows of dimension 6 are one element apart more, so
 * that a column lies in several banks. */
#define MEMC_BOX_READ(T, n, INSIDE)                                                                \
  for (int p = item; p < 1 << logs; p += n * 256) {                                                \
    T v[n];                                                                                        \
    MEMC_NTH(from, p, logx, logy, turned ? (int)s6 : (int)s7, turned ? (int)s7 : (int)s6, (int)s5) \
    MEMC_NTH(index, p, logx, logy, turned ? MEMC_OF6 : MEMC_OF7, turned ? MEMC_OF7 : MEMC_OF6,     \
             MEMC_OF5)                                                                             \
    _Pragma("unroll")                                                                              \
    for (int k = 0; k < n; k++) {                                                                  \
      v[k] = 0;                                                                                    \
      if (INSIDE(k)) v[k] = src[from[k]];                                                          \
    }                                                                                              \
    if (turned) {                                                                                  \
      _Pragma("unroll")                                                                            \
      for (int k = 0; k < n; k++)                                                                  \
        tile[(p + k * 256) + ((p + k * 256) >> log6)] = v[k];                                      \
    } else {                                                                                       \
      MEMC_NTH(to, p, logx, logy, (int)d7, (int)d6, (int)d5)                                       \
      _Pragma("unroll")                                                                            \
      for (int k = 0; k < n; k++)                                                                  \
        if (INSIDE(k)) dst[to[k]] = v[k];                                                          \
    }                                                                                              \
  }

/* Writes a box from local memory, in the order in which the target has it. */
#define MEMC_BOX_WRITE(n, INSIDE)                                                                  \
  for (int p = item; p < 1 << logs; p += n * 256) {                                                \
    const int row = (1 << log6) + 1;                                                               \
    MEMC_NTH(to, p, log7, log6, (int)d7, (int)d6, (int)d5)                                         \
    MEMC_NTH(index, p, log7, log6, MEMC_OF7, MEMC_OF6, MEMC_OF5)                                   \
    MEMC_NTH(at, p, log7, log6, row, 1, row << log7)                                               \
    _Pragma("unroll")                                                                              \
    for (int k = 0; k < n; k++)                                                                    \
      if (INSIDE(k)) dst[to[k]] = tile[at[k]];                                                     \
  }
#define MEMC_FULL(k) true

/* A work-group per box. If the source runs fastest along dimension 6, and the target along 7, the
 * box is turned in local memory: neighbours read neighbours along the one, and write neighbours
 * along the other. Otherwise both run fastest along 7. Most boxes are full, and need no test of
 * indices. The host knows that offsets within a box fit in 32 bits.
 *
 * To turn elements of 1 or 2 bytes, words of 4 are moved where neighbours of both places form
 * words: a work-item reads a square of as many words as a word has elements (pack), turns it, and
 * brings each word to where the target has it. A word's column in local memory is changed by its
 * row, again for the banks. */
#define MEMC_BOX(SIZE, T, LOG)                                                                     \
  typedef uint memc_packed_##SIZE __attribute__((may_alias));                                      \
  __kernel __attribute__((reqd_work_group_size(256, 1, 1)))                                        \
  void memc_box_##SIZE(MEMC_COPY_PARAMS(given)) {                                                  \
    enum { count = 1, pack = SIZE < 4 ? 4 / SIZE : 1, log = 2 / SIZE };                            \
    __local ulong room[(((1 << LOG) + 1024) * SIZE + 7) / 8];                                      \
    __local memc_copied_##SIZE *tile = (__local memc_copied_##SIZE *)room;                         \
    __local memc_packed_##SIZE *words = (__local memc_packed_##SIZE *)room;                        \
    const bool turned = (given >> 12) != 0;                                                        \
    const int log5 = (int)given >> 8 & 15, log6 = (int)given >> 4 & 15, log7 = (int)given & 15;    \
    const int logs = log5 + log6 + log7, logx = turned ? log6 : log7, logy = turned ? log7 : log6; \
    const int item = (int)get_local_id(0);                                                         \
    const long boxes7 = (n7 + (1 << log7) - 1) >> log7, boxes6 = (n6 + (1 << log6) - 1) >> log6;   \
    const long boxes5 = (n5 + (1 << log5) - 1) >> log5, group = MEMC_GROUP;             \
    const long above7 = MEMC_DIVIDE(group, boxes7), above6 = MEMC_DIVIDE(above7, boxes6);          \
    const long above5 = MEMC_DIVIDE(above6, boxes5);                                               \
    const long first7 = (group - above7 * boxes7) << log7;                                         \
    const long first6 = (above7 - above6 * boxes6) << log6;                                        \
    const long first5 = (above6 - above5 * boxes5) << log5;                                        \
    long i[1] = {above5}, to[1] = {0}, from[1] = {0}, to_step = d4, from_step = s4;                \
    MEMC_COPY_DIM(4, 3) MEMC_COPY_DIM(3, 2) MEMC_COPY_DIM(2, 1) MEMC_COPY_DIM(1, 0) }}}}           \
    const __global memc_copied_##SIZE *restrict src =                                              \
        (const __global memc_copied_##SIZE *)(src_buf + src_off) + src_at + from[0] +              \
        i[0] * from_step + first5 * s5 + first6 * s6 + first7 * s7;                                \
    __global memc_copied_##SIZE *restrict dst =                                                    \
        (__global memc_copied_##SIZE *)(dst_buf + dst_off) + dst_at + to[0] + i[0] * to_step +     \
        first5 * d5 + first6 * d6 + first7 * d7;                                                   \
    const int left5 = (int)min(n5 - first5, 1L << log5);                                           \
    const int left6 = (int)min(n6 - first6, 1L << log6);                                           \
    const int left7 = (int)min(n7 - first7, 1L << log7);                                           \
    const int left = ((left5 - 1) * MEMC_OF5 + (left6 - 1) * MEMC_OF6 + left7 - 1) + MEMC_ABOVE;   \
    const bool full = logs >= 11 && left5 >> log5 != 0 && left6 >> log6 != 0 && left7 >> log7 != 0;\
    const int row = (1 << log7) >> log; /* words of the target's */                                \
    const bool packed =                                                                            \
        SIZE < 4 && turned && s6 == 1 && d7 == 1 &&                                                \
        ((s5 | d5 | s7 | d6 | (long)left6 | (long)left7) & (pack - 1)) == 0 &&                     \
        (((ulong)src | (ulong)dst) & 3) == 0;                                                      \
    if (packed) {                                                                                  \
      _Pragma("unroll")                                                                            \
      for (int k = 0; k < (1 << LOG) / (pack * pack * 256); k++) {                                 \
        const int n = item + k * 256, x = n & (((1 << log6) >> log) - 1);                          \
        const int up = n >> (log6 - log), y = up & (row - 1), z = up >> (log7 - log);              \
        const __global memc_copied_##SIZE *at =                                                    \
            src + (min(z, left5 - 1) * (int)s5 + min(y * pack, left7 - pack) * (int)s7 +           \
                   min(x * pack, left6 - pack));                                                   \
        uint v[4], w[4];                                                                           \
        _Pragma("unroll")                                                                          \
        for (int j = 0; j < pack; j++)                                                             \
          v[j] = *(const __global memc_packed_##SIZE *)(at + j * (int)s7);                         \
        MEMC_TURN_##SIZE(w, v)                                                                     \
        _Pragma("unroll")                                                                          \
        for (int j = 0; j < pack; j++)                                                             \
          words[((z << log6) + x * pack + j) * row + (y ^ (x & (row - 1)))] = w[j];                \
      }                                                                                            \
    } else if (full) {                                                                             \
      MEMC_BOX_READ(T, 8, MEMC_FULL)                                                               \
    } else {                                                                                       \
      MEMC_BOX_READ(T, 4, MEMC_INSIDE)                                                             \
    }                                                                                              \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                  \
    if (packed) {                                                                                  \
      _Pragma("unroll")                                                                            \
      for (int k = 0; k < (1 << LOG) / (pack * 256); k++) {                                        \
        const int n = item + k * 256, y = n & (row - 1);                                           \
        const int up = n >> (log7 - log), x = up & ((1 << log6) - 1), z = up >> log6;              \
        if (x < left6 && y * pack < left7 && z < left5)                                            \
          *(__global memc_packed_##SIZE *)(dst + (z * (int)d5 + x * (int)d6 + y * pack)) =         \
              words[up * row + (y ^ ((x >> log) & (row - 1)))];                                    \
      }                                                                                            \
    } else if (turned) {                                                                           \
      if (full) {                                                                                  \
        MEMC_BOX_WRITE(8, MEMC_FULL)                                                               \
      } else {                                                                                     \
        MEMC_BOX_WRITE(4, MEMC_INSIDE)                                                             \
      }                                                                                            \
    }                                                                                              \
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
MEMC_BOX(1, uchar, 14)
#endif
#if MEMC_COPIED & 2
MEMC_COPY(2, ushort)
MEMC_BOX(2, ushort, 13)
#endif
#if MEMC_COPIED & 4
MEMC_COPY(4, uint)
MEMC_BOX(4, uint, 12)
#endif
#if MEMC_COPIED & 8
MEMC_COPY(8, ulong)
MEMC_BOX(8, ulong, 11)
#endif
