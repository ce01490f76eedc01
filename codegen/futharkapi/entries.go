package futharkapi

import (
	"embed"
	"fmt"
	"strings"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/codegen/opencl"
)

//go:embed c/*.c c/cl/*.c c/tasks/*.c
var sources embed.FS

// Defines tells the runtime that Futhark's API has no code for misuse, and the one for OpenCL that
// c/cl/files.c makes the program.
func (a *API) Defines() []string {
	set := []string{"MEMC_MISUSE MEMC_ERROR"}
	if !a.tasks {
		set = append(set, "MEMC_BUILD_FILES")
	}
	if a.Server {
		set = append(set, "MEMC_F_SERVER")
	}
	return set
}

// target names the folder of the parts that are the target's own.
func (a *API) target() string {
	if a.tasks {
		return "tasks/"
	}
	return "cl/"
}

func (a *API) entryFunction(e *entry) function {
	f := function{result: "int ", name: "futhark_entry_" + cName(e.Name)}
	for k, o := range e.Outputs {
		name := fmt.Sprintf("out%d", k)
		f.params = append(f.params, outParam(o, name))
		f.outs = append(f.outs, name)
	}
	for k, i := range e.Inputs {
		f.params = append(f.params, inParam(i.Type, fmt.Sprintf("in%d", k)))
	}
	return f
}

func tuningFunction(e *entry) function {
	return function{result: "const int *", name: "futhark_tuning_params_for_" + cName(e.Name), free: true}
}

// Functions returns the C that implements the header.
func (a *API) Functions(p *imp.Program) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "#define MEMC_F_TUNINGS %d\n\nstatic const struct { const char *name, *kind; } memc_f_tuning[] = {\n", len(a.in.Tuning))
	for _, t := range a.in.Tuning {
		fmt.Fprintf(&b, "  {%s, %s},\n", opencl.Quote(t.Name), opencl.Quote(t.Class))
	}
	b.WriteString("  {NULL, NULL}\n};\n")
	parts := []string{"files", "config", a.target() + "config", "context", "array", a.target() + "raw", "opaque", "elements"}
	if !a.tasks {
		parts = append(parts, "cl/files")
	}
	if err := include(&b, parts...); err != nil {
		return "", err
	}
	a.writeArrays(&b)
	a.writeOpaques(&b)
	for _, e := range a.entries {
		a.writeEntry(&b, e, p.Entries[e.index])
	}
	return b.String(), nil
}

// Main returns main.
func (a *API) Main(p *imp.Program) (string, error) {
	var b strings.Builder
	b.WriteString("/* The entry points: their names in the source, their types, and their index in\n   memc_entries. */\n" +
		"static const struct { const char *name, *type; int entry; } memc_f_entries[] = {\n")
	for _, e := range a.entries {
		fmt.Fprintf(&b, "  {%s, %s, %d},\n", opencl.Quote(e.Name), opencl.Quote(e.text()), e.index)
	}
	b.WriteString("  {NULL, NULL, 0}\n};\n")
	if a.Server {
		text, err := a.server()
		if err != nil {
			return "", err
		}
		b.WriteString("\n" + text)
	}
	err := include(&b, a.target()+"options", "main", a.target()+"main")
	return b.String(), err
}

// text returns the signature in the words of the source: main (xs: []f32) : f32.
func (e *entry) text() string {
	var in, out []string
	for _, i := range e.Inputs {
		in = append(in, i.Name+": "+i.Type.String())
	}
	for _, o := range e.Outputs {
		out = append(out, o.String())
	}
	res := strings.Join(out, ", ")
	if len(out) != 1 {
		res = "(" + res + ")"
	}
	return e.Name + " (" + strings.Join(in, ", ") + ") : " + res
}

func include(b *strings.Builder, parts ...string) error {
	for _, part := range parts {
		text, err := sources.ReadFile("c/" + part + ".c")
		if err != nil {
			return err
		}
		b.WriteByte('\n')
		b.Write(text)
	}
	return nil
}

