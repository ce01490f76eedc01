/* memc_slab.h: memc's own allocator, for general use.
 *
 * Small requests (up to MEMC_SLAB_MAX units) are slots of equal size in pages.
 * A work-item computes from its own number which page and slot of its class it
 * would like, so that requests of one kernel spread without asking anyone: two
 * atomics on words that few share. Pages are chunks of the circular list, taken
 * by one lock at a computed place; larger requests walk that list. A page that
 * runs empty stays with its class until somebody wants it: another class (one
 * compare-and-swap) or the list (memc_slab_reclaim).
 */
#ifndef MEMC_SLAB_H
#define MEMC_SLAB_H

#ifndef MEMC_PROBES
#define MEMC_PROBES 8
#endif
/* So many more where the work-items around want other classes. */
#ifndef MEMC_MORE_PROBES
#define MEMC_MORE_PROBES 24
#endif
#define MEMC_SCATTER 2654435761u
/* How often a page that somebody may be claiming is looked at again. */
#ifndef MEMC_LOOKS
#define MEMC_LOOKS 16
#endif
/* So many work-items in a row have the same computed page at most. */
#ifndef MEMC_CROWD
#define MEMC_CROWD 64
#endif

/* The page becomes one of the class, if it is nobody's; its slot bits are 0. */
static inline uint memc_page_claim(memc_heap heap, uint page, uint state, uint class) {
  uint u = page * MEMC_PAGE;
  if (state >> MEMC_CLASS_SHIFT == MEMC_CLASS_MOVING) return 0u;
  if (state >> MEMC_CLASS_SHIFT != 0u) {
    return memc_cas(heap, memc_page_word(heap, page), state, (class + 1u) << MEMC_CLASS_SHIFT) == state;
  }
  if (memc_state(heap, u) != MEMC_ISFREE) return 0u;
  if (memc_lock(heap, u) == 0u) return 0u;
  memc_fence();
  uint next = memc_load(heap, memc_next_word(u)) & MEMC_LINK;
  if (next - u < MEMC_PAGE) {
    memc_offer(heap, u);
    return 0u;
  }
  if (next - u > MEMC_PAGE) {
    memc_link_free(heap, u + MEMC_PAGE, next);
    memc_fence();
    memc_offer(heap, u + MEMC_PAGE);
  }
  memc_or(heap, memc_map_word(u), memc_bit_used(u));
  memc_add(heap, memc_page_word(heap, page), (class + 1u) << MEMC_CLASS_SHIFT);
  memc_add(heap, MEMC_W_CLAIMED, 1u);
  return 1u;
}

/* The slots of a class's page that lie in word w of its bit map. */
static inline uint memc_slot_mask(uint slots, uint w) {
  uint left = slots - w * 32u;
  return left >= 32u ? 0xffffffffu : (1u << left) - 1u;
}

/* A slot in the page, where it is of the class or (with claim 1) nobody's: the
 * slot's first unit, or why there was none. item tells which slot to try first.
 * With claim 2 the page is looked at again some times where somebody else may be
 * about to claim it: a neighbour, most likely, with a request of the same class. */
