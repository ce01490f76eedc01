/* Server: Futhark's protocol of server executables. A command is a line of words; what it
   answers ends with "%%% OK", after "%%% FAILURE" and a message where it failed. */

/* A type of variables; its values are the slots of its parts, as those of an opaque one. */
struct memc_s_type {
  struct memc_f_type rt;
  const char *kind; /* scalar, array, record, sum or opaque */
  const char *elem; /* of an array of scalars; else NULL */
  int fields;       /* of a record */
  const struct memc_s_field *field;
};

struct memc_s_field { const char *name; int type; };

/* An argument or a result: the number of its type, and whether it is unique. slot says
   where the parts of a result lie, one behind the other for all results. */
struct memc_s_io { int type, unique; };

struct memc_s_entry {
  const char *name;
  int index; /* in memc_entries */
  int ins, outs;
  const struct memc_s_io *in, *out;
  const int *slot;
  const int *tuning;              /* ends with -1 */
  const char *const *attribute; /* ends with NULL */
};

MEMC_S_TABLES

struct memc_s_var {
  char *name;
  const struct memc_s_type *type;
  union memc_slot *slot;
  struct memc_s_var *next;
};

struct memc_s_state {
  struct futhark_context_config *cfg;
  struct futhark_context *ctx;
  struct memc_s_var *vars;
};

/* Says that a command failed, and why; gives 1. */
static int memc_s_fail(const char *format, ...)
{
  va_list args;
  printf("%%%%%% FAILURE\n");
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  putchar('\n');
  return 1;
}

/* Says what the context holds as its last error. */
static int memc_s_error(struct memc_s_state *s)
{
  char *text = futhark_context_get_error(s->ctx);
  memc_s_fail("%s", text ? text : "out of host memory");
  free(text);
  return 1;
}

/* Variables. */

static struct memc_s_var *memc_s_find(struct memc_s_state *s, const char *name)
{
  struct memc_s_var *v = s->vars;
  while (v && strcmp(v->name, name) != 0)
    v = v->next;
  return v;
}

/* Finds a variable, or says that there is none. */
static struct memc_s_var *memc_s_get(struct memc_s_state *s, const char *name)
{
  struct memc_s_var *v = memc_s_find(s, name);
  if (v == NULL)
    memc_s_fail("Unknown variable: %s", name);
  return v;
}

/* Makes a variable whose parts are all zero, or says why not. */
static struct memc_s_var *memc_s_new(struct memc_s_state *s, const char *name, const struct memc_s_type *type)
{
  struct memc_s_var *v;
  if (memc_s_find(s, name)) {
    memc_s_fail("Variable already exists: %s", name);
    return NULL;
  }
  v = calloc(1, sizeof *v);
  if (v) {
    v->name = memc_format("%s", name);
    v->slot = calloc((size_t)type->rt.count + 1, sizeof *v->slot);
  }
  if (v == NULL || v->name == NULL || v->slot == NULL) {
    if (v) {
      free(v->name);
      free(v->slot);
    }
    free(v);
    memc_s_fail("out of host memory");
    return NULL;
  }
  v->type = type;
  v->next = s->vars;
  s->vars = v;
  return v;
}

static void memc_s_drop(struct memc_s_state *s, struct memc_s_var *v)
{
  struct memc_s_var **at = &s->vars;
  int i;
  while (*at != v)
    at = &(*at)->next;
  *at = v->next;
  for (i = 0; i < v->type->rt.count; i++)
    if (v->type->rt.part[i].rank > 0)
      memc_array_free(&s->ctx->rt, v->slot[i].array);
  free(v->slot);
  free(v->name);
  free(v);
}

/* Drops the newest variables, down to one that stays. */
static void memc_s_back(struct memc_s_state *s, const struct memc_s_var *stays)
{
  while (s->vars != stays)
    memc_s_drop(s, s->vars);
}

/* Types and entries. */

