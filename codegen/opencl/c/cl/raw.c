/* Arrays as buffers of OpenCL. */

/* Sizes of buffers: kernels may touch the word around an element. */
static int64_t memc_words(int64_t bytes) { return bytes > 0 ? (bytes + 3) / 4 * 4 : 4; }

/* Makes a buffer of the driver's that holds the start of a block. Nothing runs on the device. */
static int memc_copy_out(struct memc_context *ctx, cl_mem from, size_t offset, int64_t bytes, int64_t room, cl_mem *out)
{
  cl_int e;
  *out = clCreateBuffer(ctx->cl, CL_MEM_READ_WRITE, (size_t)room, NULL, &e);
  if (e != CL_SUCCESS)
    return memc_cl(ctx, e, "cannot make a buffer of an array");
  if (bytes)
    e = clEnqueueCopyBuffer(ctx->queue, from, *out, offset, 0, (size_t)bytes, 0, NULL, NULL);
  if (clFinish(ctx->queue) != CL_SUCCESS && e == CL_SUCCESS)
    e = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if (e != CL_SUCCESS)
    clReleaseMemObject(*out);
  return memc_cl(ctx, e, "cannot make a buffer of an array");
}

/* Makes a buffer that holds the elements from its start, for the caller to release: an array's block
   may be a part of a buffer that others share, which cannot be given away. NULL where that fails. */
static MEMC_UNUSED cl_mem memc_array_raw(struct memc_context *ctx, const struct memc_array *a)
{
  const struct memc_block *at;
  cl_mem buffer = NULL;
  int64_t bytes;
  int err;
  if (memc_array_usable(ctx, a) || memc_sync(ctx))
    return NULL;
  bytes = memc_elems(a->rank, a->shape) * memc_prims[a->prim].size;
  if ((err = memc_lend(ctx, ctx, a->block, MEMC_READS, &at)) == MEMC_OK)
    err = memc_copy_out(ctx, at->buffer, (size_t)at->offset, bytes, bytes ? bytes : 1, &buffer);
  return memc_repay(ctx, ctx, err) ? NULL : buffer;
}

/* Fails where a buffer cannot hold an array of so many bytes from an offset on, is of another context, or has a flag
   that it must never have. */
static MEMC_UNUSED int memc_raw_usable(struct memc_context *ctx, cl_mem buffer, cl_mem_flags never, int64_t offset, int64_t bytes, size_t *have)
{
  cl_context of = NULL;
  cl_mem_object_type type = 0;
  cl_mem_flags flags = 0;
  if (ctx->several)
    return memc_fail(ctx, MEMC_MISUSE, "error: buffers of OpenCL are for contexts of one device without eviction");
  if (buffer == NULL || clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof of, &of, NULL) != CL_SUCCESS || of != ctx->cl ||
      clGetMemObjectInfo(buffer, CL_MEM_TYPE, sizeof type, &type, NULL) != CL_SUCCESS || type != CL_MEM_OBJECT_BUFFER ||
      clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL) != CL_SUCCESS || flags & never ||
      clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof *have, have, NULL) != CL_SUCCESS)
    return memc_fail(ctx, MEMC_MISUSE, "error: this is no buffer of the context%s", never ? " that kernels may read" : "");
  if (offset < 0 || offset > (int64_t)*have || bytes > (int64_t)*have - offset)
    return memc_fail(ctx, MEMC_MISUSE, "error[E907]: a buffer of %lu bytes does not hold %" PRId64 " bytes from byte %" PRId64 " on",
                     (unsigned long)*have, bytes, offset);
  return MEMC_OK;
}

/* Makes an array that lies in a buffer of the caller's; NULL where that fails. A buffer that ends within
   the array's last word is copied. */
static MEMC_UNUSED struct memc_array *memc_array_lent(struct memc_context *ctx, cl_mem data, int prim, int rank, const int64_t *shape)
{
  const int64_t elems = memc_elems(rank, shape), bytes = elems * memc_prims[prim].size;
  struct memc_block *block = NULL;
  struct memc_array *a = NULL;
  size_t have;
  int err;
  if (elems <= 0)
    return memc_array_new(ctx, NULL, prim, rank, shape);
  if (memc_raw_usable(ctx, data, CL_MEM_WRITE_ONLY, 0, bytes, &have) || memc_sync(ctx))
    return NULL;
  err = have < (size_t)memc_words(bytes) ? memc_copy_out(ctx, data, 0, bytes, memc_words(bytes), &data)
                                         : memc_cl(ctx, clRetainMemObject(data), "cannot use the buffer");
  if (err == MEMC_OK && memc_block_of(ctx, &block, data, bytes, "an argument") == MEMC_OK) {
    block->lent = 1;
    a = memc_array_wrap(ctx, block, prim, rank, shape);
  }
  memc_release(ctx, &block);
  return a;
}

/* Copies the elements to a buffer of the caller's, from a byte on, and waits. */
static MEMC_UNUSED int memc_array_values_raw(struct memc_context *ctx, const struct memc_array *a, cl_mem buffer, int64_t offset)
{
  int64_t bytes;
  size_t have;
  int err = memc_array_usable(ctx, a);
  if (err)
    return err;
  bytes = memc_elems(a->rank, a->shape) * memc_prims[a->prim].size;
  if ((err = memc_raw_usable(ctx, buffer, 0, offset, bytes, &have)) || (err = memc_sync(ctx)) || bytes == 0)
    return err;
  err = memc_cl(ctx, clEnqueueCopyBuffer(ctx->queue, a->block->buffer, buffer, (size_t)a->block->offset, (size_t)offset, (size_t)bytes, 0, NULL, NULL),
                "cannot copy to the buffer");
  return err ? err : memc_cl_waited(ctx, clFinish(ctx->queue), "cannot copy to the buffer");
}
