/* Blocks of several devices: docs/devices.md has the rules.

   Each device has a context (a member) with its queue, kernels, pool and limit. A block of
   several devices is no range of a buffer: it has storage at some of the places, made when a
   command first needs it there. Storage on a device is a block of that member. cl/moves.c has
   the steps of migrations, cl/lend.c what the rest of the runtime calls. */

enum { MEMC_CHUNKS = 4, MEMC_CHUNK_BYTES = 4 << 20 };

/* A block's memory at one place: of a device, or of the host. */
struct memc_storage {
  struct memc_block *block;
  struct memc_range *host;
  struct memc_track track;
};

struct memc_shared {
  struct memc_versioned v; /* first: the actor's steps know it by that */
  struct memc_block block; /* what the rest of the runtime holds */
  struct memc_several *several;
  struct memc_storage *at[MEMC_PLACES];
  const char *where; /* its place in the IR source */
  int tag;
  struct memc_shared *prev, *next; /* of all */
};

/* Pinned memory that migrations from a device through the host take turns in, a chunk each. */
struct memc_ring {
  struct memc_pinned mem;
  int64_t first; /* where the next migration begins */
  struct memc_track chunk[MEMC_CHUNKS];
};

struct memc_several {
  memc_mutex lock; /* of all that follows, and of the members' pools; not held while the host waits for
                     kernels, but between OpenCL contexts */
  int count;       /* of members */
  int failed;      /* the lane on which a command failed last */
  int64_t chunk;   /* bytes of a migration through the host that move at once */
  struct memc_context *member[MEMC_PLACES - 1], *acting; /* acting: whose call it is; errors are told there */
  struct memc_lane lane[MEMC_LANES];
  struct memc_ring *ring[MEMC_PLACES - 1]; /* by source */
  struct memc_versions versions;
  struct memc_pool host; /* of the host's memory, the last place */
  struct memc_shared *all;
  void (*moved)(void *self, const struct memc_lane *l, int other, int64_t bytes, cl_event done); /* told of copies; NULL: nobody is */
  void *self; /* whoever is told */
  uint64_t scatter;         /* not 0: launches go to members at random */
  struct memc_block *slots; /* then, the fault buffers of all */
};

static struct memc_lane *memc_lane(struct memc_context *m, int queue)
{
  return &m->several->lane[m->number * MEMC_QUEUES + queue];
}

static int memc_peers(const struct memc_several *s, int a, int b) { return s->member[a]->cl == s->member[b]->cl; }

static unsigned char *memc_host_at(const struct memc_storage *st)
{
  return ((struct memc_pinned *)st->host->buf->handle)->at + st->host->off;
}
