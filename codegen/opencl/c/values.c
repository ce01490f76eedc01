/* Values: what is read from stdin and written to stdout. */

struct memc_value {
  int prim, rank;
  int64_t *shape;
  int64_t elems;
  void *data; /* row-major */
};

static void memc_value_free(struct memc_value *v)
{
  free(v->shape);
  free(v->data);
  memset(v, 0, sizeof *v);
}

static int memc_big_endian(void)
{
  const uint16_t one = 1;
  return *(const unsigned char *)&one == 0;
}

/* Turns elements from the binary format's byte order to the host's, or back. */
static void memc_little(void *data, int64_t elems, int size)
{
  unsigned char *p = data, t;
  int i;
  if (size == 1 || !memc_big_endian())
    return;
  for (; elems > 0; elems--, p += size)
    for (i = 0; i < size / 2; i++)
      t = p[i], p[i] = p[size - 1 - i], p[size - 1 - i] = t;
}

/* Gives the type as text, "[3][4]f32", for the caller to free. */
static MEMC_UNUSED char *memc_value_type(const struct memc_value *v)
{
  char *text = malloc((size_t)v->rank * 24 + 8), *out = text;
  int i;
  if (text == NULL)
    return NULL;
  for (i = 0; i < v->rank; i++)
    out += sprintf(out, "[%" PRId64 "]", v->shape[i]);
  strcpy(out, memc_prims[v->prim].name);
  return text;
}
