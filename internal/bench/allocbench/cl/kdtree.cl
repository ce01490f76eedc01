/* DS: a k-d tree of triangles, built by one kernel. A work-group builds a node at
 * a time; the lists of triangles of its two children are blocks that its first
 * work-item allocates, and its own list is freed.
 *
 * A group that finds no node to build polls for a while and then ends: it does
 * not wait. Whoever splits a node goes on with one child and offers the other, so
 * all is built even if every other group has ended. */

#define BINS 16

/* A node: 16 words. Floats are kept as such. */
typedef struct {
  ulong list;      /* leaf, or to be built: offset of the triangles */
  uint count;      /* how many */
  uint depth;
  uint axis;       /* inner node: 0..2; leaf: 3; not built yet: 4 */
  uint left;       /* inner node: its children are left and left + 1 */
  float split;
  uint ready;      /* in the queue: the node may be built */
  float lo[3], hi[3];
  uint pad[2];
} node_t;

/* Words of the control block, 32 bytes apart: those who look for work must not be
 * in the way of those who have some. */
#define C_NODES 0   /* nodes so far */
#define C_HEAD 8    /* next place of the queue to be taken */
#define C_TAIL 16
#define C_OPEN 24   /* nodes that are not finished */
#define C_NULLS 32  /* requests without memory */
#define C_ALLOCS 40
#define C_REFS 48   /* triangles in leaves */

