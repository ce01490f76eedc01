package signature

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
)

var (
	f32  = Part{Prim: ir.F32}
	f32s = Part{Prim: ir.F32, Rank: 1}
	i8   = Part{Prim: ir.I8}
)

func points() *Interface {
	return &Interface{
		Types: []*Type{
			{Name: "point", Kind: Record, Parts: []Part{f32, f32}, Fields: []Field{{"x", Ref{Part: f32}}, {"y", Ref{Part: f32}}}},
			{Name: "[]point", Kind: RecordArray, Elem: "point", Rank: 1, Parts: []Part{f32s, f32s}, Fields: []Field{{"x", Ref{Part: f32s}}, {"y", Ref{Part: f32s}}}},
			{Name: "shape", Kind: Sum, Parts: []Part{i8, f32, f32}, Variants: []Variant{
				{"at", []Payload{{Ref{Opaque: "point"}, []int{1, 2}}}}, {"none", nil}, {"nothing", []Payload{{Ref{Unit: true}, nil}}},
			}},
		},
		Entries: []*Entry{{Name: "main", Func: "main", Inputs: []Input{{"p", Ref{Opaque: "point"}}}, Outputs: []Ref{{Part: f32s}}, Tuning: []int{0}}},
		Tuning:  []Tuning{{"main.size", "grid_size"}},
	}
}

func TestCheck(t *testing.T) {
	must.Do(t, points().Check())
	for _, c := range []struct {
		want  string
		spoil func(in *Interface)
	}{
		{"its fields have the parts [f32 f32]", func(in *Interface) { in.Types[0].Parts = []Part{f32} }},
		{`the type "point" of its elements is not defined`, func(in *Interface) { in.Types = in.Types[1:2] }},
		{`0 dimensions of "point"`, func(in *Interface) { in.Types[1].Rank = 0 }},
		{`2 dimensions of "point"`, func(in *Interface) { in.Types[1].Rank = 2 }},
		{"lies in part 3 of 3", func(in *Interface) { in.Types[2].Variants[0].Payload[0].Parts[1] = 3 }},
		{`holds point in the parts [i8 f32]`, func(in *Interface) { in.Types[2].Variants[0].Payload[0].Parts = []int{0, 1} }},
		{"does not say which variant", func(in *Interface) { in.Types[2].Parts[0] = f32 }},
		{`the type "lost" is not defined`, func(in *Interface) { in.Entries[0].Outputs[0] = Ref{Opaque: "lost"} }},
		{`the type "lost" is not defined`, func(in *Interface) { in.Entries[0].Inputs[0].Type = Ref{Opaque: "lost"} }},
		{`the type "lost" is not defined`, func(in *Interface) { in.Types[0].Fields[0].Type = Ref{Opaque: "lost"} }},
		{"no tuning parameter 1", func(in *Interface) { in.Entries[0].Tuning[0] = 1 }},
	} {
		in := points()
		c.spoil(in)
		if err := in.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestText(t *testing.T) {
	for want, r := range map[string]Ref{
		"[][]f32": {Part: Part{Prim: ir.F32, Rank: 2}}, "i8": {Part: i8}, "point": {Opaque: "point"}, "unit": {Unit: true},
	} {
		if r.String() != want {
			t.Errorf("%s, want %s", r, want)
		}
	}
	in := points()
	if n := len(in.Parts(Ref{Opaque: "shape"})); n != 3 {
		t.Errorf("%d parts", n)
	}
	if in.Parts(Ref{Unit: true}) != nil || in.Parts(Ref{Opaque: "lost"}) != nil || len(in.Parts(Ref{Part: f32})) != 1 {
		t.Error("parts of unit, of an unknown type, of a scalar")
	}
}
