/* Main: arguments on stdin, results on stdout. */

struct memc_options {
  const char *entry, *device, *times, *stats; /* stats: NULL, "text" or "json" */
  int64_t runs, memory_limit;
  int binary, quiet, allocator;
};

static void memc_usage(FILE *out, const char *program)
{
  size_t i;
  fprintf(out,
          "usage: %s [options] < arguments > results\n"
          "Reads arguments in Futhark's text or binary format and writes the results.\n"
          "  -e, --entry NAME      call this entry\n"
          "  -d, --device DEVICE   a number, or a part of a device's name\n"
          "  -m, --memory-limit N  allow at most N bytes on the device\n"
          "  -a, --allocator NAME  driver, tagged or region\n"
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
  if (arg[0] == '-' && arg[1] == letter)
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
  const char *v;
  int i, ok;
  for (i = 1; i < argc; i++) {
    ok = 1;
    if (memc_flag(argv[i], "-h", "--help")) {
      memc_usage(stdout, argv[0]);
      return 1;
    } else if (memc_flag(argv[i], "-b", "--binary")) {
      o->binary = 1;
    } else if (memc_flag(argv[i], "-n", "--no-print")) {
      o->quiet = 1;
    } else if (memc_flag(argv[i], "--stats", "--stats=text")) {
      o->stats = "text";
    } else if (strcmp(argv[i], "--stats=json") == 0) {
      o->stats = "json";
    } else if ((v = memc_option(argc, argv, &i, 'e', "entry"))) {
      o->entry = v;
    } else if ((v = memc_option(argc, argv, &i, 'd', "device"))) {
      o->device = v;
    } else if ((v = memc_option(argc, argv, &i, 't', "times"))) {
      o->times = v;
      ok = *v != '\0';
    } else if ((v = memc_option(argc, argv, &i, 'r', "runs"))) {
      ok = memc_count(v, &o->runs);
    } else if ((v = memc_option(argc, argv, &i, 'm', "memory-limit"))) {
      ok = memc_count(v, &o->memory_limit);
    } else if ((v = memc_option(argc, argv, &i, 'a', "allocator"))) {
      ok = (o->allocator = memc_policy(v)) != 0;
    } else {
      ok = 0;
    }
    if (!ok) {
      fprintf(stderr, "%s: bad option %s; -h shows what there is\n", argv[0], argv[i]);
      return 3;
    }
  }
  return 0;
}

static const struct memc_entry *memc_entry_named(const char *name)
{
  const size_t n = sizeof memc_entries / sizeof *memc_entries;
  size_t i;
  for (i = 0; i < n; i++)
    if (memc_entries[i].name && strcmp(memc_entries[i].name, name ? name : "main") == 0)
      return &memc_entries[i];
  return name == NULL && n == 2 && memc_entries[0].name ? &memc_entries[0] : NULL;
}

static int memc_complain(const char *text)
{
  fprintf(stderr, "%s\n", text ? text : "error: out of host memory");
  return 1;
}

/* Reads the arguments of an entry. */
static int memc_read_arguments(const struct memc_entry *e, struct memc_value *args)
{
  struct memc_reader r;
  char *type;
  int i, bad, got = memc_reader_open(&r, "<stdin>", stdin) == 0;
  for (i = 0; i < e->params && got > 0; i++) {
    got = memc_read_value(&r, e->param[i].prim, &args[i]);
    if (got == 0)
      got = memc_reader_fail(&r, "`%s` takes %d argument%s, but %d %s given: expected %s", e->name, e->params,
                             e->params == 1 ? "" : "s", i, i == 1 ? "was" : "were", e->signature);
    if (got > 0 && (args[i].prim != e->param[i].prim || args[i].rank != e->param[i].rank)) {
      type = memc_value_type(&args[i]);
      got = memc_reader_fail(&r, "argument `%s` is %s, but %s is expected", e->param[i].name, type ? type : "?",
                             e->param[i].type);
      free(type);
    }
  }
  if (got > 0) {
    memc_space(&r);
    if (r.pos < r.size)
      got = memc_reader_fail(&r, "`%s` takes %d argument%s, and there is more input: expected %s", e->name, e->params,
                             e->params == 1 ? "" : "s", e->signature);
  }
  bad = r.error != NULL || got < 0;
  if (bad)
    memc_complain(r.error);
  memc_reader_close(&r);
  return bad;
}

/* Puts the arguments on the device. */
static int memc_upload(struct memc_context *ctx, const struct memc_entry *e, const struct memc_value *args,
                       union memc_slot *in)
{
  int i;
  for (i = 0; i < e->params; i++) {
    const struct memc_value *v = &args[i];
    if (v->rank == 0) {
      memcpy(&in[i].scalar, v->data, (size_t)memc_prims[v->prim].size);
    } else {
      in[i].array = memc_array_new(ctx, v->data, v->prim, v->rank, v->shape);
      if (in[i].array == NULL)
        return MEMC_ERROR;
    }
  }
  return MEMC_OK;
}

/* Frees the arrays among arguments or results. */
static void memc_drop(struct memc_context *ctx, int count, int rank_of(const struct memc_entry *, int),
                      const struct memc_entry *e, union memc_slot *slots)
{
  int i;
  for (i = 0; i < count; i++)
    if (rank_of(e, i) > 0)
      memc_array_free(ctx, slots[i].array);
  memset(slots, 0, (size_t)count * sizeof *slots);
}

static int memc_param_rank(const struct memc_entry *e, int i) { return e->param[i].rank; }
static int memc_result_rank(const struct memc_entry *e, int i) { return e->result[i].rank; }

/* Runs the entry as often as asked; the last run's results are left in out. */
static int memc_runs(struct memc_context *ctx, const struct memc_entry *e, const struct memc_options *o,
                     const struct memc_value *args, union memc_slot *out, int64_t *times)
{
  const int64_t first = o->runs > 0 ? -1 : 0, last = o->runs > 0 ? o->runs : 1;
  union memc_slot *in = calloc((size_t)e->params + 1, sizeof *in);
  int64_t i;
  int err = in ? MEMC_OK : memc_fail(ctx, MEMC_NO_MEMORY, "error: out of host memory");
  for (i = first; i < last && err == MEMC_OK; i++) {
    memc_drop(ctx, e->results, memc_result_rank, e, out);
    memc_reset_stats(ctx);
    err = memc_upload(ctx, e, args, in);
    if (err == MEMC_OK)
      err = memc_call(ctx, e, out, in);
    if (i >= 0)
      times[i] = ctx->stats.wall_us;
    memc_drop(ctx, e->params, memc_param_rank, e, in);
  }
  free(in);
  return err;
}

/* Writes the results. They are all read back before the first is written. */
static int memc_write_results(struct memc_context *ctx, const struct memc_entry *e, const struct memc_options *o,
                              union memc_slot *out)
{
  struct memc_value *values = calloc((size_t)e->results + 1, sizeof *values);
  int i, err = values ? MEMC_OK : memc_fail(ctx, MEMC_NO_MEMORY, "error: out of host memory");
  for (i = 0; i < e->results && err == MEMC_OK; i++) {
    struct memc_value *v = &values[i];
    v->prim = e->result[i].prim;
    v->rank = e->result[i].rank;
    v->shape = v->rank ? out[i].array->shape : NULL;
    v->elems = memc_elems(v->rank, v->shape);
    v->data = malloc((size_t)v->elems * (size_t)memc_prims[v->prim].size + 1);
    if (v->data == NULL)
      err = memc_fail(ctx, MEMC_NO_MEMORY, "error: out of host memory");
    else if (v->rank)
      err = memc_array_values(ctx, out[i].array, v->data);
    else
      memcpy(v->data, &out[i].scalar, (size_t)memc_prims[v->prim].size);
  }
  for (i = 0; i < e->results && err == MEMC_OK; i++) {
    if (e->result[i].size)
      continue;
    if (o->binary)
      memc_write_binary(stdout, &values[i]);
    else
      memc_write_text(stdout, &values[i]);
  }
  if (err == MEMC_OK && (fflush(stdout) || ferror(stdout)))
    err = memc_fail(ctx, MEMC_ERROR, "error: cannot write the results");
  for (i = 0; values && i < e->results; i++)
    free(values[i].data);
  free(values);
  return err;
}

static int memc_write_times(const char *path, const int64_t *times, int64_t count)
{
  FILE *f = fopen(path, "w");
  int64_t i;
  int bad = f == NULL;
  for (i = 0; i < count && !bad; i++)
    bad = fprintf(f, "%" PRId64 "\n", times[i]) < 0;
  if (f && fclose(f))
    bad = 1;
  if (bad)
    fprintf(stderr, "error: cannot write %s\n", path);
  return bad;
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
          ",\"allocator\":\"%s\",\"hits\":%" PRId64 ",\"driver_frees\":%" PRId64 ",\"peak_held_bytes\":%" PRId64 "}\n",
          s->peak_bytes, s->alloc_requests, s->driver_allocs, s->copied_bytes, s->kernel_launches, s->wall_us,
          s->allocator, s->hits, s->driver_frees, s->peak_held_bytes);
}

