package opencl

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/release"
	"github.com/memc-lang/memc/ir"
)

// An arrayType is a type of arrays of the C API.
type arrayType struct {
	prim ir.Prim
	rank int
}

// String returns the end of its names: f32_2d.
func (t arrayType) String() string { return fmt.Sprintf("%s_%dd", t.prim, t.rank) }

// apiType is the type of a scalar in the C API.
func apiType(p ir.Prim) string {
	if p == ir.Bool {
		return "bool"
	}
	return CType(p)
}

// dims returns "int64_t d0, int64_t d1".
func (t arrayType) dims() string {
	parts := make([]string, t.rank)
	for i := range parts {
		parts[i] = fmt.Sprintf("int64_t d%d", i)
	}
	return strings.Join(parts, ", ")
}

// statsType is the type of statistics. The runtime counts in it, so it is part of
// every host program, and of the header of memc's own API.
const statsType = `/* What a context has done since it was made, or since they were reset. Bytes are
   those asked for. */
#ifndef MEMC_STATS
#define MEMC_STATS
struct memc_stats {
  const char *device;      /* its name */
  int64_t peak_bytes;      /* most bytes in live blocks at any time */
  int64_t alloc_requests;  /* blocks asked for */
  int64_t driver_allocs;   /* buffers made by the driver for them */
  int64_t copied_bytes;    /* bytes moved by copies on the device */
  int64_t kernel_launches; /* copy kernels excluded */
  int64_t wall_us;         /* time inside of entries, in microseconds */
  const char *allocator;   /* how blocks are placed */
  int64_t hits;            /* blocks that needed no buffer of the driver's */
  int64_t driver_frees;    /* buffers given back to the driver */
  int64_t peak_held_bytes; /* most bytes in buffers at any time */
  int64_t device_heap_bytes; /* for kernels that allocate; in no other number */
  /* Of a device among several: */
  int64_t migrated_bytes;  /* that came from other devices, because a command needed them */
  int64_t evicted_bytes;   /* that gave way for lack of room */
  int64_t restored_bytes;  /* that came back from the host */
};
#endif
`

// headerFixed holds the part of the header that every program has; NAME stands
// for the prefix.
const headerFixed = statsType + `
/* Configuration, to be freed once the context is made. The text is copied. */
struct NAME_config;
struct NAME_config *NAME_config_new(void);
void NAME_config_free(struct NAME_config *cfg);
/* A device: a number, or a part of its name or its platform's ("" or NULL: the
   first GPU, or else the first device). */
int NAME_config_set_device(struct NAME_config *cfg, const char *device);
/* The most bytes in use at one time (0: what the device has), the memory for
   kernels that allocate included. */
void NAME_config_set_memory_limit(struct NAME_config *cfg, int64_t bytes);

/* How blocks are placed in buffers of the driver's: "driver", "tagged" or "region"
   (the default); error 1 where it is none of them. */
int NAME_config_set_allocator(struct NAME_config *cfg, const char *name);
/* Memory for kernels that allocate, in bytes (0: as the program was compiled). */
void NAME_config_set_device_heap(struct NAME_config *cfg, int64_t bytes);
/* Where the buffers of blocks come from: alloc gives SUPPLIED
   NULL if there is none; release takes it back, at the latest when the context is freed. A call
   of the context's calls them, so they may call none. alloc NULL: the system. */
void NAME_config_set_supply(struct NAME_config *cfg, void *(*alloc)(void *self, int64_t bytes),
                            void (*release)(void *self, void *buffer), void *self);

/* A context is a device with the program's kernels. Threads may share it: their
   calls take turns. cfg may be NULL. The result is NULL only where there is no host memory;
   when anything else fails NAME_context_get_error gives a message, and the context
   is good for nothing but NAME_context_free. */
struct NAME_context;
struct NAME_context *NAME_context_new(const struct NAME_config *cfg);
void NAME_context_free(struct NAME_context *ctx);
/* Waits for the device. */
int NAME_context_sync(struct NAME_context *ctx);
/* Gives the driver back all memory that no block is in. */
void NAME_context_trim(struct NAME_context *ctx);
/* The message of the calling thread's last call that failed (if it had none, of the
   last one of any thread), or NULL. It belongs to the context, and lives until a call
   of the same thread fails. */
const char *NAME_context_get_error(struct NAME_context *ctx);
/* Its code, or 0: why a call gave NULL. */
int NAME_context_get_code(struct NAME_context *ctx);
/* What was live when memory of the device last ran out, as JSON, or NULL. It belongs to the
   context, and lives until memory runs out again. */
const char *NAME_context_get_snapshot(struct NAME_context *ctx);
int NAME_context_stats(struct NAME_context *ctx, struct memc_stats *stats);
void NAME_context_reset_stats(struct NAME_context *ctx);
`

