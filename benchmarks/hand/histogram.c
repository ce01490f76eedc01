#include "hand.h"

static void histogram(int64_t bins, int64_t n, const int32_t *restrict xs, int32_t *restrict counts)
{
  memset(counts, 0, bins * sizeof *counts);
#pragma omp parallel
  {
    int32_t *own = calloc(bins, sizeof *own);
#pragma omp for
    for (int64_t i = 0; i < n; i++)
      if (xs[i] >= 0 && xs[i] < bins)
        own[xs[i]]++;
#pragma omp critical
    for (int64_t b = 0; b < bins; b++)
      counts[b] += own[b];
    free(own);
  }
}

int main(int argc, char **argv)
{
  int64_t bins = hand_i64(), n;
  int32_t *xs = hand_array(1, &n, sizeof *xs), *counts = malloc(bins * sizeof *counts);
  HAND_RUNS(histogram(bins, n, xs, counts));
  fwrite(counts, sizeof *counts, bins, stdout);
  return 0;
}
