/* A launch does not wait for threads that have taken none of its tasks. In a forked process the
   threads of the context are not there at all, as if a busy machine never gave them a turn. It may end the context, too. */
#include <sys/wait.h>
#include <unistd.h>

static void sum(struct late_context *ctx)
{
  int64_t s = 0;
  CHECK(late_entry_sum(ctx, &s, 1000000) == 0 && s == 499999500000);
}

int main(void)
{
  struct late_config *cfg = late_config_new();
  struct late_context *ctx;
  int status = 1;
  pid_t child;
  late_config_set_threads(cfg, 4);
  ctx = late_context_new(cfg);
  late_config_free(cfg);
  sum(ctx);
  CHECK(ctx->rt.team.helpers == 3);
  if ((child = fork()) == 0) {
    alarm(60);
    sum(ctx);
    late_context_free(ctx);
    _exit(0);
  }
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  sum(ctx);
  late_context_free(ctx);
  puts("ok");
  return 0;
}