static const struct memc_s_type *memc_s_type(const char *name)
{
  int i;
  for (i = 0; memc_s_types[i].rt.name; i++)
    if (strcmp(memc_s_types[i].rt.name, name) == 0)
      return &memc_s_types[i];
  memc_s_fail("Unknown type: %s", name);
  return NULL;
}

static const struct memc_s_entry *memc_s_entry(const char *name)
{
  int i;
  for (i = 0; memc_s_entries[i].name; i++)
    if (strcmp(memc_s_entries[i].name, name) == 0)
      return &memc_s_entries[i];
  memc_s_fail("Unknown entry point: %s", name);
  return NULL;
}

/* Commands get the words behind their name, and give whether they failed. */

static int memc_s_call_with(struct memc_s_state *s, const struct memc_s_entry *e, char **word, union memc_slot *in,
                            union memc_slot *out)
{
  const struct memc_entry *callee = &memc_entries[e->index];
  struct memc_s_var *v, *before = s->vars;
  const int *slot = e->slot;
  int64_t start;
  int i, k, err;
  for (i = 0; i < e->ins; i++) {
    if ((v = memc_s_get(s, word[e->outs + i])) == NULL)
      return 1;
    if (v->type != &memc_s_types[e->in[i].type])
      return memc_s_fail("Wrong input type.  Expected %s, got %s.", memc_s_types[e->in[i].type].rt.name, v->type->rt.name);
    memcpy(in, v->slot, (size_t)v->type->rt.count * sizeof *in);
    in += v->type->rt.count;
  }
  in -= callee->params;
  for (i = 0; i < e->outs; i++)
    if (memc_s_new(s, word[i], &memc_s_types[e->out[i].type]) == NULL) {
      memc_s_back(s, before);
      return 1;
    }
  start = memc_now_us();
  err = memc_call(&s->ctx->rt, callee, out, in);
  printf("runtime: %" PRId64 "\n", memc_now_us() - start);
  if (err) {
    memc_s_back(s, before);
    return memc_s_error(s);
  }
  for (i = 0; i < e->outs; i++) {
    v = memc_s_find(s, word[i]);
    for (k = 0; k < v->type->rt.count; k++)
      v->slot[k] = out[*slot++];
  }
  return 0;
}

static int memc_s_call(struct memc_s_state *s, char **word, int words)
{
  const struct memc_s_entry *e = memc_s_entry(word[0]);
  union memc_slot *slots;
  int params, bad;
  if (e == NULL)
    return 1;
  if (words != 1 + e->outs + e->ins)
    return memc_s_fail("%s takes %d variables for results and %d for arguments.", e->name, e->outs, e->ins);
  params = memc_entries[e->index].params;
  slots = calloc((size_t)(params + memc_entries[e->index].results) + 1, sizeof *slots);
  if (slots == NULL)
    return memc_s_fail("out of host memory");
  bad = memc_s_call_with(s, e, word + 1, slots, slots + params);
  free(slots);
  return bad;
}

/* Reads the parts of a variable. */
static int memc_s_read(struct memc_s_state *s, struct memc_reader *r, struct memc_s_var *v)
{
  struct memc_value value;
  int i, got, bad = 0;
  for (i = 0; i < v->type->rt.count && !bad; i++) {
    const struct memc_f_part *p = &v->type->rt.part[i];
    if ((got = memc_read_value(r, p->prim, &value)) <= 0)
      return memc_s_fail("Failed to restore variable %s: %s", v->name, got < 0 && r->error ? r->error : "the file has too few values");
    if (value.prim != p->prim || value.rank != p->rank)
      bad = memc_s_fail("Failed to restore variable %s: the file has no value of type %s.", v->name, v->type->rt.name);
    else if (memc_upload_value(&s->ctx->rt, &value, &v->slot[i]))
      bad = memc_s_error(s);
    memc_value_free(&value);
  }
  return bad;
}

