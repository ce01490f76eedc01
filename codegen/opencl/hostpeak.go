package opencl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
)

// givenSizes returns the sizes of an entry's arrays that no scalar argument gives, by their numbers in
// e.Sizes and by name.
func givenSizes(e *imp.Entry) (names []string) {
	for _, n := range e.Sizes {
		if !slices.ContainsFunc(e.Params, func(q imp.EntryParam) bool { return q.Name == n && !q.Array }) {
			names = append(names, n)
		}
	}
	return names
}

// headerSizes names them in the header, behind the name of the result, and the arguments.
func headerSizes(p *imp.Program, e *imp.Entry) (sizes, ins []string) {
	all := *e
	all.Results = []imp.EntryResult{{Name: "bytes"}}
	for _, n := range givenSizes(e) {
		all.Results = append(all.Results, imp.EntryResult{Name: n})
	}
	return headerNames(p, &all)
}

// peakPrototype returns the function that tells the peak of an entry; sizes begins with the name of
// the result.
func (w *hostWriter) peakPrototype(i int, e *imp.Entry, sizes, ins []string) string {
	parts := []string{"struct " + w.prefix + "_context *ctx", "int64_t *" + sizes[0]}
	for _, n := range sizes[1:] {
		parts = append(parts, "int64_t "+n)
	}
	for k, q := range e.Params {
		if !q.Array {
			parts = append(parts, apiType(q.Prim)+" "+ins[k])
		}
	}
	return fmt.Sprintf("int %s_peak_%s(%s)", w.prefix, w.entries[i], wrap(parts))
}

func (w *hostWriter) peakAPI(i int, e *imp.Entry) {
	given, sizes := givenSizes(e), []string{"bytes"}
	for k := range given {
		sizes = append(sizes, fmt.Sprintf("size%d", k))
	}
	_, ins := numberedNames(e)
	w.f("\n%s\n{\n  union memc_slot in[%d], out[%d];\n", w.peakPrototype(i, e, sizes, ins), max(1, len(e.Params)), max(1, len(e.Results)))
	shapes := []string{}
	for k, q := range e.Params {
		if !q.Array {
			shapes = append(shapes, "NULL")
			continue
		}
		var dims []string
		for _, d := range q.Shape {
			at := slices.Index(given, d.Name)
			switch {
			case d.Name == "":
				dims = append(dims, fmt.Sprint(d.Const))
			case at >= 0:
				dims = append(dims, sizes[1+at])
			default:
				dims = append(dims, ins[slices.IndexFunc(e.Params, func(q imp.EntryParam) bool { return q.Name == d.Name })])
			}
		}
		w.f("  const int64_t shape%d[] = {%s};\n", k, strings.Join(dims, ", "))
		shapes = append(shapes, fmt.Sprintf("shape%d", k))
	}
	w.f("  const int64_t *const shapes[] = {%s};\n  memset(in, 0, sizeof in);\n", strings.Join(append(shapes, "NULL"), ", "))
	for k, q := range e.Params {
		if !q.Array {
			w.f("  in[%d].scalar.%s = in%d;\n", k, field(q.Prim), k)
		}
	}
	w.f("  return memc_peak(ctx ? &ctx->rt : NULL, &memc_entries[%d], shapes, in, out, bytes);\n}\n", i)
}
