/* A user of the C interface. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include "library.h"
#include "check.h"

static struct library_context *ctx;

/* Checks that the last call failed with that message. */
static int failed(int code, int want, const char *text)
{
  const char *error = library_context_get_error(ctx);
  if (code == want && library_context_get_code(ctx) == want && error && strstr(error, text))
    return 1;
  fprintf(stderr, "code %d, error %s\n", code, error ? error : "(none)");
  return 0;
}

static void devices(void)
{
  struct library_config *cfg = library_config_new();
  struct library_context *bad;
  CHECK(library_config_set_device(cfg, "no such device") == 0);
  bad = library_context_new(cfg);
  library_config_free(cfg);
  CHECK(bad && strstr(library_context_get_error(bad), "no OpenCL device matches \"no such device\"") && library_context_get_code(bad) == 1);
  library_context_free(bad);
  ctx = library_context_new(NULL);
  CHECK(ctx && library_context_get_error(ctx) == NULL);
}

static void arrays(void)
{
  const double data[] = {1, 2, 3, 4, 5, 6};
  const bool bits[] = {true, false, true, true, false, false};
  bool back[6], turned[6];
  double out[6] = {0};
  struct library_f64_1d *a = library_new_f64_1d(ctx, data, 6), *none;
  struct library_bool_2d *b = library_new_bool_2d(ctx, bits, 2, 3), *t = NULL;
  int i;
  CHECK(a && b);
  CHECK(library_values_f64_1d(ctx, a, out) == 0 && memcmp(out, data, sizeof out) == 0);
  CHECK(library_shape_f64_1d(ctx, a)[0] == 6);
  CHECK(library_values_bool_2d(ctx, b, back) == 0 && memcmp(back, bits, sizeof back) == 0);
  CHECK(library_shape_bool_2d(ctx, b)[0] == 2 && library_shape_bool_2d(ctx, b)[1] == 3);
  CHECK(library_entry_transpose(ctx, &t, b) == 0);
  CHECK(library_shape_bool_2d(ctx, t)[0] == 3 && library_shape_bool_2d(ctx, t)[1] == 2);
  CHECK(library_values_bool_2d(ctx, t, turned) == 0);
  for (i = 0; i < 6; i++)
    CHECK(turned[i] == bits[i % 2 * 3 + i / 2]);
  none = library_new_f64_1d(ctx, NULL, 0);
  CHECK(none && library_shape_f64_1d(ctx, none)[0] == 0 && library_values_f64_1d(ctx, none, NULL) == 0);
  CHECK(library_new_f64_1d(ctx, NULL, 1) == NULL && failed(5, 5, "no data"));
  CHECK(library_new_f64_1d(ctx, data, -1) == NULL && failed(5, 5, "negative"));
  CHECK(library_new_bool_2d(ctx, bits, INT64_MAX, 3) == NULL && failed(5, 5, "too large"));
  CHECK(library_new_f64_1d(ctx, data, (int64_t)1 << 50) == NULL && failed(3, 3, "out of device memory"));
  library_free_f64_1d(ctx, a);
  library_free_f64_1d(ctx, none);
  library_free_f64_1d(ctx, NULL);
  library_free_bool_2d(ctx, b);
  library_free_bool_2d(ctx, t);
}

static void scalars(void)
{
  int8_t a; int16_t b; int32_t c; int64_t d; uint8_t e; uint16_t f; uint32_t g; uint64_t h;
  float x; double y; bool z;
  CHECK(library_entry_scalars(ctx, &a, &b, &c, &d, &e, &f, &g, &h, &x, &y, &z,
                              INT8_MAX, INT16_MAX, INT32_MAX, INT64_MAX, UINT8_MAX, UINT16_MAX, UINT32_MAX, UINT64_MAX,
                              1.25f, -0.1, false) == 0);
  CHECK(a == INT8_MIN && b == INT16_MIN && c == INT32_MIN && d == INT64_MIN && e == 0 && f == 0 && g == 0 && h == 0);
  CHECK(x == 2.5f && y == -0.2 && z == true);
}

