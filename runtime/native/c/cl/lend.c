/* Commands on blocks of several devices: memc_lend brings a block to a device before a command,
   and memc_repay notes what the command did. */

static void memc_lock(struct memc_context *ctx)
{
  memc_mutex_take(&ctx->several->lock);
  ctx->several->acting = ctx;
}

static void memc_unlock(struct memc_context *ctx) { memc_mutex_give(&ctx->several->lock); }

/* The same where a context may be alone, for what others may change behind its back. */
static MEMC_UNUSED void memc_guard(struct memc_context *ctx)
{
  if (ctx->several)
    memc_lock(ctx);
}

static MEMC_UNUSED void memc_unguard(struct memc_context *ctx)
{
  if (ctx->several)
    memc_unlock(ctx);
}

/* Makes a block without storage; NULL: there is no host memory for it. */
static struct memc_shared *memc_shared_new(struct memc_context *ctx, int64_t bytes, int tag, const char *where, const char *what)
{
  struct memc_several *s = ctx->several;
  struct memc_shared *sh = calloc(1, sizeof *sh);
  if (sh == NULL)
    return NULL;
  sh->block.refs = 1;
  sh->block.bytes = bytes;
  sh->block.what = what;
  sh->block.shared = sh;
  sh->several = s;
  sh->where = where;
  sh->tag = tag;
  memc_lock(ctx);
  if ((sh->next = s->all))
    sh->next->prev = sh;
  s->all = sh;
  memc_unlock(ctx);
  return sh;
}

/* Gives a block storage at a device that is there already. */
static int memc_shared_hold(struct memc_shared *sh, int p, struct memc_block *block)
{
  struct memc_storage *st = calloc(1, sizeof *st);
  if (st == NULL)
    return MEMC_POOL_NO_HOST;
  st->block = block;
  sh->at[p] = st;
  memc_v_hold(&sh->several->versions, &sh->v, p);
  return MEMC_POOL_OK;
}

static MEMC_UNUSED void memc_shared_retain(struct memc_block *b)
{
  memc_mutex_take(&b->shared->several->lock);
  b->refs++;
  memc_mutex_give(&b->shared->several->lock);
}

static void memc_shared_free(struct memc_shared *sh)
{
  memc_v_forget(&sh->several->versions, &sh->v);
  *(sh->prev ? &sh->prev->next : &sh->several->all) = sh->next;
  if (sh->next)
    sh->next->prev = sh->prev;
  free(sh);
}

static void memc_shared_release(struct memc_block *b)
{
  struct memc_several *s = b->shared->several;
  memc_mutex_take(&s->lock);
  if (--b->refs == 0)
    memc_shared_free(b->shared);
  memc_mutex_give(&s->lock);
}

/* Takes a block out of a variable that holds the only reference to it; NULL: others share it. */
static MEMC_UNUSED struct memc_block *memc_shared_take(struct memc_block **var)
{
  struct memc_several *s = (*var)->shared->several;
  struct memc_block *b = NULL;
  memc_mutex_take(&s->lock);
  if ((*var)->refs == 1) {
    b = *var;
    *var = NULL;
  }
  memc_mutex_give(&s->lock);
  return b;
}

/* How a command uses a block; MEMC_FILLS: it overwrites all of it. */
enum { MEMC_READS, MEMC_WRITES, MEMC_FILLS };

struct memc_loan { struct memc_shared *shared; int how; };

/* Brings a block to a device (m), has its queue wait for what is under way, and gives where it
   lies there. The storage stays until memc_repay. A block of one device is there already. */
