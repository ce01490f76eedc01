/* Blocks of several devices: docs/devices.md has the rules, runtime/shared.go is the same in Go.

   Each device has a context (a member) with its queue, kernels, pool and limit. A block of
   several devices is no range of a buffer: it has storage at some of the places, made when a
   command first needs it there. Storage on a device is a block of that member. memc_lend brings
   a block to a device before a command, and memc_repay notes what the command did. */

enum { MEMC_CHUNKS = 4, MEMC_CHUNK_BYTES = 4 << 20 };

/* Memory of the host that devices reach fast. */
struct memc_pinned { cl_mem mem; unsigned char *at; };

/* A block's memory at one place: of a device, or of the host. */
struct memc_storage {
  struct memc_block *block;
  struct memc_range *host;
  struct memc_track track;
};

struct memc_shared {
  struct memc_versioned v; /* first: the actor's steps know it by that */
  struct memc_block block; /* what the rest of the runtime holds */
  struct memc_several *several;
  struct memc_storage *at[MEMC_PLACES];
  const char *where; /* its place in the IR source */
  int tag;
  struct memc_shared *prev, *next; /* of all */
};

/* Memory that migrations from one device to another through the host take turns in, a chunk
   each. Drivers move without waiting only from and to memory that is pinned in the device's own
   OpenCL context, so there are two pieces of it. */
struct memc_ring {
  struct memc_pinned out, in;
  int next;
  struct memc_track chunk[MEMC_CHUNKS];
};

struct memc_several {
  memc_mutex lock; /* of all that follows, and of the members' pools; not held while the host waits for kernels */
  int count;       /* of members */
  struct memc_context *member[MEMC_PLACES - 1], *acting; /* acting: whose call it is; errors are told there */
  struct memc_lane lane[MEMC_LANES];
  struct memc_ring *ring[MEMC_PLACES - 1][MEMC_PLACES - 1]; /* by source and target */
  struct memc_versions versions;
  struct memc_pool host; /* of the host's memory, the last place */
  struct memc_shared *all;
  uint64_t scatter;         /* not 0: launches go to members at random */
  struct memc_block *slots; /* then, the fault buffers of all */
};

static struct memc_lane *memc_lane(struct memc_context *m, int queue)
{
  return &m->several->lane[m->number * MEMC_QUEUES + queue];
}

static int memc_peers(const struct memc_several *s, int a, int b) { return s->member[a]->cl == s->member[b]->cl; }

static unsigned char *memc_host_at(const struct memc_storage *st)
{
  return ((struct memc_pinned *)st->host->buf->handle)->at + st->host->off;
}

/* -- Memory of the host. -- */

static cl_int memc_pin(struct memc_context *m, int64_t bytes, struct memc_pinned *p)
{
  cl_int e;
  p->mem = clCreateBuffer(m->cl, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, (size_t)bytes, NULL, &e);
  if (e != CL_SUCCESS)
    return e;
  p->at = clEnqueueMapBuffer(m->side, p->mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, (size_t)bytes, 0, NULL, NULL, &e);
  if (e != CL_SUCCESS)
    clReleaseMemObject(p->mem);
  return e;
}

static void memc_unpin(struct memc_context *m, const struct memc_pinned *p)
{
  clEnqueueUnmapMemObject(m->side, p->mem, p->at, 0, NULL, NULL);
  clReleaseMemObject(p->mem);
}

static int memc_host_create(void *self, int64_t bytes, void **buffer)
{
  struct memc_several *s = self;
  struct memc_pinned *p;
  if (bytes > memc_host_memory() || (p = malloc(sizeof *p)) == NULL)
    return MEMC_POOL_REFUSED;
  if (memc_pin(s->member[0], bytes, p) != CL_SUCCESS) {
    free(p);
    return MEMC_POOL_REFUSED;
  }
  *buffer = p;
  return MEMC_POOL_OK;
}

/* Devices may still be at work on the memory, which is not theirs: so wait. */
static void memc_host_release(void *self, void *buffer)
{
  struct memc_several *s = self;
  int i;
  for (i = 0; i < s->count; i++) {
    clFinish(memc_lane(s->member[i], MEMC_IN)->queue);
    clFinish(memc_lane(s->member[i], MEMC_OUT)->queue);
  }
  memc_unpin(s->member[0], buffer);
  free(buffer);
}

