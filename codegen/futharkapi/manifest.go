package futharkapi

import (
	"bytes"
	"encoding/json"

	"github.com/memc-lang/memc/internal/base/release"
	"github.com/memc-lang/memc/internal/base/signature"
)

// Version is what a manifest gives as the version of the compiler: that of the
// release whose API is offered.
const Version = "0.25.37 (" + release.Name + ")"

// The manifest, as Futhark's user guide describes it. Maps are written in the
// order of their keys.
type (
	manifest struct {
		Backend string                   `json:"backend"`
		Version string                   `json:"version"`
		Entries map[string]manifestEntry `json:"entry_points"`
		Types   map[string]manifestType  `json:"types"`
	}
	manifestEntry struct {
		CFun       string           `json:"cfun"`
		Tuning     []string         `json:"tuning_params"`
		Outputs    []manifestOutput `json:"outputs"`
		Inputs     []manifestInput  `json:"inputs"`
		Attributes []string         `json:"attributes"`
	}
	manifestOutput struct {
		Type   string `json:"type"`
		Unique bool   `json:"unique"`
	}
	manifestInput struct {
		Name   string `json:"name"`
		Type   string `json:"type"`
		Unique bool   `json:"unique"`
	}
	manifestType struct {
		Kind        string            `json:"kind"` // array or opaque
		CType       string            `json:"ctype"`
		Rank        int               `json:"rank,omitempty"`
		ElemType    string            `json:"elemtype,omitempty"`
		Ops         map[string]string `json:"ops"`
		Record      *manifestRecord   `json:"record,omitempty"`
		Sum         *manifestSum      `json:"sum,omitempty"`
		Array       *manifestArray    `json:"opaque_array,omitempty"`
		RecordArray *manifestArray    `json:"record_array,omitempty"`
	}
	manifestRecord struct {
		New    string          `json:"new"`
		Fields []manifestField `json:"fields"`
	}
	manifestField struct {
		Name    string `json:"name"`
		Type    string `json:"type"`
		Project string `json:"project"`
	}
	manifestSum struct {
		Variant  string            `json:"variant"`
		Variants []manifestVariant `json:"variants"`
	}
	manifestVariant struct {
		Name      string   `json:"name"`
		Construct string   `json:"construct"`
		Destruct  string   `json:"destruct"`
		Payload   []string `json:"payload"`
	}
	manifestArray struct {
		Rank     int             `json:"rank"`
		ElemType string          `json:"elemtype"`
		Index    string          `json:"index"`
		Shape    string          `json:"shape"`
		New      string          `json:"new"`
		Set      string          `json:"set"`
		Zip      string          `json:"zip,omitempty"`
		Fields   []manifestField `json:"fields,omitempty"`
	}
)

// Manifest returns the description of the API as JSON.
func (a *API) Manifest() (string, error) {
	backend := "opencl"
	if a.tasks {
		backend = "multicore"
	}
	m := manifest{Backend: backend, Version: Version, Entries: map[string]manifestEntry{}, Types: map[string]manifestType{}}
	for _, t := range a.arrays {
		m.Types[t.String()] = manifestType{
			Kind: "array", CType: "struct futhark_" + arrayName(t) + " *", Rank: t.Rank, ElemType: t.Prim.String(), Ops: arrayOps(t),
		}
	}
	for _, t := range a.in.Types {
		m.Types[t.Name] = a.manifestOf(t)
	}
	for _, e := range a.entries {
		me := manifestEntry{
			CFun: a.entryFunction(e).name, Tuning: []string{}, Outputs: []manifestOutput{}, Inputs: []manifestInput{},
			Attributes: append([]string{}, e.Attributes...),
		}
		for _, k := range e.Tuning {
			me.Tuning = append(me.Tuning, a.in.Tuning[k].Name)
		}
		for _, o := range e.Outputs {
			me.Outputs = append(me.Outputs, manifestOutput{o.String(), o.Unique})
		}
		for _, i := range e.Inputs {
			me.Inputs = append(me.Inputs, manifestInput{i.Name, i.Type.String(), i.Type.Unique})
		}
		m.Entries[e.Name] = me
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(m)
	return b.String(), err
}

func (a *API) manifestOf(t *signature.Type) manifestType {
	n := opaqueName(t.Name)
	m := manifestType{
		Kind: "opaque", CType: "struct futhark_" + n + " *",
		Ops: map[string]string{"free": "futhark_free_" + n, "store": "futhark_store_" + n, "restore": "futhark_restore_" + n},
	}
	fields := []manifestField{}
	for _, f := range t.Fields {
		fields = append(fields, manifestField{f.Name, f.Type.String(), "futhark_project_" + n + "_" + memberName(t, f.Name)})
	}
	elements := &manifestArray{
		Rank: t.Rank, ElemType: t.Elem, Index: "futhark_index_" + n, Shape: "futhark_shape_" + n, New: "futhark_new_" + n, Set: "futhark_set_" + n,
	}
	switch t.Kind {
	case signature.Record:
		m.Record = &manifestRecord{"futhark_new_" + n, fields}
	case signature.Sum:
		m.Sum = &manifestSum{Variant: "futhark_variant_" + n, Variants: []manifestVariant{}}
		for _, v := range t.Variants {
			mv := manifestVariant{
				Name: v.Name, Payload: []string{},
				Construct: "futhark_new_" + n + "_" + memberName(t, v.Name), Destruct: "futhark_destruct_" + n + "_" + memberName(t, v.Name),
			}
			for _, p := range v.Payload {
				mv.Payload = append(mv.Payload, p.Type.String())
			}
			m.Sum.Variants = append(m.Sum.Variants, mv)
		}
	case signature.Array:
		m.Array = elements
	case signature.RecordArray:
		elements.Zip, elements.Fields = "futhark_zip_"+n, fields
		m.RecordArray = elements
	}
	return m
}
