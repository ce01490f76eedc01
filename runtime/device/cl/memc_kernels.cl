/* memc_kernels.cl: the kernels that every user of memc_alloc.h needs. mem and
 * at are a block and the heap's offset in it, in bytes. */

__kernel void memc_heap_clear(__global uchar *mem, long at, ulong bytes, uint hints) {
  memc_init_clear((memc_heap)(mem + at), bytes, hints, (uint)get_global_id(0), (uint)get_global_size(0));
}

__kernel void memc_heap_split(__global uchar *mem, long at, ulong bytes, uint hints) {
  memc_init_split((memc_heap)(mem + at), bytes, hints, (uint)get_global_id(0), (uint)get_global_size(0));
}

/* Counts what is in the heap while nobody is at work in it, and checks that it
 * is one heap: every chunk ends where another starts, and together they fill it.
 * out (16 words, 0 before): 0 free chunks, 1 used ones, 2 free units, 3 used
 * units, 4 units of the largest free chunk, 5 broken chunks, 6 pages of slots,
 * 7 slots in use, 8 pages whose count and bits differ, 9 units in slots in use. */
__kernel void memc_heap_survey(__global uchar *mem, long at, __global uchar *res, long resAt) {
  memc_heap heap = (memc_heap)(mem + at);
  volatile __global uint *out = (volatile __global uint *)(res + resAt);
  uint end = memc_load(heap, MEMC_W_END);
  uint first = memc_load(heap, MEMC_W_FIRST);
  uint n = (uint)get_global_size(0);
#if MEMC_ALLOCATOR == MEMC_ATOMIC || MEMC_ALLOCATOR == MEMC_AW
  if (get_global_id(0) == 0) {
    uint top = memc_load(heap, MEMC_W_HINT0);
    out[0] = top < end;
    out[1] = top > first;
    out[2] = end - top;
    out[3] = top - first;
    out[4] = end - top;
    out[5] = top < first || top > end;
  }
#else
  for (uint w = first / MEMC_SPAN + (uint)get_global_id(0); w <= end / MEMC_SPAN; w += n) {
    uint bits = memc_load(heap, memc_map_word(w * MEMC_SPAN));
    while (bits != 0u) {
      uint k = memc_log2(bits) / 2u;
      uint state = (bits >> (k * 2u)) & 3u;
      uint u = w * MEMC_SPAN + (k << MEMC_GRAIN);
      bits = bits & ~(3u << (k * 2u));
      if (u == end) continue;
      uint next = memc_next(heap, u);
      uint broken = u < first || u > end || next <= u || next > end || state == 3u || memc_state(heap, next) == MEMC_NONE;
#if MEMC_FUSED
      broken = broken || ((memc_load(heap, memc_next_word(u)) & MEMC_FLAG) != 0u) != (state == MEMC_ISUSED);
#endif
#if MEMC_DOUBLY
      broken = broken || memc_load(heap, memc_prev_word(next)) != u;
#endif
      if (broken) {
        atomic_inc(out + 5);
        continue;
      }
      if (state == MEMC_ISFREE) {
        atomic_inc(out + 0);
        atomic_add(out + 2, next - u);
        atomic_max(out + 4, next - u);
      } else {
        atomic_inc(out + 1);
        atomic_add(out + 3, next - u);
      }
    }
  }
#endif
#if MEMC_ALLOCATOR == MEMC_SLAB
  uint page0 = memc_load(heap, MEMC_W_PAGE0);
  uint pages = memc_load(heap, MEMC_W_PAGES);
  for (uint p = page0 + (uint)get_global_id(0); p < page0 + pages; p += n) {
    uint state = memc_load(heap, memc_page_word(p));
    uint class = state >> MEMC_CLASS_SHIFT;
    uint count = 0u;
    for (uint w = 0u; w < MEMC_PAGE_WORDS; w++) count += popcount(memc_load(heap, memc_slot_word(p) + w));
    if (count != (state & MEMC_COUNT) || class == MEMC_CLASS_MOVING || ((class == 0u || class > MEMC_CLASSES) && count != 0u)) atomic_inc(out + 8);
    if (class != 0u && class <= MEMC_CLASSES) atomic_inc(out + 6);
    if (count != 0u && class <= MEMC_CLASSES) {
      atomic_add(out + 7, count);
      atomic_add(out + 9, count * memc_class_units(class - 1u));
    }
  }
#endif
}
