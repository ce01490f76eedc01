/* Faults of kernels.

   The fault buffer has MEMC_FAULT_WORDS words of 64 bits. A kernel's first
   failing check sets the int at its start to a code, and the words behind to the
   arguments; the host finds the code when it next waits for the device. */

enum { MEMC_FAULT_WORDS = 8 };

/* Empties the fault buffer. */
static int memc_faults_clear(struct memc_context *ctx)
{
  static const cl_long zeros[MEMC_FAULT_WORDS];
  ctx->launched = 0;
  return memc_cl_waited(ctx, clEnqueueWriteBuffer(ctx->queue, ctx->faults, CL_TRUE, 0, sizeof zeros, zeros, 0, NULL, NULL),
                        "cannot write to the device");
}

static int memc_faults_up(struct memc_context *ctx)
{
  cl_int e;
  ctx->faults = clCreateBuffer(ctx->cl, CL_MEM_READ_WRITE, MEMC_FAULT_WORDS * sizeof(cl_long), NULL, &e);
  if (e != CL_SUCCESS)
    return memc_cl(ctx, e, "cannot create the fault buffer");
  return memc_faults_clear(ctx);
}

/* Looks at what was read from the fault buffer. */
static int memc_faults_look(struct memc_context *ctx, const cl_long *words)
{
  int64_t args[MEMC_FAULT_WORDS];
  cl_int code;
  int i, err;
  ctx->launched = 0;
  memcpy(&code, words, sizeof code);
  if (code == 0)
    return MEMC_OK;
  for (i = 1; i < MEMC_FAULT_WORDS; i++)
    args[i - 1] = words[i];
  if ((err = memc_faults_clear(ctx)))
    return err;
  return memc_fault(ctx, code, args);
}

/* Reads bytes of a buffer, and gives what a kernel reported before. The device
   is waited for once. */
static MEMC_UNUSED int memc_read(struct memc_context *ctx, cl_mem buffer, size_t off, size_t bytes, void *dst)
{
  cl_long words[MEMC_FAULT_WORDS] = {0};
  cl_int e = CL_SUCCESS, waited;
  int err;
  if ((err = memc_usable(ctx)))
    return err;
  if (ctx->launched)
    e = clEnqueueReadBuffer(ctx->queue, ctx->faults, CL_FALSE, 0, sizeof words, words, 0, NULL, NULL);
  if (e == CL_SUCCESS && bytes > 0)
    e = clEnqueueReadBuffer(ctx->queue, buffer, CL_FALSE, off, bytes, dst, 0, NULL, NULL);
  if ((waited = clFinish(ctx->queue)) != CL_SUCCESS && e == CL_SUCCESS)
    e = waited;
  err = memc_cl_waited(ctx, e, "cannot read from the device");
  return err ? err : memc_faults_look(ctx, words);
}

/* Waits for the device, and gives what a kernel reported since the last wait. */
static int memc_sync(struct memc_context *ctx)
{
  return memc_read(ctx, NULL, 0, 0, NULL);
}
