package futharkapi

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/base/release"
	"github.com/memc-lang/memc/internal/base/signature"
	"github.com/memc-lang/memc/ir"
)

// includes stand in front of everything.
const includes = `#include <stdint.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdio.h>
#include <float.h>
`

const includesCL = `#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif
`

// declarations are common to all programs.
const declarations = `
#ifdef __cplusplus
extern "C" {
#endif

#define FUTHARK_SUCCESS 0
#define FUTHARK_PROGRAM_ERROR 2
#define FUTHARK_OUT_OF_MEMORY 3

/* Configuration */
struct futhark_context_config;
struct futhark_context_config *futhark_context_config_new(void);
void futhark_context_config_free(struct futhark_context_config *cfg);
void futhark_context_config_set_debugging(struct futhark_context_config *cfg, int flag);
void futhark_context_config_set_profiling(struct futhark_context_config *cfg, int flag);
void futhark_context_config_set_logging(struct futhark_context_config *cfg, int flag);
void futhark_context_config_set_cache_file(struct futhark_context_config *cfg, const char *f);
int futhark_context_config_set_tuning_param(struct futhark_context_config *cfg, const char *param_name, size_t new_value);
int futhark_get_tuning_param_count(void);
const char *futhark_get_tuning_param_name(int i);
const char *futhark_get_tuning_param_class(int i);
void futhark_context_config_set_device(struct futhark_context_config *cfg, const char *s);

/* Context */
struct futhark_context;
struct futhark_context *futhark_context_new(struct futhark_context_config *cfg);
void futhark_context_free(struct futhark_context *ctx);
int futhark_context_sync(struct futhark_context *ctx);
char *futhark_context_get_error(struct futhark_context *ctx);
int futhark_context_clear_caches(struct futhark_context *ctx);
char *futhark_context_report(struct futhark_context *ctx);
void futhark_context_set_logging_file(struct futhark_context *ctx, FILE *f);
void futhark_context_pause_profiling(struct futhark_context *ctx);
void futhark_context_unpause_profiling(struct futhark_context *ctx);
`

const declarationsCL = `
/* OpenCL */
#define FUTHARK_BACKEND_opencl
cl_command_queue futhark_context_get_command_queue(struct futhark_context *ctx);
cl_program futhark_context_get_program(struct futhark_context *ctx);
void futhark_context_config_set_platform(struct futhark_context_config *cfg, const char *s);
void futhark_context_config_set_command_queue(struct futhark_context_config *cfg, cl_command_queue queue);
void futhark_context_config_select_device_interactively(struct futhark_context_config *cfg);
void futhark_context_config_list_devices(struct futhark_context_config *cfg);
void futhark_context_config_add_build_option(struct futhark_context_config *cfg, const char *opt);
const char *futhark_context_config_get_program(struct futhark_context_config *cfg);
void futhark_context_config_set_program(struct futhark_context_config *cfg, const char *program);
void futhark_context_config_dump_binary_to(struct futhark_context_config *cfg, const char *path);
void futhark_context_config_load_binary_from(struct futhark_context_config *cfg, const char *path);
/* These change nothing. */
void futhark_context_config_set_unified_memory(struct futhark_context_config *cfg, int flag);
void futhark_context_config_set_default_thread_block_size(struct futhark_context_config *cfg, int size);
void futhark_context_config_set_default_group_size(struct futhark_context_config *cfg, int size);
void futhark_context_config_set_default_grid_size(struct futhark_context_config *cfg, int num);
void futhark_context_config_set_default_num_groups(struct futhark_context_config *cfg, int num);
void futhark_context_config_set_default_tile_size(struct futhark_context_config *cfg, int num);
void futhark_context_config_set_default_reg_tile_size(struct futhark_context_config *cfg, int num);
void futhark_context_config_set_default_threshold(struct futhark_context_config *cfg, int num);
`

const declarationsTasks = `
/* Processors */
#define FUTHARK_BACKEND_multicore
void futhark_context_config_set_num_threads(struct futhark_context_config *cfg, int n);
`

const headerEnd = `
#ifdef __cplusplus
}
#endif

#endif
`

