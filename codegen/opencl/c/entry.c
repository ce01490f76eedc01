/* Entries: how a call from outside reaches a function. */

struct memc_param {
  const char *name, *type, *where; /* where: its place in the IR source */
  int prim, rank;                  /* rank 0: a scalar */
  int consumed;
};

/* A result; size tells that it sizes a later one, and is not written out. */
struct memc_result { int prim, rank, size; };

/* An argument or a result: a scalar (a bool as 0 or 1 in u8), or an array. */
union memc_slot {
  union memc_scalar scalar;
  struct memc_array *array;
};

struct memc_entry {
  const char *name, *signature;
  int params, results;
  int rehearsable; /* see peak.c */
  const struct memc_param *param;
  const struct memc_result *result;
  int (*call)(struct memc_context *ctx, union memc_slot *out, const union memc_slot *in);
};

/* A size variable while arguments are bound to it. */
struct memc_size {
  const char *name;
  const char *from; /* the array that it was taken from; NULL: a scalar argument */
  int bound;
  int64_t value;
};

/* Checks the arrays of a call before anything is done to one of them: a context can use each, and
   none is given to a parameter that consumes it and to another one, too. */
static int memc_arrays_usable(struct memc_context *ctx, const struct memc_entry *e, const union memc_slot *in)
{
  int i, k;
  for (i = 0; i < e->params; i++) {
    const struct memc_param *p = &e->param[i];
    const char *wrong = p->rank > 0 ? memc_array_wrong(ctx, in[i].array) : NULL;
    if (wrong)
      return memc_fail(ctx, MEMC_MISUSE, "%serror[%s]: argument `%s` %s", p->where, in[i].array ? "E905" : "E902", p->name, wrong);
  }
  for (i = 0; i < e->params; i++)
    for (k = 0; k < e->params && e->param[i].consumed; k++)
      if (k != i && e->param[k].rank > 0 && in[k].array == in[i].array)
        return memc_fail(ctx, MEMC_MISUSE, "%serror[E906]: arguments `%s` and `%s` are one array, which `%s` consumes",
                         e->param[i].where, e->param[i < k ? i : k].name, e->param[i < k ? k : i].name, e->param[i].name);
  return MEMC_OK;
}

/* Takes an array's block. A consumed argument loses it; where others share that block they keep
   it, and the call gets a copy. */
static MEMC_UNUSED int memc_take(struct memc_context *ctx, const struct memc_param *p, struct memc_array *a,
                                 struct memc_block **block)
{
  const int64_t one = 1;
  int64_t bytes;
  int err;
  if (!p->consumed) {
    memc_set(ctx, block, a->block);
    return MEMC_OK;
  }
  if ((*block = memc_take_sole(&a->block)))
    return MEMC_OK;
  bytes = a->block->bytes;
  if ((err = memc_alloc(ctx, block, bytes, MEMC_ARG_TAG, p->where, p->name)) == 0 &&
      (err = memc_copy(ctx, *block, 0, &one, a->block, 0, &one, 1, &bytes, 1)) == 0)
    memc_release(ctx, &a->block);
  return err;
}

/* Checks a dimension whose size the type fixes. */
static MEMC_UNUSED int memc_bind_const(struct memc_context *ctx, const struct memc_param *p, const struct memc_array *a,
                                       int dim, int64_t size)
{
  if (a->shape[dim] == size)
    return MEMC_OK;
  return memc_fail(ctx, MEMC_FAULT, "%serror[E904]: argument `%s` has size %" PRId64 " in dimension %d, but %" PRId64
                   " is expected", p->where, p->name, a->shape[dim], dim, size);
}

/* Binds a size variable to a dimension, which must agree where it is bound. */
static MEMC_UNUSED int memc_bind(struct memc_context *ctx, const struct memc_param *p, const struct memc_array *a,
                                 int dim, struct memc_size *s)
{
  if (!s->bound) {
    s->bound = 1;
    s->from = p->name;
    s->value = a->shape[dim];
  }
  if (s->value == a->shape[dim])
    return MEMC_OK;
  return memc_fail(ctx, MEMC_FAULT, "%serror[E904]: argument `%s` has size %" PRId64 " in dimension %d, but `%s` is %" PRId64
                   "%s%s%s", p->where, p->name, a->shape[dim], dim, s->name, s->value,
                   s->from ? " (from `" : "", s->from ? s->from : "", s->from ? "`)" : "");
}

