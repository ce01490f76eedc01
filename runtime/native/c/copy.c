/* Copies between two strided places, exact for any pair.

   A copy is normalised first: dimensions of length 1 go, negative target
   strides are turned round, dimensions are sorted by target stride, and
   neighbours that step together become one. Then

     source and target coincide       nothing to do
     one dimension, both strides 1    the driver's copy
     the two may overlap              through a temporary block
     up to 8 dimensions               memc_copy_launch
     more                             a loop over the outermost ones

   The order in which elements are copied does not matter. Generated C and the Go package runtime
   compile this, and cl/copy.c, behind blocks and launches of their own. It needs base.c, bounds.c,
   MEMC_MAX_RANK, struct memc_block and struct memc_context, and of a context memc_alloc,
   memc_release, memc_block_copy and memc_fail. */

enum { MEMC_COPY_RANK = 8 };

struct memc_dim { int64_t len, dst, src; };

struct memc_copy {
  struct memc_block *dst, *src;
  int64_t dst_off, src_off;
  int size; /* of an element, in bytes */
  int rank;
  struct memc_dim dims[MEMC_MAX_RANK];
};

/* Normalises a copy in place, whose source and target lie in their blocks: so no
   product of a stride and a length is too large. */
static MEMC_UNUSED void memc_copy_normalise(struct memc_copy *c)
{
  int i, k, rank = 0;
  for (i = 0; i < c->rank; i++) {
    struct memc_dim d = c->dims[i];
    if (d.len == 1)
      continue;
    if (d.dst < 0) {
      c->dst_off += (d.len - 1) * d.dst;
      c->src_off += (d.len - 1) * d.src;
      d.dst = -d.dst;
      d.src = -d.src;
    }
    for (k = rank++; k > 0 && c->dims[k - 1].dst < d.dst; k--)
      c->dims[k] = c->dims[k - 1];
    c->dims[k] = d;
  }
  k = 0;
  for (i = 1; i < rank; i++) {
    struct memc_dim *outer = &c->dims[k], *inner = &c->dims[i];
    if (outer->dst == inner->dst * inner->len && outer->src == inner->src * inner->len) {
      outer->len *= inner->len;
      outer->dst = inner->dst;
      outer->src = inner->src;
    } else {
      c->dims[++k] = *inner;
    }
  }
  c->rank = rank ? k + 1 : 0;
}

/* Tells whether source and target are the same places in the same order. */
static MEMC_UNUSED int memc_copy_coincides(const struct memc_copy *c)
{
  int i;
  if (c->dst != c->src || c->dst_off != c->src_off)
    return 0;
  for (i = 0; i < c->rank; i++)
    if (c->dims[i].dst != c->dims[i].src)
      return 0;
  return 1;
}

/* Widens a half-open range of elements by steps of a stride, which is no INT64_MIN;
   false where that is no range of elements. */
static MEMC_UNUSED int memc_widen(int64_t range[2], int64_t steps, int64_t stride)
{
  const int64_t size = stride < 0 ? -stride : stride;
  if (size != 0 && steps > INT64_MAX / size)
    return 0;
  if (stride < 0 ? range[0] < INT64_MIN + steps * size : range[1] > INT64_MAX - steps * size)
    return 0;
  range[stride > 0] += steps * stride;
  return 1;
}

/* Finds the smallest range of elements that holds the source and that which
   holds the target (half-open); false where one is no range of elements. */
static MEMC_UNUSED int memc_copy_range(const struct memc_copy *c, int64_t dst[2], int64_t src[2])
{
  int i;
  if (c->dst_off == INT64_MAX || c->src_off == INT64_MAX)
    return 0;
  dst[0] = c->dst_off, src[0] = c->src_off;
  dst[1] = c->dst_off + 1, src[1] = c->src_off + 1;
  for (i = 0; i < c->rank; i++) {
    const struct memc_dim *d = &c->dims[i];
    if (d->len > 1 && (d->dst == INT64_MIN || d->src == INT64_MIN || !memc_widen(dst, d->len - 1, d->dst) ||
                       !memc_widen(src, d->len - 1, d->src)))
      return 0;
  }
  return 1;
}

