/* Arrays of opaque values: every part has the array's dimensions in front of those
   that the part of an element has. */

/* The shape of an array is that of any of its parts; they agree. */
static const int64_t *memc_f_shape(const struct memc_f_opaque *o)
{
  static const int64_t none[64];
  return o->type->count > 0 ? o->slot[0].array->shape : none;
}

/* Checks that the first dimensions of all parts are the same. */
static MEMC_UNUSED int memc_f_same_shape(struct memc_context *ctx, const struct memc_f_type *type, const union memc_slot *part,
                                         int rank)
{
  int i;
  for (i = 1; i < type->count; i++)
    if (part[0].array && part[i].array && memcmp(part[0].array->shape, part[i].array->shape, (size_t)rank * sizeof(int64_t)))
      return memc_fail(ctx, MEMC_ERROR, "error: the arrays to zip have different shapes");
  return MEMC_OK;
}

/* Counts the scalars in a part of an element. */
static int64_t memc_f_inner(const struct memc_array *a, int rank) { return memc_elems(a->rank - rank, a->shape + rank); }

/* Copies count elements between blocks. */
static int memc_f_move(struct memc_context *ctx, struct memc_block *to, int64_t at, struct memc_block *from, int64_t where,
                       int64_t count, int prim)
{
  const int64_t one = 1;
  return count == 0 ? MEMC_OK : memc_copy(ctx, to, at, &one, from, where, &one, 1, &count, memc_prims[prim].size);
}

/* Makes an array of a shape whose contents are not defined. */
static int memc_f_room(struct memc_context *ctx, int prim, int rank, const int64_t *shape, struct memc_array **out)
{
  const int64_t elems = memc_elems(rank, shape);
  struct memc_block *block = NULL;
  int err;
  if (elems < 0)
    return memc_fail(ctx, MEMC_ERROR, "error: the shape of a new array is negative or too large");
  if ((err = memc_alloc(ctx, &block, elems * memc_prims[prim].size, MEMC_ARG_TAG - ctx->arrays, "", "an array")))
    return err;
  *out = memc_array_wrap(ctx, block, prim, rank, shape);
  memc_release(ctx, &block);
  return *out ? MEMC_OK : MEMC_NO_MEMORY;
}

/* Reads part i of the element at a place. */
static int memc_f_get_part(struct memc_context *ctx, const struct memc_array *a, int rank, int64_t at, union memc_slot *to)
{
  const int64_t inner = memc_f_inner(a, rank);
  int err = memc_array_usable(ctx, a);
  if (err)
    return err;
  if (a->rank == rank)
    return memc_load(ctx, a->block, at, (size_t)memc_prims[a->prim].size, &to->scalar);
  if ((err = memc_f_room(ctx, a->prim, a->rank - rank, a->shape + rank, &to->array)))
    return err;
  return memc_f_move(ctx, to->array->block, 0, a->block, at * inner, inner, a->prim);
}

/* Fails where part i of an element does not fit the array's. */
static int memc_f_fits(struct memc_context *ctx, const struct memc_array *a, int rank, const union memc_slot *from)
{
  const struct memc_array *e = from->array;
  int err;
  if (a->rank == rank)
    return MEMC_OK;
  if ((err = memc_array_usable(ctx, e)))
    return err;
  if (memcmp(e->shape, a->shape + rank, (size_t)e->rank * sizeof *e->shape))
    return memc_fail(ctx, MEMC_ERROR, "error: an element has another shape than the array's elements");
  return MEMC_OK;
}

/* Writes part i of the element at a place, which fits. */
static int memc_f_set_part(struct memc_context *ctx, struct memc_array *a, int rank, int64_t at, const union memc_slot *from)
{
  const int64_t inner = memc_f_inner(a, rank);
  if (a->rank == rank)
    return memc_store(ctx, a->block, at, (size_t)memc_prims[a->prim].size, &from->scalar);
  return memc_f_move(ctx, a->block, at * inner, from->array->block, 0, inner, a->prim);
}

