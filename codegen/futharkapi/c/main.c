/* Main: the options of Futhark's executables. */

enum {
  MEMC_F_TIMES, MEMC_F_RUNS, MEMC_F_DEBUG, MEMC_F_LOG, MEMC_F_PROFILE, MEMC_F_ENTRY, MEMC_F_BINARY, MEMC_F_QUIET, MEMC_F_HELP,
  MEMC_F_PRINT_PARAMS, MEMC_F_PARAM, MEMC_F_TUNING_FILE, MEMC_F_CACHE, MEMC_F_DEVICE
};

/* An option: its letter (0: none), what its argument is called (NULL: it takes
   none), and what it does. */
static const struct memc_f_option {
  const char *name;
  char letter;
  int what;
  const char *arg, *help;
} memc_f_options[] = {
  {"write-runtime-to", 't', MEMC_F_TIMES, "FILE", "Write the microseconds of each run to this file, one a line."},
  {"runs", 'r', MEMC_F_RUNS, "INT", "Run so many times, after one run that does not count."},
  {"debugging", 'D', MEMC_F_DEBUG, NULL, "Wait for every kernel, and tell what happens."},
  {"log", 'L', MEMC_F_LOG, NULL, "Tell what happens, on standard error."},
  {"profile", 'P', MEMC_F_PROFILE, NULL, "Write a report of memory and calls to standard error, as JSON."},
  {"entry-point", 'e', MEMC_F_ENTRY, "NAME", "The entry point to call; main, or the only one there is."},
  {"binary-output", 'b', MEMC_F_BINARY, NULL, "Write the results in the binary format."},
  {"no-print-result", 'n', MEMC_F_QUIET, NULL, "Write no results."},
  {"help", 'h', MEMC_F_HELP, NULL, "Show this."},
  {"print-params", 0, MEMC_F_PRINT_PARAMS, NULL, "Show the tuning parameters that can be set."},
  {"param", 0, MEMC_F_PARAM, "NAME=INT", "Set a tuning parameter. That changes nothing here."},
  {"tuning", 0, MEMC_F_TUNING_FILE, "FILE", "Set the tuning parameters of a file of lines NAME=INT."},
  {"cache-file", 0, MEMC_F_CACHE, "FILE", "Keep the built kernels here from one run to the next."},
  {"device", 'd', MEMC_F_DEVICE, "NAME", "Use a device with this in its name; #k: the k-th."},
  MEMC_F_TARGET_OPTIONS
};

struct memc_f_settings {
  const char *program, *entry;
  const char *dump; /* OpenCL: the kernels are written to this file */
  int profile, end; /* end: no entry is called */
  struct memc_run run;
  struct futhark_context_config *config;
};

/* Says what is wrong, and gives the exit code. */
static int memc_f_wrong(const struct memc_f_settings *s, const char *what, const char *detail)
{
  fprintf(stderr, "%s: %s%s%s\n", s->program, what, *detail ? ": " : "", detail);
  return 1;
}

static void memc_f_help(const struct memc_f_settings *s)
{
  size_t i;
  char text[64];
  printf("usage: %s [options] < arguments > results\n"
         "Reads the arguments of an entry point, as text or in Futhark's binary format.\n", s->program);
  for (i = 0; i < sizeof memc_f_options / sizeof *memc_f_options; i++) {
    const struct memc_f_option *o = &memc_f_options[i];
    sprintf(text, "%c%c%c --%s%s%s", o->letter ? '-' : ' ', o->letter ? o->letter : ' ', o->letter ? ',' : ' ', o->name,
            o->arg ? " " : "", o->arg ? o->arg : "");
    printf("  %-36s %s\n", text, o->help);
  }
  printf("entry points:\n");
  for (i = 0; memc_f_entries[i].name; i++)
    printf("  %s\n", memc_f_entries[i].type);
}

/* Takes NAME=INT apart and sets the parameter. */
static int memc_f_param(struct memc_f_settings *s, const char *text)
{
  const char *value = strchr(text, '=');
  char *name, *end;
  long long n;
  int err;
  if (value == NULL || value[1] == '\0')
    return memc_f_wrong(s, "expected NAME=INT", text);
  n = strtoll(value + 1, &end, 10);
  if (*end || n < 0)
    return memc_f_wrong(s, "expected NAME=INT", text);
  if ((name = memc_format("%.*s", (int)(value - text), text)) == NULL)
    return memc_f_wrong(s, "out of host memory", "");
  err = futhark_context_config_set_tuning_param(s->config, name, (size_t)n);
  if (err)
    memc_f_wrong(s, "there is no tuning parameter", name);
  free(name);
  return err != 0;
}

