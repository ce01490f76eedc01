/* Prints how much memory a machine has whose files lie below a folder, and whether the process
   has some, at most what ulimit -v leaves. */
int main(int argc, char **argv)
{
  const int64_t some = memc_host_memory() > 0, taken = memc_file_number("", "/proc/self/status", "VmSize:") * 1024;
  struct rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = (rlim_t)taken + (64 << 20);
  printf("%" PRId64, memc_memory_below(argc > 1 ? argv[1] : "", INT64_MAX));
  printf(" %d\n", some && setrlimit(RLIMIT_AS, &limit) == 0 && memc_host_memory() <= 64 << 20);
  return 0;
}
