/* Configuration. The names and what they mean are those of Futhark's C API. */

struct futhark_context_config {
  struct memc_config rt;
  int logging, profiling;
  int64_t tuning[MEMC_F_TUNINGS + 1]; /* kept, and asked by nobody */
};

/* Keeps a copy of a text in place of the one before. */
static void memc_f_keep(char **where, const char *text)
{
  free(*where);
  *where = text ? memc_format("%s", text) : NULL;
}

static void memc_f_target_config_down(struct futhark_context_config *cfg);

struct futhark_context_config *futhark_context_config_new(void)
{
  return calloc(1, sizeof(struct futhark_context_config));
}

void futhark_context_config_free(struct futhark_context_config *cfg)
{
  if (cfg) {
    free(cfg->rt.device);
    memc_f_target_config_down(cfg);
  }
  free(cfg);
}

void futhark_context_config_set_debugging(struct futhark_context_config *cfg, int flag)
{
  cfg->rt.debugging = flag;
}

void futhark_context_config_set_logging(struct futhark_context_config *cfg, int flag) { cfg->logging = flag; }

void futhark_context_config_set_profiling(struct futhark_context_config *cfg, int flag) { cfg->profiling = flag; }

void futhark_context_config_set_device(struct futhark_context_config *cfg, const char *s)
{
  memc_f_keep(&cfg->rt.device, s);
}

int futhark_get_tuning_param_count(void) { return MEMC_F_TUNINGS; }

const char *futhark_get_tuning_param_name(int i) { return memc_f_tuning[i].name; }

const char *futhark_get_tuning_param_class(int i) { return memc_f_tuning[i].kind; }

int futhark_context_config_set_tuning_param(struct futhark_context_config *cfg, const char *param_name, size_t new_value)
{
  static const char *const defaults[] = {
    "default_thread_block_size", "default_group_size", "default_grid_size", "default_num_groups", "default_threshold",
    "default_tile_size", "default_reg_tile_size"};
  size_t i;
  for (i = 0; i < MEMC_F_TUNINGS; i++)
    if (strcmp(memc_f_tuning[i].name, param_name) == 0) {
      cfg->tuning[i] = (int64_t)new_value;
      return MEMC_OK;
    }
  for (i = 0; i < sizeof defaults / sizeof *defaults; i++)
    if (strcmp(defaults[i], param_name) == 0)
      return MEMC_OK;
  return MEMC_ERROR;
}
