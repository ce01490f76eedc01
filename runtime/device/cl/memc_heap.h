/* memc_heap.h: the device-executed heap: allocations and frees are commands in
 * the queue, so that the host never waits to know a size or an address.
 *
 * One work-item carries out a command, and the queue's order is the lock: no
 * atomics are needed. Everything is counted in words of 4 bytes.
 *
 *   header (16) | free heap (MEMC_QH_HEADER + entries) | blocks
 *
 * A block of n words is [n | p | n - 3 words | n]: its size at both ends, the
 * boundary tags, through which either neighbour is found in constant time, and p,
 * its place in the free heap, 0 where it is allocated. The free heap is a binary
 * heap of free blocks, the largest on top: what is on top tells at once whether a
 * request can be served, and going down finds small blocks that are large enough.
 * A free joins with both neighbours at once; therefore no two free blocks are ever
 * neighbours, and with k blocks allocated there are at most k + 1 free ones: the
 * free heap of slots + 1 entries is never full.
 *
 * Addresses are returned in an address buffer, whose slots the host hands out
 * before the command runs. A slot is 4 words: the raw address (what free needs),
 * the aligned address in strides, the aligned address in words, and the status.
 * All addresses count from the heap's beginning.
 */
#ifndef MEMC_HEAP_H
#define MEMC_HEAP_H

#define memc_qheap __global uint *

#define MEMC_Q_MAGIC 0
#define MEMC_Q_WORDS 1    /* of the heap, in all */
#define MEMC_Q_ENTRIES 2  /* room in the free heap */
#define MEMC_Q_FREE 3     /* free blocks */
#define MEMC_Q_FIRST 4    /* first word of the first block */
#define MEMC_Q_END 5      /* behind the last block */
#define MEMC_Q_FAILED 6   /* allocations without memory */
#define MEMC_Q_ERRORS 7   /* frees of what is not allocated */
#define MEMC_Q_LIVE 8     /* allocated blocks */
#define MEMC_QH_HEADER 16

#define MEMC_Q_TAGS 3u    /* words of a block that are not the user's */
#define MEMC_Q_LEAST 8u   /* a smaller rest stays with its block */
/* How many free blocks that are large enough a request looks at. */
#ifndef MEMC_Q_LOOK
#define MEMC_Q_LOOK 1024u
#endif

/* Status of a slot. */
#define MEMC_Q_NONE 0u
#define MEMC_Q_OK 1u
#define MEMC_Q_FULL 2u
#define MEMC_Q_WRONG 3u   /* a stride of 0, or a size beyond 32 bits */

/* Places in the free heap are 1..; entry i is the first word of a free block. */
static inline uint memc_q_entry(uint i) { return MEMC_QH_HEADER + i - 1u; }

static inline void memc_q_put(memc_qheap h, uint i, uint block) {
  h[memc_q_entry(i)] = block;
  h[block + 1u] = i;
}

/* Moves the block at place i up or down to where it belongs. */
static inline void memc_q_settle(memc_qheap h, uint i) {
  uint block = h[memc_q_entry(i)];
  uint size = h[block];
  uint n = h[MEMC_Q_FREE];
  while (i > 1u && h[h[memc_q_entry(i / 2u)]] < size) {
    memc_q_put(h, i, h[memc_q_entry(i / 2u)]);
    i = i / 2u;
  }
  while (2u * i <= n) {
    uint c = 2u * i;
    if (c < n && h[h[memc_q_entry(c + 1u)]] > h[h[memc_q_entry(c)]]) c++;
    if (h[h[memc_q_entry(c)]] <= size) break;
    memc_q_put(h, i, h[memc_q_entry(c)]);
    i = c;
  }
  memc_q_put(h, i, block);
}

static inline void memc_q_insert(memc_qheap h, uint block) {
  uint n = h[MEMC_Q_FREE] + 1u;
  h[MEMC_Q_FREE] = n;
  memc_q_put(h, n, block);
  memc_q_settle(h, n);
}

/* Takes the block at place i out: the last one fills the gap. */
static inline void memc_q_remove(memc_qheap h, uint i) {
  uint n = h[MEMC_Q_FREE];
  uint last = h[memc_q_entry(n)];
  h[h[memc_q_entry(i)] + 1u] = 0u;
  h[MEMC_Q_FREE] = n - 1u;
  if (i < n) {
    memc_q_put(h, i, last);
    memc_q_settle(h, i);
  }
}

static inline void memc_q_tag(memc_qheap h, uint block, uint size) {
  h[block] = size;
  h[block + 1u] = 0u;
  h[block + size - 1u] = size;
}

/* An empty heap in that many words, for at most that many blocks at a time. */
static inline void memc_q_init(memc_qheap h, ulong words, uint slots) {
  if (words > 0xfffffff0ul) words = 0xfffffff0ul;
  uint first = (MEMC_QH_HEADER + slots + 1u + 3u) & ~3u;
  for (uint i = 0u; i < MEMC_QH_HEADER && i < words; i++) h[i] = 0u;
  h[MEMC_Q_MAGIC] = 0x68656170u;
  h[MEMC_Q_WORDS] = (uint)words;
  h[MEMC_Q_ENTRIES] = slots + 1u;
  h[MEMC_Q_FIRST] = first;
  h[MEMC_Q_END] = first;
  if ((ulong)first + MEMC_Q_LEAST > words) return; /* no room: always full */
  h[MEMC_Q_END] = (uint)words;
  memc_q_tag(h, first, (uint)words - first);
  memc_q_insert(h, first);
}

