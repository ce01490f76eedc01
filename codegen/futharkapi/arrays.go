package futharkapi

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/internal/base/signature"
)

// arrayOps names the functions of a type of arrays as the manifest does.
func arrayOps(t signature.Part) map[string]string {
	ops := map[string]string{}
	for _, op := range []string{"free", "new", "new_raw", "shape", "index", "values", "values_raw"} {
		ops[op] = "futhark_" + op + "_" + arrayName(t)
	}
	return ops
}

func (a *API) arrayFunctions(t signature.Part) []function {
	rawIn, rawOut := "cl_mem data", "cl_mem "
	if a.tasks {
		rawIn, rawOut = "const unsigned char *data", "unsigned char *"
	}
	s, ops := "struct futhark_"+arrayName(t), arrayOps(t)
	elem := scalarType(t.Prim)
	dims := indexParams("dim", t.Rank)
	return []function{
		{result: s + " *", name: ops["new"], params: append([]string{"const " + elem + " *data"}, dims...)},
		{result: s + " *", name: ops["new_raw"], params: append([]string{rawIn}, dims...)},
		{result: "int ", name: ops["free"], params: []string{s + " *arr"}},
		{result: "int ", name: ops["values"], params: []string{s + " *arr", elem + " *data"}},
		{result: rawOut, name: ops["values_raw"], params: []string{s + " *arr"}},
		{result: "int ", name: ops["index"], params: append([]string{elem + " *out", s + " *arr"}, indexParams("i", t.Rank)...), outs: []string{"out"}},
		{result: "const int64_t *", name: ops["shape"], params: []string{s + " *arr"}},
	}
}

// arrays defines the types of arrays and their functions.
func (a *API) writeArrays(b *strings.Builder) {
	for _, t := range a.arrays {
		s := "struct futhark_" + arrayName(t)
		prim, rank := constPrim(t.Prim), t.Rank
		shape := fmt.Sprintf("  const int64_t shape[] = %s;\n", indexValues("dim", rank))
		bodies := []string{
			fmt.Sprintf("%s  return (%s *)memc_f_new_array(ctx, data, %s, %d, shape);\n", shape, s, prim, rank),
			fmt.Sprintf("%s  return (%s *)memc_f_new_raw(ctx, data, %s, %d, shape);\n", shape, s, prim, rank),
			"  return memc_f_free_array(ctx, arr ? &arr->rt : NULL);\n",
			"  return memc_f_values(ctx, arr ? &arr->rt : NULL, data);\n",
			"  return memc_f_values_raw(ctx, &arr->rt);\n",
			fmt.Sprintf("  const int64_t index[] = %s;\n  return memc_f_index(ctx, &arr->rt, out, index);\n", indexValues("i", rank)),
			"  (void)ctx;\n  return arr->rt.shape;\n",
		}
		fmt.Fprintf(b, "\n%s { struct memc_array rt; };\n", s)
		for i, f := range a.arrayFunctions(t) {
			fmt.Fprintf(b, "\n%s\n{\n%s%s}\n", f.proto(), f.guards(), bodies[i])
		}
	}
}
