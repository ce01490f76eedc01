/* Order between queues of several devices.

   Note [Order between queues]. A device of several has three queues, each of which executes its
   commands in order: one for kernels, one for incoming transfers, one for outgoing ones. Only events
   order commands of different queues or devices. A lane is a queue that leaves an event (a mark)
   after its commands. A track is the commands that touched one piece of storage: a command that
   reads it waits for the last one that wrote it; a command that writes it waits for all. Storage
   that changes hands within a buffer of the pool keeps its track: the next owner waits for the last
   owner's commands (memc_trail). */

enum { MEMC_MAIN, MEMC_IN, MEMC_OUT, MEMC_QUEUES, MEMC_LANES = MEMC_QUEUES * (MEMC_PLACES - 1) };

struct memc_mark { int64_t n; cl_event event; };

/* A queue with the events (marks) behind its commands. As long as no other queue waits for
   it, its commands cost no events: the first that does has it leave one, behind more commands
   than necessary. */
struct memc_lane {
  cl_context cl;
  cl_command_queue queue;
  int number;
  int *failed;             /* where it notes its number when a command fails */
  int eager;               /* leave a mark after each command, not only when another lane waits for it */
  int64_t last;            /* marks so far */
  int64_t done;            /* marks up to this one are known to be done */
  struct memc_mark *marks; /* those not known to be done, the oldest first */
  int count, room;
  int64_t after[MEMC_LANES]; /* which marks of other lanes the commands here wait for already */
};

/* The commands that touched a piece of storage: the last one that wrote it, and the last on
   every lane since then, as numbers of marks; 0: none. */
struct memc_track {
  int wrote_on;
  int64_t wrote, uses[MEMC_LANES];
};

/* Passes the result of a command on. */
static cl_int memc_on(const struct memc_lane *l, cl_int e)
{
  if (e != CL_SUCCESS)
    *l->failed = l->number;
  return e;
}

/* Has an event of all commands so far be the next mark, and starts them: who waits for it must
   not wait for it to begin. Where that fails, nobody could wait: it is done here. */
static cl_int memc_marked(struct memc_lane *l, cl_event event)
{
  struct memc_mark *more;
  int i, done = 0;
  if (l->count > 16) { /* forget those that are done */
    for (; done < l->count; done++) {
      cl_int status = CL_QUEUED;
      if (clGetEventInfo(l->marks[done].event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL) != CL_SUCCESS ||
          status != CL_COMPLETE)
        break;
      clReleaseEvent(l->marks[done].event);
      l->done = l->marks[done].n;
    }
    l->count -= done;
    for (i = 0; i < l->count; i++)
      l->marks[i] = l->marks[i + done];
  }
  l->last++;
  if (l->count == l->room) {
    const int room = l->room ? 2 * l->room : 32;
    if ((more = realloc(l->marks, (size_t)room * sizeof *more)) != NULL) {
      l->marks = more;
      l->room = room;
    }
  }
  if (l->count == l->room || clFlush(l->queue) != CL_SUCCESS) {
    clReleaseEvent(event);
    return memc_on(l, clFinish(l->queue));
  }
  l->marks[l->count].n = l->last;
  l->marks[l->count++].event = event;
  return CL_SUCCESS;
}

/* Leaves a mark behind what was enqueued. */
static cl_int memc_mark(struct memc_lane *l)
{
  cl_event event = NULL;
  if (clEnqueueMarkerWithWaitList(l->queue, 0, NULL, &event) == CL_SUCCESS)
    return memc_marked(l, event);
  l->last++;
  return memc_on(l, clFinish(l->queue));
}

/* Gives a number that stands for the commands so far. */
static cl_int memc_stamp(struct memc_lane *l, int64_t *n)
{
  const cl_int e = l->eager ? memc_mark(l) : CL_SUCCESS;
  *n = l->eager ? l->last : l->last + 1;
  return e;
}

/* Gives the event of a stamp, which belongs to the lane; NULL if that is done. */
static cl_int memc_lane_event(struct memc_lane *l, int64_t n, cl_event *event)
{
  cl_int e;
  int i;
  *event = NULL;
  l->eager = 1;
  if (n > l->last && (e = memc_mark(l)) != CL_SUCCESS)
    return e;
  /* Where the mark is gone, those that are left are of later commands. */
  for (i = 0; i < l->count && *event == NULL && n > l->done; i++)
    if (l->marks[i].n >= n)
      *event = l->marks[i].event;
  return CL_SUCCESS;
}

/* Has what follows on a lane wait before it reads or writes a piece of storage: a command that
   reads waits for the last one that wrote it, a command that writes for all. Between OpenCL
   contexts there are no common events, so the host waits. (Callbacks could set a user event of the
   other context, but NVIDIA's driver calls them late: chunks that take 0.08 ms came 20 ms apart.) */
static cl_int memc_await(struct memc_lane *lanes, int count, struct memc_lane *l, const struct memc_track *t, int writes)
{
  cl_event events[MEMC_LANES];
  int64_t after[MEMC_LANES];
  cl_uint n = 0;
  cl_int e;
  int k;
  for (k = 0; k < count; k++) {
    const int64_t want = writes ? t->uses[k] : k == t->wrote_on ? t->wrote : 0;
    after[k] = l->after[k];
    if (want <= after[k] || k == l->number)
      continue;
    if ((e = memc_lane_event(&lanes[k], want, &events[n])) != CL_SUCCESS)
      return e;
    after[k] = want;
    if (events[n] == NULL)
      continue;
    if (lanes[k].cl == l->cl)
      n++;
    else if ((e = memc_on(&lanes[k], clWaitForEvents(1, &events[n]))) != CL_SUCCESS)
      return e;
  }
  if (n > 0 && (e = memc_on(l, clEnqueueBarrierWithWaitList(l->queue, n, events, NULL))) != CL_SUCCESS)
    return e;
  memcpy(l->after, after, (size_t)count * sizeof *after);
  return CL_SUCCESS;
}

/* Notes a command that reads. */
static void memc_track_read(struct memc_track *t, const struct memc_lane *l, int64_t n)
{
  if (t->uses[l->number] < n)
    t->uses[l->number] = n;
}

/* Notes a command that writes, and so waited for all others. */
static void memc_track_write(struct memc_track *t, const struct memc_lane *l, int64_t n)
{
  memset(t->uses, 0, sizeof t->uses);
  t->wrote_on = l->number;
  t->wrote = t->uses[l->number] = n;
}

static void memc_lane_down(struct memc_lane *l)
{
  int i;
  for (i = 0; i < l->count; i++)
    clReleaseEvent(l->marks[i].event);
  free(l->marks);
  if (l->number % MEMC_QUEUES != MEMC_MAIN && l->queue)
    clReleaseCommandQueue(l->queue);
}
