/* Buffers of the driver's. */

/* What the pool asks of the driver. A driver may put an allocation off to the
   first use, where it could only fail in the middle of things; so a buffer is
   touched when it is made, through a queue of its own, which does not wait for
   kernels that still run. */
static int memc_buffer_create(void *self, int64_t bytes, void **buffer)
{
  const struct memc_context *ctx = self;
  const cl_uint touch = 0;
  cl_int e;
  cl_mem m;
  if ((uint64_t)bytes > SIZE_MAX)
    return MEMC_POOL_REFUSED;
  m = clCreateBuffer(ctx->cl, CL_MEM_READ_WRITE, (size_t)bytes, NULL, &e);
  if (e == CL_SUCCESS) {
    e = clEnqueueWriteBuffer(ctx->side, m, CL_TRUE, 0, sizeof touch, &touch, 0, NULL, NULL);
    if (e != CL_SUCCESS)
      clReleaseMemObject(m);
  }
  if (e == CL_SUCCESS)
    *buffer = m;
  return e == CL_SUCCESS ? MEMC_POOL_OK : MEMC_POOL_REFUSED;
}

static void memc_buffer_release(void *self, void *buffer)
{
  (void)self;
  clReleaseMemObject(buffer);
}

static int memc_buffer_finish(void *self)
{
  const struct memc_context *ctx = self;
  clFinish(ctx->queue); /* an error of a kernel's is for memc_sync to find */
  return MEMC_POOL_OK;
}

/* Writes to a buffer, and waits. */
static MEMC_UNUSED int memc_buffer_write(struct memc_context *ctx, cl_mem buffer, size_t off, size_t bytes, const void *src)
{
  return memc_cl_waited(ctx, clEnqueueWriteBuffer(ctx->queue, buffer, CL_TRUE, off, bytes, src, 0, NULL, NULL),
                 "cannot write to the device");
}

/* Writes one element. A pattern of its size is handed over, so nothing has to wait. */
static MEMC_UNUSED int memc_buffer_set(struct memc_context *ctx, cl_mem buffer, size_t off, size_t size, const void *src)
{
  return memc_queued(ctx, clEnqueueFillBuffer(ctx->queue, buffer, src, size, off, size, 0, NULL, NULL),
                 "cannot write to the device");
}

/* Copies between places that do not overlap. */
static MEMC_UNUSED int memc_buffer_copy(struct memc_context *ctx, cl_mem dst, size_t dst_off, cl_mem src, size_t src_off, size_t bytes)
{
  return memc_queued(ctx, clEnqueueCopyBuffer(ctx->queue, src, dst, src_off, dst_off, bytes, 0, NULL, NULL),
                 "cannot copy on the device");
}

/* Bytes of a buffer where the host can see them; NULL if it cannot. */
static MEMC_UNUSED unsigned char *memc_buffer_bytes(memc_buffer buffer, int64_t off)
{
  (void)buffer;
  (void)off;
  return NULL;
}