static int memc_s_restore(struct memc_s_state *s, char **word, int words)
{
  struct memc_s_var *v, *before = s->vars;
  const struct memc_s_type *type;
  struct memc_reader r;
  FILE *f;
  int i, bad = 0;
  if (words % 2 == 0)
    return memc_s_fail("A variable has no type: %s", word[words - 1]);
  if ((f = fopen(word[0], "rb")) == NULL)
    return memc_s_fail("Failed to open %s", word[0]);
  if (memc_reader_open(&r, word[0], f))
    bad = memc_s_fail("%s", r.error ? r.error : "out of host memory");
  fclose(f);
  for (i = 1; i < words && !bad; i += 2)
    bad = (type = memc_s_type(word[i + 1])) == NULL || (v = memc_s_new(s, word[i], type)) == NULL || memc_s_read(s, &r, v);
  if (!bad) {
    memc_space(&r);
    if (r.pos < r.size)
      bad = memc_s_fail("Expected EOF after reading %d values from %s", words / 2, word[0]);
  }
  if (bad)
    memc_s_back(s, before);
  memc_reader_close(&r);
  return bad;
}

static int memc_s_store(struct memc_s_state *s, char **word, int words)
{
  struct memc_value value;
  struct memc_s_var *v;
  FILE *f = NULL;
  int i, k, bad = 0;
  for (i = 1; i < words; i++)
    if (memc_s_get(s, word[i]) == NULL)
      return 1;
  if ((f = fopen(word[0], "wb")) == NULL)
    return memc_s_fail("Failed to open %s", word[0]);
  for (i = 1; i < words && !bad; i++) {
    v = memc_s_find(s, word[i]);
    for (k = 0; k < v->type->rt.count && !bad; k++) {
      const struct memc_f_part *p = &v->type->rt.part[k];
      memc_describe_value(p->prim, p->rank, &v->slot[k], &value);
      if (memc_fetch_value(&s->ctx->rt, &v->slot[k], &value))
        bad = memc_s_error(s);
      else
        memc_write_binary(f, &value);
      free(value.data);
    }
  }
  if ((ferror(f) | fclose(f)) && !bad)
    bad = memc_s_fail("Failed to write %s", word[0]);
  return bad;
}

static int memc_s_free(struct memc_s_state *s, char **word, int words)
{
  struct memc_s_var *v;
  int i;
  for (i = 0; i < words; i++) {
    if ((v = memc_s_get(s, word[i])) == NULL)
      return 1;
    memc_s_drop(s, v);
  }
  return 0;
}

static int memc_s_rename(struct memc_s_state *s, char **word, int words)
{
  struct memc_s_var *v = memc_s_get(s, word[0]);
  char *name;
  (void)words;
  if (v == NULL)
    return 1;
  if (memc_s_find(s, word[1]))
    return memc_s_fail("Variable already exists: %s", word[1]);
  if ((name = memc_format("%s", word[1])) == NULL)
    return memc_s_fail("out of host memory");
  free(v->name);
  v->name = name;
  return 0;
}

static int memc_s_list(const struct memc_s_io *io, int count)
{
  int i;
  for (i = 0; i < count; i++)
    printf("%s%s\n", io[i].unique ? "*" : "", memc_s_types[io[i].type].rt.name);
  return 0;
}

static int memc_s_inputs(struct memc_s_state *s, char **word, int words)
{
  const struct memc_s_entry *e = memc_s_entry(word[0]);
  (void)s, (void)words;
  return e == NULL || memc_s_list(e->in, e->ins);
}

static int memc_s_outputs(struct memc_s_state *s, char **word, int words)
{
  const struct memc_s_entry *e = memc_s_entry(word[0]);
  (void)s, (void)words;
  return e == NULL || memc_s_list(e->out, e->outs);
}

static int memc_s_clear(struct memc_s_state *s, char **word, int words)
{
  (void)word, (void)words;
  memc_s_back(s, NULL);
  return futhark_context_clear_caches(s->ctx) ? memc_s_error(s) : 0;
}

