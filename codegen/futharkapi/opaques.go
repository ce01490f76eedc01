package futharkapi

import (
	"fmt"
	"strings"

	"github.com/memc-lang/memc/codegen/opencl"
	"github.com/memc-lang/memc/internal/base/signature"
)

// A member is a function of an opaque type with what its body says.
type member struct {
	function
	body string
}

// guarded returns the body with its guards in front: C99 allows these after declarations.
func (m member) guarded() string { return m.guards() + m.body }

func (a *API) opaqueFunctions(t *signature.Type) []function {
	var fs []function
	for _, m := range a.members(t) {
		fs = append(fs, m.function)
	}
	return fs
}

// members returns the functions of a type, in the order of the header.
func (a *API) members(t *signature.Type) []member {
	ms := a.common(t)
	switch t.Kind {
	case signature.Record:
		ms = append(ms, a.projections(t)...)
		ms = append(ms, a.build(t, "futhark_new_"+opaqueName(t.Name), ""))
	case signature.Sum:
		for i, v := range t.Variants {
			ms = append(ms, a.construct(t, i, v), a.destruct(t, i, v))
		}
		ms = append(ms, a.variant(t))
	case signature.RecordArray:
		ms = append(ms, a.projections(t)...)
		check := fmt.Sprintf("memc_f_same_shape(&ctx->rt, %s, part, %d)", a.descriptor(t), t.Rank)
		ms = append(ms, a.build(t, "futhark_zip_"+opaqueName(t.Name), check))
		ms = append(ms, a.elements(t)...)
	case signature.Array:
		ms = append(ms, a.elements(t)...)
	}
	return ms
}

// descriptor names the table that describes a type to c/opaque.c.
func (a *API) descriptor(t *signature.Type) string {
	return fmt.Sprintf("&memc_f_types[%d]", a.types[t.Name])
}

func structName(t *signature.Type) string { return "struct futhark_" + opaqueName(t.Name) }

func (a *API) common(t *signature.Type) []member {
	s, n := structName(t), opaqueName(t.Name)
	return []member{
		{function{result: "int ", name: "futhark_free_" + n, params: []string{s + " *obj"}},
			"  return memc_f_free_opaque(ctx, obj ? &obj->rt : NULL);\n"},
		{function{result: "int ", name: "futhark_store_" + n, params: []string{"const " + s + " *obj", "void **p", "size_t *n"}, outs: []string{"n"}},
			"  return memc_f_store(ctx, &obj->rt, p, n);\n"},
		{function{result: s + " *", name: "futhark_restore_" + n, params: []string{"const void *p"}},
			fmt.Sprintf("  return (%s *)memc_f_restore(ctx, %s, p);\n", s, a.descriptor(t))},
	}
}

// projections: a field of a record, or the array of a field of an array of
// records.
func (a *API) projections(t *signature.Type) []member {
	var ms []member
	at := 0
	for _, f := range t.Fields {
		n := len(a.in.Parts(f.Type))
		slots := make([]int, n)
		for i := range slots {
			slots[i] = at + i
		}
		at += n
		ms = append(ms, member{
			function{result: "int ", name: "futhark_project_" + opaqueName(t.Name) + "_" + memberName(t, f.Name),
				params: []string{outParam(f.Type, "out"), "const " + structName(t) + " *obj"}, outs: []string{"out"}},
			"  int err = MEMC_OK;\n  memc_f_lock(ctx);\n" + a.extract(t, f.Type, slots, "out") + "  memc_f_unlock(ctx);\n  return err;\n",
		})
	}
	return ms
}

// extract writes what sets *out to the value that some parts of obj hold, and err.
func (a *API) extract(t *signature.Type, r signature.Ref, slots []int, out string) string {
	switch {
	case r.Unit:
		return fmt.Sprintf("  (void)obj;\n  *%s = false;\n", out)
	case r.Opaque != "":
		var b strings.Builder
		e := a.typ(r)
		fmt.Fprintf(&b, "  if (err == MEMC_OK) {\n    union memc_slot part[%d];\n    struct memc_f_opaque *made = NULL;\n", max(1, len(slots)))
		for i, k := range slots {
			fmt.Fprintf(&b, "    part[%d] = obj->rt.slot[%d];\n", i, k)
		}
		if len(slots) == 0 {
			b.WriteString("    (void)obj;\n    memset(part, 0, sizeof part);\n")
		}
		fmt.Fprintf(&b, "    if ((err = memc_f_build(ctx, %s, part, &made)) == MEMC_OK)\n      *%s = (%s *)made;\n  }\n",
			a.descriptor(e), out, structName(e))
		return b.String()
	case r.Part.Rank > 0:
		return fmt.Sprintf(`  if (err == MEMC_OK) {
    union memc_slot made;
    made.array = NULL;
    if ((err = memc_f_share(&ctx->rt, &%s.part[%d], &made, &obj->rt.slot[%d])) == MEMC_OK)
      *%s = (%s *)made.array;
  }
`, strings.TrimPrefix(a.descriptor(t), "&"), slots[0], slots[0], out, structOf(r))
	}
	return fmt.Sprintf("  *%s = obj->rt.slot[%d].scalar.%s;\n", out, slots[0], field(r.Part.Prim))
}