static inline uint memc_page_malloc(memc_heap heap, uint page, uint class, uint units, uint slots, uint item, uint claim) {
  ulong word = memc_page_word(heap, page);
  uint state = memc_load(heap, word);
  if (state >> MEMC_CLASS_SHIFT != class + 1u) {
    if (claim == 0u || (state & MEMC_COUNT) != 0u) return MEMC_FULL;
    if (memc_page_claim(heap, page, state, class) == 0u) {
      if (claim < 2u) return MEMC_FULL;
      for (uint i = 0u; i < MEMC_LOOKS && state >> MEMC_CLASS_SHIFT == 0u; i++) state = memc_load(heap, word);
      if (state >> MEMC_CLASS_SHIFT != class + 1u) return MEMC_FULL;
    }
  } else if ((state & MEMC_COUNT) >= slots) {
    return MEMC_FULL;
  }
  state = memc_add(heap, word, 1u);
  if (state >> MEMC_CLASS_SHIFT != class + 1u || (state & MEMC_COUNT) >= slots) {
    memc_sub(heap, word, 1u);
    return MEMC_CONTENDED;
  }
  /* A slot is reserved, so that some bit is 0 at any time from here on. */
  ulong base = memc_slot_word(heap, page);
  uint words = (slots + 31u) / 32u;
  uint slot = item % slots;
  uint w = slot >> 5;
  uint bit = 1u << (slot & 31u);
  uint taken = memc_or(heap, base + w, bit);
  for (uint i = 0u; (taken & bit) != 0u; i++) {
    if (i >= words * 4u) {
      memc_sub(heap, word, 1u);
      return MEMC_CONTENDED;
    }
    uint open = ~taken & memc_slot_mask(slots, w);
    if (open == 0u) {
      w = w + 1u < words ? w + 1u : 0u;
      taken = memc_load(heap, base + w);
      open = ~taken & memc_slot_mask(slots, w);
    }
    if (open != 0u) {
      /* From the item's own bit on, so that neighbours take different ones. */
      uint upper = open & (0xffffffffu << (item & 31u));
      if (upper != 0u) open = upper;
      bit = open & (0u - open);
      taken = memc_or(heap, base + w, bit);
    } else {
      bit = 1u;
      taken = 1u;
    }
  }
  memc_fence();
  return page * MEMC_PAGE + (w * 32u + memc_log2(bit)) * units;
}

/* Whether the work-items around this one seem to want the same class: each leaves
 * its own in a word that they share, and looks what is there. Whatever the answer,
 * a slot is found; it is sooner with the right one. */
static inline uint memc_slab_alike(memc_heap heap, uint class, uint item) {
  ulong word = (ulong)MEMC_W_HINT0 + ((item / MEMC_CROWD) % MEMC_HINTS) * MEMC_HINT_STRIDE + 1u;
  memc_store(heap, word, class + 1u);
  return memc_load(heap, word) == class + 1u;
}

/* A slot of the class, found in this order:
 *   1. in the page that the work-item computes from its own number: where all
 *      requests of a kernel have one size, everybody has a place, and few share
 *      one. While less than a quarter of the pages are taken, and the work-items
 *      around want the same, that page becomes one of the class at once;
 *   2. in a page that the class has used lately, so that sizes of which there are
 *      few do not take a page for each request;
 *   3. in pages near the class's own place, drawn from ranges that grow (first in
 *      the computed page, where the others around want the same; otherwise several
 *      times over): so a class takes as many pages as it has requests
 *      for, and not one for each. All this is near the heap's beginning as long as
 *      it can be, so that large blocks find room behind;
 *   4. in any page; once seven eighths of them are taken, those of the class first. */
static inline uint memc_slab_small(memc_heap heap, uint need) {
  uint pages = memc_load(heap, MEMC_W_PAGES);
  if (pages == 0u) return MEMC_FULL;
  uint page0 = memc_load(heap, MEMC_W_PAGE0);
  uint class = memc_class_of(need);
  uint units = memc_class_units(class);
  uint slots = MEMC_PAGE / units;
  uint item = memc_item();
  uint near = pages / 8u + 1u;
  uint crowd = slots < MEMC_CROWD ? slots : MEMC_CROWD;
  uint home = ((class * MEMC_SCATTER) % near + item / crowd) % pages;
  uint alike = memc_slab_alike(heap, class, item);
  uint spread = alike != 0u && memc_load(heap, MEMC_W_CLAIMED) < pages / 4u;
  uint r = memc_page_malloc(heap, page0 + home, class, units, slots, item, spread * 2u);
  if (r > MEMC_CONTENDED) return r;
  uint contended = r;
  ulong recent = memc_recent_word(heap, class, item);
  uint p = memc_load(heap, recent);
  if (p != 0u) {
    r = memc_page_malloc(heap, p, class, units, slots, item, 0u);
    if (r > MEMC_CONTENDED) return r;
    contended = contended | r;
  }
  p = alike != 0u ? home : (class * MEMC_SCATTER) % near;
  uint range = 1u;
  uint more = alike != 0u ? 0u : MEMC_MORE_PROBES;
  for (uint i = 0u; i < MEMC_PROBES + more; i++) {
    r = memc_page_malloc(heap, page0 + p, class, units, slots, item, i < 4u && more != 0u ? 2u : 1u);
    if (r > MEMC_CONTENDED) {
      memc_store(heap, recent, page0 + p);
      return r;
    }
    contended = contended | r;
    if (range >= 1024u && i < more) { /* from the start: meanwhile pages have become the class's */
      range = slots < 64u ? 64u : 4u;
    } else if (range < pages / 4u) {
      range = range * 4u;
    } else {
      range = pages;
    }
    p = ((class * MEMC_SCATTER) % near + ((((item >> 5) + i * 977u) * MEMC_SCATTER) >> 4) % range) % pages;
  }
  uint thrift = memc_load(heap, MEMC_W_CLAIMED) >= pages - pages / 8u;
  for (uint lap = 0u; lap < MEMC_MAX_LAPS; lap++) {
    for (uint i = 0u; i < pages; i++) {
      r = memc_page_malloc(heap, page0 + p, class, units, slots, item, lap > 0u || thrift == 0u);
      if (r > MEMC_CONTENDED) {
        memc_store(heap, recent, page0 + p);
        return r;
      }
      contended = contended | r;
      p = p + 1u < pages ? p + 1u : 0u;
    }
    if (lap > 0u) {
      if (contended == 0u) return MEMC_FULL;
      contended = 0u;
    }
  }
  return MEMC_CONTENDED;
}

