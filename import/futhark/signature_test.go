package futhark

import (
	"fmt"
	"math/rand"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/signature"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
)

const signed = `types {
  type "()" = opaque {
    unit
  }
  type "point" = record {
    x: f32
    y: f32
  }
  type "[]point" = record_array 1d "point" {
    x: []f32
    y: []f32
  }
  type "maybe" = sum {
    [i8, unit, f32, f32, []u8]
    #just (opaque "point", [2, 3]) ([]u8, [4])
    #nothing
    #unit (unit, [1])
  }
  type "[][]maybe" = array 2d "maybe" {
    [][]i8
    unit
    [][]f32
    [][]f32
    [][][]u8
  }
  type "(i32, u64)" = record {
    0: i32
    1: u64
  }
}

fun helper (n_1 : i64) : {i64} = {
  let {size_2 : i64} =
    get_size(segmap_tblock_size_9, thread_block_size)
  in {size_2}
}

#[noinline]
entry("a'b", {p: opaque "point", u: opaque "()", xs: *[]u8}, {opaque "(i32, u64)", *[]f32})
  entry_a (x_1 : f32, y_2 : f32) : {i32} = {
  let {ok_3 : bool} =
    cmp_size(suff_outer_par_1, threshold(32, !suff_outer_par_0 suff_x)) <= 3i64
  let {k_4 : i64} =
    apply helper(3i64)
    : {i64}
  let {m_5 : i64} =
    get_size_max(thread_block_size)
  in {1i32}
}

entry("2nd", {}, {i32})
  entry_2nd () : {i32} = {
  let {n_3 : i64} =
    calc_num_tblocks(3i64, segmap_num_tblocks_1, 256i64)
  in {1i32}
}
`

func TestSignature(t *testing.T) {
	// The sum's unit has no part, and the array's neither, so the arrays of it fit.
	in, list := Signature(diag.NewFile("test.fut_gpu_mem", strings.Replace(signed, "    [][]i8\n    unit\n", "    [][]i8\n", 1)))
	if list.Failed() {
		t.Fatal(list)
	}
	var got []string
	for _, ty := range in.Types {
		line := fmt.Sprintf("%s %d %v", ty.Name, ty.Kind, ty.Parts)
		for _, f := range ty.Fields {
			line += fmt.Sprintf(" %s:%s", f.Name, f.Type)
		}
		for _, v := range ty.Variants {
			line += " #" + v.Name
			for _, p := range v.Payload {
				line += fmt.Sprintf(" %s%v", p.Type, p.Parts)
			}
		}
		if ty.Elem != "" {
			line += fmt.Sprintf(" of %d %s", ty.Rank, ty.Elem)
		}
		got = append(got, line)
	}
	for _, e := range in.Entries {
		line := fmt.Sprintf("%s is %s %v", e.Name, e.Func, e.Attributes)
		for _, i := range e.Inputs {
			line += fmt.Sprintf(" %s:%s/%v", i.Name, i.Type, i.Type.Unique)
		}
		for _, o := range e.Outputs {
			line += fmt.Sprintf(" ->%s/%v", o, o.Unique)
		}
		for _, k := range e.Tuning {
			line += fmt.Sprintf(" %s(%s)", in.Tuning[k].Name, in.Tuning[k].Class)
		}
		got = append(got, line)
	}
	want := `() 0 []
point 1 [f32 f32] x:f32 y:f32
[]point 4 [[]f32 []f32] x:[]f32 y:[]f32 of 1 point
maybe 2 [i8 f32 f32 []u8] #just point[1 2] []u8[3] #nothing #unit unit[]
[][]maybe 3 [[][]i8 [][]f32 [][]f32 [][][]u8] of 2 maybe
(i32, u64) 1 [i32 u64] 0:i32 1:u64
a'b is a'b [noinline] p:point/false u:()/false xs:[]u8/true ->(i32, u64)/false ->[]f32/true ` +
		`a'b.suff_outer_par_1(threshold(32, !a'b.suff_outer_par_0 a'b.suff_x)) helper.segmap_tblock_size_9(thread_block_size)
2nd is nd [] ->i32/false 2nd.segmap_num_tblocks_1(grid_size)`
	if g := strings.Join(got, "\n"); g != want {
		t.Errorf("got\n%s\nwant\n%s", g, want)
	}
}

// What does not hang together is refused with a message, never a panic.
func TestSignatureRefused(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`type "point" = record`, `type "pt" = record`, `the type "point" of its elements is not defined`},
		{`p: opaque "point"`, `p: opaque "pt"`, `the type "pt" is not defined`},
		{`x: f32`, `x: opaque "point"`, `contains itself`},
		{`"(i32, u64)" = record`, `"(i32, u64)" = recipe`, `a kind of type`},
		{`1d "point"`, `xd "point"`, `a rank`},
		{`[2, 3]`, `[2, 9]`, `lies in value 9 of 5`},
		{`[2, 3]`, `[2, 4]`, `holds point in the parts`},
		{`x: f32`, `x: complex`, `is not a type of an entry`},
	} {
		in, list := Signature(diag.NewFile("test.fut_gpu_mem", strings.Replace(signed, c.old, c.new, 1)))
		var b strings.Builder
		list.Render(&b, false)
		if !list.Failed() || !strings.Contains(b.String(), c.want) {
			t.Errorf("%s: %v, %s", c.new, in, b.String())
		}
	}
}

// Tokens of dumps are changed: what comes out may be refused, and must not panic.
func TestSignatureMutations(t *testing.T) {
	data := must.Read(t, "../../codegen/futharkapi/testdata/sums.fut_gpu_mem")
	rng := rand.New(rand.NewSource(1))
	refused := 0
	for _, text := range []string{signed, data} {
		toks := lex(diag.NewFile("test.fut_gpu_mem", text))
		for range 1000 {
			a, b := rng.Intn(len(toks)-1), rng.Intn(len(toks)-1)
			changed := mutate(text, toks, a, b, rng.Intn(3) == 0)
			if _, list := Signature(diag.NewFile("test.fut_gpu_mem", changed)); list.Failed() {
				refused++
			}
		}
	}
	if refused < 100 {
		t.Errorf("%d were refused", refused)
	}
}

// A few types within types can be made of very many values.
func TestSignatureParts(t *testing.T) {
	text := "types { type \"t0\" = record { a: f32 }\n"
	for i := 1; i < 60; i++ {
		text += fmt.Sprintf("type \"t%d\" = record { a: opaque \"t%d\" b: opaque \"t%d\" }\n", i, i-1, i-1)
	}
	if _, list := Signature(diag.NewFile("test.fut_gpu_mem", text+"}")); !list.Failed() || !strings.Contains(list.Err().Error(), "more than 10000 values") {
		t.Error(list)
	}
}

// Every sample has a signature that hangs together.
func TestSignatureOfSamples(t *testing.T) {
	files, err := filepath.Glob("../../testdata/futhark/*_mem")
	if err != nil || len(files) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, file := range append(files, "../../codegen/futharkapi/testdata/opaque_entries.fut_gpu_mem") {
		data := must.Read(t, file)
		in, list := Signature(diag.NewFile(file, data))
		if list.Failed() || len(in.Entries) == 0 {
			t.Errorf("%s: %d entries, %v", file, len(in.Entries), list)
		}
		var of []*signature.Type
		for _, ty := range in.Types {
			if ty.Kind == signature.Record {
				of = append(of, ty)
			}
		}
		if strings.Contains(file, "opaque_entries") && len(of) != 5 {
			t.Errorf("%d records", len(of))
		}
	}
}
