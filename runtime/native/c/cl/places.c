/* The account of several devices' blocks: taking it up and down. */

/* Gives what a full device and a reader try first: what can be copied from device to device,
   then the host, then what is reached only through that. */
static void memc_distances(struct memc_several *s)
{
  int i, k, n;
  s->versions.places = s->count + 1;
  for (i = 0; i < s->count; i++) {
    for (n = k = 0; k < s->count; k++)
      if (k != i && memc_peers(s, i, k))
        s->versions.nearby[i][n++] = k;
    s->versions.nearby[i][n++] = s->count;
    for (k = 0; k < s->count; k++)
      if (!memc_peers(s, i, k))
        s->versions.nearby[i][n++] = k;
    s->versions.nearby[s->count][i] = i;
  }
}

/* Has a queue be a lane of a device; a failing queue is NULL. */
static void memc_lane_up(struct memc_several *s, struct memc_context *m, int q, cl_command_queue queue)
{
  struct memc_lane *l = memc_lane(m, q);
  l->number = m->number * MEMC_QUEUES + q;
  l->failed = &s->failed;
  l->cl = m->cl;
  l->eager = q != MEMC_MAIN;
  l->queue = queue;
}

/* Makes the account, whose devices are still to come. */
static void memc_places_up(struct memc_several *s)
{
  const struct memc_pool_source host = {s, memc_host_create, memc_host_release, memc_host_finish};
  const struct memc_actor act = {s, memc_step_make, memc_step_move, memc_step_drop};
  memc_mutex_up(&s->lock);
  s->versions.act = act;
  s->chunk = MEMC_CHUNK_BYTES;
  memc_pool_up(&s->host, &host, MEMC_POOL_REGION, memc_host_memory(), 0, 0);
}

static void memc_lanes_finish(struct memc_several *s)
{
  int i;
  for (i = 0; i < s->count * MEMC_QUEUES; i++)
    if (s->lane[i].queue)
      clFinish(s->lane[i].queue);
}

/* Ends it with all blocks. The lanes are finished, and the queues of migrations go. */
static void memc_places_down(struct memc_several *s)
{
  int i;
  while (s->all)
    memc_shared_free(s->all);
  memc_pool_down(&s->host);
  for (i = 0; i < s->count; i++)
    if (s->ring[i]) {
      memc_unpin(s->member[i]->side, &s->ring[i]->mem);
      free(s->ring[i]);
    }
  for (i = 0; i < s->count * MEMC_QUEUES; i++)
    memc_lane_down(&s->lane[i]);
  memc_mutex_down(&s->lock);
}
