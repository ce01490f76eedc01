/* Files. */

/* Reads a file into fresh memory; NULL where that cannot be. */
static MEMC_UNUSED unsigned char *memc_file_read(const char *path, size_t *size)
{
  FILE *f = fopen(path, "rb");
  unsigned char *data = NULL, *more;
  size_t room = 0, n = 1;
  *size = 0;
  if (f == NULL)
    return NULL;
  while (n > 0) {
    if (*size == room) {
      room = room ? 2 * room : 65536;
      if ((more = realloc(data, room)) == NULL)
        break;
      data = more;
    }
    n = fread(data + *size, 1, room - *size, f);
    *size += n;
  }
  if (n > 0 || ferror(f)) {
    free(data);
    data = NULL;
  }
  fclose(f);
  return data;
}