static int memc_host_finish(void *self)
{
  (void)self;
  return MEMC_POOL_OK;
}

/* -- The steps of migrations; cl/versions.c decides which are needed. -- */

/* Records an error of the driver's where the call is. */
static int memc_step(struct memc_several *s, cl_int e, const char *what)
{
  return e == CL_SUCCESS ? MEMC_STEP_OK : memc_cl(s->acting, e, what);
}

/* Where a pool's buffer remembers the commands that touched the blocks that were freed in it. */
static struct memc_track **memc_trail(const struct memc_storage *st)
{
  return (struct memc_track **)(st->host ? &st->host->buf->note : &st->block->range->buf->note);
}

/* Makes storage. Earlier owners of its memory may still be at work there. */
static int memc_step_make(void *self, struct memc_versioned *v, int p)
{
  struct memc_several *s = self;
  struct memc_shared *sh = (struct memc_shared *)v;
  struct memc_storage *st = calloc(1, sizeof *st);
  int err;
  if (st == NULL)
    return memc_fail(s->acting, MEMC_NO_MEMORY, "error: out of host memory");
  if (p == s->count)
    err = memc_pool_get(&s->host, sh->block.bytes, sh->tag, &st->host);
  else
    err = memc_block_new(s->member[p], &st->block, sh->block.bytes, sh->tag, sh->block.what);
  if (err) {
    free(st);
    return err == MEMC_POOL_NO_HOST ? memc_fail(s->acting, MEMC_NO_MEMORY, "error: out of host memory") : MEMC_STEP_FULL;
  }
  if (*memc_trail(st))
    memcpy(st->track.uses, (*memc_trail(st))->uses, sizeof st->track.uses);
  sh->at[p] = st;
  return MEMC_STEP_OK;
}

/* Gives storage back. Where there is no memory to note who is at work on it, that is waited for. */
static void memc_step_drop(void *self, struct memc_versioned *v, int p)
{
  struct memc_several *s = self;
  struct memc_shared *sh = (struct memc_shared *)v;
  struct memc_storage *st = sh->at[p];
  struct memc_track **trail = memc_trail(st);
  int k;
  if (*trail == NULL)
    *trail = calloc(1, sizeof **trail);
  for (k = 0; k < s->count * MEMC_QUEUES; k++) {
    if (*trail)
      memc_track_read(*trail, &s->lane[k], st->track.uses[k]);
    else if (st->track.uses[k] > 0)
      clFinish(s->lane[k].queue);
  }
  if (st->host)
    memc_pool_put(&s->host, st->host);
  else
    memc_release(s->member[p], &st->block);
  free(st);
  sh->at[p] = NULL;
}

/* Notes a copy that was enqueued on a lane. */
static cl_int memc_copied(struct memc_lane *l, struct memc_track *src, struct memc_track *dst, cl_int e)
{
  int64_t n;
  if (e != CL_SUCCESS)
    return e;
  if ((e = memc_stamp(l, &n)) != CL_SUCCESS)
    return e;
  memc_track_read(src, l, n);
  memc_track_write(dst, l, n);
  return CL_SUCCESS;
}

static cl_int memc_await_both(struct memc_several *s, struct memc_lane *l, const struct memc_track *src, const struct memc_track *dst)
{
  const cl_int e = memc_await(s->lane, s->count * MEMC_QUEUES, l, src, 0);
  return e != CL_SUCCESS ? e : memc_await(s->lane, s->count * MEMC_QUEUES, l, dst, 1);
}

/* Copies from device to device through the host, in chunks: while one goes in, the next one
   comes out. */
