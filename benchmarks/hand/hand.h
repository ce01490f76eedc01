/* What the loops written by hand share: arguments from standard input, results to
   standard output, and the microseconds of each run on standard error. A scalar comes
   as its bytes, an array as its dims (64 bits each) and its elements. */
#define _POSIX_C_SOURCE 200112L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <math.h>

static void hand_read(void *to, size_t bytes)
{
  if (fread(to, 1, bytes, stdin) != bytes)
    exit(1);
}

static int64_t hand_i64(void) { int64_t v; hand_read(&v, sizeof v); return v; }
static float hand_f32(void) { float v; hand_read(&v, sizeof v); return v; }

static void *hand_array(int rank, int64_t *dims, size_t size)
{
  size_t n = 1;
  void *data;
  int i;
  hand_read(dims, (size_t)rank * sizeof *dims);
  for (i = 0; i < rank; i++)
    n *= (size_t)dims[i];
  data = malloc(n * size + 1);
  hand_read(data, n * size);
  return data;
}

static int64_t hand_now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

/* Runs the loops once, and then as often as the argument says; only those runs count. */
#define HAND_RUNS(call) \
  do { \
    int64_t runs = argc > 1 ? strtoll(argv[1], NULL, 10) : 1, run, start; \
    for (run = -1; run < runs; run++) { \
      start = hand_now(); \
      call; \
      if (run >= 0) \
        fprintf(stderr, "%lld\n", (long long)(hand_now() - start)); \
    } \
  } while (0)
