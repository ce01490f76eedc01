/* Buffers: memory of the process. Everything is done when a call returns. */

static int memc_buffer_create(void *self, int64_t bytes, void **buffer)
{
  (void)self;
  if ((uint64_t)bytes > SIZE_MAX)
    return MEMC_POOL_REFUSED;
  *buffer = malloc(bytes > 0 ? (size_t)bytes : 1);
  return *buffer ? MEMC_POOL_OK : MEMC_POOL_REFUSED;
}

static void memc_buffer_release(void *self, void *buffer)
{
  (void)self;
  free(buffer);
}

static int memc_buffer_finish(void *self)
{
  (void)self;
  return MEMC_POOL_OK;
}

static MEMC_UNUSED int memc_buffer_write(struct memc_context *ctx, memc_buffer buffer, size_t off, size_t bytes, const void *src)
{
  (void)ctx;
  memcpy(buffer + off, src, bytes);
  return MEMC_OK;
}

static MEMC_UNUSED int memc_buffer_set(struct memc_context *ctx, memc_buffer buffer, size_t off, size_t size, const void *src)
{
  return memc_buffer_write(ctx, buffer, off, size, src);
}

/* Copies between places that do not overlap. */
static MEMC_UNUSED int memc_buffer_copy(struct memc_context *ctx, memc_buffer dst, size_t dst_off, memc_buffer src, size_t src_off, size_t bytes)
{
  (void)ctx;
  memcpy(dst + dst_off, src + src_off, bytes);
  return MEMC_OK;
}

static MEMC_UNUSED int memc_read_all(struct memc_context *ctx, int count, const struct memc_want *wants)
{
  int i;
  (void)ctx;
  for (i = 0; i < count; i++)
    memcpy(wants[i].dst, wants[i].buffer + wants[i].off, wants[i].bytes);
  return MEMC_OK;
}

static MEMC_UNUSED int memc_sync(struct memc_context *ctx)
{
  (void)ctx;
  return MEMC_OK;
}

/* Bytes of a buffer where the host can see them; NULL if it cannot. */
static MEMC_UNUSED unsigned char *memc_buffer_bytes(memc_buffer buffer, int64_t off)
{
  return buffer + off;
}
