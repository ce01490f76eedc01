/* The device heap, for kernels that allocate. It is made and prepared once for a
   context: kernels free what they allocate, also where they fail. An allocator
   that reuses nothing (MEMC_HEAP_ONCE) starts from an empty heap in each kernel;
   no block outlives its kernel. */

#if MEMC_DEVICE_HEAP > 0
#define MEMC_TARGET_USAGE "  -H, --device-heap N   N bytes for kernels that allocate\n"

enum { MEMC_HEAP_KERNELS = MEMC_PROGRAM_KERNELS + 8, MEMC_HEAP_HINTS = 128 };

/* Makes the heap empty. It does not wait. */
static cl_int memc_heap_reset(struct memc_context *ctx)
{
  const size_t local = MEMC_GROUP_SIZE, global = 64 * MEMC_GROUP_SIZE;
  const cl_ulong bytes = (cl_ulong)ctx->pool.reserved;
  const cl_uint hints = MEMC_HEAP_HINTS;
  cl_int e = CL_SUCCESS;
  int i;
  for (i = MEMC_HEAP_KERNELS; i < MEMC_HEAP_KERNELS + 2 && e == CL_SUCCESS; i++) {
    cl_kernel k = ctx->kernels[i];
    cl_uint at = 0;
    e = memc_pass_block(k, &at, ctx->heap, 0);
    if (e == CL_SUCCESS)
      e = clSetKernelArg(k, 2, sizeof bytes, &bytes);
    if (e == CL_SUCCESS)
      e = clSetKernelArg(k, 3, sizeof hints, &hints);
    if (e == CL_SUCCESS)
      e = clEnqueueNDRangeKernel(ctx->queue, k, 1, NULL, &global, &local, 0, NULL, NULL);
  }
  ctx->heap_used = 0;
  return e;
}

/* Passes the heap to a kernel as its arguments from number *at on. */
static cl_int memc_heap_pass(struct memc_context *ctx, cl_kernel k, cl_uint *at)
{
  cl_int e;
  if (MEMC_HEAP_ONCE && ctx->heap_used && (e = memc_heap_reset(ctx)) != CL_SUCCESS)
    return e;
  ctx->heap_used = 1;
  return memc_pass_block(k, at, ctx->heap, 0);
}
#else
#define MEMC_TARGET_USAGE ""
#endif

/* Makes the heap, where a kernel needs one; 0 bytes stand for the default. */
static MEMC_UNUSED int memc_heap_up(struct memc_context *ctx, int64_t bytes)
{
#if MEMC_DEVICE_HEAP > 0
  void *buffer = NULL;
  bytes = bytes > 0 ? bytes : MEMC_DEVICE_HEAP;
  if (bytes < 1024)
    return memc_fail(ctx, MEMC_ERROR, "error: a device heap has at least 1024 bytes, not %" PRId64, bytes);
  if (bytes > ctx->pool.limit)
    return memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: a device heap of %" PRId64 " bytes is above the limit of %" PRId64,
                     bytes, ctx->pool.limit);
  if (memc_buffer_create(ctx, bytes, &buffer) != MEMC_POOL_OK)
    return memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: there is no memory for a device heap of %" PRId64 " bytes", bytes);
  ctx->heap = buffer;
  memc_pool_reserve(&ctx->pool, bytes);
  return memc_cl(ctx, memc_heap_reset(ctx), "cannot prepare the device heap");
#else
  (void)ctx;
  (void)bytes;
  return MEMC_OK;
#endif
}
