/* Blocks: reference-counted device memory. Which buffer of the driver's a block
   lies in, and where, is the pool's business (pool.c). */

/* Tags of blocks that no allocation of the program makes: temporaries of copies,
   and arrays from outside. The tag of these falls by one with every array that
   there is already, so that a caller who does the same again uses the same tags. */
enum { MEMC_TEMP_TAG = -1, MEMC_ARG_TAG = -2 };

/* Drops one reference; the variable becomes empty. Compilers that see what
   happens inline, but not the counts, warn of uses after it. */
static MEMC_UNUSED MEMC_NOINLINE void memc_release(struct memc_context *ctx, struct memc_block **var)
{
  struct memc_block *b = *var;
  *var = NULL;
  if (b && b->shared) {
    memc_shared_release(b);
  } else if (b && --b->refs == 0) {
    if (b->range)
      memc_pool_put(&ctx->pool, b->range);
    else if (b->rehearsed)
      ctx->rehearsed -= b->bytes;
    else
      memc_foreign_release(b->buffer);
    *(b->prev ? &b->prev->next : &ctx->live) = b->next;
    if (b->next)
      b->next->prev = b->prev;
    b->next = ctx->spare;
    ctx->spare = b;
  }
}

static MEMC_UNUSED struct memc_block *memc_retain(struct memc_block *b)
{
  if (b && b->shared)
    memc_shared_retain(b);
  else if (b)
    b->refs++;
  return b;
}

/* Takes a block out of a variable that holds the only reference to it; NULL: others share it, or it
   is lent. */
static MEMC_UNUSED struct memc_block *memc_take_sole(struct memc_block **var)
{
  struct memc_block *b = *var;
  if (b->shared)
    return memc_shared_take(var);
  if (b->refs > 1 || b->lent)
    return NULL;
  *var = NULL;
  return b;
}

/* Makes dst another reference to src's block. */
static MEMC_UNUSED void memc_set(struct memc_context *ctx, struct memc_block **dst, struct memc_block *src)
{
  memc_retain(src);
  memc_release(ctx, dst);
  *dst = src;
}

/* Lists the largest live blocks. */
static void memc_list_blocks(const struct memc_context *ctx, char *text, size_t room)
{
  enum { MOST = 5 };
  const struct memc_block *top[MOST] = {NULL}, *b;
  int i, k, count = 0;
  for (b = ctx->live; b; b = b->next, count++) {
    for (i = 0; i < MOST && top[i] && top[i]->bytes > b->bytes; i++)
      ;
    for (k = MOST - 1; k > i; k--)
      top[k] = top[k - 1];
    if (i < MOST)
      top[i] = b;
  }
  for (i = 0; i < MOST && top[i]; i++)
    memc_append(text, room, "\nnote: %s holds %" PRId64 " bytes", top[i]->what, top[i]->bytes);
  if (count > MOST)
    memc_append(text, room, "\nnote: and %d smaller blocks", count - MOST);
}

static int memc_no_memory(struct memc_context *ctx, const char *where, const char *what, int64_t bytes)
{
  char text[2400] = "", holes[400] = "";
  memc_keep_snapshot(ctx, memc_snapshot(ctx, where, what, bytes));
  memc_pool_why(&ctx->pool, bytes, text, sizeof text);
  memc_list_blocks(ctx, text, sizeof text);
  memc_pool_holes(&ctx->pool, bytes, holes, sizeof holes);
  memc_append(text, sizeof text, "%s%s", *holes ? "\nnote: " : "", holes);
  return memc_fail(ctx, MEMC_NO_MEMORY, "%serror[E812]: %s: %s", where, what, text);
}

/* Sizes of blocks, which do not wrap: what no int64_t can hold is large, small (below 0)
   or, from both, unknown. */
#define MEMC_MAX_BYTES ((int64_t)1 << 47)
#define MEMC_LARGE INT64_MAX
#define MEMC_UNKNOWN (MEMC_LARGE - 1)
#define MEMC_SMALL INT64_MIN

static MEMC_UNUSED int64_t memc_neg_bytes(int64_t a)
{
  return a == MEMC_LARGE ? MEMC_SMALL : a == MEMC_SMALL ? MEMC_LARGE : a == MEMC_UNKNOWN ? a : -a;
}

