/* Reader: values in Futhark's text and binary formats, mixed. */

struct memc_reader {
  const char *name;
  char *data;
  size_t size, pos;
  char *error;
};

static int memc_reader_fail(struct memc_reader *r, const char *code, const char *format, ...)
{
  va_list args;
  size_t i;
  unsigned long line = 1, col = 1;
  char *text, *located;
  for (i = 0; i < r->pos && i < r->size; i++) {
    if (r->data[i] == '\n')
      line++, col = 1;
    else
      col++;
  }
  va_start(args, format);
  text = memc_vformat(format, args);
  va_end(args);
  located = malloc(strlen(r->name) + (text ? strlen(text) : 0) + 64);
  if (located)
    sprintf(located, "%s:%lu:%lu: error[%s]: %s", r->name, line, col, code, text ? text : "out of host memory");
  free(text);
  free(r->error);
  r->error = located;
  return -1;
}

/* Reads a whole stream. */
static int memc_reader_open(struct memc_reader *r, const char *name, FILE *in)
{
  size_t room = 0, n;
  char *more;
  memset(r, 0, sizeof *r);
  r->name = name;
  do {
    if (r->size == room) {
      room = room ? 2 * room : 65536;
      if ((more = realloc(r->data, room)) == NULL)
        return memc_reader_fail(r, "E812", "out of host memory");
      r->data = more;
    }
    n = fread(r->data + r->size, 1, room - r->size, in);
    r->size += n;
  } while (n > 0);
  return ferror(in) ? memc_reader_fail(r, "E907", "cannot read the input") : 0;
}

static void memc_reader_close(struct memc_reader *r)
{
  free(r->data);
  free(r->error);
}

/* Skips white space and comments. */
static void memc_space(struct memc_reader *r)
{
  for (; r->pos < r->size; r->pos++) {
    const char c = r->data[r->pos];
    if (c == '-' && r->pos + 1 < r->size && r->data[r->pos + 1] == '-') {
      while (r->pos < r->size && r->data[r->pos] != '\n')
        r->pos++;
      if (r->pos == r->size)
        return;
    } else if (c != ' ' && c != '\n' && c != '\t' && c != '\r') {
      return;
    }
  }
}

static int memc_peek(const struct memc_reader *r)
{
  return r->pos < r->size ? (unsigned char)r->data[r->pos] : -1;
}

/* Gives the length of the number or name at the reader. */
static size_t memc_word(const struct memc_reader *r)
{
  size_t n = r->pos;
  for (; n < r->size; n++) {
    const char c = r->data[n];
    if (!(c >= '0' && c <= '9') && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
        c != '+' && c != '-' && c != '.' && c != '_')
      break;
  }
  return n - r->pos;
}

static int memc_unexpected(struct memc_reader *r, const char *want)
{
  size_t n = memc_word(r);
  if (r->pos >= r->size)
    return memc_reader_fail(r, "E907", "unexpected end of input, expected %s", want);
  if (n == 0)
    n = 1;
  return memc_reader_fail(r, "E907", "unexpected \"%.*s\", expected %s", (int)(n < 40 ? n : 40), r->data + r->pos, want);
}

static int memc_expect(struct memc_reader *r, char c)
{
  char want[4] = {'\'', 0, '\'', 0};
  memc_space(r);
  want[1] = c;
  if (memc_peek(r) != (unsigned char)c)
    return memc_unexpected(r, want);
  r->pos++;
  return 0;
}

/* Gives the data room for one more element. */
static int memc_grow(struct memc_reader *r, struct memc_value *v, int64_t *room)
{
  void *more;
  if (v->elems < *room)
    return 0;
  *room = *room ? 2 * *room : 64;
  more = realloc(v->data, (size_t)*room * sizeof(union memc_scalar));
  if (more == NULL)
    return memc_reader_fail(r, "E812", "out of host memory");
  v->data = more;
  return 0;
}

/* Reads a scalar and appends it. Inside an array whose type is known (strict),
   a type of its own must agree. */
