#include "hand.h"

static void step(int64_t nz, int64_t ny, int64_t nx, const float *restrict cur, float *restrict next)
{
  const float c0 = 1.0f / 6.0f, c1 = 1.0f / 36.0f;
#pragma omp parallel for
  for (int64_t z = 0; z < nz; z++)
    for (int64_t y = 0; y < ny; y++) {
      const float *row = cur + (z * ny + y) * nx;
      float *to = next + (z * ny + y) * nx;
      if (z == 0 || z == nz - 1 || y == 0 || y == ny - 1) {
        memcpy(to, row, nx * sizeof *to);
        continue;
      }
      to[0] = row[0];
      for (int64_t x = 1; x < nx - 1; x++)
        to[x] = c1 * (row[x + ny * nx] + row[x - ny * nx] + row[x + nx] + row[x - nx] + row[x + 1] + row[x - 1]) - row[x] * c0;
      to[nx - 1] = row[nx - 1];
    }
}

static void stencil(int64_t steps, int64_t nz, int64_t ny, int64_t nx, const float *a, float **one, float **other)
{
  const float *cur = a;
  for (int64_t s = 0; s < steps; s++) {
    float *t = *one;
    step(nz, ny, nx, cur, *one);
    cur = *one, *one = *other, *other = t;
  }
}

int main(int argc, char **argv)
{
  int64_t steps = hand_i64(), d[3];
  float *a = hand_array(3, d, sizeof *a);
  size_t n = d[0] * d[1] * d[2];
  float *one = malloc(n * sizeof *one), *other = malloc(n * sizeof *other);
  HAND_RUNS(stencil(steps, d[0], d[1], d[2], a, &one, &other));
  fwrite(steps > 0 ? other : a, sizeof *a, n, stdout);
  return 0;
}