static MEMC_UNUSED int64_t memc_mul_bytes(int64_t a, int64_t b)
{
  const int wide = a == MEMC_LARGE || a == MEMC_SMALL || b == MEMC_LARGE || b == MEMC_SMALL;
  const uint64_t x = a < 0 ? -(uint64_t)a : (uint64_t)a, y = b < 0 ? -(uint64_t)b : (uint64_t)b;
  if (a == 0 || b == 0)
    return 0;
  if (a == MEMC_UNKNOWN || b == MEMC_UNKNOWN)
    return MEMC_UNKNOWN;
  if (wide || x > (uint64_t)(MEMC_LARGE - 1) / y)
    return (a < 0) == (b < 0) ? MEMC_LARGE : MEMC_SMALL;
  return (a < 0) == (b < 0) ? (int64_t)(x * y) : -(int64_t)(x * y);
}

static MEMC_UNUSED int64_t memc_add_bytes(int64_t a, int64_t b)
{
  const int64_t wide = b == MEMC_LARGE || b == MEMC_SMALL ? b : a, other = wide == b ? a : b;
  if (a == MEMC_UNKNOWN || b == MEMC_UNKNOWN)
    return MEMC_UNKNOWN;
  if (wide == MEMC_LARGE)
    return other >= -MEMC_MAX_BYTES ? MEMC_LARGE : MEMC_UNKNOWN;
  if (wide == MEMC_SMALL)
    return other <= MEMC_MAX_BYTES ? MEMC_SMALL : MEMC_UNKNOWN;
  if (a > 0 && b >= MEMC_UNKNOWN - a)
    return MEMC_LARGE;
  if (a < 0 && b < MEMC_SMALL - a)
    return MEMC_SMALL;
  return a + b;
}

static MEMC_UNUSED int64_t memc_max_bytes(int64_t a, int64_t b)
{
  return a > b ? a : b;
}

static MEMC_UNUSED int64_t memc_min_bytes(int64_t a, int64_t b)
{
  if (a == MEMC_UNKNOWN || b == MEMC_UNKNOWN)
    return MEMC_UNKNOWN;
  return a < b ? a : b;
}

/* Lists a block, with one reference. */
static MEMC_UNUSED void memc_block_live(struct memc_context *ctx, struct memc_block *b, int64_t bytes,
                                        struct memc_range *range, const char *what, const char *where)
{
  b->refs = 1;
  b->bytes = bytes;
  b->range = range;
  b->rehearsed = b->lent = 0;
  b->what = what;
  b->where = where;
  b->shared = NULL;
  b->prev = NULL;
  if ((b->next = ctx->live))
    b->next->prev = b;
  ctx->live = b;
}

/* Makes a block on the context's device, with one reference. The result is one of the pool's;
   no message is recorded. */
static int memc_block_new(struct memc_context *ctx, struct memc_block **var, int64_t bytes, int tag, const char *where, const char *what)
{
  struct memc_block *b = ctx->spare;
  struct memc_range *range = NULL;
  int err;
  if (b)
    ctx->spare = b->next;
  else if ((b = malloc(sizeof *b)) == NULL)
    return MEMC_POOL_NO_HOST;
  if (ctx->rehearsing)
    err = bytes > MEMC_MAX_BYTES - ctx->rehearsed ? MEMC_POOL_LIMIT : MEMC_POOL_OK;
  else
    err = memc_pool_get(&ctx->pool, bytes, tag, &range);
  if (err) {
    b->next = ctx->spare;
    ctx->spare = b;
    return err;
  }
  b->buffer = range ? range->buf->handle : NULL;
  b->offset = range ? range->off : 0;
  memc_block_live(ctx, b, bytes, range, what, where);
  *var = b;
  if (range) {
    memc_log(ctx, "%s: %" PRId64 " bytes; %" PRId64 " in use, at most %" PRId64, what, bytes, ctx->pool.stats.asked, ctx->pool.stats.peak_asked);
    return MEMC_POOL_OK;
  }
  b->rehearsed = 1;
  ctx->rehearsed += bytes;
  if (ctx->rehearsed > ctx->rehearsed_peak)
    ctx->rehearsed_peak = ctx->rehearsed;
  return MEMC_POOL_OK;
}

/* Makes a block of a whole buffer that is not the pool's, and takes it over; an error releases it. */
static MEMC_UNUSED int memc_block_of(struct memc_context *ctx, struct memc_block **var, memc_buffer buffer, int64_t bytes, const char *what)
{
  struct memc_block *b = malloc(sizeof *b);
  if (b == NULL) {
    memc_foreign_release(buffer);
    return memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
  }
  b->buffer = buffer;
  b->offset = 0;
  memc_block_live(ctx, b, bytes, NULL, what, "");
  *var = b;
  return MEMC_OK;
}