static int memc_lend(struct memc_context *ctx, struct memc_context *m, struct memc_block *b, int how, const struct memc_block **at)
{
  struct memc_several *s = ctx->several;
  struct memc_shared *sh = b->shared;
  int err;
  *at = b;
  if (sh == NULL)
    return MEMC_OK;
  if (ctx->loan_count == ctx->loan_room) {
    const int room = ctx->loan_room ? 2 * ctx->loan_room : 16;
    struct memc_loan *more = realloc(ctx->loans, (size_t)room * sizeof *more);
    if (more == NULL)
      return memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
    ctx->loans = more;
    ctx->loan_room = room;
  }
  memc_lock(ctx);
  err = memc_v_bring(&s->versions, &sh->v, m->number, how == MEMC_FILLS);
  if (err == MEMC_STEP_FULL)
    err = memc_place_full(ctx, m, sh->where, sh->block.what, sh->block.bytes);
  if (err == MEMC_STEP_OK)
    err = memc_step(s, memc_await(s->lane, s->count * MEMC_QUEUES, memc_lane(m, MEMC_MAIN), &sh->at[m->number]->track, how != MEMC_READS),
                    "cannot wait for a migration");
  if (err == MEMC_OK) {
    *at = sh->at[m->number]->block;
    sh->v.pins++;
    ctx->loans[ctx->loan_count].shared = sh;
    ctx->loans[ctx->loan_count++].how = how;
  }
  memc_unlock(ctx);
  return err;
}

/* Notes what a command on a device did with the blocks that were lent for it, unless it
   failed (err), and gives err, or what went wrong here. */
static int memc_repay(struct memc_context *ctx, struct memc_context *m, int err)
{
  struct memc_several *s = ctx->several;
  struct memc_lane *l;
  int64_t n = 0;
  int i;
  if (s == NULL || ctx->loan_count == 0)
    return err;
  l = memc_lane(m, MEMC_MAIN);
  memc_lock(ctx);
  if (err == MEMC_OK)
    err = memc_step_waited(s, memc_stamp(l, &n), "cannot wait for a command");
  for (i = 0; i < ctx->loan_count; i++) {
    struct memc_shared *sh = ctx->loans[i].shared;
    struct memc_track *t = &sh->at[m->number]->track;
    sh->v.pins--;
    if (err)
      continue;
    if (ctx->loans[i].how == MEMC_READS) {
      memc_track_read(t, l, n);
    } else {
      memc_track_write(t, l, n);
      memc_v_wrote(&sh->v, m->number);
    }
  }
  ctx->loan_count = 0;
  memc_unlock(ctx);
  return err;
}

/* Reads bytes of a block from the nearest valid place, if that is not the context's own
   device; *done tells whether they were read. */
static int memc_shared_values(struct memc_context *ctx, const struct memc_block *b, size_t off, size_t bytes, void *dst, int *done)
{
  struct memc_several *s = ctx->several;
  struct memc_shared *sh = b->shared;
  struct memc_storage *st;
  struct memc_lane *l;
  cl_event event = NULL;
  cl_int e;
  int p, err;
  *done = 0;
  if (sh == NULL)
    return MEMC_OK;
  memc_lock(ctx);
  p = memc_v_nearest(&s->versions, &sh->v, ctx->number);
  if (p < 0 || p == ctx->number) {
    memc_unlock(ctx);
    return MEMC_OK;
  }
  st = sh->at[p];
  if (p == s->count) {
    l = &s->lane[st->track.wrote_on];
    e = memc_lane_event(l, st->track.wrote, &event);
    if (e == CL_SUCCESS && event)
      clRetainEvent(event);
  } else {
    l = memc_lane(s->member[p], MEMC_OUT);
    e = memc_await(s->lane, s->count * MEMC_QUEUES, l, &st->track, 0);
    if (e == CL_SUCCESS)
      e = clEnqueueReadBuffer(l->queue, st->block->buffer, CL_FALSE, (size_t)st->block->offset + off, bytes, dst, 0, NULL, &event);
    if (e == CL_SUCCESS)
      e = clFlush(l->queue);
  }
  sh->v.pins++;
  memc_unlock(ctx);
  if (event) {
    const cl_int waited = clWaitForEvents(1, &event);
    e = e == CL_SUCCESS ? waited : e;
    clReleaseEvent(event);
  }
  if (e == CL_SUCCESS && p == s->count)
    memcpy(dst, memc_host_at(st) + off, bytes);
  memc_lock(ctx);
  sh->v.pins--;
  err = memc_step_waited(s, memc_on(l, e), "cannot read from a device");
  memc_unlock(ctx);
  *done = 1;
  return err;
}
