/* Out of memory is code 3; the caller may free something and go on. */
#include "values.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
  struct futhark_context_config *cfg = futhark_context_config_new();
  struct futhark_context *ctx = futhark_context_new(cfg);
  struct futhark_i64_1d *a = NULL;
  int64_t x;
  char *text;
  int i, err;
  assert(futhark_context_get_error(ctx) == NULL);
  for (i = 0; i < 3; i++) {
    err = futhark_entry_count_up(ctx, &a, (int64_t)1 << 45);
    if (err == FUTHARK_SUCCESS)
      err = futhark_context_sync(ctx);
    assert(err == FUTHARK_OUT_OF_MEMORY && a == NULL);
    text = futhark_context_get_error(ctx);
    assert(text != NULL && strstr(text, "out of device memory") != NULL);
    free(text);
    assert(futhark_context_clear_caches(ctx) == FUTHARK_SUCCESS);
    assert(futhark_entry_count_up(ctx, &a, 1000) == FUTHARK_SUCCESS && futhark_context_sync(ctx) == FUTHARK_SUCCESS);
    assert(futhark_index_i64_1d(ctx, &x, a, 1000) == FUTHARK_SUCCESS && x == 1000);
    assert(futhark_free_i64_1d(ctx, a) == FUTHARK_SUCCESS);
    a = NULL;
  }
  assert(futhark_new_i64_1d(ctx, &x, (int64_t)1 << 45) == NULL);
  text = futhark_context_get_error(ctx);
  assert(text != NULL && strstr(text, "out of device memory") != NULL);
  free(text);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  puts("ok");
  return 0;
}
