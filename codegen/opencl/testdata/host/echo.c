/* Reads values from stdin and writes each as text, or with an argument as
   binary; an argument that names a type makes it the one of bare literals. */
int main(int argc, char **argv)
{
  struct memc_reader r;
  struct memc_value v;
  const int binary = argc > 1 && strcmp(argv[1], "binary") == 0;
  const int want = argc > 1 ? memc_prim_named(argv[1], strlen(argv[1])) : -1;
  int got = memc_reader_open(&r, "<stdin>", stdin) ? -1 : 1;
  while (got > 0 && (got = memc_read_value(&r, want, &v)) > 0) {
    if (binary)
      memc_write_binary(stdout, &v);
    else
      memc_write_text(stdout, &v);
    memc_value_free(&v);
  }
  if (r.error)
    fprintf(stderr, "%s\n", r.error);
  memc_reader_close(&r);
  return got < 0;
}
