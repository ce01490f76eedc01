/* Processors: what a configuration and a context hold besides what every target
   does. A buffer is memory of the process. */

#if defined(MEMC_PTHREADS)
#include <pthread.h>
#include <unistd.h>
#elif defined(_OPENMP)
#include <omp.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

typedef unsigned char *memc_buffer;

/* The fault of the first task that failed, in the order of the tasks. */
struct memc_found {
  int64_t task, args[4];
  int code; /* 0: none failed */
};

#define MEMC_CONFIG_FIELDS \
  int threads; /* 0: as many as the environment says */

#define MEMC_CONTEXT_FIELDS \
  int threads; \
  memc_mutex turn; /* of the caller's threads */ \
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
#define memc_shared_values(ctx, b, bytes, dst, done) (*(done) = 0, MEMC_OK)

#define MEMC_TARGET_LIST ""
#define MEMC_TARGET_THREADS
#define MEMC_TARGET_USAGE "  -T, --threads N       run on N threads\n"
