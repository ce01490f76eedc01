/* Main: what OpenCL's options do. */

static int memc_f_load(struct memc_f_settings *s, const char *path)
{
  char *text = memc_f_text(s, path);
  if (text == NULL)
    return 1;
  futhark_context_config_set_program(s->config, text);
  free(text);
  return 0;
}

static int memc_f_target_apply(struct memc_f_settings *s, const struct memc_f_option *o, const char *arg)
{
  switch (o->what) {
  case MEMC_F_PLATFORM: futhark_context_config_set_platform(s->config, arg); break;
  case MEMC_F_LIST:
    futhark_context_config_list_devices(s->config);
    s->end = 1;
    break;
  case MEMC_F_BUILD: futhark_context_config_add_build_option(s->config, arg); break;
  case MEMC_F_DUMP: s->dump = arg; break;
  case MEMC_F_LOAD: return memc_f_load(s, arg);
  case MEMC_F_DUMP_BINARY: futhark_context_config_dump_binary_to(s->config, arg); break;
  case MEMC_F_LOAD_BINARY: futhark_context_config_load_binary_from(s->config, arg); break;
  default: break;
  }
  return 0;
}

/* Writes kernels, where that is all there is to do: the exit code, or -1. */
static int memc_f_target_main(struct memc_f_settings *s)
{
  const char *text;
  if (s->dump) {
    text = futhark_context_config_get_program(s->config);
    return text && memc_file_write(s->dump, NULL, 0, text, strlen(text)) ? 0 : memc_f_wrong(s, "cannot write", s->dump);
  }
  if (s->config->rt.dump)
    return memc_f_work(s, NULL, NULL);
  return -1;
}
