package opencl

import (
	"embed"
	"fmt"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/parallel"
	"github.com/memc-lang/memc/internal/base/release"
	"github.com/memc-lang/memc/runtime/native"
)

//go:embed c/*.c c/cl/*.c c/tasks/*.c
var runtimeSources embed.FS

// HostOptions tells how a host program is to be named.
type HostOptions struct {
	// Prefix starts every public name of the C API; "" derives it from Source.
	Prefix string
	// Source is the name of the IR file; "" takes the program's own.
	Source string
	// Header is the name of the header's file. The C text holds the interface
	// itself, so that it builds alone, and names the header in a comment.
	Header string
	// API is the interface that the program offers; nil stands for memc's own
	// (docs/c-api.md).
	API API
	// Library leaves main out.
	Library bool
}

// An API writes another interface around a host program: the text between the entries of the
// runtime (struct memc_entry, memc_call) and a user. The runtime and the entries are the same under
// every API.
type API interface {
	// Header returns the text of the header.
	Header(p *imp.Program, source string) (string, error)
	// Functions returns the C that implements the header.
	Functions(p *imp.Program) (string, error)
	// Main returns main, which has c/run.c to stand on.
	Main(p *imp.Program) (string, error)
	// Defines tells which macros to set for the runtime.
	Defines() []string
}

// Prefix returns the C identifier that stands for a file's base name: that of
// "dir/2d-blur.ir" is "m2d_blur".
func Prefix(source string) string {
	base := strings.ReplaceAll(source, "\\", "/")
	base = base[strings.LastIndexByte(base, '/')+1:]
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	id := cIdent(base)
	if id == "" || id[0] >= '0' && id[0] <= '9' {
		id = "m" + id
	}
	if runtimeName(id) {
		id = "m_" + id
	}
	return id
}

// runtimeName reports whether names that start with a prefix belong to the runtime.
func runtimeName(prefix string) bool { return prefix == "memc" || strings.HasPrefix(prefix, "memc_") }

// cIdent replaces characters that a C identifier must not contain.
func cIdent(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '_'
	}, s)
}

// Host returns the text of a self-contained C99 program (or, with MEMC_NO_MAIN defined, library)
// that runs p, and the text of its header. kernels is the OpenCL C of Kernels. docs/c-api.md
// describes the result.
func Host(p *imp.Program, kernels string, opt HostOptions) (c, h string, err error) {
	if opt.Source == "" && p.File != nil {
		opt.Source = p.File.Name
	}
	if opt.Prefix == "" {
		opt.Prefix = Prefix(opt.Source)
	}
	if opt.Prefix != cIdent(opt.Prefix) || opt.Prefix == "" || opt.Prefix[0] >= '0' && opt.Prefix[0] <= '9' {
		return "", "", fmt.Errorf("%q is not a C identifier, and cannot start the names of a C API", opt.Prefix)
	}
	if runtimeName(opt.Prefix) {
		return "", "", fmt.Errorf("names that start with %q belong to the runtime; choose another prefix for the C API", "memc")
	}
	w := &hostWriter{p: p, prefix: opt.Prefix, funcs: map[*imp.Func]string{}, kernels: map[*imp.Kernel]int{}}
	w.apart = p.Apart() && opt.API == nil // Futhark's API shows, and keeps, one program
	w.collect()
	if opt.Header == "" {
		opt.Header = opt.Prefix + ".h"
	}
	if opt.API == nil {
		h = w.header(opt.Source)
	} else if h, err = opt.API.Header(p, opt.Source); err != nil {
		return "", "", err
	}
	if c, err = w.program(opt, kernels, h); err != nil {
		return "", "", err
	}
	return c, h, nil
}

// A hostWriter writes one program.
type hostWriter struct {
	text
	p       *imp.Program
	prefix  string
	funcs   map[*imp.Func]string // names in C
	entries []string             // names in C, of p.Entries
	kernels map[*imp.Kernel]int  // index in memc_kernel_names
	arrays  []arrayType          // of the API, in order of first use
	maxRank int                  // of a copy
	apart   bool                 // the kernels of each entry are built when it is first called
}

func (w *hostWriter) f(format string, args ...any) { fmt.Fprintf(&w.text, format, args...) }

// EntryNames returns the endings of the names of the entries' functions, in the order of the
// program: NAME_entry_step ends with "step".
func EntryNames(p *imp.Program) []string {
	var names []string
	unique := uniqueNames()
	for _, e := range p.Entries {
		names = append(names, unique(e.Name))
	}
	return names
}

// uniqueNames returns a function that makes names for C, each given out once.
func uniqueNames() func(base string) string {
	used := map[string]bool{}
	return func(base string) string {
		name := cIdent(base)
		for i := 1; used[name]; i++ {
			name = fmt.Sprintf("%s_%d", cIdent(base), i)
		}
		used[name] = true
		return name
	}
}