/* Reads a text file; it ends with a zero. */
static char *memc_f_text(const struct memc_f_settings *s, const char *path)
{
  size_t size;
  char *data = (char *)memc_file_read(path, &size), *text = NULL;
  if (data && (text = malloc(size + 1))) {
    memcpy(text, data, size);
    text[size] = '\0';
  }
  free(data);
  if (text == NULL)
    memc_f_wrong(s, "cannot read", path);
  return text;
}

static int memc_f_tuning_file(struct memc_f_settings *s, const char *path)
{
  char *text = memc_f_text(s, path), *line, *end;
  int err = text == NULL;
  for (line = text; !err && *line; line = end) {
    if ((end = strchr(line, '\n')))
      *end++ = '\0';
    else
      end = line + strlen(line);
    if (*line)
      err = memc_f_param(s, line);
  }
  free(text);
  return err;
}

static int memc_f_target_apply(struct memc_f_settings *s, const struct memc_f_option *o, const char *arg);

/* Does what an option says; gives whether that is wrong. */
static int memc_f_apply(struct memc_f_settings *s, const struct memc_f_option *o, const char *arg)
{
  char *end;
  int i;
  switch (o->what) {
  case MEMC_F_TIMES: s->run.times = arg; break;
  case MEMC_F_RUNS:
    s->run.runs = (int64_t)strtoll(arg, &end, 10);
    if (*end || end == arg || s->run.runs <= 0)
      return memc_f_wrong(s, "expected a positive number of runs", arg);
    break;
  case MEMC_F_DEBUG: futhark_context_config_set_debugging(s->config, 1); break;
  case MEMC_F_LOG: futhark_context_config_set_logging(s->config, 1); break;
  case MEMC_F_PROFILE:
    s->profile = 1;
    futhark_context_config_set_profiling(s->config, 1);
    break;
  case MEMC_F_ENTRY: s->entry = arg; break;
  case MEMC_F_BINARY: s->run.binary = 1; break;
  case MEMC_F_QUIET: s->run.quiet = 1; break;
  case MEMC_F_HELP:
    memc_f_help(s);
    s->end = 1;
    break;
  case MEMC_F_PRINT_PARAMS:
    for (i = 0; i < futhark_get_tuning_param_count(); i++)
      printf("%s (%s)\n", futhark_get_tuning_param_name(i), futhark_get_tuning_param_class(i));
    s->end = 1;
    break;
  case MEMC_F_PARAM: return memc_f_param(s, arg);
  case MEMC_F_TUNING_FILE: return memc_f_tuning_file(s, arg);
  case MEMC_F_CACHE: futhark_context_config_set_cache_file(s->config, arg); break;
  case MEMC_F_DEVICE: futhark_context_config_set_device(s->config, arg); break;
  default: return memc_f_target_apply(s, o, arg);
  }
  return 0;
}

/* Finds a long option, by its name or by the start of it that no other has. */
static const struct memc_f_option *memc_f_long(const char *name, size_t n)
{
  const struct memc_f_option *found = NULL;
  size_t i, many = 0;
  for (i = 0; i < sizeof memc_f_options / sizeof *memc_f_options; i++)
    if (strncmp(memc_f_options[i].name, name, n) == 0) {
      if (memc_f_options[i].name[n] == '\0')
        return &memc_f_options[i];
      found = &memc_f_options[i];
      many++;
    }
  return many == 1 ? found : NULL;
}

static const struct memc_f_option *memc_f_short(char letter)
{
  size_t i;
  for (i = 0; i < sizeof memc_f_options / sizeof *memc_f_options; i++)
    if (letter && memc_f_options[i].letter == letter)
      return &memc_f_options[i];
  return NULL;
}

