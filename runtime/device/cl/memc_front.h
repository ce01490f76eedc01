/* memc_front.h: the functions that kernels call. */
#ifndef MEMC_FRONT_H
#define MEMC_FRONT_H

/* A request of that many bytes: the offset of a block, or a number below 16 that
 * tells why there is none (MEMC_FULL, MEMC_CONTENDED). */
static inline ulong memc_try_malloc(memc_heap heap, ulong bytes) {
  uint r = MEMC_FULL;
  ulong need = (bytes + (ulong)MEMC_HEADER_BYTES + 15ul) / 16ul;
  if (need == 0ul) need = 1ul;
  if (bytes > (ulong)MEMC_MAX_UNITS * 16ul || need > (ulong)MEMC_MAX_UNITS) return MEMC_FULL;
#if MEMC_ALLOCATOR == MEMC_ATOMIC || MEMC_ALLOCATOR == MEMC_AW
  r = memc_bump_malloc(heap, (uint)need);
#elif MEMC_ALLOCATOR == MEMC_SLAB
  ulong bare = bytes == 0ul ? 1ul : (bytes + 15ul) / 16ul;
  r = memc_slab_malloc(heap, (uint)bare, (uint)need);
#else
  ulong hint = memc_hint(heap);
  r = memc_list_malloc(heap, (uint)need, memc_load(heap, hint), hint);
  if (r > MEMC_CONTENDED) {
#if MEMC_HEADER_BYTES == 8 && !MEMC_DOUBLY
    memc_store(heap, memc_prev_word(r), (uint)bytes);
#endif
    r = r + 1u;
  }
#endif
  if (r <= MEMC_CONTENDED) return r;
  return (ulong)r * 16ul;
}

/* A block of that many bytes, aligned to 16: its offset in the heap, or 0. */
static inline ulong memc_malloc(memc_heap heap, ulong bytes) {
  ulong off = memc_try_malloc(heap, bytes);
  if (off > (ulong)MEMC_CONTENDED) return off;
  memc_add(heap, off == (ulong)MEMC_FULL ? MEMC_W_FULL : MEMC_W_CONTENDED, 1u);
  return 0ul;
}

/* Counts a wrong free (kind 1: no block can be there; 2: none is), and keeps
 * the first one's place. */
static inline void memc_error(memc_heap heap, uint kind, uint u) {
  if (memc_add(heap, MEMC_W_ERRORS, 1u) == 0u) {
    memc_store(heap, MEMC_W_ERROR_KIND, kind);
    memc_store(heap, MEMC_W_ERROR_UNIT, u);
  }
}

/* Frees the block at the offset; 0 is no block, and allowed. */
static inline void memc_free(memc_heap heap, ulong off) {
  if (off == 0ul) return;
  uint u = (uint)(off / 16ul);
#if MEMC_DEBUG
  if ((off & 15ul) != 0ul || off / 16ul > (ulong)MEMC_MAX_UNITS || u < memc_const(heap, MEMC_W_FIRST) || u > memc_const(heap, MEMC_W_END)) {
    memc_error(heap, 1u, u);
    return;
  }
#endif
#if MEMC_ALLOCATOR != MEMC_ATOMIC && MEMC_ALLOCATOR != MEMC_AW
#if MEMC_ALLOCATOR == MEMC_SLAB
  uint class = memc_page_class(heap, u / MEMC_PAGE);
  if (class != 0u && class <= MEMC_CLASSES) {
    if (memc_slab_free(heap, u, class - 1u) == 0u) memc_error(heap, 2u, u);
    return;
  }
  if (class == MEMC_CLASS_RUN && memc_is_page(u)) {
    if (memc_list_free(heap, u, memc_hint(heap)) == 0u) memc_error(heap, 2u, u);
    return;
  }
#if MEMC_DEBUG
  if (class != 0u || ((u - 1u) & ((1u << MEMC_GRAIN) - 1u)) != 0u) {
    memc_error(heap, 2u, u);
    return;
  }
#endif
#endif
#if MEMC_DEBUG
  if (u == memc_const(heap, MEMC_W_FIRST)) {
    memc_error(heap, 2u, u);
    return;
  }
#endif
  if (memc_list_free(heap, u - 1u, memc_hint(heap)) == 0u) memc_error(heap, 2u, u);
#endif
}

/* Bytes of the heap that the block at the offset takes up, header included. */
static inline ulong memc_region(memc_heap heap, ulong off, ulong bytes) {
#if MEMC_ALLOCATOR == MEMC_ATOMIC || MEMC_ALLOCATOR == MEMC_AW
  return bytes == 0ul ? 16ul : (bytes + 15ul) / 16ul * 16ul;
#else
  uint u = (uint)(off / 16ul);
#if MEMC_ALLOCATOR == MEMC_SLAB
  uint class = memc_page_class(heap, u / MEMC_PAGE);
  if (class != 0u && class <= MEMC_CLASSES) return (ulong)memc_class_units(class - 1u) * 16ul;
  if (class == MEMC_CLASS_RUN) return (ulong)(memc_next(heap, u) - u) * 16ul;
#endif
  return (ulong)(memc_next(heap, u - 1u) - (u - 1u)) * 16ul;
#endif
}

#endif
