/* Options: those of processors. main.c lists them, behind its own, whose numbers are lower. */

enum { MEMC_F_THREADS = 100 };

#define MEMC_F_TARGET_OPTIONS \
  {"num-threads", 0, MEMC_F_THREADS, "INT", "Run on so many threads."},
