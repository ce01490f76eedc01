/* Pool: where in the driver's buffers blocks lie.

   This is package runtime/pool in C, decision for decision; its documentation
   tells the policies, the budget and what happens when memory runs out.
   TestDecisions of that package replays requests through both. It needs nothing but the headers
   stdint, stdlib and string, and MEMC_UNUSED. */

enum { MEMC_POOL_DRIVER, MEMC_POOL_TAGGED, MEMC_POOL_REGION, MEMC_POOL_POLICIES };

static MEMC_UNUSED const char *const memc_pool_policies[] = {"driver", "tagged", "region"};

/* Results. A source gives the first three. */
enum { MEMC_POOL_OK, MEMC_POOL_REFUSED, MEMC_POOL_BROKEN, MEMC_POOL_LIMIT, MEMC_POOL_NO_HOST };

/* How a request was served. */
enum { MEMC_POOL_MISS, MEMC_POOL_TAG, MEMC_POOL_OTHER, MEMC_POOL_SPLIT, MEMC_POOL_KINDS };

#define MEMC_POOL_GRAIN 256
#define MEMC_POOL_SMALL_GRAIN 16
#define MEMC_POOL_SLACK 16384
#define MEMC_POOL_IDLE_FOR 65536
#define MEMC_POOL_SHARE 16
#define MEMC_POOL_UNLIMITED ((int64_t)1 << 58)
#define MEMC_POOL_SUB 16
#define MEMC_POOL_BINS (MEMC_POOL_SUB + (64 - 8 - 4) * MEMC_POOL_SUB)
#define MEMC_POOL_WORDS ((MEMC_POOL_BINS + 63) / 64)
#define MEMC_POOL_SEARCH 32
#define MEMC_POOL_SLOTS 65536
#define MEMC_POOL_NO_TAG (-2147483647 - 1)

/* Where buffers come from. finish waits until released buffers are gone. */
struct memc_pool_source {
  void *self;
  int (*create)(void *self, int64_t bytes, void **buffer);
  void (*release)(void *self, void *buffer);
  int (*finish)(void *self);
};

struct memc_pool_buffer {
  void *handle;
  int64_t id, size, used, stamp;
  struct memc_range *first;
  struct memc_pool_buffer *prev, *next;
  void *note; /* from malloc, of whoever uses the pool; goes with the buffer */
};

/* A range of a buffer: a block, or a free one. */
struct memc_range {
  struct memc_pool_buffer *buf;
  int64_t off, size, asked;
  int tag, kind, used, bin; /* bin: 0 in none, else its index plus 1 */
  struct memc_range *left, *right, *prev, *next;
};

struct memc_pool_list { struct memc_pool_buffer *oldest, *newest; };

struct memc_pool_stats {
  int64_t requests, hits[MEMC_POOL_KINDS], failures;
  int64_t creates, releases, refusals, ladders;
  int64_t blocks, buffers, asked, rounded, held;
  int64_t peak_asked, peak_rounded, peak_held;
};

struct memc_pool {
  struct memc_pool_source src;
  int policy;
  int64_t grain, limit, max_alloc, idle_for;
  struct memc_range **slots; /* per tag: its last free block */
  int slot_count;
  struct memc_range *heads[MEMC_POOL_BINS];
  uint64_t bins[MEMC_POOL_WORDS]; /* a bit per bin that holds anything */
  struct memc_pool_list idle, busy;
  struct memc_range *spare; /* recycled, by next */
  int spares;
  int64_t most, clock, created;
  struct memc_pool_stats stats;
};

#define MEMC_MIN(a, b) ((a) < (b) ? (a) : (b))
#define MEMC_MAX(a, b) ((a) > (b) ? (a) : (b))

