/* Values of opaque types: the scalars and arrays that they are made of. */

struct memc_f_part { int prim, rank; };

struct memc_f_type {
  const char *name;
  int count;
  const struct memc_f_part *part;
};

struct memc_f_opaque {
  const struct memc_f_type *type;
  union memc_slot slot[1]; /* as many as the type has parts; arrays are owned */
};

/* Makes a value whose parts are all zero. */
static MEMC_UNUSED int memc_f_new(struct memc_context *ctx, const struct memc_f_type *type, struct memc_f_opaque **out)
{
  struct memc_f_opaque *o = calloc(1, sizeof *o + (size_t)type->count * sizeof *o->slot);
  if (o == NULL)
    return memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
  o->type = type;
  *out = o;
  return MEMC_OK;
}

/* Frees a value; the variable becomes empty. */
static MEMC_UNUSED void memc_f_drop(struct memc_context *ctx, struct memc_f_opaque **var)
{
  struct memc_f_opaque *o = *var;
  int i;
  *var = NULL;
  for (i = 0; o && i < o->type->count; i++)
    if (o->type->part[i].rank > 0)
      memc_array_free(ctx, o->slot[i].array);
  free(o);
}

static MEMC_UNUSED int memc_f_free_opaque(struct futhark_context *ctx, struct memc_f_opaque *o)
{
  int i, err = MEMC_OK;
  memc_f_lock(ctx);
  for (i = 0; o && i < o->type->count && err == MEMC_OK; i++)
    if (o->type->part[i].rank > 0 && o->slot[i].array && !memc_together(&ctx->rt, o->slot[i].array->maker))
      err = memc_array_usable(&ctx->rt, o->slot[i].array);
  if (err == MEMC_OK)
    memc_f_drop(&ctx->rt, &o);
  memc_f_unlock(ctx);
  return err;
}

static MEMC_UNUSED int memc_f_missing(struct memc_context *ctx, const struct memc_f_type *type)
{
  return memc_fail(ctx, MEMC_ERROR, "error: a value of type %s is missing", type->name);
}

/* Lends the parts of a value to a call. */
static MEMC_UNUSED int memc_f_lend(struct memc_context *ctx, const struct memc_f_opaque *o, const struct memc_f_type *type,
                                   union memc_slot *in)
{
  if (o == NULL)
    return memc_f_missing(ctx, type);
  memcpy(in, o->slot, (size_t)type->count * sizeof *in);
  return MEMC_OK;
}

/* Makes a part of a value: a scalar is copied, an array shares its block. */
static MEMC_UNUSED int memc_f_share(struct memc_context *ctx, const struct memc_f_part *part, union memc_slot *to,
                                    const union memc_slot *from)
{
  const struct memc_array *a = from->array;
  int err;
  if (part->rank == 0) {
    *to = *from;
    return MEMC_OK;
  }
  if ((err = memc_array_usable(ctx, a)))
    return err;
  to->array = memc_array_wrap(ctx, a->block, a->prim, a->rank, a->shape);
  return to->array ? MEMC_OK : MEMC_NO_MEMORY;
}

/* Makes a value of parts that stay with their owners. */
static MEMC_UNUSED int memc_f_build(struct futhark_context *ctx, const struct memc_f_type *type, const union memc_slot *part,
                                    struct memc_f_opaque **out)
{
  struct memc_f_opaque *o = NULL;
  int i, err = memc_f_new(&ctx->rt, type, &o);
  for (i = 0; i < type->count && err == MEMC_OK; i++)
    err = memc_f_share(&ctx->rt, &type->part[i], &o->slot[i], &part[i]);
  if (err)
    memc_f_drop(&ctx->rt, &o);
  else
    *out = o;
  return err;
}

/* Bytes: every part as a value in the binary format. */

enum { MEMC_F_HEAD = 7 };

