/* Arguments of kernels. */

/* An argument of a kernel: a block, a scalar of size bytes, or local memory. */
struct memc_arg {
  size_t size;  /* 0: a block */
  size_t local; /* bytes for each work-group; 0: something else */
  struct memc_block *block;
  int how; /* the kernel uses the block: MEMC_READS, or MEMC_WRITES, which may be a part of it */
  union memc_scalar scalar;
};

static MEMC_UNUSED struct memc_arg memc_arg_block(struct memc_block *b)
{
  struct memc_arg a;
  memset(&a, 0, sizeof a);
  a.block = b;
  a.how = MEMC_WRITES;
  return a;
}

/* A block that the kernel only reads. */
static MEMC_UNUSED struct memc_arg memc_arg_read(struct memc_block *b)
{
  struct memc_arg a = memc_arg_block(b);
  a.how = MEMC_READS;
  return a;
}

static MEMC_UNUSED struct memc_arg memc_arg_local(int64_t bytes)
{
  struct memc_arg a;
  memset(&a, 0, sizeof a);
  a.local = bytes > 0 ? (size_t)bytes : 1;
  return a;
}

#define MEMC_ARG(name, type) \
  static MEMC_UNUSED struct memc_arg memc_arg_##name(type v) \
  { \
    struct memc_arg a; \
    memset(&a, 0, sizeof a); \
    a.size = sizeof v; \
    memcpy(&a.scalar, &v, sizeof v); \
    return a; \
  }
MEMC_ARG(i8, int8_t)
MEMC_ARG(i16, int16_t)
MEMC_ARG(i32, int32_t)
MEMC_ARG(i64, int64_t)
MEMC_ARG(u8, uint8_t)
MEMC_ARG(u16, uint16_t)
MEMC_ARG(u32, uint32_t)
MEMC_ARG(u64, uint64_t)
MEMC_ARG(f16, uint16_t)
MEMC_ARG(f32, float)
MEMC_ARG(f64, double)
MEMC_ARG(bool, uint8_t) /* a kernel takes no bool */
#undef MEMC_ARG
