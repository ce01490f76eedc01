/* A device without f64: programs whose kernels compute with it are refused before
   they are built, all others run. */
int main(void)
{
  struct memc_context ctx;
  int err;
  memset(&ctx, 0, sizeof ctx);
  no_f64 = 1;
  err = memc_up(&ctx, NULL);
  if (err)
    CHECK(builds == 0 && strstr(memc_error_text(&ctx), "error: the program computes with f64, which the device "));
  puts(err ? "refused" : "taken");
  memc_down(&ctx);
  return 0;
}
