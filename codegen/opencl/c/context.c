/* Context: the device, its queue, the program, and the last error. */

enum { MEMC_OK = 0, MEMC_ERROR = 1, MEMC_FAULT = 2, MEMC_NO_MEMORY = 3, MEMC_LOST = 4 };

/* All zero: the defaults. The texts belong to whoever fills it in. */
struct memc_config {
  char *device, *platform; /* see memc_choose */
  int64_t memory_limit;    /* bytes in use at one time; 0: what the device has */
  int allocator;           /* 0: MEMC_DEFAULT_POLICY; else a policy of pool.c plus 1 */
  int64_t device_heap;     /* bytes for kernels that allocate; 0: as compiled in */
  cl_command_queue queue;  /* use this queue, its context and its device */
  char *build_options;     /* for the kernels, besides our own */
  char *program;           /* kernels to build in place of memc_source */
  char *binary, *dump;     /* files with built kernels: to take instead, and to write */
  char *cache;             /* a file that keeps built kernels from one run to the next */
  FILE *log;               /* where to tell what happens */
  int debugging;           /* wait for every kernel */
};

struct memc_context {
  cl_device_id device;
  cl_context cl;
  cl_command_queue queue;
  cl_command_queue side; /* where blocks are touched; see memc_alloc */
  cl_program program;
  cl_kernel *kernels;
  cl_mem faults; /* what a kernel's failing check leaves; see fault.c */
  int launched;  /* a kernel ran since faults was last looked at */
  cl_mem heap;   /* for kernels that allocate; see heap.c */
  int64_t heap_bytes;
  int heap_used; /* since it was prepared */
  int64_t in_use, memory_limit, max_alloc; /* bytes */
  struct memc_pool pool;
  struct memc_block *live, *spare; /* see block.c */
  int arrays;                      /* of the API, not freed yet */
  struct memc_pool_stats base;     /* of pool, when counting began */
  char *device_name;
  char *error;
  struct memc_stats stats;
  int lost;  /* the device is gone, and with it all blocks: nothing works any more */
  FILE *log; /* NULL: nothing is told */
  int debugging;
  /* Told of every call of an entry, and how many microseconds it took; NULL: nobody is. */
  void (*called)(struct memc_context *ctx, const char *entry, int64_t us);
};

/* Records an error and gives its code. */
static int memc_fail(struct memc_context *ctx, int code, const char *format, ...)
{
  va_list args;
  free(ctx->error);
  va_start(args, format);
  ctx->error = memc_vformat(format, args);
  va_end(args);
  return code;
}

/* Tells what happens, where that is wanted. */
static MEMC_UNUSED void memc_log(const struct memc_context *ctx, const char *format, ...)
{
  va_list args;
  if (ctx->log == NULL)
    return;
  va_start(args, format);
  vfprintf(ctx->log, format, args);
  va_end(args);
  putc('\n', ctx->log);
}

/* What NVIDIA's driver answers after a kernel has touched foreign memory. */
enum { MEMC_CL_NVIDIA_FAULT = -9999 };

static const char *memc_cl_error(cl_int e)
{
  switch (e) {
  case CL_DEVICE_NOT_AVAILABLE: return "device not available";
  case CL_MEM_OBJECT_ALLOCATION_FAILURE: return "allocation failure";
  case CL_OUT_OF_RESOURCES: return "out of resources";
  case CL_OUT_OF_HOST_MEMORY: return "out of host memory";
  case CL_BUILD_PROGRAM_FAILURE: return "program does not build";
  case CL_INVALID_VALUE: return "invalid value";
  case CL_INVALID_MEM_OBJECT: return "invalid memory object";
  case CL_INVALID_KERNEL_NAME: return "invalid kernel name";
  case CL_INVALID_KERNEL_ARGS: return "invalid kernel arguments";
  case CL_INVALID_WORK_GROUP_SIZE: return "invalid work-group size";
  case CL_INVALID_BUFFER_SIZE: return "invalid buffer size";
  case CL_INVALID_GLOBAL_WORK_SIZE: return "invalid global work size";
  case CL_INVALID_CONTEXT: return "invalid context";
  case CL_INVALID_COMMAND_QUEUE: return "invalid command queue";
  case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: return "an earlier command failed";
  case MEMC_CL_NVIDIA_FAULT: return "a kernel touched memory that is not its own";
  case -1001: return "no OpenCL platform";
  }
  return "OpenCL error";
}

