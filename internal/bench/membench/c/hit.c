/* Stands behind pool.c: prints "POLICY BYTES HIT FREE", times in nanoseconds, of the
   median batch. */

static int create(void *self, int64_t bytes, void **buffer)
{
  (void)bytes;
  *buffer = self;
  return MEMC_POOL_OK;
}

static void release(void *self, void *buffer) { (void)self, (void)buffer; }
static int finish(void *self) { return self == NULL; }

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
  enum { BATCH = 16, ROUNDS = 5000 };
  static double got[ROUNDS], put[ROUNDS];
  static struct memc_pool p;
  static int self;
  const struct memc_pool_source src = {&self, create, release, finish};
  struct memc_range *b[BATCH];
  int policy, i, round, s;
  for (policy = MEMC_POOL_TAGGED; policy < MEMC_POOL_POLICIES; policy++)
    for (s = 1; s < argc; s++) {
      const int64_t bytes = strtoll(argv[s], NULL, 10);
      double start;
      memc_pool_up(&p, &src, policy, 0, 0, 0);
      for (round = -100; round < ROUNDS; round++) {
        start = now();
        for (i = 0; i < BATCH; i++)
          if (memc_pool_get(&p, bytes, i, &b[i]))
            return 1;
        if (round >= 0)
          got[round] = now() - start;
        start = now();
        for (i = 0; i < BATCH; i++)
          memc_pool_put(&p, b[i]);
        if (round >= 0)
          put[round] = now() - start;
      }
      qsort(got, ROUNDS, sizeof *got, compare);
      qsort(put, ROUNDS, sizeof *put, compare);
      printf("%s %" PRId64 " %.1f %.1f\n", memc_pool_policies[policy], bytes, got[ROUNDS / 2] / BATCH, put[ROUNDS / 2] / BATCH);
      memc_pool_down(&p);
    }
  return 0;
}
