/* Copies by the copy kernel. */

/* Runs the copy kernel. Its dimensions stand outermost first; missing ones have
   length 1. */
static int memc_copy_launch(struct memc_context *ctx, const struct memc_copy *c)
{
  struct memc_arg args[5 + 3 * MEMC_COPY_RANK];
  const int kernel = MEMC_PROGRAM_KERNELS + (c->size == 1 ? 0 : c->size == 2 ? 1 : c->size == 4 ? 2 : 3);
  const int pad = MEMC_COPY_RANK - c->rank;
  struct memc_dim d;
  int64_t elems = 1;
  int i;
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
  args[1] = memc_arg_block(c->src);
  args[2] = memc_arg_i64(elems);
  args[3] = memc_arg_i64(c->dst_off);
  args[4] = memc_arg_i64(c->src_off);
  return memc_enqueue(ctx, kernel, (elems + MEMC_GROUP_SIZE - 1) / MEMC_GROUP_SIZE, 0,
                      5 + 3 * MEMC_COPY_RANK, args);
}
