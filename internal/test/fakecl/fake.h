/* A machine of devices that exist only here. Package fakecl documents it. */
#ifndef FAKE_H
#define FAKE_H
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl_icd.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What a call that fails on purpose answers, and a wait for what never comes. */
enum { FAKE_FAILS = CL_INVALID_OPERATION, FAKE_NEVER = -9998 };

struct fake_machine {
  uint64_t random;  /* not 0 */
  double failing;   /* how often a marker, a barrier, or a copy that leaves an event fails */
  int64_t fails;    /* how many did */
  int64_t live;     /* objects of OpenCL that are not released */
  int64_t commands; /* enqueued */
  int64_t latest;   /* the latest command that ran */
  int64_t jumps;    /* commands that ran before an earlier one of another queue */
  cl_command_queue queues;
  cl_platform_id platforms;
};

/* What every object begins with: the loader takes the functions from dispatch. */
#define FAKE_OBJECT \
  cl_icd_dispatch *dispatch; \
  struct fake_machine *m; \
  int refs

struct fake_object { FAKE_OBJECT; };
struct _cl_platform_id { FAKE_OBJECT; cl_platform_id next; char name[32]; };
struct _cl_context { FAKE_OBJECT; };
struct _cl_program { FAKE_OBJECT; };
struct _cl_mem { FAKE_OBJECT; unsigned char *data; };
struct _cl_event { FAKE_OBJECT; int done; };
struct _cl_kernel { FAKE_OBJECT; union { cl_mem mem; int64_t i; } arg[7]; };

struct _cl_device_id {
  FAKE_OBJECT;
  cl_platform_id platform;
  char name[32];
  cl_device_type type;
  int lost;     /* every command fails, as if the device were gone */
  int no_peers; /* it copies from no other device's buffers */
  int queues;   /* made so far */
};

struct _cl_command_queue {
  FAKE_OBJECT;
  cl_device_id device;
  int number; /* among those of the device */
  int held;   /* it runs nothing */
  struct fake_command *first, *last;
  cl_command_queue next; /* of the machine */
};

/* Moves bytes from one place to another, repeats a pattern, or runs the kernel. The command holds the
   buffers that it uses, and the events that it waits for. */
struct fake_command {
  int64_t n;
  struct fake_command *next;
  cl_uint waits;
  cl_event after[64], done;
  cl_mem to_mem, from_mem;
  unsigned char *to, *from, pattern[8], add;
  size_t bytes, pattern_bytes, from_bytes;
  int kernel;
};

extern pthread_mutex_t fake_lock; /* of all that follows */
extern cl_icd_dispatch fake_table;
uint64_t fake_draw(struct fake_machine *m);
void *fake_make(struct fake_machine *m, size_t bytes);
void fake_drop(void *object);
void fake_drop_mem(cl_mem b);
int fake_step(struct fake_machine *m);
cl_int fake_drain(cl_command_queue q);
cl_int fake_enqueue(cl_command_queue q, const struct fake_command *want, int waits, cl_event *event);
cl_int fake_broken(cl_command_queue q, int may_fail);
void fake_commands(void); /* puts them into the table */
struct fake_machine *fake_new(uint64_t seed);
cl_device_id fake_device(struct fake_machine *m, const char *platform, const char *name, cl_device_type type);
#endif
