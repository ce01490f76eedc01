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

/* Says that a place has no room for a block. */
static int memc_place_full(struct memc_context *ctx, struct memc_context *m, const char *where, const char *what, int64_t bytes)
{
  const int err = memc_no_memory(m, where, what, bytes);
  return m == ctx ? err : memc_report(ctx, err, memc_take_error(m));
}

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
    return memc_fail(s->acting, MEMC_NO_MEMORY, "error[E812]: out of host memory");
  if (p == s->count)
    err = memc_pool_get(&s->host, sh->block.bytes, sh->tag, &st->host);
  else
    err = memc_block_new(s->member[p], &st->block, sh->block.bytes, sh->tag, sh->where, sh->block.what);
  if (err) {
    free(st);
    if (err == MEMC_POOL_TOO_LARGE) /* nothing is moved away for it */
      return memc_place_full(s->acting, s->member[p], sh->where, sh->block.what, sh->block.bytes);
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

/* Notes a copy that was enqueued on a lane. Its own event is the mark: NVIDIA's driver ends a
   marker after the kernels of other queues. */
static cl_int memc_copied(struct memc_lane *l, struct memc_track *src, struct memc_track *dst, cl_int e, cl_event done)
{
  if (e != CL_SUCCESS || (e = memc_marked(l, done)) != CL_SUCCESS)
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

/* Copies a chunk of a block on a lane: out of a device's storage, or into it. */
static cl_int memc_chunk(struct memc_several *s, struct memc_lane *l, struct memc_ring *r, int64_t k, struct memc_storage *st,
                         int64_t bytes)
{
  const int64_t chunk = (r->first + k) % MEMC_CHUNKS, off = k * MEMC_CHUNK_BYTES;
  const size_t at = (size_t)(st->block->offset + off), part = (size_t)(bytes - off < MEMC_CHUNK_BYTES ? bytes - off : MEMC_CHUNK_BYTES);
  const int out = l->number % MEMC_QUEUES == MEMC_OUT;
  struct memc_track *host = &r->chunk[chunk], *src = out ? &st->track : host, *dst = out ? host : &st->track;
  unsigned char *p = r->mem.at + chunk * MEMC_CHUNK_BYTES;
  cl_event done = NULL;
  cl_int e = memc_await_both(s, l, src, dst);
  if (e != CL_SUCCESS)
    return e;
  e = out ? clEnqueueReadBuffer(l->queue, st->block->buffer, CL_FALSE, at, part, p, 0, NULL, &done)
          : clEnqueueWriteBuffer(l->queue, st->block->buffer, CL_FALSE, at, part, p, 0, NULL, &done);
  return memc_copied(l, src, dst, e, done);
}

/* Copies from device to device through the host, in chunks: while one goes in, the next one
   comes out. The host waits for each chunk. */
static cl_int memc_stage(struct memc_several *s, int from, int to, struct memc_storage *src, struct memc_storage *dst, int64_t bytes)
{
  struct memc_lane *out = memc_lane(s->member[from], MEMC_OUT), *in = memc_lane(s->member[to], MEMC_IN);
  const int64_t chunks = (bytes + MEMC_CHUNK_BYTES - 1) / MEMC_CHUNK_BYTES;
  struct memc_ring *r = s->ring[from];
  int64_t k;
  cl_int e;
  if (r == NULL) {
    if ((r = calloc(1, sizeof *r)) == NULL)
      return CL_OUT_OF_HOST_MEMORY;
    if ((e = memc_pin(s->member[from]->cl, s->member[from]->side, MEMC_CHUNKS * (int64_t)MEMC_CHUNK_BYTES, &r->mem)) != CL_SUCCESS) {
      free(r);
      return e;
    }
    s->ring[from] = r;
  }
  for (e = CL_SUCCESS, k = 0; k <= chunks && e == CL_SUCCESS; k++) {
    if (k < chunks)
      e = memc_chunk(s, out, r, k, src, bytes);
    if (k > 0 && e == CL_SUCCESS) /* the one before */
      e = memc_chunk(s, in, r, k - 1, dst, bytes);
  }
  r->first = (r->first + chunks) % MEMC_CHUNKS;
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
  cl_event done = NULL;
  cl_int e = CL_SUCCESS;
  if (n == 0)
    return MEMC_STEP_OK;
  if (to == s->count) {
    l = memc_lane(s->member[from], MEMC_OUT);
    if ((e = memc_await_both(s, l, &src->track, &dst->track)) == CL_SUCCESS) {
      e = clEnqueueReadBuffer(l->queue, src->block->buffer, CL_FALSE, (size_t)src->block->offset, n, memc_host_at(dst), 0, NULL, &done);
      e = memc_copied(l, &src->track, &dst->track, e, done);
    }
  } else if (from == s->count) {
    l = memc_lane(s->member[to], MEMC_IN);
    if ((e = memc_await_both(s, l, &src->track, &dst->track)) == CL_SUCCESS) {
      e = clEnqueueWriteBuffer(l->queue, dst->block->buffer, CL_FALSE, (size_t)dst->block->offset, n, memc_host_at(src), 0, NULL, &done);
      e = memc_copied(l, &src->track, &dst->track, e, done);
    }
  } else {
    e = CL_INVALID_MEM_OBJECT;
    if (memc_peers(s, from, to)) {
      l = memc_lane(s->member[to], MEMC_IN);
      if ((e = memc_await_both(s, l, &src->track, &dst->track)) == CL_SUCCESS) {
        e = clEnqueueCopyBuffer(l->queue, src->block->buffer, dst->block->buffer, (size_t)src->block->offset, (size_t)dst->block->offset,
                                n, 0, NULL, &done);
        e = memc_copied(l, &src->track, &dst->track, e, done);
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
