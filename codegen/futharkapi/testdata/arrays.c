/* Arrays: made, read, indexed, shared, consumed, and as buffers of OpenCL. */
#include "values.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void check_2d(struct futhark_context *ctx)
{
  const int32_t in[6] = {1, 2, 3, 4, 5, 6}, want[6] = {1, 4, 2, 5, 3, 6};
  int32_t out[6], x;
  struct futhark_i32_2d *a = futhark_new_i32_2d(ctx, in, 2, 3), *t = NULL;
  const int64_t *shape;
  assert(a != NULL);
  assert(futhark_entry_transpose(ctx, &t, a) == FUTHARK_SUCCESS);
  assert(futhark_context_sync(ctx) == FUTHARK_SUCCESS);
  shape = futhark_shape_i32_2d(ctx, t);
  assert(shape[0] == 3 && shape[1] == 2);
  assert(futhark_values_i32_2d(ctx, t, out) == FUTHARK_SUCCESS);
  assert(futhark_context_sync(ctx) == FUTHARK_SUCCESS);
  assert(memcmp(out, want, sizeof out) == 0);
  assert(futhark_index_i32_2d(ctx, &x, t, 2, 0) == FUTHARK_SUCCESS && x == 3);
  assert(futhark_free_i32_2d(ctx, a) == FUTHARK_SUCCESS && futhark_free_i32_2d(ctx, t) == FUTHARK_SUCCESS);
}

static void check_bool(struct futhark_context *ctx)
{
  const bool in[3] = {true, false, true};
  bool out[3];
  struct futhark_bool_1d *a = futhark_new_bool_1d(ctx, in, 3), *b = NULL;
  assert(a != NULL && futhark_entry_negate(ctx, &b, a) == FUTHARK_SUCCESS);
  assert(futhark_values_bool_1d(ctx, b, out) == FUTHARK_SUCCESS && futhark_context_sync(ctx) == FUTHARK_SUCCESS);
  assert(!out[0] && out[1] && !out[2]);
  futhark_free_bool_1d(ctx, a);
  futhark_free_bool_1d(ctx, b);
}

/* Results may share memory; each is freed by itself, and consuming one of them does
   not change the others. */
static void check_sharing(struct futhark_context *ctx)
{
  const double in[2] = {1, 2};
  double out[2];
  struct futhark_f64_1d *a = futhark_new_f64_1d(ctx, in, 2), *b = NULL, *c = NULL, *d = NULL;
  assert(futhark_entry_twice(ctx, &b, &c, a) == FUTHARK_SUCCESS);
  assert(futhark_free_f64_1d(ctx, a) == FUTHARK_SUCCESS);
  assert(futhark_entry_add_to(ctx, &d, b, 1, 5) == FUTHARK_SUCCESS);
  assert(futhark_free_f64_1d(ctx, b) == FUTHARK_SUCCESS); /* a consumed value is freed too */
  assert(futhark_values_f64_1d(ctx, c, out) == FUTHARK_SUCCESS && out[0] == 1 && out[1] == 2);
  assert(futhark_values_f64_1d(ctx, d, out) == FUTHARK_SUCCESS && out[0] == 1 && out[1] == 7);
  futhark_free_f64_1d(ctx, c);
  futhark_free_f64_1d(ctx, d);
}

#ifdef FUTHARK_BACKEND_opencl
/* An array in a buffer of the caller's, and the buffer of an array. */
static void check_raw(struct futhark_context *ctx)
{
  cl_command_queue queue = futhark_context_get_command_queue(ctx);
  cl_context cl = NULL;
  cl_int e;
  cl_mem mine, theirs;
  const double in[4] = {1, 2, 3, 4};
  double out[4], x = 9;
  struct futhark_f64_1d *a, *b = NULL;
  e = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof cl, &cl, NULL);
  assert(e == CL_SUCCESS);
  mine = clCreateBuffer(cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof in, (void *)in, &e);
  assert(e == CL_SUCCESS);
  a = futhark_new_raw_f64_1d(ctx, mine, 4);
  assert(a != NULL && futhark_values_raw_f64_1d(ctx, a) == mine);
  assert(futhark_entry_add_to(ctx, &b, a, 0, 10) == FUTHARK_SUCCESS);
  assert(futhark_values_f64_1d(ctx, b, out) == FUTHARK_SUCCESS && out[0] == 11 && out[3] == 4);
  futhark_free_f64_1d(ctx, a);
  theirs = futhark_values_raw_f64_1d(ctx, b);
  assert(theirs != NULL && theirs == futhark_values_raw_f64_1d(ctx, b));
  e = clEnqueueWriteBuffer(queue, theirs, CL_TRUE, sizeof x, sizeof x, &x, 0, NULL, NULL);
  assert(e == CL_SUCCESS);
  assert(futhark_index_f64_1d(ctx, out, b, 1) == FUTHARK_SUCCESS && out[0] == 9);
  futhark_free_f64_1d(ctx, b);
  e = clReleaseMemObject(mine);
  assert(e == CL_SUCCESS);
  assert(futhark_new_raw_f64_1d(ctx, NULL, 4) == NULL);
  free(futhark_context_get_error(ctx));
}

/* The buffer of an array that lies in memory that others share, and of one that
   was made from it. */
