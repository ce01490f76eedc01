/* Writer: values in Futhark's text and binary formats. */

/* Writes a float with as few digits as read back to the same value: 0.001, 1.0,
   1e+06. */
static void memc_write_float(FILE *out, int prim, double x)
{
  const char *type = memc_prims[prim].name;
  const double normal = prim == MEMC_T_F64 ? DBL_MIN : FLT_MIN;
  /* So many digits always survive; but a subnormal may need fewer. */
  const int least = x > -normal && x < normal ? 1 : prim == MEMC_T_F64 ? DBL_DIG : FLT_DIG;
  const int most = prim == MEMC_T_F64 ? 17 : 9;
  char text[40], digits[24];
  int precision, exponent, n = 0;
  const char *p, *e;
  if (x != x) {
    fprintf(out, "%s.nan", type);
    return;
  }
  if (x - x != 0) {
    fprintf(out, "%s%s.inf", x < 0 ? "-" : "", type);
    return;
  }
  for (precision = least; precision <= most; precision++) {
    sprintf(text, "%.*e", precision - 1, x);
    if (prim == MEMC_T_F64 ? strtod(text, NULL) == x : strtof(text, NULL) == (float)x)
      break;
  }
  e = strchr(text, 'e');
  exponent = atoi(e + 1);
  for (p = text; p < e; p++)
    if (*p >= '0' && *p <= '9')
      digits[n++] = *p;
  while (n > 1 && digits[n - 1] == '0')
    n--;
  digits[n] = '\0';
  if (text[0] == '-')
    putc('-', out);
  if (exponent < -4 || exponent >= 6) {
    fprintf(out, "%c%s%se%c%02d%s", digits[0], n > 1 ? "." : "", digits + 1, exponent < 0 ? '-' : '+', abs(exponent), type);
  } else if (exponent < 0) {
    fprintf(out, "0.%.*s%s%s", -exponent - 1, "0000", digits, type);
  } else if (n <= exponent + 1) {
    fprintf(out, "%s%.*s.0%s", digits, exponent + 1 - n, "000000", type);
  } else {
    fprintf(out, "%.*s.%s%s", exponent + 1, digits, digits + exponent + 1, type);
  }
}

static void memc_write_scalar(FILE *out, int prim, const void *at)
{
  const char *type = memc_prims[prim].name;
  union memc_scalar s;
  memset(&s, 0, sizeof s);
  memcpy(&s, at, (size_t)memc_prims[prim].size);
  switch (prim) {
  case MEMC_T_I8: fprintf(out, "%d%s", s.i8, type); break;
  case MEMC_T_I16: fprintf(out, "%d%s", s.i16, type); break;
  case MEMC_T_I32: fprintf(out, "%" PRId32 "%s", s.i32, type); break;
  case MEMC_T_I64: fprintf(out, "%" PRId64 "%s", s.i64, type); break;
  case MEMC_T_U8: fprintf(out, "%u%s", (unsigned)s.u8, type); break;
  case MEMC_T_U16: fprintf(out, "%u%s", (unsigned)s.u16, type); break;
  case MEMC_T_U32: fprintf(out, "%" PRIu32 "%s", s.u32, type); break;
  case MEMC_T_U64: fprintf(out, "%" PRIu64 "%s", s.u64, type); break;
  case MEMC_T_F16: memc_write_float(out, prim, memc_single(s.f16)); break;
  case MEMC_T_F32: memc_write_float(out, prim, s.f32); break;
  case MEMC_T_F64: memc_write_float(out, prim, s.f64); break;
  default: fputs(s.u8 ? "true" : "false", out);
  }
}

static const char *memc_write_rows(FILE *out, const struct memc_value *v, int depth, const char *at)
{
  int64_t i;
  if (depth == v->rank) {
    memc_write_scalar(out, v->prim, at);
    return at + memc_prims[v->prim].size;
  }
  putc('[', out);
  for (i = 0; i < v->shape[depth]; i++) {
    if (i > 0)
      fputs(", ", out);
    at = memc_write_rows(out, v, depth + 1, at);
  }
  putc(']', out);
  return at;
}

/* Writes a value as text, and the end of the line. */
static void memc_write_text(FILE *out, const struct memc_value *v)
{
  int i;
  if (v->elems > 0) {
    memc_write_rows(out, v, 0, v->data);
  } else {
    fputs("empty(", out);
    for (i = 0; i < v->rank; i++)
      fprintf(out, "[%" PRId64 "]", v->shape[i]);
    fprintf(out, "%s)", memc_prims[v->prim].name);
  }
  putc('\n', out);
}

/* Writes a value in the binary format. */
static void memc_write_binary(FILE *out, const struct memc_value *v)
{
  const int size = memc_prims[v->prim].size;
  int64_t dim;
  int i;
  fprintf(out, "b%c%c%4s", 2, v->rank, memc_prims[v->prim].name);
  for (i = 0; i < v->rank; i++) {
    dim = v->shape[i];
    memc_little(&dim, 1, 8);
    fwrite(&dim, 8, 1, out);
  }
  memc_little(v->data, v->elems, size);
  if (v->elems > 0)
    fwrite(v->data, (size_t)size, (size_t)v->elems, out);
  memc_little(v->data, v->elems, size);
}
