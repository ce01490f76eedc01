/* Copies by the copy kernels. */

/* Prepares a copy whose source runs fastest along another dimension than its target
   does: that one comes before the last, which is the target's. *wide is the width of a
   tile along it, as a power of two. Gives the number of tiles, or 0 where they are not
   worth it: runtime/tiles.go has the reasons. */
static int64_t memc_copy_tiles(struct memc_copy *c, int64_t *wide)
{
  const int log = c->size <= 2 ? 12 : c->size == 4 ? 11 : 10, last = c->rank - 1;
  int64_t tiles = 1, w = log / 2;
  struct memc_dim d;
  int i, fast = last;
  for (i = 0; i < c->rank; i++)
    if (c->dims[i].src != 0 && (c->dims[fast].src == 0 || llabs(c->dims[i].src) < llabs(c->dims[fast].src)))
      fast = i;
  if (fast == last || c->dims[fast].len * c->dims[last].len < 1 << (log - 2))
    return 0;
  while (w > log - 8 && c->dims[fast].len <= 1 << (w - 1))
    w--;
  while (w < 8 && c->dims[last].len <= 1 << (log - w - 1))
    w++;
  d = c->dims[fast];
  for (i = fast; i < last - 1; i++)
    c->dims[i] = c->dims[i + 1];
  c->dims[last - 1] = d;
  for (i = 0; i < last - 1; i++)
    tiles *= c->dims[i].len;
  *wide = w;
  return tiles * ((d.len + (1 << w) - 1) >> w) * ((c->dims[last].len + (1 << (log - w)) - 1) >> (log - w));
}

/* Runs a copy kernel. Its dimensions stand outermost first; missing ones have
   length 1. */
static int memc_copy_launch(struct memc_context *ctx, const struct memc_copy *copy)
{
  struct memc_arg args[5 + 3 * MEMC_COPY_RANK];
  struct memc_copy turned = *copy;
  const struct memc_copy *c = &turned;
  const int pad = MEMC_COPY_RANK - c->rank;
  struct memc_dim d;
  int64_t elems = 1, wide = 0, groups;
  int i, kernel = MEMC_PROGRAM_KERNELS + (c->size == 1 ? 0 : c->size == 2 ? 1 : c->size == 4 ? 2 : 3);
  if ((groups = memc_copy_tiles(&turned, &wide)) > 0)
    kernel += 4;
  for (i = 0; i < MEMC_COPY_RANK; i++) {
    d.len = 1, d.dst = 0, d.src = 0;
    if (i >= pad)
      d = c->dims[i - pad];
    elems *= d.len;
    args[5 + i] = memc_arg_i64(d.len);
    args[5 + MEMC_COPY_RANK + i] = memc_arg_i64(d.dst);
    args[5 + 2 * MEMC_COPY_RANK + i] = memc_arg_i64(d.src);
  }
  args[0] = memc_arg_block(c->dst);
  args[1] = memc_arg_read(c->src);
  args[2] = memc_arg_i64(groups > 0 ? wide : elems);
  args[3] = memc_arg_i64(c->dst_off);
  args[4] = memc_arg_i64(c->src_off);
  if (groups == 0)
    groups = (elems + 4 * MEMC_GROUP_SIZE - 1) / (4 * MEMC_GROUP_SIZE);
  return memc_enqueue(ctx, kernel, groups, MEMC_GROUP_SIZE, 0, 5 + 3 * MEMC_COPY_RANK, args);
}
