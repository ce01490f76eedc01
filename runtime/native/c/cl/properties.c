/* Properties of a device: what kernels and blocks need to know of it, and how work is divided
   (imp.Property). It needs the headers ctype, stdlib and string, and OpenCL's. */

static char *memc_device_text(cl_device_id d, cl_device_info what)
{
  size_t n = 0;
  char *text;
  if (clGetDeviceInfo(d, what, 0, NULL, &n) != CL_SUCCESS || (text = malloc(n + 1)) == NULL)
    return NULL;
  if (clGetDeviceInfo(d, what, n, text, NULL) != CL_SUCCESS)
    n = 0;
  text[n] = '\0';
  return text;
}

static int memc_contains(const char *text, const char *part)
{
  size_t i;
  for (; *text; text++) {
    for (i = 0; part[i] && tolower((unsigned char)text[i]) == tolower((unsigned char)part[i]); i++)
      ;
    if (!part[i])
      return 1;
  }
  return !*part;
}

static MEMC_UNUSED cl_platform_id memc_platform_of(cl_device_id d)
{
  cl_platform_id p = NULL;
  clGetDeviceInfo(d, CL_DEVICE_PLATFORM, sizeof p, &p, NULL);
  return p;
}

static int memc_platform_named(cl_platform_id p, const char *part)
{
  char text[256] = "";
  return clGetPlatformInfo(p, CL_PLATFORM_NAME, sizeof text, text, NULL) == CL_SUCCESS && memc_contains(text, part);
}

struct memc_properties {
  int cpu, gpu, f64;
  int exact;             /* f32 division and square root can be rounded correctly: a build option asks for it */
  int64_t memory, alloc; /* bytes: of the device, and of the largest buffer that it promises */
  int64_t group;         /* work-items in one work-group */
  int64_t local;         /* bytes of local memory that a work-group may have */
  int64_t items;         /* work-items that there is room for at once */
  int64_t wave;          /* work-items that share each access of memory; 1: none do */
  int64_t several;       /* not 0: a work-item that only moves elements should move several */
  int64_t waits;         /* a work-group that runs may wait for one that began before it */
  int64_t wide;          /* there are atomic operations on 64 bits */
};

/* Gives a property of 4 or 8 bytes; 0 where the device does not know it. */
static int64_t memc_property(cl_device_id d, cl_device_info what)
{
  union { cl_ulong wide; cl_uint narrow; } v = {0};
  size_t n = sizeof v;
  if (clGetDeviceInfo(d, what, sizeof v, &v, &n) != CL_SUCCESS)
    return 0;
  return n == sizeof v.narrow ? (int64_t)v.narrow : v.wide < INT64_MAX ? (int64_t)v.wide : INT64_MAX;
}

/* On a GPU each compute unit has room for 2048 work-items, of which 32 share an access; on
   processors a few groups for each suffice. OpenCL promises nothing of groups that wait. NVIDIA's
   and AMD's GPUs leave a group where it is until it ends. */
static void memc_properties_of(cl_device_id d, struct memc_properties *p)
{
  char *extensions = memc_device_text(d, CL_DEVICE_EXTENSIONS);
  const char *has = extensions ? extensions : "";
  const int64_t units = memc_property(d, CL_DEVICE_MAX_COMPUTE_UNITS), type = memc_property(d, CL_DEVICE_TYPE);
  const cl_platform_id platform = memc_platform_of(d);
  p->cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  p->gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
  p->f64 = memc_property(d, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  p->exact = (memc_property(d, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  p->memory = memc_property(d, CL_DEVICE_GLOBAL_MEM_SIZE);
  p->alloc = memc_property(d, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  p->group = memc_property(d, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  p->local = memc_property(d, CL_DEVICE_LOCAL_MEM_SIZE);
  p->items = (units > 0 ? units : 1) * (p->cpu ? 1024 : 2048);
  p->wave = p->cpu ? 1 : 32;
  p->several = p->cpu ? 0 : p->items;
  p->wide = strstr(has, "cl_khr_int64_base_atomics") && strstr(has, "cl_khr_int64_extended_atomics");
  p->waits = p->gpu && p->wide && (memc_platform_named(platform, "nvidia") || memc_platform_named(platform, "amd"));
  free(extensions);
}
