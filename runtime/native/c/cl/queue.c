/* Commands on a device's queue: launches, and reads that wait once. */

enum { MEMC_FLUSH_EVERY = 16 };

/* Has the device begin with what is queued, after the first command and then now and then,
   where nobody waits; e is what came of queueing the last one. */
static MEMC_UNUSED cl_int memc_begun(cl_command_queue queue, int *queued, cl_int e)
{
  if (e == CL_SUCCESS && (*queued)++ % MEMC_FLUSH_EVERY == 0)
    e = clFlush(queue);
  return e;
}

/* Passes a block to a kernel as its arguments from number *at on: the buffer, and the offset in it. */
static MEMC_UNUSED cl_int memc_pass_block(cl_kernel k, cl_uint *at, cl_mem buffer, cl_long offset)
{
  cl_int e = clSetKernelArg(k, (*at)++, sizeof buffer, &buffer);
  if (e == CL_SUCCESS)
    e = clSetKernelArg(k, (*at)++, sizeof offset, &offset);
  return e;
}

/* Enqueues work-groups of a kernel, of so many work-items each: most of them in each turn. A turn leaves
   an event where events is not NULL: an event costs NVIDIA's driver more than the command. */
static MEMC_UNUSED cl_int memc_turns(cl_command_queue queue, cl_kernel k, int64_t groups, int64_t most, size_t local, cl_event *events)
{
  int64_t first;
  cl_int e = CL_SUCCESS;
  for (first = 0; e == CL_SUCCESS && first < groups; first += most) {
    const size_t from = (size_t)first * local, global = (size_t)(groups - first < most ? groups - first : most) * local;
    e = clEnqueueNDRangeKernel(queue, k, 1, from ? &from : NULL, &global, &local, 0, NULL, events ? events++ : NULL);
  }
  return e;
}

/* Reads of several ranges. What has room in memory that the device reaches by itself is read to there first:
   what is read to other memory without waiting costs NVIDIA's driver more than a wait. */
struct memc_reading {
  cl_command_queue queue;
  unsigned char *staged;
  size_t room, used, taken; /* of that memory */
  int late;                 /* somebody has to wait for the last read */
};

/* Tells whether the next range is staged, of which so much is used. */
static MEMC_UNUSED int memc_staged(const struct memc_reading *r, size_t used, size_t bytes)
{
  return bytes <= r->room - used;
}

static MEMC_UNUSED cl_int memc_read_range(struct memc_reading *r, cl_mem from, size_t off, size_t bytes, void *dst)
{
  void *to = dst;
  if (bytes == 0)
    return CL_SUCCESS;
  if ((r->late = memc_staged(r, r->used, bytes))) {
    to = r->staged + r->used;
    r->used += bytes;
  }
  return clEnqueueReadBuffer(r->queue, from, r->late ? CL_FALSE : CL_TRUE, off, bytes, to, 0, NULL, NULL);
}

/* Waits for the reads; e is what came of the last one. */
static MEMC_UNUSED cl_int memc_read_wait(const struct memc_reading *r, cl_int e)
{
  const cl_int waited = r->late || e != CL_SUCCESS ? clFinish(r->queue) : CL_SUCCESS;
  return e == CL_SUCCESS ? waited : e;
}

/* Takes the next range to where it goes, in their order. */
static MEMC_UNUSED void memc_read_take(struct memc_reading *r, size_t bytes, void *dst)
{
  if (bytes == 0 || !memc_staged(r, r->taken, bytes))
    return;
  memcpy(dst, r->staged + r->taken, bytes);
  r->taken += bytes;
}