// What the header has besides, for a target.
const (
	headerCL = `/* OpenCL's cl_context, cl_command_queue and cl_mem are pointers to these. */
struct _cl_context;
struct _cl_command_queue;
struct _cl_mem;

/* Use this queue (which keeps the order of its commands), its context and its device, in
   place of those that set_device names. The context retains it. */
void NAME_config_set_command_queue(struct NAME_config *cfg, struct _cl_command_queue *queue);
/* The OpenCL context and queue, which belong to the context, for whoever goes on
   with its buffers in OpenCL. */
struct _cl_context *NAME_context_cl(struct NAME_context *ctx);
struct _cl_command_queue *NAME_context_queue(struct NAME_context *ctx);

/* Several devices: NAME_config_set_device(cfg, "0,1") makes a context for each. They take
   each other's arrays, and a call has what it needs moved to its device. NAME_context_new
   gives the first, NAME_context_device the i-th, from 0 (NULL: there is none). The others
   belong to the first and go with it. The memory limit is that of each device. */
int NAME_context_devices(struct NAME_context *ctx);
struct NAME_context *NAME_context_device(struct NAME_context *ctx, int i);
/* Lets arrays move to the host if one device has no room (among several they do). */
void NAME_config_set_evict(struct NAME_config *cfg, bool evict);
/* Builds all kernels in NAME_context_new. Else a program with several entries builds those of
   an entry when it is first called. */
void NAME_config_set_build_all(struct NAME_config *cfg, bool all);

/* A call that goes on behind the caller; NAME_start_... begins it. Waiting for it gives its
   error code (1 for NULL) and frees the future: once for each, before the context is freed. */
struct NAME_future;
int NAME_future_wait(struct NAME_future *f);
`
	headerTasks = `/* The number of threads (0: as many as the environment says). */
void NAME_config_set_threads(struct NAME_config *cfg, int threads);
`
)

// forTarget chooses between texts of the API by the target.
func (w *hostWriter) forTarget(cl, tasks string) string {
	if w.p.Tasks {
		cl = tasks
	}
	return strings.ReplaceAll(cl, "NAME", w.prefix)
}

