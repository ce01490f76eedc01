/* memc_init.h: preparing a heap. Two kernels, in this order, each of n
 * work-items i = 0..n-1; n is any number:
 *   memc_init_clear(heap, bytes, hints, i, n)
 *   memc_init_split(heap, bytes, hints, i, n)
 * hints is the number of search offsets (for CM and CFM: one for each compute
 * unit, as the paper has it); it is brought into 1..MEMC_HINTS. */
#ifndef MEMC_INIT_H
#define MEMC_INIT_H

/* The heap in units, the end chunk excluded; larger heaps are used in part. */
static inline uint memc_units(ulong bytes) {
  ulong units = bytes / 16ul;
  if (units == 0ul) return 0u;
  if (units > (ulong)MEMC_MAX_UNITS) units = (ulong)MEMC_MAX_UNITS;
  return ((uint)units - 1u) >> MEMC_GRAIN << MEMC_GRAIN;
}

static inline uint memc_hints(uint hints) {
#if MEMC_ALLOCATOR == MEMC_CM || MEMC_ALLOCATOR == MEMC_CFM || MEMC_ALLOCATOR == MEMC_SLAB
  if (hints > MEMC_HINTS) return MEMC_HINTS;
  return hints == 0u ? 1u : hints;
#else
  return 1u;
#endif
}

/* Words of everything before the chunks. */
static inline uint memc_map_end(uint end) {
#if MEMC_ALLOCATOR == MEMC_ATOMIC || MEMC_ALLOCATOR == MEMC_AW
  return MEMC_W_MAP;
#elif MEMC_ALLOCATOR == MEMC_SLAB
  return MEMC_W_MAP + (end / MEMC_PAGE + 1u) * MEMC_RECORD + MEMC_CLASSES * memc_stripes(end / MEMC_PAGE) * 8u;
#else
  return MEMC_W_MAP + (end >> 4) + 1u;
#endif
}

static inline uint memc_first(uint end) {
  uint u = (memc_map_end(end) + 3u) / 4u;
  return (u + (1u << MEMC_GRAIN) - 1u) >> MEMC_GRAIN << MEMC_GRAIN;
}

static inline void memc_init_clear(memc_heap heap, ulong bytes, uint hints, uint i, uint n) {
  uint end = memc_units(bytes);
  uint words = memc_first(end) * 4u;
  if ((ulong)words > bytes / 4ul) words = (uint)(bytes / 4ul);
  for (uint w = i; w < words; w += n) memc_store(heap, w, 0u);
}

#if MEMC_ALLOCATOR != MEMC_ATOMIC && MEMC_ALLOCATOR != MEMC_AW
/* One chunk of the initial list. */
static inline void memc_init_chunk(memc_heap heap, uint u, uint next, uint prev) {
  memc_link_free(heap, u, next);
#if MEMC_DOUBLY
  memc_store(heap, memc_prev_word(u), prev);
#endif
  memc_offer(heap, u);
}

/* Equation (1): chunk i has R / 2^floor(log2 i) units. levels such that the
 * smallest has at least MEMC_LEAF. */
static inline uint memc_levels(uint span) {
  uint levels = 1u;
  while (levels < 24u && (span / (levels + 1u)) >> levels >= MEMC_LEAF) levels++;
  return levels;
}

/* The first unit of chunk c = 0.. of a part of span units. What rounding leaves
 * over belongs to the last chunk. */
static inline uint memc_chunk_at(uint span, uint levels, uint c) {
  uint root = span / levels;
  uint l = memc_log2(c + 1u);
  uint u = 0u;
  for (uint k = 0u; k < l; k++) u += (root >> k) << k;
  return u + (c + 1u - (1u << l)) * (root >> l);
}
#endif

