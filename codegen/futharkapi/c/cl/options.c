/* Options: those of OpenCL. main.c lists them, behind its own, whose numbers are lower. */

enum {
  MEMC_F_PLATFORM = 100, MEMC_F_LIST, MEMC_F_BUILD, MEMC_F_DUMP, MEMC_F_LOAD, MEMC_F_DUMP_BINARY, MEMC_F_LOAD_BINARY, MEMC_F_SIZE
};

#define MEMC_F_TARGET_OPTIONS \
  {"platform", 'p', MEMC_F_PLATFORM, "NAME", "Use a platform with this in its name; #k: the k-th."}, \
  {"list-devices", 0, MEMC_F_LIST, NULL, "Show the devices."}, \
  {"build-option", 0, MEMC_F_BUILD, "OPT", "One more option for the compiler of the kernels."}, \
  {"dump-opencl", 0, MEMC_F_DUMP, "FILE", "Write the kernels to this file, and end."}, \
  {"load-opencl", 0, MEMC_F_LOAD, "FILE", "Take the kernels of this file."}, \
  {"dump-opencl-binary", 0, MEMC_F_DUMP_BINARY, "FILE", "Write the built kernels to this file, and end."}, \
  {"load-opencl-binary", 0, MEMC_F_LOAD_BINARY, "FILE", "Take the built kernels of this file."}, \
  {"default-thread-block-size", 0, MEMC_F_SIZE, "INT", "Changes nothing here; so do the next ones."}, \
  {"default-grid-size", 0, MEMC_F_SIZE, "INT", ""}, \
  {"default-num-thread-blocks", 0, MEMC_F_SIZE, "INT", ""}, \
  {"default-group-size", 0, MEMC_F_SIZE, "INT", ""}, \
  {"default-num-groups", 0, MEMC_F_SIZE, "INT", ""}, \
  {"default-tile-size", 0, MEMC_F_SIZE, "INT", ""}, \
  {"default-reg-tile-size", 0, MEMC_F_SIZE, "INT", ""}, \
  {"default-threshold", 0, MEMC_F_SIZE, "INT", ""}, \
  {"unified-memory", 0, MEMC_F_SIZE, "INT", ""},
