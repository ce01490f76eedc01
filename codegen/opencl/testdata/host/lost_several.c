/* One of two devices is lost while a call on the other one takes an array from it. */

int main(void)
{
  enum { N = 1000 };
  static double data[N];
  struct several_config *cfg = several_config_new();
  struct several_context *ctx, *b;
  struct several_f64_1d *xs, *ys = NULL, *own;
  double sum;
  several_config_set_device(cfg, "0,1");
  cfg->rt.apart = 1;
  CHECK((ctx = several_context_new(cfg)) && (b = several_context_device(ctx, 1)));
  own = several_new_f64_1d(b, data, N); /* b makes its buffers here */
  CHECK(several_entry_double(b, &ys, own, 1) == 0 && several_entry_sum(b, &sum, ys) == 0);
  CHECK((xs = several_new_f64_1d(ctx, data, N)));
  lost = CL_DEVICE_NOT_AVAILABLE;
  CHECK(several_entry_sum(b, &sum, xs) == 4 && strstr(several_context_get_error(b), "error: the device is lost: cannot move a block"));
  lost = 0;
  CHECK(several_entry_sum(ctx, &sum, xs) == 4 && strstr(several_context_get_error(ctx), "error: the device was lost"));
  CHECK(several_entry_sum(b, &sum, own) == 0);
  several_free_f64_1d(ctx, xs);
  several_free_f64_1d(b, own);
  several_free_f64_1d(b, ys);
  several_context_free(ctx);
  several_config_free(cfg);
  puts("ok");
  return 0;
}
