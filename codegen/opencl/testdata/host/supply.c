/* A supply hands a buffer out again while kernels that read it are still queued. That is its right, on
   one queue: nobody else may write to the buffer meanwhile. */
#include <time.h>

enum { N = 1024, M = 4096, ROOM = 1 << 20 };

static cl_context context;
static cl_mem free_again[64];
static int count;

static void *get(void *self, int64_t bytes)
{
  const struct timespec pause = {0, 20000000}; /* kernels begin meanwhile */
  (void)self;
  CHECK(bytes <= ROOM);
  nanosleep(&pause, NULL);
  return count > 0 ? free_again[--count] : clCreateBuffer(context, CL_MEM_READ_WRITE, ROOM, NULL, NULL);
}

static void put(void *self, void *buffer)
{
  (void)self;
  free_again[count++] = buffer;
}

int main(void)
{
  static int32_t x[N], y[M], r[N];
  cl_platform_id platform;
  cl_device_id device;
  cl_command_queue queue;
  struct supply_config *cfg = supply_config_new();
  struct supply_context *ctx;
  struct supply_i32_1d *xs, *ys, *b, *d;
  int i, run;
  CHECK(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS);
  CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  queue = clCreateCommandQueue(context, device, 0, NULL);
  supply_config_set_command_queue(cfg, queue);
  supply_config_set_supply(cfg, get, put, NULL);
  CHECK(supply_config_set_allocator(cfg, "driver") == 0);
  ctx = supply_context_new(cfg);
  CHECK(supply_context_get_error(ctx) == NULL);
  for (i = 0; i < N; i++)
    x[i] = i;
  for (i = 0; i < M; i++)
    y[i] = i;
  xs = supply_new_i32_1d(ctx, x, N);
  ys = supply_new_i32_1d(ctx, y, M);
  for (run = 0; run < 3; run++) {
    CHECK(supply_entry_main(ctx, &b, &d, xs, ys, 300000) == 0);
    CHECK(supply_values_i32_1d(ctx, b, r) == 0);
    for (i = 0; i < N; i++)
      CHECK(r[i] == i / 64 * 64 + 1);
    supply_free_i32_1d(ctx, b);
    supply_free_i32_1d(ctx, d);
  }
  supply_free_i32_1d(ctx, xs);
  supply_free_i32_1d(ctx, ys);
  supply_context_free(ctx);
  supply_config_free(cfg);
  puts("ok");
  return 0;
}
