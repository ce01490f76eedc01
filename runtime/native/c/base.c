/* Base: what every part of the runtime stands on. */

/* Old names of the system that are no identifiers of ours. */
#undef linux
#undef unix
#undef i386

#if defined(__GNUC__) || defined(__clang__)
#define MEMC_UNUSED __attribute__((unused))
#define MEMC_NOINLINE __attribute__((noinline))
#else
#define MEMC_UNUSED
#define MEMC_NOINLINE
#endif

/* Scalars are rounded after every operation, on the host as on the device. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__) && defined(__FP_FAST_FMA)
#pragma GCC optimize("fp-contract=off")
#endif

/* The element types, in the order of memc_prims. */
enum {
  MEMC_T_I8, MEMC_T_I16, MEMC_T_I32, MEMC_T_I64, MEMC_T_U8, MEMC_T_U16, MEMC_T_U32, MEMC_T_U64,
  MEMC_T_F16, MEMC_T_F32, MEMC_T_F64, MEMC_T_BOOL, MEMC_PRIMS
};

static MEMC_UNUSED const struct { const char *name; int size; } memc_prims[MEMC_PRIMS] = {
  {"i8", 1}, {"i16", 2}, {"i32", 4}, {"i64", 8}, {"u8", 1}, {"u16", 2},
  {"u32", 4}, {"u64", 8}, {"f16", 2}, {"f32", 4}, {"f64", 8}, {"bool", 1}
};

/* A scalar of any type. Every member starts at offset 0, so an element is
   copied in and out by its size. */
union memc_scalar {
  int8_t i8; int16_t i16; int32_t i32; int64_t i64;
  uint8_t u8; uint16_t u16; uint32_t u32; uint64_t u64;
  uint16_t f16; float f32; double f64; bool b;
};

/* Gives the number of elements of a shape, or -1 where a dimension is negative
   or the product does not fit an address space. */
static MEMC_UNUSED int64_t memc_elems(int rank, const int64_t *shape)
{
  const int64_t most = (int64_t)1 << 56;
  int64_t n = 1;
  int i;
  for (i = 0; i < rank; i++) {
    if (shape[i] < 0)
      return -1;
    if (shape[i] > 0 && n > most / shape[i])
      return -1;
    n *= shape[i];
  }
  return n;
}

/* Formats into fresh memory, for the caller to free; NULL where there is none. */
static MEMC_UNUSED char *memc_vformat(const char *format, va_list args)
{
  va_list again;
  char *text;
  int n;
  va_copy(again, args);
  n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (n < 0 || (text = malloc((size_t)n + 1)) == NULL)
    return NULL;
  vsnprintf(text, (size_t)n + 1, format, args);
  return text;
}

static MEMC_UNUSED char *memc_format(const char *format, ...)
{
  va_list args;
  char *text;
  va_start(args, format);
  text = memc_vformat(format, args);
  va_end(args);
  return text;
}

static MEMC_UNUSED int64_t memc_now_us(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}
