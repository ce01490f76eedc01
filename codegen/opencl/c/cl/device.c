/* OpenCL: what a configuration and a context hold besides what every target does. */

typedef cl_mem memc_buffer;

#define MEMC_CONFIG_FIELDS \
  cl_command_queue queue; /* use this queue, its context and its device */ \
  char *build_options;    /* for the kernels, besides our own */ \
  char *program;          /* kernels to build in place of memc_source */ \
  char *binary, *dump;    /* files with built kernels: to take instead, and to write */ \
  char *cache;            /* a file that keeps built kernels from one run to the next */

enum { MEMC_FLUSH_EVERY = 16 };

#define MEMC_CONTEXT_FIELDS \
  int queued; /* commands since the device was waited for */ \
  cl_device_id device; \
  int64_t device_items, device_wave, device_waits, device_several, device_local, device_wide; /* how work is divided; see imp.Property */ \
  cl_context cl; \
  cl_command_queue queue; \
  cl_command_queue side; /* where blocks are touched; see memc_buffer_create */ \
  cl_program program; \
  cl_kernel *kernels; \
  cl_mem faults; /* what a kernel's failing check leaves; see faults.c */ \
  cl_mem staging; /* memory to read to, and where it is */ \
  unsigned char *staged; \
  struct memc_block *slots; /* the fault buffer as a block */ \
  cl_mem heap;   /* for kernels that allocate; see heap.c */ \
  int heap_used; /* since it was prepared */

