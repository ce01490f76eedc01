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

#ifndef MEMC_PAGE
#define MEMC_PAGE 4096 /* units: 64 KiB */
#endif
#ifndef MEMC_SLAB_MAX
#define MEMC_SLAB_MAX 512 /* units: 8 KiB; larger requests are the list's */
#endif
#define MEMC_PAGE_WORDS ((MEMC_PAGE + 31) / 32)
#define MEMC_CLASS_SHIFT 24
#define MEMC_COUNT 0xffffffu
#define MEMC_CLASS_MOVING 255u /* on its way back to the list */

#ifndef MEMC_CLASSES
#define MEMC_CLASSES 56u
#endif
/* The most places of a class where its latest pages are kept. */
#ifndef MEMC_RECENT
#define MEMC_RECENT 32
#endif

/* How many of them a heap has: pages held for rare sizes are at most an eighth. */
static inline uint memc_recents(uint pages) {
  uint n = pages / (MEMC_CLASSES * 8u);
  if (n == 0u) return 1u;
  return n > MEMC_RECENT ? MEMC_RECENT : n;
}

static inline uint memc_is_page(uint u) { return (u & (MEMC_PAGE - 1u)) == 0u; }

static inline ulong memc_page_word(memc_heap heap, uint page) {
  return (ulong)memc_load(heap, MEMC_W_STATES) + (page - memc_load(heap, MEMC_W_PAGE0));
}
/* Where the class keeps a page that it has used lately, for the item. */
static inline ulong memc_recent_word(memc_heap heap, uint class, uint item) {
  uint n = memc_recents(memc_load(heap, MEMC_W_PAGES));
  return (ulong)memc_load(heap, MEMC_W_RECENT) + class * n + (item >> 5) % n;
}
static inline ulong memc_slot_word(memc_heap heap, uint page) {
  return (ulong)memc_load(heap, MEMC_W_BITS) + (ulong)(page - memc_load(heap, MEMC_W_PAGE0)) * MEMC_PAGE_WORDS;
}
/* 0 also for what lies before the first page and behind the last. */
static inline uint memc_page_class(memc_heap heap, uint page) {
  if (page < memc_load(heap, MEMC_W_PAGE0)) return 0u;
  return memc_load(heap, memc_page_word(heap, page)) >> MEMC_CLASS_SHIFT;
}

/* Classes: every unit up to 16, then eight sizes for each power of two. */
static inline uint memc_class_of(uint need) {
  if (need <= 16u) return need - 1u;
  uint lg = memc_log2(need - 1u);
  return 16u + (lg - 4u) * 8u + ((need - 1u) >> (lg - 3u)) - 8u;
}
static inline uint memc_class_units(uint class) {
  if (class < 16u) return class + 1u;
  return (9u + ((class - 16u) & 7u)) << (1u + (class - 16u) / 8u);
}

#endif