// collect names functions and entries, and finds the array types of the API.
func (w *hostWriter) collect() {
	unique := uniqueNames()
	for _, f := range w.p.Funcs {
		w.funcs[f] = "memc_fn_" + unique(f.Name)
		imp.Each(f.Body, func(c *imp.Copy) { w.maxRank = max(w.maxRank, len(c.Shape)) })
	}
	w.entries = EntryNames(w.p)
	seen := map[arrayType]bool{}
	add := func(t arrayType) {
		if !seen[t] {
			seen[t] = true
			w.arrays = append(w.arrays, t)
		}
	}
	for _, e := range w.p.Entries {
		for _, q := range e.Params {
			if q.Array {
				add(arrayType{q.Prim, len(q.Shape)})
			}
		}
		for _, r := range e.Results {
			if r.Array {
				add(arrayType{r.Prim, r.Rank})
			}
		}
	}
	for i, k := range w.p.Kernels {
		w.kernels[k] = i
	}
}

// hostHead comes before everything else. POSIX has the clock.
const hostHead = `#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200112L
#endif
`

const clHead = `#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#ifdef __APPLE__
#include <OpenCL/opencl.h>
#else
#include <CL/cl.h>
#endif
`

const stdHead = `#include <ctype.h>
#include <float.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
`

// hostQuiet turns off warnings about conditions that a program wrote itself.
const hostQuiet = `/* A program may compare what can only come out one way. */
#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#endif

`

// program writes the whole C file.
func (w *hostWriter) program(opt HostOptions, kernels, header string) (string, error) {
	build := "cc FILE.c -lOpenCL -lm"
	if w.p.Tasks {
		build = "cc -std=c99 -O3 -march=native -fno-math-errno -fno-trapping-math -fopenmp FILE.c -lm  (without -fopenmp: on one thread)"
	}
	w.f("/* Made by %s from %s.\n\n   Build:  %s\n   As a library, without main: add -DMEMC_NO_MAIN, and include %s. */\n\n",
		release.Name, cComment(opt.Source), build, cComment(opt.Header))
	if opt.API != nil {
		for _, d := range opt.API.Defines() {
			w.f("#define %s\n", d)
		}
	}
	w.WriteString(hostHead)
	if !w.p.Tasks {
		w.WriteString(clHead)
	}
	w.WriteString(stdHead)
	w.section("The interface, as in the header.")
	w.WriteString(header)
	if opt.API != nil {
		w.WriteString("\n" + statsType)
	}
	w.section("Scalar operations, shared with the kernels.")
	w.WriteString(HostPrelude())
	if err := w.runtime("base", "threads"); err != nil {
		return "", err
	}
	w.section("The program.")
	tables, functions := w.part(), w.part()
	var failed error
	parallel.Do(
		func() { tables.tables(kernels) },
		func() { failed = functions.functions() },
	)
	if failed != nil {
		return "", failed
	}
	w.add(&tables.text)
	if err := w.runtime(w.parts()...); err != nil {
		return "", err
	}
	w.WriteString("\n" + hostQuiet)
	if w.p.Tasks {
		w.taskKernels()
	}
	w.section("Functions.")
	w.add(&functions.text)
	w.section("Entries.")
	for i, e := range w.p.Entries {
		w.entry(i, e)
	}
	w.entryTable()
	if opt.API == nil {
		w.api()
	} else {
		text, err := opt.API.Functions(w.p)
		if err != nil {
			return "", err
		}
		w.section("The C interface.")
		w.WriteString(text)
	}
	if !opt.Library {
		if err := w.main(opt); err != nil {
			return "", err
		}
	}
	return w.String(), nil
}

// part returns a writer of another part of the same file.
func (w *hostWriter) part() *hostWriter {
	part := *w
	part.text = text{}
	return &part
}

// functions writes all functions.
func (w *hostWriter) functions() error {
	for _, f := range w.p.Funcs {
		w.prototype(f)
		w.WriteString(";\n")
	}
	for _, f := range w.p.Funcs {
		if err := w.function(f); err != nil {
			return err
		}
	}
	return nil
}

// parts names the parts of the runtime that follow the tables: those that every target
// shares, and the target's own between them.
func (w *hostWriter) parts() []string {
	if w.p.Tasks {
		return []string{"host", "pool", "shortage", "tasks/device", "context", "words", "fault", "tasks/buffer", "snapshot", "bounds", "block", "tasks/elements", "tasks/launch",
			"copy", "tasks/copy", "tasks/program", "array", "tasks/raw", "entry", "peak"}
	}
	return []string{"host", "pool", "shortage", "cl/versions", "cl/errors", "cl/memory", "cl/queue", "cl/device", "context", "cl/reads", "cl/properties", "cl/pick", "cl/choose", "cl/build", "words", "fault", "snapshot", "bounds", "block", "cl/lanes", "cl/shared", "cl/moves", "cl/lend",
		"cl/places", "cl/fronts", "cl/buffer", "cl/faults", "cl/heap", "cl/args", "cl/launch", "copy", "cl/copy", "cl/program", "cl/several", "array", "cl/raw", "entry", "peak", "cl/future"}
}

