/* memc_heap_kernels.cl: the commands of the device-executed heap. All are
 * launched with one work-item; heap and slots are blocks with offsets in bytes. */

__kernel void memc_q_start(__global uchar *heap, long at, ulong bytes, uint slots) {
  memc_q_init((memc_qheap)(heap + at), bytes / 4, slots);
}

/* Count and stride known to the host. */
__kernel void memc_q_alloc(__global uchar *heap, long at, __global uchar *slots, long sat, uint slot, uint count, uint stride) {
  memc_q_allocate((memc_qheap)(heap + at), count, stride, (__global uint *)(slots + sat) + slot * 4);
}

/* Count and stride that an earlier kernel has written: words at two places. */
__kernel void memc_q_alloc_from(__global uchar *heap, long at, __global uchar *slots, long sat, uint slot,
                                __global uchar *args, long aat, uint countWord, uint strideWord) {
  __global uint *a = (__global uint *)(args + aat);
  memc_q_allocate((memc_qheap)(heap + at), a[countWord], a[strideWord], (__global uint *)(slots + sat) + slot * 4);
}

__kernel void memc_q_release(__global uchar *heap, long at, __global uchar *slots, long sat, uint slot) {
  memc_q_free((memc_qheap)(heap + at), (__global uint *)(slots + sat) + slot * 4);
}

/* Many commands at once: n of 4 words (0 allocate or 1 free, slot, count, stride). */
__kernel void memc_q_batch(__global uchar *heap, long at, __global uchar *slots, long sat, __global uchar *commands, long cat, uint n) {
  __global uint *c = (__global uint *)(commands + cat);
  for (uint i = 0; i < n; i++, c += 4) {
    __global uint *slot = (__global uint *)(slots + sat) + c[1] * 4;
    if (c[0] == 0) memc_q_allocate((memc_qheap)(heap + at), c[2], c[3], slot);
    else memc_q_free((memc_qheap)(heap + at), slot);
  }
}
