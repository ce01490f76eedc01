/* A user of the library: what memc.h promises. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memc.h"

static const char *const text =
  "entry step [n] (xs: *[n]f32, k: f32) : (ys: [n]f32, sum: f32) = {\n"
  "  let ys = map (i < n) { in xs[i] * k }\n"
  "  let sum = reduce (j < n) op (a, b) { in a + b } neutral (0.0) { in ys[j] }\n"
  "  in (ys, sum)\n"
  "}\n"
  "entry pick [n] (xs: [n]f32, i: i64) : f32 = {\n"
  "  in xs[i]\n"
  "}\n"
  "entry flip [n][m] (xs: [n][m]bool) : [n][m]bool = {\n"
  "  let ys = map (i < n, j < m) { in !xs[i, j] }\n"
  "  in ys\n"
  "}\n";

static void demand(int ok, const char *what)
{
  if (!ok) {
    fprintf(stderr, "user.c: %s\n", what);
    exit(1);
  }
}

/* The code must be that, and the error's text must hold a part. */
static void fails(int code, int want, char **error, const char *part)
{
  if (code != want || *error == NULL || strstr(*error, part) == NULL) {
    fprintf(stderr, "user.c: code %d, error %s; expected %d and \"%s\"\n", code, *error ? *error : "none", want, part);
    exit(1);
  }
  memc_free(*error);
  *error = NULL;
}

static void works(int code, char *error)
{
  if (code != MEMC_OK) {
    fprintf(stderr, "user.c: code %d: %s\n", code, error);
    exit(1);
  }
}

static memc_value floats(const float *data, const int64_t *shape)
{
  memc_value v = {0};
  v.type = MEMC_F32, v.rank = 1, v.shape = shape, v.data = data;
  return v;
}

static void arrays(memc_context ctx, memc_program prog)
{
  const float data[] = {1, 2, 3};
  const int64_t shape[] = {3};
  const unsigned char bools[] = {1, 0, 1, 1, 0, 0};
  const int64_t grid[] = {2, 3};
  unsigned char flipped[6];
  float out[3] = {0};
  memc_value args[2] = {{0}}, results[2], again[2];
  memc_array view;
  void *at;
  char *error = NULL;

  args[0] = floats(data, shape);
  args[1].type = MEMC_F32, args[1].scalar.f32 = 0.5f;
  works(memc_call(prog, "step", args, 2, results, 2, &error), error);
  demand(results[0].array != 0 && results[0].rank == 1 && results[0].shape[0] == 3 && results[0].type == MEMC_F32, "the array's type");
  demand(results[1].array == 0 && results[1].rank == 0 && results[1].scalar.f32 == 3, "the sum");
  works(memc_array_read(results[0].array, out, sizeof out, &error), error);
  demand(out[0] == 0.5f && out[1] == 1 && out[2] == 1.5f, "the array");
  fails(memc_array_read(results[0].array, out, 4, &error), MEMC_MISUSE, &error, "there is room for 4");

  args[0] = results[0]; /* it is consumed */
  works(memc_call(prog, "step", args, 2, again, 2, &error), error);
  demand(again[1].scalar.f32 == 1.5f, "the second sum");
  fails(memc_call(prog, "step", args, 2, again, 2, &error), MEMC_MISUSE, &error, "was consumed by a call");
  memc_array_free(results[0].array);
  memc_array_free(again[0].array);
  fails(memc_call(prog, "step", args, 2, again, 2, &error), MEMC_MISUSE, &error, "\"code\":\"E905\",\"message\":\"there is no such array");

  memset(args, 0, sizeof args);
  args[0].type = MEMC_BOOL, args[0].rank = 2, args[0].shape = grid, args[0].data = bools;
  works(memc_array_new(ctx, args, &args[0].array, &error), error);
  works(memc_call(prog, "flip", args, 1, results, 1, &error), error);
  works(memc_array_read(results[0].array, flipped, sizeof flipped, &error), error);
  demand(flipped[0] == 0 && flipped[1] == 1 && flipped[5] == 1, "the bools");
  works(memc_array_view(results[0].array, &view, &at, &error), error);
  memc_array_free(args[0].array);
  memc_array_free(results[0].array);
  demand((view == 0) == (at == NULL) && (at == NULL || memcmp(at, flipped, sizeof flipped) == 0), "the view");
  memc_array_free(view);
  fails(memc_array_view(results[0].array, &view, &at, &error), MEMC_MISUSE, &error, "there is no such array");
}

