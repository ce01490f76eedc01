/* memc_large.h: MEMC_SLAB's requests for more than a slot, and of any size.
 *
 * Large blocks are chunks of the circular list. Where few bytes are lost they are
 * whole pages: then the page's entry in the table has their length, and they need no
 * header. Others have one, and start anywhere.
 */
#ifndef MEMC_LARGE_H
#define MEMC_LARGE_H

/* Pages that a large request looks at before it walks through the heap. */
#ifndef MEMC_LARGE_PROBES
#define MEMC_LARGE_PROBES 8
#endif

/* Gives pages that no slot of is in use back to the list; how many. */
static inline uint memc_slab_reclaim(memc_heap heap) {
  uint page0 = memc_const(heap, MEMC_W_PAGE0);
  uint page1 = page0 + memc_const(heap, MEMC_W_PAGES);
  uint got = 0u;
  for (uint p = page0; p < page1; p++) {
    ulong word = memc_page_word(p);
    uint state = memc_load(heap, word);
    uint u = p * MEMC_PAGE;
    if (state != 0u && (state & MEMC_COUNT) == 0u && state >> MEMC_CLASS_SHIFT < MEMC_CLASS_RUN) {
      if (memc_cas(heap, word, state, MEMC_CLASS_MOVING << MEMC_CLASS_SHIFT) == state) {
        memc_link_free(heap, u, u + MEMC_PAGE);
        memc_add(heap, MEMC_W_MOVES, 1u);
        memc_fence();
        memc_sub(heap, word, MEMC_CLASS_MOVING << MEMC_CLASS_SHIFT);
        memc_fence();
        memc_xor(heap, memc_map_word(u), memc_bit_free(u) | memc_bit_used(u));
        memc_sub(heap, MEMC_W_CLAIMED, 1u);
        got++;
      }
    }
  }
  return got;
}

/* A chunk that starts in the page, or 0; with run only where it starts with the page. */
static inline uint memc_slab_near(memc_heap heap, uint need, uint page, uint run, ulong hint) {
  uint end = memc_const(heap, MEMC_W_END);
  uint stop = run != 0u ? page * MEMC_PAGE + 1u : (page + 1u) * MEMC_PAGE;
  uint u = run != 0u ? page * MEMC_PAGE : memc_resync(heap, page * MEMC_PAGE, end);
  for (uint i = 0u; i < 16u && u < stop && u < end; i++) {
    uint next = 0u;
    if (memc_state(heap, u) == MEMC_ISFREE && memc_lock(heap, u) != 0u) {
      next = memc_list_use(heap, u, need, 1u, end, hint);
      if (next == 0u) return u;
    } else {
      next = memc_next(heap, u);
    }
    if (next <= u || next > end) next = memc_resync(heap, u + 1u, end);
    u = next;
  }
  return 0u;
}

/* A block of n whole pages behind the first quarter, without a header: its first
 * unit, or 0. Requests that are numbered in a row get pages in a row. */
static inline uint memc_slab_run(memc_heap heap, uint n) {
  uint pages = memc_const(heap, MEMC_W_PAGES);
  uint low = pages / 4u;
  uint item = memc_item();
  uint place = (item >> 5) + (item & 31u) * 1021u;
  if (n > pages - low) return 0u;
  uint places = (pages - low) / n;
  for (uint i = 0u; i < MEMC_LARGE_PROBES * 4u; i++) {
    uint page = memc_const(heap, MEMC_W_PAGE0) + low + (place + i * 977u) % places * n;
    uint u = memc_slab_near(heap, n * MEMC_PAGE, page, 1u, memc_hint(heap));
    if (u != 0u) {
      memc_store(heap, memc_run_word(page), n);
      memc_fence();
      memc_add(heap, memc_page_word(page), MEMC_CLASS_RUN << MEMC_CLASS_SHIFT);
      memc_fence();
      return u;
    }
  }
  return 0u;
}

/* A large block: near some computed pages behind the first quarter, or wherever
 * there is one, or (with reclaim) in empty pages. */
static inline uint memc_slab_large(memc_heap heap, uint need, uint reclaim) {
  uint pages = memc_const(heap, MEMC_W_PAGES);
  uint page0 = memc_const(heap, MEMC_W_PAGE0);
  uint low = pages / 4u;
  uint item = memc_item();
  ulong hint = memc_hint(heap);
  uint page = page0;
  for (uint i = 0u; i < MEMC_LARGE_PROBES && low < pages; i++) {
    page = page0 + low + (((item + i * 977u) * MEMC_SCATTER) >> 4) % (pages - low);
    uint u = memc_slab_near(heap, need, page, 0u, hint);
    if (u != 0u) return u;
  }
  uint start = memc_resync(heap, page * MEMC_PAGE, memc_const(heap, MEMC_W_END));
  uint r = memc_list_malloc(heap, need, start, hint);
  if (r <= MEMC_CONTENDED && reclaim != 0u) {
    if (memc_slab_reclaim(heap) != 0u) r = memc_list_malloc(heap, need, start, hint);
  }
  return r;
}

/* need counts units without a header, list those with one. A small request for
 * which there is no slot looks for a chunk between the pages. If pages went to the
 * list or came from it meanwhile, each may have been looked for where it was
 * not: then the heap is not full, as far as one knows. */
static inline uint memc_slab_malloc(memc_heap heap, uint need, uint list) {
  uint r = MEMC_FULL;
  uint contended = 0u;
  uint small = memc_in_slots(need);
  uint moves = 0u;
  if (small != 0u) {
    r = memc_slab_small(heap, need);
    if (r > MEMC_CONTENDED) return r;
    moves = memc_load(heap, MEMC_W_MOVES);
    r = memc_slab_any(heap, need);
    if (r > MEMC_CONTENDED) return r;
    contended = r;
  } else if (memc_in_pages(need) != 0u) {
    r = memc_slab_run(heap, memc_in_pages(need));
    if (r > MEMC_CONTENDED) return r;
  }
  r = memc_slab_large(heap, (list + (1u << MEMC_GRAIN) - 1u) >> MEMC_GRAIN << MEMC_GRAIN, small == 0u);
  if (r > MEMC_CONTENDED) return r + 1u;
  if (small != 0u && memc_load(heap, MEMC_W_MOVES) != moves) return MEMC_CONTENDED;
  return r | contended;
}

#endif
