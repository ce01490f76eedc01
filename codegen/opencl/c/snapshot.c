/* Snapshots: the live blocks as JSON, when memory has run out. */

/* A text that grows; at is NULL once there was no memory for it. */
struct memc_text {
  char *at;
  size_t used, room;
};

static void memc_put(struct memc_text *t, const char *format, ...)
{
  va_list args;
  char *more;
  int n;
  va_start(args, format);
  n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (t->at && t->used + (size_t)n >= t->room) {
    t->room = 2 * (t->used + (size_t)n + 1);
    if ((more = realloc(t->at, t->room)) == NULL)
      free(t->at);
    t->at = more;
  }
  if (t->at == NULL)
    return;
  va_start(args, format);
  vsnprintf(t->at + t->used, t->room - t->used, format, args);
  va_end(args);
  t->used += (size_t)n;
}

/* Puts the characters of a text into a text of JSON, but for so many at its end. */
static void memc_put_chars(struct memc_text *t, const char *from, size_t rest)
{
  size_t n = strlen(from), plain;
  for (n -= n < rest ? n : rest; n > 0; n -= plain, from += plain) {
    for (plain = 0; plain < n && (unsigned char)from[plain] >= ' ' && from[plain] != '"' && from[plain] != '\\'; plain++)
      ;
    memc_put(t, "%.*s", (int)plain, from);
    if (plain < n) {
      memc_put(t, (unsigned char)from[plain] < ' ' ? "\\u%04x" : "\\%c", (unsigned char)from[plain]);
      plain++;
    }
  }
}

/* Puts a block as JSON. A place ends with a colon and a space. */
static void memc_put_block(struct memc_text *t, const char *what, const char *where, int64_t bytes)
{
  memc_put(t, "{\"name\": \"");
  memc_put_chars(t, what, 0);
  memc_put(t, "\", \"place\": \"");
  memc_put_chars(t, where, 2);
  memc_put(t, "\", \"bytes\": %" PRId64 "}", bytes);
}

/* Describes the memory and its live blocks, the latest first, after a request that was refused. */
static char *memc_snapshot(const struct memc_context *ctx, const char *where, const char *what, int64_t bytes)
{
  const struct memc_block *b;
  struct memc_text t = {NULL, 0, 1000};
  t.at = malloc(t.room);
  memc_put(&t, "{\"requested\": ");
  memc_put_block(&t, what, where, bytes);
  memc_put(&t, ", \"limit\": %" PRId64 ", \"in_use\": %" PRId64 ", \"held\": %" PRId64 ", \"free\": %" PRId64 ", \"largest_hole\": %" PRId64
           ", \"blocks\": [", ctx->pool.limit, ctx->pool.stats.asked, ctx->pool.stats.held, ctx->pool.stats.held - ctx->pool.stats.rounded,
           memc_pool_hole(&ctx->pool));
  for (b = ctx->live; b && t.at; b = b->next) {
    memc_put(&t, b == ctx->live ? "" : ", ");
    memc_put_block(&t, b->what, b->where, b->bytes);
  }
  memc_put(&t, "]}");
  return t.at;
}
