/* What the C tests share. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(cond) \
  do { \
    if (!(cond)) { \
      fprintf(stderr, "line %d: %s\n", __LINE__, #cond); \
      exit(1); \
    } \
  } while (0)
