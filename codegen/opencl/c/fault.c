/* Faults: what a failing check says. Code 0 means that no check failed. */

/* Ends the message of a kernel that found no memory. */
static MEMC_UNUSED const char memc_heap_hint[] = "\nhint: a larger heap: --device-heap, or config_set_device_heap of the C API";

/* Records the message of a fault, with its place in the IR source. That of one
   of the heap ends with the size of the heap. */
static MEMC_UNUSED int memc_fault(struct memc_context *ctx, int64_t code, const int64_t *args)
{
  const struct memc_fault_text *f;
  const char *p;
  char *text, *out;
  size_t room;
  int shown = 0;
  if (code <= 0 || code >= (int64_t)(sizeof memc_faults / sizeof *memc_faults))
    return memc_fail(ctx, MEMC_ERROR, "error: the fault buffer holds an unknown code %" PRId64, code);
  f = &memc_faults[code];
  room = strlen(f->where) + strlen(f->format) + 20 * (size_t)f->args + sizeof "error[E000]: " + (f->heap ? sizeof memc_heap_hint : 0);
  if ((text = malloc(room)) == NULL)
    return memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
  out = text + sprintf(text, "%serror[%s]: ", f->where, f->code);
  for (p = f->format; *p; p++) {
    if (p[0] == '%' && p[1] == 'd') {
      out += sprintf(out, "%" PRId64, f->heap && ++shown == f->args ? ctx->pool.reserved : *args++);
      p++;
    } else {
      p += p[0] == '%' && p[1] == '%';
      *out++ = *p;
    }
  }
  strcpy(out, f->heap ? memc_heap_hint : "");
  return memc_report(ctx, f->memory ? MEMC_NO_MEMORY : MEMC_FAULT, text);
}
