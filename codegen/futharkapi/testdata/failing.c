/* Behind the library's source in one file: uses the API again and again while call
   number 1, 2, 3, ... of the system fails, until none does. Every failure must be
   an error, not a crash, and leave nothing behind. */

static void check(int ok, int line)
{
  if (!ok) {
    fprintf(stderr, "line %d, call %ld failing\n", line, fail_at);
    exit(1);
  }
}
#define CHECK(cond) check(cond, __LINE__)

struct held {
  struct futhark_f32_1d *x, *y, *got, *raw;
  struct futhark_opaque_cloud *cloud, *again;
  struct futhark_opaque_point *p, *q;
  struct futhark_opaque_arr1d_point *points, *made;
  struct futhark_opaque_shape *shape;
  struct futhark_opaque_arr1d_shape *shapes;
  struct futhark_opaque_body *body;
  void *bytes;
};

/* Does a bit of everything; gives the first error. */
static int use(struct futhark_context *ctx, struct held *h)
{
  static const float data[3] = {1, 2, 6};
  float out[3] = {0, 0, 0}, x;
  size_t n;
  int err;
  cl_mem m;
  h->x = futhark_new_f32_1d(ctx, data, 3);
  h->y = futhark_new_f32_1d(ctx, data, 3);
  if (h->x == NULL || h->y == NULL)
    return 1;
  if ((err = futhark_entry_make_cloud(ctx, &h->cloud, h->x, h->y)) || (err = futhark_entry_centre(ctx, &h->p, h->cloud)) ||
      (err = futhark_project_opaque_point_x(ctx, &x, h->p)))
    return err;
  CHECK(x == 3);
  if ((err = futhark_store_opaque_cloud(ctx, h->cloud, &h->bytes, &n)))
    return err;
  if ((h->again = futhark_restore_opaque_cloud(ctx, h->bytes)) == NULL)
    return 1;
  if ((err = futhark_project_opaque_cloud_pts(ctx, &h->points, h->again)) ||
      (err = futhark_zip_opaque_arr1d_point(ctx, &h->made, h->x, h->y)) ||
      (err = futhark_set_opaque_arr1d_point(ctx, h->made, h->p, 0)) ||
      (err = futhark_index_opaque_arr1d_point(ctx, &h->q, h->made, 0)) ||
      (err = futhark_project_opaque_arr1d_point_x(ctx, &h->got, h->made)) || (err = futhark_values_f32_1d(ctx, h->got, out)))
    return err;
  CHECK(out[0] == 3 && out[2] == 6);
  if ((m = futhark_values_raw_f32_1d(ctx, h->got)) == NULL || (h->raw = futhark_new_raw_f32_1d(ctx, m, 3)) == NULL)
    return 1;
  if ((err = futhark_index_f32_1d(ctx, &x, h->raw, 0)))
    return err;
  CHECK(x == 3);
  if ((err = futhark_new_opaque_shape_circle(ctx, &h->shape, 2)) ||
      (err = futhark_new_opaque_arr1d_shape(ctx, &h->shapes, &h->shape, 1)) ||
      (err = futhark_new_opaque_body(ctx, &h->body, 1, 2, h->p)))
    return err;
  return 0;
}

static int session(void)
{
  struct held h;
  struct futhark_context_config *cfg;
  struct futhark_context *ctx;
  char *text;
  int err;
  memset(&h, 0, sizeof h);
  fail_from = 0;
  cfg = futhark_context_config_new();
  ctx = futhark_context_new(cfg);
  CHECK(cfg && ctx && memc_last_error(&ctx->rt, NULL) == MEMC_OK);
  calls = 0;
  fail_from = fail_at;
  err = use(ctx, &h);
  fail_from = 0;
  futhark_free_f32_1d(ctx, h.x);
  futhark_free_f32_1d(ctx, h.y);
  futhark_free_f32_1d(ctx, h.got);
  futhark_free_f32_1d(ctx, h.raw);
  futhark_free_opaque_cloud(ctx, h.cloud);
  futhark_free_opaque_cloud(ctx, h.again);
  futhark_free_opaque_point(ctx, h.p);
  futhark_free_opaque_point(ctx, h.q);
  futhark_free_opaque_arr1d_point(ctx, h.points);
  futhark_free_opaque_arr1d_point(ctx, h.made);
  futhark_free_opaque_shape(ctx, h.shape);
  futhark_free_opaque_arr1d_shape(ctx, h.shapes);
  futhark_free_opaque_body(ctx, h.body);
  free(h.bytes);
  CHECK(ctx->rt.pool.stats.asked == 0 && ctx->rt.arrays == 0 && ctx->rt.live == NULL);
  text = futhark_context_get_error(ctx);
  CHECK(err == 0 || text != NULL || calls >= fail_at);
  free(text);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  return err;
}

int main(void)
{
  int err, failed = 0;
  do {
    fail_at++;
    err = session();
    failed += err != 0;
    CHECK(live == 0);
  } while (calls >= fail_at);
  CHECK(err == 0 && failed > 50);
  puts("ok");
  return 0;
}
