//go:build cgo

package futharkapi_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// What a reader of manifests in another language expects; a key that is missing
// stays empty, and one that is not known is an error.
type (
	readManifest struct {
		Backend string                      `json:"backend"`
		Version string                      `json:"version"`
		Entries map[string]readEntry        `json:"entry_points"`
		Types   map[string]*json.RawMessage `json:"types"`
	}
	readEntry struct {
		CFun       *string   `json:"cfun"`
		Tuning     *[]string `json:"tuning_params"`
		Attributes *[]string `json:"attributes"`
		Outputs    *[]struct {
			Type   string `json:"type"`
			Unique *bool  `json:"unique"`
		} `json:"outputs"`
		Inputs *[]struct {
			Name   string `json:"name"`
			Type   string `json:"type"`
			Unique *bool  `json:"unique"`
		} `json:"inputs"`
	}
	readType struct {
		Kind     string            `json:"kind"`
		CType    string            `json:"ctype"`
		Rank     int               `json:"rank"`
		ElemType string            `json:"elemtype"`
		Ops      map[string]string `json:"ops"`
		Record   *readFields       `json:"record"`
		Sum      *struct {
			Variant  string `json:"variant"`
			Variants []struct {
				Name      string   `json:"name"`
				Construct string   `json:"construct"`
				Destruct  string   `json:"destruct"`
				Payload   []string `json:"payload"`
			} `json:"variants"`
		} `json:"sum"`
		Array       *readFields `json:"opaque_array"`
		RecordArray *readFields `json:"record_array"`
	}
	readFields struct {
		Rank     int    `json:"rank"`
		ElemType string `json:"elemtype"`
		New      string `json:"new"`
		Set      string `json:"set"`
		Index    string `json:"index"`
		Shape    string `json:"shape"`
		Zip      string `json:"zip"`
		Fields   []struct {
			Name    string `json:"name"`
			Type    string `json:"type"`
			Project string `json:"project"`
		} `json:"fields"`
	}
)

func strict(t *testing.T, data []byte, into any) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
}

var scalarTypes = regexp.MustCompile(`^([iu](8|16|32|64)|f(16|32|64)|bool)$`)

// A binding sees nothing but the manifest. This test is one: from the manifest alone
// it writes a C program that takes the address of every function with the type that
// the manifest gives it, and compiles that against the header.
func TestManifest(t *testing.T) {
	for _, file := range []string{"values.ir", "opaque_entries.fut_gpu_mem", "sums.fut_gpu_mem"} {
		t.Run(file, func(t *testing.T) {
			base := strings.TrimSuffix(file, filepath.Ext(file))
			dir := generate(t, file, true)
			data := must.Get(os.ReadFile(filepath.Join(dir, base+".json")))(t)
			b := &binding{t: t, types: map[string]*readType{}, named: map[string]bool{}}
			b.manifest(data)
			program := fmt.Sprintf("#include \"%s.h\"\nint main(void)\n{\n%s  return 0;\n}\n", base, b.String())
			user := filepath.Join(dir, "user.c")
			must.Do(t, os.WriteFile(user, []byte(program), 0o644))
			prog := build(t, dir, "user", user, filepath.Join(dir, base+".c"))
			if out, errs, code := run(t, dir, "", prog); code != 0 {
				t.Errorf("exit code %d: %s%s", code, out, errs)
			}
			header := must.Get(os.ReadFile(filepath.Join(dir, base+".h")))(t)
			for _, m := range regexp.MustCompile(`(futhark_\w+)\(`).FindAllStringSubmatch(string(header), -1) {
				name := m[1]
				general := strings.HasPrefix(name, "futhark_context_") || strings.HasPrefix(name, "futhark_get_") || strings.HasPrefix(name, "futhark_tuning_")
				if !general && !b.named[name] {
					t.Errorf("the header has %s, the manifest has not", name)
				}
			}
		})
	}
}

// A binding collects uses of the functions of a manifest.
type binding struct {
	strings.Builder
	t     *testing.T
	types map[string]*readType
	named map[string]bool
}

// use takes the address of a function of the given type.
func (b *binding) use(result, name string, params ...string) {
	b.t.Helper()
	if name == "" || b.named[name] {
		b.t.Errorf("a function is called %q", name)
	}
	b.named[name] = true
	params = append([]string{"struct futhark_context *"}, params...)
	fmt.Fprintf(b, "  { %s (*f)(%s) = %s; if (!f) return 1; }\n", result, strings.Join(params, ", "), name)
}

func (b *binding) in(typ string) string {
	if t := b.types[typ]; t != nil {
		return "const " + t.CType
	}
	return b.scalar(typ)
}

func (b *binding) out(typ string) string {
	if t := b.types[typ]; t != nil {
		return t.CType + "*"
	}
	return b.scalar(typ) + " *"
}