/* Does all that is left once the arguments are read. */
static int memc_work(const struct memc_entry *e, const struct memc_options *o, const struct memc_value *args)
{
  struct memc_config cfg;
  struct memc_context *ctx = calloc(1, sizeof *ctx);
  union memc_slot *out = calloc((size_t)e->results + 1, sizeof *out);
  int64_t *times = calloc((size_t)(o->runs > 0 ? o->runs : 1), sizeof *times);
  int bad;
  cfg.device = (char *)o->device;
  cfg.memory_limit = o->memory_limit;
  cfg.allocator = o->allocator;
  if (ctx == NULL || out == NULL || times == NULL) {
    bad = memc_complain(NULL);
  } else {
    bad = memc_up(ctx, &cfg) || memc_runs(ctx, e, o, args, out, times) ||
          (!o->quiet && memc_write_results(ctx, e, o, out));
    if (bad)
      memc_complain(ctx->error);
    if (!bad && o->times)
      bad = memc_write_times(o->times, times, o->runs > 0 ? o->runs : 1);
    if (!bad && o->stats)
      memc_write_stats(memc_get_stats(ctx), o->stats);
    memc_drop(ctx, e->results, memc_result_rank, e, out);
    memc_down(ctx);
  }
  free(times);
  free(out);
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
    fprintf(stderr, "error: there is no entry `%s`; -h shows what there is\n", o.entry ? o.entry : "main");
    return 2;
  }
  if ((args = calloc((size_t)e->params + 1, sizeof *args)) == NULL)
    return memc_complain(NULL);
  code = memc_read_arguments(e, args);
  if (code == 0)
    code = memc_work(e, &o, args);
  for (i = 0; i < e->params; i++)
    memc_value_free(&args[i]);
  free(args);
  return code ? 1 : 0;
}
