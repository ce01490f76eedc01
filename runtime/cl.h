/* OpenCL 1.2, for every preamble of this package. */
#define CL_TARGET_OPENCL_VERSION 120
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define MEMC_UNUSED __attribute__((unused))