static cl_int memc_stage(struct memc_several *s, int from, int to, struct memc_storage *src, struct memc_storage *dst, int64_t bytes)
{
  struct memc_lane *out = memc_lane(s->member[from], MEMC_OUT), *in = memc_lane(s->member[to], MEMC_IN);
  struct memc_ring *r = s->ring[from][to];
  int64_t at;
  cl_int e;
  if (r == NULL) {
    if ((r = calloc(1, sizeof *r)) == NULL)
      return CL_OUT_OF_HOST_MEMORY;
    e = memc_pin(s->member[from], MEMC_CHUNKS * (int64_t)MEMC_CHUNK_BYTES, &r->out);
    if (e == CL_SUCCESS && (e = memc_pin(s->member[to], MEMC_CHUNKS * (int64_t)MEMC_CHUNK_BYTES, &r->in)) != CL_SUCCESS)
      memc_unpin(s->member[from], &r->out);
    if (e != CL_SUCCESS) {
      free(r);
      return e;
    }
    s->ring[from][to] = r;
  }
  e = memc_await_both(s, in, &dst->track, &dst->track);
  for (at = 0; at < bytes && e == CL_SUCCESS; at += MEMC_CHUNK_BYTES) {
    const size_t part = (size_t)(bytes - at < MEMC_CHUNK_BYTES ? bytes - at : MEMC_CHUNK_BYTES);
    struct memc_track *t = &r->chunk[r->next];
    unsigned char *pout = r->out.at + (size_t)r->next * MEMC_CHUNK_BYTES, *pin = r->in.at + (size_t)r->next * MEMC_CHUNK_BYTES;
    r->next = (r->next + 1) % MEMC_CHUNKS;
    if ((e = memc_await_both(s, out, &src->track, t)) != CL_SUCCESS)
      break;
    e = clEnqueueReadBuffer(out->queue, src->block->buffer, CL_FALSE, (size_t)(src->block->offset + at), part, pout, 0, NULL, NULL);
    if ((e = memc_copied(out, &src->track, t, e)) != CL_SUCCESS)
      break;
    if ((e = memc_relay(out, t->wrote, in, pin, pout, part)) != CL_SUCCESS)
      break;
    e = clEnqueueWriteBuffer(in->queue, dst->block->buffer, CL_FALSE, (size_t)(dst->block->offset + at), part, pin, 0, NULL, NULL);
    e = memc_copied(in, t, &dst->track, e);
  }
  return e;
}

/* Enqueues a migration. */
static int memc_step_move(void *self, struct memc_versioned *v, int from, int to, int spill)
{
  struct memc_several *s = self;
  struct memc_shared *sh = (struct memc_shared *)v;
  struct memc_storage *src = sh->at[from], *dst = sh->at[to];
  const size_t n = (size_t)sh->block.bytes;
  struct memc_lane *l;
  cl_int e = CL_SUCCESS;
  if (n == 0)
    return MEMC_STEP_OK;
  if (to == s->count) {
    l = memc_lane(s->member[from], MEMC_OUT);
    if ((e = memc_await_both(s, l, &src->track, &dst->track)) == CL_SUCCESS) {
      e = clEnqueueReadBuffer(l->queue, src->block->buffer, CL_FALSE, (size_t)src->block->offset, n, memc_host_at(dst), 0, NULL, NULL);
      e = memc_copied(l, &src->track, &dst->track, e);
    }
  } else if (from == s->count) {
    l = memc_lane(s->member[to], MEMC_IN);
    if ((e = memc_await_both(s, l, &src->track, &dst->track)) == CL_SUCCESS) {
      e = clEnqueueWriteBuffer(l->queue, dst->block->buffer, CL_FALSE, (size_t)dst->block->offset, n, memc_host_at(src), 0, NULL, NULL);
      e = memc_copied(l, &src->track, &dst->track, e);
    }
  } else {
    e = CL_INVALID_MEM_OBJECT;
    if (memc_peers(s, from, to)) {
      l = memc_lane(s->member[to], MEMC_IN);
      if ((e = memc_await_both(s, l, &src->track, &dst->track)) == CL_SUCCESS) {
        e = clEnqueueCopyBuffer(l->queue, src->block->buffer, dst->block->buffer, (size_t)src->block->offset, (size_t)dst->block->offset,
                                n, 0, NULL, NULL);
        e = memc_copied(l, &src->track, &dst->track, e);
      }
    }
    if (e != CL_SUCCESS && !memc_cl_lost(e)) /* a driver may share a context and yet not copy between its devices */
      e = memc_stage(s, from, to, src, dst, sh->block.bytes);
  }
  if (e != CL_SUCCESS)
    return memc_step(s, e, "cannot move a block between devices");
  if (spill)
    s->member[from]->stats.evicted_bytes += sh->block.bytes;
  else if (from == s->count)
    s->member[to]->stats.restored_bytes += sh->block.bytes;
  else
    s->member[to]->stats.migrated_bytes += sh->block.bytes;
  return MEMC_STEP_OK;
}

