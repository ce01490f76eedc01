/* Memory of the caller's: arrays that lie in it, results that go there, a supply of buffers, and
   two libraries that share one queue. What a call finds there, it leaves there. */
#define _POSIX_C_SOURCE 199309L /* nanosleep */
#include <time.h>
#include "interop.h"
#include "other.h"
#include "check.h"

#ifdef TASKS
typedef float *memory;
typedef const float *lent;
#else
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
typedef cl_mem memory;
typedef cl_mem lent;
static cl_context cl;
static cl_command_queue queue;
#endif

static memory make(int64_t bytes)
{
#ifdef TASKS
  return malloc((size_t)bytes);
#else
  return clCreateBuffer(cl, CL_MEM_READ_WRITE, (size_t)bytes, NULL, NULL);
#endif
}

/* PoCL wakes who waits for a command before it lets go of the command's buffers, so a count may be 2 for a while. */
static void drop(memory m)
{
#ifdef TASKS
  free(m);
#else
  const struct timespec ms = {0, 1000000};
  cl_uint count = 0;
  int tries;
  for (tries = 0; count != 1 && tries < 10000; tries += nanosleep(&ms, NULL) == 0)
    CHECK(clGetMemObjectInfo(m, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL) == CL_SUCCESS);
  CHECK(count == 1);
  CHECK(clReleaseMemObject(m) == CL_SUCCESS);
#endif
}

static void write(memory m, const float *from, int n)
{
#ifdef TASKS
  memcpy(m, from, (size_t)n * sizeof *from);
#else
  CHECK(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, (size_t)n * sizeof *from, from, 0, NULL, NULL) == CL_SUCCESS);
#endif
}

static void holds(memory m, int at, float a, float b, float c)
{
  float got[3];
#ifdef TASKS
  memcpy(got, m + at, sizeof got);
#else
  CHECK(clEnqueueReadBuffer(queue, m, CL_TRUE, (size_t)at * sizeof *got, sizeof got, got, 0, NULL, NULL) == CL_SUCCESS);
#endif
  CHECK(got[0] == a && got[1] == b && got[2] == c);
}

static struct interop_config *config(void)
{
  struct interop_config *cfg = interop_config_new();
  CHECK(cfg);
#ifndef TASKS
  interop_config_set_command_queue(cfg, queue);
#endif
  return cfg;
}

static int reads(struct interop_context *ctx, const struct interop_f32_1d *a, float x, float y, float z)
{
  float got[3];
  return interop_values_f32_1d(ctx, a, got) == 0 && got[0] == x && got[1] == y && got[2] == z;
}

/* An array lies in the caller's memory. Calls read it; they do not write there, nor do results lie there. */
static void arrays(void)
{
  const float data[] = {1, 2, 3}, later[] = {7, 8, 9};
  struct interop_config *cfg = config();
  struct interop_context *ctx = interop_context_new(cfg);
  struct interop_f32_1d *a, *b, *r = NULL, *s = NULL;
  struct memc_stats stats;
  memory m = make(sizeof data);
  CHECK(ctx && interop_context_get_error(ctx) == NULL);
  write(m, data, 3);
  a = interop_new_raw_f32_1d(ctx, (lent)m, 3);
  b = interop_new_raw_f32_1d(ctx, (lent)m, 3);
  CHECK(a && b && reads(ctx, a, 1, 2, 3) && interop_shape_f32_1d(ctx, a)[0] == 3);
  CHECK(interop_context_stats(ctx, &stats) == 0 && stats.alloc_requests == 0); /* nothing was copied */
  CHECK(interop_entry_same(ctx, &s, a) == 0);
  CHECK(interop_entry_put(ctx, &r, a, b) == 0); /* consumes a */
  CHECK(reads(ctx, r, 3, 2, 3) && interop_values_f32_1d(ctx, a, NULL) == 5);
  holds(m, 0, 1, 2, 3);
  write(m, later, 3);
  CHECK(reads(ctx, b, 7, 8, 9) && reads(ctx, s, 1, 2, 3) && reads(ctx, r, 3, 2, 3));
  interop_free_f32_1d(ctx, a);
  interop_free_f32_1d(ctx, b);
  drop(m);
  CHECK(reads(ctx, s, 1, 2, 3));
  interop_free_f32_1d(ctx, r);
  interop_free_f32_1d(ctx, s);
  a = interop_new_raw_f32_1d(ctx, NULL, 0);
  CHECK(a && interop_shape_f32_1d(ctx, a)[0] == 0);
  interop_free_f32_1d(ctx, a);
  CHECK(interop_new_raw_f32_1d(ctx, NULL, 3) == NULL && interop_context_get_code(ctx) == 5);
  CHECK(interop_new_raw_f32_1d(ctx, NULL, -3) == NULL && interop_context_get_code(ctx) == 5);
  CHECK(interop_new_raw_f32_1d(NULL, NULL, 0) == NULL);
  interop_context_free(ctx);
  interop_config_free(cfg);
}

