/* Configuration of OpenCL. */

static void memc_f_target_config_down(struct futhark_context_config *cfg)
{
  free(cfg->rt.platform);
  free(cfg->rt.build_options);
  free(cfg->rt.program);
  free(cfg->rt.binary);
  free(cfg->rt.dump);
  free(cfg->rt.cache);
}

void futhark_context_config_set_cache_file(struct futhark_context_config *cfg, const char *f)
{
  memc_f_keep(&cfg->rt.cache, f);
}

void futhark_context_config_set_platform(struct futhark_context_config *cfg, const char *s)
{
  memc_f_keep(&cfg->rt.platform, s);
}

void futhark_context_config_set_command_queue(struct futhark_context_config *cfg, cl_command_queue queue)
{
  cfg->rt.queue = queue;
}

void futhark_context_config_add_build_option(struct futhark_context_config *cfg, const char *opt)
{
  const char *old = cfg->rt.build_options ? cfg->rt.build_options : "";
  char *all = memc_format("%s%s%s", old, *old ? " " : "", opt);
  if (all) {
    free(cfg->rt.build_options);
    cfg->rt.build_options = all;
  }
}

/* The kernels are kept as pieces; whoever asks for the text gets them as one,
   which is then what is built. */
const char *futhark_context_config_get_program(struct futhark_context_config *cfg)
{
  const size_t pieces = sizeof memc_source / sizeof *memc_source;
  size_t i, n = 1;
  char *text, *end;
  if (cfg->rt.program)
    return cfg->rt.program;
  for (i = 0; i < pieces; i++)
    n += strlen(memc_source[i]);
  if ((text = end = malloc(n)) == NULL)
    return NULL;
  *end = '\0';
  for (i = 0; i < pieces; i++) {
    n = strlen(memc_source[i]);
    memcpy(end, memc_source[i], n + 1);
    end += n;
  }
  return cfg->rt.program = text;
}

void futhark_context_config_set_program(struct futhark_context_config *cfg, const char *program)
{
  memc_f_keep(&cfg->rt.program, program);
}

void futhark_context_config_dump_binary_to(struct futhark_context_config *cfg, const char *path)
{
  memc_f_keep(&cfg->rt.dump, path);
}

void futhark_context_config_load_binary_from(struct futhark_context_config *cfg, const char *path)
{
  memc_f_keep(&cfg->rt.binary, path);
}

/* Lists the devices, and gives how many there are. */
static unsigned memc_f_list(FILE *out, const char *format)
{
  cl_platform_id platform, last = NULL;
  cl_uint count, i;
  cl_device_id *devices = memc_devices(NULL, &count);
  char text[256];
  for (i = 0; i < count; i++) {
    char *name = memc_device_text(devices[i], CL_DEVICE_NAME);
    platform = memc_platform_of(devices[i]);
    if (platform != last && clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, NULL) == CL_SUCCESS)
      fprintf(out, "Platform: %s\n", text);
    last = platform;
    fprintf(out, format, (unsigned)i, name ? name : "?");
    free(name);
  }
  free(devices);
  return count;
}

void futhark_context_config_list_devices(struct futhark_context_config *cfg)
{
  (void)cfg;
  memc_f_list(stdout, "[%u]: %s\n");
}

void futhark_context_config_select_device_interactively(struct futhark_context_config *cfg)
{
  unsigned k, count = memc_f_list(stdout, "[%u] %s\n");
  char *text;
  printf("Which device? ");
  fflush(stdout);
  if (scanf("%u", &k) == 1 && k < count && (text = memc_format("#%u", k))) {
    memc_f_keep(&cfg->rt.platform, NULL);
    memc_f_keep(&cfg->rt.device, text);
    free(text);
  }
}

/* Sizes of work-groups, tiles and so on: memc's kernels have sizes of their own, and
   what a program computes depends on none of them. */
#define MEMC_F_IGNORED(name) \
  void futhark_context_config_set_##name(struct futhark_context_config *cfg, int value) \
  { \
    (void)cfg; \
    (void)value; \
  }
MEMC_F_IGNORED(unified_memory)
MEMC_F_IGNORED(default_thread_block_size)
MEMC_F_IGNORED(default_group_size)
MEMC_F_IGNORED(default_grid_size)
MEMC_F_IGNORED(default_num_groups)
MEMC_F_IGNORED(default_tile_size)
MEMC_F_IGNORED(default_reg_tile_size)
MEMC_F_IGNORED(default_threshold)
#undef MEMC_F_IGNORED
