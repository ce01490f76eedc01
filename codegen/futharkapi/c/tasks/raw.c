/* Bytes of arrays, which lie in the memory of the process. */

/* Makes an array of bytes, which it copies. */
static MEMC_UNUSED struct memc_array *memc_f_new_raw(struct futhark_context *ctx, const unsigned char *data, int prim, int rank,
                                                     const int64_t *shape)
{
  return memc_f_new_array(ctx, data, prim, rank, shape);
}

/* Gives where an array is, as long as it lives. */
static MEMC_UNUSED unsigned char *memc_f_values_raw(struct futhark_context *ctx, struct memc_array *a)
{
  unsigned char *bytes = NULL;
  memc_f_lock(ctx);
  if (memc_array_usable(&ctx->rt, a) == MEMC_OK)
    bytes = memc_bytes(a->block);
  memc_f_unlock(ctx);
  return bytes;
}