static void faults(void)
{
  const int32_t data[] = {10, 20, 30};
  const int64_t good[] = {2, 0, 1, 2}, bad[] = {0, 7, 1};
  const float ones[] = {1, 1, 1};
  int32_t out[4];
  float s = 5;
  int64_t m;
  int round;
  struct library_i32_1d *xs = library_new_i32_1d(ctx, data, 3), *ys = NULL;
  struct library_i64_1d *is = library_new_i64_1d(ctx, good, 4), *wrong = library_new_i64_1d(ctx, bad, 3);
  struct library_f32_1d *f3 = library_new_f32_1d(ctx, ones, 3), *f2 = library_new_f32_1d(ctx, ones, 2),
                        *f0 = library_new_f32_1d(ctx, NULL, 0);
  for (round = 0; round < 3; round++) {
    CHECK(failed(library_entry_gather(ctx, &ys, &m, xs, wrong), 2,
                 "library.ir:11:32: error[E801]: index 7 is out of bounds for dimension 0 of `xs`, whose size is 3"));
    CHECK(ys == NULL);
    CHECK(library_entry_gather(ctx, &ys, &m, xs, is) == 0 && m == 4);
    CHECK(library_values_i32_1d(ctx, ys, out) == 0);
    CHECK(out[0] == 30 && out[1] == 10 && out[2] == 20 && out[3] == 30);
    library_free_i32_1d(ctx, ys);
    ys = NULL;
    CHECK(failed(library_entry_dot(ctx, &s, f3, f2), 2,
                 "error[E904]: argument `ys` has size 2 in dimension 0, but `n` is 3 (from `xs`)"));
    CHECK(failed(library_entry_dot(ctx, &s, f0, f0), 2, "library.ir:17:3: error[E806]: assertion failed: nothing to multiply"));
    CHECK(s == 5);
    CHECK(failed(library_entry_dot(ctx, &s, f3, NULL), 5, "argument `ys` is missing"));
    CHECK(failed(library_entry_dot(ctx, NULL, f3, f3), 5, "`dot`: there is no place for result 0: out0 is NULL"));
    CHECK(failed(library_entry_gather(ctx, &ys, NULL, xs, is), 5, "out1 is NULL") && ys == NULL);
    CHECK(failed(library_values_f32_1d(ctx, f3, NULL), 5, "the pointer is NULL"));
    CHECK(failed(library_values_f32_1d(ctx, NULL, &s), 5, "is missing"));
    CHECK(failed(library_context_stats(ctx, NULL), 5, "the pointer is NULL"));
  }
  CHECK(library_entry_dot(ctx, &s, f3, f3) == 0 && s == 3);
  library_free_i32_1d(ctx, xs);
  library_free_i64_1d(ctx, is);
  library_free_i64_1d(ctx, wrong);
  library_free_f32_1d(ctx, f3);
  library_free_f32_1d(ctx, f2);
  library_free_f32_1d(ctx, f0);
}

/* A consumed array is gone; others that share its block keep their values. */
static void consumption(void)
{
  const double data[] = {1, 2, 3};
  double out[3];
  struct library_f64_1d *a = library_new_f64_1d(ctx, data, 3), *b = NULL, *c = NULL, *d = NULL;
  CHECK(library_entry_same(ctx, &b, &c, a) == 0);
  CHECK(library_entry_put(ctx, &d, a, 1, 9) == 0);
  CHECK(library_values_f64_1d(ctx, d, out) == 0 && out[0] == 1 && out[1] == 9 && out[2] == 3);
  CHECK(library_values_f64_1d(ctx, b, out) == 0 && out[1] == 2);
  CHECK(library_values_f64_1d(ctx, c, out) == 0 && out[1] == 2);
  CHECK(failed(library_values_f64_1d(ctx, a, out), 5, "was consumed"));
  library_free_f64_1d(ctx, b);
  CHECK(failed(library_entry_put(ctx, &b, a, 1, 9), 5, "argument `xs` was consumed by a call"));
  CHECK(failed(library_entry_put(ctx, &b, d, 3, 9), 2, "out of bounds"));
  library_free_f64_1d(ctx, a);
  library_free_f64_1d(ctx, c);
  library_free_f64_1d(ctx, d);
}

