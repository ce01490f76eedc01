/* Arrays: memc's, under Futhark's names. */

static MEMC_UNUSED struct memc_array *memc_f_new_array(struct futhark_context *ctx, const void *data, int prim, int rank,
                                                       const int64_t *shape)
{
  struct memc_array *a;
  memc_f_lock(ctx);
  a = memc_array_new(&ctx->rt, data, prim, rank, shape);
  memc_f_unlock(ctx);
  return a;
}

static MEMC_UNUSED int memc_f_free_array(struct futhark_context *ctx, struct memc_array *a)
{
  int err;
  memc_f_lock(ctx);
  err = memc_array_free(&ctx->rt, a);
  memc_f_unlock(ctx);
  return err;
}

static MEMC_UNUSED int memc_f_values(struct futhark_context *ctx, const struct memc_array *a, void *data)
{
  int err;
  memc_f_lock(ctx);
  err = memc_array_values(&ctx->rt, a, data);
  memc_f_unlock(ctx);
  return err;
}

/* Gives the number of an element, counted row by row, or -1 and an error where
   there is none. */
static MEMC_UNUSED int64_t memc_f_at(struct memc_context *ctx, int rank, const int64_t *shape, const int64_t *index)
{
  int64_t at = 0;
  int i;
  for (i = 0; i < rank; i++) {
    if (index[i] < 0 || index[i] >= shape[i]) {
      memc_fail(ctx, MEMC_ERROR, "error[E801]: index %" PRId64 " is out of bounds for dimension %d, whose size is %" PRId64,
                index[i], i, shape[i]);
      return -1;
    }
    at = at * shape[i] + index[i];
  }
  return at;
}

/* Reads one element. */
static MEMC_UNUSED int memc_f_index(struct futhark_context *ctx, const struct memc_array *a, void *out, const int64_t *index)
{
  int err = MEMC_ERROR;
  int64_t at;
  memc_f_lock(ctx);
  if (memc_array_usable(&ctx->rt, a) == MEMC_OK && (at = memc_f_at(&ctx->rt, a->rank, a->shape, index)) >= 0)
    err = memc_load(&ctx->rt, a->block, at, (size_t)memc_prims[a->prim].size, out);
  memc_f_unlock(ctx);
  return err;
}
