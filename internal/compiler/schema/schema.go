// Package schema has the JSON Schemas (draft 2020-12) of what memc writes as JSON, for tools that read it. A test makes
// the files of the folder schemas from the Go types that are written (MEMC_GOLDEN=1 rewrites them), and a test of the
// command checks the output of every verb against them.
//
// A field may be added to an output at any time; a field that goes or changes its meaning stands in CHANGELOG.md. The
// schema of programs follows the version of the language.
//
// The package imports nothing of memc, so that its readers get only texts.
package schema

import (
	"embed"
	"fmt"
)

//go:embed schemas/*.json
var files embed.FS

// A Doc is a kind of output.
type Doc struct{ Name, Doc string }

// Docs lists the outputs that have a schema.
var Docs = []Doc{
	{"program", "memc fmt --json, and what every verb reads"},
	{"message", "--messages=json: each line"},
	{"remarks", "--remarks=json"},
	{"opt-stats", "memc opt --stats=json of one program"},
	{"opt-stats-line", "memc opt --stats=json of several programs: each line"},
	{"run-stats", "memc run --stats=json"},
	{"profile", "memc run --profile=json"},
}

// Text returns the schema of that name.
func Text(name string) (string, error) {
	text, err := files.ReadFile("schemas/" + name + ".json")
	if err != nil {
		return "", fmt.Errorf("there is no schema %q", name)
	}
	return string(text), nil
}
