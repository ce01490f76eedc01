/* Buffers: memory of the process. Everything is done when a call returns. */

static int memc_buffer_create(void *self, int64_t bytes, void **buffer)
{
  const struct memc_supply *s = &((const struct memc_context *)self)->supply;
  if ((uint64_t)bytes > SIZE_MAX)
    return MEMC_POOL_TOO_LARGE;
  *buffer = s->alloc ? s->alloc(s->self, bytes) : malloc(bytes > 0 ? (size_t)bytes : 1);
  return *buffer ? MEMC_POOL_OK : MEMC_POOL_REFUSED;
}

static void memc_buffer_release(void *self, void *buffer)
{
  const struct memc_supply *s = &((const struct memc_context *)self)->supply;
  if (s->alloc)
    s->release(s->self, buffer);
  else
    free(buffer);
}

/* Ends the use of memory that is not the pool's: it is the caller's. */
static void memc_foreign_release(memc_buffer buffer) { (void)buffer; }

static int memc_buffer_finish(void *self)
{
  (void)self;
  return MEMC_POOL_OK;
}

/* Where a block's bytes are. */
static MEMC_UNUSED unsigned char *memc_bytes(const struct memc_block *b)
{
  return b && b->buffer ? b->buffer + b->offset : NULL;
}

static MEMC_UNUSED int memc_block_write(struct memc_context *ctx, struct memc_block *b, size_t off, size_t bytes, const void *src)
{
  (void)ctx;
  memcpy(memc_bytes(b) + off, src, bytes);
  return MEMC_OK;
}

static MEMC_UNUSED int memc_block_set(struct memc_context *ctx, struct memc_block *b, size_t off, size_t size, const void *src)
{
  return memc_block_write(ctx, b, off, size, src);
}

/* Copies between places that do not overlap. */
static MEMC_UNUSED int memc_block_copy(struct memc_context *ctx, struct memc_block *dst, size_t dst_off, struct memc_block *src,
                                       size_t src_off, size_t bytes)
{
  (void)ctx;
  memcpy(memc_bytes(dst) + dst_off, memc_bytes(src) + src_off, bytes);
  return MEMC_OK;
}

static MEMC_UNUSED int memc_read_all(struct memc_context *ctx, int count, struct memc_want *wants)
{
  int i;
  if (ctx->rehearsing)
    return memc_read_zeros(count, wants);
  for (i = 0; i < count; i++)
    memcpy(wants[i].dst, memc_bytes(wants[i].block) + wants[i].off, wants[i].bytes);
  return MEMC_OK;
}

static MEMC_UNUSED int memc_sync(struct memc_context *ctx)
{
  (void)ctx;
  return MEMC_OK;
}

/* Bytes of a block where the host can see them; NULL if it cannot. */
static MEMC_UNUSED unsigned char *memc_block_bytes(const struct memc_block *b)
{
  return memc_bytes(b);
}
