/* Which device a user means, and which devices share an OpenCL context. */

/* Reads "#k TEXT" in front of a name: gives the number k, 0 where none stands
   there, and TEXT. */
static MEMC_UNUSED unsigned long memc_ordinal(const char **want)
{
  unsigned long k = 0;
  char *end;
  if (**want == '#') {
    k = strtoul(*want + 1, &end, 10);
    while (*end == ' ')
      end++;
    *want = end;
  }
  return k;
}

/* Tells whether a device or its platform has part in its name. */
static int memc_device_matches(cl_device_id d, const char *part)
{
  char *name = memc_device_text(d, CL_DEVICE_NAME);
  int found = name && memc_contains(name, part);
  free(name);
  return found || memc_platform_named(memc_platform_of(d), part);
}

/* Picks one of the devices: by number, also as "#k", or by a part of its name or its platform's, of which "#k TEXT"
   is the k-th from 0 on; NULL or "" is the first GPU, or else the first device. Gives count where none is meant. */
static MEMC_UNUSED cl_uint memc_pick(const cl_device_id *devices, cl_uint count, const char *want)
{
  cl_uint i, gpu = 0;
  unsigned long number;
  char *end = NULL;
  if (want == NULL || *want == '\0') {
    for (i = count; i-- > 0;) {
      cl_device_type type = 0;
      clGetDeviceInfo(devices[i], CL_DEVICE_TYPE, sizeof type, &type, NULL);
      if (type & CL_DEVICE_TYPE_GPU)
        gpu = i;
    }
    return gpu;
  }
  number = strtoul(want, &end, 10);
  if (*want >= '0' && *want <= '9' && *end == '\0') /* never a part of a name */
    return number < count ? (cl_uint)number : count;
  number = memc_ordinal(&want);
  for (i = 0; i < count; i++)
    if (memc_device_matches(devices[i], want) && number-- == 0)
      return i;
  return count;
}

/* Says that no device is meant, and which there are; NULL where there is no memory. */
static char *memc_unknown_device(const cl_device_id *devices, cl_uint count, const char *want)
{
  char *text = memc_format("no OpenCL device matches \"%s\"; there are:", want);
  cl_uint i;
  for (i = 0; text && i < count; i++) {
    char *name = memc_device_text(devices[i], CL_DEVICE_NAME), *before = text, platform[256] = "";
    clGetPlatformInfo(memc_platform_of(devices[i]), CL_PLATFORM_NAME, sizeof platform, platform, NULL);
    text = memc_format("%s\n  #%u %s (%s)", before, (unsigned)i, name ? name : "", platform);
    free(before);
    free(name);
  }
  return text;
}

/* Reads which devices a user means: what memc_pick takes, with commas between them where there may be several (most).
   Gives their numbers, and how many; -1 where that fails, and says why, for the caller to free (NULL: there is no memory). */
static MEMC_UNUSED int memc_pick_list(const cl_device_id *devices, cl_uint count, const char *list, int most, int *chosen, char **why)
{
  char *text = memc_format("%s", list ? list : ""), *at = text, *next;
  int n = 0, i, wrong = text == NULL;
  for (*why = NULL; at && !wrong; at = next, n++) {
    next = most > 1 ? strchr(at, ',') : NULL;
    if (next)
      *next++ = '\0';
    if ((wrong = n == most)) {
      *why = memc_format("more than %d devices: \"%s\"", most, list);
      break;
    }
    chosen[n] = (int)memc_pick(devices, count, at);
    if ((wrong = chosen[n] == (int)count))
      *why = memc_unknown_device(devices, count, at);
    for (i = 0; i < n && !wrong; i++)
      if ((wrong = chosen[i] == chosen[n]))
        *why = memc_format("a device is named twice in \"%s\"", list);
  }
  free(text);
  return wrong ? -1 : n;
}

/* Gives those of the devices, from number first on, that share a context with that one, by number, and how many: those of
   its platform, so that their queues can wait for each other's events. NVIDIA's driver lets only one device of a
   context work at a time, whatever the devices do: there each has its own, and where the user wants that (apart). */
static MEMC_UNUSED int memc_sharing(const cl_device_id *devices, int count, int first, int apart, int *group)
{
  const cl_platform_id p = memc_platform_of(devices[first]);
  int i, n = 0;
  apart = apart || memc_platform_named(p, "nvidia");
  for (i = first; i < count; i++)
    if (i == first || (!apart && memc_platform_of(devices[i]) == p))
      group[n++] = i;
  return n;
}
