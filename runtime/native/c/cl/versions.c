/* Versions: which places hold the latest contents of a block, what moves, and what gives way.

   The documentation of the Go package runtime/places has the rules. This file needs nothing but the header
   stdlib and MEMC_UNUSED. */

enum { MEMC_PLACES = 17 }; /* 16 devices, and the host, which is the last place */

/* What a place has of a block; the held ones of a place form a list. */
struct memc_held {
  int held;
  int64_t version;
  struct memc_versioned *prev, *next;
};

/* Contents that may lie in several places. latest is 0 until something is written. */
struct memc_versioned {
  int64_t latest;
  int pins; /* of commands that use the storage: it stays where it is */
  struct memc_held at[MEMC_PLACES];
};

/* What the steps of an actor give: done, no room, or (above 0) an error of its own. A step
   that fails has changed nothing. */
enum { MEMC_STEP_OK = 0, MEMC_STEP_FULL = -1 };

struct memc_actor {
  void *self;
  int (*make)(void *self, struct memc_versioned *b, int at);
  /* spill: the source is about to be dropped for lack of room. */
  int (*move)(void *self, struct memc_versioned *b, int from, int to, int spill);
  void (*drop)(void *self, struct memc_versioned *b, int at);
};

struct memc_versions {
  struct memc_actor act;
  int places;
  /* For each place the others, the best source first; what a full device evicts goes to the
     first of them that has room. */
  int nearby[MEMC_PLACES][MEMC_PLACES];
  struct memc_versioned *oldest[MEMC_PLACES], *newest[MEMC_PLACES]; /* by last use */
};

static int memc_v_valid(const struct memc_versioned *b, int p)
{
  return b->at[p].held && b->at[p].version == b->latest;
}

static void memc_v_hold(struct memc_versions *t, struct memc_versioned *b, int p)
{
  struct memc_held *h = &b->at[p];
  h->held = 1;
  h->prev = t->newest[p];
  h->next = NULL;
  *(h->prev ? &h->prev->at[p].next : &t->oldest[p]) = b;
  t->newest[p] = b;
}

static void memc_v_unhold(struct memc_versions *t, struct memc_versioned *b, int p)
{
  struct memc_held *h = &b->at[p];
  *(h->prev ? &h->prev->at[p].next : &t->oldest[p]) = h->next;
  *(h->next ? &h->next->at[p].prev : &t->newest[p]) = h->prev;
  h->held = 0;
}

static void memc_v_drop(struct memc_versions *t, struct memc_versioned *b, int p)
{
  memc_v_unhold(t, b, p);
  t->act.drop(t->act.self, b, p);
}

/* Makes storage. Its version is one that no contents have. */
static int memc_v_make(struct memc_versions *t, struct memc_versioned *b, int p)
{
  const int err = t->act.make(t->act.self, b, p);
  if (err == MEMC_STEP_OK) {
    memc_v_hold(t, b, p);
    b->at[p].version = -1;
  }
  return err;
}

static int memc_v_move(struct memc_versions *t, struct memc_versioned *b, int from, int to, int spill)
{
  const int err = t->act.move(t->act.self, b, from, to, spill);
  if (err == MEMC_STEP_OK)
    b->at[to].version = b->latest;
  return err;
}

/* Gives the valid place that is nearest to another one, which may be that place itself; -1
   for a block without contents. */
static int memc_v_nearest(const struct memc_versions *t, const struct memc_versioned *b, int p)
{
  int k;
  if (b->latest == 0)
    return -1;
  if (memc_v_valid(b, p))
    return p;
  for (k = 0; k < t->places - 1; k++)
    if (memc_v_valid(b, t->nearby[p][k]))
      return t->nearby[p][k];
  return -1;
}

static int memc_v_elsewhere(const struct memc_versions *t, const struct memc_versioned *b, int p)
{
  int q;
  for (q = 0; q < t->places; q++)
    if (q != p && memc_v_valid(b, q))
      return 1;
  return 0;
}

/* Drops storage that nothing must move for: stale one first, then what is valid elsewhere,
   too. Gives whether there was any. */
static int memc_v_shed(struct memc_versions *t, int p)
{
  struct memc_versioned *b, *spare = NULL;
  for (b = t->oldest[p]; b; b = b->at[p].next) {
    if (b->pins > 0)
      continue;
    if (!memc_v_valid(b, p) || b->latest == 0) {
      memc_v_drop(t, b, p);
      return 1;
    }
    if (spare == NULL && memc_v_elsewhere(t, b, p))
      spare = b;
  }
  if (spare)
    memc_v_drop(t, spare, p);
  return spare != NULL;
}

/* Moves a block from a full device to the first place that has room for it. There only
   storage is given up that nothing must move for. */
static int memc_v_shelter(struct memc_versions *t, struct memc_versioned *b, int p)
{
  int k, err = MEMC_STEP_FULL;
  b->pins++;
  for (k = 0; p < t->places - 1 && k < t->places - 1 && err == MEMC_STEP_FULL; k++) {
    const int q = t->nearby[p][k];
    err = MEMC_STEP_OK;
    if (!b->at[q].held)
      while ((err = memc_v_make(t, b, q)) == MEMC_STEP_FULL && memc_v_shed(t, q))
        ;
    if (err == MEMC_STEP_OK)
      err = memc_v_move(t, b, p, q, 1);
  }
  b->pins--;
  return err;
}

/* Drops the storage of one block at a place, the least recently used one of those that cost
   least. MEMC_STEP_FULL: none can go. */
static MEMC_UNUSED int memc_v_evict(struct memc_versions *t, int p)
{
  struct memc_versioned *b;
  int err = MEMC_STEP_FULL;
  if (memc_v_shed(t, p))
    return MEMC_STEP_OK;
  for (b = t->oldest[p]; b && err == MEMC_STEP_FULL; b = b->at[p].next) {
    if (b->pins > 0)
      continue;
    if ((err = memc_v_shelter(t, b, p)) == MEMC_STEP_OK) {
      memc_v_drop(t, b, p);
      return MEMC_STEP_OK;
    }
  }
  return err;
}

/* Gives the block storage at a place, with the latest contents in it unless a command
   overwrites all of the block. */
static MEMC_UNUSED int memc_v_bring(struct memc_versions *t, struct memc_versioned *b, int p, int overwritten)
{
  int err;
  if (b->at[p].held) {
    memc_v_unhold(t, b, p);
    memc_v_hold(t, b, p);
  } else {
    b->pins++; /* the copy that it is going to be filled from stays */
    while ((err = memc_v_make(t, b, p)) == MEMC_STEP_FULL && (err = memc_v_evict(t, p)) == MEMC_STEP_OK)
      ;
    b->pins--;
    if (err)
      return err;
  }
  if (memc_v_valid(b, p) || b->latest == 0 || overwritten)
    return MEMC_STEP_OK;
  return memc_v_move(t, b, memc_v_nearest(t, b, p), p, 0);
}

/* Tells that a command at a place writes the block, after memc_v_bring. */
static MEMC_UNUSED void memc_v_wrote(struct memc_versioned *b, int p) { b->at[p].version = ++b->latest; }

/* Drops all storage of a block, which is not used any more. */
static MEMC_UNUSED void memc_v_forget(struct memc_versions *t, struct memc_versioned *b)
{
  int p;
  b->latest = 0;
  for (p = 0; p < t->places; p++)
    if (b->at[p].held)
      memc_v_drop(t, b, p);
}
