/* Launches. */

/* Prepares divisions by n of numbers below total in kernels, see imp.Inverse. */
static MEMC_UNUSED int64_t memc_inverse(int64_t n, int64_t total)
{
  const int64_t large = (int64_t)1 << 31;
  int64_t log = 0;
  if (n < 1 || n >= large || total >= large)
    return 0;
  while ((int64_t)1 << log < n)
    log++;
  return (((((int64_t)1 << log) - n) << 32) / n + 1) + (log << 32);
}

/* The most work-groups of one launch. OpenCL reports none: CUDA's limit is 2^31 - 1, and PoCL counts in 32 bits. */
#ifndef MEMC_MAX_GROUPS
#define MEMC_MAX_GROUPS ((int64_t)1 << 30)
#endif

/* Enqueues work-groups of a kernel, of so many work-items each. A block is passed as its buffer and the offset in it; with
   checks, the fault buffer comes first, and then the heap, for a kernel that
   allocates. */
static MEMC_UNUSED int memc_enqueue(struct memc_context *ctx, int kernel, int64_t groups, size_t local, int checks,
                                    int count, const struct memc_arg *args)
{
  struct memc_context *m = memc_place(ctx);
  const struct memc_block *b;
  cl_kernel k;
  cl_uint at = 0;
  cl_int e = CL_SUCCESS;
  int i, err = MEMC_OK;
  if ((uint64_t)groups > SIZE_MAX / local)
    return memc_fail(ctx, MEMC_ERROR, "error: kernel %s needs %" PRId64 " work-groups", memc_kernel_names[kernel], groups);
  if ((err = memc_ready(ctx, m, kernel)))
    return err;
  k = m->kernels[kernel];
  if (checks && (err = memc_lend(ctx, m, ctx->slots, MEMC_WRITES, &b)) == MEMC_OK)
    e = clSetKernelArg(k, at++, sizeof b->buffer, &b->buffer);
#if MEMC_DEVICE_HEAP > 0
  if (checks && err == MEMC_OK && memc_kernel_allocates[kernel])
    e = memc_heap_pass(m, k, &at);
#endif
  for (i = 0; i < count && e == CL_SUCCESS && err == MEMC_OK; i++) {
    if (args[i].local) {
      e = clSetKernelArg(k, at++, args[i].local, NULL);
    } else if (args[i].size) {
      e = clSetKernelArg(k, at++, args[i].size, &args[i].scalar);
    } else if (args[i].block == NULL) {
      err = memc_fail(ctx, MEMC_ERROR, "error: argument %d of kernel %s is no block", i, memc_kernel_names[kernel]);
    } else if ((err = memc_lend(ctx, m, args[i].block, args[i].how, &b)) == MEMC_OK) {
      e = memc_pass_block(k, &at, b->buffer, b->offset);
    }
  }
  if (err == MEMC_OK && e == CL_SUCCESS)
    e = memc_turns(m->queue, k, groups, MEMC_MAX_GROUPS, local, NULL);
  if (err == MEMC_OK)
    err = memc_queued(ctx, e, memc_kernel_names[kernel]);
  return memc_repay(ctx, m, err);
}

/* Runs work-groups of a kernel of the program, of so many work-items each; with none,
   nothing runs. copied is the number of bytes that the kernel moves as a copy would. */
static MEMC_UNUSED int memc_launch(struct memc_context *ctx, int kernel, int64_t groups, size_t items, int64_t copied,
                                   int count, const struct memc_arg *args)
{
  int err;
  if (groups <= 0 || ctx->rehearsing)
    return MEMC_OK;
  if ((err = memc_enqueue(ctx, kernel, groups, items, MEMC_KERNEL_CHECKS, count, args)))
    return err;
  ctx->launched += MEMC_KERNEL_CHECKS;
  ctx->stats.kernel_launches++;
  ctx->stats.copied_bytes += copied;
  if (ctx->debugging) {
    memc_log(ctx, "kernel %s: %" PRId64 " work-groups", memc_kernel_names[kernel], groups);
    return memc_sync(ctx);
  }
  return ctx->launched < MEMC_LOOK_EVERY ? MEMC_OK : memc_sync(ctx);
}
