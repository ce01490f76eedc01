/* Calls that run while their caller goes on. Calls on one device take turns; those on different
   devices run at the same time. */

struct memc_future {
  memc_thread thread;
  struct memc_context *ctx;
  const struct memc_entry *entry;
  union memc_slot *in, *out;
  void **places;
  int err;
  char *error; /* its text */
};

static void memc_future_free(struct memc_future *f)
{
  free(f->in);
  free(f->out);
  free(f->places);
  free(f->error);
  free(f);
}

static MEMC_THREAD(memc_future_run, arg)
{
  struct memc_future *f = arg;
  if ((f->err = memc_call_to(f->ctx, f->entry, f->places, f->out, f->in)))
    f->error = memc_take_error(f->ctx);
  return 0;
}

/* Begins a call. NULL: it cannot begin, and the context says why. */
static MEMC_UNUSED struct memc_future *memc_start(struct memc_context *ctx, const struct memc_entry *e, void *const *places,
                                                  const union memc_slot *in)
{
  struct memc_future *f = ctx ? calloc(1, sizeof *f) : NULL;
  if (ctx == NULL)
    return NULL;
  if (f) {
    f->ctx = ctx;
    f->entry = e;
    f->in = calloc((size_t)e->params + 1, sizeof *f->in);
    f->out = calloc((size_t)e->results + 1, sizeof *f->out);
    f->places = calloc((size_t)e->results + 1, sizeof *f->places);
    if (f->in && f->out && f->places) {
      memcpy(f->in, in, (size_t)e->params * sizeof *in);
      memcpy(f->places, places, (size_t)e->results * sizeof *places);
      if (memc_thread_start(&f->thread, memc_future_run, f) == 0)
        return f;
    }
    memc_future_free(f);
  }
  memc_fail(ctx, MEMC_ERROR, "error: `%s`: no thread could be started for the call", e->name);
  return NULL;
}

/* Waits for a call, and gives its error code; the error becomes that of the thread that waits. */
static MEMC_UNUSED int memc_future_wait(struct memc_future *f)
{
  int err;
  if (f == NULL)
    return MEMC_ERROR;
  memc_thread_join(f->thread);
  if ((err = f->err))
    memc_report(f->ctx, err, f->error), f->error = NULL;
  memc_future_free(f);
  return err;
}
