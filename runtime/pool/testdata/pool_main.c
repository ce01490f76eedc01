/* Stands behind pool.c: makes the requests that stdin tells, and writes down
   every decision. First line: policy, limit, largest buffer, idle bound, room,
   and the number from which every seventh buffer is refused (0: none). Then
   lines "a ID BYTES TAG", "f ID", "t" for trimming, and "n" where a call begins. */

struct source { int64_t room, held, fail, creates, made; };
struct made { int64_t id, size; };

static int create(void *self, int64_t bytes, void **buffer)
{
  struct source *s = self;
  struct made *m;
  s->creates++;
  if ((s->room && s->held + bytes > s->room) || (s->fail && s->creates >= s->fail && s->creates % 7 == 0)) {
    printf("refuse %" PRId64 "\n", bytes);
    return MEMC_POOL_REFUSED;
  }
  m = malloc(sizeof *m);
  m->id = s->made++;
  m->size = bytes;
  s->held += bytes;
  printf("create %" PRId64 "\n", bytes);
  *buffer = m;
  return MEMC_POOL_OK;
}

static void release(void *self, void *buffer)
{
  struct source *s = self;
  struct made *m = buffer;
  printf("release %" PRId64 "\n", m->id);
  s->held -= m->size;
  free(m);
}

static int finish(void *self)
{
  (void)self;
  puts("finish");
  return MEMC_POOL_OK;
}

static void show(const struct memc_pool *p)
{
  const struct memc_pool_stats *s = &p->stats;
  printf("stats %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
         " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
         s->requests, s->hits[0], s->hits[1], s->hits[2], s->hits[3], s->failures, s->creates, s->releases, s->refusals,
         s->ladders, s->peak_asked, s->peak_rounded, s->peak_held, memc_pool_hole(p));
}

int main(void)
{
  static struct memc_pool p;
  static struct source self;
  static struct memc_range *blocks[1 << 20];
  const struct memc_pool_source src = {&self, create, release, finish};
  static const char *const kinds[] = {"miss", "tag", "other", "split"};
  int64_t limit, most, idle, bytes;
  int policy, id, tag, err;
  char what;
  if (scanf("%d %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64, &policy, &limit, &most, &idle, &self.room, &self.fail) != 6)
    return 2;
  memc_pool_up(&p, &src, policy, limit, most, idle);
  while (scanf(" %c", &what) == 1) {
    if (what == 'a' && scanf("%d %" SCNd64 " %d", &id, &bytes, &tag) == 3) {
      if ((err = memc_pool_get(&p, bytes, tag, &blocks[id]))) {
        puts("fail");
        blocks[id] = NULL;
      } else {
        printf("get %s %" PRId64 " %" PRId64 " %" PRId64 "\n", kinds[blocks[id]->kind], blocks[id]->buf->id,
               blocks[id]->off, blocks[id]->size);
      }
    } else if (what == 'f' && scanf("%d", &id) == 1) {
      if (blocks[id])
        memc_pool_put(&p, blocks[id]);
    } else if (what == 'n') {
      memc_pool_turn(&p);
    } else if (what == 't') {
      memc_pool_trim(&p);
      show(&p);
    } else {
      return 2;
    }
  }
  show(&p);
  memc_pool_down(&p);
  return 0;
}