static void check_raw_of_pool(struct futhark_context *ctx)
{
  const double in[2] = {1, 2};
  double out[2];
  struct futhark_f64_1d *a = futhark_new_f64_1d(ctx, in, 2), *b = NULL, *c = NULL;
  cl_mem m;
  assert(futhark_entry_twice(ctx, &b, &c, a) == FUTHARK_SUCCESS);
  m = futhark_values_raw_f64_1d(ctx, a);
  assert(m != NULL);
  assert(clEnqueueReadBuffer(futhark_context_get_command_queue(ctx), m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL) == CL_SUCCESS);
  assert(out[0] == 1 && out[1] == 2);
  futhark_free_f64_1d(ctx, a);
  futhark_free_f64_1d(ctx, b);
  futhark_free_f64_1d(ctx, c);
}

/* A buffer that ends within a word: kernels touch whole words, so this is a copy. */
static void check_raw_of_bytes(struct futhark_context *ctx)
{
  cl_context cl = NULL;
  cl_int e = clGetCommandQueueInfo(futhark_context_get_command_queue(ctx), CL_QUEUE_CONTEXT, sizeof cl, &cl, NULL);
  bool in[3] = {true, true, false}, out[3];
  cl_mem mine;
  struct futhark_bool_1d *a, *b = NULL;
  assert(e == CL_SUCCESS);
  mine = clCreateBuffer(cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof in, in, &e);
  assert(e == CL_SUCCESS);
  a = futhark_new_raw_bool_1d(ctx, mine, 3);
  assert(a != NULL && futhark_new_raw_bool_1d(ctx, mine, 4) == NULL);
  free(futhark_context_get_error(ctx));
  assert(clReleaseMemObject(mine) == CL_SUCCESS);
  assert(futhark_entry_negate(ctx, &b, a) == FUTHARK_SUCCESS && futhark_values_bool_1d(ctx, b, out) == FUTHARK_SUCCESS);
  assert(!out[0] && !out[1] && out[2]);
  futhark_free_bool_1d(ctx, a);
  futhark_free_bool_1d(ctx, b);
}

#else
/* An array of the caller's bytes, and the bytes of an array. */
static void check_raw(struct futhark_context *ctx)
{
  const double in[4] = {1, 2, 3, 4};
  double out[4], x = 9;
  struct futhark_f64_1d *b = NULL, *a = futhark_new_raw_f64_1d(ctx, (const unsigned char *)in, 4);
  unsigned char *bytes = futhark_values_raw_f64_1d(ctx, a);
  assert(bytes != NULL && memcmp(bytes, in, sizeof in) == 0);
  assert(futhark_entry_add_to(ctx, &b, a, 0, 10) == FUTHARK_SUCCESS);
  assert(futhark_values_raw_f64_1d(ctx, a) == NULL); /* consumed */
  free(futhark_context_get_error(ctx));
  bytes = futhark_values_raw_f64_1d(ctx, b);
  memcpy(bytes + sizeof x, &x, sizeof x);
  assert(futhark_values_f64_1d(ctx, b, out) == FUTHARK_SUCCESS && out[0] == 11 && out[1] == 9 && out[3] == 4);
  futhark_free_f64_1d(ctx, a);
  futhark_free_f64_1d(ctx, b);
}
#endif

static void check_sizes(struct futhark_context *ctx)
{
  struct futhark_i64_1d *a = NULL;
  struct futhark_bool_1d *none = futhark_new_bool_1d(ctx, NULL, 0), *also = NULL;
  int64_t out[4];
  assert(futhark_entry_count_up(ctx, &a, 3) == FUTHARK_SUCCESS && futhark_shape_i64_1d(ctx, a)[0] == 4);
  assert(futhark_values_i64_1d(ctx, a, out) == FUTHARK_SUCCESS && out[3] == 3);
  assert(none != NULL && futhark_entry_negate(ctx, &also, none) == FUTHARK_SUCCESS && futhark_shape_bool_1d(ctx, also)[0] == 0);
  futhark_free_bool_1d(ctx, none);
  futhark_free_bool_1d(ctx, also);
  futhark_free_i64_1d(ctx, a);
}

/* Halves: 1, 2, 3 and 0.5 as bits. */
static void check_halves(struct futhark_context *ctx)
{
  const uint16_t in[3] = {0x3c00, 0x4000, 0x4200}, want[3] = {0x3e00, 0x4100, 0x4300};
  uint16_t out[3], y = 0;
  struct futhark_f16_1d *a = futhark_new_f16_1d(ctx, in, 3), *b = NULL;
  assert(futhark_entry_halves(ctx, &b, &y, a, 0x3800) == FUTHARK_SUCCESS && y == 0x3400);
  assert(futhark_values_f16_1d(ctx, b, out) == FUTHARK_SUCCESS && memcmp(out, want, sizeof out) == 0);
  futhark_free_f16_1d(ctx, a);
  futhark_free_f16_1d(ctx, b);
}

int main(void)
{
  struct futhark_context_config *cfg = futhark_context_config_new();
  struct futhark_context *ctx = futhark_context_new(cfg);
  int i;
  assert(futhark_context_get_error(ctx) == NULL);
  for (i = 0; i < 2; i++) {
    check_2d(ctx);
    check_bool(ctx);
    check_sharing(ctx);
    check_raw(ctx);
#ifdef FUTHARK_BACKEND_opencl
    check_raw_of_pool(ctx);
    check_raw_of_bytes(ctx);
#endif
    check_sizes(ctx);
    check_halves(ctx);
    assert(futhark_context_clear_caches(ctx) == FUTHARK_SUCCESS);
  }
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  puts("ok");
  return 0;
}
