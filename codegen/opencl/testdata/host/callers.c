/* Threads of the caller share a context: they call, fail and free at the same time, TURNS
   times each. The error that a thread reads is its own. */

static struct callers_context *ctx;

/* Another context takes none of the first one's arrays, and keeps working. */
static void strangers(void)
{
  const float data[] = {1, 2, 3, 4};
  struct callers_context *other = callers_context_new(NULL);
  struct callers_f32_1d *xs = callers_new_f32_1d(ctx, data, 4), *ys = NULL;
  float got[4];
  int round;
  for (round = 0; round < 2; round++) {
    CHECK(callers_entry_twice(other, &ys, xs) == 5 && ys == NULL);
    CHECK(strstr(callers_context_get_error(other), "argument `xs` belongs to another context"));
    CHECK(callers_values_f32_1d(other, xs, got) == 5);
    CHECK(callers_free_f32_1d(other, xs) == 5);
    CHECK(strstr(callers_context_get_error(other), "error[E905]: the array belongs to another context"));
  }
  CHECK(callers_values_f32_1d(ctx, xs, got) == 0 && got[3] == 4);
  CHECK(callers_free_f32_1d(ctx, xs) == 0);
  callers_context_free(other);
}

static MEMC_THREAD(caller, first)
{
  const float data[] = {1, 2, 3, 4};
  char index[32];
  int i;
  sprintf(index, "index %d is out", 10 + (int)*(const int64_t *)first);
  for (i = 0; i < TURNS; i++) {
    struct callers_f32_1d *xs = callers_new_f32_1d(ctx, data, 4), *ys = NULL;
    const int64_t at = *(const int64_t *)first + (i % 2 ? 10 : 0);
    float got[4] = {0}, x = 0;
    CHECK(xs && callers_entry_twice(ctx, &ys, xs) == 0);
    CHECK(callers_values_f32_1d(ctx, ys, got) == 0 && got[0] == 2 && got[3] == 8);
    CHECK(callers_entry_pick(ctx, &x, ys, at) == (i % 2 ? 2 : 0) && x == (i % 2 ? 0 : got[at]));
    CHECK(i % 2 == 0 || (callers_context_get_code(ctx) == 2 && strstr(callers_context_get_error(ctx), index)));
    if (i == TURNS / 2)
      CHECK(callers_entry_twice(ctx, NULL, xs) == 5 && strstr(callers_context_get_error(ctx), "out0 is NULL"));
    callers_free_f32_1d(ctx, xs);
    callers_free_f32_1d(ctx, ys);
  }
  return 0;
}

int main(void)
{
  memc_thread threads[4];
  int64_t first[4];
  struct memc_stats stats;
  int i;
  ctx = callers_context_new(NULL);
  CHECK(ctx && callers_context_get_error(ctx) == NULL);
  for (i = 0; i < 4; i++) {
    first[i] = i;
    CHECK(memc_thread_start(&threads[i], caller, &first[i]) == 0);
  }
  for (i = 0; i < 4; i++)
    memc_thread_join(threads[i]);
  CHECK(callers_context_get_code(ctx) == 2 && strstr(callers_context_get_error(ctx), "is out of bounds")); /* the latest */
  CHECK(callers_context_stats(ctx, &stats) == 0 && stats.alloc_requests == 4 * TURNS * 2);
  strangers();
  callers_context_free(ctx);
  puts("ok");
  return 0;
}
