package device

import (
	"embed"
	"fmt"
	"path"
	"strings"
)

// sources are the OpenCL C files; a user of them outside memc copies the folder.
//
//go:embed cl
var sources embed.FS

// An Allocator is one of the allocators that memc_alloc.h offers.
type Allocator struct {
	Name   string // as in --allocator
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

// Lookup gives the allocator of that name.
func Lookup(name string) (Allocator, error) {
	var names []string
	for _, a := range Allocators() {
		if a.Name == name {
			return a, nil
		}
		names = append(names, a.Name)
	}
	return Allocator{}, fmt.Errorf("there is no allocator %q; there are %s", name, strings.Join(names, ", "))
}

// Source gives the allocator's functions as one text, without includes, to stand
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

// Kernels gives Source and behind it the kernels that prepare and survey a heap
// (memc_kernels.cl).
func (a Allocator) Kernels(defines ...string) (string, error) {
	var b strings.Builder
	s, err := a.Source(defines...)
	if err != nil {
		return "", err
	}
	b.WriteString(s)
	err = include(&b, "memc_kernels.cl", map[string]bool{})
	return b.String(), err
}

// include writes a file with its quoted includes in place, each once.
func include(b *strings.Builder, name string, done map[string]bool) error {
	if done[name] {
		return nil
	}
	done[name] = true
	text, err := sources.ReadFile(path.Join("cl", name))
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