static int memc_s_entry_points(struct memc_s_state *s, char **word, int words)
{
  int i;
  (void)s, (void)word, (void)words;
  for (i = 0; memc_s_entries[i].name; i++)
    puts(memc_s_entries[i].name);
  return 0;
}

static int memc_s_all_types(struct memc_s_state *s, char **word, int words)
{
  int i;
  (void)s, (void)word, (void)words;
  for (i = 0; memc_s_types[i].rt.name; i++)
    puts(memc_s_types[i].rt.name);
  return 0;
}

static int memc_s_kind(struct memc_s_state *s, char **word, int words)
{
  const struct memc_s_type *t = memc_s_type(word[0]);
  (void)s, (void)words;
  return t == NULL || puts(t->kind) < 0;
}

static int memc_s_type_of(struct memc_s_state *s, char **word, int words)
{
  const struct memc_s_var *v = memc_s_get(s, word[0]);
  (void)words;
  return v == NULL || puts(v->type->rt.name) < 0;
}

static int memc_s_rank(struct memc_s_state *s, char **word, int words)
{
  const struct memc_s_type *t = memc_s_type(word[0]);
  (void)s, (void)words;
  if (t && t->elem == NULL)
    return memc_s_fail("Not an array type");
  return t == NULL || printf("%d\n", t->rt.part[0].rank) < 0;
}

static int memc_s_elemtype(struct memc_s_state *s, char **word, int words)
{
  const struct memc_s_type *t = memc_s_type(word[0]);
  (void)s, (void)words;
  if (t && t->elem == NULL)
    return memc_s_fail("Not an array type");
  return t == NULL || puts(t->elem) < 0;
}

static int memc_s_shape(struct memc_s_state *s, char **word, int words)
{
  const struct memc_s_var *v = memc_s_get(s, word[0]);
  int i;
  (void)words;
  if (v && v->type->elem == NULL)
    return memc_s_fail("Not an array type");
  for (i = 0; v && i < v->type->rt.part[0].rank; i++)
    printf("%" PRId64 "\n", v->slot[0].array->shape[i]);
  return v == NULL;
}

/* Finds a record type, or says that it is none. */
static const struct memc_s_type *memc_s_record(const struct memc_s_type *t)
{
  if (t && strcmp(t->kind, "record") != 0) {
    memc_s_fail("Not a record type");
    return NULL;
  }
  return t;
}

static int memc_s_fields(struct memc_s_state *s, char **word, int words)
{
  const struct memc_s_type *t = memc_s_record(memc_s_type(word[0]));
  int i;
  (void)s, (void)words;
  for (i = 0; t && i < t->fields; i++)
    printf("%s %s\n", t->field[i].name, memc_s_types[t->field[i].type].rt.name);
  return t == NULL;
}

/* Copies the parts of a value; arrays share their blocks. */
static int memc_s_share(struct memc_s_state *s, const struct memc_s_type *type, union memc_slot *to, const union memc_slot *from)
{
  int i;
  for (i = 0; i < type->rt.count; i++)
    if (memc_f_share(&s->ctx->rt, &type->rt.part[i], &to[i], &from[i]))
      return memc_s_error(s);
  return 0;
}

static int memc_s_make(struct memc_s_state *s, char **word, int words)
{
  const struct memc_s_type *t = memc_s_record(memc_s_type(word[1]));
  struct memc_s_var *v, *field, *before = s->vars;
  int i, at = 0, bad = 0;
  if (t == NULL)
    return 1;
  if (words - 2 != t->fields)
    return memc_s_fail("%d fields expected but %d values provided.", t->fields, words - 2);
  if ((v = memc_s_new(s, word[0], t)) == NULL)
    return 1;
  for (i = 0; i < t->fields && !bad; i++) {
    const struct memc_s_type *want = &memc_s_types[t->field[i].type];
    if ((field = memc_s_get(s, word[2 + i])) == NULL)
      bad = 1;
    else if (field->type != want)
      bad = memc_s_fail("Field %s mismatch: expected type %s, got %s", t->field[i].name, want->rt.name, field->type->rt.name);
    else
      bad = memc_s_share(s, want, v->slot + at, field->slot);
    at += want->rt.count;
  }
  if (bad)
    memc_s_back(s, before);
  return bad;
}

