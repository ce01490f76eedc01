/* Prints how much memory a machine has whose files lie below a folder. */
int main(int argc, char **argv)
{
  printf("%" PRId64 " %d\n", memc_memory_below(argc > 1 ? argv[1] : "", INT64_MAX), memc_host_memory() > 0);
  return 0;
}
