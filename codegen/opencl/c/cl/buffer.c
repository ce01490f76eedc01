/* Buffers of the driver's. */

/* Takes a buffer back that the pool has asked for. */
static void memc_buffer_release(void *self, void *buffer)
{
  const struct memc_context *ctx = self;
  if (ctx->supply.alloc)
    ctx->supply.release(ctx->supply.self, buffer);
  else
    clReleaseMemObject(buffer);
}

/* Ends the use of a buffer that is not the pool's. */
static void memc_foreign_release(cl_mem buffer) { clReleaseMemObject(buffer); }

/* What the pool asks of the driver. A supply's buffer is not touched: it may be one of ours again,
   which a kernel that still runs reads. */
static int memc_buffer_create(void *self, int64_t bytes, void **buffer)
{
  const struct memc_context *ctx = self;
  cl_int e;
  cl_mem m = NULL;
  if (ctx->supply.alloc)
    e = (m = ctx->supply.alloc(ctx->supply.self, bytes)) ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE;
  else
    e = memc_make_buffer(ctx->cl, ctx->side, bytes, &m);
  if (e == CL_SUCCESS)
    *buffer = m;
  return e == CL_SUCCESS ? MEMC_POOL_OK : e == CL_INVALID_BUFFER_SIZE ? MEMC_POOL_TOO_LARGE : MEMC_POOL_REFUSED;
}

static int memc_buffer_finish(void *self)
{
  struct memc_context *ctx = self;
  clFinish(ctx->queue); /* an error of a kernel's is for memc_sync to find */
  if (ctx->several) {
    clFinish(memc_lane(ctx, MEMC_IN)->queue);
    clFinish(memc_lane(ctx, MEMC_OUT)->queue);
  }
  return MEMC_POOL_OK;
}

/* Writes to a block, and waits. */
static MEMC_UNUSED int memc_block_write(struct memc_context *ctx, struct memc_block *b, size_t off, size_t bytes, const void *src)
{
  const struct memc_block *at;
  const int how = off == 0 && (int64_t)bytes == b->bytes ? MEMC_FILLS : MEMC_WRITES;
  int err = memc_lend(ctx, ctx, b, how, &at);
  if (err == MEMC_OK)
    err = memc_cl_waited(ctx, clEnqueueWriteBuffer(ctx->queue, at->buffer, CL_TRUE, (size_t)at->offset + off, bytes, src, 0, NULL, NULL),
                         "cannot write to the device");
  return memc_repay(ctx, ctx, err);
}

/* Writes one element. A pattern of its size is handed over, so nothing has to wait. */
static MEMC_UNUSED int memc_block_set(struct memc_context *ctx, struct memc_block *b, size_t off, size_t size, const void *src)
{
  const struct memc_block *at;
  int err = memc_lend(ctx, ctx, b, MEMC_WRITES, &at);
  if (err == MEMC_OK)
    err = memc_queued(ctx, clEnqueueFillBuffer(ctx->queue, at->buffer, src, size, (size_t)at->offset + off, size, 0, NULL, NULL),
                      "cannot write to the device");
  return memc_repay(ctx, ctx, err);
}

/* Copies between places that do not overlap. */
static MEMC_UNUSED int memc_block_copy(struct memc_context *ctx, struct memc_block *dst, size_t dst_off, struct memc_block *src,
                                       size_t src_off, size_t bytes)
{
  struct memc_context *m = memc_place(ctx);
  const struct memc_block *to, *from;
  int err = memc_lend(ctx, m, src, MEMC_READS, &from);
  if (err == MEMC_OK)
    err = memc_lend(ctx, m, dst, dst_off == 0 && (int64_t)bytes == dst->bytes ? MEMC_FILLS : MEMC_WRITES, &to);
  if (err == MEMC_OK)
    err = memc_queued(ctx, clEnqueueCopyBuffer(m->queue, from->buffer, to->buffer, (size_t)from->offset + src_off,
                                               (size_t)to->offset + dst_off, bytes, 0, NULL, NULL),
                      "cannot copy on the device");
  return memc_repay(ctx, m, err);
}

/* Bytes of a block where the host can see them; NULL if it cannot. */
static MEMC_UNUSED unsigned char *memc_block_bytes(const struct memc_block *b)
{
  (void)b;
  return NULL;
}