func (b *binding) scalar(typ string) string {
	if !scalarTypes.MatchString(typ) {
		b.t.Fatalf("there is no type %q", typ)
	}
	switch typ {
	case "bool":
		return "bool"
	case "f16":
		return "uint16_t"
	case "f32":
		return "float"
	case "f64":
		return "double"
	}
	if typ[0] == 'u' {
		return "uint" + typ[1:] + "_t"
	}
	return "int" + typ[1:] + "_t"
}

func dims(rank int) []string {
	list := make([]string, rank)
	for i := range list {
		list[i] = "int64_t"
	}
	return list
}

func (b *binding) manifest(data []byte) {
	var m readManifest
	strict(b.t, data, &m)
	if m.Backend != "opencl" || m.Version == "" || len(m.Entries) == 0 {
		b.t.Fatalf("backend %q, version %q, %d entries", m.Backend, m.Version, len(m.Entries))
	}
	for name, raw := range m.Types {
		var t readType
		strict(b.t, *raw, &t)
		b.types[name] = &t
	}
	for name, t := range b.types {
		b.typ(name, t)
	}
	for name, e := range m.Entries {
		if e.CFun == nil || e.Tuning == nil || e.Attributes == nil || e.Outputs == nil || e.Inputs == nil {
			b.t.Fatalf("the entry %s lacks a key", name)
		}
		var params []string
		for _, o := range *e.Outputs {
			if o.Unique == nil {
				b.t.Errorf("a result of %s lacks a key", name)
			}
			params = append(params, b.out(o.Type))
		}
		for _, i := range *e.Inputs {
			if i.Unique == nil || i.Name == "" {
				b.t.Errorf("an argument of %s lacks a key", name)
			}
			params = append(params, b.in(i.Type))
		}
		b.use("int", *e.CFun, params...)
	}
}

func (b *binding) typ(name string, t *readType) {
	switch t.Kind {
	case "array":
		elem := b.scalar(t.ElemType)
		if name != strings.Repeat("[]", t.Rank)+t.ElemType || len(t.Ops) != 7 {
			b.t.Errorf("the array type %q is %+v", name, t)
		}
		b.use(t.CType, t.Ops["new"], append([]string{"const " + elem + " *"}, dims(t.Rank)...)...)
		b.use(t.CType, t.Ops["new_raw"], append([]string{"cl_mem"}, dims(t.Rank)...)...)
		b.use("int", t.Ops["free"], t.CType)
		b.use("int", t.Ops["values"], t.CType, elem+" *")
		b.use("cl_mem", t.Ops["values_raw"], t.CType)
		b.use("int", t.Ops["index"], append([]string{elem + " *", t.CType}, dims(t.Rank)...)...)
		b.use("const int64_t *", t.Ops["shape"], t.CType)
	case "opaque":
		if len(t.Ops) != 3 {
			b.t.Errorf("the type %q has the operations %v", name, t.Ops)
		}
		b.use("int", t.Ops["free"], t.CType)
		b.use("int", t.Ops["store"], "const "+t.CType, "void **", "size_t *")
		b.use(t.CType, t.Ops["restore"], "const void *")
		b.extra(t)
	default:
		b.t.Errorf("the type %q is of kind %q", name, t.Kind)
	}
}

// extra: what records, sums and arrays of them have besides.
func (b *binding) extra(t *readType) {
	fields := func(f *readFields) (params []string) {
		params = []string{t.CType + "*"}
		for _, x := range f.Fields {
			b.use("int", x.Project, b.out(x.Type), "const "+t.CType)
			params = append(params, b.in(x.Type))
		}
		return params
	}
	array := func(f *readFields) {
		elem := b.types[f.ElemType].CType
		b.use("int", f.Index, append([]string{elem + "*", t.CType}, dims(f.Rank)...)...)
		b.use("const int64_t *", f.Shape, t.CType)
		b.use("int", f.New, append([]string{t.CType + "*", elem + "*"}, dims(f.Rank)...)...)
		b.use("int", f.Set, append([]string{t.CType, elem}, dims(f.Rank)...)...)
	}
	switch {
	case t.Record != nil:
		b.use("int", t.Record.New, fields(t.Record)...)
	case t.Sum != nil:
		b.use("int", t.Sum.Variant, "const "+t.CType)
		for _, v := range t.Sum.Variants {
			params, into := []string{t.CType + "*"}, []string{}
			for _, p := range v.Payload {
				params, into = append(params, b.in(p)), append(into, b.out(p))
			}
			b.use("int", v.Construct, params...)
			b.use("int", v.Destruct, append(into, "const "+t.CType)...)
		}
	case t.RecordArray != nil:
		b.use("int", t.RecordArray.Zip, fields(t.RecordArray)...)
		array(t.RecordArray)
	case t.Array != nil:
		array(t.Array)
	}
}
