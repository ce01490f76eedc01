/* Kernels of the benchmarks; memc_alloc.h stands before them. In all of them
 * every-th work-item makes requests: 32 is the paper's one lane of each warp, 1
 * is the survey's every thread. ptrs holds a work-item's blocks. */

static uint draw(uint *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

/* A request's bytes: size, or (most > size) something from size to most. */
static uint pick(uint id, uint size, uint most) {
  uint s = id * 2654435761u + 12345u;
  draw(&s);
  return most > size ? size + draw(&s) % (most - size + 1) : size;
}

__kernel void empty(__global uchar *mem, long at) {
  if (get_global_id(0) == 0xffffffffu) mem[at] = 0;
}

/* AD: one block, freed at once. */
__kernel void ad(__global uchar *mem, long at, uint every, uint size) {
  if (get_global_id(0) % every != 0) return;
  memc_heap heap = (memc_heap)(mem + at);
  ulong off = memc_malloc(heap, size);
  memc_free(heap, off);
}

/* ACD: rounds blocks, then all are freed. */
__kernel void acd(__global uchar *mem, long at, __global uchar *p, long pat, uint every, uint size, uint rounds) {
  if (get_global_id(0) % every != 0) return;
  memc_heap heap = (memc_heap)(mem + at);
  __global ulong *ptrs = (__global ulong *)(p + pat);
  uint n = (uint)get_global_size(0) / every;
  uint i = (uint)get_global_id(0) / every;
  for (uint r = 0; r < rounds; r++) ptrs[r * n + i] = memc_malloc(heap, size);
  for (uint r = 0; r < rounds; r++) memc_free(heap, ptrs[r * n + i]);
}

/* P: who has no block allocates one with probability 3/4, who has one frees it
 * with the same. The blocks live from launch to launch. */
__kernel void probability(__global uchar *mem, long at, __global uchar *p, long pat, uint every, uint size, uint seed) {
  if (get_global_id(0) % every != 0) return;
  memc_heap heap = (memc_heap)(mem + at);
  __global ulong *ptrs = (__global ulong *)(p + pat);
  uint i = (uint)get_global_id(0) / every;
  uint s = i * 2654435761u + seed;
  draw(&s);
  if (draw(&s) % 4 == 0) return;
  if (ptrs[i] == 0) {
    ptrs[i] = memc_malloc(heap, size);
  } else {
    memc_free(heap, ptrs[i]);
    ptrs[i] = 0;
  }
}

/* The survey's: all allocate, and later all free. n work-items have a part. */
__kernel void take(__global uchar *mem, long at, __global uchar *p, long pat, uint n, uint size, uint most) {
  uint i = (uint)get_global_id(0);
  if (i >= n) return;
  ((__global ulong *)(p + pat))[i] = memc_malloc((memc_heap)(mem + at), pick(i, size, most));
}
__kernel void give(__global uchar *mem, long at, __global uchar *p, long pat, uint n) {
  uint i = (uint)get_global_id(0);
  if (i >= n) return;
  memc_free((memc_heap)(mem + at), ((__global ulong *)(p + pat))[i]);
}

/* Stamps the blocks of take, and checks them; res: 0 blocks, 1 nulls, 2 damaged. */
__kernel void stamp(__global uchar *mem, long at, __global uchar *p, long pat, uint n, uint size, uint most) {
  uint i = (uint)get_global_id(0);
  if (i >= n) return;
  __global uint *b = (__global uint *)(mem + at + ((__global ulong *)(p + pat))[i]);
  if (((__global ulong *)(p + pat))[i] == 0) return;
  for (uint w = 0; w < pick(i, size, most) / 4; w++) b[w] = i * 31 + w;
}
__kernel void verify(__global uchar *mem, long at, __global uchar *p, long pat, uint n, uint size, uint most, __global uchar *out, long oat) {
  uint i = (uint)get_global_id(0);
  volatile __global uint *res = (volatile __global uint *)(out + oat);
  if (i >= n) return;
  ulong off = ((__global ulong *)(p + pat))[i];
  atomic_inc(res + (off == 0));
  if (off == 0) return;
  __global uint *b = (__global uint *)(mem + at + off);
  uint bad = off % 16 != 0;
  for (uint w = 0; w < pick(i, size, most) / 4; w++) bad |= b[w] != i * 31 + w;
  if (bad) atomic_inc(res + 2);
}

/* Formula (2), in parts of 2^20, and the range of addresses. res: 3 the sum of
 * internal fragmentation in 1/4096, 4 first and 5 last unit. */
__kernel void fragment(__global uchar *mem, long at, __global uchar *p, long pat, uint n, uint size, uint most, __global uchar *out, long oat) {
  uint i = (uint)get_global_id(0);
  volatile __global uint *res = (volatile __global uint *)(out + oat);
  if (i >= n) return;
  ulong off = ((__global ulong *)(p + pat))[i];
  if (off == 0) return;
  uint bytes = pick(i, size, most);
  ulong region = memc_region((memc_heap)(mem + at), off, bytes);
  atomic_add(res + 3, (uint)((region - bytes) * 4096 / region));
  atomic_min(res + 4, (uint)(off / 16));
  atomic_max(res + 5, (uint)((off + region) / 16));
}

/* Out of memory: every work-item allocates until it gets nothing. */
__kernel void exhaust(__global uchar *mem, long at, uint size, __global uchar *out, long oat) {
  volatile __global uint *res = (volatile __global uint *)(out + oat);
  uint got = 0;
  while (memc_malloc((memc_heap)(mem + at), size) != 0) got++;
  atomic_add(res, got);
}

/* Graphs: each vertex's edges in a block of its own; an update makes a list
 * longer, through a new block and a copy. */
__kernel void graph_init(__global uchar *mem, long at, __global uchar *p, long pat, __global uchar *g, long gat, uint n, uint edges) {
  uint v = (uint)get_global_id(0);
  if (v >= n) return;
  __global uint *start = (__global uint *)(g + gat);
  __global uint *to = start + n + 1;
  uint d = start[v + 1] - start[v];
  ulong off = memc_malloc((memc_heap)(mem + at), (ulong)d * 4);
  ((__global ulong *)(p + pat))[v] = off;
  ((__global uint *)(p + pat + (long)n * 8))[v] = off ? d : 0;
  if (off == 0) return;
  __global uint *list = (__global uint *)(mem + at + off);
  for (uint e = 0; e < d; e++) list[e] = to[start[v] + e];
}
__kernel void graph_update(__global uchar *mem, long at, __global uchar *p, long pat, uint n, uint add) {
  uint v = (uint)get_global_id(0);
  if (v >= n) return;
  __global ulong *ptrs = (__global ulong *)(p + pat);
  __global uint *degree = (__global uint *)(p + pat + (long)n * 8);
  uint d = degree[v];
  ulong off = memc_malloc((memc_heap)(mem + at), (ulong)(d + add) * 4);
  if (off == 0) return;
  __global uint *list = (__global uint *)(mem + at + off);
  __global uint *old = (__global uint *)(mem + at + ptrs[v]);
  for (uint e = 0; e < d; e++) list[e] = old[e];
  for (uint e = 0; e < add; e++) list[d + e] = v + e;
  memc_free((memc_heap)(mem + at), ptrs[v]);
  ptrs[v] = off;
  degree[v] = d + add;
}
/* The sum of all lists, to compare with the host's. */
__kernel void graph_sum(__global uchar *mem, long at, __global uchar *p, long pat, uint n, __global uchar *out, long oat) {
  uint v = (uint)get_global_id(0);
  if (v >= n) return;
  volatile __global uint *res = (volatile __global uint *)(out + oat);
  __global uint *list = (__global uint *)(mem + at + ((__global ulong *)(p + pat))[v]);
  uint d = ((__global uint *)(p + pat + (long)n * 8))[v];
  uint sum = 0;
  for (uint e = 0; e < d; e++) sum += list[e] * (e + 1);
  atomic_add(res, sum);
  atomic_add(res + 1, d);
}

/* Work generation: each work-item writes a number of words that only it knows,
 * to a block of its own; or, the usual way without an allocator, to a place
 * that a prefix sum over all counts gives it. */
__kernel void work_malloc(__global uchar *mem, long at, __global uchar *p, long pat, uint n, uint size, uint most) {
  uint i = (uint)get_global_id(0);
  if (i >= n) return;
  uint words = pick(i, size, most) / 4;
  ulong off = memc_malloc((memc_heap)(mem + at), (ulong)words * 4);
  ((__global ulong *)(p + pat))[i] = off;
  if (off == 0) return;
  __global uint *b = (__global uint *)(mem + at + off);
  for (uint w = 0; w < words; w++) b[w] = i + w;
}
__kernel void work_count(__global uchar *p, long pat, uint n, uint size, uint most) {
  uint i = (uint)get_global_id(0);
  if (i < n) ((__global uint *)(p + pat))[i] = pick(i, size, most) / 4;
}
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void work_scan(__global uchar *p, long pat, uint n, uint sums) {
  __local uint part[256];
  __global uint *a = (__global uint *)(p + pat);
  uint l = (uint)get_local_id(0);
  /* Pass 0 scans blocks of 1024; pass 1, one group, scans the blocks' sums. */
  uint base = (uint)get_group_id(0) * 1024 + l * 4;
  __global uint *in = sums ? a + n : a;
  uint count = sums ? (n + 1023) / 1024 : n;
  uint carry = 0;
  for (uint block = 0; block == 0 || (sums && block < count); block += 1024) {
    uint b = base + block;
    uint v[4], sum = 0;
    for (uint k = 0; k < 4; k++) {
      uint x = b + k < count ? in[b + k] : 0;
      v[k] = sum;
      sum += x;
    }
    part[l] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < 256; d *= 2) {
      uint x = l >= d ? part[l - d] : 0;
      barrier(CLK_LOCAL_MEM_FENCE);
      part[l] += x;
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint before = carry + part[l] - sum;
    for (uint k = 0; k < 4; k++)
      if (b + k < count) in[b + k] = before + v[k];
    uint total = part[255];
    if (!sums && l == 0) a[n + get_group_id(0)] = total;
    carry += total;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
__kernel void work_write(__global uchar *mem, long at, __global uchar *p, long pat, uint n, uint size, uint most) {
  uint i = (uint)get_global_id(0);
  if (i >= n) return;
  __global uint *a = (__global uint *)(p + pat);
  ulong first = (ulong)a[i] + a[n + i / 1024];
  uint words = pick(i, size, most) / 4;
  __global uint *b = (__global uint *)(mem + at) + first;
  for (uint w = 0; w < words; w++) b[w] = i + w;
}

/* Register use: a kernel of one request and one free, nothing else. */
__kernel void registers(__global uchar *mem, long at, ulong bytes) {
  memc_heap heap = (memc_heap)(mem + at);
  memc_free(heap, memc_malloc(heap, bytes));
}
