/* Calls entries again and again while call number 1, 4, 7, ... of the system
   fails, under another allocator 2, 5, 8, ..., until none does: every failure must be an error, not a crash, and leave
   nothing behind. */

/* Gives how far it came: 0 no context, 1 the calls failed, 2 all well. */
static int session(const char *allocator, int64_t *sum)
{
  static const double data[] = {1, 2, 3, 4};
  static const bool bits[] = {true, false, false, true, true, false};
  struct library_config *cfg = library_config_new();
  struct library_context *ctx = NULL;
  struct library_f64_1d *a = NULL, *b = NULL, *c = NULL, *d = NULL;
  struct library_bool_2d *m = NULL, *t = NULL;
  struct library_i64_1d *g = NULL;
  double out[4];
  int64_t grown[4];
  int came = 0, err = 0;
  if (cfg == NULL || library_config_set_device(cfg, "0") || library_config_set_allocator(cfg, allocator))
    goto done;
  refused = 0;
  ctx = library_context_new(cfg);
  CHECK(ctx || refused); /* every other failure has a message */
  if (ctx == NULL || ctx->rt.queue == NULL || ctx->rt.kernels == NULL || library_context_get_error(ctx) != NULL)
    goto done;
  came = 1;
  a = library_new_f64_1d(ctx, data, 4);
  m = library_new_bool_2d(ctx, bits, 2, 3);
  err = a == NULL || m == NULL;
  if (err || (err = library_entry_same(ctx, &b, &c, a)) || (err = library_entry_put(ctx, &d, a, 2, 7)) ||
      (err = library_entry_transpose(ctx, &t, m)) || (err = library_entry_grow(ctx, &g, 4)) ||
      (err = library_values_f64_1d(ctx, d, out)) || (err = library_values_i64_1d(ctx, g, grown)))
    goto done;
  came = 2;
  CHECK(out[0] == 1 && out[1] == 2 && out[2] == 7 && out[3] == 4);
  *sum = grown[0] + grown[1] + grown[2] + grown[3];
done:
  CHECK(came != 1 || !refused || library_context_get_code(ctx) == 3); /* the host's memory is memory, too */
  if (ctx) {
    library_free_f64_1d(ctx, a);
    library_free_f64_1d(ctx, b);
    library_free_f64_1d(ctx, c);
    library_free_f64_1d(ctx, d);
    library_free_bool_2d(ctx, m);
    library_free_bool_2d(ctx, t);
    library_free_i64_1d(ctx, g);
    CHECK(ctx->rt.pool.stats.asked == 0);
  }
  library_context_free(ctx);
  library_config_free(cfg);
  return came;
}

static int failures(const char *allocator, long first)
{
  int64_t sum = 0;
  int came, seen[3] = {0};
  fail_at = first - 3;
  do {
    fail_at += 3;
    calls = 0;
    came = session(allocator, &sum);
    seen[came]++;
    if (live != 0) {
      fprintf(stderr, "%s: call %ld failed, and %ld objects are left\n", allocator, fail_at, live);
      return 1;
    }
  } while (calls >= fail_at);
  CHECK(came == 2 && sum == 30 && seen[0] > 3 && seen[1] > 10);
  return 0;
}

int main(void)
{
  if (failures("region", 1) || failures("tagged", 2) || failures("driver", 3))
    return 1;
  puts("ok");
  return 0;
}
