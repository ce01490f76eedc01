/* Context: memc's, with a lock, since Futhark's may be used by several threads. */

/* A call of an entry, while profiling is on. */
struct memc_f_event { const char *entry; int64_t us; };

struct futhark_context {
  struct memc_context rt; /* first: memc_f_called knows it by that */
  memc_mutex lock;
  FILE *file; /* for messages; which are told only where rt.log is not NULL */
  int profiling, paused;
  struct memc_f_event *events;
  size_t count, room;
};

static void memc_f_lock(struct futhark_context *ctx) { memc_mutex_take(&ctx->lock); }

static void memc_f_unlock(struct futhark_context *ctx) { memc_mutex_give(&ctx->lock); }

/* Refuses a pointer for a result that is NULL. */
static MEMC_UNUSED int memc_f_no_place(struct futhark_context *ctx, const char *name)
{
  int err;
  memc_f_lock(ctx);
  err = memc_fail(&ctx->rt, MEMC_ERROR, "error: there is no place for a result: %s is NULL", name);
  memc_f_unlock(ctx);
  return err;
}

/* Notes a call. Where there is no memory for that the event is left out. */
static void memc_f_called(struct memc_context *rt, const char *entry, int64_t us)
{
  struct futhark_context *ctx = (struct futhark_context *)rt;
  struct memc_f_event *more;
  if (!ctx->profiling || ctx->paused)
    return;
  if (ctx->count == ctx->room) {
    const size_t room = ctx->room ? 2 * ctx->room : 16;
    if ((more = realloc(ctx->events, room * sizeof *more)) == NULL)
      return;
    ctx->events = more;
    ctx->room = room;
  }
  ctx->events[ctx->count].entry = entry;
  ctx->events[ctx->count++].us = us;
}

struct futhark_context *futhark_context_new(struct futhark_context_config *cfg)
{
  struct futhark_context *ctx = calloc(1, sizeof *ctx);
  if (ctx == NULL)
    return NULL;
  memc_mutex_up(&ctx->lock);
  ctx->file = stderr;
  ctx->rt.called = memc_f_called;
  if (cfg) {
#ifdef MEMC_TARGET_SEVERAL
    cfg->rt.alone = 1;
#endif
    cfg->rt.log = cfg->logging || cfg->rt.debugging ? ctx->file : NULL;
    ctx->profiling = cfg->profiling;
  }
  memc_up(&ctx->rt, cfg ? &cfg->rt : NULL);
  return ctx;
}

void futhark_context_free(struct futhark_context *ctx)
{
  if (ctx) {
    memc_down(&ctx->rt);
    memc_mutex_down(&ctx->lock);
    free(ctx->events);
  }
  free(ctx);
}

int futhark_context_sync(struct futhark_context *ctx)
{
  int err;
  memc_f_lock(ctx);
  err = memc_sync(&ctx->rt);
  memc_f_unlock(ctx);
  return err;
}

/* Hands the message out, for the caller to free. */
char *futhark_context_get_error(struct futhark_context *ctx)
{
  return memc_take_error(&ctx->rt);
}

int futhark_context_clear_caches(struct futhark_context *ctx)
{
  int err;
  memc_f_lock(ctx);
  if ((err = memc_sync(&ctx->rt)) == MEMC_OK)
    memc_pool_trim(&ctx->rt.pool);
  memc_f_unlock(ctx);
  return err;
}

void futhark_context_set_logging_file(struct futhark_context *ctx, FILE *f)
{
  memc_f_lock(ctx);
  ctx->file = f;
  if (ctx->rt.log)
    ctx->rt.log = f;
  memc_f_unlock(ctx);
}

void futhark_context_pause_profiling(struct futhark_context *ctx)
{
  memc_f_lock(ctx);
  ctx->paused = 1;
  memc_f_unlock(ctx);
}

void futhark_context_unpause_profiling(struct futhark_context *ctx)
{
  memc_f_lock(ctx);
  ctx->paused = 0;
  memc_f_unlock(ctx);
}

/* Gives a JSON object: the most bytes that were in use on the device, and how long
   calls took, in microseconds, while profiling was on. Entries are named with what
   needs no escaping in JSON. */
char *futhark_context_report(struct futhark_context *ctx)
{
  char *text, *more;
  size_t i;
  memc_f_lock(ctx);
  text = memc_format("{\"memory\":{\"device\":%" PRId64 "},\"events\":[", memc_get_stats(&ctx->rt)->peak_bytes);
  for (i = 0; i < ctx->count && text; i++) {
    more = memc_format("%s%s{\"name\":\"%s\",\"description\":\"call of an entry point\",\"provenance\":\"\",\"duration\":%" PRId64 "}",
                       text, i ? "," : "", ctx->events[i].entry, ctx->events[i].us);
    free(text);
    text = more;
  }
  more = text ? memc_format("%s]}", text) : NULL;
  free(text);
  memc_f_unlock(ctx);
  return more;
}
