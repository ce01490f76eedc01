/* Main: the options of a compiled program. */

struct memc_options {
  const char *entry, *stats; /* stats: NULL, "text" or "json" */
  struct memc_run run;
  struct memc_config config;
};

static void memc_usage(FILE *out, const char *program)
{
  size_t i;
  fprintf(out,
          "usage: %s [options] < arguments > results\n"
          "Reads arguments in Futhark's text or binary format and writes the results.\n"
          "  -e, --entry NAME      call this entry\n"
          "  -d, --device DEVICE   a number, or a part of a device's name" MEMC_TARGET_LIST "\n"
          "  -m, --memory-limit N  allow at most N bytes on the device\n"
          "  -a, --allocator NAME  driver, tagged or region\n"
          MEMC_TARGET_USAGE
          "  -b, --binary          write results in the binary format\n"
          "  -n, --no-print        write no results\n"
          "  -r, --runs N          run N times, after one run that does not count\n"
          "  -t, --times FILE      write the microseconds of each run, one a line\n"
          "      --stats[=json]    write statistics of the last run to stderr\n"
          "  -h, --help            show this\n"
          "entries:\n", program);
  for (i = 0; i < sizeof memc_entries / sizeof *memc_entries; i++)
    if (memc_entries[i].name)
      fprintf(out, "  %s %s\n", memc_entries[i].name, memc_entries[i].signature);
}

/* Matches an option with a value: "-eX", "-e X", "--entry=X", "--entry X". */
static const char *memc_option(int argc, char **argv, int *i, char letter, const char *name)
{
  const char *arg = argv[*i], *value = NULL;
  const size_t n = strlen(name);
  if (arg[0] == '-' && arg[1] == letter && letter)
    value = arg + 2;
  else if (arg[0] == '-' && arg[1] == '-' && strncmp(arg + 2, name, n) == 0 && (arg[n + 2] == '=' || arg[n + 2] == '\0'))
    value = arg[n + 2] ? arg + n + 3 : "";
  if (value && *value == '\0' && arg[strlen(arg) - 1] != '=' && *i + 1 < argc)
    value = argv[++*i];
  return value;
}

static int memc_flag(const char *arg, const char *letter, const char *name)
{
  return strcmp(arg, letter) == 0 || strcmp(arg, name) == 0;
}

static int memc_count(const char *text, int64_t *out)
{
  char *end;
  *out = (int64_t)strtoll(text, &end, 10);
  return end != text && *end == '\0' && *out > 0;
}

/* Gives 0, or the exit code plus 1 where the program shall end. */
static int memc_options_read(struct memc_options *o, int argc, char **argv)
{
  const char *v, *takes = NULL, *option;
  int i, ok;
  for (i = 1; i < argc; i++) {
    ok = 1;
    v = NULL;
    option = argv[i];
    if (memc_flag(argv[i], "-h", "--help")) {
      memc_usage(stdout, argv[0]);
      return 1;
    } else if (memc_flag(argv[i], "-b", "--binary")) {
      o->run.binary = 1;
    } else if (memc_flag(argv[i], "-n", "--no-print")) {
      o->run.quiet = 1;
    } else if (memc_flag(argv[i], "--stats", "--stats=text")) {
      o->stats = "text";
#ifdef MEMC_TARGET_SEVERAL
    } else if (strcmp(argv[i], "--evict") == 0) {
      o->config.evict = 1;
#ifdef MEMC_SCATTER /* for tests */
    } else if (strcmp(argv[i], "--apart") == 0) {
      o->config.apart = 1;
    } else if ((v = memc_option(argc, argv, &i, 0, "scatter"))) {
      o->config.scatter = strtoull(v, NULL, 10);
#endif
#endif
    } else if (strcmp(argv[i], "--stats=json") == 0) {
      o->stats = "json";
    } else if ((v = memc_option(argc, argv, &i, 'e', "entry"))) {
      o->entry = v;
    } else if ((v = memc_option(argc, argv, &i, 'd', "device"))) {
      o->config.device = (char *)v;
    } else if ((v = memc_option(argc, argv, &i, 't', "times"))) {
      takes = "the name of a file";
      o->run.times = v;
      ok = *v != '\0';
    } else if ((v = memc_option(argc, argv, &i, 'r', "runs"))) {
      takes = "a number above 0";
      ok = memc_count(v, &o->run.runs);
    } else if ((v = memc_option(argc, argv, &i, 'm', "memory-limit"))) {
      takes = "a number of bytes above 0";
      ok = memc_count(v, &o->config.memory_limit);
#ifdef MEMC_TARGET_THREADS
    } else if ((v = memc_option(argc, argv, &i, 'T', "threads"))) {
      int64_t threads = 0;
      takes = "a number from 1 to 4096";
      ok = memc_count(v, &threads) && threads <= 4096;
      o->config.threads = (int)threads;
#elif MEMC_DEVICE_HEAP > 0
    } else if ((v = memc_option(argc, argv, &i, 'H', "device-heap"))) {
      takes = "a number of bytes above 0";
      ok = memc_count(v, &o->config.device_heap);
#endif
    } else if ((v = memc_option(argc, argv, &i, 'a', "allocator"))) {
      takes = "driver, tagged or region";
      ok = (o->config.allocator = memc_policy(v)) != 0;
    } else {
      ok = 0;
    }
    if (!ok && v) {
      fprintf(stderr, "%s: %.*s takes %s, not \"%s\"\n", argv[0],
              option[1] == '-' ? (int)strcspn(option, "=") : 2, option, takes, v);
      return 3;
    }
    if (!ok) {
      fprintf(stderr, "%s: there is no option %s; -h shows what there is\n", argv[0], option);
      return 3;
    }
  }
  return 0;
}

