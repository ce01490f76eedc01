/* Calls entries on two devices while call number 11, 22, 33, ... of the system fails, until none
   does: every failure must be an error, not a crash, and leave nothing behind. */

/* Gives how far it came: 0 no context, 1 the calls failed, 2 all well. */
static int session(int apart, double *sum)
{
  enum { N = 2000 };
  static double data[N];
  struct several_config *cfg = several_config_new();
  struct several_context *ctx = NULL, *b;
  struct several_f64_1d *xs = NULL, *ys = NULL, *zs = NULL;
  double six = 0;
  int came = 0;
  data[7] = 1;
  if (cfg == NULL || several_config_set_device(cfg, "0,1"))
    goto done;
  several_config_set_memory_limit(cfg, 70000);
  cfg->rt.apart = apart;
  ctx = several_context_new(cfg);
  if (ctx == NULL || several_context_get_error(ctx) != NULL || (b = several_context_device(ctx, 1)) == NULL)
    goto done;
  came = 1;
  if ((xs = several_new_f64_1d(ctx, data, N)) == NULL || several_entry_double(b, &ys, xs, 2) || several_entry_six(b, &six, N) ||
      several_entry_put(ctx, &zs, ys, 0, 3) || several_future_wait(several_start_sum(b, sum, zs)) || several_entry_sum(ctx, sum, zs))
    goto done;
  came = 2;
  CHECK(six == 6.0 * (N * (N - 1) / 2) + 15.0 * N);
done:
  if (ctx) {
    several_free_f64_1d(ctx, xs);
    several_free_f64_1d(ctx, ys);
    several_free_f64_1d(ctx, zs);
  }
  several_context_free(ctx);
  several_config_free(cfg);
  return came;
}

static int failures(int apart)
{
  double sum = 0;
  int came, seen[3] = {0};
  fail_at = 0;
  do {
    fail_at += 11; /* a session takes some time */
    calls = 0;
    came = session(apart, &sum);
    seen[came]++;
    if (live != 0) {
      fprintf(stderr, "apart %d: call %ld failed, and %ld objects are left\n", apart, fail_at, live);
      return 1;
    }
  } while (calls >= fail_at);
CHECK(came == 2 && sum == 7 && seen[0] > 2 && seen[1] > 9);
  return 0;
}

int main(void)
{
  if (failures(0) || failures(1))
    return 1;
  puts("ok");
  return 0;
}
