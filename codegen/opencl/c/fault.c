/* Faults: what a failing check says. Code 0 means that no check failed. */

/* Ends the message of a kernel that found no memory. */
static MEMC_UNUSED const char memc_heap_hint[] = "\nhint: a larger heap: --device-heap, or config_set_device_heap of the C API";

/* Records the message of a fault, with its place in the IR source. */
static MEMC_UNUSED int memc_fault(struct memc_context *ctx, int64_t code, const int64_t *args)
{
  const struct memc_fault_text *f;
  char *words, *text;
  if (code <= 0 || code >= (int64_t)(sizeof memc_faults / sizeof *memc_faults))
    return memc_fail(ctx, MEMC_ERROR, "error: the fault buffer holds an unknown code %" PRId64, code);
  f = &memc_faults[code];
  words = memc_check_words(f->format, f->args, args, f->heap ? ctx->pool.reserved : -1);
  text = words ? memc_format("%serror[%s]: %s%s", f->where, f->code, words, f->heap ? memc_heap_hint : "") : NULL;
  free(words);
  return text ? memc_report(ctx, f->memory ? MEMC_NO_MEMORY : MEMC_FAULT, text) : memc_fail(ctx, MEMC_NO_MEMORY, "error[E812]: out of host memory");
}
