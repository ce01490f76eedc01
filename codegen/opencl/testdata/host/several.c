/* A user of the C interface with two devices; the argument is a list of them. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include "several.h"
#include "check.h"

enum { N = 5000 };

static const char *list;
static double data[N];

static struct several_context *open_list(const char *devices, int64_t limit)
{
  struct several_config *cfg = several_config_new();
  struct several_context *ctx;
  CHECK(several_config_set_device(cfg, devices) == 0);
  several_config_set_memory_limit(cfg, limit);
  ctx = several_context_new(cfg);
  several_config_free(cfg);
  CHECK(ctx);
  return ctx;
}

static void expect_error(const char *devices, const char *text)
{
  struct several_context *ctx = open_list(devices, 0);
  const char *error = several_context_get_error(ctx);
  if (error == NULL || strstr(error, text) == NULL) {
    fprintf(stderr, "%s: %s\n", devices, error ? error : "no error");
    exit(1);
  }
  several_context_free(ctx);
}

static double total(struct several_context *ctx, const struct several_f64_1d *a)
{
  double out[N], sum = 0;
  int i;
  CHECK(several_values_f64_1d(ctx, a, out) == 0);
  for (i = 0; i < N; i++)
    sum += out[i];
  return sum;
}

/* Arrays go from device to device as calls need them. */
static void arrays(struct several_context *a, struct several_context *b)
{
  struct several_f64_1d *xs = several_new_f64_1d(a, data, N), *ys = NULL, *zs = NULL;
  struct memc_stats stats;
  struct _cl_mem *raw;
  double sum, element;
  several_context_reset_stats(b);
  CHECK(xs && several_entry_double(b, &ys, xs, 3) == 0);        /* xs moves to b */
  CHECK(several_entry_sum(a, &sum, ys) == 0 && sum == 8 * N);   /* ys to a */
  CHECK(several_entry_sum(b, &sum, xs) == 0 && sum == N);       /* xs is there */
  CHECK(several_context_stats(b, &stats) == 0 && stats.migrated_bytes == 8 * N && stats.kernel_launches > 3);
  CHECK(total(a, xs) == N && total(b, xs) == N && total(a, ys) == 8 * N);
  CHECK(several_entry_put(b, &zs, ys, 7, 100) == 0);            /* consumed: what a holds is stale */
  CHECK(several_values_f64_1d(a, ys, &sum) == 5);
  CHECK(total(a, zs) == 8 * N + 92 && total(b, zs) == 8 * N + 92);
  CHECK(several_entry_sum(a, &sum, zs) == 0 && sum == 8 * N + 92);
  raw = several_raw_f64_1d(b, zs);
  CHECK(raw && clEnqueueReadBuffer(several_context_queue(b), raw, CL_TRUE, 56, 8, &element, 0, NULL, NULL) == 0 && element == 100);
  clReleaseMemObject(raw);
  several_free_f64_1d(b, xs);
  several_free_f64_1d(a, ys);
  several_free_f64_1d(a, zs);
}

/* Calls on both devices at once, several on each, with arguments that both read. */
static void futures(struct several_context *a, struct several_context *b)
{
  enum { CALLS = 8 };
  struct several_f64_1d *xs = several_new_f64_1d(a, data, N), *out[CALLS], *wrong;
  struct several_future *f[CALLS], *bad;
  const int64_t where[] = {0, N};
  struct several_i64_1d *is = several_new_i64_1d(b, where, 2);
  double sums[CALLS];
  int round, i;
  for (round = 0; round < 10; round++) {
    for (i = 0; i < CALLS; i++) {
      out[i] = NULL;
      f[i] = several_start_double(i % 2 ? a : b, &out[i], xs, i);
    }
    bad = several_start_gather(a, &wrong, xs, is);
    CHECK(several_future_wait(bad) == 2 && strstr(several_context_get_error(a), "index 5000 is out of bounds"));
    for (i = 0; i < CALLS; i++)
      CHECK(f[i] && several_future_wait(f[i]) == 0 && out[i]);
    for (i = 0; i < CALLS; i++) /* on the other one */
      f[i] = several_start_sum(i % 2 ? b : a, &sums[i], out[i]);
    for (i = 0; i < CALLS; i++) {
      CHECK(several_future_wait(f[i]) == 0);
      CHECK(sums[i] == (double)N * (1 << i));
      several_free_f64_1d(i % 3 ? a : b, out[i]);
    }
  }
  CHECK(several_future_wait(NULL) == 1);
  CHECK(several_future_wait(several_start_sum(b, NULL, xs)) == 5 && strstr(several_context_get_error(b), "out0 is NULL"));
  several_free_f64_1d(a, xs);
  several_free_i64_1d(a, is);
}

