/* Host: how much memory the machine can give. */

#if defined(__unix__) || defined(__APPLE__)
#include <sys/resource.h>
#endif

/* Gives the number behind a key at the beginning of a line of a file; -1 where there is none. */
static int64_t memc_file_number(const char *root, const char *path, const char *key)
{
  char *name = memc_format("%s%s", root, path), line[256];
  FILE *f = name ? fopen(name, "r") : NULL;
  int64_t n = -1;
  while (f && n < 0 && fgets(line, sizeof line, f))
    if (strncmp(line, key, strlen(key)) != 0 || sscanf(line + strlen(key), "%" SCNd64, &n) != 1)
      n = -1;
  if (f)
    fclose(f);
  free(name);
  return n;
}

/* Gives what a control group and those around it leave. In a container the path may be that
   outside; the group's own files then lie at the top. What the kernel caches it takes back. */
static int64_t memc_groups_leave(const char *root, const char *top, char *group, const char *limit, const char *used,
                                 const char *cache)
{
  int64_t least = INT64_MAX;
  for (;;) {
    char *at[3];
    int64_t n[3];
    int i;
    for (i = 0; i < 3; i++) {
      at[i] = memc_format("%s%s/%s", top, group, i == 0 ? limit : i == 1 ? used : "memory.stat");
      n[i] = at[i] ? memc_file_number(root, at[i], i == 2 ? cache : "") : -1;
      free(at[i]);
    }
    if (n[0] >= 0 && n[1] >= 0) {
      const int64_t taken = n[2] > n[1] ? 0 : n[2] > 0 ? n[1] - n[2] : n[1];
      const int64_t left = taken < n[0] ? n[0] - taken : 0;
      least = left < least ? left : least;
    }
    if (*group == 0)
      return least;
    *strrchr(group, '/') = 0;
  }
}

/* Gives the bytes that the host can give without swapping, by the files below root and by the
   pages that it has; INT64_MAX where nothing is known. An eighth is left to others. */
static int64_t memc_memory_below(const char *root, int64_t least)
{
  const int64_t kB = memc_file_number(root, "/proc/meminfo", "MemAvailable:");
  char *name = memc_format("%s/proc/self/cgroup", root), line[1024];
  FILE *f = name ? fopen(name, "r") : NULL;
  if (kB >= 0 && kB < INT64_MAX / 1024 && kB * 1024 < least)
    least = kB * 1024;
  while (f && fgets(line, sizeof line, f)) {
    char *kind = strchr(line, ':'), *group = kind ? strchr(kind + 1, ':') : NULL;
    int64_t left = INT64_MAX;
    if (group == NULL)
      continue;
    *group++ = 0;
    group[strcspn(group, "\n")] = 0;
    if (*group == '/' && strcmp(line, "0:") == 0)
      left = memc_groups_leave(root, "/sys/fs/cgroup", group, "memory.max", "memory.current", "inactive_file ");
    else if (*group == '/' && strstr(kind, "memory"))
      left = memc_groups_leave(root, "/sys/fs/cgroup/memory", group, "memory.limit_in_bytes", "memory.usage_in_bytes",
                               "total_inactive_file ");
    least = left < least ? left : least;
  }
  if (f)
    fclose(f);
  free(name);
  return least < INT64_MAX ? least - least / 8 : least;
}

/* Gives what ulimit -v and ulimit -d leave to the process; INT64_MAX where nothing is known. */
static int64_t memc_limits_leave(void)
{
  int64_t least = INT64_MAX;
#ifdef RLIMIT_AS
  const int resources[2] = {RLIMIT_AS, RLIMIT_DATA};
  int i;
  for (i = 0; i < 2; i++) {
    struct rlimit limit;
    int64_t kB;
    if (getrlimit(resources[i], &limit) != 0 || limit.rlim_cur >= (rlim_t)INT64_MAX)
      continue;
    kB = memc_file_number("", "/proc/self/status", i == 0 ? "VmSize:" : "VmData:");
    if (kB >= 0) {
      const int64_t most = (int64_t)limit.rlim_cur, left = most > kB * 1024 ? most - kB * 1024 : 0;
      least = left < least ? left : least;
    }
  }
#endif
  return least;
}

static int64_t memc_host_memory(void)
{
  int64_t bytes = memc_limits_leave();
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
  const int64_t pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && size > 0 && pages * size < bytes)
    bytes = pages * size;
#endif
  return memc_memory_below("", bytes);
}
