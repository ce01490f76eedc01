/* Devices: choosing one, and the errors of the driver. */

/* Records that the device is lost. */
static int memc_lose(struct memc_context *ctx, cl_int e, const char *what)
{
  ctx->lost = 1;
  return memc_fail(ctx, MEMC_LOST, "error: the device is lost: %s: %s (OpenCL code %d)", what, memc_cl_error(e), (int)e);
}

/* Turns the result of an OpenCL call into an error code of ours. */
static int memc_cl(struct memc_context *ctx, cl_int e, const char *what)
{
  if (e == CL_SUCCESS)
    return MEMC_OK;
  if (ctx->queue && memc_cl_lost(e))
    return memc_lose(ctx, e, what);
  return memc_fail(ctx, e == CL_MEM_OBJECT_ALLOCATION_FAILURE ? MEMC_NO_MEMORY : MEMC_ERROR,
                   "error: %s: %s (OpenCL code %d)", what, memc_cl_error(e), (int)e);
}

/* The same of a call that waits for the device. There, "out of resources" is how
   drivers tell that a kernel broke down. */
static int memc_cl_waited(struct memc_context *ctx, cl_int e, const char *what)
{
  return e == CL_OUT_OF_RESOURCES ? memc_lose(ctx, e, what) : memc_cl(ctx, e, what);
}

/* The same of a command that was queued, and need not have begun. */
static MEMC_UNUSED int memc_queued(struct memc_context *ctx, cl_int e, const char *what)
{
  return memc_cl(ctx, memc_begun(ctx->queue, &ctx->queued, e), what);
}

/* Gives all devices of the platforms in their order, or of the one that is wanted:
   the k-th ("#k") or first that has the text in its name. *count is 0 and the
   result NULL where there is none. */
static cl_device_id *memc_devices(const char *platform, cl_uint *count)
{
  cl_platform_id platforms[64];
  cl_device_id *devices = NULL, *more;
  cl_uint found = 0, i;
  const int any = platform == NULL || *platform == '\0';
  unsigned long skip = any ? 0 : memc_ordinal(&platform);
  *count = 0;
  if (clGetPlatformIDs(64, platforms, &found) != CL_SUCCESS)
    return NULL;
  for (i = 0; i < found && i < 64; i++) {
    cl_uint n = 0;
    if (!any && (!memc_platform_named(platforms[i], platform) || skip-- != 0))
      continue;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 0, NULL, &n) == CL_SUCCESS && n > 0 &&
        (more = realloc(devices, (*count + n) * sizeof *devices)) != NULL) {
      devices = more;
      if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, n, devices + *count, NULL) == CL_SUCCESS)
        *count += n;
    }
    if (!any)
      break;
  }
  if (*count > 0)
    return devices;
  free(devices);
  return NULL;
}

/* Gives the devices that a configuration names (memc_pick_list), at most so many, and how many. Where a platform is
   named, only its devices count. */
static int memc_choose_list(struct memc_context *ctx, const struct memc_config *cfg, int most, cl_device_id *chosen, int *n)
{
  const char *platform = cfg ? cfg->platform : NULL;
  cl_uint count;
  cl_device_id *devices = memc_devices(platform, &count);
  char *why;
  int i, at[MEMC_PLACES - 1], err = MEMC_OK;
  if (devices == NULL)
    return platform && *platform
      ? memc_fail(ctx, MEMC_ERROR, "error: no OpenCL platform matches \"%s\"", platform)
      : memc_fail(ctx, MEMC_ERROR, "error: no OpenCL device was found (is an OpenCL driver installed?)");
  *n = memc_pick_list(devices, count, cfg ? cfg->device : NULL, most, at, &why);
  for (i = 0; i < *n; i++)
    chosen[i] = devices[at[i]];
  if (*n < 0)
    err = why ? memc_fail(ctx, MEMC_ERROR, "error: %s", why) : memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
  free(why);
  free(devices);
  return err;
}

/* Chooses the device of a context that works alone. */
static int memc_choose(struct memc_context *ctx, const struct memc_config *cfg)
{
  int n;
  if (cfg && cfg->queue) {
    if (clGetCommandQueueInfo(cfg->queue, CL_QUEUE_DEVICE, sizeof ctx->device, &ctx->device, NULL) != CL_SUCCESS)
      return memc_fail(ctx, MEMC_ERROR, "error: the command queue has no device");
    return MEMC_OK;
  }
  return memc_choose_list(ctx, cfg, 1, &ctx->device, &n);
}
