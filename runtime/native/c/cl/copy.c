/* Copies by the copy kernels.

   A box is what a work-group of a copy kernel copies: 2^logs[k] elements along the dimension that
   comes k before the last. If the source runs fastest along the last dimension but one, and not along
   the last as the target does, the box is turned in local memory. */

/* The logarithm of a positive number to base 2, rounded up. */
static int memc_ceil_log(int64_t n)
{
  int log = 0;
  while (log < 62 && (int64_t)1 << log < n)
    log++;
  return log;
}

/* Tells whether the kernel can compute all offsets within a box in 32 bits. */
static int memc_box_fits(const struct memc_dim *inner, const int *logs)
{
  int64_t to = 0, from = 0, n;
  int k;
  for (k = 0; k < 3; k++) {
    n = ((int64_t)1 << logs[k]) - 1;
    if (k == 2 && logs[0] + logs[1] < 11 && n < (1 << (11 - logs[0] - logs[1])) - 1)
      n = (1 << (11 - logs[0] - logs[1])) - 1; /* it counts to 2048 */
    if (llabs(inner[k].dst) > INT32_MAX || llabs(inner[k].src) > INT32_MAX)
      return 0;
    to += n * llabs(inner[k].dst);
    from += n * llabs(inner[k].src);
  }
  return to <= INT32_MAX && from <= INT32_MAX;
}

/* Chooses boxes for a copy, and puts its dimensions in the order that the kernel wants. *arg is the
   kernel's argument. Gives the number of boxes, or 0 where they do not pay, or do not fit.
   What a copy costs is counted in elements of full boxes; any choice is right. */
static int64_t memc_copy_boxes(struct memc_copy *c, int64_t *arg)
{
  enum {
    ROWS = 10,   /* of a turned box, as a power of two: what its room in local memory has */
    LEAST = 5,   /* of logs[0] + logs[1] */
    COST = 1024, /* of a box, besides its elements */
    GENERAL = 2, /* of an element without boxes */
    ROW = 64     /* bytes that neighbours should move */
  };
  static const int limit[3] = {12, 10, 6}; /* of logs, as the kernels let them be */
  struct memc_dim inner[3], d;
  int most[3], row[2], logs[3], i, fast, turned;
  const int last = c->rank - 1, all = 14 - memc_ceil_log(c->size);
  int64_t total = 1, best = INT64_MAX, boxes = 0;
  for (i = 0, fast = last; i < c->rank; i++) {
    total *= c->dims[i].len;
    if (c->dims[i].src != 0 && (c->dims[fast].src == 0 || llabs(c->dims[i].src) < llabs(c->dims[fast].src)))
      fast = i;
  }
  turned = fast != last;
  if (turned) {
    d = c->dims[fast];
    for (i = fast; i < last - 1; i++)
      c->dims[i] = c->dims[i + 1];
    c->dims[last - 1] = d;
  }
  for (i = 0; i < 3; i++) {
    inner[i].len = 1, inner[i].dst = 0, inner[i].src = 0;
    if (i <= last)
      inner[i] = c->dims[last - i];
    most[i] = memc_ceil_log(inner[i].len);
    if (most[i] > limit[i])
      most[i] = limit[i];
  }
  row[0] = row[1] = memc_ceil_log(ROW / c->size);
  if (row[0] > most[0])
    row[0] = most[0];
  if (row[1] > most[1])
    row[1] = most[1];
  if (!turned)
    row[1] = 0;
  for (logs[0] = most[0]; logs[0] >= row[0]; logs[0]--) {
    logs[1] = row[1] > LEAST - logs[0] ? row[1] : LEAST - logs[0];
    for (; logs[1] <= most[1] && logs[1] <= all - logs[0]; logs[1]++) {
      int uneven = turned ? abs(logs[0] - logs[1]) : logs[0] < 9 ? 9 - logs[0] : 0;
      int64_t n = total / inner[0].len / inner[1].len / inner[2].len, cost;
      logs[2] = most[2] < all - logs[0] - logs[1] ? most[2] : all - logs[0] - logs[1];
      if (turned && logs[2] > ROWS - logs[0])
        logs[2] = ROWS - logs[0];
      if (logs[2] < 0 || !memc_box_fits(inner, logs))
        continue;
      for (i = 0; i < 3; i++)
        n *= (inner[i].len + ((int64_t)1 << logs[i]) - 1) >> logs[i];
      cost = n * ((1 << (logs[0] + logs[1] + logs[2])) + COST);
      cost += cost / 32 * uneven;
      if (cost < best) {
        best = cost;
        boxes = n;
        *arg = turned << 12 | logs[2] << 8 | logs[1] << 4 | logs[0];
      }
    }
  }
  return best / GENERAL <= total ? boxes : 0;
}

/* Makes a copy of elements of 1 or 2 bytes one of words of 4 bytes, if both places consist of whole
   words. */
static void memc_copy_words(struct memc_copy *c)
{
  const int per = 4 / c->size, last = c->rank - 1;
  int i;
  if (c->size >= 4 || c->dims[last].dst != 1 || c->dims[last].src != 1 || c->dims[last].len % per != 0 ||
      c->dst_off % per != 0 || c->src_off % per != 0 || c->dst->offset % 4 != 0 || c->src->offset % 4 != 0)
    return;
  for (i = 0; i < last; i++)
    if (c->dims[i].dst % per != 0 || c->dims[i].src % per != 0)
      return;
  for (i = 0; i < last; i++)
    c->dims[i].dst /= per, c->dims[i].src /= per;
  c->dims[last].len /= per;
  c->dst_off /= per, c->src_off /= per, c->size = 4;
}

/* Runs a copy kernel. Its dimensions stand outermost first; missing ones have
   length 1. */
static int memc_copy_launch(struct memc_context *ctx, const struct memc_copy *copy)
{
  struct memc_arg args[5 + 3 * MEMC_COPY_RANK];
  struct memc_copy c = *copy, boxed;
  const int pad = MEMC_COPY_RANK - c.rank;
  struct memc_dim d;
  int64_t elems = 1, box = 0, groups;
  int i, kernel;
  memc_copy_words(&c);
  kernel = MEMC_PROGRAM_KERNELS + memc_ceil_log(c.size);
  boxed = c;
  if ((groups = memc_copy_boxes(&boxed, &box)) > 0)
    c = boxed, kernel += 4;
  for (i = 0; i < MEMC_COPY_RANK; i++) {
    d.len = 1, d.dst = 0, d.src = 0;
    if (i >= pad)
      d = c.dims[i - pad];
    elems *= d.len;
    args[5 + i] = memc_arg_i64(d.len);
    args[5 + MEMC_COPY_RANK + i] = memc_arg_i64(d.dst);
    args[5 + 2 * MEMC_COPY_RANK + i] = memc_arg_i64(d.src);
  }
  args[0] = memc_arg_block(c.dst);
  args[1] = memc_arg_read(c.src);
  args[2] = memc_arg_i64(groups > 0 ? box : elems);
  args[3] = memc_arg_i64(c.dst_off);
  args[4] = memc_arg_i64(c.src_off);
  if (groups == 0)
    groups = (elems + 4 * MEMC_GROUP_SIZE - 1) / (4 * MEMC_GROUP_SIZE);
  return memc_enqueue(ctx, kernel, groups, MEMC_GROUP_SIZE, 0, 5 + 3 * MEMC_COPY_RANK, args);
}
