package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/memc-lang/memc/internal/compiler/schema"
	"github.com/memc-lang/memc/internal/test/must"
)

// TestSchemas checks what the verbs write as JSON against the schemas, each of which must be used.
func TestSchemas(t *testing.T) {
	const input = "[[0u8, 255u8, 0u8], [9u8, 8u8, 7u8], [255u8, 0u8, 255u8]]"
	used := map[string]bool{}
	for _, c := range []struct {
		schema, command string
		stderr, lines   bool // where the JSON is, and whether each line is one
		code            int
	}{
		{schema: "program", command: "fmt --json ../../parser/testdata/all.ir"},
		{schema: "program", command: "fmt --json ../../examples/canny.ir"},
		{schema: "message", command: "check --messages=json testdata/wrong.ir", stderr: true, lines: true, code: 1},
		{schema: "message", command: "check --messages=json no-file.ir", stderr: true, lines: true, code: 1},
		{schema: "message", command: "check --messages=json --no-flag x", stderr: true, lines: true, code: 2},
		{schema: "remarks", command: "opt --remarks=json -o - ../../examples/canny.ir", stderr: true},
		{schema: "opt-stats", command: "opt --stats=json ../../examples/canny.ir", stderr: true},
		{schema: "opt-stats", command: "opt --stats=json --size=n=100 ../../examples/matmul.ir", stderr: true},
		{schema: "opt-stats", command: "opt --stats=json --passes= ../../examples/canny.ir", stderr: true},
		{schema: "opt-stats", command: "opt --stats=json ../../testdata/groups/turns.ir", stderr: true},
		{schema: "opt-stats-line", command: "opt --stats=json --size=100 ../../examples testdata/wrong.ir", lines: true, code: 1},
		{schema: "run-stats", command: "run --stats=json --device=interp --arg img=" + input + " ../../examples/canny.ir", stderr: true},
		{schema: "run-stats", command: "run --stats=json --arg img=" + input + " ../../examples/canny.ir", stderr: true},
		{schema: "run-stats", command: "run --stats=json --evict --arg img=" + input + " ../../examples/canny.ir", stderr: true},
		{schema: "profile", command: "run --profile=json --arg img=" + input + " ../../examples/canny.ir", stderr: true},
	} {
		t.Run(c.command, func(t *testing.T) {
			var out, messages bytes.Buffer
			args := strings.Split(strings.ReplaceAll(c.command, ", ", ",\x00"), " ")
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "\x00", " ")
			}
			if code := run(args, strings.NewReader(""), &out, &messages); code != c.code {
				t.Fatalf("exit code %d, expected %d:\n%s", code, c.code, messages.String())
			}
			text := out.String()
			if c.stderr {
				text = messages.String()
			}
			texts := []string{text}
			if c.lines {
				texts = strings.Split(strings.TrimSpace(text), "\n")
			}
			s := compiled(t, c.schema)
			for _, text := range texts {
				value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
				if err != nil {
					t.Fatalf("%v:\n%s", err, text)
				}
				if err := s.Validate(value); err != nil {
					t.Errorf("%v\n%s", err, text)
				}
			}
			used[c.schema] = true
		})
	}
	for _, d := range schema.Docs {
		if !used[d.Name] {
			t.Errorf("no output is checked against %s", d.Name)
		}
	}
}

// compiled returns a schema ready for use.
func compiled(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	text := must.Get(schema.Text(name))(t)
	value := must.Get(jsonschema.UnmarshalJSON(strings.NewReader(text)))(t)
	c := jsonschema.NewCompiler()
	must.Do(t, c.AddResource(filepath.Base(name)+".json", value))
	return must.Get(c.Compile(name + ".json"))(t)
}