/* -- What the rest of the runtime calls. -- */

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

/* Says that a place has no room for a block. */
static int memc_place_full(struct memc_context *ctx, struct memc_context *m, const char *where, const char *what, int64_t bytes)
{
  const int err = memc_no_memory(m, where, what, bytes);
  if (m != ctx) {
    free(ctx->error);
    ctx->error = m->error;
    ctx->code = err;
    m->error = NULL;
  }
  return err;
}

/* Makes a block without storage. One that the device can never hold fails here. */
static int memc_shared_alloc(struct memc_context *ctx, struct memc_block **var, int64_t bytes, int tag, const char *where, const char *what)
{
  struct memc_several *s = ctx->several;
  struct memc_shared *sh;
  int i;
  for (i = 0; i < s->count; i++) {
    struct memc_context *m = s->scatter ? s->member[i] : ctx;
    if (bytes > m->max_alloc || bytes > m->memory_limit) {
      memc_lock(ctx);
      memc_place_full(ctx, m, where, what, bytes);
      memc_unlock(ctx);
      return MEMC_NO_MEMORY;
    }
  }
  if ((sh = calloc(1, sizeof *sh)) == NULL)
    return memc_fail(ctx, MEMC_NO_MEMORY, "error: out of host memory");
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
  *var = &sh->block;
  return MEMC_OK;
}

static void memc_shared_retain(struct memc_block *b)
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
static struct memc_block *memc_shared_take(struct memc_block **var)
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
  if (sh->several != s)
    return memc_fail(ctx, MEMC_ERROR, "error: an array belongs to another context");
  if (ctx->loan_count == ctx->loan_room) {
    const int room = ctx->loan_room ? 2 * ctx->loan_room : 16;
    struct memc_loan *more = realloc(ctx->loans, (size_t)room * sizeof *more);
    if (more == NULL)
      return memc_fail(ctx, MEMC_NO_MEMORY, "error: out of host memory");
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
    err = memc_cl_waited(ctx, memc_stamp(l, &n), "cannot wait for a command");
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

/* Chooses the device of a launch. */
static struct memc_context *memc_place(struct memc_context *ctx)
{
  struct memc_several *s = ctx->several;
  if (s == NULL || s->scatter == 0)
    return ctx;
  s->scatter ^= s->scatter << 13; /* Marsaglia's xorshift */
  s->scatter ^= s->scatter >> 7;
  s->scatter ^= s->scatter << 17;
  return s->member[s->scatter % (uint64_t)s->count];
}

/* Reads the start of a block from the nearest valid place, if that is not the context's own
   device; *done tells whether it was read. */
static int memc_shared_values(struct memc_context *ctx, const struct memc_block *b, size_t bytes, void *dst, int *done)
{
  struct memc_several *s = ctx->several;
  struct memc_shared *sh = b->shared;
  struct memc_storage *st;
  struct memc_lane *l;
  cl_event event = NULL;
  cl_int e;
  int p, err;
  *done = 0;
  if (s == NULL || sh == NULL || sh->several != s)
    return MEMC_OK;
  memc_lock(ctx);
  p = memc_v_nearest(&s->versions, &sh->v, ctx->number);
  if (p < 0 || p == ctx->number) {
    memc_unlock(ctx);
    return MEMC_OK;
  }
  st = sh->at[p];
  if (p == s->count) {
    e = memc_lane_event(&s->lane[st->track.wrote_on], st->track.wrote, &event);
    if (e == CL_SUCCESS && event)
      clRetainEvent(event);
  } else {
    l = memc_lane(s->member[p], MEMC_OUT);
    e = memc_await(s->lane, s->count * MEMC_QUEUES, l, &st->track, 0);
    if (e == CL_SUCCESS)
      e = clEnqueueReadBuffer(l->queue, st->block->buffer, CL_FALSE, (size_t)st->block->offset, bytes, dst, 0, NULL, &event);
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
    memcpy(dst, memc_host_at(st), bytes);
  memc_lock(ctx);
  sh->v.pins--;
  err = memc_cl_waited(ctx, e, "cannot read from a device");
  memc_unlock(ctx);
  *done = 1;
  return err;
}