// A function is a function of the API: the header declares it, the C file
// defines it, and the manifest names it.
type function struct {
	result string // type, with the space or star in front of the name
	name   string
	params []string // after the context; if it takes none, free is set
	free   bool     // it takes no context, and no parameters
	outs   []string // parameters that point to the results
}

// guards returns the start of its body: a pointer for a result that is NULL is an error.
func (f function) guards() string {
	var b strings.Builder
	for _, o := range f.outs {
		fmt.Fprintf(&b, "  if (%s == NULL)\n    return memc_f_no_place(ctx, %s);\n", o, opencl.Quote(o))
	}
	return b.String()
}

// proto returns its declaration, without a semicolon.
func (f function) proto() string {
	params := "void"
	if !f.free {
		params = strings.Join(append([]string{"struct futhark_context *ctx"}, f.params...), ", ")
	}
	return f.result + f.name + "(" + params + ")"
}

// Header returns the text of the header.
func (a *API) Header(p *imp.Program, source string) (string, error) {
	var b strings.Builder
	guard := "MEMC_FUTHARK_API_" + strings.ToUpper(opencl.Prefix(source))
	fmt.Fprintf(&b, "/* Futhark's C API of %s, made by %s. */\n#ifndef %s\n#define %s\n\n", opencl.Comment(source), release.Name, guard, guard)
	b.WriteString(includes)
	if a.tasks {
		b.WriteString(declarations + declarationsTasks)
	} else {
		b.WriteString(includesCL + declarations + declarationsCL)
	}
	b.WriteString("\n/* Arrays */\n")
	for _, t := range a.arrays {
		fmt.Fprintf(&b, "struct futhark_%s;\n", arrayName(t))
		for _, f := range a.arrayFunctions(t) {
			fmt.Fprintf(&b, "%s;\n", f.proto())
		}
	}
	b.WriteString("\n/* Opaque values */\n")
	for _, t := range a.in.Types {
		fmt.Fprintf(&b, "struct futhark_%s;\n", opaqueName(t.Name))
	}
	for _, t := range a.in.Types {
		for _, f := range a.opaqueFunctions(t) {
			fmt.Fprintf(&b, "%s;\n", f.proto())
		}
	}
	b.WriteString("\n/* Entry points */\n")
	for _, e := range a.entries {
		fmt.Fprintf(&b, "%s;\n%s;\n", a.entryFunction(e).proto(), tuningFunction(e).proto())
	}
	b.WriteString(headerEnd)
	return b.String(), nil
}

// scalarType is the type of a scalar in C.
func scalarType(p ir.Prim) string {
	if p == ir.Bool {
		return "bool"
	}
	return opencl.CType(p)
}

// structOf returns the type of values that are pointed to, "" for scalars.
func structOf(r signature.Ref) string {
	switch {
	case r.Opaque != "":
		return "struct futhark_" + opaqueName(r.Opaque)
	case !r.Unit && r.Part.Rank > 0:
		return "struct futhark_" + arrayName(r.Part)
	}
	return ""
}

func refScalar(r signature.Ref) string {
	if r.Unit {
		return "bool"
	}
	return scalarType(r.Part.Prim)
}

// inParam declares a parameter for a value that comes in.
func inParam(r signature.Ref, name string) string {
	if s := structOf(r); s != "" {
		return "const " + s + " *" + name
	}
	return "const " + refScalar(r) + " " + name
}

// outParam declares a parameter for a value that goes out.
func outParam(r signature.Ref, name string) string {
	if s := structOf(r); s != "" {
		return s + " **" + name
	}
	return refScalar(r) + " *" + name
}

func upper(s string) string { return strings.ToUpper(s) }

// indexParams returns int64_t i0, int64_t i1.
func indexParams(name string, rank int) []string {
	var ps []string
	for i := range rank {
		ps = append(ps, fmt.Sprintf("int64_t %s%d", name, i))
	}
	return ps
}

// indexValues returns {i0, i1}.
func indexValues(name string, rank int) string {
	var vs []string
	for i := range rank {
		vs = append(vs, fmt.Sprintf("%s%d", name, i))
	}
	return "{" + strings.Join(vs, ", ") + "}"
}
