/* Reads that wait once, and what a kernel's failing check left.

   A fault buffer begins with MEMC_FAULT_WORDS words of 64 bits. A kernel's first failing check sets the
   int at its start to a code, and the words behind to the arguments; the host finds the code when it next
   waits for the device. The slots behind the words are where kernels leave scalars, see imp.Slots. */

enum { MEMC_FAULT_WORDS = 8, MEMC_LOOK_EVERY = 1 << 12 /* launches: a loop whose kernels do nothing, since one has failed, may never end */ };

/* Gives where a range is read to: its part of what is read of the fault buffer (own bytes), fresh memory that the
   device reaches by itself, or its own place where there is no room. What is read to other memory without waiting
   costs NVIDIA's driver more than a wait. */
static MEMC_UNUSED unsigned char *memc_read_to(const struct memc_want *w, const struct memc_pinned *staging, cl_mem faults, size_t own, size_t *used)
{
  unsigned char *to = staging->at + *used;
  if (w->from == faults && w->at + w->bytes <= own)
    return staging->at + w->at;
  if (w->bytes > staging->bytes - *used)
    return w->dst;
  *used += w->bytes;
  return to;
}

/* Reads ranges. Where kernels that can fail were launched since the host looked, the words of the fault buffer
   are read, too. The device is waited for once, unless ranges are large. */
static MEMC_UNUSED cl_int memc_read_wants(cl_command_queue queue, const struct memc_pinned *staging, cl_mem faults, int launched,
                                          int64_t *words, int count, const struct memc_want *wants)
{
  const size_t look = launched > 0 ? MEMC_FAULT_WORDS * sizeof *words : 0;
  size_t own = look, used;
  cl_int e = CL_SUCCESS, waited = CL_SUCCESS;
  int i, late = count == 0;
  for (i = 0; i < count; i++)
    if (wants[i].from == faults && wants[i].at + wants[i].bytes > own && wants[i].at + wants[i].bytes <= staging->bytes)
      own = wants[i].at + wants[i].bytes;
  if (own > 0) {
    late = 1;
    e = clEnqueueReadBuffer(queue, faults, CL_FALSE, 0, own, staging->at, 0, NULL, NULL);
  }
  for (used = own, i = 0; i < count && e == CL_SUCCESS; i++) {
    const size_t before = used;
    unsigned char *to = memc_read_to(&wants[i], staging, faults, own, &used);
    if (wants[i].bytes == 0 || (used == before && to != wants[i].dst))
      continue;
    late = used > before;
    e = clEnqueueReadBuffer(queue, wants[i].from, late ? CL_FALSE : CL_TRUE, wants[i].at, wants[i].bytes, to, 0, NULL, NULL);
  }
  if (late || e != CL_SUCCESS)
    waited = clFinish(queue);
  if (e != CL_SUCCESS || waited != CL_SUCCESS)
    return e != CL_SUCCESS ? e : waited;
  for (used = own, i = 0; i < count; i++) {
    unsigned char *from = memc_read_to(&wants[i], staging, faults, own, &used);
    if (from != wants[i].dst && wants[i].bytes > 0)
      memcpy(wants[i].dst, from, wants[i].bytes);
  }
  memcpy(words, staging->at, look);
  return CL_SUCCESS;
}
