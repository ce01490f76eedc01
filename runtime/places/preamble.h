/* What the files of native/c stand on: here, what Go does for them. */
#define CL_TARGET_OPENCL_VERSION 120
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define MEMC_UNUSED __attribute__((unused))
#include "../native/c/threads.c"
#include "../native/c/pool.c"
#include "../native/c/cl/versions.c"
#include "../native/c/cl/errors.c"
#include "../native/c/cl/memory.c"

enum { MEMC_OK, MEMC_ERROR, MEMC_NO_MEMORY };

struct memc_several;
struct memc_shared;
struct memc_loan;

/* A device, or a command on one. */
struct memc_context {
  struct memc_several *several;
  int number;
  cl_context cl;
  cl_command_queue queue, side;
  struct { int64_t evicted_bytes, restored_bytes, migrated_bytes; } stats;
  struct memc_loan *loans;
  int loan_count, loan_room;
  uintptr_t go; /* a command's handle */
  /* Why a command failed: */
  int device;       /* which one it was */
  cl_int code;      /* not 0: what OpenCL answered */
  int waits;        /* in a call that waits for the device */
  const char *what; /* was tried */
  int full;         /* the device has no room */
};

struct memc_block {
  int refs;
  cl_mem buffer;
  int64_t offset, bytes;
  struct memc_range *range;
  const char *what;
  struct memc_shared *shared;
  uintptr_t go; /* the handle of whom Go calls the owner */
};

int memc_go_make(uintptr_t command, struct memc_block *b, int device, int64_t bytes, int tag);
void memc_go_drop(uintptr_t table, int device, uintptr_t owner);
int64_t memc_go_host(void);
void memc_go_moved(uintptr_t table, int device, int out, int other, int64_t bytes, cl_event done);

static int memc_refused(struct memc_context *m, cl_int e, int waits, const char *what);
static int memc_cl(struct memc_context *m, cl_int e, const char *what) { return memc_refused(m, e, 0, what); }
static int memc_cl_waited(struct memc_context *m, cl_int e, const char *what) { return memc_refused(m, e, 1, what); }
static int memc_fail(struct memc_context *ctx, int code, const char *text) { return (void)ctx, (void)text, code; }
static int memc_report(struct memc_context *ctx, int code, char *text) { return (void)ctx, (void)text, code; }
static char *memc_take_error(struct memc_context *m) { return (void)m, NULL; }
static int memc_no_memory(struct memc_context *m, const char *where, const char *what, int64_t bytes);
static int memc_block_new(struct memc_context *m, struct memc_block **b, int64_t bytes, int tag, const char *where, const char *what);
static void memc_release(struct memc_context *m, struct memc_block **b);
static int64_t memc_host_memory(void) { return memc_go_host(); }

#include "../native/c/cl/lanes.c"
#include "../native/c/cl/shared.c"
#include "../native/c/cl/moves.c"
#include "../native/c/cl/lend.c"
#include "../native/c/cl/places.c"

static int memc_refused(struct memc_context *m, cl_int e, int waits, const char *what)
{
  struct memc_context *acting = m->several->acting;
  if (e == CL_SUCCESS)
    return MEMC_OK;
  acting->device = m->number;
  acting->code = e;
  acting->waits = waits;
  acting->what = what;
  return MEMC_ERROR;
}

static int memc_no_memory(struct memc_context *m, const char *where, const char *what, int64_t bytes)
{
  struct memc_context *acting = m->several->acting;
  (void)where, (void)what, (void)bytes;
  acting->device = m->number;
  acting->full = 1;
  return MEMC_NO_MEMORY;
}

static int memc_block_new(struct memc_context *m, struct memc_block **var, int64_t bytes, int tag, const char *where, const char *what)
{
  struct memc_block *b = calloc(1, sizeof *b);
  int err = MEMC_POOL_NO_HOST;
  (void)where, (void)what;
  if (b && (err = memc_go_make(m->several->acting->go, b, m->number, bytes, tag))) {
    free(b);
    b = NULL;
  }
  *var = b;
  return err;
}

