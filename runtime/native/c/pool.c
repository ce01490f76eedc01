/* Pool: where in the driver's buffers blocks lie.

   The documentation of the Go package runtime/pool tells the policies, the budget and what happens
   when memory runs out; its tests test this file. It needs nothing but the headers stdint, stdlib
   and string, and MEMC_UNUSED. */

enum { MEMC_POOL_DRIVER, MEMC_POOL_TAGGED, MEMC_POOL_REGION, MEMC_POOL_POLICIES };

static MEMC_UNUSED const char *const memc_pool_policies[] = {"driver", "tagged", "region"};

/* Results. A source gives the first four. */
enum { MEMC_POOL_OK, MEMC_POOL_REFUSED, MEMC_POOL_TOO_LARGE, MEMC_POOL_BROKEN, MEMC_POOL_LIMIT, MEMC_POOL_NO_HOST };

/* How a request was served. */
enum { MEMC_POOL_MISS, MEMC_POOL_TAG, MEMC_POOL_OTHER, MEMC_POOL_SPLIT, MEMC_POOL_KINDS };

/* How long the blocks of a site live; sites begin as new ones. */
enum { MEMC_POOL_NEW, MEMC_POOL_BRIEF, MEMC_POOL_LASTING, MEMC_POOL_LIVES };

#define MEMC_POOL_GRAIN 256
#define MEMC_POOL_SMALL_GRAIN 16
#define MEMC_POOL_SLACK 16384
#define MEMC_POOL_IDLE_FOR 65536
#define MEMC_POOL_SHARE 16
#define MEMC_POOL_PATIENCE 32
#define MEMC_POOL_UNLIMITED ((int64_t)1 << 56)
#define MEMC_POOL_SUB 16
#define MEMC_POOL_BINS (MEMC_POOL_SUB + (64 - 8 - 4) * MEMC_POOL_SUB)
#define MEMC_POOL_WORDS ((MEMC_POOL_BINS + 63) / 64)
#define MEMC_POOL_SEARCH 32
#define MEMC_POOL_LAST 1024
#define MEMC_POOL_SITES 65536
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
  int life; /* of the blocks that it is for */
  struct memc_range *first;
  struct memc_pool_buffer *prev, *next;
  void *note; /* from malloc, of whoever uses the pool; goes with the buffer */
};

/* A range of a buffer: a block, or a free one. */
struct memc_range {
  struct memc_pool_buffer *buf;
  int64_t off, size, asked, turn, born; /* turn and born: in which turn, and with which request, it was got */
  int tag, kind, used, life, bin; /* bin: 0 in none, else its index plus 1 */
  struct memc_range *left, *right, *prev, *next;
};

/* An allocation site: its last block that is free, its last one in use. */
struct memc_pool_site {
  struct memc_range *free, *newest;
  int life;
};

