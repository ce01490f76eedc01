/* memc_pages.h: pages of equal slots, for MEMC_SLAB.
 *
 * A page is MEMC_PAGE units at a multiple of MEMC_PAGE. Its state is one word:
 *   class + 1 in the top 8 bits (0: the page is the list's), and in the others
 *   how many slots are reserved. Reserving is one addition, which returns the
 *   class as of that very moment: a page with a reservation does not change its class.
 * Which slots are taken is a bit map beside it, which is never a user's memory.
 */
#ifndef MEMC_PAGES_H
#define MEMC_PAGES_H

#ifndef MEMC_SLAB_MAX
#define MEMC_SLAB_MAX MEMC_PAGE /* units; larger requests are the list's */
#endif
#define MEMC_CLASS_SHIFT 24
#define MEMC_COUNT 0xffffffu
#define MEMC_CLASS_RUN 254u    /* the first of a large block's pages */
#define MEMC_CLASS_MOVING 255u /* on its way back to the list */

#ifndef MEMC_CLASSES
#define MEMC_CLASSES 63u
#endif
/* The most places where a class counts its blocks. */
#ifndef MEMC_STRIPES
#define MEMC_STRIPES 32u
#endif

static inline uint memc_is_page(uint u) { return (u & (MEMC_PAGE - 1u)) == 0u; }

static inline ulong memc_page_word(uint page) { return (ulong)MEMC_W_MAP + page * MEMC_RECORD; }
static inline ulong memc_slot_word(uint page) { return (ulong)MEMC_W_MAP + page * MEMC_RECORD + 1u; }
/* Of how many pages the block is that starts here (MEMC_CLASS_RUN). The count of
 * the state would not do: reservations that fail change it for a moment. */
static inline ulong memc_run_word(uint page) { return (ulong)MEMC_W_MAP + page * MEMC_RECORD + MEMC_RECORD - 1u; }
static inline uint memc_page_class(memc_heap heap, uint page) {
  return memc_load(heap, memc_page_word(page)) >> MEMC_CLASS_SHIFT;
}

/* Classes: every unit up to 16, eight sizes for each power of two up to 256, and
 * above that what goes 15, 14, .. 1 times into a page. */
static inline uint memc_class_of(uint need) {
  if (need <= 16u) return need - 1u;
  if (need > 256u) return 63u - MEMC_PAGE / need;
  uint lg = memc_log2(need - 1u);
  return 16u + (lg - 4u) * 8u + ((need - 1u) >> (lg - 3u)) - 8u;
}
static inline uint memc_class_units(uint class) {
  if (class < 16u) return class + 1u;
  if (class < 48u) return (9u + ((class - 16u) & 7u)) << (1u + (class - 16u) / 8u);
  return MEMC_PAGE / (63u - class);
}

/* Whether slots are right for a request: not where the class is so much larger
 * that the list would lose less, from a quarter of a page on. */
static inline uint memc_in_slots(uint need) {
  if (need <= MEMC_PAGE / 4u) return need <= MEMC_SLAB_MAX;
  if (need > MEMC_PAGE || need > MEMC_SLAB_MAX) return 0u;
  return MEMC_PAGE % need <= MEMC_PAGE / 8u;
}

/* Of how many whole pages a request is served; 0 where too much would be lost. A
 * block of whole pages needs no header, for the table has its length. */
static inline uint memc_in_pages(uint need) {
  uint n = (need + MEMC_PAGE - 1u) / MEMC_PAGE;
  return n * MEMC_PAGE - need <= need / 8u ? n : 0u;
}

/* In how many places a class counts its blocks: each has pages of its own, and
 * those that are not full must not be much of the heap. */
static inline uint memc_stripes(uint pages) {
  uint n = pages / (MEMC_CLASSES * 8u);
  if (n == 0u) return 1u;
  return n > MEMC_STRIPES ? MEMC_STRIPES : n;
}

/* The class's ticket in that stripe: how many blocks it has there, about. All
 * are 32 bytes apart, as atomics of one such piece wait for each other. */
static inline ulong memc_ticket_word(memc_heap heap, uint class, uint stripe, uint stripes) {
  return (ulong)memc_const(heap, MEMC_W_TICKETS) + (class * stripes + stripe) * 8u;
}

#endif