static MEMC_UNUSED void memc_pool_up(struct memc_pool *p, const struct memc_pool_source *src, int policy,
                                     int64_t limit, int64_t max_alloc, int64_t idle_for)
{
  memset(p, 0, sizeof *p);
  p->src = *src;
  p->policy = policy;
  p->grain = policy == MEMC_POOL_REGION ? MEMC_POOL_GRAIN : MEMC_POOL_SMALL_GRAIN;
  p->limit = limit > 0 && limit < MEMC_POOL_UNLIMITED ? limit : MEMC_POOL_UNLIMITED;
  p->max_alloc = max_alloc > 0 && max_alloc < MEMC_POOL_UNLIMITED ? max_alloc : MEMC_POOL_UNLIMITED;
  p->idle_for = idle_for > 0 ? idle_for : MEMC_POOL_IDLE_FOR;
}

/* -- Lists of buffers. -- */

static void memc_pool_list_add(struct memc_pool_list *l, struct memc_pool_buffer *b)
{
  b->prev = l->newest;
  b->next = NULL;
  *(l->newest ? &l->newest->next : &l->oldest) = b;
  l->newest = b;
}

static void memc_pool_list_remove(struct memc_pool_list *l, struct memc_pool_buffer *b)
{
  *(b->prev ? &b->prev->next : &l->oldest) = b->next;
  *(b->next ? &b->next->prev : &l->newest) = b->prev;
  b->prev = b->next = NULL;
}

/* The largest buffer; of equals the one that is in the list for longest. */
static struct memc_pool_buffer *memc_pool_list_largest(const struct memc_pool_list *l)
{
  struct memc_pool_buffer *b, *best = l->oldest;
  for (b = best; b; b = b->next)
    if (b->size > best->size)
      best = b;
  return best;
}

/* -- Bins. -- */

static int memc_pool_low_bit(uint64_t x)
{
#if defined(__GNUC__) || defined(__clang__)
  return __builtin_ctzll(x);
#else
  int n = 0;
  for (; !(x & 1); x >>= 1)
    n++;
  return n;
#endif
}

static int memc_pool_high_bit(uint64_t x)
{
#if defined(__GNUC__) || defined(__clang__)
  return 63 - __builtin_clzll(x);
#else
  int n = 0;
  while (x >>= 1)
    n++;
  return n;
#endif
}

static int memc_pool_bin(int64_t size)
{
  const uint64_t u = (uint64_t)size / MEMC_POOL_GRAIN;
  int e;
  if (u < MEMC_POOL_SUB)
    return (int)u;
  e = memc_pool_high_bit(u);
  return MEMC_POOL_SUB + (e - 4) * MEMC_POOL_SUB + (int)(u >> (e - 4) & (MEMC_POOL_SUB - 1));
}

static void memc_pool_bin_add(struct memc_pool *p, struct memc_range *b)
{
  const int i = memc_pool_bin(b->size);
  b->bin = i + 1;
  b->prev = NULL;
  if ((b->next = p->heads[i]))
    b->next->prev = b;
  p->heads[i] = b;
  p->bins[i >> 6] |= (uint64_t)1 << (i & 63);
}

static void memc_pool_bin_remove(struct memc_pool *p, struct memc_range *b)
{
  const int i = b->bin - 1;
  if (i < 0)
    return;
  if (b->prev)
    b->prev->next = b->next;
  else if ((p->heads[i] = b->next) == NULL)
    p->bins[i >> 6] &= ~((uint64_t)1 << (i & 63));
  if (b->next)
    b->next->prev = b->prev;
  b->bin = 0;
  b->prev = b->next = NULL;
}

/* The smallest block of a bin that is large enough, among the first limit ones. */
static struct memc_range *memc_pool_best(const struct memc_pool *p, int i, int64_t size, int64_t limit)
{
  struct memc_range *b, *best = NULL;
  for (b = p->heads[i]; b && limit > 0; b = b->next, limit--)
    if (b->size >= size && (best == NULL || b->size < best->size)) {
      best = b;
      if (b->size == size)
        break;
    }
  return best;
}

/* The first bin from i on that holds anything, or -1. */
static int memc_pool_next_bin(const struct memc_pool *p, int i)
{
  int w = i >> 6;
  uint64_t word;
  if (i >= MEMC_POOL_BINS)
    return -1;
  for (word = p->bins[w] >> (i & 63) << (i & 63); word == 0; word = p->bins[w])
    if (++w == MEMC_POOL_WORDS)
      return -1;
  return w * 64 + memc_pool_low_bit(word);
}

