/* Scalars of every type, in and out. */
#include "values.h"
#include <assert.h>
#include <stdlib.h>

#if !defined(FUTHARK_BACKEND_opencl) && !defined(FUTHARK_BACKEND_multicore)
#error "the backend is not named"
#endif

int main(void)
{
  struct futhark_context_config *cfg = futhark_context_config_new();
  struct futhark_context *ctx = futhark_context_new(cfg);
  int8_t a; int16_t b; int32_t c; int64_t d; uint8_t e; uint16_t f; uint32_t g; uint64_t h;
  float x; double y; bool z;
  int err;
  assert(ctx != NULL && futhark_context_get_error(ctx) == NULL);
  err = futhark_entry_scalars(ctx, &a, &b, &c, &d, &e, &f, &g, &h, &x, &y, &z, -1, 32767, -7, INT64_MAX, 255, 65535,
                              UINT32_MAX, UINT64_MAX - 1, 0.5f, -1.25, true);
  assert(err == FUTHARK_SUCCESS);
  err = futhark_context_sync(ctx);
  assert(err == FUTHARK_SUCCESS);
  assert(a == 0 && b == -32768 && c == -6 && d == INT64_MIN && e == 0 && f == 0 && g == 0 && h == UINT64_MAX);
  assert(x == 1.0f && y == -2.5 && !z);
  err = futhark_entry_letterzqs(ctx, &e, 41);
  assert(err == FUTHARK_SUCCESS && e == 42);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  puts("ok");
  return 0;
}