/* The size of the block at place i. */
static inline uint memc_q_size(memc_qheap h, uint i) { return h[h[memc_q_entry(i)]]; }

/* The place of the smallest block of at least need words; the largest has as many.
 * Going down to the smaller child while one is large enough finds a block none of
 * whose children would do; a binary heap says no more about what is smallest. So
 * from there on the blocks that are large enough are gone through: they are
 * connected, with the largest on top, and none below one that is too small. It
 * ends early where one fits exactly, and after MEMC_Q_LOOK. */
static inline uint memc_q_find(memc_qheap h, uint need) {
  uint n = h[MEMC_Q_FREE];
  uint best = 1u;
  while (2u * best <= n) {
    uint l = 2u * best;
    uint ls = memc_q_size(h, l);
    uint rs = l < n ? memc_q_size(h, l + 1u) : 0u;
    if (ls < need && rs < need) break;
    best = rs >= need && (ls < need || rs < ls) ? l + 1u : l;
  }
  uint size = memc_q_size(h, best);
  uint i = 1u;
  uint left = MEMC_Q_LOOK;
  while (i != 0u && left != 0u && size != need) {
    uint s = memc_q_size(h, i);
    if (s < size) {
      best = i;
      size = s;
    }
    left--;
    if (2u * i <= n && memc_q_size(h, 2u * i) >= need) {
      i = 2u * i;
    } else if (2u * i < n && memc_q_size(h, 2u * i + 1u) >= need) {
      i = 2u * i + 1u;
    } else { /* up, until there is a way down on the right */
      while (i != 0u && ((i & 1u) != 0u || i >= n || memc_q_size(h, i + 1u) < need)) i = i / 2u;
      if (i != 0u) i++;
    }
  }
  return best;
}

/* A block for count elements of stride words, aligned to the stride: need is
 * enough wherever a block lies, as (count + 1) * stride would be. It is the
 * smallest that will do (memc_q_find). */
static inline uint memc_q_allocate(memc_qheap h, uint count, uint stride, __global uint *slot) {
  slot[0] = 0u;
  slot[1] = 0u;
  slot[2] = 0u;
  ulong want = (ulong)count * stride + (stride - 1u) + MEMC_Q_TAGS;
  if (stride == 0u || want > 0xfffffffful) {
    slot[3] = MEMC_Q_WRONG;
    h[MEMC_Q_FAILED]++;
    return 0u;
  }
  uint need = want < MEMC_Q_LEAST ? MEMC_Q_LEAST : (uint)want;
  uint n = h[MEMC_Q_FREE];
  if (n == 0u || h[h[memc_q_entry(1u)]] < need || h[MEMC_Q_LIVE] + 1u >= h[MEMC_Q_ENTRIES]) {
    slot[3] = MEMC_Q_FULL;
    h[MEMC_Q_FAILED]++;
    return 0u;
  }
  uint i = memc_q_find(h, need);
  uint block = h[memc_q_entry(i)];
  uint size = h[block];
  memc_q_remove(h, i);
  if (size - need >= MEMC_Q_LEAST) {
    memc_q_tag(h, block, need);
    memc_q_tag(h, block + need, size - need);
    memc_q_insert(h, block + need);
  }
  uint raw = block + 2u;
  uint aligned = raw + (stride - raw % stride) % stride;
  h[MEMC_Q_LIVE]++;
  slot[0] = raw;
  slot[1] = aligned / stride;
  slot[2] = aligned;
  slot[3] = MEMC_Q_OK;
  return raw;
}

/* Frees what the slot names, and empties the slot. */
static inline void memc_q_free(memc_qheap h, __global uint *slot) {
  uint raw = slot[0];
  uint was = slot[3];
  slot[0] = 0u;
  slot[1] = 0u;
  slot[2] = 0u;
  slot[3] = MEMC_Q_NONE;
  if (was != MEMC_Q_OK) return; /* there was no memory: nothing to free */
  uint first = h[MEMC_Q_FIRST];
  uint end = h[MEMC_Q_END];
  if (raw < first + 2u || raw >= end || h[raw - 1u] != 0u) {
    h[MEMC_Q_ERRORS]++;
    return;
  }
  uint block = raw - 2u;
  uint size = h[block];
  if (size < MEMC_Q_LEAST || size > end - block || h[block + size - 1u] != size) {
    h[MEMC_Q_ERRORS]++;
    return;
  }
  h[MEMC_Q_LIVE]--;
  uint next = block + size;
  if (next < end && h[next + 1u] != 0u) {
    size += h[next];
    memc_q_remove(h, h[next + 1u]);
  }
  if (block > first) {
    uint prev = block - h[block - 1u];
    if (h[prev + 1u] != 0u) {
      memc_q_remove(h, h[prev + 1u]);
      size += h[prev];
      block = prev;
    }
  }
  memc_q_tag(h, block, size);
  memc_q_insert(h, block);
}

#endif
