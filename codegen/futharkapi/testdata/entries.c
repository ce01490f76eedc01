/* Several entries in one context, one after another and from several threads; the
   tuning parameters of each. */
#include "opaque_entries.h"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct futhark_context *ctx;

/* Counts the parameters of an entry, which must be known ones. */
static int parameters(const int *list)
{
  int n = 0;
  for (; list[n] >= 0; n++)
    assert(list[n] < futhark_get_tuning_param_count());
  assert(list[n] == -1);
  return n;
}

static void tuning(struct futhark_context_config *cfg)
{
  int i, n = futhark_get_tuning_param_count();
  assert(n > 0);
  for (i = 0; i < n; i++) {
    assert(strchr(futhark_get_tuning_param_name(i), '.') != NULL && *futhark_get_tuning_param_class(i));
    assert(futhark_context_config_set_tuning_param(cfg, futhark_get_tuning_param_name(i), 64) == 0);
  }
  assert(futhark_context_config_set_tuning_param(cfg, "main.no_such_size", 64) != 0);
  assert(futhark_context_config_set_tuning_param(cfg, "default_thread_block_size", 64) == 0);
  assert(parameters(futhark_tuning_params_for_move()) > 0 && parameters(futhark_tuning_params_for_make_point()) == 0);
}

static void *count(void *arg)
{
  int i, k;
  for (i = 0; i < 20; i++) {
    const int64_t start = *(const int *)arg + i;
    int64_t out[4] = {0, 0, 0, 0};
    struct futhark_i64_1d *a = NULL, *b = NULL, *c = NULL;
    assert(futhark_entry_counter_start(ctx, &a, start) == FUTHARK_SUCCESS);
    assert(futhark_entry_counter_bump(ctx, &b, a) == FUTHARK_SUCCESS);
    assert(futhark_entry_counter_value(ctx, &c, b) == FUTHARK_SUCCESS);
    assert(futhark_values_i64_1d(ctx, c, out) == FUTHARK_SUCCESS && futhark_context_sync(ctx) == FUTHARK_SUCCESS);
    for (k = 0; k < 4; k++)
      assert(out[k] == start + (k == 1));
    assert(futhark_free_i64_1d(ctx, a) == 0 && futhark_free_i64_1d(ctx, b) == 0 && futhark_free_i64_1d(ctx, c) == 0);
  }
  return NULL;
}

int main(void)
{
  struct futhark_context_config *cfg = futhark_context_config_new();
  pthread_t threads[3];
  int start[3] = {0, 1000, 2000}, i;
  tuning(cfg);
  ctx = futhark_context_new(cfg);
  assert(futhark_context_get_error(ctx) == NULL);
  count(&start[0]);
  for (i = 0; i < 3; i++)
    assert(pthread_create(&threads[i], NULL, count, &start[i]) == 0);
  for (i = 0; i < 3; i++)
    assert(pthread_join(threads[i], NULL) == 0);
  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
  puts("ok");
  return 0;
}
