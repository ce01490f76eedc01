package futharkapi

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/base/signature"
)

// server returns c/server.c with the tables that it stands on: the types of variables, and
// the entries with the numbers of their types.
func (a *API) server() (string, error) {
	text, err := sources.ReadFile("c/server.c")
	if err != nil {
		return "", err
	}
	t := &serverTypes{a: a, index: map[string]int{}}
	var entries strings.Builder
	entries.WriteString("static const struct memc_s_entry memc_s_entries[] = {\n")
	var lists strings.Builder
	for i, e := range a.entries {
		fmt.Fprintf(&lists, "static const struct memc_s_io memc_s_in_%d[] = {", i)
		for _, in := range e.Inputs {
			fmt.Fprintf(&lists, "{%d, %d}, ", t.add(in.Type), truth(in.Type.Unique))
		}
		fmt.Fprintf(&lists, "{-1, 0}};\nstatic const struct memc_s_io memc_s_out_%d[] = {", i)
		for _, out := range e.Outputs {
			fmt.Fprintf(&lists, "{%d, %d}, ", t.add(out), truth(out.Unique))
		}
		fmt.Fprintf(&lists, "{-1, 0}};\nstatic const int memc_s_slot_%d[] = {", i)
		for _, slots := range e.outputs {
			for _, s := range slots {
				fmt.Fprintf(&lists, "%d, ", s)
			}
		}
		fmt.Fprintf(&lists, "-1};\nstatic const int memc_s_tuning_%d[] = {", i)
		for _, k := range e.Tuning {
			fmt.Fprintf(&lists, "%d, ", k)
		}
		fmt.Fprintf(&lists, "-1};\nstatic const char *const memc_s_attributes_%d[] = {", i)
		for _, name := range e.Attributes {
			lists.WriteString(opencl.Quote(name) + ", ")
		}
		lists.WriteString("NULL};\n")
		fmt.Fprintf(&entries, "  {%s, %d, %d, %d, memc_s_in_%d, memc_s_out_%d, memc_s_slot_%d, memc_s_tuning_%d, memc_s_attributes_%d},\n",
			opencl.Quote(e.Name), e.index, len(e.Inputs), len(e.Outputs), i, i, i, i, i)
	}
	entries.WriteString("  {NULL, 0, 0, 0, NULL, NULL, NULL, NULL, NULL}\n};\n")
	types := t.table() // of all that was added
	return strings.Replace(string(text), "MEMC_S_TABLES\n", types+lists.String()+entries.String(), 1), nil
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// serverTypes collects the types of variables.
type serverTypes struct {
	a     *API
	list  []signature.Ref
	index map[string]int // in list, by name
}

// add returns the number of a type. Those of a record's fields are types, too.
func (t *serverTypes) add(r signature.Ref) int {
	r.Unique = false
	name := r.String()
	if i, ok := t.index[name]; ok {
		return i
	}
	i := len(t.list)
	t.index[name] = i
	t.list = append(t.list, r)
	if r.Opaque != "" {
		for _, f := range t.a.typ(r).Fields {
			t.add(f.Type)
		}
	}
	return i
}

func (t *serverTypes) table() string {
	var parts, types strings.Builder
	types.WriteString("static const struct memc_s_type memc_s_types[] = {\n")
	for i, r := range t.list {
		list := t.a.in.Parts(r)
		fmt.Fprintf(&parts, "static const struct memc_f_part memc_s_parts_%d[] = {", i)
		for _, p := range list {
			fmt.Fprintf(&parts, "{%s, %d}, ", constPrim(p.Prim), p.Rank)
		}
		parts.WriteString("{0, 0}};\n")
		kind, elem, fields := "opaque", "NULL", []signature.Field(nil)
		switch {
		case r.Unit:
		case r.Opaque == "" && r.Part.Rank == 0:
			kind = "scalar"
		case r.Opaque == "":
			kind, elem = "array", opencl.Quote(r.Part.Prim.String())
		case t.a.typ(r).Kind == signature.Record:
			kind, fields = "record", t.a.typ(r).Fields
		case t.a.typ(r).Kind == signature.Sum:
			kind = "sum"
		}
		fmt.Fprintf(&parts, "static const struct memc_s_field memc_s_fields_%d[] = {", i)
		for _, f := range fields {
			fmt.Fprintf(&parts, "{%s, %d}, ", opencl.Quote(f.Name), t.add(f.Type))
		}
		parts.WriteString("{NULL, 0}};\n")
		fmt.Fprintf(&types, "  {{%s, %d, memc_s_parts_%d}, %s, %s, %d, memc_s_fields_%d},\n",
			opencl.Quote(r.String()), len(list), i, opencl.Quote(kind), elem, len(fields), i)
	}
	types.WriteString("  {{NULL, 0, NULL}, NULL, NULL, 0, NULL}\n};\n")
	return parts.String() + types.String()
}
