/* Arrays of the API: a block, row-major from offset 0, and a shape. */

struct memc_array {
  struct memc_context *maker; /* only it, and those that it works with, take the array */
  struct memc_block *block;   /* NULL once it was consumed */
  int prim, rank;
  int64_t *shape; /* in the same allocation */
};

/* Wraps a block, to which it takes a reference. */
static MEMC_UNUSED struct memc_array *memc_array_wrap(struct memc_context *ctx, struct memc_block *block,
                                                      int prim, int rank, const int64_t *shape)
{
  struct memc_array *a = malloc(sizeof *a + (size_t)rank * sizeof *shape);
  if (a == NULL) {
    memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
    return NULL;
  }
  ctx->arrays++;
  a->maker = ctx;
  a->block = memc_retain(block);
  a->prim = prim;
  a->rank = rank;
  a->shape = (int64_t *)(a + 1);
  memcpy(a->shape, shape, (size_t)rank * sizeof *shape);
  return a;
}

/* Makes an array from elements on the host; NULL where that fails. */
static MEMC_UNUSED struct memc_array *memc_array_new(struct memc_context *ctx, const void *data,
                                                     int prim, int rank, const int64_t *shape)
{
  const int64_t elems = memc_elems(rank, shape);
  const int size = memc_prims[prim].size;
  struct memc_block *block = NULL;
  struct memc_array *a = NULL;
  if (elems < 0 || (elems > 0 && data == NULL)) {
    memc_fail(ctx, MEMC_MISUSE, elems < 0 ? "error[E907]: the shape of a new array is negative or too large"
                                          : "error[E907]: a new array has no data");
    return NULL;
  }
  if (memc_alloc(ctx, &block, elems * size, MEMC_ARG_TAG - ctx->arrays, "", "an argument"))
    return NULL;
  if (elems == 0 || memc_block_write(ctx, block, 0, (size_t)(elems * size), data) == MEMC_OK)
    a = memc_array_wrap(ctx, block, prim, rank, shape);
  memc_release(ctx, &block);
  return a;
}

/* Tells why a context cannot use an array; NULL: it can. */
static MEMC_UNUSED const char *memc_array_wrong(const struct memc_context *ctx, const struct memc_array *a)
{
  if (a == NULL)
    return "is missing";
  if (!memc_together(ctx, a->maker))
    return "belongs to another context";
  return a->block ? NULL : "was consumed by a call";
}

/* Fails where a context cannot use an array. */
static MEMC_UNUSED int memc_array_usable(struct memc_context *ctx, const struct memc_array *a)
{
  const char *wrong = memc_array_wrong(ctx, a);
  return wrong ? memc_fail(ctx, MEMC_MISUSE, "error[%s]: the array %s", a ? "E905" : "E902", wrong) : MEMC_OK;
}

static MEMC_UNUSED int memc_array_free(struct memc_context *ctx, struct memc_array *a)
{
  if (a == NULL)
    return MEMC_OK;
  if (!memc_together(ctx, a->maker))
    return memc_array_usable(ctx, a);
  memc_release(ctx, &a->block);
  ctx->arrays -= ctx->arrays > 0; /* of several devices, another may have made the array */
  free(a);
  return MEMC_OK;
}

static MEMC_UNUSED int memc_array_values(struct memc_context *ctx, const struct memc_array *a, void *data)
{
  int64_t bytes;
  int err = memc_array_usable(ctx, a);
  if (err)
    return err;
  bytes = memc_elems(a->rank, a->shape) * memc_prims[a->prim].size;
  if (bytes == 0)
    return MEMC_OK;
  if (data == NULL)
    return memc_fail(ctx, MEMC_MISUSE, "error: there is no place for an array's elements: the pointer is NULL");
  return memc_read(ctx, a->block, (size_t)bytes, data);
}