// header writes the header file.
func (w *hostWriter) header(source string) string {
	var b strings.Builder
	guard := strings.ToUpper(w.prefix) + "_MEMC_H"
	fmt.Fprintf(&b, `/* The C interface of %s, made by %s.

   Functions that can fail give an error code: 0 done, 1 any error that is not one
   of the next, 2 a fault of the program (an index out of bounds, a failing assert,
   sizes that differ), 3 out of memory, 4 the device is lost, 5 a wrong argument (one that is
   missing, was consumed, or is of another context). After any error but 4
   the context stays usable; after that one every call fails with 4. Without a
   context (NULL) a function fails with 1, gives NULL, or does nothing. */
#ifndef %s
#define %s

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

`, cComment(source), release.Name, guard, guard)
	b.WriteString(strings.NewReplacer("NAME", w.prefix, "SUPPLIED", w.forTarget("a cl_mem of the\n   queue's context (see NAME_config_set_command_queue),", "memory aligned as\n   that of malloc,")).Replace(headerFixed))
	b.WriteString(w.forTarget(headerCL, headerTasks))
	if len(w.arrays) > 0 {
		b.WriteString(`
/* Arrays. "new" copies data, row-major, to the device (NULL where that fails);
   "values" copies it back; ` + w.forTarget(`"raw" copies it to a cl_mem of its own, for the caller
   to release with clReleaseMemObject (NULL where that fails), and "values_raw" to one of the
   caller's, from a byte on; "new_raw" makes an array of a cl_mem without a copy, and retains it;
   `, `"new_raw" makes an array of data without a copy: data stays until the array
   is freed. "view" makes a second array of an array's memory, and tells where that is:
   the elements stay there, unchanged, until the second array is freed. `) + `No call writes to memory of the caller's. The shape belongs to
   the array. Every array is freed before its context, also one that a call
   consumed. */
`)
	}
	for _, t := range w.arrays {
		n := w.prefix + "_" + t.String()
		c, x := "struct "+w.prefix+"_context *ctx", apiType(t.prim)
		fmt.Fprintf(&b, "struct %s;\n", n)
		fmt.Fprintf(&b, "struct %s *%s(%s, const %s *data, %s);\n", n, w.arrayFn("new", t), c, x, t.dims())
		fmt.Fprintf(&b, "struct %s *%s(%s, %s, %s);\n", n, w.arrayFn("new_raw", t), c, w.rawData(x), t.dims())
		fmt.Fprintf(&b, "int %s(%s, struct %s *arr);\n", w.arrayFn("free", t), c, n)
		fmt.Fprintf(&b, "int %s(%s, const struct %s *arr, %s *data);\n", w.arrayFn("values", t), c, n, x)
		if !w.p.Tasks {
			fmt.Fprintf(&b, "struct _cl_mem *%s(%s, const struct %s *arr);\n", w.arrayFn("raw", t), c, n)
			fmt.Fprintf(&b, "int %s(%s, const struct %s *arr, struct _cl_mem *data, int64_t offset);\n", w.arrayFn("values_raw", t), c, n)
		} else {
			fmt.Fprintf(&b, "struct %s *%s(%s, const struct %s *arr, const %s **data);\n", n, w.arrayFn("view", t), c, n, x)
		}
		fmt.Fprintf(&b, "const int64_t *%s(%s, const struct %s *arr);\n\n", w.arrayFn("shape", t), c, n)
	}
	if len(w.p.Entries) > 0 {
		b.WriteString("/* Entries. Results are written only when a call is successful; array results are\n   new arrays, for the caller to free. peak gives the most bytes in live blocks during a call\n   with arrays of these sizes, its arguments included; nothing runs on the device. It is\n   error 1 where that depends on values that the call computes.")
		if !w.p.Tasks {
			b.WriteString(" start begins the call: arguments and places for\n   results stay until the future was waited for. NULL: it could not begin.")
		}
		b.WriteString(" */\n")
	}
	for i, e := range w.p.Entries {
		outs, ins := headerNames(w.p, e)
		fmt.Fprintf(&b, "\n/* %s */\n%s;\n", cComment(w.entryDoc(e)), w.entryPrototype("int", "entry", i, e, outs, ins))
		if !w.p.Tasks {
			fmt.Fprintf(&b, "%s;\n", w.entryPrototype("struct "+w.prefix+"_future *", "start", i, e, outs, ins))
		}
		sizes, args := headerSizes(w.p, e)
		fmt.Fprintf(&b, "%s;\n", w.peakPrototype(i, e, sizes, args))
	}
	b.WriteString("\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n")
	return b.String()
}

// rawData declares the memory of the caller's that an array of elements of a C type lies in.
func (w *hostWriter) rawData(elem string) string {
	if w.p.Tasks {
		return "const " + elem + " *data"
	}
	return "struct _cl_mem *data"
}

// arrayFn names a function on arrays: NAME_new_f32_2d.
func (w *hostWriter) arrayFn(what string, t arrayType) string {
	return w.prefix + "_" + what + "_" + t.String()
}

// entryDoc returns an entry's signature in the words of the IR, and the arguments that it
// consumes.
func (w *hostWriter) entryDoc(e *imp.Entry) string {
	var consumed []string
	for _, q := range e.Params {
		if q.Array && q.Unique {
			consumed = append(consumed, "`"+q.Name+"`")
		}
	}
	doc := e.Signature()
	if len(consumed) > 0 {
		doc += ". It consumes " + strings.Join(consumed, ", ") + ", which can only be freed after the call."
	}
	return doc
}

