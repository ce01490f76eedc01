/* Running an entry: arguments on stdin, results on stdout. What a main does with
   its options is its own affair. */

struct memc_run {
  const char *times; /* a file for the microseconds of each run; NULL: none */
  int64_t runs;      /* 0: one, and no other before it */
  int binary, quiet;
  struct memc_stats *stats; /* gets those of the last run; NULL: nobody asks */
};

static MEMC_UNUSED const struct memc_entry *memc_entry_named(const char *name)
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
  fprintf(stderr, "%s\n", text ? text : "error[E812]: out of host memory");
  return 1;
}

/* Reads the arguments of an entry. */
static MEMC_UNUSED int memc_read_arguments(const struct memc_entry *e, struct memc_value *args)
{
  struct memc_reader r;
  char *type;
  int i, bad, got = memc_reader_open(&r, "<stdin>", stdin) == 0;
  for (i = 0; i < e->params && got > 0; i++) {
    got = memc_read_value(&r, e->param[i].prim, &args[i]);
    if (got == 0)
      got = memc_reader_fail(&r, "E902", "`%s` takes %d argument%s, but %d %s given: expected %s", e->name, e->params,
                             e->params == 1 ? "" : "s", i, i == 1 ? "was" : "were", e->signature);
    if (got > 0 && (args[i].prim != e->param[i].prim || args[i].rank != e->param[i].rank)) {
      type = memc_value_type(&args[i]);
      got = memc_reader_fail(&r, "E903", "argument `%s` is %s, but %s is expected", e->param[i].name, type ? type : "?",
                             e->param[i].type);
      free(type);
    }
  }
  if (got > 0) {
    memc_space(&r);
    if (r.pos < r.size)
      got = memc_reader_fail(&r, "E902", "`%s` takes %d argument%s, and there is more input: expected %s", e->name, e->params,
                             e->params == 1 ? "" : "s", e->signature);
  }
  bad = r.error != NULL || got < 0;
  if (bad)
    memc_complain(r.error);
  memc_reader_close(&r);
  return bad;
}

/* Puts a value on the device. */
static MEMC_UNUSED int memc_upload_value(struct memc_context *ctx, const struct memc_value *v, union memc_slot *slot)
{
  if (v->rank == 0) {
    memcpy(&slot->scalar, v->data, (size_t)memc_prims[v->prim].size);
    return MEMC_OK;
  }
  slot->array = memc_array_new(ctx, v->data, v->prim, v->rank, v->shape);
  return slot->array ? MEMC_OK : MEMC_ERROR;
}

/* Describes a value on the device, with no data. The shape is the array's. */
static MEMC_UNUSED void memc_describe_value(int prim, int rank, const union memc_slot *slot, struct memc_value *v)
{
  v->prim = prim;
  v->rank = rank;
  v->shape = rank ? slot->array->shape : NULL;
  v->elems = memc_elems(rank, v->shape);
  v->data = NULL;
}

/* Reads the data of a value that is described; they are the caller's to free. */
static MEMC_UNUSED int memc_fetch_value(struct memc_context *ctx, const union memc_slot *slot, struct memc_value *v)
{
  v->data = malloc((size_t)v->elems * (size_t)memc_prims[v->prim].size + 1);
  if (v->data == NULL)
    return memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
  if (v->rank)
    return memc_array_values(ctx, slot->array, v->data);
  memcpy(v->data, &slot->scalar, (size_t)memc_prims[v->prim].size);
  return MEMC_OK;
}

/* Puts the arguments on the device. After the last time the host forgets them. */
static int memc_upload(struct memc_context *ctx, const struct memc_entry *e, struct memc_value *args, int last,
                       union memc_slot *in)
{
  int i;
  for (i = 0; i < e->params; i++) {
    if (memc_upload_value(ctx, &args[i], &in[i]))
      return MEMC_ERROR;
    if (last && args[i].rank > 0)
      memc_value_free(&args[i]);
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
static int memc_runs(struct memc_context *ctx, const struct memc_entry *e, const struct memc_run *o,
                     struct memc_value *args, union memc_slot *out, int64_t *times)
{
  const int64_t first = o->runs > 0 ? -1 : 0, last = o->runs > 0 ? o->runs : 1;
  union memc_slot *in = calloc((size_t)e->params + 1, sizeof *in);
  int64_t i;
  int err = in ? MEMC_OK : memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
  for (i = first; i < last && err == MEMC_OK; i++) {
    memc_drop(ctx, e->results, memc_result_rank, e, out);
    memc_reset_stats(ctx);
    err = memc_upload(ctx, e, args, i == last - 1, in);
    if (err == MEMC_OK)
      err = memc_call(ctx, e, out, in);
#ifdef MEMC_CHECK_PEAK
    if (err == MEMC_OK)
      err = memc_check_peak(ctx, e, in, memc_get_stats(ctx)->peak_bytes);
#endif
    if (i >= 0)
      times[i] = ctx->stats.wall_us;
    memc_drop(ctx, e->params, memc_param_rank, e, in);
  }
  free(in);
  return err;
}

/* Writes the results. They are all read back before the first is written, unless the host
   can see them where they are. */
static int memc_write_results(struct memc_context *ctx, const struct memc_entry *e, const struct memc_run *o,
                              union memc_slot *out)
{
  struct memc_value *values = calloc((size_t)e->results + 1, sizeof *values);
  unsigned char *viewed = calloc((size_t)e->results + 1, 1);
  int i, err = values && viewed ? MEMC_OK : memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
  for (i = 0; i < e->results && err == MEMC_OK; i++) {
    struct memc_value *v = &values[i];
    memc_describe_value(e->result[i].prim, e->result[i].rank, &out[i], v);
    if (v->elems > 0 && v->rank && !memc_big_endian() &&
        (v->data = memc_block_bytes(out[i].array->block)) != NULL) {
      viewed[i] = 1;
      continue;
    }
    err = memc_fetch_value(ctx, &out[i], v);
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
  for (i = 0; values && viewed && i < e->results; i++)
    if (!viewed[i])
      free(values[i].data);
  free(viewed);
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

/* Does all that is left once the arguments are read and the context is up. Gives
   whether that failed; the message has been written then. */
static MEMC_UNUSED int memc_work(struct memc_context *ctx, const struct memc_entry *e, const struct memc_run *o,
                     struct memc_value *args)
{
  const int64_t count = o->runs > 0 ? o->runs : 1;
  union memc_slot *out = calloc((size_t)e->results + 1, sizeof *out);
  int64_t *times = calloc((size_t)count, sizeof *times);
  int bad;
  if (out == NULL || times == NULL) {
    bad = memc_complain(NULL);
  } else {
    bad = memc_runs(ctx, e, o, args, out, times) || (!o->quiet && memc_write_results(ctx, e, o, out));
    if (bad)
      memc_complain(memc_error_text(ctx));
    if (!bad && o->times)
      bad = memc_write_times(o->times, times, count);
    if (o->stats)
      *o->stats = *memc_get_stats(ctx);
    memc_drop(ctx, e->results, memc_result_rank, e, out);
  }
  free(times);
  free(out);
  return bad;
}