static int memc_read_scalar(struct memc_reader *r, struct memc_value *v, int want, int strict, int64_t *room)
{
  char small[64], *word = small;
  const size_t n = memc_word(r);
  union memc_scalar s;
  int p, meant = -1, err = 0;
  if (n == 0)
    return memc_unexpected(r, "a value");
  if (n >= sizeof small && (word = malloc(n + 1)) == NULL)
    return memc_reader_fail(r, "E812", "out of host memory");
  memcpy(word, r->data + r->pos, n);
  word[n] = '\0';
  memset(&s, 0, sizeof s);
  p = memc_scalar(word, want, &s, &meant);
  if (p < 0)
    err = memc_reader_fail(r, "E907", "%.*s is not a value of type %s", (int)(n < 40 ? n : 40), r->data + r->pos,
                           memc_prims[meant].name);
  else if (strict && p != want)
    err = memc_reader_fail(r, "E907", "array elements of types %s and %s", memc_prims[want].name, memc_prims[p].name);
  if (word != small)
    free(word);
  if (err || (err = memc_grow(r, v, room)))
    return err;
  v->prim = p;
  memcpy((char *)v->data + v->elems++ * memc_prims[p].size, &s, (size_t)memc_prims[p].size);
  r->pos += n;
  return 0;
}

enum { MEMC_MAX_DEPTH = 64 };

/* Reads one row of a nested array. The first row of each depth fixes the size
   of that dimension (-1: not known yet), the first scalar the rank and type. */
static int memc_read_row(struct memc_reader *r, struct memc_value *v, int depth, int *dims, int64_t *room)
{
  int64_t count = 0;
  int err;
  if (depth >= MEMC_MAX_DEPTH)
    return memc_reader_fail(r, "E907", "array nests deeper than %d", (int)MEMC_MAX_DEPTH);
  if (depth >= *dims)
    v->shape[(*dims)++] = -1;
  r->pos++;
  for (memc_space(r); memc_peek(r) != ']'; memc_space(r)) {
    if (count > 0) {
      if ((err = memc_expect(r, ',')))
        return err;
      memc_space(r);
    }
    if (memc_peek(r) == '[') {
      if (v->rank > 0 && depth + 1 >= v->rank)
        return memc_reader_fail(r, "E907", "irregular array: a row where a scalar stood before");
      err = memc_read_row(r, v, depth + 1, dims, room);
    } else {
      if (v->rank > 0 && depth + 1 != v->rank)
        return memc_reader_fail(r, "E907", "irregular array: a scalar where a row stood before");
      err = memc_read_scalar(r, v, v->prim, v->rank > 0, room);
      if (v->rank == 0)
        v->rank = depth + 1;
    }
    if (err)
      return err;
    count++;
  }
  r->pos++;
  if (v->shape[depth] < 0)
    v->shape[depth] = count;
  if (v->shape[depth] != count)
    return memc_reader_fail(r, "E907", "irregular array: a row has %" PRId64 " elements, an earlier one %" PRId64, count,
                            v->shape[depth]);
  return 0;
}

/* Reads "empty([0][3]i32)". */
static int memc_read_empty(struct memc_reader *r, struct memc_value *v)
{
  char *end;
  char digits[24];
  size_t n;
  r->pos += strlen("empty");
  if (memc_expect(r, '('))
    return -1;
  for (memc_space(r); memc_peek(r) == '['; memc_space(r)) {
    r->pos++;
    memc_space(r);
    n = memc_word(r);
    if (n == 0 || n >= sizeof digits || v->rank == MEMC_MAX_DEPTH)
      return memc_unexpected(r, "a size");
    memcpy(digits, r->data + r->pos, n);
    digits[n] = '\0';
    v->shape[v->rank] = (int64_t)strtoll(digits, &end, 10);
    if (*end || v->shape[v->rank] < 0)
      return memc_unexpected(r, "a size");
    v->rank++;
    r->pos += n;
    if (memc_expect(r, ']'))
      return -1;
  }
  n = memc_word(r);
  if ((v->prim = memc_prim_named(r->data + r->pos, n)) < 0)
    return memc_unexpected(r, "an element type");
  r->pos += n;
  if (memc_elems(v->rank, v->shape) != 0)
    return memc_reader_fail(r, "E907", "an empty array needs a dimension of size 0");
  return memc_expect(r, ')');
}