/* Hands an array result out. What lies in a buffer of the caller's is copied: the caller may write there
   once the argument is freed. */
static MEMC_UNUSED int memc_give(struct memc_context *ctx, const struct memc_result *r, struct memc_block *block,
                                 const int64_t *shape, struct memc_array **out)
{
  const int64_t elems = memc_elems(r->rank, shape), one = 1;
  int64_t bytes;
  int err;
  if (block == NULL || elems < 0 || elems > block->bytes / memc_prims[r->prim].size)
    return memc_fail(ctx, MEMC_ERROR, "error: a result does not fit its block");
  if (block->lent) {
    struct memc_block *own = NULL;
    bytes = elems * memc_prims[r->prim].size;
    if ((err = memc_alloc(ctx, &own, bytes, MEMC_ARG_TAG, "", "a result")) == 0 &&
        (err = memc_copy(ctx, own, 0, &one, block, 0, &one, 1, &bytes, 1)) == 0)
      *out = memc_array_wrap(ctx, own, r->prim, r->rank, shape);
    memc_release(ctx, &own);
    return err ? err : *out ? MEMC_OK : MEMC_NO_MEMORY;
  }
  *out = memc_array_wrap(ctx, block, r->prim, r->rank, shape);
  return *out ? MEMC_OK : MEMC_NO_MEMORY;
}

/* Calls an entry and waits until it is done. What a kernel found comes before
   what the host made of its results. */
static MEMC_UNUSED int memc_call(struct memc_context *ctx, const struct memc_entry *e,
                                 union memc_slot *out, const union memc_slot *in)
{
  const int64_t start = memc_now_us();
  int64_t us;
  int err, late, i;
  memset(out, 0, (size_t)e->results * sizeof *out);
  err = memc_usable(ctx);
  if (err == MEMC_OK)
    err = memc_arrays_usable(ctx, e, in);
  memc_turn(ctx);
  if (err == MEMC_OK)
    err = e->call(ctx, out, in);
  if (!ctx->lost && (err == MEMC_OK || ctx->launched)) {
    late = memc_sync(ctx);
    err = late ? late : err;
  }
  for (i = 0; err && i < e->results; i++)
    if (e->result[i].rank > 0) {
      memc_array_free(ctx, out[i].array);
      out[i].array = NULL;
    }
  us = memc_now_us() - start;
  ctx->stats.wall_us += us;
  memc_log(ctx, "entry %s: %" PRId64 " us, code %d", e->name, us, err);
  if (ctx->called)
    ctx->called(ctx, e->name, us);
  return err;
}

/* Calls an entry from outside, and puts its results at places. */
static MEMC_UNUSED int memc_call_to(struct memc_context *ctx, const struct memc_entry *e, void *const *places,
                                    union memc_slot *out, const union memc_slot *in)
{
  int i, err = MEMC_OK;
  if (ctx == NULL)
    return MEMC_ERROR;
  memc_enter(ctx);
  for (i = 0; i < e->results && err == MEMC_OK; i++)
    if (places[i] == NULL)
      err = memc_fail(ctx, MEMC_MISUSE, "error: `%s`: there is no place for result %d: out%d is NULL", e->name, i, i);
  if (err == MEMC_OK)
    err = memc_call(ctx, e, out, in);
  memc_leave(ctx);
  for (i = 0; i < e->results && err == MEMC_OK; i++) {
    const struct memc_result *r = &e->result[i];
    if (r->rank > 0)
      memcpy(places[i], &out[i].array, sizeof out[i].array);
    else
      memcpy(places[i], &out[i].scalar, (size_t)memc_prims[r->prim].size);
  }
  return err;
}
