// Package cl embeds the OpenCL C sources of the allocators that run inside kernels
// (memc_alloc.h and the files that it includes) and of the device-executed heap (memc_heap.h),
// and joins them to texts without includes.
//
// It has only text, so packages can use it without a device: runtime/device, which runs the
// kernels, and codegen/opencl, whose kernels allocate. A user of the sources outside memc copies
// the folder.
//
// It imports nothing of this module.
package cl

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.h *.cl
var sources embed.FS

// An Allocator is one of the allocators that memc_alloc.h offers.
type Allocator struct {
	Name   string // as in --device-allocator
	Macro  string // the value of MEMC_ALLOCATOR
	Frees  bool   // freed blocks are used again
	Safe   bool   // live blocks never overlap
	Header int    // bytes before a block
	About  string
}

// Allocators lists them, in the order of the paper; memc's own is last.
func Allocators() []Allocator {
	return []Allocator{
		{"atomic", "MEMC_ATOMIC", false, true, 0, "a counter; nothing is reused"},
		{"aw", "MEMC_AW", true, false, 0, "a counter that wraps; old blocks are overwritten"},
		{"c", "MEMC_C", true, true, 8, "circular list, flag apart from the link"},
		{"cf", "MEMC_CF", true, true, 4, "circular list, flag fused with the link"},
		{"cm", "MEMC_CM", true, true, 8, "c with a search offset for each compute unit"},
		{"cfm", "MEMC_CFM", true, true, 4, "cf with a search offset for each compute unit"},
		{"d", "MEMC_D", true, true, 8, "doubly linked list, joins both ways"},
		{"slab", "MEMC_SLAB", true, true, 16, "size classes in pages, the circular list behind them"},
	}
}

// Names lists the names of the allocators; safe leaves out those whose live
// blocks may overlap.
func Names(safe bool) []string {
	var names []string
	for _, a := range Allocators() {
		if a.Safe || !safe {
			names = append(names, a.Name)
		}
	}
	return names
}

// Lookup returns the allocator of that name.
func Lookup(name string) (Allocator, error) {
	for _, a := range Allocators() {
		if a.Name == name {
			return a, nil
		}
	}
	return Allocator{}, fmt.Errorf("there is no allocator %q; there are %s", name, strings.Join(Names(false), ", "))
}

// Source returns the allocator's functions as one text, without includes, to stand
// before kernels that call memc_malloc and memc_free. Defines are lines like
// "MEMC_DEBUG 1".
func (a Allocator) Source(defines ...string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "#define MEMC_ALLOCATOR %s\n", a.Macro)
	for _, d := range defines {
		fmt.Fprintf(&b, "#define %s\n", d)
	}
	err := include(&b, "memc_alloc.h", map[string]bool{})
	return b.String(), err
}

// Kernels returns Source and behind it the kernels that prepare and survey a heap
// (memc_kernels.cl).
func (a Allocator) Kernels(defines ...string) (string, error) {
	s, err := a.Source(defines...)
	if err != nil {
		return "", err
	}
	text, err := File("memc_kernels.cl")
	return s + text, err
}

// File returns one of the files with its quoted includes in place.
func File(name string) (string, error) {
	var b strings.Builder
	err := include(&b, name, map[string]bool{})
	return b.String(), err
}

// include writes a file with its quoted includes in place, each once.
func include(b *strings.Builder, name string, done map[string]bool) error {
	if done[name] {
		return nil
	}
	done[name] = true
	text, err := sources.ReadFile(name)
	if err != nil {
		return fmt.Errorf("embedded OpenCL source: %w", err)
	}
	for _, line := range strings.SplitAfter(string(text), "\n") {
		if inner, ok := strings.CutPrefix(line, "#include \""); ok {
			if err := include(b, inner[:strings.IndexByte(inner, '"')], done); err != nil {
				return err
			}
			continue
		}
		b.WriteString(line)
	}
	return nil
}
