/* Arguments that no function can do anything with are refused, and nothing is lost by that: NULL for
   all that can be NULL, negative numbers, and one array for two parameters, of which one consumes it. */

static struct arguments_context *ctx;

static void nothing(void)
{
  struct memc_stats stats;
  const int32_t data[] = {1, 2, 3};
  int32_t got[3];
  struct arguments_i32_1d *a = arguments_new_i32_1d(ctx, data, 3), *r = NULL;
  struct arguments_config *cfg = arguments_config_new();
  struct arguments_context *c;
  CHECK(cfg && arguments_config_set_device(cfg, NULL) == 0);
  CHECK(arguments_config_set_allocator(cfg, NULL) == 1);
  c = arguments_context_new(cfg);
  CHECK(c && arguments_context_get_error(c) == NULL);
  arguments_context_free(c);
  arguments_config_free(cfg);

  CHECK(arguments_config_set_device(NULL, "0") == 1 && arguments_config_set_allocator(NULL, "region") == 1);
  arguments_config_set_memory_limit(NULL, 1);
  arguments_config_set_device_heap(NULL, 1);
  TARGET_NOTHING
  arguments_config_free(NULL);
  arguments_context_free(NULL);
  arguments_context_trim(NULL);
  arguments_context_reset_stats(NULL);
  CHECK(arguments_context_sync(NULL) == 1 && arguments_context_get_code(NULL) == 1);
  CHECK(strstr(arguments_context_get_error(NULL), "there is no context"));
  CHECK(arguments_context_stats(NULL, &stats) == 1 && arguments_context_stats(ctx, NULL) == 5);
  CHECK(arguments_new_i32_1d(NULL, data, 3) == NULL && arguments_new_i32_1d(ctx, NULL, 3) == NULL);
  CHECK(arguments_free_i32_1d(NULL, a) == 1 && arguments_free_i32_1d(ctx, NULL) == 0);
  CHECK(arguments_values_i32_1d(NULL, a, got) == 1 && arguments_values_i32_1d(ctx, NULL, got) == 5);
  CHECK(arguments_values_i32_1d(ctx, a, NULL) == 5);
  CHECK(arguments_shape_i32_1d(ctx, NULL) == NULL && arguments_shape_i32_1d(NULL, a)[0] == 3);
  CHECK(arguments_entry_first(NULL, &r, a, a) == 1 && arguments_entry_first(ctx, NULL, a, a) == 5);
  CHECK(arguments_entry_first(ctx, &r, a, NULL) == 5 && strstr(arguments_context_get_error(ctx), "argument `y` is missing"));
  CHECK(arguments_values_i32_1d(ctx, a, got) == 0 && got[2] == 3); /* x, which comes before it, is still there */
  arguments_free_i32_1d(ctx, a);
}

static void negative(void (*set)(struct arguments_config *, int64_t), const char *text)
{
  struct arguments_config *cfg = arguments_config_new();
  struct arguments_context *c;
  set(cfg, -1);
  c = arguments_context_new(cfg);
  CHECK(c && arguments_context_get_code(c) == 1 && strstr(arguments_context_get_error(c), text));
  arguments_context_free(c);
  arguments_config_free(cfg);
}

typedef int entry(struct arguments_context *, struct arguments_i32_1d **, struct arguments_i32_1d *, struct arguments_i32_1d *);

/* One array for both parameters, of any length; names: how the message calls them. */
static void twice(entry *call, int64_t n, const char *names)
{
  const int32_t data[] = {1, 2, 3};
  int32_t got[3] = {0};
  struct arguments_i32_1d *a = arguments_new_i32_1d(ctx, data, n), *b = arguments_new_i32_1d(ctx, data, n), *r = NULL;
  int round;
  for (round = 0; round < 2; round++) {
    CHECK(call(ctx, &r, a, a) == 5 && r == NULL && strstr(arguments_context_get_error(ctx), names));
    CHECK(arguments_values_i32_1d(ctx, a, got) == 0 && got[0] == (n > 0));
  }
  CHECK(call(ctx, &r, a, b) == 0);
  arguments_free_i32_1d(ctx, a);
  arguments_free_i32_1d(ctx, b);
  arguments_free_i32_1d(ctx, r);
}

static int first(struct arguments_context *c, struct arguments_i32_1d **r, struct arguments_i32_1d *x, struct arguments_i32_1d *y)
{
  return arguments_entry_first(c, r, x, y);
}

static int second(struct arguments_context *c, struct arguments_i32_1d **r, struct arguments_i32_1d *x, struct arguments_i32_1d *y)
{
  return arguments_entry_second(c, r, y, x);
}

static int both(struct arguments_context *c, struct arguments_i32_1d **r, struct arguments_i32_1d *x, struct arguments_i32_1d *y)
{
  return arguments_entry_both(c, r, x, y);
}

int main(void)
{
  int64_t n;
  ctx = arguments_context_new(NULL);
  CHECK(ctx && arguments_context_get_error(ctx) == NULL);
  nothing();
  negative(arguments_config_set_memory_limit, "the memory limit is negative: -1");
  negative(arguments_config_set_device_heap, "the size of the device heap is negative: -1");
  for (n = 0; n <= 3; n++) {
    twice(first, n, "arguments `x` and `y` are one array, which `x` consumes");
    twice(second, n, "arguments `y` and `x` are one array, which `x` consumes");
    twice(both, n, "arguments `x` and `y` are one array, which `x` consumes");
  }
  arguments_context_free(ctx);
  puts("ok");
  return 0;
}
