package pipeline_test

import (
	"os"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/pipeline"
)

// The program that docs/passes.md shows after the pass is what the pass makes of
// the one it shows before.
func TestDocs(t *testing.T) {
	data, err := os.ReadFile("../../docs/passes.md")
	if err != nil {
		t.Fatal(err)
	}
	p := load(t, fenced(t, string(data), "<!-- before -->"))
	if _, err := pipeline.Run(p, pipeline.DefaultPasses(), pipeline.Options{Verify: true}); err != nil {
		t.Fatal(err)
	}
	if got, want := p.String(), fenced(t, string(data), "<!-- after -->"); got != want {
		t.Errorf("the pass makes\n%s\nbut the page shows\n%s", got, want)
	}
}

// fenced gives the code block that follows a mark.
func fenced(t *testing.T, text, mark string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, mark+"\n```\n")
	code, _, closed := strings.Cut(rest, "```\n")
	if !ok || !closed {
		t.Fatalf("no code block after %s", mark)
	}
	return code
}