/* Tells whether an error of the driver means that the device is lost. The queue and
   the context are valid as long as the device is there. */
static int memc_cl_lost(cl_int e)
{
  return e == CL_DEVICE_NOT_AVAILABLE || e == CL_INVALID_CONTEXT || e == CL_INVALID_COMMAND_QUEUE ||
         e == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST || e == MEMC_CL_NVIDIA_FAULT;
}

/* Records that the device is lost. */
static int memc_lose(struct memc_context *ctx, cl_int e, const char *what)
{
  ctx->lost = 1;
  return memc_fail(ctx, MEMC_LOST, "error: the device is lost: %s: %s (OpenCL code %d)", what, memc_cl_error(e), (int)e);
}

/* Fails where the device was lost before. */
static MEMC_UNUSED int memc_usable(struct memc_context *ctx)
{
  return ctx->lost ? memc_fail(ctx, MEMC_LOST, "error: the device was lost; free the context and make a new one") : MEMC_OK;
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

static char *memc_device_text(cl_device_id d, cl_device_info what)
{
  size_t n = 0;
  char *text;
  if (clGetDeviceInfo(d, what, 0, NULL, &n) != CL_SUCCESS || (text = malloc(n + 1)) == NULL)
    return NULL;
  if (clGetDeviceInfo(d, what, n, text, NULL) != CL_SUCCESS)
    n = 0;
  text[n] = '\0';
  return text;
}

static int memc_contains(const char *text, const char *part)
{
  size_t i;
  for (; *text; text++) {
    for (i = 0; part[i] && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]); i++)
      ;
    if (!part[i])
      return 1;
  }
  return !*part;
}

static int memc_platform_named(cl_platform_id p, const char *part)
{
  char text[256] = "";
  return clGetPlatformInfo(p, CL_PLATFORM_NAME, sizeof text, text, NULL) == CL_SUCCESS && memc_contains(text, part);
}

/* Reads "#k TEXT" in front of a name: gives the number k, 0 where none stands
   there, and TEXT. */
static unsigned long memc_ordinal(const char **want)
{
  unsigned long k = 0;
  char *end;
  if (**want == '#') {
    k = strtoul(*want + 1, &end, 10);
    while (*end == ' ')
      end++;
    *want = end;
  }
  return k;
}

/* Gives all devices of the platforms in their order, or of the one that is wanted:
   the k-th ("#k") or first that has the text in its name. *count is 0 and the
   result NULL where there is none. */
static cl_device_id *memc_devices(const char *platform, cl_uint *count)
{
  cl_platform_id *platforms = NULL;
  cl_device_id *devices = NULL;
  cl_uint nplatforms = 0, i;
  const int any = platform == NULL || *platform == '\0';
  unsigned long skip = any ? 0 : memc_ordinal(&platform);
  *count = 0;
  if (clGetPlatformIDs(0, NULL, &nplatforms) != CL_SUCCESS || nplatforms == 0)
    return NULL;
  platforms = malloc(nplatforms * sizeof *platforms);
  if (platforms == NULL || clGetPlatformIDs(nplatforms, platforms, NULL) != CL_SUCCESS)
    goto done;
  for (i = 0; i < nplatforms; i++) {
    cl_uint n = 0;
    cl_device_id *more;
    if (!any && (!memc_platform_named(platforms[i], platform) || skip-- != 0))
      continue;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 0, NULL, &n) == CL_SUCCESS && n > 0) {
      more = realloc(devices, (*count + n) * sizeof *devices);
      if (more == NULL)
        goto done;
      devices = more;
      if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, n, devices + *count, NULL) == CL_SUCCESS)
        *count += n;
    }
    if (!any)
      break;
  }
done:
  free(platforms);
  if (*count == 0) {
    free(devices);
    devices = NULL;
  }
  return devices;
}

/* Tells whether a device or its platform has part in its name. */
static int memc_device_matches(cl_device_id d, const char *part)
{
  cl_platform_id platform = NULL;
  char *name = memc_device_text(d, CL_DEVICE_NAME);
  int found = name && memc_contains(name, part);
  free(name);
  if (!found && clGetDeviceInfo(d, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL) == CL_SUCCESS)
    found = memc_platform_named(platform, part);
  return found;
}

