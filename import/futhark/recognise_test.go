package futhark_test

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/import/futhark"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
)

const small = `entry("main", {}, {i32}) entry_main () : {i32} = {1i32}`

// TestRecognises: a dump is known by its name, or by how it begins.
func TestRecognises(t *testing.T) {
	for _, x := range []struct {
		name, text string
		want       bool
	}{
		{"a.fut_gpu_mem", "", true},
		{"a.fut_seq_mem", "", true},
		{"a.fut_mc_mem", "", true},
		{"a.fut", "", true},
		{"<stdin>", small, true},
		{"<stdin>", "-- a comment\n\n  -- another\r\nname_source {7}\n", true},
		{"a.txt", "\ntypes {\n}\n", true},
		{"<stdin>", "-- a comment", false},
		{"<stdin>", "entry main (x: i32) : i32 = {\n  in x\n}", false},
		{"a.ir", "", false},
	} {
		if got := futhark.Recognises(diag.NewFile(x.name, x.text)); got != x.want {
			t.Errorf("%s %q: %v", x.name, x.text, got)
		}
	}
}

// TestSourceRefused: Futhark's source is refused with what to do.
func TestSourceRefused(t *testing.T) {
	_, list := futhark.Import(diag.NewFile("a.fut", "def main = 1i32\n"))
	if err := list.Err(); diag.ExitCode(err) != diag.ExitLimitation || !strings.Contains(err.Error(), "a.fut:1:1: limitation: Futhark's source language") {
		t.Errorf("%v", err)
	}
}

// TestFunctionNames: an entry keeps its name where memc can have it, other
// functions make way, and two of one name are refused.
func TestFunctionNames(t *testing.T) {
	text := `
		fun main (x_1 : i32) : {i32} = {x_1}
		fun +^_2 (x_3 : i32) : {i32} = {x_3}
		entry("map", {x: i32}, {i32}) entry_map (x_4 : i32) : {i32} = {x_4}
		entry("map_1", {x: i32}, {i32}) entry_map_1 (x_5 : i32) : {i32} = {x_5}
		entry("main", {x: i32}, {i32}) entry_main (x_6 : i32) : {i32} = {x_6}`
	p, list := futhark.Import(diag.NewFile("a.fut_seq_mem", text))
	must.Do(t, list.Err())
	var got []string
	for _, f := range p.Funcs {
		got = append(got, f.Name+"/"+f.Alias)
	}
	if s := strings.Join(got, " "); s != "main_1/ v2/ map_2/map map_1/ main/" {
		t.Errorf("%s", s)
	}
	for name, want := range map[string]string{"map": "map_2", "map_1": "map_1", "main": "main"} {
		if f := p.EntryNamed(name); f == nil || f.Name != want {
			t.Errorf("the entry %s: %v", name, f)
		}
	}
	if f := p.EntryNamed("v2"); f != nil {
		t.Errorf("an entry %s", f.Name)
	}
	for _, twice := range []string{"fun +^_2 (x_9 : i32) : {i32} = {x_9}", `entry("map", {x: i32}, {i32}) other (x_9 : i32) : {i32} = {x_9}`} {
		if _, list := futhark.Import(diag.NewFile("a.fut_seq_mem", text+twice)); !list.Failed() || !strings.Contains(list.Err().Error(), "there are two functions named") {
			t.Errorf("%s: %v", twice, list.Err())
		}
	}
}

// TestEndOfFile: a dump that stops somewhere is refused where it stops.
func TestEndOfFile(t *testing.T) {
	for n := 1; n < len(small); n++ {
		_, list := futhark.Import(diag.NewFile("a.fut_seq_mem", small[:n]+"\n\n"))
		if err := list.Err(); diag.ExitCode(err) != diag.ExitInput || !strings.HasPrefix(err.Error(), "a.fut_seq_mem:1:") {
			t.Errorf("%q: %v", small[:n], err)
		}
	}
}