/* Gives pages that no slot of is in use back to the list; how many. */
static inline uint memc_slab_reclaim(memc_heap heap) {
  uint pages = memc_load(heap, MEMC_W_PAGES);
  uint page0 = memc_load(heap, MEMC_W_PAGE0);
  uint got = 0u;
  for (uint p = page0; p < page0 + pages; p++) {
    ulong word = memc_page_word(heap, p);
    uint state = memc_load(heap, word);
    uint u = p * MEMC_PAGE;
    if (state != 0u && (state & MEMC_COUNT) == 0u && state >> MEMC_CLASS_SHIFT != MEMC_CLASS_MOVING) {
      if (memc_cas(heap, word, state, MEMC_CLASS_MOVING << MEMC_CLASS_SHIFT) == state) {
        memc_link_free(heap, u, u + MEMC_PAGE);
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

/* Where a large request starts: at some page behind the first quarter. */
static inline uint memc_slab_start(memc_heap heap) {
  uint pages = memc_load(heap, MEMC_W_PAGES);
  if (pages == 0u) return 0u;
  uint low = pages / 4u;
  uint p = low + ((memc_item() * MEMC_SCATTER) >> 4) % (pages - low);
  return memc_resync(heap, (memc_load(heap, MEMC_W_PAGE0) + p) * MEMC_PAGE, memc_load(heap, MEMC_W_END));
}

/* need counts units without a header, list those with one. */
static inline uint memc_slab_malloc(memc_heap heap, uint need, uint list) {
  uint r = MEMC_FULL;
  uint contended = 0u;
  if (need <= MEMC_SLAB_MAX) {
    r = memc_slab_small(heap, need);
    if (r > MEMC_CONTENDED) return r;
    contended = r;
  }
  r = memc_list_malloc(heap, list, memc_slab_start(heap), memc_hint(heap));
  if (r <= MEMC_CONTENDED && memc_slab_reclaim(heap) != 0u) {
    r = memc_list_malloc(heap, list, memc_slab_start(heap), memc_hint(heap));
  }
  if (r > MEMC_CONTENDED) return r + 1u;
  return r | contended;
}

/* Frees the slot at unit u of a page of that class; 0: no slot is in use there. */
static inline uint memc_slab_free(memc_heap heap, uint u, uint class) {
  uint page = u / MEMC_PAGE;
  uint units = memc_class_units(class);
  uint slot = (u - page * MEMC_PAGE) / units;
  ulong word = memc_slot_word(heap, page) + (slot >> 5);
  uint bit = 1u << (slot & 31u);
#if MEMC_DEBUG
  if (page * MEMC_PAGE + slot * units != u) return 0u;
#endif
  memc_fence();
  uint old = memc_and(heap, word, ~bit);
#if MEMC_DEBUG
  if ((old & bit) == 0u) return 0u;
#endif
  memc_fence();
  memc_sub(heap, memc_page_word(heap, page), 1u);
  return 1u;
}

#endif
