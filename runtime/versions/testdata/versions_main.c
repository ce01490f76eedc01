/* Stands behind versions.c: gives the commands that stdin tells to a table, and writes down
   every step. First line: the number of places, how often a step fails (every K-th; 0: none),
   and the room of each place. Then lines "n ID SIZE", "f ID", "e PLACE", "b ID PLACE OVERWRITTEN",
   "w ID PLACE", "p ID" and "u ID" for pins. */

enum { BLOCKS = 200000 };

struct block { struct memc_versioned v; int id; long size; };

static long room[MEMC_PLACES], steps, fails;

static int broken(void) { return fails > 0 && ++steps % fails == 0; }

static int make(void *self, struct memc_versioned *v, int at)
{
  const struct block *b = (struct block *)v;
  (void)self;
  if (broken()) {
    printf("make %d %d fails\n", b->id, at);
    return 1;
  }
  if (room[at] < b->size) {
    printf("make %d %d full\n", b->id, at);
    return MEMC_STEP_FULL;
  }
  printf("make %d %d\n", b->id, at);
  room[at] -= b->size;
  return MEMC_STEP_OK;
}

static int move(void *self, struct memc_versioned *v, int from, int to, int spill)
{
  const int bad = broken();
  (void)self;
  printf("move %d %d %d %d%s\n", ((struct block *)v)->id, from, to, spill, bad ? " fails" : "");
  return bad;
}

static void drop(void *self, struct memc_versioned *v, int at)
{
  (void)self;
  printf("drop %d %d\n", ((struct block *)v)->id, at);
  room[at] += ((struct block *)v)->size;
}

int main(void)
{
  static struct memc_versions t;
  static struct block *blocks[BLOCKS];
  const struct memc_actor act = {NULL, make, move, drop};
  char what;
  int i, k, n, id, place, flag;
  t.act = act;
  if (scanf("%d %ld", &t.places, &fails) != 2)
    return 1;
  for (i = 0; i < t.places; i++) {
    for (n = k = 0; k < t.places; k++)
      if (k != i)
        t.nearby[i][n++] = k;
    if (scanf("%ld", &room[i]) != 1)
      return 1;
  }
  while (scanf(" %c %d", &what, &id) == 2) {
    struct block *b = what == 'e' ? NULL : blocks[id];
    switch (what) {
    case 'n':
      b = blocks[id] = calloc(1, sizeof *b);
      b->id = id;
      if (scanf("%ld", &b->size) != 1)
        return 1;
      break;
    case 'f':
      memc_v_forget(&t, &b->v);
      free(b);
      break;
    case 'e':
      printf("evict %d\n", memc_v_evict(&t, id));
      break;
    case 'b':
      if (scanf("%d %d", &place, &flag) != 2)
        return 1;
      printf("bring %d\n", memc_v_bring(&t, &b->v, place, flag));
      break;
    case 'w':
      if (scanf("%d", &place) != 1)
        return 1;
      if (b->v.at[place].held)
        memc_v_wrote(&b->v, place);
      printf("version %ld nearest %d\n", (long)b->v.latest, memc_v_nearest(&t, &b->v, t.places - 1));
      break;
    case 'p':
      b->v.pins++;
      break;
    case 'u':
      b->v.pins--;
      break;
    default:
      return 1;
    }
  }
  return 0;
}
