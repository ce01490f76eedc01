/* A kernel that asks for more than its heap has is out of memory; one that fails by itself is at fault. */

static int call(struct heapcodes_context *ctx, int64_t size)
{
  const int64_t sizes[] = {3, 0, 5};
  int64_t data[3], got[3];
  struct heapcodes_i64_1d *a, *r = NULL;
  int code;
  memcpy(data, sizes, sizeof data);
  data[1] = size;
  a = heapcodes_new_i64_1d(ctx, data, 3);
  CHECK(a);
  if ((code = heapcodes_entry_main(ctx, &r, a)) == 0)
    CHECK(heapcodes_values_i64_1d(ctx, r, got) == 0 && got[1] == size);
  heapcodes_free_i64_1d(ctx, a);
  heapcodes_free_i64_1d(ctx, r);
  return code;
}

int main(void)
{
  struct heapcodes_config *cfg = heapcodes_config_new();
  struct heapcodes_context *ctx;
  int round;
  heapcodes_config_set_device_heap(cfg, 1 << 20);
  ctx = heapcodes_context_new(cfg);
  heapcodes_config_free(cfg);
  CHECK(ctx && heapcodes_context_get_error(ctx) == NULL);
  for (round = 0; round < 3; round++) {
    CHECK(call(ctx, (int64_t)1 << 45) == 3 && heapcodes_context_get_code(ctx) == 3);
    CHECK(strstr(heapcodes_context_get_error(ctx), "out of memory in a kernel"));
    CHECK(call(ctx, -3) == 2 && heapcodes_context_get_code(ctx) == 2);
    CHECK(call(ctx, 1000) == 0);
  }
  heapcodes_context_free(ctx);
  puts("ok");
  return 0;
}
