/* Configuration of processors. */

static void memc_f_target_config_down(struct futhark_context_config *cfg) { (void)cfg; }

/* There are no kernels to build, and so nothing to keep. */
void futhark_context_config_set_cache_file(struct futhark_context_config *cfg, const char *f)
{
  (void)cfg;
  (void)f;
}

void futhark_context_config_set_num_threads(struct futhark_context_config *cfg, int n) { cfg->rt.threads = n; }