/* Picks one of the devices; gives count where none is meant. */
static cl_uint memc_pick(const cl_device_id *devices, cl_uint count, const char *want)
{
  cl_uint i, gpu = 0;
  unsigned long number;
  char *end = NULL;
  if (want == NULL || *want == '\0') {
    for (i = count; i-- > 0;) {
      cl_device_type type = 0;
      clGetDeviceInfo(devices[i], CL_DEVICE_TYPE, sizeof type, &type, NULL);
      if (type & CL_DEVICE_TYPE_GPU)
        gpu = i;
    }
    return gpu;
  }
  number = strtoul(want, &end, 10);
  if (*want >= '0' && *want <= '9' && *end == '\0' && number < count)
    return (cl_uint)number;
  number = memc_ordinal(&want);
  for (i = 0; i < count; i++)
    if (memc_device_matches(devices[i], want) && number-- == 0)
      return i;
  return count;
}

/* Chooses a device: by number, also as "#k", or by a part of its name or its
   platform's; NULL or "" takes the first GPU, or else the first device. Where a
   platform is named, only its devices count. */
static int memc_choose(struct memc_context *ctx, const struct memc_config *cfg)
{
  const char *want = cfg ? cfg->device : NULL, *platform = cfg ? cfg->platform : NULL;
  cl_uint count, chosen;
  cl_device_id *devices;
  if (cfg && cfg->queue) {
    if (clGetCommandQueueInfo(cfg->queue, CL_QUEUE_DEVICE, sizeof ctx->device, &ctx->device, NULL) != CL_SUCCESS)
      return memc_fail(ctx, MEMC_ERROR, "error: the command queue has no device");
    ctx->device_name = memc_device_text(ctx->device, CL_DEVICE_NAME);
    return MEMC_OK;
  }
  if ((devices = memc_devices(platform, &count)) == NULL)
    return platform && *platform
      ? memc_fail(ctx, MEMC_ERROR, "error: no OpenCL platform matches \"%s\"", platform)
      : memc_fail(ctx, MEMC_ERROR, "error: no OpenCL device was found (is an OpenCL driver installed?)");
  if ((chosen = memc_pick(devices, count, want)) == count) {
    free(devices);
    return memc_fail(ctx, MEMC_ERROR, "error: no OpenCL device matches \"%s\" (there are %u)", want, (unsigned)count);
  }
  ctx->device = devices[chosen];
  free(devices);
  ctx->device_name = memc_device_text(ctx->device, CL_DEVICE_NAME);
  return MEMC_OK;
}

enum { MEMC_DEFAULT_POLICY = MEMC_POOL_REGION };

/* Gives what stands for a policy in memc_config, or 0 where there is none of
   that name. */
static MEMC_UNUSED int memc_policy(const char *name)
{
  int i;
  for (i = 0; i < MEMC_POOL_POLICIES; i++)
    if (strcmp(memc_pool_policies[i], name) == 0)
      return i + 1;
  return 0;
}

/* Starts counting anew; the peaks start at what is in use. */
static MEMC_UNUSED void memc_reset_stats(struct memc_context *ctx)
{
  struct memc_pool_stats *p = &ctx->pool.stats;
  memset(&ctx->stats, 0, sizeof ctx->stats);
  ctx->stats.device = ctx->device_name;
  ctx->stats.allocator = memc_pool_policies[ctx->pool.policy];
  ctx->stats.peak_bytes = ctx->in_use;
  p->peak_asked = p->asked;
  p->peak_rounded = p->rounded;
  p->peak_held = p->held;
  ctx->base = *p;
}

/* Gives the statistics, with what the pool counts. */
static MEMC_UNUSED const struct memc_stats *memc_get_stats(struct memc_context *ctx)
{
  const struct memc_pool_stats *p = &ctx->pool.stats, *b = &ctx->base;
  struct memc_stats *s = &ctx->stats;
  s->driver_allocs = p->creates - b->creates;
  s->driver_frees = p->releases - b->releases;
  s->hits = p->hits[MEMC_POOL_TAG] + p->hits[MEMC_POOL_OTHER] + p->hits[MEMC_POOL_SPLIT] -
            b->hits[MEMC_POOL_TAG] - b->hits[MEMC_POOL_OTHER] - b->hits[MEMC_POOL_SPLIT];
  s->peak_held_bytes = p->peak_held;
  s->device_heap_bytes = ctx->heap ? ctx->heap_bytes : 0;
  return s;
}
