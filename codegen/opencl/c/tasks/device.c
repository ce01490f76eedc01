/* Processors: what a configuration and a context hold besides what every target
   does. A buffer is memory of the process. */

#ifdef _OPENMP
#include <omp.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif
typedef unsigned char *memc_buffer;

struct memc_context;
typedef void memc_task(struct memc_context *ctx, int64_t task, int64_t tasks, const void *args);

/* The fault of the first task that failed, in the order of the tasks. */
struct memc_found {
  int64_t task, args[4];
  int code; /* 0: none failed */
};

enum { MEMC_MOST_THREADS = 64 };

/* The threads of a context beside the caller's, and the launch whose tasks they take. */
struct memc_team {
  memc_mutex lock;  /* of all that follows, and of memc_found */
  memc_signal open; /* there are tasks, or the team ends */
  memc_signal done; /* no helper runs a task */
  memc_thread helper[MEMC_MOST_THREADS - 1];
  int helpers, over;
  unsigned busy; /* helpers that run tasks */
  unsigned turn; /* counts launches of several tasks */
  long process;  /* the helpers run in */
  memc_task *run;
  int64_t next, tasks; /* of the launch; none is left once they are equal */
  const void *args;
};

#define MEMC_CONFIG_FIELDS \
  int threads; /* 0: as many as the environment says */

#define MEMC_CONTEXT_FIELDS \
  int threads; \
  memc_mutex turn; /* of the caller's threads */ \
  struct memc_team team; \
  struct memc_found found;

#define memc_enter(ctx) memc_mutex_take(&(ctx)->turn)
#define memc_leave(ctx) memc_mutex_give(&(ctx)->turn)

/* The processors are one device: no block is shared, and no call goes on behind the caller. */
#define memc_guard(ctx) ((void)0)
#define memc_unguard(ctx) ((void)0)
#define memc_belongs(ctx) 0
#define memc_is_several(ctx) 0
#define memc_together(a, b) ((a) == (b))
#define memc_shared_alloc(ctx, var, bytes, tag, where, what) MEMC_ERROR
#define memc_shared_retain(b) ((void)0)
#define memc_shared_release(b) ((void)0)
#define memc_shared_take(var) NULL
#define memc_shared_values(ctx, b, off, bytes, dst, done) (*(done) = 0, MEMC_OK)

#define MEMC_TARGET_LIST ""
#define MEMC_TARGET_THREADS
#define MEMC_TARGET_USAGE "  -T, --threads N       run on N threads\n"
