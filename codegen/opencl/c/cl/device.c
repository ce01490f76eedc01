/* OpenCL: what a configuration and a context hold besides what every target does. */

typedef cl_mem memc_buffer;

#define MEMC_CONFIG_FIELDS \
  cl_command_queue queue; /* use this queue, its context and its device */ \
  char *build_options;    /* for the kernels, besides our own */ \
  char *program;          /* kernels to build in place of memc_source */ \
  char *binary, *dump;    /* files with built kernels: to take instead, and to write */ \
  char *cache;            /* a file that keeps built kernels from one run to the next */ \
  int build_all;          /* the kernels of all entries at once, where they can be built apart */ \
  int alone;              /* one device, also where its name has commas */ \
  int evict;              /* one device: what has no room there moves to the host */ \
  int apart;              /* several: let them exchange blocks as those of different platforms do */ \
  uint64_t scatter;       /* several: not 0 has launches run on devices at random, for tests */

#define MEMC_TARGET_SEVERAL
#define MEMC_TARGET_LIST "; with commas: the first\n" \
                         "                        runs the program, the others and the host have room for it\n" \
                         "      --evict           let what has no room on the device move to the host"

/* What blocks are made of here. */
struct memc_context;
struct memc_block;
struct memc_want;
static void memc_foreign_release(cl_mem buffer);
static int memc_block_write(struct memc_context *ctx, struct memc_block *b, size_t off, size_t bytes, const void *src);
static int memc_block_set(struct memc_context *ctx, struct memc_block *b, size_t off, size_t size, const void *src);
static int memc_read_all(struct memc_context *ctx, int count, struct memc_want *wants);
static int memc_sync(struct memc_context *ctx);
static int memc_ready(struct memc_context *ctx, struct memc_context *m, int kernel);
#define memc_enter(ctx) memc_mutex_take(&(ctx)->turn)
#define memc_leave(ctx) memc_mutex_give(&(ctx)->turn)
#define memc_is_several(ctx) ((ctx)->several != NULL)
#define memc_together(a, b) ((a) == (b) || ((a)->several && (a)->several == (b)->several))
static int memc_shared_alloc(struct memc_context *ctx, struct memc_block **var, int64_t bytes, int tag, const char *where, const char *what);
static void memc_shared_retain(struct memc_block *b);
static void memc_shared_release(struct memc_block *b);
static struct memc_block *memc_shared_take(struct memc_block **var);
static int memc_shared_values(struct memc_context *ctx, const struct memc_block *b, size_t off, size_t bytes, void *dst, int *done);

struct memc_several;
struct memc_loan;

#define MEMC_CONTEXT_FIELDS \
  memc_mutex turn;             /* of calls from outside: each function of the API takes it */ \
  struct memc_several *several; /* the devices that this one works with; NULL: it is alone */ \
  int number;                  /* among them */ \
  struct memc_loan *loans;     /* blocks of the command that is being enqueued; see memc_lend */ \
  int loan_count, loan_room; \
  int queued; /* commands since the device was waited for */ \
  cl_device_id device; \
  int64_t device_items, device_wave, device_waits, device_several, device_local, device_wide; /* how work is divided; see imp.Property */ \
  int device_exact; /* f32 division and square root can be rounded correctly */ \
  cl_context cl; \
  cl_command_queue queue; \
  cl_command_queue side; /* where blocks are touched; see memc_buffer_create */ \
  cl_program program;  /* all kernels; NULL: those of each entry are built apart */ \
  char *build_options; \
  cl_program *units;   /* by the entry's number; NULL: it was not called yet */ \
  int entry;           /* that runs */ \
  cl_kernel *kernels;  /* NULL: it was not launched yet */ \
  cl_mem faults; /* what a kernel's failing check leaves; see faults.c */ \
  struct memc_pinned staging; /* memory to read to */ \
  struct memc_block *slots; /* the fault buffer as a block */ \
  cl_mem heap;   /* for kernels that allocate; see heap.c */ \
  int heap_used; /* since it was prepared */

