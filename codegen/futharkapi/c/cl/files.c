/* Files with built kernels: a cache, and what a user keeps himself. */

/* Writes a file of two pieces; gives whether that went well. */
static int memc_file_write(const char *path, const void *head, size_t heads, const void *data, size_t size)
{
  FILE *f = fopen(path, "wb");
  int ok = f != NULL;
  if (ok && heads)
    ok = fwrite(head, 1, heads, f) == heads;
  if (ok)
    ok = fwrite(data, 1, size, f) == size;
  if (f && fclose(f))
    ok = 0;
  return ok;
}

/* Makes the program of built kernels; an error leaves no program. */
static int memc_from_binary(struct memc_context *ctx, const unsigned char *data, size_t size, const char *options)
{
  cl_int e, status = CL_SUCCESS;
  ctx->program = clCreateProgramWithBinary(ctx->cl, 1, &ctx->device, &size, &data, &status, &e);
  if (e == CL_SUCCESS)
    e = status;
  if (e == CL_SUCCESS)
    e = clBuildProgram(ctx->program, 1, &ctx->device, options, NULL, NULL);
  if (e == CL_SUCCESS)
    return MEMC_OK;
  if (ctx->program)
    clReleaseProgram(ctx->program);
  ctx->program = NULL;
  return memc_cl(ctx, e, "cannot use the built kernels");
}

/* Gives the built kernels in fresh memory. */
static unsigned char *memc_to_binary(struct memc_context *ctx, size_t *size)
{
  unsigned char *data = NULL;
  *size = 0;
  if (clGetProgramInfo(ctx->program, CL_PROGRAM_BINARY_SIZES, sizeof *size, size, NULL) != CL_SUCCESS || *size == 0 ||
      (data = malloc(*size)) == NULL)
    return NULL;
  if (clGetProgramInfo(ctx->program, CL_PROGRAM_BINARIES, sizeof data, &data, NULL) == CL_SUCCESS)
    return data;
  free(data);
  return NULL;
}

/* A hash of 64 bits (FNV-1a) over a text and the zero behind it. */
static uint64_t memc_hash(uint64_t h, const char *text)
{
  do
    h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
  while (*text++);
  return h;
}

/* What stands in front of the kernels in a cache: by it a cache of another
   program, device, driver or set of options is known. */
struct memc_stamp { char magic[8]; uint64_t key; };

static struct memc_stamp memc_stamp_of(const struct memc_context *ctx, const struct memc_config *cfg, const char *options)
{
  struct memc_stamp s;
  char *driver = memc_device_text(ctx->device, CL_DRIVER_VERSION);
  size_t i;
  memcpy(s.magic, "memc-cl1", sizeof s.magic);
  s.key = memc_hash(UINT64_C(14695981039346656037), options);
  s.key = memc_hash(s.key, ctx->device_name ? ctx->device_name : "");
  s.key = memc_hash(s.key, driver ? driver : "");
  if (cfg->program)
    s.key = memc_hash(s.key, cfg->program);
  else
    for (i = 0; i < sizeof memc_source / sizeof *memc_source; i++)
      s.key = memc_hash(s.key, memc_source[i]);
  free(driver);
  return s;
}

/* Takes the kernels from the cache; gives whether it held them. */
static int memc_cache_hit(struct memc_context *ctx, const char *path, const struct memc_stamp *stamp, const char *options)
{
  size_t size;
  unsigned char *data = memc_file_read(path, &size);
  int hit = data && size > sizeof *stamp && memcmp(data, stamp, sizeof *stamp) == 0 &&
            memc_from_binary(ctx, data + sizeof *stamp, size - sizeof *stamp, options) == MEMC_OK;
  free(data);
  if (!hit)
    free(memc_take_error(ctx));
  memc_log(ctx, "cache %s: %s", path, hit ? "hit" : "miss");
  return hit;
}

static int memc_make_program(struct memc_context *ctx, const struct memc_config *cfg, const char *options)
{
  struct memc_stamp stamp = {"", 0};
  unsigned char *data;
  size_t size;
  int err = MEMC_OK, hit = 0;
  if (cfg && cfg->binary) {
    if ((data = memc_file_read(cfg->binary, &size)) == NULL)
      return memc_fail(ctx, MEMC_ERROR, "error: cannot read %s", cfg->binary);
    err = memc_from_binary(ctx, data, size, options);
    free(data);
    return err;
  }
  if (cfg && cfg->cache) {
    stamp = memc_stamp_of(ctx, cfg, options);
    hit = memc_cache_hit(ctx, cfg->cache, &stamp, options);
  }
  if (!hit && ((err = memc_from_source(ctx, cfg)) || (err = memc_compile(ctx, ctx, ctx->program, options))))
    return err;
  if (cfg == NULL || ((hit || !cfg->cache) && !cfg->dump))
    return MEMC_OK;
  data = memc_to_binary(ctx, &size);
  if (data && !hit && cfg->cache && !memc_file_write(cfg->cache, &stamp, sizeof stamp, data, size))
    memc_log(ctx, "cache %s: cannot be written", cfg->cache);
  if (cfg->dump && (data == NULL || !memc_file_write(cfg->dump, NULL, 0, data, size)))
    err = memc_fail(ctx, MEMC_ERROR, "error: cannot write %s", cfg->dump);
  free(data);
  return err;
}
