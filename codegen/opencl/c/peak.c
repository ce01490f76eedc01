/* Rehearsals: a call without its device, which counts the bytes of its blocks (imp, Note [Rehearsal]). */

/* Makes the arguments that are arrays, without elements. */
static int memc_rehearse_arrays(struct memc_context *ctx, const struct memc_entry *e, const int64_t *const *shapes, union memc_slot *in)
{
  int i, err = MEMC_OK;
  for (i = 0; i < e->params && err == MEMC_OK; i++) {
    const struct memc_param *p = &e->param[i];
    struct memc_block *block = NULL;
    int64_t elems;
    if (p->rank == 0)
      continue;
    if ((elems = memc_elems(p->rank, shapes[i])) < 0)
      return memc_fail(ctx, MEMC_MISUSE, "error[E907]: the shape of argument `%s` is negative or too large", p->name);
    if ((err = memc_alloc(ctx, &block, elems * memc_prims[p->prim].size, MEMC_ARG_TAG, "", "an argument")) == MEMC_OK &&
        (in[i].array = memc_array_wrap(ctx, block, p->prim, p->rank, shapes[i])) == NULL)
      err = MEMC_NO_MEMORY;
    memc_release(ctx, &block);
  }
  return err;
}

/* Gives the most bytes that blocks hold during a call with arrays of these shapes, arguments included. */
static MEMC_UNUSED int memc_peak(struct memc_context *ctx, const struct memc_entry *e, const int64_t *const *shapes,
                                 union memc_slot *in, union memc_slot *out, int64_t *bytes)
{
  struct memc_stats stats;
  int arrays, i, err;
  if (ctx == NULL)
    return MEMC_ERROR;
  memc_enter(ctx);
  err = memc_usable(ctx);
  if (err == MEMC_OK && bytes == NULL)
    err = memc_fail(ctx, MEMC_MISUSE, "error: `%s`: there is no place for the peak: the pointer is NULL", e->name);
  if (err == MEMC_OK && !e->rehearsable)
    err = memc_fail(ctx, MEMC_ERROR, "error: the peak of `%s` depends on values that it computes", e->name);
  if (err == MEMC_OK) {
    memset(out, 0, (size_t)e->results * sizeof *out);
    stats = ctx->stats, arrays = ctx->arrays;
    ctx->rehearsing = 1;
    ctx->rehearsed = ctx->rehearsed_peak = 0;
    if ((err = memc_rehearse_arrays(ctx, e, shapes, in)) == MEMC_OK && (err = e->call(ctx, out, in)) == MEMC_OK)
      *bytes = ctx->rehearsed_peak;
    for (i = 0; i < e->params; i++)
      if (e->param[i].rank > 0)
        memc_array_free(ctx, in[i].array);
    for (i = 0; i < e->results; i++)
      if (e->result[i].rank > 0)
        memc_array_free(ctx, out[i].array);
    ctx->rehearsing = 0;
    ctx->stats = stats, ctx->arrays = arrays;
  }
  memc_leave(ctx);
  return err;
}

#ifdef MEMC_CHECK_PEAK /* for tests: every call of the program is rehearsed */
static int memc_check_peak(struct memc_context *ctx, const struct memc_entry *e, const union memc_slot *in, int64_t found)
{
  const int64_t **shapes = calloc((size_t)e->params + 1, sizeof *shapes);
  union memc_slot *mine = calloc((size_t)e->params + 1, sizeof *mine), *made = calloc((size_t)e->results + 1, sizeof *made);
  int64_t told = 0;
  int i, err = shapes && mine && made ? MEMC_OK : MEMC_NO_MEMORY;
  for (i = 0; err == MEMC_OK && i < e->params; i++) {
    if (e->param[i].rank > 0)
      shapes[i] = in[i].array->shape; /* the rehearsal makes, and frees, arrays of its own */
    else
      mine[i] = in[i];
  }
  if (err == MEMC_OK && e->rehearsable && !memc_is_several(ctx) && (err = memc_peak(ctx, e, shapes, mine, made, &told)) == MEMC_OK && told != found)
    err = memc_fail(ctx, MEMC_ERROR, "error: the peak of `%s` was told as %" PRId64 " bytes, and is %" PRId64, e->name, told, found);
  free(shapes);
  free(mine);
  free(made);
  return err;
}
#endif
