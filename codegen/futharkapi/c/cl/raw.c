/* What hands out OpenCL objects. */

cl_command_queue futhark_context_get_command_queue(struct futhark_context *ctx) { return ctx->rt.queue; }

cl_program futhark_context_get_program(struct futhark_context *ctx) { return ctx->rt.program; }

/* Makes an array of a buffer of the caller's, whose memory it uses: no copy, unless
   the buffer ends within the array's last word. */
static MEMC_UNUSED struct memc_array *memc_f_new_raw(struct futhark_context *ctx, cl_mem data, int prim, int rank,
                                                     const int64_t *shape)
{
  struct memc_context *rt = &ctx->rt;
  const int64_t elems = memc_elems(rank, shape), bytes = elems * memc_prims[prim].size;
  struct memc_block *block = NULL;
  struct memc_array *a = NULL;
  size_t have = 0;
  int err = MEMC_OK;
  if (elems <= 0)
    return memc_f_new_array(ctx, NULL, prim, rank, shape);
  memc_f_lock(ctx);
  if (data == NULL || clGetMemObjectInfo(data, CL_MEM_SIZE, sizeof have, &have, NULL) != CL_SUCCESS || have < (size_t)bytes)
    err = memc_fail(rt, MEMC_ERROR, "error: a buffer of %lu bytes for an array of %" PRId64, (unsigned long)have, bytes);
  else if (have < (size_t)memc_words(bytes))
    err = memc_sync(rt) ? MEMC_ERROR : memc_copy_out(rt, data, 0, bytes, memc_words(bytes), &data);
  else
    err = memc_cl(rt, clRetainMemObject(data), "cannot use the buffer");
  if (err == MEMC_OK && memc_block_of(rt, &block, data, bytes, "an argument") == MEMC_OK)
    a = memc_array_wrap(rt, block, prim, rank, shape);
  memc_release(rt, &block);
  memc_f_unlock(ctx);
  return a;
}

/* Gives the buffer that an array is in. A block that shares its buffer with others
   moves to one of its own first; there it stays as long as the array lives. */
static MEMC_UNUSED cl_mem memc_f_values_raw(struct futhark_context *ctx, struct memc_array *a)
{
  struct memc_context *rt = &ctx->rt;
  struct memc_block *block = NULL;
  cl_mem buffer = NULL;
  memc_f_lock(ctx);
  if (memc_array_usable(rt, a)) {
    buffer = NULL;
  } else if (a->block->range == NULL) {
    buffer = memc_sync(rt) ? NULL : a->block->buffer;
  } else {
    const int64_t bytes = memc_elems(a->rank, a->shape) * memc_prims[a->prim].size;
    if (memc_sync(rt) == MEMC_OK && memc_copy_out(rt, a->block->buffer, (size_t)a->block->offset, bytes, memc_words(bytes), &buffer) == MEMC_OK &&
        memc_block_of(rt, &block, buffer, bytes, "an array") == MEMC_OK) {
      memc_release(rt, &a->block);
      a->block = block;
    } else {
      buffer = NULL;
    }
  }
  memc_f_unlock(ctx);
  return buffer;
}