static void memc_release(struct memc_context *m, struct memc_block **var)
{
  memc_go_drop((uintptr_t)m->several->self, m->number, (*var)->go);
  free(*var);
  *var = NULL;
}

static void places_moved(void *self, const struct memc_lane *l, int other, int64_t bytes, cl_event done)
{
  clRetainEvent(done);
  memc_go_moved((uintptr_t)self, l->number / MEMC_QUEUES, l->number % MEMC_QUEUES == MEMC_OUT, other, bytes, done);
}

static int places_add(struct memc_several *s, cl_context cl, cl_command_queue main, cl_command_queue in, cl_command_queue out, cl_command_queue side)
{
  struct memc_context *m = s->count < MEMC_PLACES - 1 ? calloc(1, sizeof *m) : NULL;
  if (m == NULL)
    return 0;
  m->several = s;
  m->number = s->count;
  m->cl = cl;
  m->queue = main;
  m->side = side;
  s->member[s->count++] = m;
  clRetainCommandQueue(in);
  clRetainCommandQueue(out);
  memc_lane_up(s, m, MEMC_MAIN, main);
  memc_lane_up(s, m, MEMC_IN, in);
  memc_lane_up(s, m, MEMC_OUT, out);
  return 1;
}

static struct memc_several *places_new(uintptr_t self, int timed)
{
  struct memc_several *s = calloc(1, sizeof *s);
  memc_places_up(s);
  s->self = (void *)self;
  s->moved = timed ? places_moved : NULL;
  return s;
}

static void places_free(struct memc_several *s)
{
  int i;
  memc_lanes_finish(s);
  memc_places_down(s);
  for (i = 0; i < s->count; i++)
    free(s->member[i]);
  free(s);
}

/* A command knows the number of its device, and Go's handle. */
static struct memc_context *places_command(struct memc_several *s, int device, uintptr_t go)
{
  struct memc_context *c = calloc(1, sizeof *c);
  c->several = s;
  c->number = device;
  c->go = go;
  return c;
}

static void places_command_free(struct memc_context *c)
{
  free(c->loans);
  free(c);
}

static int places_end(struct memc_context *c, int err)
{
  return memc_repay(c, c->several->member[c->number], err);
}

static int places_lend(struct memc_context *c, struct memc_shared *b, int how, uintptr_t *owner)
{
  const struct memc_block *at;
  const int err = memc_lend(c, c->several->member[c->number], &b->block, how, &at);
  if (err == MEMC_OK)
    *owner = at->go;
  return err;
}

static int places_hold(struct memc_several *s, struct memc_shared *b, int device, struct memc_block *mem)
{
  int err;
  memc_mutex_take(&s->lock);
  if ((err = memc_shared_hold(b, device, mem)) == MEMC_POOL_OK)
    b->v.pins++;
  memc_mutex_give(&s->lock);
  return err;
}

struct places_sum { int64_t migrated_bytes, evicted_bytes, restored_bytes; };

static struct places_sum places_sum(struct memc_several *s, int reset)
{
  struct places_sum sum = {0, 0, 0};
  int i;
  memc_mutex_take(&s->lock);
  for (i = 0; i < s->count; i++) {
    struct memc_context *m = s->member[i];
    sum.migrated_bytes += m->stats.migrated_bytes;
    sum.evicted_bytes += m->stats.evicted_bytes;
    sum.restored_bytes += m->stats.restored_bytes;
    if (reset)
      memset(&m->stats, 0, sizeof m->stats);
  }
  memc_mutex_give(&s->lock);
  return sum;
}

static void places_trim(struct memc_several *s)
{
  memc_mutex_take(&s->lock);
  memc_pool_trim(&s->host);
  memc_mutex_give(&s->lock);
}
