/* What a configuration can say: devices, files with kernels, messages, reports. */
#include "values.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void call(struct futhark_context *ctx)
{
  const float xs[2] = {3, 4};
  float s = 0;
  struct futhark_f32_1d *a = futhark_new_f32_1d(ctx, xs, 2);
  assert(futhark_entry_dot(ctx, &s, a, a) == FUTHARK_SUCCESS && futhark_context_sync(ctx) == FUTHARK_SUCCESS);
  assert(s == 25);
  futhark_free_f32_1d(ctx, a);
}

static struct futhark_context *up(struct futhark_context_config *cfg)
{
  struct futhark_context *ctx = futhark_context_new(cfg);
  char *text = futhark_context_get_error(ctx);
  if (text) {
    fprintf(stderr, "%s\n", text);
    abort();
  }
  return ctx;
}

/* Tells whether a file holds a text. */
static int holds(FILE *f, const char *part)
{
  static char text[65536];
  size_t n;
  rewind(f);
  n = fread(text, 1, sizeof text - 1, f);
  text[n] = '\0';
  return strstr(text, part) != NULL;
}

/* A queue that does not keep the order of commands is refused. */
static void disordered(cl_command_queue like)
{
  struct futhark_context_config *cfg = futhark_context_config_new();
  struct futhark_context *ctx;
  cl_context cl;
  cl_device_id id;
  cl_command_queue queue;
  cl_int e;
  char *error;
  assert(clGetCommandQueueInfo(like, CL_QUEUE_CONTEXT, sizeof cl, &cl, NULL) == CL_SUCCESS);
  assert(clGetCommandQueueInfo(like, CL_QUEUE_DEVICE, sizeof id, &id, NULL) == CL_SUCCESS);
  queue = clCreateCommandQueue(cl, id, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &e);
  if (e == CL_SUCCESS) { /* not every driver has such queues */
    futhark_context_config_set_command_queue(cfg, queue);
    ctx = futhark_context_new(cfg);
    error = futhark_context_get_error(ctx);
    assert(error != NULL && strstr(error, "out of order") != NULL);
    free(error);
    futhark_context_free(ctx);
    assert(clReleaseCommandQueue(queue) == CL_SUCCESS);
  }
  futhark_context_config_free(cfg);
}

static void device(void)
{
  struct futhark_context_config *cfg = futhark_context_config_new();
  struct futhark_context *ctx;
  cl_command_queue queue;
  futhark_context_config_set_platform(cfg, "#0");
  futhark_context_config_set_device(cfg, "#0");
  ctx = up(cfg);
  queue = futhark_context_get_command_queue(ctx);
  assert(queue != NULL && futhark_context_get_program(ctx) != NULL);
  assert(clRetainCommandQueue(queue) == CL_SUCCESS);
  call(ctx);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);

  cfg = futhark_context_config_new();
  futhark_context_config_set_command_queue(cfg, queue);
  ctx = up(cfg);
  assert(futhark_context_get_command_queue(ctx) == queue);
  call(ctx);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  disordered(queue);
  assert(clReleaseCommandQueue(queue) == CL_SUCCESS);
}

/* With a cache the second context finds the first one's kernels; a spoilt cache is
   made anew. */
static void cache(const char *path)
{
  int i;
  for (i = 0; i < 4; i++) {
    struct futhark_context_config *cfg = futhark_context_config_new();
    struct futhark_context *ctx;
    FILE *log = tmpfile(), *f;
    futhark_context_config_set_cache_file(cfg, path);
    if (i == 2 && (f = fopen(path, "r+b"))) {
      fputs("spoilt", f);
      fclose(f);
    }
    ctx = up(cfg);
    futhark_context_set_logging_file(ctx, log);
    call(ctx);
    futhark_context_free(ctx);
    futhark_context_config_free(cfg);
    assert(!holds(log, "dot")); /* nothing is told unless that is asked for */
    fclose(log);
  }
}

static void files(const char *path)
{
  struct futhark_context_config *cfg = futhark_context_config_new();
  struct futhark_context *ctx;
  futhark_context_config_dump_binary_to(cfg, path);
  futhark_context_config_add_build_option(cfg, "-DONE=1");
  futhark_context_config_add_build_option(cfg, "-DTWO=2");
  assert(strstr(futhark_context_config_get_program(cfg), "__kernel") != NULL);
  ctx = up(cfg);
  call(ctx);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);

  cfg = futhark_context_config_new();
  futhark_context_config_load_binary_from(cfg, path);
  ctx = up(cfg);
  call(ctx);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
}

static void messages(void)
{
  struct futhark_context_config *cfg = futhark_context_config_new();
  struct futhark_context *ctx;
  FILE *log = tmpfile();
  char *report;
  futhark_context_config_set_debugging(cfg, 1);
  futhark_context_config_set_profiling(cfg, 1);
  futhark_context_config_set_logging(cfg, 1);
  ctx = up(cfg);
  futhark_context_set_logging_file(ctx, log);
  futhark_context_pause_profiling(ctx);
  call(ctx);
  report = futhark_context_report(ctx);
  assert(report && strstr(report, "\"memory\":{\"device\":") && strstr(report, "\"events\":[]"));
  free(report);
  futhark_context_unpause_profiling(ctx);
  call(ctx);
  call(ctx);
  report = futhark_context_report(ctx);
  assert(report && strstr(report, "{\"name\":\"dot\"") && strstr(report, "},{"));
  free(report);
  assert(holds(log, "entry dot") && holds(log, "bytes") && holds(log, "kernel "));
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  fclose(log);
}

int main(int argc, char **argv)
{
  assert(argc == 3);
  device();
  cache(argv[1]);
  files(argv[2]);
  messages();
  puts("ok");
  return 0;
}
