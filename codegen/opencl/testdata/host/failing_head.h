/* Stands before a library's source: every call that can fail goes through a
   counter, and the one that `fail_at` names fails. Objects made are counted. */
#define _POSIX_C_SOURCE 200112L
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <ctype.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long calls, fail_at, live, refused; /* refused: failed requests for memory of the host */

#define COUNT(n) (live += (n))

static int failing(void) { return ++calls == fail_at; }

static void *test_malloc(size_t n)
{
  void *p = failing() ? (refused++, NULL) : malloc(n);
  COUNT(p != NULL);
  return p;
}

static void *test_calloc(size_t n, size_t m)
{
  void *p = failing() ? (refused++, NULL) : calloc(n, m);
  COUNT(p != NULL);
  return p;
}

static void *test_realloc(void *old, size_t n)
{
  void *p = failing() ? (refused++, NULL) : realloc(old, n);
  COUNT(p != NULL && old == NULL);
  return p;
}

static void test_free(void *p)
{
  COUNT(-(p != NULL));
  free(p);
}

#define FAIL_MADE(e, what) (failing() ? (*(e) = CL_OUT_OF_HOST_MEMORY, NULL) : count_made(what, e))
#define FAIL(what) (failing() ? CL_OUT_OF_RESOURCES : (what))
#define GONE(what) (COUNT(-1), what)
#define FAIL_EVENT(event, what) (failing() ? CL_OUT_OF_RESOURCES : count_event(event, what))

static cl_int count_event(const cl_event *event, cl_int e)
{
  COUNT(e == CL_SUCCESS && event != NULL);
  return e;
}

static void *count_made(void *object, const cl_int *e)
{
  COUNT(*e == CL_SUCCESS);
  return object;
}

static cl_int retained(cl_int e)
{
  COUNT(e == CL_SUCCESS);
  return e;
}

#define malloc test_malloc
#define calloc test_calloc
#define realloc test_realloc
#define free test_free
#define clCreateContext(a, b, c, d, f, e) FAIL_MADE(e, clCreateContext(a, b, c, d, f, e))
#define clCreateCommandQueue(a, b, c, e) FAIL_MADE(e, clCreateCommandQueue(a, b, c, e))
#define clCreateBuffer(a, b, c, d, e) FAIL_MADE(e, clCreateBuffer(a, b, c, d, e))
#define clCreateProgramWithSource(a, b, c, d, e) FAIL_MADE(e, clCreateProgramWithSource(a, b, c, d, e))
#define clCreateKernel(a, b, e) FAIL_MADE(e, clCreateKernel(a, b, e))
#define clReleaseContext(x) GONE(clReleaseContext(x))
#define clReleaseCommandQueue(x) GONE(clReleaseCommandQueue(x))
#define clReleaseMemObject(x) GONE(clReleaseMemObject(x))
#define clReleaseProgram(x) GONE(clReleaseProgram(x))
#define clReleaseKernel(x) GONE(clReleaseKernel(x))
#define clBuildProgram(a, b, c, d, e, f) FAIL(clBuildProgram(a, b, c, d, e, f))
#define clGetPlatformIDs(a, b, c) FAIL(clGetPlatformIDs(a, b, c))
#define clGetDeviceIDs(a, b, c, d, e) FAIL(clGetDeviceIDs(a, b, c, d, e))
#define clSetKernelArg(a, b, c, d) FAIL(clSetKernelArg(a, b, c, d))
#define clEnqueueNDRangeKernel(a, b, c, d, e, f, g, h, i) FAIL(clEnqueueNDRangeKernel(a, b, c, d, e, f, g, h, i))
#define clEnqueueReadBuffer(a, b, c, d, e, f, g, h, i) FAIL_EVENT(i, clEnqueueReadBuffer(a, b, c, d, e, f, g, h, i))
#define clEnqueueWriteBuffer(a, b, c, d, e, f, g, h, i) FAIL_EVENT(i, clEnqueueWriteBuffer(a, b, c, d, e, f, g, h, i))
#define clEnqueueCopyBuffer(a, b, c, d, e, f, g, h, i) FAIL_EVENT(i, clEnqueueCopyBuffer(a, b, c, d, e, f, g, h, i))
#define clEnqueueFillBuffer(a, b, c, d, e, f, g, h, i) FAIL(clEnqueueFillBuffer(a, b, c, d, e, f, g, h, i))
#define clEnqueueMarkerWithWaitList(a, b, c, e) FAIL_EVENT(e, clEnqueueMarkerWithWaitList(a, b, c, e))
#define clEnqueueBarrierWithWaitList(a, b, c, e) FAIL(clEnqueueBarrierWithWaitList(a, b, c, e))
#define clWaitForEvents(n, list) FAIL(clWaitForEvents(n, list))
#define clEnqueueMapBuffer(a, b, c, d, f, g, h, i, j, e) \
  (failing() ? (*(e) = CL_MAP_FAILURE, NULL) : clEnqueueMapBuffer(a, b, c, d, f, g, h, i, j, e))
#define clRetainContext(x) FAIL(retained(clRetainContext(x)))
#define clRetainEvent(x) retained(clRetainEvent(x))
#define clReleaseEvent(x) GONE(clReleaseEvent(x))
#define clFlush(q) FAIL(clFlush(q))
