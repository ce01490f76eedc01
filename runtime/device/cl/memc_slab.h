/* memc_slab.h: memc's own allocator, for general use.
 *
 * Small requests are slots of equal size in pages. A class counts its blocks,
 * and the number that a request gets from that count, its ticket, tells page and
 * slot: so requests of a class fill one page after the other, each finds the place
 * that nobody else will look at, and there are as many pages as blocks need,
 * whatever sizes are asked for at once. A ticket is advice and no right: the slot
 * is taken by two atomics of its page. Work-items of a warp that want the same class take
 * their tickets and slots together, where the device can do that (memc_warp.h).
 *
 * Pages are chunks of the circular list, from which larger requests are served
 * (memc_large.h). A page that runs empty stays with its class until somebody wants
 * it: another class (one compare-and-swap) or the list (memc_slab_reclaim).
 */
#ifndef MEMC_SLAB_H
#define MEMC_SLAB_H

/* Pages that a small request looks at before it goes through all. */
#ifndef MEMC_PROBES
#define MEMC_PROBES 32
#endif
/* How often a page that somebody may be claiming is looked at again. */
#ifndef MEMC_LOOKS
#define MEMC_LOOKS 16
#endif
#define MEMC_SCATTER 2654435761u

/* What a page has for a request; the first two are why not. */
#define MEMC_PAGE_FULL 0u      /* it is the class's, and full */
#define MEMC_PAGE_CONTENDED 1u /* others were faster */
#define MEMC_PAGE_OTHERS 2u    /* it is not the class's, and in use */
#define MEMC_PAGE_OK 3u
#define MEMC_MINE 0xffffffffu /* no state of a page */

/* The page becomes one of the class with k reserved slots, if it is nobody's: then
 * the result is MEMC_MINE; otherwise the page's state, whosever it is. Up to the
 * reservation's end nobody can move the page, though its place in the map is
 * marked last: who has missed the page in both finds that MEMC_W_MOVES has changed. */
static inline uint memc_page_claim(memc_heap heap, uint page, uint state, uint class, uint k) {
  uint u = page * MEMC_PAGE;
  uint mine = ((class + 1u) << MEMC_CLASS_SHIFT) + k;
  if (state >> MEMC_CLASS_SHIFT >= MEMC_CLASS_RUN) return state;
  if (state >> MEMC_CLASS_SHIFT != 0u) {
    uint old = memc_cas(heap, memc_page_word(page), state, mine);
    return old == state ? MEMC_MINE : old;
  }
  if (memc_state(heap, u) != MEMC_ISFREE) return state;
  if (memc_lock(heap, u) == 0u) return state;
  memc_fence();
  uint next = memc_load(heap, memc_next_word(u)) & MEMC_LINK;
  if (next - u < MEMC_PAGE) {
    memc_offer(heap, u);
    return state;
  }
  if (next - u > MEMC_PAGE) {
    memc_link_free(heap, u + MEMC_PAGE, next);
    memc_fence();
    memc_offer(heap, u + MEMC_PAGE);
  }
  memc_add(heap, memc_page_word(page), mine);
  memc_add(heap, MEMC_W_MOVES, 1u);
  memc_fence();
  memc_or(heap, memc_map_word(u), memc_bit_used(u));
  memc_add(heap, MEMC_W_CLAIMED, 1u);
  return MEMC_MINE;
}

/* Reserves k slots of the page, where it is of the class or (with claim) can
 * become one. Where somebody else is about to take it from the list, most likely
 * for the same class, it is looked at again some times. */
static inline uint memc_page_reserve(memc_heap heap, uint page, uint class, uint slots, uint k, uint claim) {
  ulong word = memc_page_word(page);
  uint state = memc_load(heap, word);
  if (state >> MEMC_CLASS_SHIFT != class + 1u) {
    if (claim == 0u || (state & MEMC_COUNT) != 0u) return MEMC_PAGE_OTHERS;
    state = memc_page_claim(heap, page, state, class, k);
    if (state == MEMC_MINE) return MEMC_PAGE_OK;
    for (uint i = 0u; i < MEMC_LOOKS && state >> MEMC_CLASS_SHIFT == 0u; i++) state = memc_load(heap, word);
    if (state >> MEMC_CLASS_SHIFT == MEMC_CLASS_MOVING) return MEMC_PAGE_CONTENDED;
    if (state >> MEMC_CLASS_SHIFT != class + 1u) return MEMC_PAGE_OTHERS;
  }
  if ((state & MEMC_COUNT) + k > slots) return MEMC_PAGE_FULL;
  state = memc_add(heap, word, k);
  if (state >> MEMC_CLASS_SHIFT != class + 1u || (state & MEMC_COUNT) + k > slots) {
    memc_sub(heap, word, k);
    return MEMC_PAGE_CONTENDED;
  }
  return MEMC_PAGE_OK;
}

