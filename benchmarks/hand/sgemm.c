#include "hand.h"

static void sgemm(int64_t n, int64_t m, int64_t p, const float *restrict a, const float *restrict b, float alpha, float beta,
                  const float *restrict c, float *restrict out)
{
#pragma omp parallel for
  for (int64_t i = 0; i < n; i++) {
    float *row = out + i * p;
    memset(row, 0, p * sizeof *row);
    for (int64_t k = 0; k < m; k++)
      for (int64_t j = 0; j < p; j++)
        row[j] += a[i * m + k] * b[k * p + j];
    for (int64_t j = 0; j < p; j++)
      row[j] = alpha * row[j] + beta * c[i * p + j];
  }
}

int main(int argc, char **argv)
{
  int64_t da[2], db[2], dc[2];
  float *a = hand_array(2, da, sizeof *a), *b = hand_array(2, db, sizeof *b);
  float alpha = hand_f32(), beta = hand_f32();
  float *c = hand_array(2, dc, sizeof *c), *out = malloc(dc[0] * dc[1] * sizeof *out);
  HAND_RUNS(sgemm(da[0], da[1], db[1], a, b, alpha, beta, c, out));
  fwrite(out, sizeof *out, dc[0] * dc[1], stdout);
  return 0;
}