float tri_lo(__global const float *box, uint t, uint a) { return box[t * 6 + a]; }
float tri_hi(__global const float *box, uint t, uint a) { return box[t * 6 + 3 + a]; }

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void kd_build(__global uchar *mem, long at, __global uchar *b, long bat, __global uchar *nn, long nat, __global uchar *q, long qat,
              __global uchar *cc, long cat, uint maxNodes, uint leafSize, uint maxDepth, uint polls) {
  memc_heap heap = (memc_heap)(mem + at);
  __global const float *box = (__global const float *)(b + bat);
  __global node_t *nodes = (__global node_t *)(nn + nat);
  volatile __global uint *queue = (volatile __global uint *)(q + qat);
  volatile __global uint *control = (volatile __global uint *)(cc + cat);
  __local uint cur, go, starts[BINS], ends[BINS], fill[2], child;
  __local ulong lists[2];
  __local float plane;
  __local uint axis;
  uint l = (uint)get_local_id(0);
  volatile uint idle;
  if (l == 0) cur = 0xffffffffu;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  while (1) {
    if (l == 0) {
      go = 1;
      if (cur == 0xffffffffu) {
        go = 0;
        for (uint i = 0; i < polls && go == 0; i++) {
          uint h = control[C_HEAD];
          uint v = h < maxNodes ? queue[h] : 0;
          if (v != 0) {
            if (atomic_cmpxchg(control + C_HEAD, h, h + 1) == h) {
              cur = v - 1;
              go = 1;
            }
          } else if (control[C_OPEN] == 0) {
            i = polls;
          }
          /* The longer there was nothing, the later it is looked at again. */
          for (idle = 0; idle < (16u << min(i, 6u)) && go == 0; idle++) {
          }
        }
        memc_fence();
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (go == 0) break;
    __global node_t *n = nodes + cur;
    uint count = n->count;
    volatile __global uint *list = heap + n->list / 4;
    if (l < BINS) {
      starts[l] = 0;
      ends[l] = 0;
    }
    if (l == 0) {
      uint a = 0;
      for (uint k = 1; k < 3; k++)
        if (n->hi[k] - n->lo[k] > n->hi[a] - n->lo[a]) a = k;
      axis = count <= leafSize || n->depth >= maxDepth || !(n->hi[a] - n->lo[a] > 0.0f) ? 3 : a;
      fill[0] = 0;
      fill[1] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint a = axis;
    if (a < 3) {
      float lo = n->lo[a], wide = n->hi[a] - n->lo[a];
      for (uint i = l; i < count; i += 64) {
        uint t = list[i];
        int s = (int)((tri_lo(box, t, a) - lo) / wide * BINS), e = (int)((tri_hi(box, t, a) - lo) / wide * BINS);
        atomic_inc(starts + clamp(s, 0, BINS - 1));
        atomic_inc(ends + clamp(e, 0, BINS - 1));
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0 && a < 3) {
      /* Surface area heuristic over the bins' borders; staying a leaf costs count. */
      float d[3] = {n->hi[0] - n->lo[0], n->hi[1] - n->lo[1], n->hi[2] - n->lo[2]};
      float u = d[(a + 1) % 3], v = d[(a + 2) % 3], w = d[a];
      float area = u * v + (u + v) * w, best = (float)count;
      uint nl = 0, nr = count, at0 = 0;
      for (uint k = 1; k < BINS; k++) {
        nl += starts[k - 1];
        nr -= ends[k - 1];
        float x = w * k / BINS;
        float cost = 1.0f + ((u * v + (u + v) * x) * nl + (u * v + (u + v) * (w - x)) * nr) / area;
        if (cost < best) {
          best = cost;
          at0 = k;
        }
      }
      if (at0 == 0) axis = 3;
      plane = n->lo[a] + w * at0 / BINS;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a = axis;
    if (a < 3) {
      /* Left: what begins before the plane; right: what ends behind or on it. */
      for (uint i = l; i < count; i += 64) {
        uint t = list[i];
        if (tri_lo(box, t, a) < plane) atomic_inc(fill + 0);
        if (tri_hi(box, t, a) >= plane) atomic_inc(fill + 1);
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0 && a < 3) {
      child = atomic_add(control + C_NODES, 2u);
      lists[0] = 0;
      lists[1] = 0;
      if (child + 2 <= maxNodes) {
        lists[0] = memc_malloc(heap, (ulong)fill[0] * 4);
        lists[1] = memc_malloc(heap, (ulong)fill[1] * 4);
        atomic_add(control + C_ALLOCS, 2u);
      }
      if (lists[0] == 0 || lists[1] == 0) {
        memc_free(heap, lists[0]);
        memc_free(heap, lists[1]);
        atomic_inc(control + C_NULLS);
        axis = 3;
      }
      fill[0] = 0;
      fill[1] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    a = axis;
    if (a < 3) {
      for (uint i = l; i < count; i += 64) {
        uint t = list[i];
        if (tri_lo(box, t, a) < plane) heap[lists[0] / 4 + atomic_inc(fill + 0)] = t;
        if (tri_hi(box, t, a) >= plane) heap[lists[1] / 4 + atomic_inc(fill + 1)] = t;
      }
      memc_fence();
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (l == 0) {
      if (a == 3) {
        n->axis = 3;
        atomic_add(control + C_REFS, count);
        atomic_dec(control + C_OPEN);
        cur = 0xffffffffu;
      } else {
        for (uint c = 0; c < 2; c++) {
          __global node_t *m = nodes + child + c;
          for (uint k = 0; k < 3; k++) {
            m->lo[k] = n->lo[k];
            m->hi[k] = n->hi[k];
          }
          if (c == 0) m->hi[a] = plane;
          else m->lo[a] = plane;
          m->list = lists[c];
          m->count = fill[c];
          m->depth = n->depth + 1;
          m->axis = 4;
        }
        n->axis = a;
        n->split = plane;
        n->left = child;
        memc_free(heap, n->list);
        n->list = 0;
        atomic_inc(control + C_OPEN);
        memc_fence();
        queue[atomic_inc(control + C_TAIL)] = child + 2;
        cur = child;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}

/* The root: a list of all triangles. One work-item allocates, all fill. */
__kernel void kd_root(__global uchar *mem, long at, __global uchar *nn, long nat, __global uchar *q, long qat, __global uchar *cc, long cat,
                      uint triangles) {
  __global node_t *n = (__global node_t *)(nn + nat);
  volatile __global uint *control = (volatile __global uint *)(cc + cat);
  n->list = memc_malloc((memc_heap)(mem + at), (ulong)triangles * 4);
  n->count = triangles;
  n->depth = 0;
  n->axis = 4;
  control[C_NODES] = 1;
  control[C_HEAD] = 0;
  control[C_TAIL] = 1;
  control[C_OPEN] = 1;
  control[C_NULLS] = n->list == 0;
  control[C_ALLOCS] = 1;
  control[C_REFS] = 0;
  ((__global uint *)(q + qat))[0] = n->list != 0;
}
__kernel void kd_fill(__global uchar *mem, long at, __global uchar *nn, long nat, uint triangles) {
  __global node_t *n = (__global node_t *)(nn + nat);
  memc_heap heap = (memc_heap)(mem + at);
  uint i = (uint)get_global_id(0);
  if (i < triangles && n->list != 0) heap[n->list / 4 + i] = i;
}