static struct memc_range *memc_pool_find(const struct memc_pool *p, int64_t size)
{
  const int i = memc_pool_bin(size);
  struct memc_range *b = memc_pool_best(p, i, size, MEMC_POOL_SEARCH);
  int j;
  if (b)
    return b;
  if ((j = memc_pool_next_bin(p, i + 1)) >= 0)
    return memc_pool_best(p, j, size, MEMC_POOL_SEARCH);
  return memc_pool_best(p, i, size, INT64_MAX);
}

/* -- Ranges and tags. -- */

static int memc_pool_slot_index(int tag)
{
  const unsigned t = (unsigned)tag;
  return (int)((tag < 0 ? ~(t << 1) : t << 1) & (MEMC_POOL_SLOTS - 1));
}

/* Where a tag's last free block is noted; memc_pool_prepare has made room. */
static struct memc_range **memc_pool_slot(struct memc_pool *p, int tag)
{
  return &p->slots[memc_pool_slot_index(tag)];
}

/* Makes sure that a request and the put that follows need no host memory, but
   for a new buffer. */
static int memc_pool_prepare(struct memc_pool *p, int tag)
{
  const int i = memc_pool_slot_index(tag);
  while (p->spares < 2) {
    struct memc_range *b = malloc(sizeof *b);
    if (b == NULL)
      return MEMC_POOL_NO_HOST;
    b->next = p->spare;
    p->spare = b;
    p->spares++;
  }
  if (i >= p->slot_count) {
    const int n = MEMC_MIN(MEMC_MAX(64, 2 * i), MEMC_POOL_SLOTS);
    struct memc_range **s = realloc(p->slots, (size_t)n * sizeof *s);
    if (s == NULL)
      return MEMC_POOL_NO_HOST;
    memset(s + p->slot_count, 0, (size_t)(n - p->slot_count) * sizeof *s);
    p->slots = s;
    p->slot_count = n;
  }
  return MEMC_POOL_OK;
}

static struct memc_range *memc_pool_range(struct memc_pool *p, struct memc_pool_buffer *buf, int64_t off, int64_t size)
{
  struct memc_range *b = p->spare;
  p->spare = b->next;
  p->spares--;
  memset(b, 0, sizeof *b);
  b->buf = buf;
  b->off = off;
  b->size = size;
  b->tag = MEMC_POOL_NO_TAG;
  return b;
}

static void memc_pool_recycle(struct memc_pool *p, struct memc_range *b)
{
  b->next = p->spare;
  p->spare = b;
  p->spares++;
}

/* Takes a free range out of its bin and out of its tag's slot. */
static void memc_pool_unlink(struct memc_pool *p, struct memc_range *b)
{
  if (b->tag != MEMC_POOL_NO_TAG) {
    struct memc_range **s = memc_pool_slot(p, b->tag);
    if (*s == b)
      *s = NULL;
  }
  memc_pool_bin_remove(p, b);
}

static void memc_pool_free_range(struct memc_pool *p, struct memc_range *b, int tag)
{
  b->tag = tag;
  b->kind = MEMC_POOL_OTHER;
  memc_pool_bin_add(p, b);
}

/* -- Buffers. -- */

/* Asks the source for a buffer. It is one free range in no bin, and idle. */
static int memc_pool_create(struct memc_pool *p, int64_t size, struct memc_range **out)
{
  struct memc_pool_buffer *buf;
  void *handle;
  int err;
  if (size > p->limit + MEMC_POOL_SLACK - p->stats.held)
    return MEMC_POOL_LIMIT;
  if ((buf = malloc(sizeof *buf)) == NULL)
    return MEMC_POOL_NO_HOST;
  if ((err = p->src.create(p->src.self, size, &handle))) {
    p->stats.refusals++;
    free(buf);
    return err;
  }
  buf->handle = handle;
  buf->id = p->created++;
  buf->size = size;
  buf->used = 0;
  buf->stamp = p->clock;
  buf->note = NULL;
  buf->first = memc_pool_range(p, buf, 0, size);
  memc_pool_list_add(&p->idle, buf);
  p->stats.creates++;
  p->stats.buffers++;
  p->stats.held += size;
  p->stats.peak_held = MEMC_MAX(p->stats.peak_held, p->stats.held);
  *out = buf->first;
  return MEMC_POOL_OK;
}