// main writes the part that turns the library into a program.
func (w *hostWriter) main(opt HostOptions) error {
	w.WriteString("\n#ifndef MEMC_NO_MAIN\n")
	parts := []string{"values", "number", "reader", "writer", "run"}
	if opt.API == nil {
		parts = append(parts, "main")
	}
	if err := w.runtime(parts...); err != nil {
		return err
	}
	if opt.API != nil {
		text, err := opt.API.Main(w.p)
		if err != nil {
			return err
		}
		w.WriteString("\n" + text)
	}
	w.WriteString("\n#endif\n")
	return nil
}

func (w *hostWriter) section(title string) { w.f("\n/* ---- %s ---- */\n\n", title) }

// runtimePart returns a part of the runtime: one that all hosts run, or one of generated C.
func runtimePart(name string) (string, error) {
	if text, err := native.Source(name); err == nil {
		return text, nil
	}
	text, err := runtimeSources.ReadFile("c/" + name + ".c")
	return string(text), err
}

// runtime appends parts of the runtime.
func (w *hostWriter) runtime(names ...string) error {
	for _, n := range names {
		text, err := runtimePart(n)
		if err != nil {
			return err
		}
		w.WriteByte('\n')
		w.WriteString(text)
	}
	return nil
}

// tables writes the program's tables for the runtime.
func (w *hostWriter) tables(kernels string) {
	checks := 0
	if w.p.KernelChecks {
		checks = 1
	}
	w.f("#define MEMC_KERNEL_CHECKS %d\n", checks)
	w.f("#define MEMC_MAX_RANK %d /* of a copy */\n\n", max(w.maxRank, 9))
	if w.p.Tasks {
		w.faultTable()
		return
	}
	w.f("#define MEMC_GROUP_SIZE %d\n#define MEMC_SLOTS %d /* scalars that kernels leave */\n", imp.GroupSize, w.p.Slots)
	if w.p.F64() {
		w.f("#define MEMC_F64_KERNELS /* they compute with f64 */\n")
	}
	w.f("#define MEMC_PROGRAM_KERNELS %d\n", len(w.p.Kernels))
	w.f("#define MEMC_ENTRIES %d\n", max(1, len(w.p.Entries)))
	w.f("#define MEMC_APART %d /* whether the kernels of an entry are built when it is first called */\n", oneIf(w.apart))
	more, heap := w.heapTables()
	w.f("#define MEMC_KERNELS %d /* with those that copy, and prepare the device heap */\n", len(w.p.Kernels)+8+more)
	w.WriteString("static const char *const memc_kernel_names[] = {\n")
	for _, k := range w.p.Kernels {
		w.f("  %s,\n", cString(k.Name))
	}
	var copies []string
	copied := w.p.CopySizes()
	for _, kind := range []string{"copy", "box"} {
		for size := 1; size <= 8; size *= 2 {
			name := "NULL" // the program copies no such elements
			if copied&size != 0 {
				name = fmt.Sprintf("\"memc_%s_%d\"", kind, size)
			}
			copies = append(copies, name)
		}
	}
	w.WriteString("  " + strings.Join(copies, ", ") + heap)
	w.faultTable()
	w.WriteString("\n/* The kernels, one string a line. */\nstatic const char *const memc_source[] = {\n")
	var literal []byte
	for line := range strings.SplitAfterSeq(kernels, "\n") {
		for line != "" {
			part := line[:min(len(line), maxLiteral)]
			line = line[len(part):]
			literal = append(appendCString(append(literal[:0], "  "...), part), ",\n"...)
			w.Write(literal)
		}
	}
	w.WriteString("  \"\"\n};\n")
}

// faultTable writes the messages of failing checks.
func (w *hostWriter) faultTable() {
	w.WriteString("struct memc_fault_text { const char *code, *where, *format; int args, memory, heap; };\n\n")
	w.WriteString("static const struct memc_fault_text memc_faults[] = {\n  {\"\", \"\", \"\", 0, 0, 0}")
	for _, f := range w.p.Faults[min(1, len(w.p.Faults)):] {
		w.f(",\n  {\"%s\", %s, %s, %d, %d, %d}", f.Code, cString(w.p.File.Locate(f.Span)), cString(f.Format), f.Args, oneIf(f.Memory), oneIf(f.Heap))
	}
	w.WriteString("\n};\n")
}

// maxLiteral bounds the string literals; C99 promises no more than 4095 bytes.
const maxLiteral = 2000

// cString returns s as a C string literal. Question marks are escaped since three
// of them could start a trigraph.
func cString(s string) string { return string(appendCString(make([]byte, 0, len(s)+8), s)) }

// appendCString appends what cString returns.
func appendCString(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '"', c == '\\':
			b = append(b, '\\', c)
		case c == '?' && i > 0 && s[i-1] == '?':
			b = append(b, `\?`...)
		case c < ' ' || c >= 127:
			b = fmt.Appendf(b, `\%03o`, c)
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}

// cComment makes text safe inside a C comment.
func cComment(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "*/", "* /"), "/*", "/ *")
	return strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "\\", "/")
}
