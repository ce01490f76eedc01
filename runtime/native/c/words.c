/* Words: what a failing check says. It needs the headers inttypes, stdio, stdlib and string. */

/* Gives a check's format with the n arguments in it: one %d each, and %% is a percent sign. Where kernels allocate
   from a heap, the check of its room tells the heap's size last; else heap is -1. For the caller to free; NULL where
   there is no memory. */
static MEMC_UNUSED char *memc_check_words(const char *format, int n, const int64_t *args, int64_t heap)
{
  char *text = malloc(strlen(format) + 20 * (size_t)n + 1), *out = text;
  for (; text && *format; format++) {
    if (format[0] == '%' && format[1] == 'd') {
      out += sprintf(out, "%" PRId64, --n == 0 && heap >= 0 ? heap : *args++);
      format++;
    } else {
      format += format[0] == '%' && format[1] == '%';
      *out++ = *format;
    }
  }
  if (text)
    *out = '\0';
  return text;
}
