/* Queues: what runs, and when. */
#include "fake.h"

pthread_mutex_t fake_lock = PTHREAD_MUTEX_INITIALIZER;

void *fake_make(struct fake_machine *m, size_t bytes)
{
  struct fake_object *o = calloc(1, bytes);
  o->dispatch = &fake_table;
  o->m = m;
  o->refs = 1;
  m->live++;
  return o;
}

void fake_drop(void *object)
{
  struct fake_object *o = object;
  if (o && --o->refs == 0) {
    o->m->live--;
    free(o);
  }
}

void fake_drop_mem(cl_mem b)
{
  if (b && b->refs == 1)
    free(b->data);
  fake_drop(b);
}

uint64_t fake_draw(struct fake_machine *m) /* Marsaglia's xorshift */
{
  m->random ^= m->random << 13;
  m->random ^= m->random >> 7;
  m->random ^= m->random << 17;
  return m->random >> 11;
}

static void execute(struct fake_command *c)
{
  size_t i;
  if (c->kernel)
    for (i = 0; i < c->bytes; i++)
      c->to[i] += c->add + (c->from_bytes ? 3 * c->from[i % c->from_bytes] : 0);
  else if (c->pattern_bytes)
    for (i = 0; i < c->bytes; i++)
      c->to[i] = c->pattern[i % c->pattern_bytes];
  else if (c->bytes)
    memmove(c->to, c->from, c->bytes);
}

static int may_run(cl_command_queue q)
{
  cl_uint i;
  if (q->first == NULL || q->held)
    return 0;
  for (i = 0; i < q->first->waits; i++)
    if (!q->first->after[i]->done)
      return 0;
  return 1;
}

/* Runs one command that may run; 0: there is none. */
int fake_step(struct fake_machine *m)
{
  cl_command_queue q, may[64];
  struct fake_command *c;
  uint64_t count = 0;
  cl_uint i;
  for (q = m->queues; q && count < 64; q = q->next)
    if (may_run(q))
      may[count++] = q;
  if (count == 0)
    return 0;
  q = may[fake_draw(m) % count];
  c = q->first;
  if ((q->first = c->next) == NULL)
    q->last = NULL;
  m->jumps += c->n < m->latest;
  m->latest = c->n > m->latest ? c->n : m->latest;
  execute(c);
  for (i = 0; i < c->waits; i++)
    fake_drop(c->after[i]);
  if (c->done)
    c->done->done = 1;
  fake_drop(c->done);
  fake_drop_mem(c->to_mem);
  fake_drop_mem(c->from_mem);
  free(c);
  return 1;
}

/* Runs commands, of any queue, until one queue has none. */
cl_int fake_drain(cl_command_queue q)
{
  if (q->device->lost)
    return CL_DEVICE_NOT_AVAILABLE;
  while (q->first)
    if (!fake_step(q->m))
      return FAKE_NEVER;
  return CL_SUCCESS;
}

/* Enqueues a command, and waits for it where that is wanted. Then some commands run, or none. */
cl_int fake_enqueue(cl_command_queue q, const struct fake_command *want, int waits, cl_event *event)
{
  struct fake_command *c = malloc(sizeof *c);
  *c = *want;
  c->n = ++q->m->commands;
  if (c->to_mem)
    c->to_mem->refs++;
  if (c->from_mem)
    c->from_mem->refs++;
  if (event) {
    *event = c->done = fake_make(q->m, sizeof **event);
    c->done->refs++;
  }
  if (q->last)
    q->last->next = c;
  else
    q->first = c;
  q->last = c;
  while (fake_draw(q->m) % 3 == 0)
    fake_step(q->m);
  return waits ? fake_drain(q) : CL_SUCCESS;
}

/* Gives the error of a command whose device is gone, or that may fail on purpose and does. */
cl_int fake_broken(cl_command_queue q, int may_fail)
{
  if (q->device->lost)
    return CL_DEVICE_NOT_AVAILABLE;
  if (may_fail && (double)fake_draw(q->m) < q->m->failing * (double)(UINT64_MAX >> 11)) {
    q->m->fails++;
    return FAKE_FAILS;
  }
  return CL_SUCCESS;
}