/* Makes a block with one reference. The tag numbers the allocation in the
   program; where and what begin the message of an error. */
static MEMC_UNUSED int memc_alloc(struct memc_context *ctx, struct memc_block **var, int64_t bytes, int tag,
                                  const char *where, const char *what)
{
  int err;
  memc_release(ctx, var);
  if ((err = memc_usable(ctx)))
    return err;
  if (bytes < 0)
    bytes = 0;
  if (memc_is_several(ctx) && !ctx->rehearsing)
    return memc_shared_alloc(ctx, var, bytes, tag, where, what);
  if ((err = memc_block_new(ctx, var, bytes, tag, where, what)) == MEMC_POOL_NO_HOST)
    return memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
  if (err && ctx->rehearsing)
    return memc_fail(ctx, MEMC_NO_MEMORY, "%serror[E812]: %s: no memory has room for this block", where, what);
  return err ? memc_no_memory(ctx, where, what, bytes) : MEMC_OK;
}

/* Ends the pool, with every block that is still live. */
static MEMC_UNUSED void memc_blocks_down(struct memc_context *ctx)
{
  struct memc_block *b, *lists[2];
  int i;
  lists[0] = ctx->live;
  lists[1] = ctx->spare;
  for (b = ctx->live; b; b = b->next)
    if (b->range == NULL)
      memc_foreign_release(b->buffer);
  memc_pool_down(&ctx->pool);
  for (i = 0; i < 2; i++)
    while ((b = lists[i])) {
      lists[i] = b->next;
      free(b);
    }
  ctx->live = ctx->spare = NULL;
}

/* Reads the start of a block; waits for the device, and reports its faults first. Of several
   devices the nearest is read that holds the contents. */
static MEMC_UNUSED int memc_read(struct memc_context *ctx, struct memc_block *b, size_t bytes, void *dst)
{
  struct memc_want w = {NULL, 0, 0, NULL, NULL, 0}; /* or GCC warns of it */
  int done, err = memc_usable(ctx);
  if (err || (err = memc_shared_values(ctx, b, 0, bytes, dst, &done)) || done)
    return err;
  w.block = b, w.off = 0, w.bytes = bytes, w.dst = dst;
  return memc_read_all(ctx, 1, &w);
}

/* Asks for the element at off; faults of the device come before a wrong place. */
static MEMC_UNUSED int memc_want(struct memc_context *ctx, struct memc_want *w, struct memc_block *b, int64_t off, size_t size, void *dst)
{
  if (!memc_within(b, off, 1, (int64_t)size)) {
    int err = memc_sync(ctx);
    return err ? err : memc_outside(ctx, b, "a read", off, 1);
  }
  w->block = b, w->off = (size_t)off * size, w->bytes = size, w->dst = dst;
  return MEMC_OK;
}

/* Reads the element at off; waits for the device, and reports its faults first. */
static MEMC_UNUSED int memc_load(struct memc_context *ctx, struct memc_block *b, int64_t off, size_t size, void *dst)
{
  struct memc_want w = {NULL, 0, 0, NULL, NULL, 0}; /* or GCC warns of it */
  int err = memc_want(ctx, &w, b, off, size, dst);
  return err ? err : memc_read_all(ctx, 1, &w);
}

/* Writes count elements from off on, and waits. */
static MEMC_UNUSED int memc_store_all(struct memc_context *ctx, struct memc_block *b, int64_t off, size_t size, size_t count, const void *src)
{
  if (!memc_within(b, off, (int64_t)count, (int64_t)size))
    return memc_outside(ctx, b, "a write", off, (int64_t)count);
  return ctx->rehearsing ? MEMC_OK : memc_block_write(ctx, b, (size_t)off * size, size * count, src);
}

/* Writes the element at off. */
static MEMC_UNUSED int memc_store(struct memc_context *ctx, struct memc_block *b, int64_t off, size_t size, const void *src)
{
  if (!memc_within(b, off, 1, (int64_t)size))
    return memc_outside(ctx, b, "a write", off, 1);
  return ctx->rehearsing ? MEMC_OK : memc_block_set(ctx, b, (size_t)off * size, size, src);
}