/* Reads a string as an array of u8. */
static int memc_read_string(struct memc_reader *r, struct memc_value *v)
{
  unsigned char *out;
  size_t end = r->pos + 1;
  for (; end < r->size && r->data[end] != '"'; end++)
    if (r->data[end] == '\\')
      end++;
  if (end >= r->size)
    return memc_reader_fail(r, "E907", "string without an end");
  if ((out = v->data = malloc(end - r->pos)) == NULL)
    return memc_reader_fail(r, "E812", "out of host memory");
  for (r->pos++; r->pos < end; r->pos++) {
    char c = r->data[r->pos];
    if (c == '\\') {
      static const char from[] = "ntr\\\"0", to[] = "\n\t\r\\\"";
      const char *at = strchr(from, r->data[++r->pos]);
      if (at == NULL || *at == '\0')
        return memc_reader_fail(r, "E907", "malformed string");
      c = to[at - from];
    }
    out[v->elems++] = (unsigned char)c;
  }
  r->pos++;
  v->prim = MEMC_T_U8;
  v->rank = 1;
  v->shape[0] = v->elems;
  return 0;
}

/* Reads 'b', version 2, the rank, a type of four characters, the dimensions as
   u64 and the elements, all little-endian. */
static int memc_read_binary(struct memc_reader *r, struct memc_value *v)
{
  const char *d = r->data + r->pos, *name = d + 3;
  const size_t left = r->size - r->pos;
  size_t bytes, i;
  if (left < 7 || left - 7 < 8 * (size_t)(unsigned char)d[2])
    return memc_reader_fail(r, "E907", "truncated binary value");
  v->rank = (unsigned char)d[2];
  if (v->rank > MEMC_MAX_DEPTH)
    return memc_reader_fail(r, "E907", "a binary value of rank %d", v->rank);
  while (name < d + 6 && *name == ' ')
    name++;
  if ((v->prim = memc_prim_named(name, (size_t)(d + 7 - name))) < 0)
    return memc_reader_fail(r, "E907", "unknown element type in a binary value");
  memcpy(v->shape, d + 7, 8 * (size_t)v->rank);
  memc_little(v->shape, v->rank, 8);
  if ((v->elems = memc_elems(v->rank, v->shape)) < 0)
    return memc_reader_fail(r, "E907", "the shape of a binary value is negative or too large");
  bytes = (size_t)v->elems * (size_t)memc_prims[v->prim].size;
  if (left - 7 - 8 * (size_t)v->rank < bytes)
    return memc_reader_fail(r, "E907", "truncated binary value");
  if ((v->data = malloc(bytes + 1)) == NULL)
    return memc_reader_fail(r, "E812", "out of host memory");
  memcpy(v->data, d + 7 + 8 * v->rank, bytes);
  memc_little(v->data, v->elems, memc_prims[v->prim].size);
  for (i = 0; v->prim == MEMC_T_BOOL && i < bytes; i++)
    ((unsigned char *)v->data)[i] = ((unsigned char *)v->data)[i] != 0;
  r->pos += 7 + 8 * (size_t)v->rank + bytes;
  return 0;
}

/* Reads the next value: 1, or 0 where none is left, or -1 (see r->error).
   Literals without a type take type want, or (below 0) i32 or f64. */
static int memc_read_value(struct memc_reader *r, int want, struct memc_value *v)
{
  int64_t room = 0;
  int err, dims = 0, i;
  memset(v, 0, sizeof *v);
  memc_space(r);
  if (r->pos >= r->size)
    return 0;
  if ((v->shape = malloc(MEMC_MAX_DEPTH * sizeof *v->shape)) == NULL)
    return memc_reader_fail(r, "E812", "out of host memory");
  v->prim = want;
  if (r->size - r->pos >= 2 && r->data[r->pos] == 'b' && r->data[r->pos + 1] == 2)
    err = memc_read_binary(r, v);
  else if (r->size - r->pos >= 5 && memcmp(r->data + r->pos, "empty", 5) == 0)
    err = memc_read_empty(r, v);
  else if (memc_peek(r) == '"')
    err = memc_read_string(r, v);
  else if (memc_peek(r) != '[')
    err = memc_read_scalar(r, v, want, 0, &room);
  else if ((err = memc_read_row(r, v, 0, &dims, &room)) == 0 && v->elems == 0)
    err = memc_reader_fail(r, "E907", "an empty array needs its type: write empty([0]t)");
  for (i = v->rank; err == 0 && i < dims; i++)
    err = memc_reader_fail(r, "E907", "irregular array: a row where a scalar stood before");
  if (err)
    memc_value_free(v);
  return err ? -1 : 1;
}