/* Copies up to MEMC_COPY_RANK dimensions between places that do not overlap (the
   target's: the copy kernel, or loops). */
static int memc_copy_launch(struct memc_context *ctx, const struct memc_copy *c);

/* Runs a normalised copy whose source and target do not overlap. */
static int memc_copy_disjoint(struct memc_context *ctx, const struct memc_copy *c)
{
  const size_t size = (size_t)c->size;
  struct memc_copy part = *c;
  int64_t i;
  int err;
  if (ctx->rehearsing)
    return MEMC_OK;
  if (c->rank == 0 || (c->rank == 1 && c->dims[0].dst == 1 && c->dims[0].src == 1))
    return memc_block_copy(ctx, c->dst, (size_t)c->dst_off * size, c->src, (size_t)c->src_off * size,
                           (size_t)(c->rank ? c->dims[0].len : 1) * size);
  if (c->rank <= MEMC_COPY_RANK)
    return memc_copy_launch(ctx, c);
  part.rank--;
  memmove(part.dims, part.dims + 1, (size_t)part.rank * sizeof *part.dims);
  for (i = 0; i < c->dims[0].len; i++) {
    if ((err = memc_copy_disjoint(ctx, &part)))
      return err;
    part.dst_off += c->dims[0].dst;
    part.src_off += c->dims[0].src;
  }
  return MEMC_OK;
}

/* Copies through a temporary block that holds the elements row-major. */
static int memc_copy_overlapping(struct memc_context *ctx, const struct memc_copy *c, int64_t elems)
{
  struct memc_block *temp = NULL;
  struct memc_copy in = *c, out = *c;
  int64_t step = 1;
  int i, err = memc_alloc(ctx, &temp, elems * c->size, MEMC_TEMP_TAG, "", "a temporary block");
  if (err)
    return err;
  in.dst = out.src = temp;
  in.dst_off = out.src_off = 0;
  for (i = c->rank - 1; i >= 0; i--) {
    in.dims[i].dst = out.dims[i].src = step;
    step *= c->dims[i].len;
  }
  memc_copy_normalise(&in);
  memc_copy_normalise(&out);
  if ((err = memc_copy_disjoint(ctx, &in)) == 0)
    err = memc_copy_disjoint(ctx, &out);
  memc_release(ctx, &temp);
  return err;
}

/* Copies shape elements; offsets and strides count elements of size bytes. */
static MEMC_UNUSED int memc_copy(struct memc_context *ctx,
                                 struct memc_block *dst, int64_t dst_off, const int64_t *dst_strides,
                                 struct memc_block *src, int64_t src_off, const int64_t *src_strides,
                                 int rank, const int64_t *shape, int size)
{
  struct memc_copy c;
  int64_t elems, d[2], s[2];
  int i;
  c.dst = dst, c.dst_off = dst_off, c.src = src, c.src_off = src_off, c.size = size, c.rank = rank;
  for (i = 0; i < rank; i++) {
    if (shape[i] <= 0)
      return MEMC_OK;
    c.dims[i].len = shape[i];
    c.dims[i].dst = dst_strides[i];
    c.dims[i].src = src_strides[i];
  }
  if ((elems = memc_elems(rank, shape)) < 0 || !memc_copy_range(&c, d, s))
    return memc_fail(ctx, MEMC_ERROR, "error: a copy has too many elements, or reaches too far");
  if (!memc_within(dst, d[0], d[1] - d[0], size))
    return memc_outside(ctx, dst, "a copy's target", d[0], d[1] - d[0]);
  if (!memc_within(src, s[0], s[1] - s[0], size))
    return memc_outside(ctx, src, "a copy's source", s[0], s[1] - s[0]);
  memc_copy_normalise(&c);
  if (memc_copy_coincides(&c))
    return MEMC_OK;
  ctx->stats.copied_bytes += elems * size;
  if (dst == src && d[0] < s[1] && s[0] < d[1])
    return memc_copy_overlapping(ctx, &c, elems);
  return memc_copy_disjoint(ctx, &c);
}
