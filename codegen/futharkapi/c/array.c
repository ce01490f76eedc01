/* Arrays: memc's, under Futhark's names. */

static MEMC_UNUSED struct memc_array *memc_f_new_array(struct futhark_context *ctx, const void *data, int prim, int rank,
                                                       const int64_t *shape)
{
  struct memc_array *a;
  memc_f_lock(ctx);
  a = memc_array_new(&ctx->rt, data, prim, rank, shape);
  memc_f_unlock(ctx);
  return a;
}

static MEMC_UNUSED int memc_f_free_array(struct futhark_context *ctx, struct memc_array *a)
{
  memc_f_lock(ctx);
  memc_array_free(&ctx->rt, a);
  memc_f_unlock(ctx);
  return MEMC_OK;
}

static MEMC_UNUSED int memc_f_values(struct futhark_context *ctx, const struct memc_array *a, void *data)
{
  int err;
  memc_f_lock(ctx);
  err = memc_array_values(&ctx->rt, a, data);
  memc_f_unlock(ctx);
  return err;
}

/* Makes a block of a whole buffer, which it takes over; an error releases it. */
static int memc_f_block(struct memc_context *ctx, struct memc_block **block, cl_mem buffer, int64_t bytes, const char *what)
{
  struct memc_block *b = malloc(sizeof *b);
  if (b == NULL) {
    clReleaseMemObject(buffer);
    return memc_fail(ctx, MEMC_NO_MEMORY, "error: out of host memory");
  }
  b->buffer = buffer;
  b->offset = 0;
  memc_block_live(ctx, b, bytes, NULL, what);
  *block = b;
  return MEMC_OK;
}

/* Sizes of buffers: kernels may touch the word around an element. */
static int64_t memc_f_words(int64_t bytes) { return bytes > 0 ? (bytes + 3) / 4 * 4 : 4; }

/* Makes a buffer that holds the start of a block. */
static int memc_f_copy_out(struct memc_context *ctx, cl_mem from, size_t offset, int64_t bytes, cl_mem *out)
{
  cl_int e;
  int err = memc_sync(ctx);
  if (err)
    return err;
  *out = clCreateBuffer(ctx->cl, CL_MEM_READ_WRITE, (size_t)memc_f_words(bytes), NULL, &e);
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
  else if (have < (size_t)memc_f_words(bytes))
    err = memc_f_copy_out(rt, data, 0, bytes, &data);
  else
    err = memc_cl(rt, clRetainMemObject(data), "cannot use the buffer");
  if (err == MEMC_OK && memc_f_block(rt, &block, data, bytes, "an argument") == MEMC_OK)
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
  if (a->block == NULL) {
    memc_fail(rt, MEMC_ERROR, "error: the array was consumed");
  } else if (a->block->range == NULL) {
    buffer = memc_sync(rt) ? NULL : a->block->buffer;
  } else {
    const int64_t bytes = memc_elems(a->rank, a->shape) * memc_prims[a->prim].size;
    if (memc_f_copy_out(rt, a->block->buffer, (size_t)a->block->offset, bytes, &buffer) == MEMC_OK &&
        memc_f_block(rt, &block, buffer, bytes, "an array") == MEMC_OK) {
      memc_release(rt, &a->block);
      a->block = block;
    } else {
      buffer = NULL;
    }
  }
  memc_f_unlock(ctx);
  return buffer;
}

/* Gives the number of an element, counted row by row, or -1 and an error where
   there is none. */
static MEMC_UNUSED int64_t memc_f_at(struct memc_context *ctx, int rank, const int64_t *shape, const int64_t *index)
{
  int64_t at = 0;
  int i;
  for (i = 0; i < rank; i++) {
    if (index[i] < 0 || index[i] >= shape[i]) {
      memc_fail(ctx, MEMC_ERROR, "error: index %" PRId64 " is out of bounds for dimension %d, whose size is %" PRId64,
                index[i], i, shape[i]);
      return -1;
    }
    at = at * shape[i] + index[i];
  }
  return at;
}

/* Reads one element. */
static MEMC_UNUSED int memc_f_index(struct futhark_context *ctx, const struct memc_array *a, void *out, const int64_t *index)
{
  int err = MEMC_ERROR;
  int64_t at;
  memc_f_lock(ctx);
  if (a->block == NULL)
    memc_fail(&ctx->rt, MEMC_ERROR, "error: the array was consumed");
  else if ((at = memc_f_at(&ctx->rt, a->rank, a->shape, index)) >= 0)
    err = memc_load(&ctx->rt, a->block, at, (size_t)memc_prims[a->prim].size, out);
  memc_f_unlock(ctx);
  return err;
}
