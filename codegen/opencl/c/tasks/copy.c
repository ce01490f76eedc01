/* Copies in loops. The two innermost dimensions are walked in tiles, so that a
   transposition uses the whole of every cache line that it touches. */

enum { MEMC_TILE = 32, MEMC_COPY_TASK = 1 << 16 };

#define MEMC_COPY_LOOP(T) \
  for (i = 0; i < n; i++) { \
    T *to = (T *)dst + i * d1->dst; \
    const T *from = (const T *)src + i * d1->src; \
    for (j = 0; j < m; j++) \
      to[j * d0->dst] = from[j * d0->src]; \
  }

/* Copies n by m elements. */
static void memc_copy_tile(unsigned char *dst, const unsigned char *src, int size, int64_t n, int64_t m,
                           const struct memc_dim *d1, const struct memc_dim *d0)
{
  int64_t i, j;
  switch (size) {
  case 1: MEMC_COPY_LOOP(memc_at_uint8_t) break;
  case 2: MEMC_COPY_LOOP(memc_at_uint16_t) break;
  case 4: MEMC_COPY_LOOP(memc_at_uint32_t) break;
  default: MEMC_COPY_LOOP(memc_at_uint64_t) break;
  }
}

struct memc_copy_part {
  const struct memc_copy *c;
  int64_t strips; /* of MEMC_TILE rows each, in all */
};

/* Copies some of the strips: a strip is MEMC_TILE rows of the last dimension but one. */
static void memc_copy_task(struct memc_context *ctx, int64_t task, int64_t tasks, const void *args)
{
  const struct memc_copy_part *p = args;
  const struct memc_copy *c = p->c;
  static const struct memc_dim single = {1, 0, 0};
  const struct memc_dim *d0 = &c->dims[c->rank - 1], *d1 = c->rank > 1 ? &c->dims[c->rank - 2] : &single;
  const int64_t rows = (d1->len + MEMC_TILE - 1) / MEMC_TILE, per = (p->strips + tasks - 1) / tasks;
  const int contiguous = d0->dst == 1 && d0->src == 1;
  int64_t s, j;
  (void)ctx;
  for (s = task * per; s < p->strips && s < (task + 1) * per; s++) {
    int64_t dst = c->dst_off, src = c->src_off, rest = s / rows;
    const int64_t i = s % rows * MEMC_TILE, n = d1->len - i < MEMC_TILE ? d1->len - i : MEMC_TILE;
    int k;
    for (k = c->rank - 3; k >= 0; k--) {
      const struct memc_dim *d = &c->dims[k];
      dst += rest % d->len * d->dst;
      src += rest % d->len * d->src;
      rest /= d->len;
    }
    dst += i * d1->dst;
    src += i * d1->src;
    for (j = 0; j < d0->len; j += contiguous ? d0->len : MEMC_TILE) {
      const int64_t m = contiguous || d0->len - j < MEMC_TILE ? d0->len - j : MEMC_TILE;
      memc_copy_tile(memc_bytes(c->dst) + (dst + j * d0->dst) * c->size, memc_bytes(c->src) + (src + j * d0->src) * c->size,
                     c->size, n, m, d1, d0);
    }
  }
}

static int memc_copy_launch(struct memc_context *ctx, const struct memc_copy *c)
{
  struct memc_copy_part p;
  int64_t elems = 1, tasks;
  int k;
  p.c = c;
  p.strips = c->rank > 1 ? (c->dims[c->rank - 2].len + MEMC_TILE - 1) / MEMC_TILE : 1;
  for (k = 0; k < c->rank; k++) {
    elems *= c->dims[k].len;
    if (k < c->rank - 2)
      p.strips *= c->dims[k].len;
  }
  tasks = elems / MEMC_COPY_TASK + 1;
  memc_tasks(ctx, memc_copy_task, tasks < p.strips ? tasks : p.strips, &p);
  return MEMC_OK;
}
