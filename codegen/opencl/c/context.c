/* Context: the device, its queue, the program, and the last errors. */

enum { MEMC_OK = 0, MEMC_ERROR = 1, MEMC_FAULT = 2, MEMC_NO_MEMORY = 3, MEMC_LOST = 4 };
#ifndef MEMC_MISUSE /* an API without this code calls it an error like another */
enum { MEMC_MISUSE = 5 };
#endif

/* Where the pool takes buffers from, if not from the system; alloc is NULL then. */
struct memc_supply {
  void *(*alloc)(void *self, int64_t bytes);
  void (*release)(void *self, void *buffer);
  void *self;
};

/* All zero: the defaults. The texts belong to whoever fills it in. */
struct memc_config {
  char *device, *platform; /* which device; see memc_choose */
  int64_t memory_limit;    /* bytes in use at one time; 0: what the device has */
  int allocator;           /* 0: MEMC_DEFAULT_POLICY; else a policy of pool.c plus 1 */
  int64_t device_heap;     /* bytes for kernels that allocate; 0: as compiled in */
  MEMC_CONFIG_FIELDS       /* of the target */
  FILE *log;               /* where to tell what happens */
  int debugging;           /* wait for every kernel */
  struct memc_supply supply; /* of the buffers that blocks lie in */
};

/* The last error of a thread. Its text lives until the same thread fails again. */
struct memc_report {
  int code; /* MEMC_OK: none, and the report is for any thread to take */
  memc_caller thread;
  char *text; /* NULL: there was no memory for it */
  struct memc_report *next;
};

struct memc_context {
  MEMC_CONTEXT_FIELDS /* of the target */
  int launched; /* kernels that can fail, since somebody looked for faults */
  struct memc_supply supply;
  struct memc_pool pool;
  struct memc_block *live, *spare; /* see block.c */
  int arrays;                      /* of the API, not freed yet */
  struct memc_pool_stats base;     /* of pool, when counting began */
  char *device_name;
  memc_mutex reporting;       /* of what follows */
  struct memc_report reports; /* a list, the first of which is always there */
  struct memc_report *last;   /* the latest error; NULL: there was none */
  struct memc_stats stats;
  char *snapshot; /* the live blocks when memory last ran out, as JSON; NULL: it never did */
  int rehearsing; /* a call counts bytes, and nothing else is done; see peak.c */
  int64_t rehearsed, rehearsed_peak; /* these bytes, and the most at one time */
  int lost;  /* the device is gone, and with it all blocks: nothing works any more */
  FILE *log; /* NULL: nothing is told */
  int debugging;
  /* Told of every call of an entry, and how many microseconds it took; NULL: nobody is. */
  void (*called)(struct memc_context *ctx, const char *entry, int64_t us);
};

/* A block of memory; see block.c. */
struct memc_block {
  int refs;
  memc_buffer buffer;
  int64_t offset; /* of the block in its buffer, in bytes */
  int64_t bytes;  /* as asked for */
  struct memc_range *range; /* NULL: the block is a whole buffer that is not the pool's */
  int rehearsed;            /* there is no buffer */
  int lent;                 /* the buffer is the caller's: no call writes to it or returns it */
  const char *what, *where; /* its name in the program, and its place there */
  /* The live blocks form a list; freed ones another, by next, to be used again. */
  struct memc_block *prev, *next;
  struct memc_shared *shared; /* of several devices, in place of a buffer; else NULL */
};

/* A range of a block, and where its bytes go. */
struct memc_want {
  struct memc_block *block;
  size_t off, bytes;
  void *dst;
  memc_buffer from; /* for the runtime: where the bytes are on the device */
  size_t at;
};

/* Gives the report that holds the thread's last error; NULL: there is none. */
static struct memc_report *memc_report_mine(struct memc_context *ctx)
{
  const memc_caller self = memc_caller_self();
  struct memc_report *r;
  for (r = &ctx->reports; r; r = r->next)
    if (r->code && memc_caller_same(r->thread, self))
      return r;
  return NULL;
}

/* Writes an error into the thread's report; the text now belongs to the context. Without host
   memory for a new report the first one gives way. */
static struct memc_report *memc_report_set(struct memc_context *ctx, int code, char *text)
{
  struct memc_report *r = memc_report_mine(ctx);
  if (r == NULL)
    for (r = &ctx->reports; r && r->code; r = r->next)
      ;
  if (r == NULL && (r = calloc(1, sizeof *r))) {
    r->next = ctx->reports.next;
    ctx->reports.next = r;
  }
  if (r == NULL)
    r = &ctx->reports;
  free(r->text);
  r->text = text;
  r->code = code;
  r->thread = memc_caller_self();
  return r;
}

/* Records an error of the thread and gives its code. */
static int memc_report(struct memc_context *ctx, int code, char *text)
{
  memc_mutex_take(&ctx->reporting);
  ctx->last = memc_report_set(ctx, code, text);
  memc_mutex_give(&ctx->reporting);
  return code;
}