/* Hands an idle buffer back. */
static void memc_pool_drop(struct memc_pool *p, struct memc_pool_buffer *buf)
{
  memc_pool_unlink(p, buf->first);
  memc_pool_list_remove(&p->idle, buf);
  p->src.release(p->src.self, buf->handle);
  memc_pool_recycle(p, buf->first);
  p->stats.releases++;
  p->stats.buffers--;
  p->stats.held -= buf->size;
  free(buf->note);
  free(buf);
}

static int memc_pool_refused(int err) { return err == MEMC_POOL_REFUSED || err == MEMC_POOL_LIMIT; }

/* Gives a new buffer of want bytes, or of need bytes where that is refused; then
   waits for the device, and then gives idle buffers up, the largest first. */
static int memc_pool_fresh(struct memc_pool *p, int64_t want, int64_t need, struct memc_range **out)
{
  int err = memc_pool_create(p, want, out), broken;
  if (want > need && memc_pool_refused(err))
    err = memc_pool_create(p, need, out);
  if (!memc_pool_refused(err))
    return err;
  p->stats.ladders++;
  if (err == MEMC_POOL_REFUSED) {
    if ((broken = p->src.finish(p->src.self)))
      return broken;
    err = memc_pool_create(p, need, out);
  }
  while (memc_pool_refused(err) && p->idle.oldest) {
    memc_pool_drop(p, memc_pool_list_largest(&p->idle));
    if (err == MEMC_POOL_REFUSED && (broken = p->src.finish(p->src.self)))
      return broken;
    err = memc_pool_create(p, need, out);
  }
  return err;
}

/* -- Policy tagged. -- */

static int memc_pool_fits(const struct memc_range *b, int64_t size) { return b->size >= size && b->size / 2 <= size; }

static int memc_pool_get_tagged(struct memc_pool *p, int64_t size, int tag, struct memc_range **out)
{
  struct memc_range *b = *memc_pool_slot(p, tag);
  struct memc_pool_buffer *buf;
  if (b && memc_pool_fits(b, size)) {
    b->kind = MEMC_POOL_TAG;
    memc_pool_unlink(p, b);
    *out = b;
    return MEMC_POOL_OK;
  }
  if (b)
    memc_pool_drop(p, b->buf);
  b = NULL;
  for (buf = p->idle.oldest; buf; buf = buf->next)
    if (memc_pool_fits(buf->first, size) && (b == NULL || buf->size < b->size))
      b = buf->first;
  if (b == NULL)
    return memc_pool_fresh(p, size, size, out);
  b->kind = MEMC_POOL_OTHER;
  memc_pool_unlink(p, b);
  *out = b;
  return MEMC_POOL_OK;
}

static void memc_pool_put_tagged(struct memc_pool *p, struct memc_range *b)
{
  struct memc_range **s = memc_pool_slot(p, b->tag);
  if (*s)
    memc_pool_drop(p, (*s)->buf);
  *s = b;
}

/* -- Policy region. -- */

/* How much more may be held by the budget, with a block of that size. */
static int64_t memc_pool_room(const struct memc_pool *p, int64_t size)
{
  const int64_t most = MEMC_MAX(p->most, p->stats.rounded + size);
  return most + most / MEMC_POOL_SHARE + MEMC_POOL_SLACK - p->stats.held;
}

/* Makes a buffer for a request that fits nowhere, with room for more of the same
   size where that is 1/16 of what is held. Idle buffers are given up for it as
   far as the budget asks. */
