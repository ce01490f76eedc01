/* Sums with arrays, arrays of two dimensions, values that are consumed whole. */
#include "sums.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void expect(struct futhark_context *ctx, const char *part)
{
  char *text = futhark_context_get_error(ctx);
  assert(text != NULL && strstr(text, part) != NULL);
  free(text);
}

static void payloads(struct futhark_context *ctx)
{
  const uint32_t us[2] = {7, UINT32_MAX};
  const int32_t is[3] = {-1, 0, 1};
  uint32_t uout[2];
  int32_t iout[3];
  bool b = false;
  int8_t tag = 9;
  int i;
  struct futhark_u32_1d *u = futhark_new_u32_1d(ctx, us, 2), *v = NULL;
  struct futhark_i32_1d *n = futhark_new_i32_1d(ctx, is, 3), *w = NULL;
  struct futhark_opaque_payload *p = NULL, *q = NULL, *r = NULL, *ps[2];
  struct futhark_opaque_arr1d_payload *all = NULL;
  assert(futhark_new_opaque_payload_flags(ctx, &p, true, u) == FUTHARK_SUCCESS);
  assert(futhark_free_u32_1d(ctx, u) == FUTHARK_SUCCESS);
  assert(futhark_entry_pass_on(ctx, &q, p) == FUTHARK_SUCCESS && futhark_free_opaque_payload(ctx, p) == FUTHARK_SUCCESS);
  assert(futhark_variant_opaque_payload(ctx, q) == 0);
  assert(futhark_destruct_opaque_payload_flags(ctx, &b, &v, q) == FUTHARK_SUCCESS && b);
  assert(futhark_values_u32_1d(ctx, v, uout) == FUTHARK_SUCCESS && memcmp(uout, us, sizeof us) == 0);
  assert(futhark_destruct_opaque_payload_numbers(ctx, &w, q) == FUTHARK_PROGRAM_ERROR && w == NULL);
  expect(ctx, "numbers");
  assert(futhark_free_u32_1d(ctx, v) == FUTHARK_SUCCESS);

  assert(futhark_new_opaque_payload_numbers(ctx, &r, n) == FUTHARK_SUCCESS && futhark_variant_opaque_payload(ctx, r) == 2);
  assert(futhark_destruct_opaque_payload_numbers(ctx, &w, r) == FUTHARK_SUCCESS);
  assert(futhark_values_i32_1d(ctx, w, iout) == FUTHARK_SUCCESS && memcmp(iout, is, sizeof is) == 0);
  assert(futhark_new_opaque_payload_numbers(ctx, &p, NULL) != FUTHARK_SUCCESS);
  expect(ctx, "missing");

  /* Elements of an array have one shape. */
  ps[0] = r;
  ps[1] = r;
  assert(futhark_new_opaque_arr1d_payload(ctx, &all, ps, 2) == FUTHARK_SUCCESS);
  assert(futhark_entry_first_tag(ctx, &tag, all) == FUTHARK_SUCCESS && tag == 2);
  assert(futhark_set_opaque_arr1d_payload(ctx, all, q, 1) != FUTHARK_SUCCESS);
  expect(ctx, "another shape");
  assert(futhark_free_opaque_arr1d_payload(ctx, all) == FUTHARK_SUCCESS);
  ps[1] = q;
  assert(futhark_new_opaque_arr1d_payload(ctx, &all, ps, 2) != FUTHARK_SUCCESS);
  expect(ctx, "another shape");
  for (i = 0; i < 2; i++)
    futhark_free_opaque_payload(ctx, ps[i]);
  futhark_free_i32_1d(ctx, n);
  futhark_free_i32_1d(ctx, w);
}