static int memc_fail(struct memc_context *ctx, int code, const char *format, ...)
{
  va_list args;
  char *text;
  va_start(args, format);
  text = memc_vformat(format, args);
  va_end(args);
  return memc_report(ctx, code, text);
}

/* Gives the code of the thread's last error and, where wanted, its text, which lives until the
   thread fails again. A thread that has not failed is given a copy of the latest error. */
static MEMC_UNUSED int memc_last_error(struct memc_context *ctx, const char **text)
{
  struct memc_report *r;
  int code;
  memc_mutex_take(&ctx->reporting);
  if ((r = memc_report_mine(ctx)) == NULL && ctx->last)
    r = memc_report_set(ctx, ctx->last->code, ctx->last->text ? memc_format("%s", ctx->last->text) : NULL);
  code = r ? r->code : MEMC_OK;
  if (text)
    *text = r ? r->text : NULL;
  memc_mutex_give(&ctx->reporting);
  return code;
}

static MEMC_UNUSED const char *memc_error_text(struct memc_context *ctx)
{
  const char *text;
  memc_last_error(ctx, &text);
  return text;
}

/* Takes the thread's last error out of the context; the text is the caller's. */
static MEMC_UNUSED char *memc_take_error(struct memc_context *ctx)
{
  struct memc_report *r;
  char *text = NULL;
  memc_mutex_take(&ctx->reporting);
  if ((r = memc_report_mine(ctx)) || (r = ctx->last)) {
    text = r->text;
    r->text = NULL;
    r->code = MEMC_OK;
    if (r == ctx->last)
      ctx->last = NULL;
  }
  memc_mutex_give(&ctx->reporting);
  return text;
}

/* In a rehearsal every element is 0. */
static MEMC_UNUSED int memc_read_zeros(int count, const struct memc_want *wants)
{
  int i;
  for (i = 0; i < count; i++)
    memset(wants[i].dst, 0, wants[i].bytes);
  return MEMC_OK;
}

/* Keeps a text about the last lack of memory; the caller's thread has its turn. */
static MEMC_UNUSED void memc_keep_snapshot(struct memc_context *ctx, char *text)
{
  free(ctx->snapshot);
  ctx->snapshot = text;
}

static MEMC_UNUSED void memc_reports_up(struct memc_context *ctx) { memc_mutex_up(&ctx->reporting); }

static MEMC_UNUSED void memc_reports_down(struct memc_context *ctx)
{
  struct memc_report *r, *next;
  free(ctx->reports.text);
  free(ctx->snapshot);
  for (r = ctx->reports.next; r; r = next) {
    next = r->next;
    free(r->text);
    free(r);
  }
  memc_mutex_down(&ctx->reporting);
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

/* Fails where the device was lost before. */
static MEMC_UNUSED int memc_usable(struct memc_context *ctx)
{
  return ctx->lost ? memc_fail(ctx, MEMC_LOST, "error: the device was lost; free the context and make a new one") : MEMC_OK;
}

/* Fails where a configuration makes no sense. */
static MEMC_UNUSED int memc_config_usable(struct memc_context *ctx, const struct memc_config *cfg)
{
  if (cfg && cfg->memory_limit < 0)
    return memc_fail(ctx, MEMC_ERROR, "error: the memory limit is negative: %" PRId64, cfg->memory_limit);
  if (cfg && cfg->device_heap < 0)
    return memc_fail(ctx, MEMC_ERROR, "error: the size of the device heap is negative: %" PRId64, cfg->device_heap);
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
  memset(&ctx->stats, 0, sizeof ctx->stats);
  ctx->stats.device = ctx->device_name;
  ctx->stats.allocator = memc_pool_policies[ctx->pool.policy];
  memc_pool_reset_peaks(&ctx->pool);
  ctx->base = ctx->pool.stats;
}

/* Gives the statistics, with what the pool counts. */
static MEMC_UNUSED const struct memc_stats *memc_get_stats(struct memc_context *ctx)
{
  const struct memc_pool_stats *p = &ctx->pool.stats, *b = &ctx->base;
  struct memc_stats *s = &ctx->stats;
  s->peak_bytes = p->peak_asked;
  s->alloc_requests = p->requests - b->requests;
  s->driver_allocs = p->creates - b->creates;
  s->driver_frees = p->releases - b->releases;
  s->hits = p->hits[MEMC_POOL_TAG] + p->hits[MEMC_POOL_OTHER] + p->hits[MEMC_POOL_SPLIT] -
            b->hits[MEMC_POOL_TAG] - b->hits[MEMC_POOL_OTHER] - b->hits[MEMC_POOL_SPLIT];
  s->peak_held_bytes = p->peak_held;
  s->device_heap_bytes = ctx->pool.reserved;
  return s;
}
