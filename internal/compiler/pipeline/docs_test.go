package pipeline_test

import (
	"os"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
)

// The programs that docs/passes.md shows after passes are what the passes make of
// those that it shows before.
func TestDocs(t *testing.T) {
	data, err := os.ReadFile("../../../docs/passes.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ mark, passes string }{
		{"", "explicit"},
		{"coalesce ", "explicit,lift,coalesce,lower"},
		{"sequentialise ", "sequentialise"},
		{"reuse ", "reuse"},
	} {
		p := load(t, fenced(t, string(data), "<!-- "+c.mark+"before -->"))
		passes, err := pipeline.Parse(c.passes)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pipeline.Run(p, passes, pipeline.Options{Verify: true, Memcheck: true}); err != nil {
			t.Fatal(err)
		}
		if got, want := p.String(), fenced(t, string(data), "<!-- "+c.mark+"after -->"); got != want {
			t.Errorf("%s makes\n%s\nbut the page shows\n%s", c.passes, got, want)
		}
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
