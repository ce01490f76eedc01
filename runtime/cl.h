/* OpenCL 1.2, for every preamble of this package. */
#define CL_TARGET_OPENCL_VERSION 120
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define MEMC_UNUSED __attribute__((unused))

/* An argument of a kernel. */
typedef struct {
  uintptr_t block; /* a cl_mem: what holds pointers, cgo looks through */
  int64_t bits; /* a scalar, or the offset of a block */
  size_t size;  /* of the scalar in bytes; 0: a block with its offset */
  size_t local; /* bytes of local memory, in place of both; 0: none */
  int bare;     /* a block without its offset */
} argument;

/* An element to be read: cl/reads.c. */
struct memc_want {
  cl_mem from;
  size_t at, bytes;
  void *dst;
};