/* Each request of the pool's goes to the supply, and all comes back. */
struct supply { int made, there; int64_t most; };

static void *supplied(void *self, int64_t bytes)
{
  struct supply *s = self;
  if (bytes > s->most)
    return NULL;
  s->made++;
  s->there++;
  return make(bytes);
}

static void taken(void *self, void *buffer)
{
  ((struct supply *)self)->there--;
#ifdef TASKS
  free(buffer);
#else
  clReleaseMemObject(buffer); /* commands that still run keep it */
#endif
}

static void supplies(void)
{
  struct supply s = {0, 0, 100000};
  struct interop_config *cfg = config();
  struct interop_context *ctx;
  struct interop_f32_1d *r = NULL;
  const char *told;
  interop_config_set_supply(cfg, supplied, taken, &s);
  CHECK(interop_config_set_allocator(cfg, "driver") == 0);
  ctx = interop_context_new(cfg);
  CHECK(ctx && interop_context_get_error(ctx) == NULL && interop_context_get_snapshot(ctx) == NULL);
  CHECK(interop_entry_fill(ctx, &r, 3) == 0 && reads(ctx, r, 0, 1, 2) && s.made > 0 && s.there > 0);
  {
    struct interop_f32_1d *big = NULL;
    CHECK(interop_entry_fill(ctx, &big, 30000) == 3 && big == NULL);
  }
  told = interop_context_get_snapshot(ctx); /* of what the call had besides */
  CHECK(told && strstr(told, "{\"requested\": {\"name\": \"block `m_ys`\", \"place\": \"interop.ir:20:3\", \"bytes\": 120000}, \"limit\": "));
  CHECK(strstr(told, "\"blocks\": [{\"name\": \"block `m_none`\", \"place\": \"interop.ir:18:3\", \"bytes\": 30000}, {\"name\": \"block `m_ys`\", \"place\": \"interop.ir:20:3\", \"bytes\": 12}]}"));
  CHECK(reads(ctx, r, 0, 1, 2));
  interop_free_f32_1d(ctx, r);
  interop_context_free(ctx);
  CHECK(s.there == 0);
  interop_config_set_supply(NULL, NULL, NULL, NULL);
  CHECK(interop_context_get_snapshot(NULL) == NULL);
#ifndef TASKS
  interop_config_set_command_queue(cfg, NULL);
  ctx = interop_context_new(cfg);
  CHECK(interop_context_get_code(ctx) == 5 && strstr(interop_context_get_error(ctx), "need a command queue"));
  interop_context_free(ctx);
  interop_config_set_command_queue(NULL, queue);
#endif
  interop_config_free(cfg);
}