// fill writes what puts the value of a parameter into slots of part; err says
// whether that went well so far.
func (a *API) fill(r signature.Ref, slots []int, name string) string {
	switch {
	case r.Unit:
		return fmt.Sprintf("  (void)%s;\n", name)
	case r.Opaque != "":
		e := a.typ(r)
		var b strings.Builder
		fmt.Fprintf(&b, "  if (err == MEMC_OK && %s == NULL)\n    err = memc_f_missing(&ctx->rt, %s);\n", name, a.descriptor(e))
		for i, k := range slots {
			fmt.Fprintf(&b, "  if (err == MEMC_OK)\n    part[%d] = %s->rt.slot[%d];\n", k, name, i)
		}
		return b.String()
	case r.Part.Rank > 0:
		return fmt.Sprintf("  part[%d].array = (struct memc_array *)%s;\n", slots[0], name)
	}
	return fmt.Sprintf("  part[%d].scalar.%s = %s;\n", slots[0], field(r.Part.Prim), name)
}

// build makes a value of its fields. check is one more condition, "" for none.
func (a *API) build(t *signature.Type, name, check string) member {
	f := function{result: "int ", name: name, params: []string{structName(t) + " **out"}, outs: []string{"out"}}
	body := a.buildHead(t)
	at := 0
	for _, fd := range t.Fields {
		n := len(a.in.Parts(fd.Type))
		slots := make([]int, n)
		for i := range slots {
			slots[i] = at + i
		}
		at += n
		param := fieldParam(fd.Name)
		f.params = append(f.params, inParam(fd.Type, param))
		body += a.fill(fd.Type, slots, param)
	}
	if check != "" {
		body += "  if (err == MEMC_OK)\n    err = " + check + ";\n"
	}
	return member{f, body + a.buildTail(t)}
}

func (a *API) buildHead(t *signature.Type) string {
	return fmt.Sprintf("  union memc_slot part[%d];\n  struct memc_f_opaque *made = NULL;\n  int err = MEMC_OK;\n"+
		"  memset(part, 0, sizeof part);\n  memc_f_lock(ctx);\n", max(1, len(t.Parts)))
}

func (a *API) buildTail(t *signature.Type) string {
	return fmt.Sprintf("  if (err == MEMC_OK && (err = memc_f_build(ctx, %s, part, &made)) == MEMC_OK)\n    *out = (%s *)made;\n"+
		"  memc_f_unlock(ctx);\n  return err;\n", a.descriptor(t), structName(t))
}

// fieldParam names a parameter after a field: v0 for 0, f_x for x.
func fieldParam(name string) string {
	if strings.Trim(name, "0123456789") == "" {
		return "v" + name
	}
	return "f_" + zEncode(name)
}

// construct makes a value of a variant. Arrays that the variant does not hold are
// empty.
func (a *API) construct(t *signature.Type, i int, v signature.Variant) member {
	f := function{result: "int ", name: "futhark_new_" + opaqueName(t.Name) + "_" + memberName(t, v.Name), params: []string{structName(t) + " **out"}, outs: []string{"out"}}
	body := a.buildHead(t) + fmt.Sprintf("  part[0].scalar.%s = %d;\n", field(t.Parts[0].Prim), i)
	used := map[int]bool{}
	for j, p := range v.Payload {
		name := fmt.Sprintf("v%d", j)
		f.params = append(f.params, inParam(p.Type, name))
		body += a.fill(p.Type, p.Parts, name)
		for _, k := range p.Parts {
			used[k] = true
		}
	}
	free := ""
	for k, p := range t.Parts {
		if p.Rank == 0 || used[k] {
			continue
		}
		body += fmt.Sprintf("  if (err == MEMC_OK) {\n    static const int64_t none[%d];\n    part[%d].array = memc_array_new(&ctx->rt, NULL, %s, %d, none);\n"+
			"    err = part[%d].array ? MEMC_OK : MEMC_NO_MEMORY;\n  }\n", p.Rank, k, constPrim(p.Prim), p.Rank, k)
		free += fmt.Sprintf("  memc_array_free(&ctx->rt, part[%d].array);\n", k)
	}
	tail := a.buildTail(t)
	return member{f, body + strings.Replace(tail, "  memc_f_unlock(ctx);\n", free+"  memc_f_unlock(ctx);\n", 1)}
}

