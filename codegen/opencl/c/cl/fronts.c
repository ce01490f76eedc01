/* Calls of contexts that may work with others: which device a command runs on. */

/* Tells the pools of the devices that a call may run on that it begins. */
static MEMC_UNUSED void memc_turn(struct memc_context *ctx)
{
  const struct memc_several *s = ctx->several;
  int i;
  memc_guard(ctx);
  if (s == NULL || s->scatter == 0)
    memc_pool_turn(&ctx->pool);
  for (i = 0; s && s->scatter && i < s->count; i++)
    memc_pool_turn(&s->member[i]->pool);
  memc_unguard(ctx);
}

/* Chooses the device of a launch. */
static struct memc_context *memc_place(struct memc_context *ctx)
{
  struct memc_several *s = ctx->several;
  if (s == NULL || s->scatter == 0)
    return ctx;
  s->scatter ^= s->scatter << 13; /* Marsaglia's xorshift */
  s->scatter ^= s->scatter >> 7;
  s->scatter ^= s->scatter << 17;
  return s->member[s->scatter % (uint64_t)s->count];
}

/* Makes a block without storage. One that the device can never hold fails here. */
static int memc_shared_alloc(struct memc_context *ctx, struct memc_block **var, int64_t bytes, int tag, const char *where, const char *what)
{
  struct memc_several *s = ctx->several;
  struct memc_shared *sh;
  int i;
  for (i = 0; i < s->count; i++) {
    struct memc_context *m = s->scatter ? s->member[i] : ctx;
    if (bytes > m->pool.limit) {
      memc_lock(ctx);
      memc_place_full(ctx, m, where, what, bytes);
      memc_unlock(ctx);
      return MEMC_NO_MEMORY;
    }
  }
  if ((sh = memc_shared_new(ctx, bytes, tag, where, what)) == NULL)
    return memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
  *var = &sh->block;
  return MEMC_OK;
}
