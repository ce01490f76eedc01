package schema_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/invopop/jsonschema"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/compiler/schema"
	"github.com/memc-lang/memc/internal/run/profile"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/ir/irjson"
	"github.com/memc-lang/memc/runtime"
)

// types are the Go types of the outputs; the schema of programs is irjson's own.
var types = map[string]any{
	"message": diag.Message{}, "remarks": []pipeline.Remark{}, "opt-stats": pipeline.Report{},
	"opt-stats-line": pipeline.Row{}, "run-stats": runtime.Stats{}, "profile": profile.Report{},
}

// TestSchemas compares the files with the Go types.
func TestSchemas(t *testing.T) {
	for _, d := range schema.Docs {
		got := irjson.Schema()
		if d.Name != "program" {
			s := reflector().Reflect(types[d.Name])
			for name, def := range s.Definitions {
				if name == "Stats" {
					optional(def, reflect.TypeFor[runtime.Moved]())
				}
			}
			got = must.Get(json.MarshalIndent(s, "", " "))(t)
			got = append(got, '\n')
		}
		if os.Getenv("MEMC_GOLDEN") != "" {
			must.Do(t, os.WriteFile("schemas/"+d.Name+".json", got, 0o644))
			continue
		}
		want := must.Get(schema.Text(d.Name))(t)
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("%s.json (-file +types); MEMC_GOLDEN=1 rewrites it:\n%s", d.Name, diff)
		}
	}
}

// reflector makes schemas. Fields may be added later, so no object is closed.
func reflector() *jsonschema.Reflector {
	r := &jsonschema.Reflector{Anonymous: true, AllowAdditionalProperties: true}
	r.Mapper = func(t reflect.Type) *jsonschema.Schema {
		if t != reflect.TypeFor[pipeline.FuncReport]() {
			return nil
		}
		inner := &jsonschema.Reflector{Anonymous: true, AllowAdditionalProperties: true, DoNotReference: true}
		s := inner.Reflect(pipeline.FunctionJSON{}) // FuncReport writes itself as one
		s.Version = ""
		return s
	}
	return r
}

// optional takes the fields of a struct that is embedded by a pointer out of those that an object must have.
func optional(s *jsonschema.Schema, embedded reflect.Type) {
	for i := range embedded.NumField() {
		name, _, _ := strings.Cut(embedded.Field(i).Tag.Get("json"), ",")
		s.Required = slices.DeleteFunc(s.Required, func(r string) bool { return r == name })
	}
}