static int memc_pool_grow(struct memc_pool *p, int64_t size, struct memc_range **out)
{
  int64_t want = MEMC_MIN(MEMC_MAX(p->stats.held / MEMC_POOL_SHARE, MEMC_POOL_SLACK), p->max_alloc);
  want = MEMC_MAX(1, want / size) * size;
  while (p->idle.oldest && want > memc_pool_room(p, size))
    memc_pool_drop(p, p->idle.oldest);
  return memc_pool_fresh(p, want, size, out);
}

/* The size of the buffer that keeps a request out of a much larger idle one. */
static int64_t memc_pool_apart(const struct memc_pool *p, int64_t size)
{
  const int64_t want = MEMC_MAX(p->stats.rounded / MEMC_POOL_SHARE / MEMC_POOL_GRAIN * MEMC_POOL_GRAIN, MEMC_POOL_SLACK);
  return MEMC_MAX(want, size);
}

/* Makes a buffer instead of breaking up the idle one that b is; where the budget
   or the driver does not allow it, b it is. */
static struct memc_range *memc_pool_spare(struct memc_pool *p, struct memc_range *b, int64_t want)
{
  struct memc_range *fresh;
  if (want > memc_pool_room(p, want) || memc_pool_create(p, want, &fresh))
    return b;
  return fresh;
}

/* Makes the end of a range that is in no bin a free range of its own. */
static void memc_pool_cut(struct memc_pool *p, struct memc_range *b, int64_t size)
{
  struct memc_range *rest = memc_pool_range(p, b->buf, b->off + size, b->size - size);
  rest->left = b;
  if ((rest->right = b->right))
    rest->right->left = rest;
  b->right = rest;
  b->size = size;
  memc_pool_free_range(p, rest, MEMC_POOL_NO_TAG);
}

static int memc_pool_get_region(struct memc_pool *p, int64_t size, int tag, struct memc_range **out)
{
  struct memc_pool_buffer *old = p->idle.oldest;
  struct memc_range *b;
  int err;
  if (old && p->clock - old->stamp > p->idle_for)
    memc_pool_drop(p, old);
  b = *memc_pool_slot(p, tag);
  if (b && b->size == size && b->tag == tag) {
    b->kind = MEMC_POOL_TAG;
    memc_pool_unlink(p, b);
    *out = b;
    return MEMC_POOL_OK;
  }
  b = memc_pool_find(p, size);
  if (b == NULL && (err = memc_pool_grow(p, size, &b)))
    return err;
  if (b->kind != MEMC_POOL_MISS && b->size == b->buf->size && b->size / MEMC_POOL_SHARE > memc_pool_apart(p, size))
    b = memc_pool_spare(p, b, memc_pool_apart(p, size));
  if (b->kind != MEMC_POOL_MISS)
    memc_pool_unlink(p, b);
  if (b->size > size) {
    if (b->kind != MEMC_POOL_MISS)
      b->kind = MEMC_POOL_SPLIT;
    memc_pool_cut(p, b, size);
  }
  *out = b;
  return MEMC_POOL_OK;
}

/* Joins a range with its right neighbour, which disappears. */
static void memc_pool_absorb(struct memc_pool *p, struct memc_range *b, struct memc_range *right)
{
  b->size += right->size;
  if ((b->right = right->right))
    b->right->left = b;
  memc_pool_recycle(p, right);
}

static void memc_pool_put_region(struct memc_pool *p, struct memc_range *b)
{
  struct memc_range *l = b->left, *r = b->right;
  int tag = b->tag;
  if (r && !r->used) {
    memc_pool_unlink(p, r);
    memc_pool_absorb(p, b, r);
    tag = MEMC_POOL_NO_TAG;
  }
  if (l && !l->used) {
    memc_pool_unlink(p, l);
    memc_pool_absorb(p, l, b);
    b = l;
    tag = MEMC_POOL_NO_TAG;
  }
  memc_pool_free_range(p, b, tag);
  if (tag != MEMC_POOL_NO_TAG)
    *memc_pool_slot(p, tag) = b;
}

/* -- What the rest of the runtime calls. -- */

