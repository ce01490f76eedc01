package gohost

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/ir/diag"
)

// A site is an allocation of a block.
type site struct {
	span diag.Span
	name string
}

// collectSites finds the program's allocations, by number.
func (w *writer) collectSites() {
	w.sites = make([]site, w.p.Sites)
	for _, f := range w.p.Funcs {
		imp.Each(f.Body, func(a *imp.Alloc) {
			name := "a temporary block"
			if a.Name != "" {
				name = "block `" + a.Name + "`"
			}
			if a.Site < len(w.sites) {
				w.sites[a.Site] = site{a.Span, name}
			}
		})
	}
}

// tables returns the text of the file with the program's tables for package host.
func (w *writer) tables() string {
	var b strings.Builder
	b.WriteString(w.header())
	fmt.Fprintf(&b, "package %s\n\nimport (\n\t_ \"embed\"\n\n\t%q\n)\n\n", w.pkg, Support)
	fmt.Fprintf(&b, "// kernels is OpenCL C.\n//\n//go:embed %s\nvar kernels string\n\n", KernelsFile)
	w.source(&b)
	for i, e := range w.p.Entries {
		w.entryTable(&b, i, e)
	}
	return b.String()
}

// source writes the program's tables for package host.
func (w *writer) source(b *strings.Builder) {
	b.WriteString("// source is the program, without its host functions.\nvar source = host.Source{\n")
	fmt.Fprintf(b, "File: %q,\nKernels: kernels,\nGroupSize: %d,\n", w.file, imp.GroupSize)
	if w.p.F64() {
		b.WriteString("FP64: true,\n")
	}
	if w.p.Apart() {
		b.WriteString("Apart: true,\n")
	}
	if w.p.KernelChecks {
		b.WriteString("Checks: true,\n")
	}
	if w.p.Slots > 0 {
		fmt.Fprintf(b, "Slots: %d,\n", w.p.Slots)
	}
	var names, allocating, reads []string
	for _, k := range w.p.Kernels {
		names = append(names, k.Name)
		if len(k.Held) > 0 {
			allocating = append(allocating, k.Name)
		}
		var only []string
		for i, q := range k.Params {
			if q.Mem && k.OnlyReads(q.Name) {
				only = append(only, strconv.Itoa(i))
			}
		}
		if only != nil {
			reads = append(reads, fmt.Sprintf("%q: {%s},\n", k.Name, strings.Join(only, ", ")))
		}
	}
	if len(names) > 0 {
		fmt.Fprintf(b, "KernelNames: []string{\n%s,\n},\n", strings.ReplaceAll(quoted(names), ", ", ",\n"))
	}
	if len(reads) > 0 {
		fmt.Fprintf(b, "Reads: map[string][]int{\n%s},\n", strings.Join(reads, ""))
	}
	if w.p.DeviceAllocator != "" {
		fmt.Fprintf(b, "Heap: %q,\nHeapBytes: %d,\nHeapKernels: []string{%s},\n", w.p.DeviceAllocator, w.p.DeviceHeap, quoted(allocating))
	}
	if len(w.p.Faults) > 1 {
		b.WriteString("Faults: []host.Check{\n{},\n")
		for _, f := range w.p.Faults[1:] {
			fmt.Fprintf(b, "{Code: %q, %sFormat: %q", f.Code, w.pos(f.Span), f.Format)
			if f.Args > 0 {
				fmt.Fprintf(b, ", Args: %d", f.Args)
			}
			if f.Heap {
				b.WriteString(", Heap: true")
			}
			b.WriteString("},\n")
		}
		b.WriteString("},\n")
	}
	if len(w.sites) > 0 {
		b.WriteString("Sites: []host.Site{\n")
		for _, s := range w.sites {
			fmt.Fprintf(b, "{%sName: %q},\n", w.pos(s.span), s.name)
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
}

// pos returns the field for a position in the program, or "" if it is unknown.
func (w *writer) pos(span diag.Span) string {
	if w.p.File == nil || !span.Known() {
		return ""
	}
	line, col := w.p.File.Position(span.Start)
	origin := ""
	if place := w.p.File.Origin(span.Start); place != "" {
		origin = fmt.Sprintf(", Origin: %q", place)
	}
	return fmt.Sprintf("Pos: host.Pos{Line: %d, Col: %d%s}, ", line, col, origin)
}

// entryTable writes the checks of an entry's arguments.
func (w *writer) entryTable(b *strings.Builder, i int, e *imp.Entry) {
	fmt.Fprintf(b, "\nvar %s = host.Entry{\nName: %q,\n", w.entries[i].table, e.Name)
	if w.p.Apart() && i > 0 {
		fmt.Fprintf(b, "Number: %d,\n", i)
	}
	if len(e.Params) > 0 {
		b.WriteString("Params: []host.Param{\n")
		for _, q := range e.Params {
			fmt.Fprintf(b, "{%sName: %q, Type: %q", w.pos(q.Span), q.Name, q.Type())
			if q.Array {
				var dims []string
				for _, d := range q.Shape {
					if d.Name != "" {
						dims = append(dims, fmt.Sprintf("{Name: %q}", d.Name))
					} else {
						dims = append(dims, fmt.Sprintf("{Size: %d}", d.Const))
					}
				}
				fmt.Fprintf(b, ", Shape: []host.Dim{%s}", strings.Join(dims, ", "))
				if q.Unique {
					b.WriteString(", Consumed: true")
				}
			}
			b.WriteString("},\n")
		}
		b.WriteString("},\n")
	}
	if len(e.Sizes) > 0 {
		fmt.Fprintf(b, "Sizes: []string{%s},\n", quoted(e.Sizes))
	}
	b.WriteString("}\n")
}

func quoted(list []string) string {
	parts := make([]string, len(list))
	for i, s := range list {
		parts[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(parts, ", ")
}
