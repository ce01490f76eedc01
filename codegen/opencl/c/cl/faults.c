/* Faults of kernels, and reads: what cl/reads.c finds. */

enum { MEMC_FAULT_BYTES = MEMC_FAULT_WORDS * 8 + MEMC_SLOTS * 8, MEMC_STAGED = MEMC_FAULT_BYTES + 64 };

/* Empties the fault buffer, slots included: kernels leave some of them 0, unless they
   fail. */
static int memc_faults_clear(struct memc_context *ctx)
{
  static const unsigned char zeros[MEMC_FAULT_BYTES];
  ctx->launched = 0;
  return memc_block_write(ctx, ctx->slots, 0, sizeof zeros, zeros);
}

/* Makes the fault buffer, which is a block for kernels that use slots but none of the live
   ones, and the memory to read to. */
static int memc_faults_up(struct memc_context *ctx)
{
  cl_int e;
  ctx->faults = clCreateBuffer(ctx->cl, CL_MEM_READ_WRITE, MEMC_FAULT_BYTES, NULL, &e);
  if (e == CL_SUCCESS)
    e = memc_pin(ctx->cl, ctx->queue, MEMC_STAGED, &ctx->staging);
  if (e != CL_SUCCESS)
    return memc_cl(ctx, e, "cannot create the fault buffer");
  if ((ctx->slots = calloc(1, sizeof *ctx->slots)) == NULL)
    return memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
  ctx->slots->refs = 1;
  ctx->slots->buffer = ctx->faults;
  ctx->slots->bytes = MEMC_FAULT_BYTES;
  ctx->slots->what = "slots";
  return memc_faults_clear(ctx);
}

static void memc_faults_down(struct memc_context *ctx)
{
  memc_unpin(ctx->queue, &ctx->staging);
  if (ctx->faults)
    clReleaseMemObject(ctx->faults);
}

/* Reads ranges of blocks, and gives what a kernel reported before. */
static MEMC_UNUSED int memc_read_all(struct memc_context *ctx, int count, struct memc_want *wants)
{
  const struct memc_block *at;
  const int launched = ctx->launched;
  int64_t words[MEMC_FAULT_WORDS];
  int32_t code = 0;
  int i, own = launched, err = memc_usable(ctx);
  if (err)
    return err;
  if (ctx->rehearsing)
    return memc_read_zeros(count, wants);
  ctx->queued = 0;
  for (i = 0; i < count; i++)
    own |= wants[i].block == ctx->slots;
  if (own)
    err = memc_lend(ctx, ctx, ctx->slots, MEMC_READS, &at);
  for (i = 0; i < count && err == MEMC_OK; i++) {
    if (wants[i].block == ctx->slots) {
      wants[i].from = ctx->faults, wants[i].at = wants[i].off;
    } else if ((err = memc_lend(ctx, ctx, wants[i].block, MEMC_READS, &at)) == MEMC_OK) {
      wants[i].from = at->buffer, wants[i].at = (size_t)at->offset + wants[i].off;
    }
  }
  if (err == MEMC_OK)
    err = memc_cl_waited(ctx, memc_read_wants(ctx->queue, &ctx->staging, ctx->faults, launched, words, count, wants),
                         "cannot read from the device");
  if ((err = memc_repay(ctx, ctx, err)) || launched == 0)
    return err;
  ctx->launched = 0;
  memcpy(&code, words, sizeof code);
  if (code == 0)
    return MEMC_OK;
  err = memc_faults_clear(ctx);
  return err ? err : memc_fault(ctx, code, words + 1);
}

/* Waits for the device, and gives what a kernel reported since the last wait. */
static int memc_sync(struct memc_context *ctx)
{
  return memc_read_all(ctx, 0, NULL);
}