/* The peak is told before the run, and nothing of it is left. */
static void peaks(void)
{
  const float data[] = {1, 2, 3};
  struct interop_config *cfg = config();
  struct interop_context *ctx = interop_context_new(cfg);
  struct interop_f32_1d *a = interop_new_f32_1d(ctx, data, 3), *b = interop_new_f32_1d(ctx, data, 3), *r = NULL;
  struct memc_stats before, after;
  int64_t bytes = -1;
  CHECK(interop_context_stats(ctx, &before) == 0);
  CHECK(interop_peak_fill(ctx, &bytes, 1000) == 0 && bytes == 5000);
  CHECK(interop_peak_fill(ctx, &bytes, (int64_t)1 << 40) == 0 && bytes == (int64_t)5 << 40); /* more than there is */
  CHECK(interop_peak_same(ctx, &bytes, 10) == 0 && bytes == 40);
  CHECK(interop_peak_put(ctx, &bytes, 3) == 0);
  CHECK(interop_context_stats(ctx, &after) == 0 && memcmp(&before, &after, sizeof before) == 0);
  CHECK(interop_entry_put(ctx, &r, a, b) == 0 && interop_context_stats(ctx, &after) == 0 && after.peak_bytes == bytes);
  bytes = -1;
  CHECK(interop_peak_fill(ctx, &bytes, -1) == 2 && strstr(interop_context_get_error(ctx), "negative size -1"));
  CHECK(interop_peak_fill(ctx, &bytes, (int64_t)1 << 46) == 3 && interop_context_get_snapshot(ctx) == NULL);
  CHECK(interop_peak_same(ctx, &bytes, -1) == 5 && interop_peak_same(ctx, NULL, 1) == 5 && interop_peak_same(NULL, &bytes, 1) == 1);
  CHECK(interop_peak_upto(ctx, &bytes, 3) == 1 && strstr(interop_context_get_error(ctx), "depends on values that it computes"));
  CHECK(bytes == -1 && reads(ctx, r, 3, 2, 3));
  interop_free_f32_1d(ctx, a);
  interop_free_f32_1d(ctx, b);
  interop_free_f32_1d(ctx, r);
  interop_context_free(ctx);
  interop_config_free(cfg);
}

#ifdef TASKS
/* The elements of a view stay, whatever happens to the array; a call that consumes the array works on a copy. */
static void views(void)
{
  const float data[] = {1, 2, 3}, *at = NULL;
  struct interop_context *ctx = interop_context_new(NULL);
  struct interop_f32_1d *a = interop_new_f32_1d(ctx, data, 3), *b = interop_new_f32_1d(ctx, data, 3), *r = NULL;
  struct interop_f32_1d *v = interop_view_f32_1d(ctx, a, &at);
  CHECK(v && at[0] == 1 && at[2] == 3 && reads(ctx, v, 1, 2, 3));
  CHECK(interop_entry_put(ctx, &r, a, b) == 0 && reads(ctx, r, 3, 2, 3) && at[0] == 1 && at[2] == 3); /* consumes a */
  CHECK(interop_view_f32_1d(ctx, a, &at) == NULL && interop_context_get_code(ctx) == 5);
  CHECK(interop_view_f32_1d(ctx, NULL, &at) == NULL && interop_view_f32_1d(NULL, NULL, NULL) == NULL);
  interop_free_f32_1d(ctx, a);
  interop_free_f32_1d(ctx, b);
  interop_free_f32_1d(ctx, r);
  CHECK(at[0] == 1 && at[2] == 3);
  interop_free_f32_1d(ctx, v);
  interop_context_free(ctx);
}

/* Memory that is not aligned is copied. */
static void targets(void)
{
  const float data[] = {1, 2, 3};
  char *odd = malloc(sizeof data + 1);
  struct interop_context *ctx = interop_context_new(NULL);
  struct interop_f32_1d *a, *r = NULL;
  memcpy(odd + 1, data, sizeof data);
  a = interop_new_raw_f32_1d(ctx, (const float *)(const void *)(odd + 1), 3);
  free(odd);
  CHECK(a && reads(ctx, a, 1, 2, 3) && interop_entry_same(ctx, &r, a) == 0 && reads(ctx, r, 1, 2, 3));
  interop_free_f32_1d(ctx, a);
  interop_free_f32_1d(ctx, r);
  interop_context_free(ctx);
}
#else
/* A buffer that ends within the last word of an array is copied. */
static void short_buffer(struct interop_context *ctx)
{
  const bool data[] = {true, false, true};
  bool got[3];
  cl_mem m = clCreateBuffer(cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 3, (void *)(uintptr_t)data, NULL);
  struct interop_bool_1d *a = interop_new_raw_bool_1d(ctx, m, 3), *r = NULL;
  drop(m);
  CHECK(a && interop_entry_flip(ctx, &r, a) == 0 && interop_values_bool_1d(ctx, r, got) == 0 && !got[0] && got[1] && !got[2]);
  interop_free_bool_1d(ctx, a);
  interop_free_bool_1d(ctx, r);
}

