/* Main: what the options of processors do. */

static int memc_f_target_apply(struct memc_f_settings *s, const struct memc_f_option *o, const char *arg)
{
  char *end;
  const long n = strtol(arg, &end, 10);
  (void)o;
  if (*end || end == arg || n <= 0 || n > 65536)
    return memc_f_wrong(s, "expected a positive number of threads", arg);
  futhark_context_config_set_num_threads(s->config, (int)n);
  return 0;
}

static int memc_f_target_main(struct memc_f_settings *s)
{
  (void)s;
  return -1;
}
