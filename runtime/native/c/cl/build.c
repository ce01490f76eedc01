/* Building kernels: with which options, and what the device's compiler says. */

/* Gives the options of a build, for the caller to free: OpenCL C 1.2, with f32 division and square root rounded correctly
   where the device can; more are the user's. */
static MEMC_UNUSED char *memc_build_options(int64_t local, int several, int exact, const char *more)
{
  return memc_format("-cl-std=CL1.2 -DMEMC_LOCAL=%" PRId64 "%s%s%s%s", local, several ? " -DMEMC_SEVERAL" : "",
                     exact ? " -cl-fp32-correctly-rounded-divide-sqrt" : "", more && *more ? " " : "", more ? more : "");
}

/* Gives what the compiler said of a program, for the caller to free; NULL: there is no memory for it. */
static MEMC_UNUSED char *memc_build_log(cl_program program, cl_device_id d)
{
  size_t n = 0;
  char *log;
  clGetProgramBuildInfo(program, d, CL_PROGRAM_BUILD_LOG, 0, NULL, &n);
  if ((log = calloc(1, n + 1)) && clGetProgramBuildInfo(program, d, CL_PROGRAM_BUILD_LOG, n, log, NULL) != CL_SUCCESS)
    *log = '\0';
  return log;
}