/* Reads the options as getopt_long does: --name=X, --name X, -xX, -x X, -bn. */
static int memc_f_read_options(struct memc_f_settings *s, int argc, char **argv)
{
  const struct memc_f_option *o;
  const char *at, *arg;
  int i;
  for (i = 1; i < argc && !s->end; i++) {
    at = argv[i];
    if (at[0] != '-' || at[1] == '\0' || strcmp(at, "--") == 0)
      return memc_f_wrong(s, "an argument that is no option", at);
    if (at[1] == '-') {
      const size_t n = strcspn(at + 2, "=");
      arg = at[n + 2] == '=' ? at + n + 3 : NULL;
      if ((o = memc_f_long(at + 2, n)) == NULL || (arg && o->arg == NULL))
        return memc_f_wrong(s, "there is no such option; --help shows what there is", at);
      if (o->arg && arg == NULL && (arg = i + 1 < argc ? argv[++i] : NULL) == NULL)
        return memc_f_wrong(s, "an option without its argument", at);
      if (memc_f_apply(s, o, arg))
        return 1;
      continue;
    }
    while (*++at && !s->end) {
      arg = NULL;
      if ((o = memc_f_short(*at)) == NULL)
        return memc_f_wrong(s, "there is no such option; --help shows what there is", argv[i]);
      if (o->arg && (arg = at[1] ? at + 1 : i + 1 < argc ? argv[++i] : NULL) == NULL)
        return memc_f_wrong(s, "an option without its argument", argv[i]);
      if (memc_f_apply(s, o, arg))
        return 1;
      if (o->arg)
        break;
    }
  }
  return 0;
}

/* Finds the entry; NULL where there is none. */
static MEMC_UNUSED const struct memc_entry *memc_f_entry(const struct memc_f_settings *s)
{
  size_t i;
  for (i = 0; memc_f_entries[i].name; i++)
    if (strcmp(memc_f_entries[i].name, s->entry ? s->entry : "main") == 0)
      return &memc_entries[memc_f_entries[i].entry];
  if (s->entry == NULL && i == 1)
    return &memc_entries[memc_f_entries[0].entry];
  fprintf(stderr, "%s: there is no entry point %s; choose with --entry-point among:\n", s->program, s->entry ? s->entry : "main");
  for (i = 0; memc_f_entries[i].name; i++)
    fprintf(stderr, "%s\n", memc_f_entries[i].name);
  return NULL;
}

/* Takes a context up and calls the entry; gives whether something went wrong. */
static MEMC_UNUSED int memc_f_work(const struct memc_f_settings *s, const struct memc_entry *e, struct memc_value *args)
{
  struct futhark_context *ctx = futhark_context_new(s->config);
  char *text;
  int bad;
  if (ctx == NULL)
    return memc_complain(NULL);
  bad = memc_last_error(&ctx->rt, NULL) != MEMC_OK;
  if (bad)
    memc_complain(memc_error_text(&ctx->rt));
  if (!bad && e) {
    bad = memc_work(&ctx->rt, e, &s->run, args);
    if (s->profile && (text = futhark_context_report(ctx))) {
      fprintf(stderr, "%s\n", text);
      free(text);
    }
  }
  futhark_context_free(ctx);
  return bad;
}

static int memc_f_target_main(struct memc_f_settings *s);

#ifdef MEMC_F_SERVER
static int memc_f_run(struct memc_f_settings *s) { return memc_s_serve(s->config); }
#else
/* Calls the entry with the arguments of the standard input. */
static int memc_f_run(struct memc_f_settings *s)
{
  const struct memc_entry *e;
  struct memc_value *args;
  int i, bad;
  if ((e = memc_f_entry(s)) == NULL)
    return 1;
  if ((args = calloc((size_t)e->params + 1, sizeof *args)) == NULL)
    return memc_complain(NULL);
  bad = memc_read_arguments(e, args) || memc_f_work(s, e, args);
  for (i = 0; i < e->params; i++)
    memc_value_free(&args[i]);
  free(args);
  return bad;
}
#endif

static int memc_f_main(struct memc_f_settings *s, int argc, char **argv)
{
  int code;
  if (memc_f_read_options(s, argc, argv))
    return 1;
  if (s->end)
    return 0;
  code = memc_f_target_main(s);
  return code >= 0 ? code : memc_f_run(s);
}

/* A library's user has a main of his own: then this one steps back. */
#if defined(__GNUC__) || defined(__clang__)
__attribute__((weak))
#endif
int main(int argc, char **argv)
{
  struct memc_f_settings s;
  int code;
  memset(&s, 0, sizeof s);
  s.program = argc > 0 ? argv[0] : "program";
  if ((s.config = futhark_context_config_new()) == NULL)
    return memc_complain(NULL);
  code = memc_f_main(&s, argc, argv);
  futhark_context_config_free(s.config);
  return code;
}