// writeEntry defines the function of an entry. Arguments go into slots, parts of opaque ones one by
// one; results are collected from slots. Values of opaque types are made before the call, so that
// no step after the call can fail.
func (a *API) writeEntry(b *strings.Builder, e *entry, p *imp.Entry) {
	fmt.Fprintf(b, "\n%s\n{\n  static const int params[] = {", tuningFunction(e).proto())
	for _, k := range e.Tuning {
		fmt.Fprintf(b, "%d, ", k)
	}
	b.WriteString("-1};\n  return params;\n}\n")
	f := a.entryFunction(e)
	fmt.Fprintf(b, "\n%s\n{\n  union memc_slot in[%d], out[%d];\n", f.proto(), max(1, len(p.Params)), max(1, len(p.Results)))
	for k, o := range e.Outputs {
		if o.Opaque != "" {
			fmt.Fprintf(b, "  struct memc_f_opaque *made%d = NULL;\n", k)
		}
	}
	b.WriteString("  int err = MEMC_OK;\n" + f.guards() + "  memset(in, 0, sizeof in);\n  memset(out, 0, sizeof out);\n  memc_f_lock(ctx);\n")
	a.writeInputs(b, e)
	for k, o := range e.Outputs {
		if o.Opaque != "" {
			fmt.Fprintf(b, "  if (err == MEMC_OK)\n    err = memc_f_new(&ctx->rt, %s, &made%d);\n", a.descriptor(a.typ(o)), k)
		}
	}
	fmt.Fprintf(b, "  if (err == MEMC_OK)\n    err = memc_call(&ctx->rt, &memc_entries[%d], out, in);\n  if (err == MEMC_OK) {\n", e.index)
	a.writeOutputs(b, e)
	b.WriteString("  }\n")
	for k, o := range e.Outputs {
		if o.Opaque != "" {
			fmt.Fprintf(b, "  memc_f_drop(&ctx->rt, &made%d);\n", k)
		}
	}
	b.WriteString("  memc_f_unlock(ctx);\n  return err;\n}\n")
}

func (a *API) writeInputs(b *strings.Builder, e *entry) {
	for k, i := range e.Inputs {
		at, r := e.inputs[k], i.Type
		switch {
		case r.Unit:
			fmt.Fprintf(b, "  (void)in%d;\n", k)
		case r.Opaque != "":
			fmt.Fprintf(b, "  if (err == MEMC_OK)\n    err = memc_f_lend(&ctx->rt, (const struct memc_f_opaque *)in%d, %s, in + %d);\n",
				k, a.descriptor(a.typ(r)), at)
		case r.Part.Rank > 0:
			fmt.Fprintf(b, "  in[%d].array = (struct memc_array *)in%d;\n", at, k)
		default:
			fmt.Fprintf(b, "  in[%d].scalar.%s = in%d;\n", at, field(r.Part.Prim), k)
		}
	}
}

func (a *API) writeOutputs(b *strings.Builder, e *entry) {
	for k, r := range e.Outputs {
		slots := e.outputs[k]
		switch {
		case r.Unit:
			fmt.Fprintf(b, "    *out%d = false;\n", k)
		case r.Opaque != "":
			for i, s := range slots {
				fmt.Fprintf(b, "    made%d->slot[%d] = out[%d];\n", k, i, s)
			}
			fmt.Fprintf(b, "    *out%d = (%s *)made%d;\n    made%d = NULL;\n", k, structOf(r), k, k)
		case r.Part.Rank > 0:
			fmt.Fprintf(b, "    *out%d = (%s *)out[%d].array;\n", k, structOf(r), slots[0])
		default:
			fmt.Fprintf(b, "    *out%d = out[%d].scalar.%s;\n", k, slots[0], field(r.Part.Prim))
		}
	}
}
