/* Program: building the kernels, and taking a context up and down. */

/* Asks what the kernels and blocks need to know of the device; *limit and *most get the memory for blocks, and that of the
   largest buffer. Where the device is the host's processor its driver promises memory that the host may not have. */
static int memc_check_device(struct memc_context *ctx, int64_t *limit, int64_t *most)
{
  struct memc_properties p;
  memc_properties_of(ctx->device, &p);
  *limit = *limit > 0 ? *limit : p.memory;
  if (ctx->device_local == 0 || p.local < ctx->device_local) /* a member may have a bound, see several.c */
    ctx->device_local = p.local;
  ctx->device_items = p.items, ctx->device_wave = p.wave, ctx->device_several = p.several;
  ctx->device_waits = p.waits, ctx->device_wide = p.wide;
  if (p.cpu && *limit > memc_host_memory())
    *limit = memc_host_memory();
  *most = p.alloc;
#ifdef MEMC_F64_KERNELS
  if (!p.f64)
    return memc_fail(ctx, MEMC_ERROR, "error: the program computes with f64, which the device %s does not have",
                     ctx->device_name ? ctx->device_name : "chosen");
#endif
  if (p.group < MEMC_GROUP_SIZE)
    return memc_fail(ctx, MEMC_ERROR, "error: the program needs work-groups of %d, and the device's largest is %lu",
                     MEMC_GROUP_SIZE, (unsigned long)p.group);
  ctx->device_exact = p.exact;
  return MEMC_OK;
}

/* Makes the program of its source. */
static int memc_from_source(struct memc_context *ctx, const struct memc_config *cfg)
{
  const char *own = cfg && cfg->program ? cfg->program : NULL;
  cl_int e;
  ctx->program = own ? clCreateProgramWithSource(ctx->cl, 1, &own, NULL, &e)
                     : clCreateProgramWithSource(ctx->cl, sizeof memc_source / sizeof *memc_source,
                                                 (const char **)memc_source, NULL, &e);
  return memc_cl(ctx, e, "cannot create the program");
}

/* Compiles a program for the device of m, and reports what the device's compiler says. */
static int memc_compile(struct memc_context *ctx, const struct memc_context *m, cl_program program, const char *options)
{
  const cl_int e = clBuildProgram(program, 1, &m->device, options, NULL, NULL);
  char *log;
  if (e == CL_SUCCESS)
    return MEMC_OK;
  log = memc_build_log(program, m->device);
  memc_fail(ctx, MEMC_ERROR, "error: the device's compiler refused the kernels (OpenCL code %d)\n%s", (int)e, log ? log : "");
  free(log);
  return MEMC_ERROR;
}

#ifdef MEMC_BUILD_FILES
static int memc_make_program(struct memc_context *ctx, const struct memc_config *cfg, const char *options);
#else
static int memc_make_program(struct memc_context *ctx, const struct memc_config *cfg, const char *options)
{
  const int err = memc_from_source(ctx, cfg);
  return err ? err : memc_compile(ctx, ctx, ctx->program, options);
}
#endif

/* Builds the kernels of the entry that runs, on the device of m. */
static int memc_unit(struct memc_context *ctx, struct memc_context *m)
{
  cl_int e;
  int err;
  char *options;
  cl_program p = clCreateProgramWithSource(m->cl, sizeof memc_source / sizeof *memc_source, (const char **)memc_source, NULL, &e);
  if (e != CL_SUCCESS)
    return memc_cl(ctx, e, "cannot create the program");
  options = memc_format("%s -DMEMC_ENTRY=%d", m->build_options, ctx->entry);
  err = options ? memc_compile(ctx, m, p, options) : memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
  free(options);
  if (err)
    clReleaseProgram(p);
  else
    m->units[ctx->entry] = p;
  return err;
}

/* Makes a kernel on the device of m, unless it was made before. */
static int memc_ready(struct memc_context *ctx, struct memc_context *m, int kernel)
{
  cl_int e;
  int err;
  if (m->kernels[kernel])
    return MEMC_OK;
  if (m->program == NULL && m->units[ctx->entry] == NULL && (err = memc_unit(ctx, m)))
    return err;
  m->kernels[kernel] = clCreateKernel(m->program ? m->program : m->units[ctx->entry], memc_kernel_names[kernel], &e);
  if (e != CL_SUCCESS)
    m->kernels[kernel] = NULL;
  return memc_cl(ctx, e, memc_kernel_names[kernel]);
}