static void memc_write_stats(const struct memc_stats *s, const char *form)
{
  const char *p = s->device ? s->device : "";
  if (strcmp(form, "text") == 0) {
    fprintf(stderr, "device           %s\n", p);
    fprintf(stderr, "%-15s %12" PRId64 "\n", "peak_bytes", s->peak_bytes);
    fprintf(stderr, "%-15s %12" PRId64 "\n", "alloc_requests", s->alloc_requests);
    fprintf(stderr, "%-15s %12" PRId64 "\n", "driver_allocs", s->driver_allocs);
    fprintf(stderr, "%-15s %12" PRId64 "\n", "copied_bytes", s->copied_bytes);
    fprintf(stderr, "%-15s %12" PRId64 "\n", "kernel_launches", s->kernel_launches);
    fprintf(stderr, "%-15s %12" PRId64 "\n", "wall_us", s->wall_us);
    fprintf(stderr, "%-15s %12s\n", "allocator", s->allocator);
    fprintf(stderr, "%-15s %12" PRId64 "\n", "hits", s->hits);
    fprintf(stderr, "%-15s %12" PRId64 "\n", "peak_held_bytes", s->peak_held_bytes);
    if (s->migrated_bytes + s->evicted_bytes + s->restored_bytes > 0) {
      fprintf(stderr, "%-15s %12" PRId64 "\n", "migrated_bytes", s->migrated_bytes);
      fprintf(stderr, "%-15s %12" PRId64 "\n", "evicted_bytes", s->evicted_bytes);
      fprintf(stderr, "%-15s %12" PRId64 "\n", "restored_bytes", s->restored_bytes);
    }
    if (s->device_heap_bytes > 0)
      fprintf(stderr, "%-15s %12" PRId64 "\n", "device_heap", s->device_heap_bytes);
    return;
  }
  fputs("{\"device\":\"", stderr);
  for (; *p; p++) {
    if (*p == '"' || *p == '\\')
      putc('\\', stderr);
    putc((unsigned char)*p < 32 ? ' ' : *p, stderr);
  }
  fprintf(stderr, "\",\"peak_bytes\":%" PRId64 ",\"alloc_requests\":%" PRId64 ",\"driver_allocs\":%" PRId64
          ",\"copied_bytes\":%" PRId64 ",\"kernel_launches\":%" PRId64 ",\"wall_us\":%" PRId64
          ",\"allocator\":\"%s\",\"hits\":%" PRId64 ",\"driver_frees\":%" PRId64 ",\"peak_held_bytes\":%" PRId64,
          s->peak_bytes, s->alloc_requests, s->driver_allocs, s->copied_bytes, s->kernel_launches, s->wall_us,
          s->allocator, s->hits, s->driver_frees, s->peak_held_bytes);
  if (s->device_heap_bytes > 0)
    fprintf(stderr, ",\"device_heap_bytes\":%" PRId64, s->device_heap_bytes);
  if (s->migrated_bytes + s->evicted_bytes + s->restored_bytes > 0)
    fprintf(stderr, ",\"migrated_bytes\":%" PRId64 ",\"evicted_bytes\":%" PRId64 ",\"restored_bytes\":%" PRId64,
            s->migrated_bytes, s->evicted_bytes, s->restored_bytes);
  fputs("}\n", stderr);
}

/* Takes a context up, does the work, and takes the context down. */
static int memc_all(const struct memc_entry *e, struct memc_options *o, struct memc_value *args)
{
  struct memc_context *ctx = calloc(1, sizeof *ctx);
  struct memc_stats stats;
  int bad;
  o->run.stats = &stats;
  if (ctx == NULL)
    return memc_complain(NULL);
  bad = memc_up(ctx, &o->config) != MEMC_OK;
  if (bad)
    memc_complain(memc_error_text(ctx));
  else
    bad = memc_work(ctx, e, &o->run, args);
  if (!bad && o->stats)
    memc_write_stats(&stats, o->stats);
  memc_down(ctx);
  free(ctx);
  return bad;
}

/* Exit codes: 0 done, 1 wrong input or a failed run, 2 wrong usage. */
int main(int argc, char **argv)
{
  struct memc_options o;
  const struct memc_entry *e;
  struct memc_value *args;
  int i, code;
  memset(&o, 0, sizeof o);
  if ((code = memc_options_read(&o, argc, argv)))
    return code - 1;
  if ((e = memc_entry_named(o.entry)) == NULL) {
    fprintf(stderr, "error[E901]: there is no entry `%s`; -h shows what there is\n", o.entry ? o.entry : "main");
    return 2;
  }
  if ((args = calloc((size_t)e->params + 1, sizeof *args)) == NULL)
    return memc_complain(NULL);
  code = memc_read_arguments(e, args);
  if (code == 0)
    code = memc_all(e, &o, args);
  for (i = 0; i < e->params; i++)
    memc_value_free(&args[i]);
  free(args);
  return code ? 1 : 0;
}
