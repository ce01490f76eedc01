/* Strided copies against the obvious loop. It stands behind a library's source. */

static unsigned long seed = 1;

static int64_t roll(int64_t n)
{
  seed = seed * 6364136223846793005ul + 1442695040888963407ul;
  return (int64_t)((seed >> 33) % (unsigned long)n);
}

enum { ROOM = 1 << 15 };

/* Gives a place of that shape without two indices on one element: some order of
   the dimensions, row-major with gaps, some strides negative. */
static int64_t place(int rank, const int64_t *shape, int64_t *strides)
{
  int order[16], i, k, t;
  int64_t step = 1 + roll(2), off = 0;
  for (i = 0; i < rank; i++)
    order[i] = i;
  for (i = rank - 1; i > 0 && roll(2); i--)
    k = (int)roll(i + 1), t = order[i], order[i] = order[k], order[k] = t;
  for (i = rank - 1; i >= 0; i--) {
    k = order[i];
    strides[k] = step;
    step *= shape[k];
    step += roll(3) == 0 ? roll(3) : 0;
    if (roll(5) == 0) {
      off += (shape[k] - 1) * strides[k];
      strides[k] = -strides[k];
    }
  }
  return off + roll(40);
}

static void fill(unsigned char *bytes, unsigned char start)
{
  int i;
  for (i = 0; i < ROOM * 8; i++)
    bytes[i] = (unsigned char)(start + i * 7 + (i >> 8));
}

/* The oracle: read all, then write. */
static void slow(unsigned char *dst, int64_t doff, const int64_t *ds, const unsigned char *src, int64_t soff,
                 const int64_t *ss, int rank, const int64_t *shape, int size)
{
  static unsigned char all[ROOM * 8];
  int64_t index[16] = {0}, n, total = memc_elems(rank, shape);
  int pass, i;
  for (pass = 0; pass < 2; pass++) {
    memset(index, 0, sizeof index);
    for (n = 0; n < total; n++) {
      int64_t d = doff, s = soff;
      for (i = 0; i < rank; i++)
        d += index[i] * ds[i], s += index[i] * ss[i];
      if (pass)
        memcpy(dst + d * size, all + n * size, (size_t)size);
      else
        memcpy(all + n * size, src + s * size, (size_t)size);
      for (i = rank - 1; i >= 0 && ++index[i] == shape[i]; i--)
        index[i] = 0;
    }
  }
}

int main(void)
{
  static unsigned char a[ROOM * 8], b[ROOM * 8], got[ROOM * 8];
  struct memc_context ctx;
  struct memc_block *m[2] = {NULL, NULL};
  int round, rank, i, same;
  memset(&ctx, 0, sizeof ctx);
  if (memc_up(&ctx, NULL)) {
    fprintf(stderr, "%s\n", memc_error_text(&ctx));
    return 1;
  }
  CHECK(memc_alloc(&ctx, &m[0], sizeof a, 0, "", "a") == 0 && memc_alloc(&ctx, &m[1], sizeof b, 1, "", "b") == 0);
  for (round = 0; round < 1500; round++) {
    const int size = 1 << roll(4);
    int64_t shape[16], ds[16], ss[16], doff, soff, total = 1;
    rank = (int)roll(5);
    if (roll(10) == 0)
      rank = 9; /* one more than the kernel takes */
    for (i = 0; i < rank; i++) {
      shape[i] = rank > 5 ? 1 + (roll(3) > 0) : roll(30) == 0 ? 0 : 1 + roll(6);
      if (rank <= 3 && roll(2) == 0) /* of several boxes, or of words */
        shape[i] = rank == 3 ? 4 * (1 + roll(5)) : 1 + roll(80);
      if (rank > 5 && total > 200)
        shape[i] = 1;
      total *= shape[i] ? shape[i] : 1;
    }
    doff = place(rank, shape, ds);
    soff = place(rank, shape, ss);
    if (roll(8) == 0 && rank > 0)
      ss[roll(rank)] = 0; /* a repeated source */
    if (roll(6) == 0) {
      soff = doff;
      memcpy(ss, ds, sizeof ss);
    }
    for (i = 0; i < rank; i++)
      if (ss[i] < 0 && soff < -ss[i] * (shape[i] - 1))
        soff = -ss[i] * (shape[i] - 1);
    same = roll(3) == 0;
    fill(a, 1);
    fill(b, 100);
    for (i = 0; i < 2; i++)
      CHECK(memc_store_all(&ctx, m[i], 0, 1, sizeof a, i ? b : a) == 0);
    if (memc_copy(&ctx, m[0], doff, ds, m[!same], soff, ss, rank, shape, size)) {
      fprintf(stderr, "round %d: %s\n", round, memc_error_text(&ctx));
      return 1;
    }
    slow(a, doff, ds, same ? a : b, soff, ss, rank, shape, size);
    CHECK(memc_read(&ctx, m[0], sizeof got, got) == 0);
    if (memcmp(a, got, sizeof a) != 0) {
      fprintf(stderr, "round %d, rank %d, size %d, same %d: wrong\n", round, rank, size, same);
      return 1;
    }
  }
  {
    /* Where source and target coincide nothing is copied. */
    const int64_t shape[] = {3, 4}, s[] = {10, 2}, big[] = {3, 40000};
    const int64_t before = ctx.stats.copied_bytes;
    CHECK(memc_copy(&ctx, m[0], 5, s, m[0], 5, s, 2, shape, 4) == 0);
    CHECK(ctx.stats.copied_bytes == before);
    CHECK(memc_copy(&ctx, m[0], 6, s, m[0], 5, s, 2, shape, 4) == 0);
    CHECK(ctx.stats.copied_bytes == before + 48);
    CHECK(memc_copy(&ctx, m[0], 0, s, m[1], 0, s, 2, big, 4) == MEMC_ERROR && strstr(memc_error_text(&ctx), "outside of its block"));
    CHECK(memc_copy(&ctx, m[0], -1, s, m[1], 0, s, 2, shape, 4) == MEMC_ERROR);
  }
  {
    /* Sizes, strides and offsets whose products do not fit. */
    const int64_t huge[] = {(int64_t)1 << 32, (int64_t)1 << 32}, flat[] = {0, 0}, two[] = {2, 1}, one[] = {4, 1};
    const int64_t far[] = {INT64_MAX, 1}, back[] = {INT64_MIN, 1};
    CHECK(memc_copy(&ctx, m[0], 0, flat, m[1], 0, flat, 2, huge, 4) == MEMC_ERROR && strstr(memc_error_text(&ctx), "too many"));
    CHECK(memc_copy(&ctx, m[0], 1, far, m[1], 0, one, 2, two, 4) == MEMC_ERROR && strstr(memc_error_text(&ctx), "too far"));
    CHECK(memc_copy(&ctx, m[0], 0, one, m[1], 0, back, 2, two, 4) == MEMC_ERROR && strstr(memc_error_text(&ctx), "too far"));
    CHECK(memc_copy(&ctx, m[0], 0, one, m[1], INT64_MAX, one, 2, two, 4) == MEMC_ERROR && strstr(memc_error_text(&ctx), "too far"));
  }
  memc_release(&ctx, &m[0]);
  memc_release(&ctx, &m[1]);
  CHECK(ctx.pool.stats.asked == 0 && ctx.stats.kernel_launches == 0);
  memc_down(&ctx);
  puts("ok");
  return 0;
}