static inline void memc_init_split(memc_heap heap, ulong bytes, uint hints, uint i, uint n) {
  uint end = memc_units(bytes);
  uint first = memc_first(end);
  uint parts = memc_hints(hints);
  if (bytes < 64ul) return;
  if (first >= end || (ulong)end * 4ul <= (ulong)memc_map_end(end)) {
    /* Too small for anything: a heap that is always full. */
    if (i == 0u) {
      memc_store(heap, MEMC_W_MAGIC, MEMC_MAGIC);
      memc_store(heap, MEMC_W_HINTS, 1u);
    }
    return;
  }
  if (i == 0u) {
    memc_store(heap, MEMC_W_MAGIC, MEMC_MAGIC);
    memc_store(heap, MEMC_W_ALLOCATOR, MEMC_ALLOCATOR);
    memc_store(heap, MEMC_W_END, end);
    memc_store(heap, MEMC_W_FIRST, first);
    memc_store(heap, MEMC_W_HINTS, parts);
#if MEMC_ALLOCATOR != MEMC_ATOMIC && MEMC_ALLOCATOR != MEMC_AW
    memc_link_used(heap, end, first);
    memc_or(heap, memc_map_word(end), memc_bit_used(end));
#endif
  }
#if MEMC_ALLOCATOR == MEMC_ATOMIC || MEMC_ALLOCATOR == MEMC_AW
  if (i == 0u) memc_store(heap, MEMC_W_HINT0, first);
#elif MEMC_ALLOCATOR == MEMC_SLAB
  /* A piece up to the first page, the pages, and a piece behind them. */
  uint page0 = (first + MEMC_PAGE - 1u) / MEMC_PAGE;
  uint page1 = end / MEMC_PAGE;
  if (page1 < page0) page1 = page0;
  if (i == 0u) {
    memc_store(heap, MEMC_W_PAGE0, page0);
    memc_store(heap, MEMC_W_PAGES, page1 - page0);
    memc_store(heap, MEMC_W_TICKETS, MEMC_W_MAP + (end / MEMC_PAGE + 1u) * MEMC_RECORD);
    uint stop = page0 * MEMC_PAGE < end ? page0 * MEMC_PAGE : end;
    if (first < stop) memc_init_chunk(heap, first, stop, 0u);
    if (page1 * MEMC_PAGE < end && page1 * MEMC_PAGE >= first) memc_init_chunk(heap, page1 * MEMC_PAGE, end, 0u);
  }
  for (uint p = page0 + i; p < page1; p += n) memc_init_chunk(heap, p * MEMC_PAGE, (p + 1u) * MEMC_PAGE, 0u);
  for (uint h = i; h < parts; h += n) memc_store(heap, MEMC_W_HINT0 + h * MEMC_HINT_STRIDE, first);
#else
  while (parts > 1u && (end - first) / parts < MEMC_LEAF) parts--;
  uint span = (end - first) / parts;
  uint levels = memc_levels(span);
  uint chunks = (1u << levels) - 1u;
  uint last = memc_chunk_at(span, levels, chunks - 1u);
  for (uint h = 0u; h < parts; h++) {
    uint base = first + h * span;
    for (uint c = i; c < chunks; c += n) {
      uint u = base + memc_chunk_at(span, levels, c);
      uint next = c + 1u < chunks ? base + memc_chunk_at(span, levels, c + 1u) : base + span;
      if (c + 1u == chunks && h + 1u == parts) next = end;
      uint prev = 0u;
      if (c > 0u) prev = base + memc_chunk_at(span, levels, c - 1u);
      if (c == 0u && h > 0u) prev = base - span + last;
      memc_init_chunk(heap, u, next, prev);
    }
    if (i == 0u) memc_store(heap, MEMC_W_HINT0 + h * MEMC_HINT_STRIDE, base);
  }
#if MEMC_DOUBLY
  if (i == 0u) memc_store(heap, memc_prev_word(end), first + last);
#endif
#if MEMC_ALLOCATOR == MEMC_CM || MEMC_ALLOCATOR == MEMC_CFM
  if (i == 0u) memc_store(heap, MEMC_W_HINTS, parts);
#endif
#endif
}

#endif
