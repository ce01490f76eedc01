package lsp

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memc-lang/memc/internal/base/diag"
	"github.com/memc-lang/memc/internal/compiler/driver"
	"github.com/memc-lang/memc/internal/test/must"
	"github.com/memc-lang/memc/ir"
	"github.com/memc-lang/memc/parser"
)

// TestNames gives every binding of every correct program a name of its own, by the names that the parser
// finds. The program must stay correct, and must not become another one.
func TestNames(t *testing.T) {
	programs := 0
	for _, dir := range []string{"testdata", "examples", "benchmarks", "parser/testdata"} {
		must.Do(t, filepath.WalkDir(filepath.Join("..", "..", dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".ir" {
				return err
			}
			f := must.Get(driver.ReadSource(path))(t)
			if len(f.Text) > 200000 {
				return nil
			}
			before, list := driver.Check(f)
			if list.Failed() || !ownText(f) {
				return nil
			}
			programs++
			names := parser.Names(f)
			fresh := map[diag.Span]string{}
			for k, n := range names {
				if !n.Bound.Known() {
					t.Errorf("%sthe parser finds no binding of a name", f.Locate(n.Span))
				} else if n.Bound == n.Span {
					fresh[n.Span] = fmt.Sprintf("renamed_%d", k)
				}
			}
			var b strings.Builder
			at := 0
			for _, n := range names {
				b.WriteString(f.Text[at:n.Start] + fresh[n.Bound])
				at = n.End
			}
			b.WriteString(f.Text[at:])
			after, list := driver.Check(diag.NewFile(path, b.String()))
			if err := list.Err(); err != nil {
				t.Errorf("%s renamed: %v", path, err)
				return nil
			}
			if a, b := count(before), count(after); a != b {
				t.Errorf("%s has %d statements, renamed %d", path, a, b)
			}
			return nil
		}))
	}
	if programs < 300 {
		t.Errorf("only %d correct programs", programs)
	}
	t.Logf("%d programs", programs)
}

func count(p *ir.Program) (n int) {
	for _, f := range p.Funcs {
		ir.WalkStmts(f.Body, func(*ir.Stmt) bool { n++; return true })
	}
	return n
}
