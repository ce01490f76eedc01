/* Bounds: what lies in a block. */

/* Tells whether count elements at element off lie in the block. */
static int memc_within(const struct memc_block *b, int64_t off, int64_t count, int64_t size)
{
  return b && off >= 0 && count >= 0 && off <= b->bytes / size && count <= b->bytes / size - off;
}

static int memc_outside(struct memc_context *ctx, const struct memc_block *b, const char *what, int64_t off, int64_t count)
{
  const int64_t bytes = b ? b->bytes : 0;
  if (count == 1)
    return memc_fail(ctx, MEMC_ERROR, "error: %s at element %" PRId64 " lies outside of its block of %" PRId64 " bytes", what, off, bytes);
  return memc_fail(ctx, MEMC_ERROR, "error: %s at elements %" PRId64 " to %" PRId64 " lies outside of its block of %" PRId64 " bytes",
                   what, off, off + count - 1, bytes);
}
