/* Codes of the driver. */

/* What NVIDIA's driver answers after a kernel has touched foreign memory. */
enum { MEMC_CL_NVIDIA_FAULT = -9999 };

static MEMC_UNUSED const char *memc_cl_error(cl_int e)
{
  switch (e) {
  case CL_DEVICE_NOT_AVAILABLE: return "device not available";
  case CL_MEM_OBJECT_ALLOCATION_FAILURE: return "allocation failure";
  case CL_OUT_OF_RESOURCES: return "out of resources";
  case CL_OUT_OF_HOST_MEMORY: return "out of host memory";
  case CL_BUILD_PROGRAM_FAILURE: return "program does not build";
  case CL_INVALID_VALUE: return "invalid value";
  case CL_INVALID_MEM_OBJECT: return "invalid memory object";
  case CL_INVALID_KERNEL_NAME: return "invalid kernel name";
  case CL_INVALID_KERNEL_ARGS: return "invalid kernel arguments";
  case CL_INVALID_WORK_GROUP_SIZE: return "invalid work-group size";
  case CL_INVALID_BUFFER_SIZE: return "invalid buffer size";
  case CL_INVALID_GLOBAL_WORK_SIZE: return "invalid global work size";
  case CL_INVALID_CONTEXT: return "invalid context";
  case CL_INVALID_COMMAND_QUEUE: return "invalid command queue";
  case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: return "an earlier command failed";
  case MEMC_CL_NVIDIA_FAULT: return "a kernel touched memory that is not its own";
  case -1001: return "no OpenCL platform";
  }
  return "OpenCL error";
}

/* Tells whether an error of the driver means that the device is lost. The queue and
   the context are valid as long as the device is there. */
static int memc_cl_lost(cl_int e)
{
  return e == CL_DEVICE_NOT_AVAILABLE || e == CL_INVALID_CONTEXT || e == CL_INVALID_COMMAND_QUEUE ||
         e == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST || e == MEMC_CL_NVIDIA_FAULT;
}
