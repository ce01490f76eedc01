package memcheck_test

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/oracle/memcheck"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/ir/check"
	"github.com/memc-lang/memc/ir/diag"
	"github.com/memc-lang/memc/parser"
	"github.com/memc-lang/memc/transform"
	"github.com/memc-lang/memc/transform/explicit"
)

// sources returns the .ir files below the directories of the repository.
func sources(t *testing.T, dirs ...string) []string {
	t.Helper()
	var files []string
	for _, dir := range dirs {
		must.Do(t, filepath.WalkDir(filepath.Join("..", "..", "..", dir), func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".ir") {
				files = append(files, path)
			}
			return err
		}))
	}
	return files
}

// load returns the explicit form of a file, or nil where memc refuses it.
func load(t *testing.T, path string) *ir.Program {
	t.Helper()
	data := must.Read(t, path)
	return prepare(t, diag.NewFile(filepath.Base(path), data))
}

func prepare(t testing.TB, file *diag.File) *ir.Program {
	t.Helper()
	p, list := parser.Parse(file)
	if list.Failed() {
		return nil
	}
	if more := check.Program(p); more.Failed() {
		return nil
	}
	c := transform.NewContext("explicit", &diag.List{File: file}, transform.Unlimited)
	if explicit.Pass.Run(p, c) != nil {
		return nil
	}
	return p
}

// Every program of the repository is proven right, in explicit form: but a line "-- memory: regex" says
// what the checker finds.
func TestFindings(t *testing.T) {
	checked := 0
	for _, path := range sources(t, "testdata", "examples") {
		p := load(t, path)
		if p == nil {
			continue
		}
		checked++
		var b strings.Builder
		memcheck.Check(p).List(nil).Render(&b, false)
		want := header(must.Read(t, path), "memory")
		if !must.Get(regexp.MatchString(want, b.String()))(t) || want == "" && b.Len() > 0 {
			t.Errorf("%s: expected %q\n%s", path, want, b.String())
		}
	}
	if checked < 100 {
		t.Errorf("only %d programs were checked", checked)
	}
}
