#include "hand.h"

/* The differences' three coefficients at every point of a grid. */
static void differences(int64_t n, const float *x, float *d)
{
  memset(d, 0, 3 * n * sizeof *d);
  for (int64_t i = 1; i < n - 1; i++) {
    float below = x[i] - x[i - 1], above = x[i + 1] - x[i], both = below + above;
    d[3 * i] = 2.0f / below / both;
    d[3 * i + 1] = -2.0f * (1.0f / below + 1.0f / above) / both;
    d[3 * i + 2] = 2.0f / above / both;
  }
}

static void loc_vol_calib(int64_t outer, int64_t nx, int64_t ny, int64_t nt, float s0, float t, float alpha, float nu,
                          float beta, float *prices)
{
  const float dx = 20.0f * alpha * s0 * sqrtf(t) / (float)nx, dy = 10.0f * nu * sqrtf(t) / (float)ny, vary = nu * nu;
  const int64_t ix = (int64_t)(s0 / dx) % nx, iy = ny / 2;
  float *x = malloc(nx * sizeof *x), *y = malloc(ny * sizeof *y), *dxx = malloc(3 * nx * sizeof *x), *dyy = malloc(3 * ny * sizeof *y);
  for (int64_t i = 0; i < nx; i++)
    x[i] = (float)i * dx - (float)ix * dx + s0;
  for (int64_t j = 0; j < ny; j++)
    y[j] = (float)j * dy - (float)iy * dy + logf(alpha);
  differences(nx, x, dxx);
  differences(ny, y, dyy);
#pragma omp parallel
  {
    /* A thread has grids of its own, and a strike is solved from the first step to the last. */
    float *res = malloc(nx * ny * sizeof *res), *v = malloc(nx * ny * sizeof *v), *u = malloc(nx * ny * sizeof *u), *bb = malloc((nx + ny) * sizeof *bb);
    float *var = malloc(nx * ny * sizeof *var);
#pragma omp for
    for (int64_t o = 0; o < outer; o++) {
      for (int64_t i = 0; i < nx; i++)
        for (int64_t j = 0; j < ny; j++)
          res[i * ny + j] = fmaxf(x[i] - 0.001f * (float)o, 0.0f);
      for (int64_t g = nt - 2; g >= 0; g--) {
        const float now = t * (float)g / (float)(nt - 1), dtinv = 1.0f / (t * (float)(g + 1) / (float)(nt - 1) - now);
        for (int64_t i = 0; i < nx; i++) {
          const float lx = beta * logf(x[i]);
          for (int64_t j = 0; j < ny; j++)
            var[j * nx + i] = expf(2.0f * (lx + y[j] - 0.5f * nu * nu * now));
        }
        /* explicit along y, then along x; u is transposed */
        for (int64_t i = 0; i < nx; i++)
          for (int64_t j = 0; j < ny; j++) {
            float s = 0;
            for (int64_t k = 0; k < 3; k++)
              if (j + k >= 1 && j + k <= ny)
                s += 0.5f * vary * dyy[3 * j + k] * res[i * ny + j + k - 1];
            v[i * ny + j] = s;
          }
        for (int64_t j = 0; j < ny; j++)
          for (int64_t i = 0; i < nx; i++) {
            float s = dtinv * res[i * ny + j];
            for (int64_t k = 0; k < 3; k++)
              if (i + k >= 1 && i + k <= nx)
                s += 0.25f * var[j * nx + i] * dxx[3 * i + k] * res[(i + k - 1) * ny + j];
            u[j * nx + i] = s + v[i * ny + j];
          }
        /* implicit along x */
        for (int64_t j = 0; j < ny; j++) {
          float *yy = u + j * nx;
          const float *h = var + j * nx;
          bb[0] = dtinv - 0.25f * h[0] * dxx[1];
          for (int64_t i = 1; i < nx; i++) {
            const float m = -0.25f * h[i] * dxx[3 * i] / bb[i - 1];
            bb[i] = dtinv - 0.25f * h[i] * dxx[3 * i + 1] - m * (-0.25f * h[i - 1] * dxx[3 * (i - 1) + 2]);
            yy[i] = yy[i] - m * yy[i - 1];
          }
          yy[nx - 1] = yy[nx - 1] / bb[nx - 1];
          for (int64_t i = nx - 2; i >= 0; i--)
            yy[i] = (yy[i] + 0.25f * h[i] * dxx[3 * i + 2] * yy[i + 1]) / bb[i];
        }
        /* implicit along y */
        for (int64_t i = 0; i < nx; i++) {
          float *yy = res + i * ny;
          const float h = -0.25f * vary;
          bb[0] = dtinv + h * dyy[1];
          yy[0] = dtinv * u[i] - 0.5f * v[i * ny];
          for (int64_t j = 1; j < ny; j++) {
            const float m = h * dyy[3 * j] / bb[j - 1];
            bb[j] = dtinv + h * dyy[3 * j + 1] - m * (h * dyy[3 * (j - 1) + 2]);
            yy[j] = dtinv * u[j * nx + i] - 0.5f * v[i * ny + j] - m * yy[j - 1];
          }
          yy[ny - 1] = yy[ny - 1] / bb[ny - 1];
          for (int64_t j = ny - 2; j >= 0; j--)
            yy[j] = (yy[j] - h * dyy[3 * j + 2] * yy[j + 1]) / bb[j];
        }
      }
      prices[o] = res[ix * ny + iy];
    }
    free(res), free(v), free(u), free(bb), free(var);
  }
  free(x), free(y), free(dxx), free(dyy);
}

int main(int argc, char **argv)
{
  int64_t outer = hand_i64(), nx = hand_i64(), ny = hand_i64(), nt = hand_i64();
  float s0 = hand_f32(), t = hand_f32(), alpha = hand_f32(), nu = hand_f32(), beta = hand_f32();
  float *prices = malloc(outer * sizeof *prices);
  HAND_RUNS(loc_vol_calib(outer, nx, ny, nt, s0, t, alpha, nu, beta, prices));
  fwrite(prices, sizeof *prices, outer, stdout);
  return 0;
}