/* Two libraries on one queue: the buffer that one makes is the other's argument. Results go into a buffer. */
static void targets(void)
{
  const float data[] = {1, 2, 3, 4, 5};
  struct interop_config *cfg = config();
  struct interop_context *ctx = interop_context_new(cfg);
  struct other_config *ocfg = other_config_new();
  struct other_context *octx;
  struct interop_f32_1d *a = interop_new_f32_1d(ctx, data, 3), *r = NULL;
  struct other_f32_1d *in, *out = NULL;
  memory m = make(sizeof data), writeonly = clCreateBuffer(cl, CL_MEM_WRITE_ONLY, 12, NULL, NULL);
  cl_context foreign;
  cl_device_id device;
  cl_mem theirs;
  float got[3];
  other_config_set_command_queue(ocfg, queue);
  octx = other_context_new(ocfg);
  CHECK(interop_context_queue(ctx) == queue && other_context_queue(octx) == queue && other_context_cl(octx) == cl);
  write(m, data, 5);
  CHECK(interop_values_raw_f32_1d(ctx, a, m, 8) == 0);
  holds(m, 0, 1, 2, 1);
  holds(m, 2, 1, 2, 3);
  in = other_new_raw_f32_1d(octx, m, 5);
  CHECK(in && other_entry_twice(octx, &out, in) == 0);
  CHECK(other_values_raw_f32_1d(octx, out, m, 0) == 0); /* in lies there, too */
  r = interop_new_raw_f32_1d(ctx, m, 3);
  CHECK(interop_values_f32_1d(ctx, r, got) == 0 && got[0] == 2 && got[1] == 4 && got[2] == 2);
  CHECK(interop_values_raw_f32_1d(ctx, a, m, 9) == 5 && strstr(interop_context_get_error(ctx), "does not hold 12 bytes from byte 9"));
  CHECK(interop_values_raw_f32_1d(ctx, a, m, -4) == 5 && interop_values_raw_f32_1d(ctx, a, NULL, 0) == 5);
  CHECK(interop_values_raw_f32_1d(ctx, NULL, m, 0) == 5 && interop_values_raw_f32_1d(NULL, a, m, 0) == 1);
  CHECK(interop_new_raw_f32_1d(ctx, m, 6) == NULL && interop_context_get_code(ctx) == 5);
  CHECK(writeonly && interop_new_raw_f32_1d(ctx, writeonly, 3) == NULL && interop_context_get_code(ctx) == 5);
  drop(writeonly);
  CHECK(clGetContextInfo(cl, CL_CONTEXT_DEVICES, sizeof device, &device, NULL) == CL_SUCCESS);
  foreign = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  theirs = clCreateBuffer(foreign, CL_MEM_READ_WRITE, 12, NULL, NULL);
  CHECK(theirs && interop_new_raw_f32_1d(ctx, theirs, 3) == NULL && interop_context_get_code(ctx) == 5);
  drop(theirs);
  clReleaseContext(foreign);
  interop_free_f32_1d(ctx, a);
  interop_free_f32_1d(ctx, r);
  other_free_f32_1d(octx, in);
  other_free_f32_1d(octx, out);
  short_buffer(ctx);
  interop_context_free(ctx);
  other_context_free(octx);
  holds(m, 0, 2, 4, 2); /* the queue is the caller's */
  drop(m);
  interop_config_free(cfg);
  other_config_free(ocfg);
}
#endif

int main(void)
{
#ifndef TASKS
  struct other_context *first = other_context_new(NULL); /* whose device is the one to use */
  cl_device_id device;
  CHECK(clGetContextInfo(other_context_cl(first), CL_CONTEXT_DEVICES, sizeof device, &device, NULL) == CL_SUCCESS);
  cl = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueue(cl, device, 0, NULL);
  other_context_free(first);
  CHECK(cl && queue);
#endif
  arrays();
  supplies();
  peaks();
  targets();
#ifdef TASKS
  views();
#endif
#ifndef TASKS
  CHECK(clReleaseCommandQueue(queue) == CL_SUCCESS && clReleaseContext(cl) == CL_SUCCESS);
#endif
  puts("ok");
  return 0;
}
