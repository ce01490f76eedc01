package annotate_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/test/annotate"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/diag"
)

// TestGolden prints every program of testdata/analysis, which are in explicit
// form, with all facts; MEMC_GOLDEN=1 rewrites the files.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("../../../testdata/analysis/*.ir")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			p := check(t, path)
			got := annotate.Program(p, annotate.Kinds).String()
			want := strings.TrimSuffix(path, ".ir") + ".want"
			if os.Getenv("MEMC_GOLDEN") != "" {
				must.Do(t, os.WriteFile(want, []byte(got), 0o644))
			}
			text := must.Get(os.ReadFile(want))(t)
			if d := cmp.Diff(string(text), got); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			// What is printed is the same program.
			again, list := driver.Check(diag.NewFile(want, got))
			must.Do(t, list.Err())
			if d := cmp.Diff(bare(p), bare(again)); d != "" {
				t.Errorf("annotated text is another program:\n%s", d)
			}
		})
	}
}

func check(t *testing.T, path string) *ir.Program {
	t.Helper()
	f := must.Get(driver.ReadSource(path))(t)
	p, list := driver.Check(f)
	must.Do(t, list.Err())
	return p
}

// bare prints a program without trailing comments.
func bare(p *ir.Program) string {
	p = ir.CloneProgram(p)
	for _, f := range p.Funcs {
		f.Body.Trail = ""
		ir.WalkStmts(f.Body, func(s *ir.Stmt) bool {
			s.Trail = ""
			for _, b := range ir.Bodies(s.Op) {
				b.Trail = ""
			}
			return true
		})
	}
	return p.String()
}

// TestDocs: the program of docs/analyses.md is what memc prints.
func TestDocs(t *testing.T) {
	data := must.Read(t, "../../../docs/analyses.md")
	_, rest, ok := strings.Cut(data, "<!-- annotated -->\n```\n")
	want, _, closed := strings.Cut(rest, "```\n")
	if !ok || !closed {
		t.Fatal("no annotated program on the page")
	}
	p, list := driver.Check(diag.NewFile("analyses.md", want))
	must.Do(t, list.Err())
	plain, list := driver.Check(diag.NewFile("analyses.md", bare(p)))
	must.Do(t, list.Err())
	if d := cmp.Diff(want, annotate.Program(plain, []string{"alias", "lastuse"}).String()); d != "" {
		t.Errorf("-page +printed:\n%s", d)
	}
}
