/* Faults: what a failing check says.

   The fault buffer has MEMC_FAULT_WORDS words of 64 bits. A kernel's first
   failing check sets the int at its start to a code, and the words behind to the
   arguments; the host finds the code when it next waits for the device. Code 0
   means that no check failed. */

enum { MEMC_FAULT_WORDS = 8 };

/* Ends the message of a kernel that found no memory. */
static MEMC_UNUSED const char memc_heap_hint[] = "\nhint: a larger heap: --device-heap, or config_set_device_heap of the C API";

/* Records the message of a fault, with its place in the IR source. That of one
   of the heap ends with the size of the heap. */
static MEMC_UNUSED int memc_fault(struct memc_context *ctx, int64_t code, const int64_t *args)
{
  const struct memc_fault_text *f;
  const char *p;
  char *text, *out;
  size_t room;
  int shown = 0;
  if (code <= 0 || code >= (int64_t)(sizeof memc_faults / sizeof *memc_faults))
    return memc_fail(ctx, MEMC_ERROR, "error: the fault buffer holds an unknown code %" PRId64, code);
  f = &memc_faults[code];
  room = strlen(f->where) + strlen(f->format) + 20 * (size_t)f->args + sizeof "error: " + (f->heap ? sizeof memc_heap_hint : 0);
  if ((text = malloc(room)) == NULL)
    return memc_fail(ctx, MEMC_NO_MEMORY, "error: out of host memory");
  out = text + sprintf(text, "%serror: ", f->where);
  for (p = f->format; *p; p++) {
    if (p[0] == '%' && p[1] == 'd') {
      out += sprintf(out, "%" PRId64, f->heap && ++shown == f->args ? ctx->heap_bytes : *args++);
      p++;
    } else {
      p += p[0] == '%' && p[1] == '%';
      *out++ = *p;
    }
  }
  strcpy(out, f->heap ? memc_heap_hint : "");
  free(ctx->error);
  ctx->error = text;
  return MEMC_FAULT;
}

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
