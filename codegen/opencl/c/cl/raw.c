/* Arrays as buffers of OpenCL. */

/* Makes a buffer of the driver's that holds the elements from its start, for the
   caller to release: an array's block may be a part of a buffer that others
   share, which cannot be given away. NULL where that fails. */
static MEMC_UNUSED cl_mem memc_array_raw(struct memc_context *ctx, const struct memc_array *a)
{
  const struct memc_block *at;
  cl_mem buffer = NULL;
  int64_t bytes;
  cl_int e;
  int err;
  if (memc_array_usable(ctx, a))
    return NULL;
  bytes = memc_elems(a->rank, a->shape) * memc_prims[a->prim].size;
  if (memc_sync(ctx))
    return NULL;
  if ((err = memc_lend(ctx, ctx, a->block, MEMC_READS, &at))) {
    memc_repay(ctx, ctx, err);
    return NULL;
  }
  buffer = clCreateBuffer(ctx->cl, CL_MEM_READ_WRITE, bytes ? (size_t)bytes : 1, NULL, &e);
  if (e == CL_SUCCESS && bytes) {
    e = clEnqueueCopyBuffer(ctx->queue, at->buffer, buffer, (size_t)at->offset, 0, (size_t)bytes, 0, NULL, NULL);
    if (clFinish(ctx->queue) != CL_SUCCESS && e == CL_SUCCESS)
      e = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    if (e != CL_SUCCESS)
      clReleaseMemObject(buffer);
  }
  if (memc_repay(ctx, ctx, memc_cl(ctx, e, "cannot make a buffer of an array")))
    return NULL;
  return buffer;
}