// destruct takes a value of a variant apart.
func (a *API) destruct(t *signature.Type, i int, v signature.Variant) member {
	f := function{result: "int ", name: "futhark_destruct_" + opaqueName(t.Name) + "_" + memberName(t, v.Name)}
	body := fmt.Sprintf(`  int err = MEMC_OK;
  memc_f_lock(ctx);
  if (obj->rt.slot[0].scalar.%s != %d)
    err = memc_fail(&ctx->rt, MEMC_FAULT, "error: the value is no %%s", %s);
`, field(t.Parts[0].Prim), i, opencl.Quote(v.Name))
	for j, p := range v.Payload {
		name := fmt.Sprintf("v%d", j)
		f.params = append(f.params, outParam(p.Type, name))
		f.outs = append(f.outs, name)
		text := a.extract(t, p.Type, p.Parts, name)
		if structOf(p.Type) == "" && !p.Type.Unit {
			text = "  if (err == MEMC_OK)\n  " + text
		}
		body += text
	}
	f.params = append(f.params, "const "+structName(t)+" *obj")
	return member{f, body + "  memc_f_unlock(ctx);\n  return err;\n"}
}

func (a *API) variant(t *signature.Type) member {
	return member{
		function{result: "int ", name: "futhark_variant_" + opaqueName(t.Name), params: []string{"const " + structName(t) + " *v"}},
		fmt.Sprintf("  (void)ctx;\n  return (int)v->rt.slot[0].scalar.%s;\n", field(t.Parts[0].Prim)),
	}
}

// elements: the functions of arrays of opaque values.
func (a *API) elements(t *signature.Type) []member {
	s, n, r := structName(t), opaqueName(t.Name), t.Rank
	e := a.in.Types[a.types[t.Elem]]
	index := "  const int64_t index[] = " + indexValues("i", r) + ";\n"
	return []member{
		{function{result: "int ", name: "futhark_index_" + n, params: append([]string{structName(e) + " **out", s + " *arr"}, indexParams("i", r)...), outs: []string{"out"}},
			index + fmt.Sprintf("  struct memc_f_opaque *made = NULL;\n  const int err = memc_f_get(ctx, &arr->rt, %d, index, %s, &made);\n"+
				"  if (err == MEMC_OK)\n    *out = (%s *)made;\n  return err;\n", r, a.descriptor(e), structName(e))},
		{function{result: "const int64_t *", name: "futhark_shape_" + n, params: []string{s + " *arr"}},
			"  (void)ctx;\n  return memc_f_shape(&arr->rt);\n"},
		{function{result: "int ", name: "futhark_new_" + n, params: append([]string{s + " **out", structName(e) + " **elems"}, indexParams("dim", r)...), outs: []string{"out"}},
			"  const int64_t dims[] = " + indexValues("dim", r) + ";\n" +
				fmt.Sprintf("  struct memc_f_opaque *made = NULL;\n  const int err = memc_f_of_elements(ctx, %s, %d, dims, (void *)elems, &made);\n"+
					"  if (err == MEMC_OK)\n    *out = (%s *)made;\n  return err;\n", a.descriptor(t), r, s)},
		{function{result: "int ", name: "futhark_set_" + n, params: append([]string{s + " *arr", structName(e) + " *elem"}, indexParams("i", r)...)},
			index + fmt.Sprintf("  return memc_f_set(ctx, &arr->rt, %d, index, &elem->rt);\n", r)},
	}
}

// writeOpaques defines the opaque types and their functions.
func (a *API) writeOpaques(b *strings.Builder) {
	for i, t := range a.in.Types {
		fmt.Fprintf(b, "\nstatic const struct memc_f_part memc_f_parts_%d[] = {", i)
		for _, p := range t.Parts {
			fmt.Fprintf(b, "{%s, %d}, ", constPrim(p.Prim), p.Rank)
		}
		b.WriteString("{0, 0}};\n")
	}
	b.WriteString("\nstatic MEMC_UNUSED const struct memc_f_type memc_f_types[] = {\n")
	for i, t := range a.in.Types {
		fmt.Fprintf(b, "  {%s, %d, memc_f_parts_%d},\n", opencl.Quote(t.Name), len(t.Parts), i)
	}
	b.WriteString("  {NULL, 0, NULL}\n};\n\n")
	for _, t := range a.in.Types {
		fmt.Fprintf(b, "%s { struct memc_f_opaque rt; };\n", structName(t))
	}
	for _, t := range a.in.Types {
		for _, m := range a.members(t) {
			fmt.Fprintf(b, "\n%s\n{\n%s}\n", m.proto(), m.guarded())
		}
	}
}