/* Builds the kernels, unless those of each entry are built apart. */
static int memc_build(struct memc_context *ctx, const struct memc_config *cfg)
{
  int i, err;
  ctx->build_options = memc_build_options(ctx->device_local, ctx->device_several != 0, ctx->device_exact, cfg ? cfg->build_options : NULL);
  ctx->units = calloc(MEMC_ENTRIES, sizeof *ctx->units);
  ctx->kernels = calloc(MEMC_KERNELS + 1, sizeof *ctx->kernels);
  if (ctx->build_options == NULL || ctx->units == NULL || ctx->kernels == NULL)
    return memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
  if (MEMC_APART && !(cfg && cfg->build_all))
    return MEMC_OK;
  err = memc_make_program(ctx, cfg, ctx->build_options);
  for (i = 0; i < MEMC_KERNELS && err == MEMC_OK; i++)
    if (memc_kernel_names[i])
      err = memc_ready(ctx, ctx, i);
  return err;
}

/* Makes the OpenCL context, unless there is one that devices share, and the queue. */
static int memc_open(struct memc_context *ctx)
{
  cl_int e;
  if (ctx->cl == NULL) {
    ctx->cl = clCreateContext(NULL, 1, &ctx->device, NULL, NULL, &e);
    if (e != CL_SUCCESS)
      return memc_cl(ctx, e, "cannot create a context");
  }
  ctx->queue = clCreateCommandQueue(ctx->cl, ctx->device, 0, &e);
  return memc_cl(ctx, e, "cannot create a queue");
}

/* Takes a queue that there is, and its context. */
static int memc_adopt(struct memc_context *ctx, cl_command_queue queue)
{
  cl_command_queue_properties order = 0;
  cl_int e = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof order, &order, NULL);
  if (e == CL_SUCCESS && order & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)
    return memc_fail(ctx, MEMC_ERROR, "error: the command queue runs commands out of order; memc needs one that keeps their order");
  if (e == CL_SUCCESS)
    e = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof ctx->cl, &ctx->cl, NULL);
  if (e == CL_SUCCESS && (e = clRetainContext(ctx->cl)) != CL_SUCCESS)
    ctx->cl = NULL;
  if (e == CL_SUCCESS && (e = clRetainCommandQueue(queue)) == CL_SUCCESS)
    ctx->queue = queue;
  return memc_cl(ctx, e, "cannot use the command queue");
}

/* Fills a zeroed context in, whose device is chosen; what was made before an error memc_down
   releases. */
static int memc_device_up(struct memc_context *ctx, const struct memc_config *cfg)
{
  const struct memc_pool_source source = {ctx, memc_buffer_create, memc_buffer_release, memc_buffer_finish};
  int64_t limit = cfg ? cfg->memory_limit : 0, most;
  cl_int e;
  int err;
  if (cfg) {
    ctx->log = cfg->log;
    ctx->debugging = cfg->debugging;
    ctx->supply = cfg->supply;
  }
  if (ctx->supply.alloc && !cfg->queue)
    return memc_fail(ctx, MEMC_MISUSE, "error: buffers of the caller's need a command queue of the caller's, whose context they belong to");
  ctx->device_name = memc_device_text(ctx->device, CL_DEVICE_NAME);
  if ((err = memc_check_device(ctx, &limit, &most)))
    return err;
  memc_pool_up(&ctx->pool, &source, cfg && cfg->allocator ? cfg->allocator - 1 : MEMC_DEFAULT_POLICY,
               limit, most, 0);
  memc_reset_stats(ctx);
  memc_log(ctx, "device: %s", ctx->device_name ? ctx->device_name : "?");
  if ((err = cfg && cfg->queue ? memc_adopt(ctx, cfg->queue) : memc_open(ctx)))
    return err;
  ctx->side = clCreateCommandQueue(ctx->cl, ctx->device, 0, &e);
  if (e != CL_SUCCESS)
    return memc_cl(ctx, e, "cannot create a queue");
  if ((err = memc_build(ctx, cfg)))
    return err;
  if ((err = memc_faults_up(ctx)))
    return err;
  return memc_heap_up(ctx, cfg ? cfg->device_heap : 0);
}

/* Releases what a context has of its own. */
static void memc_device_down(struct memc_context *ctx)
{
  int i;
  if (ctx->queue)
    clFinish(ctx->queue);
  memc_blocks_down(ctx);
  if (ctx->queue)
    memc_faults_down(ctx);
  free(ctx->slots);
  if (ctx->heap)
    clReleaseMemObject(ctx->heap);
  for (i = 0; ctx->kernels && i < MEMC_KERNELS; i++)
    if (ctx->kernels[i])
      clReleaseKernel(ctx->kernels[i]);
  free(ctx->kernels);
  for (i = 0; ctx->units && i < MEMC_ENTRIES; i++)
    if (ctx->units[i])
      clReleaseProgram(ctx->units[i]);
  free(ctx->units);
  free(ctx->build_options);
  if (ctx->program)
    clReleaseProgram(ctx->program);
  if (ctx->side)
    clReleaseCommandQueue(ctx->side);
  if (ctx->queue)
    clReleaseCommandQueue(ctx->queue);
  if (ctx->cl)
    clReleaseContext(ctx->cl);
  memc_mutex_down(&ctx->turn);
  free(ctx->loans);
  free(ctx->device_name);
  memc_reports_down(ctx);
}