static MEMC_UNUSED int memc_f_get(struct futhark_context *ctx, const struct memc_f_opaque *o, int rank, const int64_t *index,
                                  const struct memc_f_type *elem, struct memc_f_opaque **out)
{
  struct memc_f_opaque *e = NULL;
  int64_t at;
  int i, err = MEMC_ERROR;
  memc_f_lock(ctx);
  if ((at = memc_f_at(&ctx->rt, rank, memc_f_shape(o), index)) >= 0)
    err = memc_f_new(&ctx->rt, elem, &e);
  for (i = 0; i < elem->count && err == MEMC_OK; i++)
    err = memc_f_get_part(&ctx->rt, o->slot[i].array, rank, at, &e->slot[i]);
  if (err)
    memc_f_drop(&ctx->rt, &e);
  else
    *out = e;
  memc_f_unlock(ctx);
  return err;
}

/* Gives an array a block that nobody else has. */
static int memc_f_own(struct memc_context *ctx, struct memc_array *a)
{
  struct memc_block *block = NULL;
  int err = memc_array_usable(ctx, a);
  if (err || a->block->refs == 1)
    return err;
  if ((err = memc_alloc(ctx, &block, a->block->bytes, MEMC_ARG_TAG - ctx->arrays, "", "an array")) == MEMC_OK &&
      (err = memc_f_move(ctx, block, 0, a->block, 0, memc_elems(a->rank, a->shape), a->prim)) == MEMC_OK)
    memc_set(ctx, &a->block, block);
  memc_release(ctx, &block);
  return err;
}

static MEMC_UNUSED int memc_f_set(struct futhark_context *ctx, struct memc_f_opaque *o, int rank, const int64_t *index,
                                  const struct memc_f_opaque *elem)
{
  int64_t at;
  int i, err = MEMC_ERROR;
  memc_f_lock(ctx);
  if ((at = memc_f_at(&ctx->rt, rank, memc_f_shape(o), index)) >= 0)
    err = MEMC_OK;
  for (i = 0; i < o->type->count && err == MEMC_OK; i++)
    if ((err = memc_f_own(&ctx->rt, o->slot[i].array)) == MEMC_OK)
      err = memc_f_fits(&ctx->rt, o->slot[i].array, rank, &elem->slot[i]);
  for (i = 0; i < o->type->count && err == MEMC_OK; i++)
    err = memc_f_set_part(&ctx->rt, o->slot[i].array, rank, at, &elem->slot[i]);
  if (err == MEMC_OK)
    err = memc_sync(&ctx->rt);
  memc_f_unlock(ctx);
  return err;
}

/* Makes one part of an array of values; of no values, the inner sizes are 0. */
static int memc_f_gather(struct memc_context *ctx, const struct memc_f_part *part, int i, int rank, const int64_t *dims,
                         int64_t count, struct memc_f_opaque *const *elems, struct memc_array **out)
{
  int64_t shape[64] = {0}, at;
  int err;
  memcpy(shape, dims, (size_t)rank * sizeof *shape);
  if (count > 0 && part->rank > rank) {
    const struct memc_array *first = elems[0]->slot[i].array;
    memcpy(shape + rank, first->shape, (size_t)first->rank * sizeof *shape);
  }
  err = memc_f_room(ctx, part->prim, part->rank, shape, out);
  for (at = 0; at < count && err == MEMC_OK; at++)
    if ((err = memc_f_fits(ctx, *out, rank, &elems[at]->slot[i])) == MEMC_OK)
      err = memc_f_set_part(ctx, *out, rank, at, &elems[at]->slot[i]);
  return err;
}

static MEMC_UNUSED int memc_f_of_elements(struct futhark_context *ctx, const struct memc_f_type *type, int rank,
                                          const int64_t *dims, struct memc_f_opaque *const *elems, struct memc_f_opaque **out)
{
  const int64_t count = memc_elems(rank, dims);
  struct memc_f_opaque *o = NULL;
  int i, err;
  memc_f_lock(ctx);
  err = count < 0 ? memc_fail(&ctx->rt, MEMC_ERROR, "error: the shape of a new array is negative or too large")
                  : memc_f_new(&ctx->rt, type, &o);
  for (i = 0; i < type->count && err == MEMC_OK; i++)
    err = memc_f_gather(&ctx->rt, &type->part[i], i, rank, dims, count, elems, &o->slot[i].array);
  if (err == MEMC_OK)
    err = memc_sync(&ctx->rt);
  if (err)
    memc_f_drop(&ctx->rt, &o);
  else
    *out = o;
  memc_f_unlock(ctx);
  return err;
}
