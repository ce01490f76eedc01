/* Kernels of the tests. Each block is stamped over its whole length with its
 * owner's number, and must carry that stamp still when it is freed. */

#define KEEP 4

uint next_random(uint *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

void stamp(memc_heap heap, ulong off, uint words, uint v) {
  for (uint i = 0; i < words; i++) heap[off / 4 + i] = v + i;
}
uint intact(memc_heap heap, ulong off, uint words, uint v) {
  for (uint i = 0; i < words; i++)
    if (heap[off / 4 + i] != v + i) return 0;
  return 1;
}

/* Random requests and frees; res: 0 blocks, 1 nulls, 2 damaged, 3 misplaced. */
__kernel void stress(__global uchar *mem, long at, ulong bytes, __global uchar *out, long outAt, uint rounds, uint maxWords, uint seed) {
  memc_heap heap = (memc_heap)(mem + at);
  volatile __global uint *res = (volatile __global uint *)(out + outAt);
  uint id = (uint)get_global_id(0);
  uint state = id * 2654435761u + seed;
  ulong off[KEEP];
  uint words[KEEP], mark[KEEP];
  for (uint k = 0; k < KEEP; k++) off[k] = 0;
  for (uint r = 0; r < rounds; r++) {
    uint k = next_random(&state) % KEEP;
    if (off[k] != 0) {
      if (!intact(heap, off[k], words[k], mark[k])) atomic_inc(res + 2);
      memc_free(heap, off[k]);
      off[k] = 0;
    } else {
      /* Mostly small, sometimes large. */
      uint w = next_random(&state) % maxWords;
      if (next_random(&state) % 4) w = w % 32;
      words[k] = w;
      mark[k] = id * 65536u + r * 4096u;
      off[k] = memc_malloc(heap, (ulong)w * 4);
      if (off[k] == 0) {
        atomic_inc(res + 1);
      } else {
        atomic_inc(res + 0);
        if (off[k] % 16 != 0 || off[k] < (ulong)memc_load(heap, MEMC_W_FIRST) * 16 || off[k] + (ulong)w * 4 > bytes) {
          atomic_inc(res + 3);
          off[k] = 0;
        } else {
          stamp(heap, off[k], w, mark[k]);
        }
      }
    }
  }
  for (uint k = 0; k < KEEP; k++)
    if (off[k] != 0) {
      if (!intact(heap, off[k], words[k], mark[k])) atomic_inc(res + 2);
      memc_free(heap, off[k]);
    }
}

/* Every item takes blocks of one size until the heap is full; they are chained
 * through their first words, and the chain's head stays in out. */
__kernel void fill(__global uchar *mem, long at, __global uchar *out, long outAt, __global uchar *heads, long headsAt, uint bytes, uint most) {
  memc_heap heap = (memc_heap)(mem + at);
  volatile __global uint *res = (volatile __global uint *)(out + outAt);
  __global ulong *head = (__global ulong *)(heads + headsAt);
  uint id = (uint)get_global_id(0);
  ulong last = 0;
  for (uint i = 0; i < most; i++) {
    ulong off = memc_malloc(heap, bytes);
    if (off == 0) {
      atomic_inc(res + 1);
      break;
    }
    atomic_inc(res + 0);
    heap[off / 4] = (uint)last;
    heap[off / 4 + 1] = (uint)(last >> 32);
    for (uint w = 2; w < bytes / 4; w++) heap[off / 4 + w] = id + w;
    last = off;
  }
  head[id] = last;
}

/* Frees the chains of fill. */
__kernel void drain(__global uchar *mem, long at, __global uchar *out, long outAt, __global uchar *heads, long headsAt, uint bytes) {
  memc_heap heap = (memc_heap)(mem + at);
  volatile __global uint *res = (volatile __global uint *)(out + outAt);
  __global ulong *head = (__global ulong *)(heads + headsAt);
  uint id = (uint)get_global_id(0);
  ulong off = head[id];
  while (off != 0) {
    ulong next = heap[off / 4] | (ulong)heap[off / 4 + 1] << 32;
    for (uint w = 2; w < bytes / 4; w++)
      if (heap[off / 4 + w] != id + w) {
        atomic_inc(res + 2);
        break;
      }
    memc_free(heap, off);
    off = next;
  }
  head[id] = 0;
}

/* One item: one request, its offset (or why not) into out. */
__kernel void once(__global uchar *mem, long at, __global uchar *out, long outAt, ulong bytes) {
  __global ulong *res = (__global ulong *)(out + outAt);
  res[0] = memc_try_malloc((memc_heap)(mem + at), bytes);
}

/* One item: one free. */
__kernel void giveback(__global uchar *mem, long at, ulong off) { memc_free((memc_heap)(mem + at), off); }

/* One item: blocks of that size until the heap is full, marked at both ends;
 * then all are checked and freed. res: 0 blocks, 2 damaged, 3 the largest offset's
 * upper half. */
__kernel void far(__global uchar *mem, long at, __global uchar *out, long outAt, ulong bytes) {
  memc_heap heap = (memc_heap)(mem + at);
  volatile __global uint *res = (volatile __global uint *)(out + outAt);
  ulong offs[64];
  uint n = 0;
  while (n < 64 && (offs[n] = memc_malloc(heap, bytes)) != 0) {
    heap[offs[n] / 4] = n + 1;
    heap[(offs[n] + bytes) / 4 - 1] = n + 1;
    if ((uint)(offs[n] >> 32) > res[3]) res[3] = (uint)(offs[n] >> 32);
    n++;
  }
  res[0] = n;
  for (uint i = 0; i < n; i++) {
    if (heap[offs[i] / 4] != i + 1 || heap[(offs[i] + bytes) / 4 - 1] != i + 1) res[2]++;
    memc_free(heap, offs[i]);
  }
}