static void errors(memc_context ctx, memc_program prog)
{
  const float data[] = {1, 2, 3};
  int64_t shape[] = {3};
  memc_value args[2] = {{0}}, result;
  memc_program other;
  memc_context none;
  char *error = NULL;
  args[0] = floats(data, shape);
  args[1].type = MEMC_I64, args[1].scalar.i64 = 3;
  fails(memc_call(prog, "pick", args, 2, &result, 1, &error), MEMC_FAULT, &error, "\"span\":{\"start\":{\"line\":7,\"column\":9,");
  fails(memc_call(prog, "pick", args, 2, &result, 0, &error), MEMC_MISUSE, &error, "`pick` has 1 results, but there is room for 0");
  fails(memc_call(prog, "pick", args, 1, &result, 1, &error), MEMC_MISUSE, &error, "takes 2 arguments, but 1 were given");
  fails(memc_call(prog, "nosuch", args, 1, &result, 1, &error), MEMC_MISUSE, &error, "\"code\":\"E901\",\"message\":\"there is no entry");
  shape[0] = -1;
  fails(memc_call(prog, "pick", args, 2, &result, 1, &error), MEMC_MISUSE, &error, "the shape [-1]");
  shape[0] = 3;
  args[0].type = 99;
  fails(memc_call(prog, "pick", args, 2, &result, 1, &error), MEMC_MISUSE, &error, "there is no type 99");
  args[0] = floats(data, shape);
  fails(memc_compile(ctx, "entry main (x: i32) : i32 = { in x + y }", 40, "{\"file\": \"a.ir\"}", &other, &error), MEMC_INPUT, &error, "a.ir:1:38: error[E101]: ");
  fails(memc_compile(ctx, text, strlen(text), "{\"pases\": \"\"}", &other, &error), MEMC_MISUSE, &error, "pases");
  fails(memc_compile(77, text, strlen(text), NULL, &other, &error), MEMC_MISUSE, &error, "there is no such context");
  fails(memc_open("{\"device\": \"no such device\"}", &none, &error), MEMC_FAILURE, &error, "no such device");
  demand(memc_call(prog, "pick", args, 2, &result, 1, NULL) == MEMC_FAULT, "a call without a place for the error");
  args[1].scalar.i64 = 1;
  works(memc_call(prog, "pick", args, 2, &result, 1, &error), error);
  demand(result.scalar.f32 == 2, "a call after errors");
}

int main(int argc, char **argv)
{
  memc_context ctx;
  memc_program prog;
  memc_value args[1] = {{0}};
  char *error = NULL, *json;
  demand(argc == 2, "expected the device, as JSON");
  demand(memc_abi() == MEMC_ABI, "the library has another version");
  works(memc_open(argv[1], &ctx, &error), error);
  works(memc_compile(ctx, text, strlen(text), NULL, &prog, &error), error);
  json = memc_entries(prog);
  demand(json && strstr(json, "{\"name\":\"xs\",\"type\":\"*[n]f32\",\"elem\":\"f32\",\"shape\":[\"n\"],\"consumed\":true}"), "the entries");
  memc_free(json);
  works(memc_build(prog, "pick", &error), error);
  arrays(ctx, prog);
  errors(ctx, prog);
  json = memc_stats(ctx);
  demand(json && strstr(json, "\"device\":"), "the statistics");
  memc_free(json);
  memc_program_free(prog);
  memc_program_free(prog);
  fails(memc_call(prog, "pick", args, 1, NULL, 0, &error), MEMC_MISUSE, &error, "there is no such program");
  memc_close(ctx);
  demand(memc_stats(ctx) == NULL && memc_entries(prog) == NULL, "what is gone");
  memc_free(NULL);
  puts("ok");
  return 0;
}
