/* Stands before a library's source: from the moment that lost is set the driver
   answers with it; where no_f64 is set no device has f64. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

static cl_int lost;
static int no_f64, builds, commands;

static cl_int test_info(cl_device_id d, cl_device_info what, size_t n, void *to, size_t *size)
{
  if (no_f64 && what == CL_DEVICE_DOUBLE_FP_CONFIG) {
    *(cl_device_fp_config *)to = 0;
    return CL_SUCCESS;
  }
  return clGetDeviceInfo(d, what, n, to, size);
}

#define ANSWER(what) (commands++, lost ? lost : (what))
#define clGetDeviceInfo test_info
#define clBuildProgram(a, b, c, d, e, f) (builds++, clBuildProgram(a, b, c, d, e, f))
#define clFinish(q) ANSWER(clFinish(q))
#define clEnqueueReadBuffer(a, b, c, d, e, f, g, h, i) ANSWER(clEnqueueReadBuffer(a, b, c, d, e, f, g, h, i))
#define clEnqueueWriteBuffer(a, b, c, d, e, f, g, h, i) ANSWER(clEnqueueWriteBuffer(a, b, c, d, e, f, g, h, i))
#define clEnqueueNDRangeKernel(a, b, c, d, e, f, g, h, i) ANSWER(clEnqueueNDRangeKernel(a, b, c, d, e, f, g, h, i))
