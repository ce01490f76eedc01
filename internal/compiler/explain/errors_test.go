package explain

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir/diag"
)

// found returns what the parser, the checker and the checker of memory say of a program.
func found(name, text string) (list []*diag.Diagnostic) {
	f := diag.NewFile(name, text)
	p, l := driver.Check(f)
	if l.Failed() {
		return l.All
	}
	return driver.Warnings(f, p)
}

// firstOfRuns is the first code that no check of a program gives.
const firstOfRuns = string(diag.IndexOutside)

// Each wrong program of errors.md has its code and no other, and each mended one has no error. Each code of package
// diag has a section, and each section is of one of these codes.
func TestErrorPages(t *testing.T) {
	var names []string
	for _, c := range Errors() {
		names = append(names, c.Name)
		t.Run(c.Name, func(t *testing.T) {
			const deep = 10_001 // the page writes (..x..)
			wrong := strings.NewReplacer("(..", strings.Repeat("(", deep), "..)", strings.Repeat(")", deep)).Replace(c.Example)
			l, inRun := found("wrong.ir", wrong), c.Name >= firstOfRuns
			if len(l) == 0 && !inRun {
				t.Error("the wrong program is accepted")
			}
			for _, d := range l {
				if string(d.Code) != c.Name || inRun {
					t.Errorf("the wrong program has another error: %v", d)
				}
			}
			switch {
			case inRun:
				testRuns(t, diag.Code(c.Name), c.Example, c.Mended)
			case c.Name >= string(diag.Overwritten) && c.Name <= string(diag.SharedMemory):
				testByMemory(t, diag.Code(c.Name), c.Example)
			}
			for _, d := range found("mended.ir", c.Mended) {
				t.Errorf("the mended program has an error: %v", d)
			}
		})
	}
	if codes := constants(t); !slices.Equal(names, codes) {
		t.Errorf("errors.md has the codes %v, and package diag %v", names, codes)
	}
}

// constants lists the codes that package diag declares.
func constants(t *testing.T) (codes []string) {
	t.Helper()
	f := must.Get(parser.ParseFile(token.NewFileSet(), "../../../ir/diag/codes.go", nil, 0))(t)
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			codes = append(codes, must.Get(strconv.Unquote(lit.Value))(t))
		}
		return true
	})
	return codes
}

// Every error of every program in the repository has a code of the list.
func TestEveryErrorHasCode(t *testing.T) {
	known, refused := constants(t), 0
	for _, dir := range []string{"testdata", "parser/testdata"} {
		must.Do(t, filepath.WalkDir("../../../"+dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".ir" {
				return err
			}
			_, l := driver.Check(diag.NewFile(path, must.Read(t, path)))
			for _, d := range l.All {
				refused++
				if d.Severity == diag.Error && !slices.Contains(known, string(d.Code)) {
					t.Errorf("no code, or an unknown one: %v", d)
				}
			}
			return nil
		}))
	}
	if refused < 150 {
		t.Errorf("only %d errors were found", refused)
	}
}