/* Gives a block of at least asked bytes; the tag says which allocation asks. */
static MEMC_UNUSED int memc_pool_get(struct memc_pool *p, int64_t asked, int tag, struct memc_range **out)
{
  struct memc_pool_stats *s = &p->stats;
  struct memc_range *b = NULL;
  int64_t size;
  int err;
  p->clock++;
  s->requests++;
  err = memc_pool_prepare(p, tag);
  if (err == MEMC_POOL_OK && (asked < 0 || asked > p->max_alloc))
    err = MEMC_POOL_REFUSED;
  if (err == MEMC_POOL_OK) {
    size = MEMC_MAX(p->grain, (asked + p->grain - 1) / p->grain * p->grain);
    if (p->policy == MEMC_POOL_TAGGED)
      err = memc_pool_get_tagged(p, size, tag, &b);
    else if (p->policy == MEMC_POOL_REGION)
      err = memc_pool_get_region(p, size, tag, &b);
    else
      err = memc_pool_fresh(p, size, size, &b);
  }
  if (err) {
    s->failures++;
    return err;
  }
  b->asked = asked;
  b->tag = tag;
  b->used = 1;
  if (++b->buf->used == 1) {
    memc_pool_list_remove(&p->idle, b->buf);
    memc_pool_list_add(&p->busy, b->buf);
  }
  s->hits[b->kind]++;
  s->blocks++;
  s->asked += asked;
  s->rounded += b->size;
  s->peak_asked = MEMC_MAX(s->peak_asked, s->asked);
  s->peak_rounded = MEMC_MAX(s->peak_rounded, s->rounded);
  p->most = MEMC_MAX(p->most, s->rounded);
  *out = b;
  return MEMC_POOL_OK;
}

/* Takes a block back. */
static MEMC_UNUSED void memc_pool_put(struct memc_pool *p, struct memc_range *b)
{
  struct memc_pool_buffer *buf = b->buf;
  p->stats.blocks--;
  p->stats.asked -= b->asked;
  p->stats.rounded -= b->size;
  b->used = 0;
  if (--buf->used == 0) {
    buf->stamp = p->clock;
    memc_pool_list_remove(&p->busy, buf);
    memc_pool_list_add(&p->idle, buf);
  }
  if (p->policy == MEMC_POOL_TAGGED)
    memc_pool_put_tagged(p, b);
  else if (p->policy == MEMC_POOL_REGION)
    memc_pool_put_region(p, b);
  else
    memc_pool_drop(p, buf);
}

/* The bytes in the largest free block. */
static MEMC_UNUSED int64_t memc_pool_hole(const struct memc_pool *p)
{
  const struct memc_pool_buffer *buf = memc_pool_list_largest(&p->idle);
  const struct memc_range *b;
  int64_t size = 0;
  int i;
  if (p->policy != MEMC_POOL_REGION)
    return buf ? buf->size : 0;
  for (i = MEMC_POOL_BINS - 1; i >= 0 && size == 0; i--)
    for (b = p->heads[i]; b; b = b->next)
      size = MEMC_MAX(size, b->size);
  return size;
}

/* Hands all idle buffers back. */
static MEMC_UNUSED void memc_pool_trim(struct memc_pool *p)
{
  while (p->idle.oldest)
    memc_pool_drop(p, p->idle.oldest);
}

/* Ends the pool; every block has been put back, or is never used again. */
static MEMC_UNUSED void memc_pool_down(struct memc_pool *p)
{
  struct memc_range *b, *next;
  struct memc_pool_buffer *buf, *after;
  memc_pool_trim(p);
  for (buf = p->busy.oldest; buf; buf = after) {
    after = buf->next;
    p->src.release(p->src.self, buf->handle);
    for (b = buf->first; b; b = next) {
      next = b->right;
      free(b);
    }
    free(buf->note);
    free(buf);
  }
  for (b = p->spare; b; b = next) {
    next = b->next;
    free(b);
  }
  free(p->slots);
  memset(p, 0, sizeof *p);
}
