/* Program: taking a context up and down. */

/* The number of threads that the environment asks for. */
static int memc_threads(void)
{
#ifdef _OPENMP
  return omp_get_max_threads();
#elif defined(MEMC_PTHREADS)
  const char *text = getenv("OMP_NUM_THREADS");
  return (int)(text ? strtol(text, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN));
#else
  return 1;
#endif
}

/* Fills a zeroed context in; what was made before an error memc_down releases. */
static MEMC_UNUSED int memc_up(struct memc_context *ctx, const struct memc_config *cfg)
{
  const struct memc_pool_source source = {ctx, memc_buffer_create, memc_buffer_release, memc_buffer_finish};
  const int64_t limit = cfg && cfg->memory_limit > 0 ? cfg->memory_limit : memc_host_memory();
  int err;
  memc_mutex_up(&ctx->turn);
  memc_team_up(ctx);
  memc_reports_up(ctx);
  if ((err = memc_config_usable(ctx, cfg)))
    return err;
  if (cfg) {
    ctx->log = cfg->log;
    ctx->debugging = cfg->debugging;
    ctx->threads = cfg->threads;
    ctx->supply = cfg->supply;
  }
  if (ctx->threads <= 0)
    ctx->threads = memc_threads();
  ctx->threads = ctx->threads < 1 ? 1 : ctx->threads > MEMC_MOST_THREADS ? MEMC_MOST_THREADS : ctx->threads;
#if !defined(MEMC_PTHREADS) && !defined(_OPENMP)
  ctx->threads = 1;
#endif
  memc_pool_up(&ctx->pool, &source, cfg && cfg->allocator ? cfg->allocator - 1 : MEMC_DEFAULT_POLICY,
               limit, limit, 0);
  if (cfg && cfg->device && *cfg->device && strcmp(cfg->device, "c") != 0)
    return memc_fail(ctx, MEMC_ERROR, "error: the program runs on processors only, and \"%s\" is none", cfg->device);
  ctx->device_name = memc_format("C, %d thread%s", ctx->threads, ctx->threads == 1 ? "" : "s");
  memc_reset_stats(ctx);
  memc_log(ctx, "device: %s", ctx->device_name ? ctx->device_name : "?");
  return MEMC_OK;
}

static MEMC_UNUSED void memc_down(struct memc_context *ctx)
{
  memc_blocks_down(ctx);
  memc_team_down(ctx);
  memc_mutex_down(&ctx->turn);
  free(ctx->device_name);
  memc_reports_down(ctx);
}

/* Tells the pool that a call begins. */
static MEMC_UNUSED void memc_turn(struct memc_context *ctx) { memc_pool_turn(&ctx->pool); }

static MEMC_UNUSED void memc_trim(struct memc_context *ctx) { memc_pool_trim(&ctx->pool); }
