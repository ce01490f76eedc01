/* Launches on a device's queue. */

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
