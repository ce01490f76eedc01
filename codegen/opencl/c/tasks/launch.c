/* Launches: the tasks of a kernel, over the threads.

   A launch belongs to its caller, who takes tasks as the helpers do, and waits only for helpers that
   have taken one. A helper that the system does not wake in time misses the launch: on a busy
   machine a short kernel takes as long as on one thread. What a task does depends on its number only,
   so the results are the same for any number of threads. */

/* Reports a failing check. Of several tasks that fail the first one counts, so that
   the message is that of a run of one task after the other. */
static MEMC_UNUSED MEMC_NOINLINE void memc_task_fault(struct memc_context *ctx, int64_t task, int code,
                                                      int64_t a, int64_t b, int64_t c, int64_t d)
{
  memc_mutex_take(&ctx->team.lock);
  if (ctx->found.code == 0 || task < ctx->found.task) {
    ctx->found.task = task, ctx->found.code = code;
    ctx->found.args[0] = a, ctx->found.args[1] = b, ctx->found.args[2] = c, ctx->found.args[3] = d;
  }
  memc_mutex_give(&ctx->team.lock);
}

/* Runs tasks until none is left, or one before them has failed. The caller holds the lock. */
static void memc_team_work(struct memc_context *ctx)
{
  struct memc_team *t = &ctx->team;
  while (t->next < t->tasks && ctx->found.code == 0) {
    const int64_t task = t->next++;
    memc_mutex_give(&t->lock);
    t->run(ctx, task, t->tasks, t->args);
    memc_mutex_take(&t->lock);
  }
}

/* Numbers that a thread looks at without the lock. Sleeping and waking takes as long as a short
   kernel, so a thread first looks for some ten microseconds. */
#if defined(__GNUC__) || defined(__clang__)
enum { MEMC_LOOKS = 1 << 15 };
#define MEMC_SHOW(n, value) __atomic_store_n(&(n), value, __ATOMIC_RELAXED)
#define MEMC_LOOK(n) __atomic_load_n(n, __ATOMIC_RELAXED)
#else
enum { MEMC_LOOKS = 0 };
#define MEMC_SHOW(n, value) ((n) = (value))
#define MEMC_LOOK(n) (*(n))
#endif

/* Waits until a number of the team changes, or there is a signal. The caller holds the lock. */
static void memc_team_wait(struct memc_team *t, const unsigned *number, memc_signal *signal)
{
  const unsigned was = *number;
  int i;
  memc_mutex_give(&t->lock);
  for (i = 0; i < MEMC_LOOKS && MEMC_LOOK(number) == was; i++)
    ;
  memc_mutex_take(&t->lock);
  if (*number == was && !t->over)
    memc_signal_wait(signal, &t->lock);
}

static MEMC_THREAD(memc_team_help, arg)
{
  struct memc_context *ctx = arg;
  struct memc_team *t = &ctx->team;
  memc_mutex_take(&t->lock);
  while (!t->over)
    if (t->next < t->tasks && ctx->found.code == 0) {
      MEMC_SHOW(t->busy, t->busy + 1);
      memc_team_work(ctx);
      MEMC_SHOW(t->busy, t->busy - 1);
      if (t->busy == 0)
        memc_signal_one(&t->done);
    } else {
      memc_team_wait(t, &t->turn, &t->open);
    }
  memc_mutex_give(&t->lock);
  return 0;
}

/* Wakes as many helpers as there are tasks for, and starts them the first time. */
static void memc_team_wake(struct memc_context *ctx, int64_t tasks)
{
  struct memc_team *t = &ctx->team;
  int i;
  if (t->helpers == 0)
    t->process = memc_process();
  while (t->helpers < ctx->threads - 1 && t->helpers < tasks - 1 &&
         memc_thread_start(&t->helper[t->helpers], memc_team_help, ctx) == 0)
    t->helpers++;
  MEMC_SHOW(t->turn, t->turn + 1);
  for (i = 0; i < t->helpers && i < tasks - 1; i++)
    memc_signal_one(&t->open);
}

static MEMC_UNUSED void memc_tasks(struct memc_context *ctx, memc_task *run, int64_t tasks, const void *args)
{
  struct memc_team *t = &ctx->team;
  memc_mutex_take(&t->lock);
  t->run = run, t->args = args, t->next = 0, t->tasks = tasks;
  ctx->found.code = 0;
  if (tasks > 1)
    memc_team_wake(ctx, tasks);
  memc_team_work(ctx);
  while (t->busy > 0)
    memc_team_wait(t, &t->busy, &t->done);
  t->tasks = 0;
  memc_mutex_give(&t->lock);
}

static void memc_team_up(struct memc_context *ctx)
{
  memc_mutex_up(&ctx->team.lock);
  memc_signal_up(&ctx->team.open);
  memc_signal_up(&ctx->team.done);
}

static void memc_team_down(struct memc_context *ctx)
{
  struct memc_team *t = &ctx->team;
  int i;
  if (t->helpers > 0 && t->process != memc_process())
    return; /* the helpers did not come along, and a lock or signal that they wait at cannot be ended */
  memc_mutex_take(&t->lock);
  t->over = 1;
  memc_signal_all(&t->open);
  memc_mutex_give(&t->lock);
  for (i = 0; i < t->helpers; i++)
    memc_thread_join(t->helper[i]);
  memc_signal_down(&t->done);
  memc_signal_down(&t->open);
  memc_mutex_down(&t->lock);
}

/* Runs a kernel of the program; with no tasks, nothing runs. copied is the number of
   bytes that the kernel moves as a copy would. */
static MEMC_UNUSED int memc_launch(struct memc_context *ctx, const char *name, memc_task *run, int64_t tasks,
                                   int64_t copied, const void *args)
{
  if (tasks <= 0 || ctx->rehearsing)
    return MEMC_OK;
  memc_tasks(ctx, run, tasks, args);
  ctx->stats.kernel_launches++;
  ctx->stats.copied_bytes += copied;
  if (ctx->debugging)
    memc_log(ctx, "kernel %s: %" PRId64 " tasks", name, tasks);
  return ctx->found.code ? memc_fault(ctx, ctx->found.code, ctx->found.args) : MEMC_OK;
}

/* Blocks that a task allocates for itself. Where several of its variables may share
   one, it has a count of references in the 16 bytes before the data. Inlined, GCC 12 warns of
   uses beyond a block that the checks exclude, and of uses after a free that the count excludes. */
static MEMC_UNUSED MEMC_NOINLINE int memc_block_take(struct memc_context *ctx, int64_t task, int64_t bytes, size_t head, int full, unsigned char **at)
{
  const uint32_t one = 1;
  *at = NULL;
  if (bytes <= 0)
    return 0;
  if ((uint64_t)bytes > SIZE_MAX - head || (*at = malloc((size_t)bytes + head)) == NULL) {
    memc_task_fault(ctx, task, full, bytes, 0, 0, 0);
    return 1;
  }
  if (head)
    memcpy(*at, &one, sizeof one);
  return 0;
}

static MEMC_UNUSED void memc_block_share(unsigned char *at)
{
  uint32_t refs;
  if (at) {
    memcpy(&refs, at, sizeof refs);
    refs++;
    memcpy(at, &refs, sizeof refs);
  }
}

static MEMC_UNUSED MEMC_NOINLINE void memc_block_drop(unsigned char *at)
{
  uint32_t refs;
  if (at) {
    memcpy(&refs, at, sizeof refs);
    refs--;
    memcpy(at, &refs, sizeof refs);
    if (refs == 0)
      free(at);
  }
}
