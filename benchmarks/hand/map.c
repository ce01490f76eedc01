#include "hand.h"

static void map(int64_t n, const float *restrict xs, const float *restrict ys, float *restrict zs)
{
#pragma omp parallel for
  for (int64_t i = 0; i < n; i++)
    zs[i] = sqrtf(xs[i] * xs[i] + ys[i] * ys[i]) + 0.5f * xs[i] * ys[i] - 0.25f * xs[i];
}

int main(int argc, char **argv)
{
  int64_t n;
  float *xs = hand_array(1, &n, sizeof *xs), *ys = hand_array(1, &n, sizeof *ys), *zs = malloc(n * sizeof *zs);
  HAND_RUNS(map(n, xs, ys, zs));
  fwrite(zs, sizeof *zs, n, stdout);
  return 0;
}
