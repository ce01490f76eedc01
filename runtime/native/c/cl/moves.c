/* The steps of migrations. cl/versions.c decides which are needed. */

static int memc_host_create(void *self, int64_t bytes, void **buffer)
{
  struct memc_several *s = self;
  struct memc_pinned *p;
  if (bytes > memc_host_memory() || (p = malloc(sizeof *p)) == NULL)
    return MEMC_POOL_REFUSED;
  if (memc_pin(s->member[0]->cl, s->member[0]->side, bytes, p) != CL_SUCCESS) {
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
  memc_unpin(s->member[0]->side, buffer);
  free(buffer);
}

static int memc_host_finish(void *self)
{
  (void)self;
  return MEMC_POOL_OK;
}

/* Passes an error of a member on to where the call is. */
static int memc_tell(struct memc_context *ctx, struct memc_context *m, int err)
{
  return err == MEMC_OK || m == ctx ? err : memc_report(ctx, err, memc_take_error(m));
}

/* Says that a place has no room for a block. */
static int memc_place_full(struct memc_context *ctx, struct memc_context *m, const char *where, const char *what, int64_t bytes)
{
  return memc_tell(ctx, m, memc_no_memory(m, where, what, bytes));
}

/* Records an error of the driver's with the device of the lane that failed, which may not be the one of the call. */
static int memc_step(struct memc_several *s, cl_int e, const char *what)
{
  struct memc_context *m = s->member[s->failed / MEMC_QUEUES];
  return memc_tell(s->acting, m, memc_cl(m, e, what));
}

/* The same of a call that waits for the device. */
static int memc_step_waited(struct memc_several *s, cl_int e, const char *what)
{
  struct memc_context *m = s->member[s->failed / MEMC_QUEUES];
  return memc_tell(s->acting, m, memc_cl_waited(m, e, what));
}

/* Where a pool's buffer remembers the commands that touched the blocks that were freed in it; NULL: the
   storage is no pool's. */
static struct memc_track **memc_trail(const struct memc_storage *st)
{
  const struct memc_range *r = st->host ? st->host : st->block->range;
  return r ? (struct memc_track **)&r->buf->note : NULL;
}

/* Makes storage. Earlier owners of its memory may still be at work there. */
static int memc_step_make(void *self, struct memc_versioned *v, int p)
{
  struct memc_several *s = self;
  struct memc_shared *sh = (struct memc_shared *)v;
  struct memc_storage *st = calloc(1, sizeof *st);
  int err;
  if (st == NULL)
    return memc_fail(s->acting, MEMC_NO_MEMORY, "error[E812]: out of host memory");
  if (p == s->count)
    err = memc_pool_get(&s->host, sh->block.bytes, sh->tag, &st->host);
  else
    err = memc_block_new(s->member[p], &st->block, sh->block.bytes, sh->tag, sh->where, sh->block.what);
  if (err) {
    free(st);
    if (err == MEMC_POOL_TOO_LARGE) /* nothing is moved away for it */
      return memc_place_full(s->acting, s->member[p], sh->where, sh->block.what, sh->block.bytes);
    if (err == MEMC_POOL_BROKEN) /* whoever makes the buffers knows why */
      return MEMC_ERROR;
    return err == MEMC_POOL_NO_HOST ? memc_fail(s->acting, MEMC_NO_MEMORY, "error[E812]: out of host memory") : MEMC_STEP_FULL;
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
  if (trail && *trail == NULL)
    *trail = calloc(1, sizeof **trail);
  for (k = 0; trail && k < s->count * MEMC_QUEUES; k++) {
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

/* Notes a copy that was enqueued on a lane, to or from another place. Its own event is the mark:
   NVIDIA's driver ends a marker after the kernels of other queues. */
static cl_int memc_copied(struct memc_several *s, struct memc_lane *l, int other, struct memc_track *src, struct memc_track *dst,
                          int64_t bytes, cl_int e, cl_event done)
{
  if (memc_on(l, e) != CL_SUCCESS)
    return e;
  if (s->moved)
    s->moved(s->self, l, other, bytes, done);
  if ((e = memc_marked(l, done)) != CL_SUCCESS)
    return e;
  memc_track_read(src, l, l->last);
  memc_track_write(dst, l, l->last);
  return CL_SUCCESS;
}

static cl_int memc_await_both(struct memc_several *s, struct memc_lane *l, const struct memc_track *src, const struct memc_track *dst)
{
  const cl_int e = memc_await(s->lane, s->count * MEMC_QUEUES, l, src, 0);
  return e != CL_SUCCESS ? e : memc_await(s->lane, s->count * MEMC_QUEUES, l, dst, 1);
}

/* Copies bytes of a device's storage on a lane, from an offset on: out of it to the host's memory, or
   into it from there. */
static cl_int memc_transfer(struct memc_several *s, struct memc_lane *l, int other, struct memc_storage *st, int64_t off, int64_t bytes,
                            struct memc_track *host, unsigned char *p)
{
  const size_t at = (size_t)(st->block->offset + off);
  const int out = l->number % MEMC_QUEUES == MEMC_OUT;
  struct memc_track *src = out ? &st->track : host, *dst = out ? host : &st->track;
  cl_event done = NULL;
  cl_int e = memc_await_both(s, l, src, dst);
  if (e != CL_SUCCESS)
    return e;
  e = out ? clEnqueueReadBuffer(l->queue, st->block->buffer, CL_FALSE, at, (size_t)bytes, p, 0, NULL, &done)
          : clEnqueueWriteBuffer(l->queue, st->block->buffer, CL_FALSE, at, (size_t)bytes, p, 0, NULL, &done);
  return memc_copied(s, l, other, src, dst, bytes, e, done);
}

/* Copies a chunk of a block on a lane: out of a device's storage to the ring, or into it from there. */
static cl_int memc_chunk(struct memc_several *s, struct memc_lane *l, int other, struct memc_ring *r, int64_t k,
                         struct memc_storage *st, int64_t bytes)
{
  const int64_t chunk = (r->first + k) % MEMC_CHUNKS, off = k * s->chunk;
  return memc_transfer(s, l, other, st, off, bytes - off < s->chunk ? bytes - off : s->chunk, &r->chunk[chunk],
                       r->mem.at + chunk * s->chunk);
}

/* Copies from device to device through the host, in chunks: while one goes in, the next one
   comes out. The host waits for each chunk. */
static cl_int memc_stage(struct memc_several *s, int from, int to, struct memc_storage *src, struct memc_storage *dst, int64_t bytes)
{
  struct memc_lane *out = memc_lane(s->member[from], MEMC_OUT), *in = memc_lane(s->member[to], MEMC_IN);
  const int64_t chunks = (bytes + s->chunk - 1) / s->chunk;
  struct memc_ring *r = s->ring[from];
  int64_t k;
  cl_int e;
  if (r == NULL) {
    if ((r = calloc(1, sizeof *r)) == NULL)
      return CL_OUT_OF_HOST_MEMORY;
    if ((e = memc_pin(s->member[from]->cl, s->member[from]->side, MEMC_CHUNKS * s->chunk, &r->mem)) != CL_SUCCESS) {
      free(r);
      return memc_on(out, e);
    }
    s->ring[from] = r;
  }
  for (e = CL_SUCCESS, k = 0; k <= chunks && e == CL_SUCCESS; k++) {
    if (k < chunks)
      e = memc_chunk(s, out, to, r, k, src, bytes);
    if (k > 0 && e == CL_SUCCESS) /* the one before */
      e = memc_chunk(s, in, from, r, k - 1, dst, bytes);
  }
  r->first = (r->first + chunks) % MEMC_CHUNKS;
  return e;
}

/* Copies from device to device within an OpenCL context. */
static cl_int memc_peer(struct memc_several *s, int from, int to, struct memc_storage *src, struct memc_storage *dst, int64_t bytes)
{
  struct memc_lane *l = memc_lane(s->member[to], MEMC_IN);
  cl_event done = NULL;
  cl_int e = memc_await_both(s, l, &src->track, &dst->track);
  if (e != CL_SUCCESS)
    return e;
  e = clEnqueueCopyBuffer(l->queue, src->block->buffer, dst->block->buffer, (size_t)src->block->offset, (size_t)dst->block->offset,
                          (size_t)bytes, 0, NULL, &done);
  return memc_copied(s, l, from, &src->track, &dst->track, bytes, e, done);
}

/* Enqueues a migration. */
static int memc_step_move(void *self, struct memc_versioned *v, int from, int to, int spill)
{
  struct memc_several *s = self;
  struct memc_shared *sh = (struct memc_shared *)v;
  struct memc_storage *src = sh->at[from], *dst = sh->at[to];
  const int64_t n = sh->block.bytes;
  cl_int e;
  if (n == 0)
    return MEMC_STEP_OK;
  if (to == s->count) {
    e = memc_transfer(s, memc_lane(s->member[from], MEMC_OUT), to, src, 0, n, &dst->track, memc_host_at(dst));
  } else if (from == s->count) {
    e = memc_transfer(s, memc_lane(s->member[to], MEMC_IN), from, dst, 0, n, &src->track, memc_host_at(src));
  } else {
    e = memc_peers(s, from, to) ? memc_peer(s, from, to, src, dst, n) : CL_INVALID_MEM_OBJECT;
    if (e != CL_SUCCESS && !memc_cl_lost(e)) /* a driver may share a context and yet not copy between its devices */
      e = memc_stage(s, from, to, src, dst, n);
  }
  if (e != CL_SUCCESS)
    return memc_step(s, e, "cannot move a block between devices");
  if (spill)
    s->member[from]->stats.evicted_bytes += n;
  else if (from == s->count)
    s->member[to]->stats.restored_bytes += n;
  else
    s->member[to]->stats.migrated_bytes += n;
  return MEMC_STEP_OK;
}