static int memc_s_project(struct memc_s_state *s, char **word, int words)
{
  const struct memc_s_var *from = memc_s_get(s, word[1]);
  const struct memc_s_type *t = from ? memc_s_record(from->type) : NULL, *of;
  struct memc_s_var *v, *before = s->vars;
  int i, at = 0;
  (void)words;
  for (i = 0; t && i < t->fields && strcmp(t->field[i].name, word[2]) != 0; i++)
    at += memc_s_types[t->field[i].type].rt.count;
  if (t == NULL)
    return 1;
  if (i == t->fields)
    return memc_s_fail("No such field");
  of = &memc_s_types[t->field[i].type];
  if ((v = memc_s_new(s, word[0], of)) == NULL)
    return 1;
  if (memc_s_share(s, of, v->slot, from->slot + at)) {
    memc_s_back(s, before);
    return 1;
  }
  return 0;
}

static int memc_s_pause(struct memc_s_state *s, char **word, int words)
{
  (void)word, (void)words;
  futhark_context_pause_profiling(s->ctx);
  return 0;
}

static int memc_s_unpause(struct memc_s_state *s, char **word, int words)
{
  (void)word, (void)words;
  futhark_context_unpause_profiling(s->ctx);
  return 0;
}

static int memc_s_report(struct memc_s_state *s, char **word, int words)
{
  char *text = futhark_context_report(s->ctx);
  (void)word, (void)words;
  if (text == NULL)
    return memc_s_fail("out of host memory");
  puts(text);
  free(text);
  return 0;
}

static int memc_s_set_tuning(struct memc_s_state *s, char **word, int words)
{
  (void)words;
  if (futhark_context_config_set_tuning_param(s->cfg, word[0], (size_t)strtoul(word[1], NULL, 10)))
    return memc_s_fail("Failed to set tuning parameter %s to %s", word[0], word[1]);
  return 0;
}

static int memc_s_tuning(struct memc_s_state *s, char **word, int words)
{
  const struct memc_s_entry *e = memc_s_entry(word[0]);
  int i;
  (void)s, (void)words;
  for (i = 0; e && e->tuning[i] >= 0; i++)
    puts(futhark_get_tuning_param_name(e->tuning[i]));
  return e == NULL;
}

static int memc_s_tuning_class(struct memc_s_state *s, char **word, int words)
{
  int i;
  (void)s, (void)words;
  for (i = 0; i < futhark_get_tuning_param_count(); i++)
    if (strcmp(futhark_get_tuning_param_name(i), word[0]) == 0)
      return puts(futhark_get_tuning_param_class(i)) < 0;
  return memc_s_fail("Unknown tuning parameter: %s", word[0]);
}

static int memc_s_attributes(struct memc_s_state *s, char **word, int words)
{
  const struct memc_s_entry *e = memc_s_entry(word[0]);
  int i;
  (void)s, (void)words;
  for (i = 0; e && e->attribute[i]; i++)
    puts(e->attribute[i]);
  return e == NULL;
}