static void cells(struct futhark_context *ctx)
{
  const double vs[6][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}};
  double out[2];
  float a = 0;
  uint8_t k = 0;
  struct futhark_opaque_cell *of[6], *one = NULL;
  struct futhark_opaque_arr2d_cell *all = NULL, *grown = NULL, *again = NULL;
  struct futhark_f64_1d *v;
  struct futhark_f32_2d *as = NULL;
  struct futhark_f64_3d *vss = NULL;
  const int64_t *shape;
  int i, j;
  for (i = 0; i < 6; i++) {
    v = futhark_new_f64_1d(ctx, vs[i], 2);
    of[i] = NULL;
    assert(v && futhark_new_opaque_cell(ctx, &of[i], (float)i, v) == FUTHARK_SUCCESS);
    futhark_free_f64_1d(ctx, v);
  }
  assert(futhark_new_opaque_arr2d_cell(ctx, &all, of, 2, 3) == FUTHARK_SUCCESS);
  shape = futhark_shape_opaque_arr2d_cell(ctx, all);
  assert(shape[0] == 2 && shape[1] == 3);
  for (i = 0; i < 2; i++)
    for (j = 0; j < 3; j++) {
      assert(futhark_index_opaque_arr2d_cell(ctx, &one, all, i, j) == FUTHARK_SUCCESS);
      assert(futhark_project_opaque_cell_a(ctx, &a, one) == FUTHARK_SUCCESS && a == (float)(3 * i + j));
      assert(futhark_project_opaque_cell_v(ctx, &v, one) == FUTHARK_SUCCESS);
      assert(futhark_values_f64_1d(ctx, v, out) == FUTHARK_SUCCESS && memcmp(out, vs[3 * i + j], sizeof out) == 0);
      futhark_free_f64_1d(ctx, v);
      futhark_free_opaque_cell(ctx, one);
    }
  assert(futhark_index_opaque_arr2d_cell(ctx, &one, all, 0, 3) != FUTHARK_SUCCESS);
  expect(ctx, "dimension 1");
  assert(futhark_set_opaque_arr2d_cell(ctx, all, of[5], 0, 1) == FUTHARK_SUCCESS);
  /* One that does not fit changes nothing. */
  v = futhark_new_f64_1d(ctx, vs[0], 3);
  assert(v && futhark_new_opaque_cell(ctx, &one, 99, v) == FUTHARK_SUCCESS);
  assert(futhark_set_opaque_arr2d_cell(ctx, all, one, 1, 1) != FUTHARK_SUCCESS);
  expect(ctx, "another shape");
  futhark_free_f64_1d(ctx, v);
  futhark_free_opaque_cell(ctx, one);
  assert(futhark_index_opaque_arr2d_cell(ctx, &one, all, 1, 1) == FUTHARK_SUCCESS);
  assert(futhark_project_opaque_cell_a(ctx, &a, one) == FUTHARK_SUCCESS && a == 4);
  futhark_free_opaque_cell(ctx, one);
  assert(futhark_project_opaque_arr2d_cell_v(ctx, &vss, all) == FUTHARK_SUCCESS);
  assert(futhark_index_f64_3d(ctx, &out[0], vss, 0, 1, 1) == FUTHARK_SUCCESS && out[0] == 11);

  /* It consumes the array; what shares its memory keeps its contents. */
  assert(futhark_project_opaque_arr2d_cell_a(ctx, &as, all) == FUTHARK_SUCCESS);
  assert(futhark_entry_grow(ctx, &grown, &k, all, 255) == FUTHARK_SUCCESS && k == 0);
  assert(futhark_index_f32_2d(ctx, &a, as, 0, 0) == FUTHARK_SUCCESS && a == 0);
  assert(futhark_entry_grow(ctx, &again, &k, all, 255) != FUTHARK_SUCCESS && again == NULL);
  expect(ctx, "consumed");
  assert(futhark_free_opaque_arr2d_cell(ctx, all) == FUTHARK_SUCCESS);
  assert(futhark_index_opaque_arr2d_cell(ctx, &one, grown, 0, 0) == FUTHARK_SUCCESS);
  assert(futhark_project_opaque_cell_a(ctx, &a, one) == FUTHARK_SUCCESS && a == 7.5f);
  assert(futhark_zip_opaque_arr2d_cell(ctx, &again, as, vss) == FUTHARK_SUCCESS);
  futhark_free_opaque_arr2d_cell(ctx, again);
  futhark_free_opaque_arr2d_cell(ctx, grown);
  futhark_free_opaque_cell(ctx, one);
  futhark_free_f32_2d(ctx, as);
  futhark_free_f64_3d(ctx, vss);
  for (i = 0; i < 6; i++)
    futhark_free_opaque_cell(ctx, of[i]);
}

int main(void)
{
  struct futhark_context_config *cfg = futhark_context_config_new();
  struct futhark_context *ctx = futhark_context_new(cfg);
  assert(futhark_context_get_error(ctx) == NULL);
  payloads(ctx);
  cells(ctx);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  puts("ok");
  return 0;
}
