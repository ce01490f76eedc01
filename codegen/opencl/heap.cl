/* Blocks of the device heap, which kernels allocate. A block belongs to one
 * work-item. Where several of its variables may share a block, the block has a
 * count of references in the 16 bytes before the data. */

/* Sizes of blocks, which do not wrap: what no long can hold is large, small (below 0)
 * or, from both, unknown. */
#define MEMC_MAX_BYTES (1L << 47)
#define MEMC_LARGE LONG_MAX
#define MEMC_UNKNOWN (MEMC_LARGE - 1)
#define MEMC_SMALL LONG_MIN

MEMC_FN long memc_neg_bytes(long a) {
  return a == MEMC_LARGE ? MEMC_SMALL : a == MEMC_SMALL ? MEMC_LARGE : a == MEMC_UNKNOWN ? a : -a;
}

MEMC_FN long memc_mul_bytes(long a, long b) {
  const int wide = a == MEMC_LARGE || a == MEMC_SMALL || b == MEMC_LARGE || b == MEMC_SMALL;
  const ulong x = a < 0 ? -(ulong)a : (ulong)a, y = b < 0 ? -(ulong)b : (ulong)b;
  if (a == 0 || b == 0)
    return 0;
  if (a == MEMC_UNKNOWN || b == MEMC_UNKNOWN)
    return MEMC_UNKNOWN;
  if (wide || x > (ulong)(MEMC_LARGE - 1) / y)
    return (a < 0) == (b < 0) ? MEMC_LARGE : MEMC_SMALL;
  return (a < 0) == (b < 0) ? (long)(x * y) : -(long)(x * y);
}

MEMC_FN long memc_add_bytes(long a, long b) {
  const long wide = b == MEMC_LARGE || b == MEMC_SMALL ? b : a, other = wide == b ? a : b;
  if (a == MEMC_UNKNOWN || b == MEMC_UNKNOWN)
    return MEMC_UNKNOWN;
  if (wide == MEMC_LARGE)
    return other >= -MEMC_MAX_BYTES ? MEMC_LARGE : MEMC_UNKNOWN;
  if (wide == MEMC_SMALL)
    return other <= MEMC_MAX_BYTES ? MEMC_SMALL : MEMC_UNKNOWN;
  if (a > 0 && b >= MEMC_UNKNOWN - a)
    return MEMC_LARGE;
  if (a < 0 && b < MEMC_SMALL - a)
    return MEMC_SMALL;
  return a + b;
}

MEMC_FN long memc_max_bytes(long a, long b) {
  return a > b ? a : b;
}

MEMC_FN long memc_min_bytes(long a, long b) {
  if (a == MEMC_UNKNOWN || b == MEMC_UNKNOWN)
    return MEMC_UNKNOWN;
  return a < b ? a : b;
}

/* How often a request is made again where others were at work all the time. */
#define MEMC_TRIES 64

/* Makes a block of that many bytes behind head others (0 or 16): its offset in
 * the heap; 0 for no bytes. Gives 1, and reports the fault full or contended,
 * where there is no memory; the heap's size, which the message tells, is the
 * host's to add. */
MEMC_FN int memc_block_take(__global uchar *dev, __global int *fault, long bytes, uint head, int full,
                            int contended, ulong *at) {
  ulong off = MEMC_CONTENDED;
  int i;
  *at = 0;
  if (bytes <= 0) return 0;
  for (i = 0; i < MEMC_TRIES && off == MEMC_CONTENDED; i++) off = memc_try_malloc((memc_heap)dev, (ulong)bytes + head);
  if (off <= MEMC_CONTENDED) {
    memc_fault(fault, off == MEMC_FULL ? full : contended, bytes, 0, 0, 0);
    return 1;
  }
  if (head != 0) MEMC_AT(uint32_t, dev + off, 0) = 1;
  *at = off;
  return 0;
}

/* Drops a counted block. */
MEMC_FN void memc_block_drop(__global uchar *dev, ulong at) {
  if (at != 0) {
    const uint refs = MEMC_AT(uint32_t, dev + at, 0) - 1;
    MEMC_AT(uint32_t, dev + at, 0) = refs;
    if (refs == 0) memc_free((memc_heap)dev, at);
  }
}

/* Adds a reference to a counted block. */
MEMC_FN ulong memc_block_share(__global uchar *dev, ulong at) {
  if (at != 0) MEMC_AT(uint32_t, dev + at, 0) += 1;
  return at;
}
