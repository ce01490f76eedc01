package gohost

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/ir"
)

// fixedMethods are the methods of Program that every package has.
var fixedMethods = []string{"Close", "Context", "ResetStats", "Stats"}

// apiFixed is the part of the interface that every package has.
const apiFixed = `
type (
	// Options tell where and how a program runs. The zero value will do.
	Options = host.Options
	// Array is an array on the device: see NewArray, and its methods Data, Shape and
	// Free. Results of entries are arrays for the caller to free, and may be arguments.
	Array[T host.Element] = host.Array[T]
	// Error is what entries fail with: its Kind, and the place in the program.
	Error = host.Error
	// Stats is what was done on the device.
	Stats = host.Stats
)

// A Program is the program on a device. Its methods may be called from any
// goroutine; calls of entries take turns.
type Program struct{ rt *host.Program }

// Open builds the program's kernels on a device.
func Open(opt Options) (*Program, error) {
	rt, err := host.Open(&source, opt)
	if err != nil {
		return nil, err
	}
	return &Program{rt}, nil
}

// Close gives the program and its arrays back.
func (p *Program) Close() { p.rt.Close() }

// Stats tells of allocations, copies, launches and the peak of memory since Open or
// ResetStats.
func (p *Program) Stats() Stats { return p.rt.Context().Stats() }

// ResetStats starts counting anew.
func (p *Program) ResetStats() { p.rt.Context().ResetStats() }

// Context returns the device that the program runs on, for Options of another one.
func (p *Program) Context() *host.Context { return p.rt.Context() }

// NewArray copies data to the device. The data is row-major; without a shape the
// array has one dimension.
func NewArray[T host.Element](p *Program, data []T, shape ...int) (*Array[T], error) {
	return host.NewArray(p.rt, data, shape...)
}
`

// api returns the text of the file with the package's interface.
func (w *writer) api() string {
	var b strings.Builder
	b.WriteString(w.header())
	fmt.Fprintf(&b, "// Package %s runs %s on an OpenCL device.\n//\n", w.pkg, oneLine(w.file))
	b.WriteString("// Open gives a Program; its entries are methods:\n//\n")
	for i, e := range w.p.Entries {
		fmt.Fprintf(&b, "//   - [Program.%s]: %s\n", w.entries[i].method, e.Signature())
	}
	b.WriteString("//\n// Arguments come from NewArray or from earlier calls. Results stay on the device until\n// they are freed, and may be arguments without being copied.\n")
	fmt.Fprintf(&b, "package %s\n\nimport %q\n", w.pkg, Support)
	b.WriteString(apiFixed)
	for i, e := range w.p.Entries {
		w.entry(&b, i, e)
	}
	return b.String()
}

// An output is a result of an entry's method.
type output struct {
	imp.EntryResult
	name string
	vars []string // that receive the host function's results
}

// entry writes the method of an entry.
func (w *writer) entry(b *strings.Builder, i int, e *imp.Entry) {
	used := map[string]bool{} // names that a parameter must not hide
	for _, f := range w.funcs {
		used[f] = true
	}
	for _, n := range w.entries {
		used[n.table] = true
	}
	names, types := make([]string, len(e.Params)), make([]string, len(e.Params))
	for k, q := range e.Params {
		names[k], types[k] = param(imp.SourceName(w.p.File, q.Name), used), apiType(q.Array, q.Prim)
	}
	outs := w.outputs(e, used)
	w.entryDoc(b, i, e, names, outs)
	var results, resultTypes, zeros []string
	for _, o := range outs {
		if o.Size {
			continue
		}
		results, resultTypes = append(results, o.name), append(resultTypes, apiType(o.Array, o.Prim))
		if o.Array {
			zeros = append(zeros, "nil, ")
		} else {
			zeros = append(zeros, zero(o.Prim)+", ")
		}
	}
	failure := "return " + strings.Join(zeros, "")
	fmt.Fprintf(b, "func (p *Program) %s(%s) (%s) {\n", w.entries[i].method, declared(names, types),
		declared(append(results, "err"), append(resultTypes, "error")))
	args := append([]string{"&" + w.entries[i].table}, names...)
	fmt.Fprintf(b, "c, err := p.rt.Begin(%s)\nif err != nil {\n%serr\n}\ndefer c.End()\n", strings.Join(args, ", "), failure)
	w.run(b, e, names, outs)
	fmt.Fprintf(b, "if err := c.Finish(err); err != nil {\n%serr\n}\n", failure)
	w.handOut(b, outs, failure)
	b.WriteString("}\n")
}

