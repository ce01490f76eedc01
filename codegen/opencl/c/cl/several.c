/* Several devices: taking them up and down. The first member is the context that the caller
   has; the others belong to it. */

/* Makes the OpenCL contexts. Where a platform refuses to let devices share one, each has its own. */
static int memc_members_open(struct memc_several *s, int apart)
{
  cl_device_id devices[MEMC_PLACES - 1], sharing[MEMC_PLACES - 1];
  int i, k, n, group[MEMC_PLACES - 1];
  for (i = 0; i < s->count; i++)
    devices[i] = s->member[i]->device;
  for (i = 0; i < s->count; i++) {
    struct memc_context *m = s->member[i];
    cl_int e;
    if (m->cl)
      continue;
    n = memc_sharing(devices, s->count, i, apart, group);
    for (k = 0; k < n; k++)
      sharing[k] = devices[group[k]];
    m->cl = clCreateContext(NULL, (cl_uint)n, sharing, NULL, NULL, &e);
    if (e != CL_SUCCESS && n > 1)
      m->cl = clCreateContext(NULL, (cl_uint)(n = 1), sharing, NULL, NULL, &e);
    if (e != CL_SUCCESS) {
      m->cl = NULL;
      return memc_cl(s->member[0], e, "cannot create a context");
    }
    for (k = 1; k < n; k++) {
      if ((e = clRetainContext(m->cl)) != CL_SUCCESS)
        return memc_cl(s->member[0], e, "cannot share a context");
      s->member[group[k]]->cl = m->cl;
    }
  }
  return MEMC_OK;
}

/* Finds the devices of a list, and makes a member for each. */
static int memc_members_choose(struct memc_several *s, const struct memc_config *cfg)
{
  struct memc_context *first = s->member[0];
  cl_device_id devices[MEMC_PLACES - 1];
  int64_t local = INT64_MAX;
  int i, n, err = memc_choose_list(first, cfg, MEMC_PLACES - 1, devices, &n);
  for (i = 0; err == MEMC_OK && i < n; i++) {
    if (i > 0) {
      if ((s->member[i] = calloc(1, sizeof *first)) == NULL)
        return memc_fail(first, MEMC_NO_MEMORY, "error[E812]: out of host memory");
      memc_mutex_up(&s->member[i]->turn);
      memc_reports_up(s->member[i]);
    }
    s->member[i]->device = devices[i];
    s->member[i]->several = s;
    s->member[i]->number = i;
    s->count = i + 1;
    local = MEMC_MIN(local, memc_property(devices[i], CL_DEVICE_LOCAL_MEM_SIZE));
  }
  /* A kernel that one member launches may run on any: none needs more local memory than all have. */
  for (i = 0; i < s->count; i++)
    s->member[i]->device_local = local;
  return err;
}

/* Opens the queues of migrations. */
static int memc_lanes_open(struct memc_several *s)
{
  int i, q;
  cl_int e = CL_SUCCESS;
  for (i = 0; i < s->count && e == CL_SUCCESS; i++)
    for (q = 0; q < MEMC_QUEUES && e == CL_SUCCESS; q++) {
      struct memc_context *m = s->member[i];
      cl_command_queue queue = q == MEMC_MAIN ? m->queue : clCreateCommandQueue(m->cl, m->device, 0, &e);
      memc_lane_up(s, m, q, e == CL_SUCCESS ? queue : NULL);
    }
  return memc_cl(s->member[0], e, "cannot create a queue");
}

/* Makes the fault buffers of all members one block, which kernels on any of them write. */
static int memc_slots_share(struct memc_several *s)
{
  struct memc_block *slots;
  int i, err = memc_shared_alloc(s->member[0], &s->slots, MEMC_FAULT_BYTES, MEMC_TEMP_TAG, "", "slots");
  slots = s->slots;
  for (i = 0; i < s->count && err == MEMC_OK; i++)
    if (memc_shared_hold(slots->shared, i, s->member[i]->slots))
      return memc_fail(s->member[0], MEMC_NO_MEMORY, "error[E812]: out of host memory");
  if (err == MEMC_OK) {
    slots->shared->v.pins++;
    s->member[0]->slots = slots;
    err = memc_faults_clear(s->member[0]);
  }
  return err;
}

static void memc_slots_unshare(struct memc_several *s)
{
  struct memc_shared *sh = s->slots ? s->slots->shared : NULL;
  int i;
  if (sh && s->member[0]->slots == s->slots)
    s->member[0]->slots = sh->at[0]->block;
  for (i = 0; sh && i < s->count; i++)
    if (sh->at[i]) {
      memc_v_unhold(&s->versions, &sh->v, i);
      free(sh->at[i]);
    }
  if (sh)
    memc_shared_free(sh);
}

static int memc_several_up(struct memc_context *ctx, const struct memc_config *cfg)
{
  struct memc_several *s = ctx->several;
  int i, err;
  memc_places_up(s);
  if ((err = memc_members_choose(s, cfg)) || (err = memc_members_open(s, cfg->apart)))
    return err;
  for (i = 0; i < s->count; i++)
    if ((err = memc_device_up(s->member[i], cfg)))
      return memc_tell(ctx, s->member[i], err);
  memc_distances(s);
  if ((err = memc_lanes_open(s)))
    return err;
  s->scatter = cfg->scatter;
  return s->scatter ? memc_slots_share(s) : MEMC_OK;
}

static void memc_several_down(struct memc_several *s)
{
  int i;
  memc_lanes_finish(s);
  memc_slots_unshare(s);
  memc_places_down(s);
  for (i = 1; i < s->count; i++) {
    memc_device_down(s->member[i]);
    free(s->member[i]);
  }
  free(s);
}

/* Fills a zeroed context in; what was made before an error memc_down releases. */
static MEMC_UNUSED int memc_up(struct memc_context *ctx, const struct memc_config *cfg)
{
  int err;
  memc_mutex_up(&ctx->turn);
  memc_reports_up(ctx);
  if ((err = memc_config_usable(ctx, cfg)))
    return err;
  if (cfg && !cfg->queue && !cfg->alone && (cfg->evict || cfg->scatter || (cfg->device && strchr(cfg->device, ',')))) {
    if ((ctx->several = calloc(1, sizeof *ctx->several)) == NULL)
      return memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
    ctx->several->member[0] = ctx;
    return memc_several_up(ctx, cfg);
  }
  err = memc_choose(ctx, cfg);
  return err ? err : memc_device_up(ctx, cfg);
}

static MEMC_UNUSED void memc_down(struct memc_context *ctx)
{
  if (ctx->several)
    memc_several_down(ctx->several);
  ctx->several = NULL;
  memc_device_down(ctx);
}

/* Gives the driver back all memory that no block is in. */
static MEMC_UNUSED void memc_trim(struct memc_context *ctx)
{
  memc_guard(ctx);
  memc_pool_trim(&ctx->pool);
  if (ctx->several)
    memc_pool_trim(&ctx->several->host);
  memc_unguard(ctx);
}

/* Tells whether a context belongs to another one, and goes with that. */
static MEMC_UNUSED int memc_belongs(const struct memc_context *ctx) { return ctx->several && ctx->number > 0; }

/* Gives the context of a device among several; NULL where there is none of that number. */
static MEMC_UNUSED struct memc_context *memc_member(struct memc_context *ctx, int i)
{
  if (ctx->several == NULL)
    return i == 0 ? ctx : NULL;
  return i >= 0 && i < ctx->several->count ? ctx->several->member[i] : NULL;
}