static void memory(void)
{
  struct library_config *cfg = library_config_new();
  struct library_i64_1d *r = NULL;
  struct memc_stats stats;
  int64_t out[4];
  library_context_free(ctx);
  library_config_set_memory_limit(cfg, 10000);
  library_config_set_build_all(cfg, true);
  ctx = library_context_new(cfg);
  library_config_free(cfg);
  CHECK(ctx && library_context_get_error(ctx) == NULL);
  CHECK(failed(library_entry_grow(ctx, &r, 1251), 3, "out of device memory: 10008 bytes requested"));
  CHECK(failed(library_entry_grow(ctx, &r, 1000), 3, "8000 bytes are in use, the limit is 10000"));
  CHECK(failed(library_entry_grow(ctx, &r, -1), 2, "negative size"));
  CHECK(library_context_stats(ctx, &stats) == 0 && stats.peak_bytes == 8000);
  library_context_reset_stats(ctx);
  CHECK(library_context_stats(ctx, &stats) == 0 && stats.peak_bytes == 0 && stats.kernel_launches == 0);
  CHECK(library_entry_grow(ctx, &r, 4) == 0 && library_values_i64_1d(ctx, r, out) == 0);
  CHECK(out[0] == 6 && out[1] == 7 && out[2] == 8 && out[3] == 9);
  CHECK(library_context_stats(ctx, &stats) == 0 && stats.peak_bytes >= 64 && stats.kernel_launches >= 4 &&
        stats.wall_us > 0 && stats.device[0]);
  CHECK(library_free_i64_1d(ctx, r) == 0);
  library_context_reset_stats(ctx);
  CHECK(library_context_stats(ctx, &stats) == 0 && stats.peak_bytes == 0);
  CHECK(library_context_sync(ctx) == 0);
}

/* Under every allocator the results are the same, and after the first call the
   driver is left alone; a raw buffer outlives its array and all others. */
static void allocators(void)
{
  static const char *const names[] = {"driver", "tagged", "region"};
  const bool bits[] = {true, false, true, true, false, false};
  bool turned[6];
  struct memc_stats stats;
  int i, k, round;
  for (k = 0; k < 3; k++) {
    struct library_config *cfg = library_config_new();
    struct library_bool_2d *b, *t = NULL;
    cl_mem raw = NULL;
    size_t size = 0;
    CHECK(library_config_set_allocator(cfg, "buddy") == 1);
    CHECK(library_config_set_allocator(cfg, names[k]) == 0);
    library_context_free(ctx);
    ctx = library_context_new(cfg);
    library_config_free(cfg);
    CHECK(ctx && library_context_get_error(ctx) == NULL);
    b = library_new_bool_2d(ctx, bits, 2, 3);
    for (round = 0; round < 3; round++) {
      struct library_i64_1d *g = NULL;
      int64_t grown[300];
      library_context_reset_stats(ctx);
      CHECK(b && library_entry_transpose(ctx, &t, b) == 0 && library_entry_grow(ctx, &g, 300) == 0);
      CHECK(library_values_i64_1d(ctx, g, grown) == 0 && grown[0] == 302 && grown[299] == 601);
      library_free_i64_1d(ctx, g);
      if (round == 2)
        raw = library_raw_bool_2d(ctx, t);
      library_free_bool_2d(ctx, t);
      CHECK(library_context_stats(ctx, &stats) == 0 && strcmp(stats.allocator, names[k]) == 0);
      CHECK(k == 0 ? stats.driver_allocs == stats.alloc_requests && stats.hits == 0
                   : round == 0 || (stats.driver_allocs == 0 && stats.driver_frees == 0 && stats.hits == stats.alloc_requests));
    }
    library_free_bool_2d(ctx, b);
    CHECK(library_raw_bool_2d(ctx, NULL) == NULL && failed(5, 5, "is missing"));
    library_context_trim(ctx);
    library_context_reset_stats(ctx);
    CHECK(library_context_stats(ctx, &stats) == 0 && stats.peak_held_bytes == 0);
    CHECK(raw && clGetMemObjectInfo(raw, CL_MEM_SIZE, sizeof size, &size, NULL) == CL_SUCCESS && size == 6);
    CHECK(clEnqueueReadBuffer(library_context_queue(ctx), raw, CL_TRUE, 0, 6, turned, 0, NULL, NULL) == CL_SUCCESS);
    for (i = 0; i < 6; i++)
      CHECK(turned[i] == bits[i % 2 * 3 + i / 2]);
    CHECK(library_context_cl(ctx) != NULL && clReleaseMemObject(raw) == CL_SUCCESS);
  }
}

int main(void)
{
  devices();
  scalars();
  arrays();
  faults();
  consumption();
  memory();
  allocators();
  library_context_free(ctx);
  puts("ok");
  return 0;
}