// signature returns "(xs: [n]i32, i: i64)".
func signature(e *imp.Entry) string {
	parts := make([]string, len(e.Params))
	for i, q := range e.Params {
		parts[i] = q.Name + ": " + q.Type()
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// entryPrototype returns an API function of an entry (what: entry, start) with these names,
// without a semicolon.
func (w *hostWriter) entryPrototype(result, what string, i int, e *imp.Entry, outs, ins []string) string {
	parts := []string{"struct " + w.prefix + "_context *ctx"}
	for k, r := range e.Results {
		if r.Array {
			parts = append(parts, fmt.Sprintf("struct %s_%s **%s", w.prefix, arrayType{r.Prim, r.Rank}, outs[k]))
		} else {
			parts = append(parts, fmt.Sprintf("%s *%s", apiType(r.Prim), outs[k]))
		}
	}
	for k, q := range e.Params {
		switch {
		case q.Array && q.Unique:
			parts = append(parts, fmt.Sprintf("struct %s_%s *%s", w.prefix, arrayType{q.Prim, len(q.Shape)}, ins[k]))
		case q.Array:
			parts = append(parts, fmt.Sprintf("const struct %s_%s *%s", w.prefix, arrayType{q.Prim, len(q.Shape)}, ins[k]))
		default:
			parts = append(parts, fmt.Sprintf("%s %s", apiType(q.Prim), ins[k]))
		}
	}
	return fmt.Sprintf("%s %s_%s_%s(%s)", result, w.prefix, what, w.entries[i], wrap(parts))
}

// apiFixed implements headerFixed.
const apiFixed = `struct NAME_config { struct memc_config rt; };

struct NAME_config *NAME_config_new(void) { return calloc(1, sizeof(struct NAME_config)); }

void NAME_config_free(struct NAME_config *cfg)
{
  if (cfg)
    free(cfg->rt.device);
  free(cfg);
}

int NAME_config_set_device(struct NAME_config *cfg, const char *device)
{
  char *copy;
  if (cfg == NULL)
    return MEMC_ERROR;
  if ((copy = memc_format("%s", device ? device : "")) == NULL)
    return MEMC_NO_MEMORY;
  free(cfg->rt.device);
  cfg->rt.device = copy;
  return MEMC_OK;
}

void NAME_config_set_memory_limit(struct NAME_config *cfg, int64_t bytes)
{
  if (cfg)
    cfg->rt.memory_limit = bytes;
}

void NAME_config_set_device_heap(struct NAME_config *cfg, int64_t bytes)
{
  if (cfg)
    cfg->rt.device_heap = bytes;
}

void NAME_config_set_supply(struct NAME_config *cfg, void *(*alloc)(void *self, int64_t bytes),
                            void (*release)(void *self, void *buffer), void *self)
{
  if (cfg) {
    cfg->rt.supply.alloc = alloc;
    cfg->rt.supply.release = release;
    cfg->rt.supply.self = self;
  }
}

int NAME_config_set_allocator(struct NAME_config *cfg, const char *name)
{
  const int policy = cfg && name ? memc_policy(name) : 0;
  if (policy)
    cfg->rt.allocator = policy;
  return policy ? MEMC_OK : MEMC_ERROR;
}

struct NAME_context { struct memc_context rt; };

struct NAME_context *NAME_context_new(const struct NAME_config *cfg)
{
  struct NAME_context *ctx = calloc(1, sizeof *ctx);
  if (ctx)
    memc_up(&ctx->rt, cfg ? &cfg->rt : NULL);
  return ctx;
}

void NAME_context_free(struct NAME_context *ctx)
{
  if (ctx == NULL || memc_belongs(&ctx->rt))
    return;
  memc_down(&ctx->rt);
  free(ctx);
}

int NAME_context_sync(struct NAME_context *ctx)
{
  int err;
  if (ctx == NULL)
    return MEMC_ERROR;
  memc_enter(&ctx->rt);
  err = memc_sync(&ctx->rt);
  memc_leave(&ctx->rt);
  return err;
}

void NAME_context_trim(struct NAME_context *ctx)
{
  if (ctx == NULL)
    return;
  memc_enter(&ctx->rt);
  memc_trim(&ctx->rt);
  memc_leave(&ctx->rt);
}

const char *NAME_context_get_error(struct NAME_context *ctx)
{
  return ctx ? memc_error_text(&ctx->rt) : "error: there is no context: the pointer is NULL";
}

int NAME_context_get_code(struct NAME_context *ctx) { return ctx ? memc_last_error(&ctx->rt, NULL) : MEMC_ERROR; }

const char *NAME_context_get_snapshot(struct NAME_context *ctx)
{
  const char *text;
  if (ctx == NULL)
    return NULL;
  memc_enter(&ctx->rt);
  memc_guard(&ctx->rt);
  text = ctx->rt.snapshot;
  memc_unguard(&ctx->rt);
  memc_leave(&ctx->rt);
  return text;
}

int NAME_context_stats(struct NAME_context *ctx, struct memc_stats *stats)
{
  int err = MEMC_OK;
  if (ctx == NULL)
    return MEMC_ERROR;
  memc_enter(&ctx->rt);
  if (stats == NULL)
    err = memc_fail(&ctx->rt, MEMC_MISUSE, "error: there is no place for the statistics: the pointer is NULL");
  else {
    memc_guard(&ctx->rt);
    *stats = *memc_get_stats(&ctx->rt);
    memc_unguard(&ctx->rt);
  }
  memc_leave(&ctx->rt);
  return err;
}

void NAME_context_reset_stats(struct NAME_context *ctx)
{
  if (ctx == NULL)
    return;
  memc_enter(&ctx->rt);
  memc_guard(&ctx->rt);
  memc_reset_stats(&ctx->rt);
  memc_unguard(&ctx->rt);
  memc_leave(&ctx->rt);
}
`

const (
	apiCL = `
void NAME_config_set_command_queue(struct NAME_config *cfg, struct _cl_command_queue *queue)
{
  if (cfg)
    cfg->rt.queue = queue;
}

struct _cl_context *NAME_context_cl(struct NAME_context *ctx) { return ctx ? ctx->rt.cl : NULL; }

struct _cl_command_queue *NAME_context_queue(struct NAME_context *ctx) { return ctx ? ctx->rt.queue : NULL; }

int NAME_context_devices(struct NAME_context *ctx) { return ctx == NULL ? 0 : ctx->rt.several ? ctx->rt.several->count : 1; }

struct NAME_context *NAME_context_device(struct NAME_context *ctx, int i)
{
  return ctx ? (struct NAME_context *)memc_member(&ctx->rt, i) : NULL;
}

void NAME_config_set_evict(struct NAME_config *cfg, bool evict)
{
  if (cfg)
    cfg->rt.evict = evict;
}

void NAME_config_set_build_all(struct NAME_config *cfg, bool all)
{
  if (cfg)
    cfg->rt.build_all = all;
}

int NAME_future_wait(struct NAME_future *f) { return memc_future_wait((struct memc_future *)f); }
`
	apiTasks = `
void NAME_config_set_threads(struct NAME_config *cfg, int threads)
{
  if (cfg)
    cfg->rt.threads = threads;
}
`
)

// api writes the functions of the header.
func (w *hostWriter) api() {
	w.section("The C interface.")
	w.WriteString(strings.ReplaceAll(apiFixed, "NAME", w.prefix))
	w.WriteString(w.forTarget(apiCL, apiTasks))
	for _, t := range w.arrays {
		w.arrayAPI(t)
	}
	for i, e := range w.p.Entries {
		w.entryAPI(i, e)
	}
}

func (w *hostWriter) arrayAPI(t arrayType) {
	n, x := w.prefix+"_"+t.String(), apiType(t.prim)
	c := "struct " + w.prefix + "_context *ctx"
	dims := make([]string, t.rank)
	for i := range dims {
		dims[i] = fmt.Sprintf("d%d", i)
	}
	w.f("\nstruct %s { struct memc_array rt; };\n\n", n)
	function := func(head, result, call, more string) {
		none := "MEMC_ERROR"
		if result != "int" {
			none = "NULL"
		}
		w.f("%s\n{\n%s  %s r;\n  if (ctx == NULL)\n    return %s;\n  memc_enter(&ctx->rt);\n  r = %s;\n  memc_leave(&ctx->rt);\n  return r;\n}\n\n",
			head, more, result, none, call)
	}
	function(fmt.Sprintf("struct %s *%s(%s, const %s *data, %s)", n, w.arrayFn("new", t), c, x, t.dims()), "struct "+n+" *",
		fmt.Sprintf("(struct %s *)memc_array_new(&ctx->rt, data, %s, %d, shape)", n, primConst(t.prim), t.rank),
		fmt.Sprintf("  const int64_t shape[] = {%s};\n", strings.Join(dims, ", ")))
	function(fmt.Sprintf("struct %s *%s(%s, %s, %s)", n, w.arrayFn("new_raw", t), c, w.rawData(x), t.dims()), "struct "+n+" *",
		fmt.Sprintf("(struct %s *)memc_array_lent(&ctx->rt, data, %s, %d, shape)", n, primConst(t.prim), t.rank),
		fmt.Sprintf("  const int64_t shape[] = {%s};\n", strings.Join(dims, ", ")))
	function(fmt.Sprintf("int %s(%s, struct %s *arr)", w.arrayFn("free", t), c, n), "int", "memc_array_free(&ctx->rt, arr ? &arr->rt : NULL)", "")
	function(fmt.Sprintf("int %s(%s, const struct %s *arr, %s *data)", w.arrayFn("values", t), c, n, x), "int",
		"memc_array_values(&ctx->rt, arr ? &arr->rt : NULL, data)", "")
	if !w.p.Tasks {
		function(fmt.Sprintf("struct _cl_mem *%s(%s, const struct %s *arr)", w.arrayFn("raw", t), c, n), "struct _cl_mem *",
			"memc_array_raw(&ctx->rt, arr ? &arr->rt : NULL)", "")
		function(fmt.Sprintf("int %s(%s, const struct %s *arr, struct _cl_mem *data, int64_t offset)", w.arrayFn("values_raw", t), c, n), "int",
			"memc_array_values_raw(&ctx->rt, arr ? &arr->rt : NULL, data, offset)", "")
	} else {
		function(fmt.Sprintf("struct %s *%s(%s, const struct %s *arr, const %s **data)", n, w.arrayFn("view", t), c, n, x), "struct "+n+" *",
			fmt.Sprintf("(struct %s *)memc_array_view(&ctx->rt, arr ? &arr->rt : NULL);\n  if (r && data)\n    *data = (const %s *)(const void *)memc_bytes(r->rt.block)", n, x), "")
	}
	w.f("const int64_t *%s(%s, const struct %s *arr)\n{\n  (void)ctx;\n  return arr ? arr->rt.shape : NULL;\n}\n", w.arrayFn("shape", t), c, n)
}

// primConst is the runtime's number of a type.
func primConst(p ir.Prim) string { return "MEMC_T_" + strings.ToUpper(p.String()) }

// field is the member of union memc_scalar that holds a value of type p; a bool
// is a byte that holds 0 or 1.
func field(p ir.Prim) string {
	if p == ir.Bool {
		return "u8"
	}
	return p.String()
}

func (w *hostWriter) entryAPI(i int, e *imp.Entry) {
	outs, ins := numberedNames(e)
	in, places := max(1, len(e.Params)), strings.Join(append(outs, "NULL"), ", ")
	begin := func() {
		w.f("  union memc_slot in[%d];\n  void *places[] = {%s};\n  memset(in, 0, sizeof in);\n", in, places)
		for k, q := range e.Params {
			if q.Array {
				w.f("  in[%d].array = (struct memc_array *)in%d;\n", k, k)
			} else {
				w.f("  in[%d].scalar.%s = in%d;\n", k, field(q.Prim), k)
			}
		}
	}
	w.f("\n%s\n{\n  union memc_slot out[%d];\n", w.entryPrototype("int", "entry", i, e, outs, ins), max(1, len(e.Results)))
	begin()
	w.f("  return memc_call_to(ctx ? &ctx->rt : NULL, &memc_entries[%d], places, out, in);\n}\n", i)
	w.peakAPI(i, e)
	if w.p.Tasks {
		return
	}
	w.f("\n%s\n{\n", w.entryPrototype("struct "+w.prefix+"_future *", "start", i, e, outs, ins))
	begin()
	w.f("  return (struct %s_future *)memc_start(ctx ? &ctx->rt : NULL, &memc_entries[%d], places, in);\n}\n", w.prefix, i)
}
