/* Commands. */
#include "fake.h"

/* Enqueues a copy of bytes. */
static cl_int copy(cl_command_queue q, cl_bool waits, struct fake_command c, cl_event *event)
{
  cl_int e;
  pthread_mutex_lock(&fake_lock);
  if ((e = fake_broken(q, event != NULL)) == CL_SUCCESS)
    e = fake_enqueue(q, &c, waits, event);
  pthread_mutex_unlock(&fake_lock);
  return e;
}

static cl_int CL_API_CALL read_buffer(cl_command_queue q, cl_mem b, cl_bool waits, size_t off, size_t bytes, void *to, cl_uint n,
                                      const cl_event *list, cl_event *event)
{
  const struct fake_command c = {.from_mem = b, .from = b->data + off, .to = to, .bytes = bytes};
  (void)n, (void)list;
  return copy(q, waits, c, event);
}

static cl_int CL_API_CALL write_buffer(cl_command_queue q, cl_mem b, cl_bool waits, size_t off, size_t bytes, const void *from,
                                       cl_uint n, const cl_event *list, cl_event *event)
{
  const struct fake_command c = {.to_mem = b, .to = b->data + off, .from = (unsigned char *)from, .bytes = bytes};
  (void)n, (void)list;
  return copy(q, waits, c, event);
}

static cl_int CL_API_CALL copy_buffer(cl_command_queue q, cl_mem from, cl_mem to, size_t from_off, size_t to_off, size_t bytes,
                                      cl_uint n, const cl_event *list, cl_event *event)
{
  const struct fake_command c = {
    .from_mem = from, .from = from->data + from_off, .to_mem = to, .to = to->data + to_off, .bytes = bytes};
  (void)n, (void)list;
  return event && q->device->no_peers ? CL_INVALID_MEM_OBJECT : copy(q, CL_FALSE, c, event);
}

static cl_int CL_API_CALL fill_buffer(cl_command_queue q, cl_mem b, const void *pattern, size_t size, size_t off, size_t bytes,
                                      cl_uint n, const cl_event *list, cl_event *event)
{
  struct fake_command c = {.to_mem = b, .to = b->data + off, .bytes = bytes, .pattern_bytes = size};
  (void)n, (void)list;
  memcpy(c.pattern, pattern, size);
  return copy(q, CL_FALSE, c, event);
}

static void *CL_API_CALL map(cl_command_queue q, cl_mem b, cl_bool waits, cl_map_flags flags, size_t off, size_t bytes, cl_uint n,
                             const cl_event *list, cl_event *event, cl_int *e)
{
  (void)q, (void)waits, (void)flags, (void)bytes, (void)n, (void)list, (void)event;
  *e = CL_SUCCESS;
  return b->data + off;
}

static cl_int CL_API_CALL unmap(cl_command_queue q, cl_mem b, void *at, cl_uint n, const cl_event *list, cl_event *event)
{
  (void)q, (void)b, (void)at, (void)n, (void)list, (void)event;
  return CL_SUCCESS;
}

/* The kernel takes two blocks, a number, and the sizes of the blocks: each byte of the second one becomes a sum of
   itself, of the number, and of three times a byte of the first. */
static cl_int CL_API_CALL launch(cl_command_queue q, cl_kernel k, cl_uint rank, const size_t *first, const size_t *global,
                                 const size_t *local, cl_uint n, const cl_event *list, cl_event *event)
{
  const struct fake_command c = {
    .kernel = 1, .from_mem = k->arg[0].mem, .from = k->arg[0].mem->data + k->arg[1].i, .to_mem = k->arg[2].mem,
    .to = k->arg[2].mem->data + k->arg[3].i, .add = (unsigned char)k->arg[4].i, .from_bytes = (size_t)k->arg[5].i,
    .bytes = (size_t)k->arg[6].i};
  (void)rank, (void)first, (void)global, (void)local, (void)n, (void)list;
  return copy(q, CL_FALSE, c, event);
}

/* A marker, or a barrier. */
static cl_int CL_API_CALL barrier(cl_command_queue q, cl_uint n, const cl_event *list, cl_event *event)
{
  struct fake_command c = {.waits = n};
  cl_uint i;
  cl_int e;
  if (n > sizeof c.after / sizeof *c.after)
    return CL_INVALID_EVENT_WAIT_LIST;
  pthread_mutex_lock(&fake_lock);
  if ((e = fake_broken(q, 1)) == CL_SUCCESS) {
    for (i = 0; i < n; i++) {
      c.after[i] = list[i];
      c.after[i]->refs++;
    }
    e = fake_enqueue(q, &c, 0, event);
  }
  pthread_mutex_unlock(&fake_lock);
  return e;
}

static cl_int CL_API_CALL flush(cl_command_queue q) { return q->device->lost ? CL_DEVICE_NOT_AVAILABLE : CL_SUCCESS; }

static cl_int CL_API_CALL finish(cl_command_queue q)
{
  cl_int e;
  pthread_mutex_lock(&fake_lock);
  e = fake_drain(q);
  pthread_mutex_unlock(&fake_lock);
  return e;
}

static cl_int CL_API_CALL event_info(cl_event ev, cl_event_info what, size_t size, void *value, size_t *got)
{
  (void)what, (void)size, (void)got;
  pthread_mutex_lock(&fake_lock);
  *(cl_int *)value = ev->done ? CL_COMPLETE : CL_QUEUED;
  pthread_mutex_unlock(&fake_lock);
  return CL_SUCCESS;
}

static cl_int CL_API_CALL wait_for(cl_uint n, const cl_event *list)
{
  cl_int e = CL_SUCCESS;
  cl_uint i;
  pthread_mutex_lock(&fake_lock);
  for (i = 0; i < n; i++)
    while (!list[i]->done && e == CL_SUCCESS)
      if (!fake_step(list[i]->m))
        e = FAKE_NEVER;
  pthread_mutex_unlock(&fake_lock);
  return e;
}

void fake_commands(void)
{
  fake_table.clEnqueueReadBuffer = read_buffer;
  fake_table.clEnqueueWriteBuffer = write_buffer;
  fake_table.clEnqueueCopyBuffer = copy_buffer;
  fake_table.clEnqueueFillBuffer = fill_buffer;
  fake_table.clEnqueueMapBuffer = map;
  fake_table.clEnqueueUnmapMemObject = unmap;
  fake_table.clEnqueueNDRangeKernel = launch;
  fake_table.clEnqueueMarkerWithWaitList = barrier;
  fake_table.clEnqueueBarrierWithWaitList = barrier;
  fake_table.clFlush = flush;
  fake_table.clFinish = finish;
  fake_table.clGetEventInfo = event_info;
  fake_table.clWaitForEvents = wait_for;
}
