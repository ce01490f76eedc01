/* Blocks of the device heap, which kernels allocate. A block belongs to one
 * work-item. Where several of its variables may share a block, the block has a
 * count of references in the 16 bytes before the data. */

/* Sizes of blocks: what is too large stays too large. */
MEMC_FN long memc_mul_bytes(long a, long b) {
  if (a > 0 && b > 0 && mul_hi(a, b) != 0) return LONG_MAX;
  if (a > 0 && b > 0 && (long)((ulong)a * (ulong)b) < 0) return LONG_MAX;
  return (long)((ulong)a * (ulong)b);
}

MEMC_FN long memc_add_bytes(long a, long b) {
  if (a > 0 && b > LONG_MAX - a) return LONG_MAX;
  return (long)((ulong)a + (ulong)b);
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
