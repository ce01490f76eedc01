/* Blocks: reference-counted device memory. */

struct memc_block {
  int refs;
  cl_mem buffer;
  int64_t offset; /* of the block in its buffer, in bytes */
  int64_t bytes;  /* as asked for */
};

/* Drops one reference; the variable becomes empty. Compilers that see the free
   inline, but not the counts, warn of uses after it. */
static MEMC_UNUSED MEMC_NOINLINE void memc_release(struct memc_context *ctx, struct memc_block **var)
{
  struct memc_block *b = *var;
  *var = NULL;
  if (b && --b->refs == 0) {
    clReleaseMemObject(b->buffer);
    ctx->in_use -= b->bytes;
    free(b);
  }
}

static MEMC_UNUSED struct memc_block *memc_retain(struct memc_block *b)
{
  if (b)
    b->refs++;
  return b;
}

/* Makes dst another reference to src's block. */
static MEMC_UNUSED void memc_set(struct memc_context *ctx, struct memc_block **dst, struct memc_block *src)
{
  memc_retain(src);
  memc_release(ctx, dst);
  *dst = src;
}

/* Makes a buffer of the driver's. A driver may put the allocation off to the
   first use, where it could only fail in the middle of things; so the buffer is
   touched here, through a queue of its own, which does not wait for kernels that
   still run. */
static cl_int memc_buffer(struct memc_context *ctx, size_t bytes, cl_mem *buffer)
{
  const cl_uint touch = 0;
  cl_int e;
  *buffer = clCreateBuffer(ctx->cl, CL_MEM_READ_WRITE, bytes, NULL, &e);
  if (e != CL_SUCCESS)
    return e;
  e = clEnqueueWriteBuffer(ctx->side, *buffer, CL_TRUE, 0, sizeof touch, &touch, 0, NULL, NULL);
  if (e != CL_SUCCESS)
    clReleaseMemObject(*buffer);
  return e;
}

static int memc_no_memory(struct memc_context *ctx, const char *where, const char *what, int64_t bytes)
{
  if (bytes > ctx->max_alloc)
    return memc_fail(ctx, MEMC_NO_MEMORY, "%serror: %s: out of device memory: %" PRId64
                     " bytes requested, the device's largest block is %" PRId64 " bytes", where, what, bytes, ctx->max_alloc);
  return memc_fail(ctx, MEMC_NO_MEMORY, "%serror: %s: out of device memory: %" PRId64 " bytes requested, %" PRId64
                   " bytes are in use, the limit is %" PRId64, where, what, bytes, ctx->in_use, ctx->memory_limit);
}

/* Sizes of blocks: what is too large stays too large. */
static MEMC_UNUSED int64_t memc_mul_bytes(int64_t a, int64_t b)
{
  if (a > 0 && b > 0 && a > INT64_MAX / b)
    return INT64_MAX;
  return (int64_t)((uint64_t)a * (uint64_t)b);
}

static MEMC_UNUSED int64_t memc_add_bytes(int64_t a, int64_t b)
{
  if (a > 0 && b > INT64_MAX - a)
    return INT64_MAX;
  return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* Makes a block with one reference. One buffer serves one block; sizes are
   rounded up to what every element type is aligned to, and never 0. where and
   what begin the message of an error. */
static MEMC_UNUSED int memc_alloc(struct memc_context *ctx, struct memc_block **var, int64_t bytes,
                                  const char *where, const char *what)
{
  const size_t grain = 16;
  struct memc_block *b;
  size_t room;
  memc_release(ctx, var);
  if (bytes < 0)
    bytes = 0;
  ctx->stats.alloc_requests++;
  if (bytes > ctx->max_alloc || bytes > ctx->memory_limit - ctx->in_use)
    return memc_no_memory(ctx, where, what, bytes);
  if ((b = malloc(sizeof *b)) == NULL)
    return memc_fail(ctx, MEMC_NO_MEMORY, "error: out of host memory");
  room = bytes > 0 ? ((size_t)bytes + grain - 1) / grain * grain : grain;
  if (memc_buffer(ctx, room, &b->buffer) != CL_SUCCESS) {
    /* What was released stays allocated until the commands that use it are done. */
    clFinish(ctx->queue);
    if (memc_buffer(ctx, room, &b->buffer) != CL_SUCCESS) {
      free(b);
      return memc_no_memory(ctx, where, what, bytes);
    }
  }
  b->refs = 1;
  b->offset = 0;
  b->bytes = bytes;
  *var = b;
  ctx->stats.driver_allocs++;
  ctx->in_use += bytes;
  if (ctx->in_use > ctx->stats.peak_bytes)
    ctx->stats.peak_bytes = ctx->in_use;
  return MEMC_OK;
}

/* Tells whether count elements at element off lie in the block. */
static int memc_within(const struct memc_block *b, int64_t off, int64_t count, int64_t size)
{
  return b && off >= 0 && count >= 0 && off <= b->bytes / size && count <= b->bytes / size - off;
}

static int memc_outside(struct memc_context *ctx, const struct memc_block *b, const char *what, int64_t off)
{
  return memc_fail(ctx, MEMC_ERROR, "error: %s at element %" PRId64 " lies outside of its block of %" PRId64 " bytes",
                   what, off, b ? b->bytes : 0);
}

/* Reads the element at off; waits for the device, and reports its faults first. */
static MEMC_UNUSED int memc_load(struct memc_context *ctx, struct memc_block *b, int64_t off, size_t size, void *dst)
{
  if (!memc_within(b, off, 1, (int64_t)size)) {
    int err = memc_sync(ctx);
    return err ? err : memc_outside(ctx, b, "a read", off);
  }
  return memc_read(ctx, b->buffer, (size_t)b->offset + (size_t)off * size, size, dst);
}

/* Writes the element at off. A pattern of the element's size is handed over, so
   nothing has to wait. */
static MEMC_UNUSED int memc_store(struct memc_context *ctx, struct memc_block *b, int64_t off, size_t size, const void *src)
{
  if (!memc_within(b, off, 1, (int64_t)size))
    return memc_outside(ctx, b, "a write", off);
  return memc_cl(ctx, clEnqueueFillBuffer(ctx->queue, b->buffer, src, size, (size_t)b->offset + (size_t)off * size, size, 0, NULL, NULL),
                 "cannot write to the device");
}