/* A command takes least words or more, but no more than most (-1: any number). */
static const struct memc_s_command {
  const char *name;
  int least, most;
  int (*run)(struct memc_s_state *s, char **word, int words);
} memc_s_commands[] = {
  {"call", 1, -1, memc_s_call},
  {"restore", 1, -1, memc_s_restore},
  {"store", 1, -1, memc_s_store},
  {"free", 0, -1, memc_s_free},
  {"rename", 2, 2, memc_s_rename},
  {"inputs", 1, 1, memc_s_inputs},
  {"outputs", 1, 1, memc_s_outputs},
  {"clear", 0, 0, memc_s_clear},
  {"entry_points", 0, 0, memc_s_entry_points},
  {"types", 0, 0, memc_s_all_types},
  {"kind", 1, 1, memc_s_kind},
  {"type", 1, 1, memc_s_type_of},
  {"rank", 1, 1, memc_s_rank},
  {"elemtype", 1, 1, memc_s_elemtype},
  {"shape", 1, 1, memc_s_shape},
  {"fields", 1, 1, memc_s_fields},
  {"new", 2, -1, memc_s_make},
  {"project", 3, 3, memc_s_project},
  {"pause_profiling", 0, 0, memc_s_pause},
  {"unpause_profiling", 0, 0, memc_s_unpause},
  {"report", 0, 0, memc_s_report},
  {"set_tuning_param", 2, 2, memc_s_set_tuning},
  {"tuning_params", 1, 1, memc_s_tuning},
  {"tuning_param_class", 1, 1, memc_s_tuning_class},
  {"attributes", 1, 1, memc_s_attributes},
};

/* Cuts a line into its words: what stands between quotes is one. */
static int memc_s_words(char *at, char **word, int room)
{
  int n = 0;
  while (n < room) {
    at += strspn(at, " \t\r\n");
    if (*at == '\0')
      break;
    if (*at == '"') {
      word[n++] = ++at;
      at += strcspn(at, "\"");
    } else {
      word[n++] = at;
      at += strcspn(at, " \t\r\n");
    }
    if (*at)
      *at++ = '\0';
  }
  return n;
}

/* Runs the command of a line. */
static void memc_s_line(struct memc_s_state *s, char *line)
{
  const size_t commands = sizeof memc_s_commands / sizeof *memc_s_commands;
  const int room = (int)(strlen(line) / 2) + 1; /* every word has a space behind it */
  char **word = calloc((size_t)room, sizeof *word);
  size_t i = 0;
  int n;
  if (word == NULL) {
    memc_s_fail("out of host memory");
    return;
  }
  n = memc_s_words(line, word, room);
  while (n > 0 && i < commands && strcmp(memc_s_commands[i].name, word[0]) != 0)
    i++;
  if (n == 0)
    memc_s_fail("Empty line");
  else if (i == commands)
    memc_s_fail("Unknown command: %s", word[0]);
  else if (n - 1 < memc_s_commands[i].least || (memc_s_commands[i].most >= 0 && n - 1 > memc_s_commands[i].most))
    memc_s_fail("The command %s does not take %d words.", word[0], n - 1);
  else
    memc_s_commands[i].run(s, word + 1, n - 1);
  free(word);
}

/* Reads a line of any length into fresh memory; NULL at the end. */
static char *memc_s_read_line(void)
{
  size_t room = 0, n = 0;
  char *line = NULL, *more;
  do {
    room = room ? 2 * room : 256;
    if ((more = realloc(line, room)) == NULL)
      break;
    line = more;
    if (fgets(line + n, (int)(room - n), stdin) == NULL)
      break;
    n += strlen(line + n);
  } while (n > 0 && line[n - 1] != '\n');
  if (n == 0) {
    free(line);
    return NULL;
  }
  return line;
}

/* Serves commands until the input ends; gives whether the context could not be made. */
static int memc_s_serve(struct futhark_context_config *cfg)
{
  struct memc_s_state s;
  char *line;
  memset(&s, 0, sizeof s);
  s.cfg = cfg;
  s.ctx = futhark_context_new(cfg);
  if (s.ctx == NULL || memc_last_error(&s.ctx->rt, NULL)) {
    memc_complain(s.ctx ? memc_error_text(&s.ctx->rt) : NULL);
    futhark_context_free(s.ctx);
    return 1;
  }
  do {
    printf("%%%%%% OK\n");
    fflush(stdout);
    if ((line = memc_s_read_line()))
      memc_s_line(&s, line);
    free(line);
  } while (line);
  memc_s_back(&s, NULL);
  futhark_context_free(s.ctx);
  return 0;
}
