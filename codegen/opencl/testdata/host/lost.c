/* A device that is lost while a program uses it. */

static void lose(cl_int answer)
{
  static const double data[] = {1, 2, 3};
  struct library_context *ctx = library_context_new(NULL);
  struct library_f64_1d *a = library_new_f64_1d(ctx, data, 3), *b = NULL, *c = NULL;
  double out[3];
  int before;
  CHECK(ctx && a && library_context_get_error(ctx) == NULL);
  lost = answer;
  CHECK(library_values_f64_1d(ctx, a, out) == 4);
  CHECK(strstr(library_context_get_error(ctx), "error: the device is lost: cannot read from the device"));
  /* The context remembers, also where the driver does not. */
  lost = 0;
  before = commands;
  CHECK(library_entry_same(ctx, &b, &c, a) == 4 && b == NULL && c == NULL);
  CHECK(strstr(library_context_get_error(ctx), "error: the device was lost"));
  CHECK(library_values_f64_1d(ctx, a, out) == 4 && library_context_sync(ctx) == 4);
  CHECK(library_new_f64_1d(ctx, data, 3) == NULL && strstr(library_context_get_error(ctx), "was lost"));
  CHECK(library_raw_f64_1d(ctx, a) == NULL && strstr(library_context_get_error(ctx), "was lost"));
  CHECK(commands == before);
  library_free_f64_1d(ctx, a);
  library_context_free(ctx);
}

int main(void)
{
  lose(CL_OUT_OF_RESOURCES);
  lose(CL_INVALID_COMMAND_QUEUE);
  lose(CL_DEVICE_NOT_AVAILABLE);
  lose(-9999);
  puts("ok");
  return 0;
}
