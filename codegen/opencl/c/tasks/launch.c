/* Launches: the tasks of a kernel, over the threads.

   Threads come from OpenMP (-fopenmp), or with -DMEMC_PTHREADS from POSIX; without
   either there is one. What a task does depends on its number only, so the results
   are the same for any number of threads. */

typedef void memc_task(struct memc_context *ctx, int64_t task, int64_t tasks, const void *args);

#if defined(MEMC_PTHREADS)
static pthread_mutex_t memc_lock = PTHREAD_MUTEX_INITIALIZER;
#define MEMC_LOCKED(statement) \
  do { pthread_mutex_lock(&memc_lock); statement; pthread_mutex_unlock(&memc_lock); } while (0)
#elif defined(_OPENMP)
#define MEMC_LOCKED(statement) \
  do { _Pragma("omp critical(memc_lock)") { statement; } } while (0)
#else
#define MEMC_LOCKED(statement) do { statement; } while (0)
#endif

/* Reports a failing check. Of several tasks that fail the first one counts, so that
   the message is that of a run of one task after the other. */
static MEMC_UNUSED MEMC_NOINLINE void memc_task_fault(struct memc_context *ctx, int64_t task, int code,
                                                      int64_t a, int64_t b, int64_t c, int64_t d)
{
  struct memc_found found;
  found.task = task, found.code = code;
  found.args[0] = a, found.args[1] = b, found.args[2] = c, found.args[3] = d;
  MEMC_LOCKED(if (ctx->found.code == 0 || task < ctx->found.task) ctx->found = found);
}

/* Runs a task, unless one before it has failed. */
static void memc_task_run(struct memc_context *ctx, memc_task *run, int64_t task, int64_t tasks, const void *args)
{
#if MEMC_KERNEL_CHECKS
  int late;
  MEMC_LOCKED(late = ctx->found.code != 0 && ctx->found.task < task);
  if (late)
    return;
#endif
  run(ctx, task, tasks, args);
}

#if defined(MEMC_PTHREADS)
struct memc_team {
  struct memc_context *ctx;
  memc_task *run;
  int64_t next, tasks;
  const void *args;
};

static void *memc_team_work(void *self)
{
  struct memc_team *team = self;
  for (;;) {
    int64_t task;
    MEMC_LOCKED(task = team->next++);
    if (task >= team->tasks)
      return NULL;
    memc_task_run(team->ctx, team->run, task, team->tasks, team->args);
  }
}

static MEMC_UNUSED void memc_tasks(struct memc_context *ctx, memc_task *run, int64_t tasks, const void *args)
{
  struct memc_team team;
  pthread_t others[64];
  int i, n = 0;
  team.ctx = ctx, team.run = run, team.next = 0, team.tasks = tasks, team.args = args;
  while (n < 64 && n + 1 < ctx->threads && n + 1 < tasks && pthread_create(&others[n], NULL, memc_team_work, &team) == 0)
    n++;
  memc_team_work(&team);
  for (i = 0; i < n; i++)
    pthread_join(others[i], NULL);
}
#else
static MEMC_UNUSED void memc_tasks(struct memc_context *ctx, memc_task *run, int64_t tasks, const void *args)
{
  int64_t task;
#ifdef _OPENMP
  const int threads = tasks < ctx->threads ? (int)tasks : ctx->threads;
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1)
#endif
  for (task = 0; task < tasks; task++)
    memc_task_run(ctx, run, task, tasks, args);
}
#endif

/* Runs a kernel of the program; with no tasks, nothing runs. copied is the number of
   bytes that the kernel moves as a copy would. */
static MEMC_UNUSED int memc_launch(struct memc_context *ctx, const char *name, memc_task *run, int64_t tasks,
                                   int64_t copied, const void *args)
{
  if (tasks <= 0)
    return MEMC_OK;
  ctx->found.code = 0;
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
