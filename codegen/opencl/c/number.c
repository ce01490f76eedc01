/* Numbers: one scalar of the text format. */

static int memc_prim_named(const char *name, size_t n)
{
  int p;
  for (p = 0; p < MEMC_PRIMS; p++)
    if (strlen(memc_prims[p].name) == n && memcmp(memc_prims[p].name, name, n) == 0)
      return p;
  return -1;
}

static int memc_prim_is_float(int p) { return p == MEMC_T_F16 || p == MEMC_T_F32 || p == MEMC_T_F64; }

/* Splits the type off a word, which it changes: "42i32" gives 42 and i32,
   "-f32.nan" gives -nan and f32. Without a type it gives -1. */
static int memc_split_suffix(char *word)
{
  char *rest = word + (*word == '-' || *word == '+');
  size_t n = strlen(rest), k;
  int p, hex = rest[0] == '0' && (rest[1] == 'x' || rest[1] == 'X') && strpbrk(rest, "pP") == NULL;
  if (n > 4 && rest[3] == '.') {
    p = memc_prim_named(rest, 3);
    if (memc_prim_is_float(p)) {
      memmove(rest, rest + 4, n - 3);
      return p;
    }
  }
  for (k = 2; k <= 3 && k < n; k++) {
    p = memc_prim_named(rest + n - k, k);
    if (p >= 0 && !(hex && memc_prim_is_float(p))) {
      rest[n - k] = '\0';
      return p;
    }
  }
  return -1;
}

/* Reads a whole number from -2^(b-1) to 2^b-1, for a type of b bits; false where it is
   none. A number that the type lacks stands for its b bits: 255i8 is -1, -1u8 is 255. */
static int memc_integer(const char *s, int prim, union memc_scalar *out)
{
  const int bits = memc_prims[prim].size * 8;
  const int negative = *s == '-';
  uint64_t n = 0, most = UINT64_MAX >> (64 - bits);
  unsigned base = 10, digit;
  int digits = 0;
  if (negative)
    most = (most >> 1) + 1;
  s += *s == '-' || *s == '+';
  if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
    base = 16, s += 2;
  else if (s[0] == '0' && (s[1] == 'b' || s[1] == 'B'))
    base = 2, s += 2;
  else if (s[0] == '0' && (s[1] == 'o' || s[1] == 'O'))
    base = 8, s += 2;
  for (; *s; s++, digits++) {
    digit = *s >= '0' && *s <= '9' ? (unsigned)(*s - '0')
          : *s >= 'a' && *s <= 'f' ? (unsigned)(*s - 'a') + 10
          : *s >= 'A' && *s <= 'F' ? (unsigned)(*s - 'A') + 10 : 99;
    if (digit >= base || n > (most - digit) / base)
      return 0;
    n = n * base + digit;
  }
  if (negative)
    n = 0 - n;
  switch (memc_prims[prim].size) {
  case 1: out->u8 = (uint8_t)n; break;
  case 2: out->u16 = (uint16_t)n; break;
  case 4: out->u32 = (uint32_t)n; break;
  default: out->u64 = n;
  }
  return digits > 0;
}

/* Reads a word as a scalar. Without a type of its own it takes type want, or
   (where that is below 0) i32 or f64 by its form. Gives the type, or -1, and
   then the type that it was meant to have in *meant. */
static int memc_scalar(char *word, int want, union memc_scalar *out, int *meant)
{
  int p = memc_split_suffix(word), hex;
  char *from, *to, *end;
  if (p < 0)
    p = want;
  if (strcmp(word, "true") == 0 || strcmp(word, "false") == 0) {
    *meant = p;
    out->b = *word == 't';
    return p < 0 || p == MEMC_T_BOOL ? MEMC_T_BOOL : -1;
  }
  for (from = to = word; *from; from++)
    if (*from != '_')
      *to++ = *from;
  *to = '\0';
  from = word + strspn(word, "+-");
  hex = from[0] == '0' && (from[1] == 'x' || from[1] == 'X');
  if (p < 0)
    p = !hex && strpbrk(word, ".enEN") ? MEMC_T_F64 : MEMC_T_I32;
  *meant = p;
  if (p == MEMC_T_BOOL)
    return -1;
  if (!memc_prim_is_float(p))
    return memc_integer(word, p, out) ? p : -1;
  if (p == MEMC_T_F16)
    out->f16 = memc_half(strtof(word, &end));
  else if (p == MEMC_T_F32)
    out->f32 = strtof(word, &end);
  else
    out->f64 = strtod(word, &end);
  return end != word && *end == '\0' ? p : -1;
}