static int64_t memc_f_bytes(const struct memc_f_part *part, const union memc_slot *slot)
{
  int64_t n = memc_prims[part->prim].size;
  if (part->rank > 0)
    n = n * memc_elems(part->rank, slot->array->shape) + 8 * (int64_t)part->rank;
  return n + MEMC_F_HEAD;
}

static void memc_f_head(unsigned char *out, const struct memc_f_part *part)
{
  char name[8];
  sprintf(name, "%4s", memc_prims[part->prim].name);
  out[0] = 'b';
  out[1] = 2;
  out[2] = (unsigned char)part->rank;
  memcpy(out + 3, name, 4);
}

static int memc_f_write(struct memc_context *ctx, const struct memc_f_part *part, const union memc_slot *slot,
                        unsigned char *out)
{
  memc_f_head(out, part);
  out += MEMC_F_HEAD;
  if (part->rank == 0) {
    memcpy(out, &slot->scalar, (size_t)memc_prims[part->prim].size);
    return MEMC_OK;
  }
  memcpy(out, slot->array->shape, 8 * (size_t)part->rank);
  return memc_array_values(ctx, slot->array, out + 8 * (size_t)part->rank);
}

static MEMC_UNUSED int memc_f_store(struct futhark_context *ctx, const struct memc_f_opaque *o, void **p, size_t *n)
{
  unsigned char *out, *made = NULL;
  int i, err = MEMC_OK;
  *n = 0;
  for (i = 0; i < o->type->count; i++)
    *n += (size_t)memc_f_bytes(&o->type->part[i], &o->slot[i]);
  if (p == NULL)
    return MEMC_OK;
  memc_f_lock(ctx);
  if (*p == NULL && (made = malloc(*n + 1)) == NULL)
    err = memc_fail(&ctx->rt, MEMC_NO_MEMORY, "error[E812]: out of host memory");
  out = made ? made : *p;
  for (i = 0; i < o->type->count && err == MEMC_OK; i++) {
    err = memc_f_write(&ctx->rt, &o->type->part[i], &o->slot[i], out);
    out += memc_f_bytes(&o->type->part[i], &o->slot[i]);
  }
  memc_f_unlock(ctx);
  if (err)
    free(made);
  else if (made)
    *p = made;
  return err;
}

/* Reads one part, and gives where the next one starts; NULL where it is none. */
static const unsigned char *memc_f_read(struct memc_context *ctx, const struct memc_f_part *part, union memc_slot *slot,
                                        const unsigned char *in)
{
  unsigned char head[MEMC_F_HEAD];
  int64_t shape[64];
  const size_t size = (size_t)memc_prims[part->prim].size;
  memc_f_head(head, part);
  if (memcmp(head, in, sizeof head) != 0) {
    memc_fail(ctx, MEMC_ERROR, "error: these bytes do not hold a value of this type");
    return NULL;
  }
  in += sizeof head;
  if (part->rank == 0) {
    memcpy(&slot->scalar, in, size);
    return in + size;
  }
  memcpy(shape, in, 8 * (size_t)part->rank);
  in += 8 * (size_t)part->rank;
  slot->array = memc_array_new(ctx, in, part->prim, part->rank, shape);
  return slot->array ? in + (size_t)memc_elems(part->rank, shape) * size : NULL;
}

static MEMC_UNUSED struct memc_f_opaque *memc_f_restore(struct futhark_context *ctx, const struct memc_f_type *type, const void *p)
{
  const unsigned char *in = p;
  struct memc_f_opaque *o = NULL;
  int i;
  memc_f_lock(ctx);
  if (memc_f_new(&ctx->rt, type, &o) == MEMC_OK) {
    for (i = 0; i < type->count && in; i++)
      in = memc_f_read(&ctx->rt, &type->part[i], &o->slot[i], in);
    if (in == NULL)
      memc_f_drop(&ctx->rt, &o);
  }
  memc_f_unlock(ctx);
  return o;
}
