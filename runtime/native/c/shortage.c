/* Shortage: why a pool had no room for a block, in words. It needs the headers inttypes, stdarg, stdio
   and string. */

/* Appends to text, which holds room bytes. */
static MEMC_UNUSED void memc_append(char *text, size_t room, const char *format, ...)
{
  const size_t n = strlen(text);
  va_list args;
  va_start(args, format);
  vsnprintf(text + n, room - n, format, args);
  va_end(args);
}

/* Tells whether the limit has no room for a block, however the blocks in use lie. */
static MEMC_UNUSED int memc_pool_beyond(const struct memc_pool *p, int64_t bytes) { return bytes > p->limit - p->stats.asked; }

/* Appends what was requested, and why that failed. */
static MEMC_UNUSED void memc_pool_why(const struct memc_pool *p, int64_t bytes, char *text, size_t room)
{
  char limit[160] = "";
  if (p->reserved > 0)
    memc_append(limit, sizeof limit, " beside a device heap of %" PRId64, p->reserved);
  memc_append(limit, sizeof limit, ", the limit is %" PRId64, p->limit + p->reserved);
  memc_append(text, room, "out of device memory: %" PRId64 " bytes requested, %" PRId64 " bytes are in use", bytes, p->stats.asked);
  if (memc_pool_beyond(p, bytes))
    memc_append(text, room, "%s", limit);
  else if (p->refusal == MEMC_POOL_LIMIT)
    memc_append(text, room, " in buffers of %" PRId64 "%s", p->stats.held, limit);
  else if (p->refusal == MEMC_POOL_TOO_LARGE)
    memc_append(text, room, ", and the driver makes no buffer of this size (it promises %" PRId64 " bytes)", p->max_alloc);
  else
    memc_append(text, room, ", and the driver has no more");
}

/* Appends what is held and free, and why that did not help; nothing where no byte is free, or no hole
   could help. */
static MEMC_UNUSED void memc_pool_holes(const struct memc_pool *p, int64_t bytes, char *text, size_t room)
{
  const int64_t unused = p->stats.held - p->stats.rounded;
  if (unused > 0 && !memc_pool_beyond(p, bytes) && p->refusal != MEMC_POOL_TOO_LARGE)
    memc_append(text, room, "of %" PRId64 " bytes held, %" PRId64 " are free beside blocks in use, the largest hole is %" PRId64
                " bytes; no buffer is idle, and %s refused one of %" PRId64 " bytes", p->stats.held, unused, memc_pool_hole(p),
                p->refusal == MEMC_POOL_LIMIT ? "the limit" : "the driver", p->refused);
}
