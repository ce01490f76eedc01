/* Arrays in memory of the caller's. */

/* Makes an array that lies where its elements are; NULL where that fails. Elements that are not aligned
   for their type are copied. */
static MEMC_UNUSED struct memc_array *memc_array_lent(struct memc_context *ctx, const void *data, int prim, int rank, const int64_t *shape)
{
  const int64_t elems = memc_elems(rank, shape);
  struct memc_block *block = NULL;
  struct memc_array *a = NULL;
  if (elems <= 0 || data == NULL || (uintptr_t)data % (uintptr_t)memc_prims[prim].size != 0)
    return memc_array_new(ctx, data, prim, rank, shape);
  if (memc_block_of(ctx, &block, (memc_buffer)(uintptr_t)data, elems * memc_prims[prim].size, "an argument") == MEMC_OK) {
    block->lent = 1;
    a = memc_array_wrap(ctx, block, prim, rank, shape);
  }
  memc_release(ctx, &block);
  return a;
}

/* Makes a second array of an array's block; NULL where that fails. A call that consumes one of the two finds the
   block shared, and works on a copy. */
static MEMC_UNUSED struct memc_array *memc_array_view(struct memc_context *ctx, const struct memc_array *a)
{
  return memc_array_usable(ctx, a) ? NULL : memc_array_wrap(ctx, a->block, a->prim, a->rank, a->shape);
}
