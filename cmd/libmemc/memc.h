/* memc as a library: it compiles programs in memc's IR, and calls them, in this process.

     memc_context ctx;
     memc_program prog;
     char *error = NULL;
     memc_value arg = {0}, result;
     memc_open(NULL, &ctx, &error);
     memc_compile(ctx, text, strlen(text), NULL, &prog, &error);
     arg.type = MEMC_F32, arg.rank = 1, arg.shape = shape, arg.data = xs;
     memc_call(prog, "main", &arg, 1, &result, 1, &error);
     memc_array_read(result.array, ys, sizeof ys, &error);

   Link with -lmemc. Any thread may call any function; calls on one context take turns. A process that
   is forked after the library was loaded cannot use it.

   Functions return MEMC_OK (0) or another memc_code. With an error they set *error, unless error is
   NULL, to a text that the caller frees with memc_free; else they leave it alone. It is JSON:
     {"kind": "input", "text": "a.ir:2:10: error[E101]: ..", "messages": [{"file": "a.ir",
      "severity": "error", "code": "E101", "message": "..", "span": {"start": {"line": 2, "column": 10, "offset": 39}, "end": {..}},
      "notes": [{"message": "..", "span": {..}}], "hint": ".."}]}
   After an error everything can be used further. */
#ifndef MEMC_H
#define MEMC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It rises with every change that a compiled program could notice. */
#define MEMC_ABI 1

/* 0 is none of them. A number that was freed is an error, and is not used again. */
typedef uint64_t memc_context; /* a device with its memory */
typedef uint64_t memc_program; /* a compiled program on it */
typedef uint64_t memc_array;   /* an array on the device, row-major */

enum memc_code {
  MEMC_OK = 0,
  MEMC_INPUT = 1,         /* the program is wrong */
  MEMC_LIMITATION = 2,    /* memc cannot compile the program */
  MEMC_FAULT = 3,         /* an index out of bounds, a failing assert, sizes that differ */
  MEMC_OUT_OF_MEMORY = 4, /* the device, or the heap of kernels, has no room */
  MEMC_MISUSE = 5,        /* a wrong argument; what was freed, consumed or closed */
  MEMC_DEVICE_LOST = 6,   /* close the context, and open another */
  MEMC_FAILURE = 7,       /* another error of the device, its driver or its compiler */
  MEMC_BUG = 8            /* a mistake of memc's own */
};

enum memc_type {
  MEMC_I8, MEMC_I16, MEMC_I32, MEMC_I64, MEMC_U8, MEMC_U16, MEMC_U32, MEMC_U64,
  MEMC_F16, MEMC_F32, MEMC_F64, MEMC_BOOL
};

/* An argument or a result. */
typedef struct memc_value {
  memc_array array;     /* an array on the device; 0: what follows is the value */
  int32_t type;         /* memc_type, of a scalar or of the elements */
  int32_t rank;         /* 0: a scalar */
  const int64_t *shape; /* rank sizes, the outermost first */
  const void *data;     /* the elements, row-major; a bool is a byte, 0 or 1 */
  union {
    int8_t i8; int16_t i16; int32_t i32; int64_t i64;
    uint8_t u8; uint16_t u16; uint32_t u32; uint64_t u64;
    uint16_t f16; float f32; double f64; uint8_t b;
  } scalar;
} memc_value;

#ifndef MEMC_TYPES_ONLY

/* Returns the version of the library's interface; the program needs MEMC_ABI. */
int memc_abi(void);

/* Opens a device. device is a JSON object, or NULL for the first GPU, or else the first device, or else
   the processors: {"device": "1", "memory_limit": 1000000, "allocator": "tagged", "evict": true,
   "threads": 4}. Every member may be left out. */
int memc_open(const char *device, memc_context *ctx, char **error);

/* Waits for running calls, and gives the device back, with the memory of its arrays. Programs and
   arrays are still to be freed. */
void memc_close(memc_context ctx);

/* Returns statistics as JSON, with the device's name; NULL if there is no such context. */
char *memc_stats(memc_context ctx);

/* Compiles a program: text or JSON, of that many bytes. options is a JSON object or NULL: {"file": "a.ir",
   "passes": "middle,memory", "unsafe": true, "contract": true, "thresholds": ["NAME=1"],
   "device_heap": 1000000}. Kernels are built when their entry is first called. */
int memc_compile(memc_context ctx, const char *text, size_t length, const char *options, memc_program *prog,
                 char **error);

/* Frees a program. Its results stay. */
void memc_program_free(memc_program prog);

/* Returns the entries as JSON, with what is suspicious in the program: {"entries": [{"name": "main", "params":
   [{"name": "xs", "type": "*[n]f32", "elem": "f32", "shape": ["n"], "consumed": true}], "results":
   [{"type": "f32", "elem": "f32"}]}], "warnings": [..]}. NULL if there is no such program. */
char *memc_entries(memc_program prog);

/* Builds an entry before it is called; NULL: all entries. */
int memc_build(memc_program prog, const char *entry, char **error);

/* Calls an entry. The numbers of arguments and results must be those of memc_entries. Arguments that are
   not on the device are copied there for the call. Results are scalars, and arrays on the device: array is
   to be freed, type, rank and shape describe it, and the shape lives as long as the array. A parameter
   of a unique type ("*[n]f32") consumes its array, whose number is still to be freed. */
int memc_call(memc_program prog, const char *entry, const memc_value *args, size_t nargs, memc_value *results, size_t nresults,
              char **error);

/* Copies an array to the device, for arguments that several calls share. */
int memc_array_new(memc_context ctx, const memc_value *data, memc_array *array, char **error);

/* Copies the elements to data, which has just their size in bytes. */
int memc_array_read(memc_array array, void *data, size_t bytes, char **error);

/* Tells where the elements of an array are, without a copy: *data, for reading only. They stay there, whatever happens
   to the array, until *view is freed. On an OpenCL device, and where there are no elements, *data is NULL and *view 0. */
int memc_array_view(memc_array array, memc_array *view, void **data, char **error);

/* Frees an array, or a view of one. */
void memc_array_free(memc_array array);

/* Frees a text that the library returned. */
void memc_free(char *text);

#endif

#ifdef __cplusplus
}
#endif

#endif
