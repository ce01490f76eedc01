package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/test/must"
)

// asked sends a request as the page does.
func asked(t *testing.T, q request) (a answer) {
	t.Helper()
	text := must.Get(json.Marshal(q))(t)
	must.Do(t, json.Unmarshal([]byte(reply(string(text))), &a))
	return a
}

// Every example of the page has no error, and gives a result for the input that the page shows; memc explains and
// compiles it.
func TestExamples(t *testing.T) {
	for _, path := range examples {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text := string(must.Get(os.ReadFile(filepath.Join("..", "..", path)))(t))
			checked := asked(t, request{Do: "check", Text: text})
			if len(checked.Messages) > 0 || len(checked.Entries) == 0 {
				t.Fatalf("check answers %+v", checked)
			}
			for _, e := range checked.Entries {
				if e.Input == "" {
					t.Errorf("the entry %s has no input", e.Name)
				}
				if a := asked(t, request{Do: "run", Text: text, Entry: e.Name, Input: e.Input}); len(a.Messages) > 0 || !strings.Contains(a.Output, "allocations") {
					t.Errorf("run %s answers %+v", e.Name, a)
				}
			}
			if a := asked(t, request{Do: "explain", Text: text}); !strings.Contains(a.Page, "<h2 id=\"memory-h\">") {
				t.Errorf("explain answers %+v", a.Messages)
			}
			for target, want := range map[string]string{"kernels": "__kernel", "opencl": "clEnqueueNDRangeKernel", "c": "int main("} {
				if a := asked(t, request{Do: "compile", Text: text, Target: target}); !strings.Contains(a.Output, want) {
					t.Errorf("compile to %s does not hold %s: %+v", target, want, a.Messages)
				}
			}
		})
	}
}

// What is wrong is a message with its place, its text and its code.
func TestWrongRequests(t *testing.T) {
	const program = "entry main [n] (xs: [n]i32) : i32 = { in xs[7] }"
	for _, c := range []struct {
		q    request
		want []string
	}{
		{request{Do: "check", Text: "entry main (x: i32) : i32 = {\n  in y }"}, []string{`"code":"E101"`, `"line":2`, "program.ir:2:6: error[E101]: unknown name `y`", `\n      |      ^\n`}},
		{request{Do: "explain", Text: "fun"}, []string{`"code":"E001"`}},
		{request{Do: "compile", Text: "fun"}, []string{`"code":"E001"`}},
		{request{Do: "run", Text: program, Entry: "main", Input: "[1i32]"}, []string{"index 7 is out of bounds", `"line":1`}},
		{request{Do: "run", Text: program, Entry: "main", Input: ""}, []string{"argument"}},
		{request{Do: "run", Text: program, Entry: "main", Input: "[1"}, []string{"input:1:3"}},
		{request{Do: "run", Text: program, Entry: "other"}, []string{"there is no entry `other`"}},
		{request{Do: "code", Text: "E999"}, []string{"there is no code"}},
		{request{Do: "dance"}, []string{"the page asks for"}},
	} {
		text := must.Get(json.Marshal(c.q))(t)
		got := reply(string(text))
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: the answer does not hold %q: %s", text, want, got)
			}
		}
	}
	if got := reply("["); !strings.Contains(got, `"severity":"error"`) {
		t.Errorf("no JSON is answered by %s", got)
	}
	if a := asked(t, request{Do: "code", Text: "e501"}); !strings.Contains(a.Output, "Mended:") {
		t.Errorf("the code E501 is answered by %+v", a)
	}
}