/* Six arrays live where four have room; the others wait elsewhere. */
static void full(void)
{
  const int64_t n = 40000;
  const double want = 6 * ((double)n * (n - 1) / 2) + 15 * (double)n;
  struct several_context *ctx = open_list(list, 4 * n * 8 + 4096), *b = several_context_device(ctx, 1);
  struct several_config *cfg = several_config_new();
  struct memc_stats stats, other;
  struct several_future *f;
  double sum = 0, second = 0;
  int round;
  CHECK(several_context_get_error(ctx) == NULL);
  CHECK(several_entry_six(ctx, &sum, n) == 0 && sum == want);
  CHECK(several_context_stats(ctx, &stats) == 0 && stats.evicted_bytes >= 2 * n * 8 && stats.peak_bytes <= 4 * n * 8 + 4096);
  CHECK(several_context_stats(b, &other) == 0 && other.peak_bytes <= 4 * n * 8 + 4096);
  for (round = 0; round < 3; round++) { /* both are full: the host has room */
    f = several_start_six(b, &second, n);
    CHECK(several_entry_six(ctx, &sum, n) == 0 && sum == want);
    CHECK(several_future_wait(f) == 0 && second == want);
  }
  CHECK(several_entry_six(ctx, &sum, 8 * n) == 3 && strstr(several_context_get_error(ctx), "out of device memory"));
  CHECK(several_entry_six(ctx, &sum, n) == 0 && sum == want);
  several_context_trim(ctx);
  several_context_trim(b);
  several_context_free(ctx);
  /* One device and the host. */
  several_config_set_device(cfg, "0");
  several_config_set_memory_limit(cfg, 4 * n * 8 + 4096);
  several_config_set_evict(cfg, true);
  ctx = several_context_new(cfg);
  several_config_free(cfg);
  CHECK(several_context_get_error(ctx) == NULL && several_context_devices(ctx) == 1);
  CHECK(several_entry_six(ctx, &sum, n) == 0 && sum == want);
  CHECK(several_context_stats(ctx, &stats) == 0 && stats.evicted_bytes > 0 && stats.restored_bytes > 0);
  several_context_free(ctx);
}

int main(int argc, char **argv)
{
  struct several_context *ctx, *second, *alone;
  struct several_f64_1d *foreign;
  double sum;
  int i;
  CHECK(argc == 2);
  list = argv[1];
  for (i = 0; i < N; i++)
    data[i] = 1;
  expect_error("0,0", "named twice");
  expect_error("0,99", "no OpenCL device matches \"99\"");
  expect_error("0,no such device", "no OpenCL device matches \"no such device\"");
  ctx = open_list(list, 0);
  if (several_context_get_error(ctx)) {
    fprintf(stderr, "%s\n", several_context_get_error(ctx));
    return 1;
  }
  second = several_context_device(ctx, 1);
  CHECK(several_context_devices(ctx) == 2 && second && several_context_device(second, 0) == ctx);
  CHECK(several_new_raw_f64_1d(ctx, NULL, 3) == NULL && several_context_get_code(ctx) == 5);
  CHECK(strstr(several_context_get_error(ctx), "for contexts of one device"));
  CHECK(several_context_device(ctx, 2) == NULL && several_context_device(ctx, -1) == NULL);
  arrays(ctx, second);
  futures(ctx, second);
  /* An array of others. */
  alone = open_list(list, 0);
  foreign = several_new_f64_1d(alone, data, N);
  CHECK(several_entry_sum(ctx, &sum, foreign) == 5 && strstr(several_context_get_error(ctx), "another context"));
  several_free_f64_1d(alone, foreign);
  several_context_free(alone);
  several_context_free(second); /* does nothing: it belongs to the first */
  arrays(second, ctx);
  several_context_free(ctx);
  full();
  /* One device works as before, with futures as well. */
  alone = open_list("0", 0);
  CHECK(several_context_devices(alone) == 1 && several_context_device(alone, 0) == alone && several_context_device(alone, 1) == NULL);
  foreign = several_new_f64_1d(alone, data, N);
  CHECK(several_future_wait(several_start_sum(alone, &sum, foreign)) == 0 && sum == N);
  several_free_f64_1d(alone, foreign);
  several_context_free(alone);
  puts("ok");
  return 0;
}
