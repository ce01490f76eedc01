/* Memory that the driver makes. */

/* Makes a buffer. A driver may put an allocation off to the first use, where it could only fail in
   the middle of things; so a buffer is touched when it is made, through a queue of its own (side),
   which does not wait for kernels that still run. Drivers may make buffers above the size that they
   promise (CL_DEVICE_MAX_MEM_ALLOC_SIZE), so that is no bound here. */
static MEMC_UNUSED cl_int memc_make_buffer(cl_context cl, cl_command_queue side, int64_t bytes, cl_mem *m)
{
  const cl_uint touch = 0;
  cl_int e = CL_INVALID_BUFFER_SIZE;
  if ((uint64_t)bytes <= SIZE_MAX)
    *m = clCreateBuffer(cl, CL_MEM_READ_WRITE, (size_t)bytes, NULL, &e);
  if (e != CL_SUCCESS)
    return e;
  e = clEnqueueWriteBuffer(side, *m, CL_TRUE, 0, sizeof touch, &touch, 0, NULL, NULL);
  if (e != CL_SUCCESS)
    clReleaseMemObject(*m);
  return e;
}

/* Memory of the host that devices reach fast. */
struct memc_pinned { cl_mem mem; unsigned char *at; size_t bytes; };

/* Makes such memory: a buffer of the kind that drivers keep in pages which devices reach directly. */
static MEMC_UNUSED cl_int memc_pin(cl_context cl, cl_command_queue queue, int64_t bytes, struct memc_pinned *p)
{
  cl_int e;
  p->bytes = (size_t)bytes;
  p->mem = clCreateBuffer(cl, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, (size_t)bytes, NULL, &e);
  if (e != CL_SUCCESS) {
    p->mem = NULL;
    return e;
  }
  p->at = clEnqueueMapBuffer(queue, p->mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, (size_t)bytes, 0, NULL, NULL, &e);
  if (e != CL_SUCCESS) {
    clReleaseMemObject(p->mem);
    p->mem = NULL;
  }
  return e;
}

static MEMC_UNUSED void memc_unpin(cl_command_queue queue, const struct memc_pinned *p)
{
  if (p->mem == NULL)
    return;
  clEnqueueUnmapMemObject(queue, p->mem, p->at, 0, NULL, NULL);
  clReleaseMemObject(p->mem);
}
