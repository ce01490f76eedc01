/* Opaque values: records, tuples, sums, arrays of them; made, taken apart, handed
   to entries, stored and restored. */
#include "opaque_entries.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) \
  do { \
    const int code = (call); \
    if (code != FUTHARK_SUCCESS) { \
      fprintf(stderr, "%s:%d: %s gives %d: %s\n", __FILE__, __LINE__, #call, code, futhark_context_get_error(ctx)); \
      abort(); \
    } \
  } while (0)

static void expect(struct futhark_context *ctx, const char *part)
{
  char *text = futhark_context_get_error(ctx);
  assert(text != NULL && strstr(text, part) != NULL);
  free(text);
}

static struct futhark_opaque_point *point(struct futhark_context *ctx, float x, float y)
{
  struct futhark_opaque_point *p = NULL;
  OK(futhark_new_opaque_point(ctx, &p, x, y));
  return p;
}

static void check_point(struct futhark_context *ctx, struct futhark_opaque_point *p, float x, float y)
{
  float a, b;
  OK(futhark_project_opaque_point_x(ctx, &a, p));
  OK(futhark_project_opaque_point_y(ctx, &b, p));
  OK(futhark_context_sync(ctx));
  assert(a == x && b == y);
  OK(futhark_free_opaque_point(ctx, p));
}

static void records(struct futhark_context *ctx)
{
  struct futhark_opaque_point *p = NULL, *q = NULL;
  struct futhark_opaque_body *b = NULL, *c = NULL;
  struct futhark_opaque_tup2_i64_bool *t = NULL;
  const int64_t xs[5] = {3, 1, 4, 1, 5};
  int64_t least, most;
  bool long_;
  int32_t id;
  double mass;
  struct futhark_i64_1d *a = futhark_new_i64_1d(ctx, xs, 5);
  OK(futhark_entry_make_point(ctx, &p, 1.5f, -2));
  OK(futhark_entry_make_body(ctx, &b, p, 4.25, 7));
  OK(futhark_new_opaque_body(ctx, &c, 8, 0.5, p));
  check_point(ctx, p, 1.5f, -2);
  OK(futhark_project_opaque_body_id(ctx, &id, b));
  OK(futhark_project_opaque_body_mass(ctx, &mass, c));
  OK(futhark_project_opaque_body_pos(ctx, &q, c));
  assert(id == 7 && mass == 0.5);
  OK(futhark_free_opaque_body(ctx, b));
  OK(futhark_free_opaque_body(ctx, c));
  check_point(ctx, q, 1.5f, -2); /* it lives on when the record is gone */
  OK(futhark_entry_min_max(ctx, &least, &t, a));
  OK(futhark_project_opaque_tup2_i64_bool_0(ctx, &most, t));
  OK(futhark_project_opaque_tup2_i64_bool_1(ctx, &long_, t));
  assert(least == 1 && most == 5 && long_);
  OK(futhark_free_opaque_tup2_i64_bool(ctx, t));
  OK(futhark_new_opaque_tup2_i64_bool(ctx, &t, 9, false));
  OK(futhark_free_opaque_tup2_i64_bool(ctx, t));
  OK(futhark_free_i64_1d(ctx, a));
  assert(futhark_new_opaque_body(ctx, &c, 8, 0.5, NULL) != FUTHARK_SUCCESS);
  expect(ctx, "point");
}

static void sums(struct futhark_context *ctx)
{
  struct futhark_opaque_shape *s = NULL, *made = NULL;
  float w, h, r;
  OK(futhark_entry_make_shape(ctx, &s, 1, 2, 3)); /* variants: box, circle, empty */
  assert(futhark_variant_opaque_shape(ctx, s) == 0);
  OK(futhark_destruct_opaque_shape_box(ctx, &w, &h, s));
  assert(w == 2 && h == 3);
  r = 5;
  assert(futhark_destruct_opaque_shape_circle(ctx, &r, s) != FUTHARK_SUCCESS && r == 5);
  expect(ctx, "circle");
  OK(futhark_free_opaque_shape(ctx, s));
  OK(futhark_new_opaque_shape_circle(ctx, &made, 2.5f));
  assert(futhark_variant_opaque_shape(ctx, made) == 1);
  OK(futhark_destruct_opaque_shape_circle(ctx, &r, made));
  assert(r == 2.5f);
  OK(futhark_free_opaque_shape(ctx, made));
  OK(futhark_new_opaque_shape_empty(ctx, &made));
  assert(futhark_variant_opaque_shape(ctx, made) == 2);
  OK(futhark_destruct_opaque_shape_empty(ctx, made));
  OK(futhark_free_opaque_shape(ctx, made));
}

static void clouds(struct futhark_context *ctx)
{
  const float xs[3] = {1, 2, 6}, ys[3] = {0, 3, 3};
  float out[3];
  uint8_t label;
  struct futhark_f32_1d *x = futhark_new_f32_1d(ctx, xs, 3), *y = futhark_new_f32_1d(ctx, ys, 3), *got = NULL;
  struct futhark_f32_1d *shorter = futhark_new_f32_1d(ctx, ys, 2);
  struct futhark_opaque_cloud *c = NULL, *d = NULL;
  struct futhark_opaque_arr1d_point *ps = NULL, *qs = NULL;
  struct futhark_opaque_point *p = NULL;
  OK(futhark_entry_make_cloud(ctx, &c, x, y));
  OK(futhark_entry_centre(ctx, &p, c));
  check_point(ctx, p, 3, 2);
  OK(futhark_project_opaque_cloud_label(ctx, &label, c));
  assert(label == 7);
  OK(futhark_project_opaque_cloud_pts(ctx, &ps, c));
  OK(futhark_free_opaque_cloud(ctx, c));
  assert(futhark_shape_opaque_arr1d_point(ctx, ps)[0] == 3);
  OK(futhark_project_opaque_arr1d_point_y(ctx, &got, ps));
  OK(futhark_values_f32_1d(ctx, got, out));
  OK(futhark_context_sync(ctx));
  assert(memcmp(out, ys, sizeof out) == 0);
  OK(futhark_free_f32_1d(ctx, got));

  /* Elements are read and written; what shares their memory does not change. */
  OK(futhark_zip_opaque_arr1d_point(ctx, &qs, x, y));
  assert(futhark_zip_opaque_arr1d_point(ctx, &ps, x, shorter) != FUTHARK_SUCCESS);
  expect(ctx, "shape");
  p = point(ctx, 10, 20);
  OK(futhark_set_opaque_arr1d_point(ctx, qs, p, 1));
  assert(futhark_set_opaque_arr1d_point(ctx, qs, p, 3) != FUTHARK_SUCCESS);
  expect(ctx, "out of bounds");
  OK(futhark_free_opaque_point(ctx, p));
  assert(futhark_index_opaque_arr1d_point(ctx, &p, qs, -1) != FUTHARK_SUCCESS);
  expect(ctx, "out of bounds");
  OK(futhark_index_opaque_arr1d_point(ctx, &p, qs, 1));
  check_point(ctx, p, 10, 20);
  OK(futhark_values_f32_1d(ctx, x, out));
  assert(out[1] == 2);
  OK(futhark_new_opaque_cloud(ctx, &d, 9, qs));
  OK(futhark_entry_centre(ctx, &p, d));
  check_point(ctx, p, 17.0f / 3, 23.0f / 3);
  OK(futhark_free_opaque_cloud(ctx, d));
  OK(futhark_free_opaque_arr1d_point(ctx, ps));
  OK(futhark_free_opaque_arr1d_point(ctx, qs));
  OK(futhark_free_f32_1d(ctx, x));
  OK(futhark_free_f32_1d(ctx, y));
  OK(futhark_free_f32_1d(ctx, shorter));
}

static void arrays(struct futhark_context *ctx)
{
  struct futhark_opaque_shape *of[3] = {NULL, NULL, NULL}, *one = NULL;
  struct futhark_opaque_arr1d_shape *shapes = NULL, *none = NULL;
  struct futhark_opaque_arr1d_body *bodies = NULL, *moved = NULL;
  struct futhark_opaque_body *b[2] = {NULL, NULL}, *c = NULL;
  struct futhark_opaque_point *p = point(ctx, 1, 2), *q = NULL;
  struct futhark_f32_1d *areas = NULL;
  float out[3], r;
  int i;
  OK(futhark_new_opaque_shape_circle(ctx, &of[0], 2));
  OK(futhark_new_opaque_shape_box(ctx, &of[1], 3, 4));
  OK(futhark_new_opaque_shape_empty(ctx, &of[2]));
  OK(futhark_new_opaque_arr1d_shape(ctx, &shapes, of, 3));
  OK(futhark_entry_areas(ctx, &areas, shapes));
  OK(futhark_values_f32_1d(ctx, areas, out));
  OK(futhark_context_sync(ctx));
  assert(fabsf(out[0] - 12.566371f) < 1e-4f && out[1] == 12 && out[2] == 0);
  OK(futhark_free_f32_1d(ctx, areas));
  OK(futhark_index_opaque_arr1d_shape(ctx, &one, shapes, 0));
  OK(futhark_destruct_opaque_shape_circle(ctx, &r, one));
  assert(r == 2);
  OK(futhark_free_opaque_shape(ctx, one));
  OK(futhark_new_opaque_arr1d_shape(ctx, &none, NULL, 0));
  assert(futhark_shape_opaque_arr1d_shape(ctx, none)[0] == 0);
  OK(futhark_free_opaque_arr1d_shape(ctx, none));
  assert(futhark_new_opaque_arr1d_shape(ctx, &none, NULL, -1) != FUTHARK_SUCCESS);
  expect(ctx, "negative");
  for (i = 0; i < 3; i++)
    OK(futhark_free_opaque_shape(ctx, of[i]));
  OK(futhark_free_opaque_arr1d_shape(ctx, shapes));

  OK(futhark_new_opaque_body(ctx, &b[0], 1, 2.5, p));
  OK(futhark_new_opaque_body(ctx, &b[1], 2, 3.5, p));
  OK(futhark_new_opaque_arr1d_body(ctx, &bodies, b, 2));
  OK(futhark_entry_move(ctx, &moved, p, bodies));
  OK(futhark_index_opaque_arr1d_body(ctx, &c, moved, 1));
  OK(futhark_project_opaque_body_pos(ctx, &q, c));
  check_point(ctx, q, 2, 4);
  OK(futhark_free_opaque_body(ctx, b[0]));
  OK(futhark_free_opaque_body(ctx, b[1]));
  OK(futhark_free_opaque_body(ctx, c));
  OK(futhark_free_opaque_arr1d_body(ctx, bodies));
  OK(futhark_free_opaque_arr1d_body(ctx, moved));
  OK(futhark_free_opaque_point(ctx, p));
}

/* Stored and restored, in memory of the library's and of the caller's. */
static void bytes(struct futhark_context *ctx)
{
  const float xs[2] = {1, 3}, ys[2] = {2, 6};
  struct futhark_f32_1d *x = futhark_new_f32_1d(ctx, xs, 2), *y = futhark_new_f32_1d(ctx, ys, 2);
  struct futhark_opaque_cloud *c = NULL, *d;
  struct futhark_opaque_point *p = NULL;
  struct futhark_opaque_unit *u;
  void *made = NULL, *own;
  size_t n = 0, m = 0;
  int32_t next;
  OK(futhark_entry_make_cloud(ctx, &c, x, y));
  OK(futhark_store_opaque_cloud(ctx, c, NULL, &n));
  OK(futhark_store_opaque_cloud(ctx, c, &made, &m));
  assert(n == m && n == 7 + 1 + 2 * (7 + 8 + 8));
  own = calloc(n, 1);
  OK(futhark_store_opaque_cloud(ctx, c, &own, &n));
  OK(futhark_context_sync(ctx));
  assert(memcmp(own, made, n) == 0);
  OK(futhark_free_opaque_cloud(ctx, c));
  d = futhark_restore_opaque_cloud(ctx, own);
  assert(d != NULL);
  OK(futhark_entry_centre(ctx, &p, d));
  check_point(ctx, p, 2, 4);
  OK(futhark_free_opaque_cloud(ctx, d));
  memset(own, 0, n);
  assert(futhark_restore_opaque_cloud(ctx, own) == NULL);
  expect(ctx, "do not hold");
  ((char *)made)[7 + 1] = 'x'; /* the first part is right, the second is not */
  assert(futhark_restore_opaque_cloud(ctx, made) == NULL);
  expect(ctx, "do not hold");
  u = futhark_restore_opaque_unit(ctx, made);
  OK(futhark_entry_with_unit(ctx, &next, u, 41));
  assert(next == 42);
  OK(futhark_free_opaque_unit(ctx, u));
  free(made);
  free(own);
  OK(futhark_free_f32_1d(ctx, x));
  OK(futhark_free_f32_1d(ctx, y));
}

int main(void)
{
  struct futhark_context_config *cfg = futhark_context_config_new();
  struct futhark_context *ctx = futhark_context_new(cfg);
  int i;
  assert(futhark_context_get_error(ctx) == NULL);
  for (i = 0; i < 2; i++) {
    records(ctx);
    sums(ctx);
    clouds(ctx);
    arrays(ctx);
    bytes(ctx);
  }
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  puts("ok");
  return 0;
}
