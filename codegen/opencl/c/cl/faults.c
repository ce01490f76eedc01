/* Faults of kernels, and reads.

   The fault buffer has MEMC_FAULT_WORDS words of 64 bits. A kernel's first
   failing check sets the int at its start to a code, and the words behind to the
   arguments; the host finds the code when it next waits for the device. The slots
   behind them are where kernels leave scalars, see imp.Slots. */

enum { MEMC_FAULT_WORDS = 8, MEMC_FAULT_BYTES = MEMC_FAULT_WORDS * 8 + MEMC_SLOTS * 8, MEMC_STAGED = MEMC_FAULT_BYTES + 64 };

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

/* Looks at what was read from the fault buffer. */
static int memc_faults_look(struct memc_context *ctx)
{
  int64_t args[MEMC_FAULT_WORDS];
  cl_int code;
  int err;
  ctx->launched = 0;
  memcpy(&code, ctx->staging.at, sizeof code);
  if (code == 0)
    return MEMC_OK;
  memcpy(args, ctx->staging.at + sizeof *args, sizeof args - sizeof *args);
  if ((err = memc_faults_clear(ctx)))
    return err;
  return memc_fault(ctx, code, args);
}

/* Reads ranges of buffers, and gives what a kernel reported before. The device is
   waited for once, unless ranges are large. */
static MEMC_UNUSED int memc_read_all(struct memc_context *ctx, int count, struct memc_want *wants)
{
  struct memc_reading r = {ctx->queue, ctx->staging.at, MEMC_STAGED, 0, 0, 0};
  const struct memc_block *slots;
  size_t own = 0; /* bytes of the fault buffer, which are read first */
  cl_int e = CL_SUCCESS;
  int i, err = MEMC_OK, look = ctx->launched;
  if ((err = memc_usable(ctx)))
    return err;
  if (ctx->rehearsing)
    return memc_read_zeros(count, wants);
  ctx->queued = 0;
  if (look)
    own = MEMC_FAULT_WORDS * 8;
  for (i = 0; i < count; i++)
    if (wants[i].block == ctx->slots && own < wants[i].off + wants[i].bytes)
      own = wants[i].off + wants[i].bytes;
  if (own > 0)
    err = memc_lend(ctx, ctx, ctx->slots, MEMC_READS, &slots);
  for (i = 0; i < count && err == MEMC_OK; i++)
    if (wants[i].block != ctx->slots)
      err = memc_lend(ctx, ctx, wants[i].block, MEMC_READS, &wants[i].at);
  if (err)
    return memc_repay(ctx, ctx, err);
  r.late = count == 0;
  e = memc_read_range(&r, ctx->faults, 0, own, NULL);
  for (i = 0; i < count && e == CL_SUCCESS; i++)
    if (wants[i].block != ctx->slots)
      e = memc_read_range(&r, wants[i].at->buffer, (size_t)wants[i].at->offset + wants[i].off, wants[i].bytes, wants[i].dst);
  e = memc_read_wait(&r, e);
  if ((err = memc_repay(ctx, ctx, memc_cl_waited(ctx, e, "cannot read from the device"))) || (look && (err = memc_faults_look(ctx))))
    return err;
  r.taken = own;
  for (i = 0; i < count; i++) {
    const struct memc_want *w = &wants[i];
    if (w->block == ctx->slots)
      memcpy(w->dst, r.staged + w->off, w->bytes);
    else
      memc_read_take(&r, w->bytes, w->dst);
  }
  return MEMC_OK;
}

/* Waits for the device, and gives what a kernel reported since the last wait. */
static int memc_sync(struct memc_context *ctx)
{
  return memc_read_all(ctx, 0, NULL);
}