/* The slots of a class's page that lie in word w of its bit map. */
static inline uint memc_slot_mask(uint slots, uint w) {
  uint left = slots - w * 32u;
  return left >= 32u ? 0xffffffffu : (1u << left) - 1u;
}

/* Takes one slot of a page in which the caller has reserved one, so that some bit
 * is 0 at any time; slot is tried first. The result is the slot's first unit, or
 * why there was none. */
static inline uint memc_page_take(memc_heap heap, uint page, uint units, uint slots, uint slot) {
  ulong base = memc_slot_word(page);
  uint words = (slots + 31u) / 32u;
  uint w = slot >> 5;
  uint bit = 1u << (slot & 31u);
  uint taken = memc_or(heap, base + w, bit);
  for (uint i = 0u; (taken & bit) != 0u; i++) {
    if (i >= words * 4u) {
      memc_sub(heap, memc_page_word(page), 1u);
      return MEMC_CONTENDED;
    }
    uint open = ~taken & memc_slot_mask(slots, w);
    if (open == 0u) {
      w = w + 1u < words ? w + 1u : 0u;
      taken = memc_load(heap, base + w);
      open = ~taken & memc_slot_mask(slots, w);
    }
    if (open != 0u) {
      /* From the ticket's own bit on, so that neighbours take different ones. */
      uint upper = open & (0xffffffffu << (slot & 31u));
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

/* Takes k <= 32 slots in a row from that one on, or none: the first one's unit, or
 * why there was none. Whoever uses a slot has yet to fence. */
static inline uint memc_page_many(memc_heap heap, uint page, uint class, uint units, uint slots, uint slot, uint k) {
  uint r = memc_page_reserve(heap, page, class, slots, k, 1u);
  if (r != MEMC_PAGE_OK) return MEMC_CONTENDED;
  ulong base = memc_slot_word(page) + (slot >> 5);
  uint mask = k >= 32u ? 0xffffffffu : (1u << k) - 1u;
  uint low = mask << (slot & 31u);
  uint high = (slot & 31u) == 0u ? 0u : mask >> (32u - (slot & 31u));
  uint taken = memc_or(heap, base, low) & low;
  uint more = 0u;
  if (high != 0u) more = memc_or(heap, base + 1u, high) & high;
  if (taken == 0u && more == 0u) return page * MEMC_PAGE + slot * units;
  memc_and(heap, base, ~(low & ~taken));
  if (high != 0u) memc_and(heap, base + 1u, ~(high & ~more));
  memc_sub(heap, memc_page_word(page), k);
  return MEMC_CONTENDED;
}

/* The page that is number first of a class's stripe.
 *
 * The heap is cut into ranges, each three times as long as all before it. Number
 * first is in a range that is four times as long as the class seems to have pages
 * up to it, and twice as long as what is taken of the heap; so small blocks are at
 * the heap's beginning, and large ones find room behind. Ranges do not overlap, and
 * therefore early and late pages of a class are never the same; only a heap that
 * fills up is one range. In a range stripes, and in them classes, begin at equal
 * distances; classes of similar size are not neighbours, since those that need many
 * pages are. Where others have the page, salt tells the next. */
static inline uint memc_slab_page(memc_heap heap, uint pages, uint class, uint stripe, uint first, uint salt) {
  uint claimed = memc_load(heap, MEMC_W_CLAIMED);
  uint stripes = memc_stripes(pages);
  uint low = 0u;
  uint high = pages / 64u + 1u;
  for (uint i = 0u; i < 3u && (high / 2u < claimed || high / (4u * stripes) <= first); i++) {
    low = high;
    high = high * 4u;
  }
  if (high > pages) high = pages;
  if (low >= high || (high == pages && claimed >= pages / 4u)) low = 0u;
  uint range = high - low;
  uint part = range / stripes;
  uint p = stripe * part + class * 37u % MEMC_CLASSES * part / MEMC_CLASSES + first % range;
  return low + (p + salt % range * (range / 2u + range / 8u + 1u)) % range;
}

/* A slot of the class, found
 *   1. in the page that the ticket tells: the ticket by the slots of a page is
 *      its number among the class's pages. Where another class has it, in the
 *      next place for pages of that number, so that all who look for it meet again;
 *   2. where it is full, since blocks were freed in other pages, in two of those
 *      that the class should have, and then in ranges that grow. */
static inline uint memc_slab_small(memc_heap heap, uint need) {
  uint pages = memc_const(heap, MEMC_W_PAGES);
  if (pages == 0u) return MEMC_FULL;
  uint page0 = memc_const(heap, MEMC_W_PAGE0);
  uint class = memc_class_of(need);
  uint units = memc_class_units(class);
  uint slots = MEMC_PAGE / units;
  uint item = memc_item();
  uint stripes = memc_stripes(pages);
  uint stripe = (item >> 5) % stripes;
  uint peers = memc_peers(class * MEMC_STRIPES + stripe);
  uint k = memc_crowd(peers);
  uint rank = memc_rank(peers);
  uint ticket = 0u;
  if (rank == 0u) ticket = memc_add(heap, memc_ticket_word(heap, class, stripe, stripes), k);
  ticket = memc_share(peers, ticket) + rank;
  uint first = ticket / slots;
  uint slot = ticket % slots;
  uint together = k > 1u && slot >= rank && slot - rank + k <= slots;
  uint contended = 0u;
  uint number = first;
  uint salt = 0u;
  uint full = 0u;
  for (uint i = 0u; i < MEMC_PROBES; i++) {
    uint page = page0 + memc_slab_page(heap, pages, class, stripe, number, salt);
    uint r = MEMC_FULL;
    if (together != 0u) {
      /* All of them in one row, or each for itself. */
      together = 0u;
      if (rank == 0u) r = memc_page_many(heap, page, class, units, slots, slot, k);
      r = memc_share(peers, r);
      if (r > MEMC_CONTENDED) {
        memc_fence();
        return r + rank * units;
      }
    }
    r = memc_page_reserve(heap, page, class, slots, 1u, 1u);
    if (r == MEMC_PAGE_OK) {
      r = memc_page_take(heap, page, units, slots, slot);
      if (r > MEMC_CONTENDED) return r;
    }
    if (r == MEMC_PAGE_OTHERS) {
      salt++;
    } else {
      contended = contended | r;
      full++;
      salt = 0u;
      uint draw = ((item + i * 977u) * MEMC_SCATTER) >> 4;
      number = full <= 2u && first > 0u ? draw % (first + 1u) : first + draw % (first / 4u + (1u << (full & 15u)));
    }
  }
  return contended;
}

/* A slot of the class in any page; once seven eighths of them are taken, in those
 * of the class first. The ticket, with which none was found, is given back. */
static inline uint memc_slab_any(memc_heap heap, uint need) {
  uint pages = memc_const(heap, MEMC_W_PAGES);
  if (pages == 0u) return MEMC_FULL;
  uint page0 = memc_const(heap, MEMC_W_PAGE0);
  uint class = memc_class_of(need);
  uint units = memc_class_units(class);
  uint slots = MEMC_PAGE / units;
  uint item = memc_item();
  uint stripes = memc_stripes(pages);
  uint p = memc_slab_page(heap, pages, class, (item >> 5) % stripes, 0u, item);
  uint thrift = memc_load(heap, MEMC_W_CLAIMED) >= pages - pages / 8u;
  uint contended = 1u;
  for (uint lap = 0u; lap < MEMC_MAX_LAPS && (lap < 2u || contended != 0u); lap++) {
    contended = 0u;
    for (uint i = 0u; i < pages; i++) {
      uint r = memc_page_reserve(heap, page0 + p, class, slots, 1u, lap > 0u || thrift == 0u);
      if (r == MEMC_PAGE_OK) {
        r = memc_page_take(heap, page0 + p, units, slots, item % slots);
        if (r > MEMC_CONTENDED) return r;
      }
      if (r == MEMC_PAGE_CONTENDED) contended = 1u;
      p = p + 1u < pages ? p + 1u : 0u;
    }
  }
  memc_sub(heap, memc_ticket_word(heap, class, (item >> 5) % stripes, stripes), 1u);
  return contended;
}

/* Frees the slot at unit u of a page of that class; 0: no slot is in use there.
 * Work-items of a warp that free slots of one page, or of one class, count them together.
 * The count may go down before the bit: whoever then reserves a slot, even for
 * another class, finds the bit set and looks at others. */
static inline uint memc_slab_free(memc_heap heap, uint u, uint class) {
  uint page = u / MEMC_PAGE;
  uint units = memc_class_units(class);
  uint slot = (u - page * MEMC_PAGE) / units;
  ulong word = memc_slot_word(page) + (slot >> 5);
  uint bit = 1u << (slot & 31u);
#if MEMC_DEBUG
  if (page * MEMC_PAGE + slot * units != u || slot >= MEMC_PAGE / units) return 0u;
#endif
  memc_fence();
  uint old = memc_and(heap, word, ~bit);
#if MEMC_DEBUG
  if ((old & bit) == 0u) return 0u;
#endif
  uint stripes = memc_stripes(memc_const(heap, MEMC_W_PAGES));
  uint stripe = (memc_item() >> 5) % stripes;
  uint peers = memc_peers(page);
  if (memc_rank(peers) == 0u) memc_sub(heap, memc_page_word(page), memc_crowd(peers));
  peers = memc_peers(class * MEMC_STRIPES + stripe);
  if (memc_rank(peers) == 0u) memc_sub(heap, memc_ticket_word(heap, class, stripe, stripes), memc_crowd(peers));
  return 1u;
}

#endif
