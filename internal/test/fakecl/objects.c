/* Objects of OpenCL. */
#include "fake.h"

cl_icd_dispatch fake_table;

static void *made(struct fake_machine *m, size_t bytes, cl_int *e)
{
  void *o;
  pthread_mutex_lock(&fake_lock);
  o = fake_make(m, bytes);
  pthread_mutex_unlock(&fake_lock);
  *e = CL_SUCCESS;
  return o;
}

static cl_int retain(struct fake_object *o)
{
  pthread_mutex_lock(&fake_lock);
  o->refs++;
  pthread_mutex_unlock(&fake_lock);
  return CL_SUCCESS;
}

static cl_int release(void *object)
{
  pthread_mutex_lock(&fake_lock);
  fake_drop(object);
  pthread_mutex_unlock(&fake_lock);
  return CL_SUCCESS;
}

static cl_int info(const void *from, size_t n, size_t room, void *to, size_t *size)
{
  if (size)
    *size = n;
  if (to && room >= n)
    memcpy(to, from, n);
  return CL_SUCCESS;
}

static cl_int CL_API_CALL platform_info(cl_platform_id p, cl_platform_info what, size_t room, void *to, size_t *size)
{
  return what == CL_PLATFORM_NAME ? info(p->name, strlen(p->name) + 1, room, to, size) : CL_INVALID_VALUE;
}

static cl_int CL_API_CALL device_info(cl_device_id d, cl_device_info what, size_t room, void *to, size_t *size)
{
  switch (what) {
  case CL_DEVICE_NAME: return info(d->name, strlen(d->name) + 1, room, to, size);
  case CL_DEVICE_TYPE: return info(&d->type, sizeof d->type, room, to, size);
  case CL_DEVICE_PLATFORM: return info(&d->platform, sizeof d->platform, room, to, size);
  }
  return CL_INVALID_VALUE;
}

static cl_context CL_API_CALL create_context(const cl_context_properties *p, cl_uint n, const cl_device_id *d,
                                             void(CL_CALLBACK *f)(const char *, const void *, size_t, void *), void *self, cl_int *e)
{
  (void)p, (void)n, (void)f, (void)self;
  return made((*d)->m, sizeof(struct _cl_context), e);
}

static cl_int CL_API_CALL release_context(cl_context c) { return release(c); }

static cl_command_queue CL_API_CALL create_queue(cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int *e)
{
  cl_command_queue q = made(c->m, sizeof *q, e);
  (void)p;
  pthread_mutex_lock(&fake_lock);
  q->device = d;
  q->number = d->queues++;
  q->next = c->m->queues;
  c->m->queues = q;
  pthread_mutex_unlock(&fake_lock);
  return q;
}

static cl_int CL_API_CALL retain_queue(cl_command_queue q) { return retain((struct fake_object *)q); }

static cl_int CL_API_CALL release_queue(cl_command_queue q)
{
  cl_command_queue *at;
  pthread_mutex_lock(&fake_lock);
  for (at = &q->m->queues; q->refs == 1 && *at; at = &(*at)->next)
    if (*at == q) {
      *at = q->next;
      break;
    }
  fake_drop(q);
  pthread_mutex_unlock(&fake_lock);
  return CL_SUCCESS;
}

/* Fresh memory holds anything. */
static cl_mem CL_API_CALL create_buffer(cl_context c, cl_mem_flags flags, size_t bytes, void *host, cl_int *e)
{
  cl_mem b = made(c->m, sizeof *b, e);
  size_t i;
  (void)flags, (void)host;
  pthread_mutex_lock(&fake_lock);
  b->data = malloc(bytes);
  for (i = 0; i < bytes; i++)
    b->data[i] = (unsigned char)fake_draw(c->m);
  pthread_mutex_unlock(&fake_lock);
  return b;
}

static cl_int CL_API_CALL release_mem(cl_mem b)
{
  pthread_mutex_lock(&fake_lock);
  fake_drop_mem(b);
  pthread_mutex_unlock(&fake_lock);
  return CL_SUCCESS;
}

static cl_program CL_API_CALL create_program(cl_context c, cl_uint n, const char **text, const size_t *lengths, cl_int *e)
{
  (void)n, (void)text, (void)lengths;
  return made(c->m, sizeof(struct _cl_program), e);
}

static cl_int CL_API_CALL build_program(cl_program p, cl_uint n, const cl_device_id *d, const char *options,
                                        void(CL_CALLBACK *f)(cl_program, void *), void *self)
{
  (void)p, (void)n, (void)d, (void)options, (void)f, (void)self;
  return CL_SUCCESS;
}

static cl_int CL_API_CALL release_program(cl_program p) { return release(p); }

static cl_kernel CL_API_CALL create_kernel(cl_program p, const char *name, cl_int *e)
{
  (void)name;
  return made(p->m, sizeof(struct _cl_kernel), e);
}

static cl_int CL_API_CALL release_kernel(cl_kernel k) { return release(k); }

static cl_int CL_API_CALL set_arg(cl_kernel k, cl_uint i, size_t size, const void *value)
{
  if (i >= sizeof k->arg / sizeof *k->arg || size > sizeof *k->arg)
    return CL_INVALID_ARG_INDEX;
  memcpy(&k->arg[i], value, size);
  return CL_SUCCESS;
}

static cl_int CL_API_CALL retain_event(cl_event ev) { return retain((struct fake_object *)ev); }
static cl_int CL_API_CALL release_event(cl_event ev) { return release(ev); }

static void objects(void)
{
  fake_table.clGetPlatformInfo = platform_info;
  fake_table.clGetDeviceInfo = device_info;
  fake_table.clCreateContext = create_context;
  fake_table.clReleaseContext = release_context;
  fake_table.clCreateCommandQueue = create_queue;
  fake_table.clRetainCommandQueue = retain_queue;
  fake_table.clReleaseCommandQueue = release_queue;
  fake_table.clCreateBuffer = create_buffer;
  fake_table.clReleaseMemObject = release_mem;
  fake_table.clCreateProgramWithSource = create_program;
  fake_table.clBuildProgram = build_program;
  fake_table.clReleaseProgram = release_program;
  fake_table.clCreateKernel = create_kernel;
  fake_table.clReleaseKernel = release_kernel;
  fake_table.clSetKernelArg = set_arg;
  fake_table.clRetainEvent = retain_event;
  fake_table.clReleaseEvent = release_event;
}

struct fake_machine *fake_new(uint64_t seed)
{
  struct fake_machine *m = calloc(1, sizeof *m);
  m->random = seed * 2 + 1;
  pthread_mutex_lock(&fake_lock);
  objects();
  fake_commands();
  pthread_mutex_unlock(&fake_lock);
  return m;
}

/* Platforms and devices are no objects that anybody releases. */
cl_device_id fake_device(struct fake_machine *m, const char *platform, const char *name, cl_device_type type)
{
  cl_device_id d = fake_make(m, sizeof *d);
  cl_platform_id p;
  for (p = m->platforms; p && strcmp(p->name, platform) != 0; p = p->next)
    ;
  if (p == NULL) {
    p = fake_make(m, sizeof *p);
    m->live--;
    strncpy(p->name, platform, sizeof p->name - 1);
    p->next = m->platforms;
    m->platforms = p;
  }
  m->live--;
  strncpy(d->name, name, sizeof d->name - 1);
  d->platform = p;
  d->type = type;
  return d;
}