// declared returns names with their types; neighbours of one type share it.
func declared(names, types []string) string {
	text := ""
	for i, n := range names {
		if i > 0 {
			text += ", "
		}
		text += n
		if i+1 == len(names) || types[i+1] != types[i] {
			text += " " + types[i]
		}
	}
	return text
}

// apiType returns the type of an argument or result.
func apiType(array bool, p ir.Prim) string {
	if array {
		return "*Array[" + goType(p) + "]"
	}
	return goType(p)
}

// outputs names the results of a method and the variables that receive what the
// host function returns: a block and its sizes, or a scalar.
func (w *writer) outputs(e *imp.Entry, used map[string]bool) []output {
	visible := 0
	for _, r := range e.Results {
		if !r.Size {
			visible++
		}
	}
	outs := make([]output, len(e.Results))
	for k, r := range e.Results {
		o := output{EntryResult: r}
		switch {
		case r.Size:
			o.vars = []string{"_"}
		case r.Name != "":
			o.name = param(imp.SourceName(w.p.File, r.Name), used)
		case visible == 1:
			o.name = param("out", used)
		default:
			o.name = param(fmt.Sprintf("out%d", k), used)
		}
		outs[k] = o
	}
	for k := range outs {
		o := &outs[k]
		switch {
		case o.Size:
		case o.Array:
			o.vars = append(o.vars, unique(fmt.Sprintf("b%d", k), used))
			for d := range o.Rank {
				o.vars = append(o.vars, unique(fmt.Sprintf("d%d_%d", k, d), used))
			}
		default:
			o.vars = append(o.vars, o.name)
		}
	}
	return outs
}

// run writes the call of the host function.
func (w *writer) run(b *strings.Builder, e *imp.Entry, names []string, outs []output) {
	var got, blocks []string
	fresh := false
	for _, o := range outs {
		got = append(got, o.vars...)
		if o.Array {
			fresh = true
			blocks = append(blocks, "&"+o.vars[0])
		}
	}
	args := []string{"c"}
	for k := range e.Sizes {
		args = append(args, fmt.Sprintf("c.Size(%d)", k))
	}
	for k, q := range e.Params {
		if q.Array {
			args = append(args, fmt.Sprintf("c.Block(%d)", k))
		} else {
			args = append(args, names[k])
		}
	}
	assign := "="
	if fresh {
		assign = ":="
	}
	fmt.Fprintf(b, "%s %s %s(%s)\n", strings.Join(append(got, "err"), ", "), assign, w.funcs[e.Func], strings.Join(args, ", "))
	if len(blocks) > 0 {
		fmt.Fprintf(b, "defer host.Drop(%s)\n", strings.Join(blocks, ", "))
	}
}

// handOut writes the end of a method: blocks become arrays.
func (w *writer) handOut(b *strings.Builder, outs []output, failure string) {
	shown := slices.DeleteFunc(slices.Clone(outs), func(o output) bool { return o.Size })
	if len(shown) == 1 && shown[0].Array {
		fmt.Fprintf(b, "return %s, c.Err()\n", result(shown[0]))
		return
	}
	var names []string
	arrays := false
	for _, o := range shown {
		names = append(names, o.name)
		if o.Array {
			arrays = true
			fmt.Fprintf(b, "%s = %s\n", o.name, result(o))
		}
	}
	if arrays {
		fmt.Fprintf(b, "if err := c.Err(); err != nil {\n%serr\n}\n", failure)
	}
	fmt.Fprintf(b, "return %s\n", strings.Join(append(names, "nil"), ", "))
}

func result(o output) string {
	return fmt.Sprintf("host.Result[%s](c, %s)", goType(o.Prim), strings.Join(o.vars, ", "))
}

// entryDoc writes the comment of an entry's method.
func (w *writer) entryDoc(b *strings.Builder, i int, e *imp.Entry, names []string, outs []output) {
	fmt.Fprintf(b, "\n// %s calls the entry\n//\n//\t%s\n", w.entries[i].method, e.Signature())
	var shapes, consumed []string
	for k, q := range e.Params {
		if q.Array {
			shapes = append(shapes, names[k]+" "+imp.Dims(q.Shape))
			if q.Unique {
				consumed = append(consumed, names[k])
			}
		}
	}
	for _, o := range outs {
		if o.Array {
			shapes = append(shapes, o.name+" "+imp.Dims(o.Shape))
		}
	}
	if len(shapes) > 0 {
		fmt.Fprintf(b, "//\n// Shapes: %s.\n", strings.Join(shapes, ", "))
	}
	if len(consumed) > 0 {
		fmt.Fprintf(b, "//\n// It consumes %s: the call may write into the argument, which cannot be used afterwards.\n", strings.Join(consumed, " and "))
	}
}
