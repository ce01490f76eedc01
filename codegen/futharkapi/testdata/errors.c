/* Errors of each kind: their codes, their messages, and that a context survives. */
#include "values.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Takes the message, which holds part; there is no other behind it. */
static void expect(struct futhark_context *ctx, const char *part)
{
  char *text = futhark_context_get_error(ctx);
  if (text == NULL || strstr(text, part) == NULL) {
    fprintf(stderr, "message %s, expected %s\n", text ? text : "(none)", part);
    abort();
  }
  free(text);
  assert(futhark_context_get_error(ctx) == NULL);
}

static void program_errors(struct futhark_context *ctx)
{
  const int32_t xs[2] = {10, 20};
  const int64_t bad[2] = {0, 2}, good[2] = {1, 0};
  const float fs[2] = {1, 2};
  int32_t out[2];
  float s = 7;
  struct futhark_i32_1d *x = futhark_new_i32_1d(ctx, xs, 2), *y = NULL;
  struct futhark_i64_1d *b = futhark_new_i64_1d(ctx, bad, 2), *g = futhark_new_i64_1d(ctx, good, 2);
  struct futhark_f32_1d *two = futhark_new_f32_1d(ctx, fs, 2), *one = futhark_new_f32_1d(ctx, fs, 1), *no = futhark_new_f32_1d(ctx, fs, 0);
  int err = futhark_entry_gather(ctx, &y, x, b);
  if (err == FUTHARK_SUCCESS) /* it may show when the device is waited for */
    err = futhark_context_sync(ctx);
  assert(err == FUTHARK_PROGRAM_ERROR && y == NULL);
  expect(ctx, "index 2 is out of bounds");
  assert(futhark_entry_gather(ctx, &y, x, g) == FUTHARK_SUCCESS && futhark_context_sync(ctx) == FUTHARK_SUCCESS);
  assert(futhark_values_i32_1d(ctx, y, out) == FUTHARK_SUCCESS && out[0] == 20 && out[1] == 10);
  assert(futhark_entry_dot(ctx, &s, two, one) == FUTHARK_PROGRAM_ERROR && s == 7);
  expect(ctx, "size 1");
  assert(futhark_entry_dot(ctx, &s, no, no) == FUTHARK_PROGRAM_ERROR);
  expect(ctx, "nothing to multiply");
  assert(futhark_entry_dot(ctx, &s, two, two) == FUTHARK_SUCCESS && s == 5);
  futhark_free_i32_1d(ctx, x);
  futhark_free_i32_1d(ctx, y);
  futhark_free_i64_1d(ctx, b);
  futhark_free_i64_1d(ctx, g);
  futhark_free_f32_1d(ctx, two);
  futhark_free_f32_1d(ctx, one);
  futhark_free_f32_1d(ctx, no);
}

/* Another context takes no array of the first. */
static void strangers(struct futhark_context *ctx, struct futhark_f64_1d *a)
{
  struct futhark_context_config *cfg = futhark_context_config_new();
  struct futhark_context *other = futhark_context_new(cfg);
  struct futhark_f64_1d *b = NULL;
  double d;
  assert(futhark_entry_add_to(other, &b, a, 0, 1) == 1 && b == NULL);
  expect(other, "another context");
  assert(futhark_index_f64_1d(other, &d, a, 0) == 1);
  expect(other, "another context");
  assert(futhark_values_raw_f64_1d(other, a) == NULL);
  expect(other, "another context");
  assert(futhark_free_f64_1d(other, a) == 1);
  expect(other, "another context");
  assert(futhark_index_f64_1d(ctx, &d, a, 0) == FUTHARK_SUCCESS);
  futhark_context_free(other);
  futhark_context_config_free(cfg);
}

static void wrong_use(struct futhark_context *ctx)
{
  const double ds[1] = {1};
  double d;
  struct futhark_f64_1d *a = futhark_new_f64_1d(ctx, ds, 1), *b = NULL, *c = NULL;
  assert(futhark_index_f64_1d(ctx, &d, a, 1) == 1);
  expect(ctx, "index 1 is out of bounds");
  assert(futhark_index_f64_1d(ctx, &d, a, -1) == 1);
  expect(ctx, "index -1");
  assert(futhark_index_f64_1d(ctx, NULL, a, 0) == 1);
  expect(ctx, "out is NULL");
  assert(futhark_values_f64_1d(ctx, a, NULL) == 1);
  expect(ctx, "the pointer is NULL");
  assert(futhark_entry_add_to(ctx, NULL, a, 0, 1) == 1);
  expect(ctx, "out0 is NULL");
  assert(futhark_new_f64_1d(ctx, ds, -1) == NULL);
  expect(ctx, "negative");
  assert(futhark_entry_add_to(ctx, &b, a, 0, 1) == FUTHARK_SUCCESS);
  assert(futhark_entry_add_to(ctx, &c, a, 0, 1) != FUTHARK_SUCCESS && c == NULL);
  expect(ctx, "consumed");
  assert(futhark_values_f64_1d(ctx, a, &d) != FUTHARK_SUCCESS);
  expect(ctx, "consumed");
  assert(futhark_values_raw_f64_1d(ctx, a) == NULL);
  expect(ctx, "consumed");
  assert(futhark_index_f64_1d(ctx, &d, a, 0) != FUTHARK_SUCCESS);
  expect(ctx, "consumed");
  futhark_free_f64_1d(ctx, a);
  strangers(ctx, b);
  futhark_free_f64_1d(ctx, b);
}

/* Contexts that cannot be made. */
static void no_context(void)
{
  struct futhark_context_config *cfg = futhark_context_config_new();
  struct futhark_context *ctx;
  futhark_context_config_set_device(cfg, "no such device");
  ctx = futhark_context_new(cfg);
  assert(ctx != NULL);
  expect(ctx, "no such device");
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);

#ifdef FUTHARK_BACKEND_opencl
  cfg = futhark_context_config_new();
  futhark_context_config_set_platform(cfg, "no such platform");
  ctx = futhark_context_new(cfg);
  expect(ctx, "no such platform");
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);

  cfg = futhark_context_config_new();
  futhark_context_config_set_program(cfg, "this is no program");
  ctx = futhark_context_new(cfg);
  expect(ctx, "refused the kernels");
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);

  cfg = futhark_context_config_new();
  futhark_context_config_load_binary_from(cfg, "/nonexistent/kernels");
  ctx = futhark_context_new(cfg);
  expect(ctx, "/nonexistent/kernels");
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
#endif
}

int main(void)
{
  struct futhark_context_config *cfg = futhark_context_config_new();
  struct futhark_context *ctx = futhark_context_new(cfg);
  int i;
  assert(futhark_context_get_error(ctx) == NULL);
  for (i = 0; i < 2; i++) {
    program_errors(ctx);
    wrong_use(ctx);
  }
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  no_context();
  puts("ok");
  return 0;
}
