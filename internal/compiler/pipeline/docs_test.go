package pipeline_test

import (
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/pipeline"
	"github.com/memc-lang/memc/internal/test/load"
	"github.com/memc-lang/memc/internal/test/must"
)

// The programs that docs/passes.md shows after passes are what the passes make of
// those that it shows before.
func TestDocs(t *testing.T) {
	data := must.Read(t, "../../../docs/passes.md")
	for _, c := range []struct{ mark, passes string }{
		{"", "explicit"},
		{"coalesce ", "explicit,lift,coalesce,lower"},
		{"sequentialise ", "sequentialise"},
		{"levels ", "levels"},
		{"reuse ", "reuse"},
		{"inline ", "inline"},
		{"simplify ", "simplify"},
		{"fuse ", "fuse"},
	} {
		p := load.Checked(t, "test.ir", fenced(t, data, "<!-- "+c.mark+"before -->"))
		passes := must.Get(pipeline.Parse(c.passes))(t)
		must.Get(pipeline.Run(p, passes, pipeline.Options{Verify: true, Memcheck: true}))(t)
		if got, want := p.String(), fenced(t, data, "<!-- "+c.mark+"after -->"); got != want {
			t.Errorf("%s makes\n%s\nbut the page shows\n%s", c.passes, got, want)
		}
	}
}

// fenced returns the code block that follows a mark.
func fenced(t *testing.T, text, mark string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, mark+"\n```\n")
	code, _, closed := strings.Cut(rest, "```\n")
	if !ok || !closed {
		t.Fatalf("no code block after %s", mark)
	}
	return code
}
