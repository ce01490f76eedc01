package futharkapi

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/codegen/imp"
	"github.com/memc-lang/memc/internal/base/signature"
	"github.com/memc-lang/memc/ir"
)

// A signature that does not fit the program, or that C has no names for, is refused.
func TestPlan(t *testing.T) {
	f32 := signature.Ref{Part: signature.Part{Prim: ir.F32}}
	f32s := signature.Ref{Part: signature.Part{Prim: ir.F32, Rank: 1}}
	p := &imp.Program{Entries: []*imp.Entry{{
		Name: "main", Params: []imp.EntryParam{{Name: "x", Prim: ir.F32}},
		Results: []imp.EntryResult{{Name: "n", Prim: ir.I64, Size: true}, {Prim: ir.F32, Array: true, Rank: 1}},
	}}}
	entry := func() *signature.Entry {
		return &signature.Entry{Name: "main", Func: "main", Inputs: []signature.Input{{Name: "x", Type: f32}}, Outputs: []signature.Ref{f32s}}
	}
	a, err := New(p, &signature.Interface{Entries: []*signature.Entry{entry()}})
	if err != nil || len(a.entries[0].outputs) != 1 || a.entries[0].outputs[0][0] != 1 {
		t.Fatalf("%v, %+v", err, a)
	}
	own, err := New(p, nil)
	if err != nil || len(own.in.Entries[0].Outputs) != 1 || own.in.Entries[0].Outputs[0] != f32s {
		t.Fatalf("%v, %+v", err, own)
	}
	record := func(name string) *signature.Type { return &signature.Type{Name: name, Kind: signature.Record} }
	for want, spoil := range map[string]func(in *signature.Interface){
		"no entry `other`":              func(in *signature.Interface) { in.Entries[0].Func = "other" },
		"its parameters do not fit":     func(in *signature.Interface) { in.Entries[0].Inputs[0].Type = f32s },
		"1 parameters, its signature 0": func(in *signature.Interface) { in.Entries[0].Inputs = nil },
		"its results do not fit":        func(in *signature.Interface) { in.Entries[0].Outputs[0] = f32 },
		"more results than":             func(in *signature.Interface) { in.Entries[0].Outputs = nil },
		"have the same name in C, futhark_opaque_a_b": func(in *signature.Interface) {
			in.Types = []*signature.Type{record("a.b"), record("a_b")}
		},
		"have the same name in C, futhark_entry_azq": func(in *signature.Interface) {
			e, f := entry(), entry()
			e.Name, f.Name = "a'", "azq"
			in.Entries = []*signature.Entry{e, f}
		},
		"more than 64 dimensions": func(in *signature.Interface) {
			in.Types = []*signature.Type{{Name: "deep", Parts: []signature.Part{{Prim: ir.F32, Rank: 65}}}}
		},
	} {
		in := &signature.Interface{Entries: []*signature.Entry{entry()}}
		spoil(in)
		if _, err := New(p, in); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