/* Free blocks by size, and a bit per bin that holds any. */
struct memc_pool_bins {
  struct memc_range *heads[MEMC_POOL_BINS];
  uint64_t used[MEMC_POOL_WORDS];
  int64_t count;
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
  int64_t reserved; /* bytes that others have, and limit has not */
  struct memc_pool_site *sites; /* by tag */
  int site_count;
  struct memc_pool_bins brief, lasting, whole; /* beside blocks in use, by the life of their buffer; buffers */
  struct memc_pool_list idle, busy;
  struct memc_range *spare; /* recycled, by next */
  int spares;
  int64_t most, clock, turn, created;
  int64_t bytes[MEMC_POOL_LIVES]; /* of blocks in use */
  int64_t churn;                  /* bytes given up since most last grew */
  int64_t refused;                /* bytes of the buffer that was refused last, */
  int refusal;                    /* and with which result */
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

static void memc_pool_bin_add(struct memc_pool_bins *f, struct memc_range *b)
{
  const int i = memc_pool_bin(b->size);
  b->bin = i + 1;
  b->prev = NULL;
  if ((b->next = f->heads[i]))
    b->next->prev = b;
  f->heads[i] = b;
  f->used[i >> 6] |= (uint64_t)1 << (i & 63);
  f->count++;
}

static void memc_pool_bin_remove(struct memc_pool_bins *f, struct memc_range *b)
{
  const int i = b->bin - 1;
  if (i < 0)
    return;
  if (b->prev)
    b->prev->next = b->next;
  else if ((f->heads[i] = b->next) == NULL)
    f->used[i >> 6] &= ~((uint64_t)1 << (i & 63));
  if (b->next)
    b->next->prev = b->prev;
  b->bin = 0;
  b->prev = b->next = NULL;
  f->count--;
}

/* The smallest block of a bin that is large enough, among the first limit ones. */
static struct memc_range *memc_pool_best(const struct memc_pool_bins *f, int i, int64_t size, int64_t limit)
{
  struct memc_range *b, *best = NULL;
  for (b = f->heads[i]; b && limit > 0; b = b->next, limit--)
    if (b->size >= size && (best == NULL || b->size < best->size)) {
      best = b;
      if (b->size == size)
        break;
    }
  return best;
}

/* The first bin from i on that holds anything, or -1. */
static int memc_pool_next_bin(const struct memc_pool_bins *f, int i)
{
  int w = i >> 6;
  uint64_t word;
  if (i >= MEMC_POOL_BINS)
    return -1;
  for (word = f->used[w] >> (i & 63) << (i & 63); word == 0; word = f->used[w])
    if (++w == MEMC_POOL_WORDS)
      return -1;
  return w * 64 + memc_pool_low_bit(word);
}

static struct memc_range *memc_pool_find(const struct memc_pool_bins *f, int64_t size)
{
  const int i = memc_pool_bin(size);
  struct memc_range *b;
  int j;
  if (f->count == 0)
    return NULL;
  if ((b = memc_pool_best(f, i, size, MEMC_POOL_SEARCH)))
    return b;
  if ((j = memc_pool_next_bin(f, i + 1)) >= 0)
    return memc_pool_best(f, j, size, MEMC_POOL_SEARCH);
  return memc_pool_best(f, i, size, MEMC_POOL_LAST);
}

/* The largest block among the first limit ones of the last bin, or NULL. */
static struct memc_range *memc_pool_largest(const struct memc_pool_bins *f, int64_t limit)
{
  struct memc_range *b, *best = NULL;
  int w;
  for (w = MEMC_POOL_WORDS - 1; w >= 0 && f->used[w] == 0; w--)
    ;
  if (w < 0)
    return NULL;
  for (b = f->heads[w * 64 + memc_pool_high_bit(f->used[w])]; b && limit > 0; b = b->next, limit--)
    if (best == NULL || b->size > best->size)
      best = b;
  return best;
}

/* -- Ranges and sites. -- */

static int memc_pool_site_index(int tag)
{
  const unsigned t = (unsigned)tag;
  return (int)((tag < 0 ? ~(t << 1) : t << 1) & (MEMC_POOL_SITES - 1));
}

/* What is known of a tag; memc_pool_prepare has made room. */
static struct memc_pool_site *memc_pool_site(struct memc_pool *p, int tag)
{
  return &p->sites[memc_pool_site_index(tag)];
}

/* Makes sure that a request and the put that follows need no host memory, but
   for a new buffer. */
static int memc_pool_prepare(struct memc_pool *p, int tag)
{
  const int i = memc_pool_site_index(tag);
  while (p->spares < 2) {
    struct memc_range *b = malloc(sizeof *b);
    if (b == NULL)
      return MEMC_POOL_NO_HOST;
    b->next = p->spare;
    p->spare = b;
    p->spares++;
  }
  if (i >= p->site_count) {
    const int n = MEMC_MIN(MEMC_MAX(64, 2 * i), MEMC_POOL_SITES);
    struct memc_pool_site *s = realloc(p->sites, (size_t)n * sizeof *s);
    if (s == NULL)
      return MEMC_POOL_NO_HOST;
    memset(s + p->site_count, 0, (size_t)(n - p->site_count) * sizeof *s);
    p->sites = s;
    p->site_count = n;
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

static struct memc_pool_bins *memc_pool_bins_of(struct memc_pool *p, const struct memc_range *b)
{
  if (b->size == b->buf->size)
    return &p->whole;
  return b->buf->life == MEMC_POOL_LASTING ? &p->lasting : &p->brief;
}

/* Puts a free range into the bins. */
static void memc_pool_keep(struct memc_pool *p, struct memc_range *b, int tag)
{
  b->tag = tag;
  b->kind = MEMC_POOL_OTHER;
  memc_pool_bin_add(memc_pool_bins_of(p, b), b);
  if (tag != MEMC_POOL_NO_TAG)
    memc_pool_site(p, tag)->free = b;
}

/* Takes a free range out of the bins, and its site's note away. */
static void memc_pool_unlink(struct memc_pool *p, struct memc_range *b)
{
  if (b->tag != MEMC_POOL_NO_TAG) {
    struct memc_pool_site *s = memc_pool_site(p, b->tag);
    if (s->free == b)
      s->free = NULL;
  }
  memc_pool_bin_remove(memc_pool_bins_of(p, b), b);
}

/* How long the next block of a site will live. */
static int memc_pool_life_of(struct memc_pool *p, struct memc_pool_site *s)
{
  if (s->newest && s->newest->turn < p->turn)
    s->life = MEMC_POOL_LASTING;
  return s->life;
}

/* Notes that a block is put back. */
static void memc_pool_ended(struct memc_pool *p, struct memc_range *b)
{
  struct memc_pool_site *s = memc_pool_site(p, b->tag);
  if (b->turn < p->turn)
    s->life = MEMC_POOL_LASTING;
  else if (s->life == MEMC_POOL_NEW)
    s->life = MEMC_POOL_BRIEF;
  if (s->newest == b)
    s->newest = NULL;
}

/* -- Buffers. -- */

/* Asks the source for a buffer. It is one free range in no bin, and idle. */
static int memc_pool_create(struct memc_pool *p, int64_t size, struct memc_range **out)
{
  struct memc_pool_buffer *buf;
  void *handle;
  int err;
  p->refused = size;
  p->refusal = MEMC_POOL_LIMIT;
  if (size > p->limit + MEMC_POOL_SLACK - p->stats.held)
    return MEMC_POOL_LIMIT;
  if ((buf = malloc(sizeof *buf)) == NULL)
    return MEMC_POOL_NO_HOST;
  if ((err = p->src.create(p->src.self, size, &handle))) {
    p->stats.refusals++;
    p->refusal = err;
    free(buf);
    return err;
  }
  buf->handle = handle;
  buf->id = p->created++;
  buf->size = size;
  buf->used = 0;
  buf->life = MEMC_POOL_BRIEF;
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

/* Tells whether so much was given up that idle buffers are broken instead. */
static int memc_pool_tired(const struct memc_pool *p) { return p->churn > MEMC_POOL_PATIENCE * p->most; }

/* Hands an idle buffer back to make room for another. */
static void memc_pool_give_up(struct memc_pool *p, struct memc_pool_buffer *buf)
{
  if (!memc_pool_tired(p))
    p->churn += MEMC_MAX(buf->size, p->most / MEMC_POOL_SHARE);
  memc_pool_drop(p, buf);
}

static int memc_pool_refused(int err) { return err == MEMC_POOL_REFUSED || err == MEMC_POOL_LIMIT; }

/* Gives a new buffer of want bytes, or of need bytes where that is refused; then
   waits for the device, and then gives idle buffers up, the largest first. */
static int memc_pool_make(struct memc_pool *p, int64_t want, int64_t need, struct memc_range **out)
{
  struct memc_range *b;
  int err = memc_pool_create(p, want, out), broken;
  if (want > need && (memc_pool_refused(err) || err == MEMC_POOL_TOO_LARGE))
    err = memc_pool_create(p, need, out);
  if (!memc_pool_refused(err))
    return err;
  p->stats.ladders++;
  if (err == MEMC_POOL_REFUSED) {
    if ((broken = p->src.finish(p->src.self)))
      return broken;
    err = memc_pool_create(p, need, out);
  }
  while (memc_pool_refused(err) && (b = memc_pool_largest(&p->whole, MEMC_POOL_SEARCH))) {
    memc_pool_give_up(p, b->buf);
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
  struct memc_range *b = memc_pool_site(p, tag)->free;
  int kind = MEMC_POOL_TAG;
  if (b && !memc_pool_fits(b, size)) {
    memc_pool_drop(p, b->buf);
    b = NULL;
  }
  if (b == NULL) {
    b = memc_pool_find(&p->whole, size);
    kind = MEMC_POOL_OTHER;
  }
  if (b == NULL || !memc_pool_fits(b, size))
    return memc_pool_make(p, size, size, out);
  b->kind = kind;
  memc_pool_unlink(p, b);
  *out = b;
  return MEMC_POOL_OK;
}

static void memc_pool_put_tagged(struct memc_pool *p, struct memc_range *b)
{
  struct memc_range *old = memc_pool_site(p, b->tag)->free;
  if (old)
    memc_pool_drop(p, old->buf);
  memc_pool_keep(p, b, b->tag);
}

/* -- Policy region. -- */

/* How much more may be held by the budget, with a block of that size: 1/16 more than was ever in use
   at one time, 1/4 more for blocks that may be in use for long. */
static int64_t memc_pool_room(const struct memc_pool *p, int64_t size, int life)
{
  const int64_t most = MEMC_MAX(p->most, p->stats.rounded + size);
  return most + most / (life == MEMC_POOL_BRIEF ? MEMC_POOL_SHARE : 4) + MEMC_POOL_SLACK - p->stats.held;
}

/* The size of a new buffer: for as many blocks as fit in 16 KiB, or in 1/16 of what is held; of what
   such blocks hold, if they may be in use for long. */
static int64_t memc_pool_batch(const struct memc_pool *p, int64_t size, int life)
{
  const int64_t have = life == MEMC_POOL_BRIEF ? p->stats.held : p->bytes[life];
  const int64_t want = MEMC_MIN(MEMC_MAX(have / MEMC_POOL_SHARE, MEMC_POOL_SLACK), p->max_alloc);
  return MEMC_MAX(1, want / size) * size;
}

/* Makes a buffer for a request that fits nowhere. Idle buffers are given up for it as far as the
   budget asks. */
static int memc_pool_grow(struct memc_pool *p, int64_t size, int life, struct memc_range **out)
{
  const int64_t want = memc_pool_batch(p, size, life);
  while (p->idle.oldest && want > memc_pool_room(p, size, life))
    memc_pool_give_up(p, p->idle.oldest);
  return memc_pool_make(p, want, size, out);
}

/* Tells whether a request may have an idle buffer, and leave the rest of it to others: Note [Whole
   buffers] of the package. */
static int memc_pool_may_break(const struct memc_pool *p, const struct memc_range *idle, int64_t size, int life)
{
  if (memc_pool_tired(p))
    return 1;
  if (idle->size + size > p->limit - p->stats.held)
    return idle->size - idle->size / MEMC_POOL_SHARE <= MEMC_MAX(size, MEMC_POOL_SLACK);
  return life == MEMC_POOL_BRIEF || idle->size / 2 <= memc_pool_batch(p, size, life);
}

static struct memc_range *memc_pool_smaller(struct memc_range *a, struct memc_range *b)
{
  return a == NULL || (b && b->size < a->size) ? b : a;
}

/* Tells whether a range lies where those of such a life belong: Note [Lives] of the package. */
static int memc_pool_suits(const struct memc_pool *p, const struct memc_range *b, int64_t size, int life)
{
  return life != MEMC_POOL_LASTING || b->buf->life == MEMC_POOL_LASTING || b->buf->size / 2 <= memc_pool_batch(p, size, life);
}

/* Any free range of at least that size, or NULL. */
static struct memc_range *memc_pool_any(const struct memc_pool *p, int64_t size)
{
  const struct memc_pool_bins *const sets[] = {&p->lasting, &p->brief, &p->whole};
  struct memc_range *b = NULL, *c;
  int i, k;
  for (k = 0; k < 3; k++)
    for (i = memc_pool_bin(size); i >= 0; i = memc_pool_next_bin(sets[k], i + 1))
      if ((c = memc_pool_best(sets[k], i, size, INT64_MAX))) {
        b = memc_pool_smaller(b, c);
        break;
      }
  return b;
}

/* Gives the best fit for a request, or a new buffer; it is in no bin. */
static int memc_pool_best_for(struct memc_pool *p, int64_t size, int life, struct memc_range **out)
{
  struct memc_range *b = memc_pool_find(&p->lasting, size), *idle = memc_pool_find(&p->whole, size);
  struct memc_range *c = memc_pool_find(&p->brief, size);
  int err;
  if (c && memc_pool_suits(p, c, size, life))
    b = memc_pool_smaller(b, c);
  if (idle && (memc_pool_may_break(p, idle, size, life) ||
               (b == NULL && life == MEMC_POOL_NEW && memc_pool_batch(p, size, life) > memc_pool_room(p, size, life))))
    b = memc_pool_smaller(b, idle);
  if (b == NULL) {
    if ((err = memc_pool_grow(p, size, life, out)) == MEMC_POOL_OK)
      return err;
    if ((b = memc_pool_any(p, size)) == NULL) {
      p->churn = 0;
      return err;
    }
  }
  memc_pool_unlink(p, b);
  *out = b;
  return MEMC_POOL_OK;
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
  memc_pool_keep(p, rest, MEMC_POOL_NO_TAG);
}

static int memc_pool_get_region(struct memc_pool *p, int64_t size, int tag, struct memc_range **out)
{
  struct memc_pool_buffer *old = p->idle.oldest;
  struct memc_pool_site *s = memc_pool_site(p, tag);
  struct memc_range *b;
  int err, life;
  if (old && p->clock - old->stamp > p->idle_for)
    memc_pool_drop(p, old);
  life = memc_pool_life_of(p, s);
  b = s->free;
  if (b && b->size == size && b->tag == tag && memc_pool_suits(p, b, size, life)) {
    b->kind = MEMC_POOL_TAG;
    memc_pool_unlink(p, b);
  } else if ((err = memc_pool_best_for(p, size, life, &b))) {
    return err;
  }
  if (b->buf->used == 0)
    b->buf->life = life == MEMC_POOL_LASTING ? MEMC_POOL_LASTING : MEMC_POOL_BRIEF;
  if (b->size > size) {
    if (b->kind == MEMC_POOL_OTHER)
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
  memc_pool_keep(p, b, tag);
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
  if (err == MEMC_POOL_OK && (asked < 0 || asked > p->limit - s->asked))
    err = asked < 0 ? MEMC_POOL_TOO_LARGE : MEMC_POOL_LIMIT;
  if (err == MEMC_POOL_OK) {
    size = MEMC_MAX(p->grain, (asked + p->grain - 1) / p->grain * p->grain);
    if (p->policy == MEMC_POOL_TAGGED)
      err = memc_pool_get_tagged(p, size, tag, &b);
    else if (p->policy == MEMC_POOL_REGION)
      err = memc_pool_get_region(p, size, tag, &b);
    else
      err = memc_pool_make(p, size, size, &b);
  }
  if (err) {
    s->failures++;
    return err;
  }
  b->asked = asked;
  b->tag = tag;
  b->used = 1;
  b->turn = p->turn;
  b->born = s->requests;
  b->life = memc_pool_site(p, tag)->life;
  memc_pool_site(p, tag)->newest = b;
  p->bytes[b->life] += b->size;
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
  if (s->rounded > p->most) {
    p->most = s->rounded;
    p->churn = 0;
  }
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
  p->bytes[b->life] -= b->size;
  memc_pool_ended(p, b);
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

/* Takes bytes off the limit, for memory that others have; a negative number gives them back. */
static MEMC_UNUSED void memc_pool_reserve(struct memc_pool *p, int64_t bytes)
{
  p->limit -= bytes;
  p->reserved += bytes;
}

/* Tells that a call of a program begins. */
static MEMC_UNUSED void memc_pool_turn(struct memc_pool *p) { p->turn++; }

/* The bytes in the largest free block. */
static MEMC_UNUSED int64_t memc_pool_hole(const struct memc_pool *p)
{
  const struct memc_pool_bins *const sets[] = {&p->lasting, &p->brief, &p->whole};
  int64_t size = 0;
  int k;
  for (k = 0; k < 3; k++) {
    const struct memc_range *b = memc_pool_largest(sets[k], INT64_MAX);
    size = b && b->size > size ? b->size : size;
  }
  return size;
}

/* Tells that no request will come with this tag any more. */
static MEMC_UNUSED void memc_pool_forget(struct memc_pool *p, int tag)
{
  const int i = memc_pool_site_index(tag);
  if (i >= p->site_count)
    return;
  if (p->sites[i].free && p->policy == MEMC_POOL_TAGGED)
    memc_pool_drop(p, p->sites[i].free->buf);
  memset(&p->sites[i], 0, sizeof p->sites[i]);
}

/* Lets the peaks start anew at what there is now. It changes no decision. */
static MEMC_UNUSED void memc_pool_reset_peaks(struct memc_pool *p)
{
  p->stats.peak_asked = p->stats.asked;
  p->stats.peak_rounded = p->stats.rounded;
  p->stats.peak_held = p->stats.held;
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
  free(p->sites);
  memset(p, 0, sizeof *p);
}
