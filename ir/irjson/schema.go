package irjson

import (
	"encoding/json"
	"reflect"

	"github.com/memc-lang/memc/ir"
)

// Schema returns the JSON Schema (draft 2020-12) of programs.
func Schema() []byte {
	s := &schema{defs: map[string]any{}}
	root := s.of(reflect.TypeFor[ir.Program]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "A program of memc"
	root["$defs"] = s.defs
	text, err := json.MarshalIndent(root, "", " ")
	if err != nil {
		panic(err) // maps, lists and strings
	}
	return append(text, '\n')
}

// A schema collects the definitions of structs and interfaces.
type schema struct{ defs map[string]any }

type object = map[string]any

func (s *schema) of(t reflect.Type) object {
	switch {
	case t == typDim:
		return s.of(typExp)
	case t == typPrim:
		var names []string
		for _, p := range ir.Prims {
			names = append(names, p.String())
		}
		return object{"enum": names}
	case t == typKind:
		return object{"enum": kindNames[1:]}
	}
	switch t.Kind() {
	case reflect.String:
		return object{"type": "string", "pattern": `^[^\r\n]*$`}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int:
		return object{"type": "integer", "minimum": 0}
	case reflect.Pointer:
		return s.of(t.Elem())
	case reflect.Slice:
		return object{"type": "array", "items": s.of(t.Elem())}
	case reflect.Interface:
		return s.union(unionFor(t))
	}
	return s.define(lower(t.Name()), func() object { return s.object(t, "") })
}

// define adds a definition once, and returns a reference to it.
func (s *schema) define(name string, body func() object) object {
	if _, ok := s.defs[name]; !ok {
		s.defs[name] = nil // it may contain itself
		s.defs[name] = body()
	}
	return object{"$ref": "#/$defs/" + name}
}

// union defines one of several kinds. The word "kind" chooses, so that a reader of the schema tries one case of each
// node, not all of them: with oneOf, a check of nested blocks takes time exponential in their depth.
func (s *schema) union(u union) object {
	return s.define(u.name, func() object {
		var cases []any
		for i, t := range u.types {
			this := object{"properties": object{"kind": object{"const": u.kinds[i]}}, "required": []string{"kind"}}
			then := s.define(u.name+"."+u.kinds[i], func() object { return s.object(t, u.kinds[i]) })
			cases = append(cases, object{"if": this, "then": then})
		}
		return object{
			"type": "object", "required": []string{"kind"},
			"properties": object{"kind": object{"enum": u.kinds}}, "allOf": cases,
		}
	})
}

func (s *schema) object(t reflect.Type, kind string) object {
	props, required := object{}, []string{}
	if kind != "" {
		props["kind"], required = object{"const": kind}, []string{"kind"}
	}
	for _, f := range fieldsOf(t) {
		props[f.name] = s.of(f.typ)
		if !f.optional {
			required = append(required, f.name)
		}
	}
	return object{"type": "object", "properties": props, "required": required, "additionalProperties": false}
}
